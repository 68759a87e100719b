"""`luckless solve`: a strategy that cannot be beaten, and how close it is to one."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import JsonFlag, OnOption, crew_on, new_console, print_json, print_table
from luckless.counted import counted
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.solve.decisions import Frequencies, Grid
    from luckless.solve.many_boards import ManyBoards
    from luckless.solve.solution import Solution
    from luckless.solve.strategy_file import AnySolver, Task

BLUEPRINT_GAMES = ("limit-hu", "nolimit-hu")


def command(
    game: Annotated[
        str,
        typer.Argument(
            help="kuhn, leduc, river-hu (with --board, or by networks), limit-hu and nolimit-hu (blueprints) or the "
            "file of a spot (.toml).",
            autocompletion=completion.solved_games,
        ),
    ],
    board: Annotated[str | None, typer.Option(help="Board of 3, 4 or 5 cards, such as KsTh7s4d2s.")] = None,
    ranges: Annotated[
        tuple[str, str] | None,
        typer.Option(help='Ranges of the first and second player, such as "TT+,AQs:0.5" "??".'),
    ] = None,
    pot: Annotated[int | None, typer.Option(help="Chips in the pot.")] = None,
    stack: Annotated[int | None, typer.Option(help="Chips that each player has behind.")] = None,
    sizes: Annotated[
        list[str] | None,
        typer.Option(help="[STREET=]BETS[/RAISES], such as 50%,100%,all-in or turn=60%/2.5x; once a street."),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(help="pdcfr+ (default), dcfr+ (default for spots), cfr, deep-pdcfr+ (networks), ... or all."),
    ] = None,
    iterations: Annotated[int | None, typer.Option(help="Stop after so many iterations.")] = None,
    target: Annotated[
        str | None, typer.Option(help="Stop at this exploitability: 0.1% of the pot, or of an ante.")
    ] = None,
    minutes: Annotated[float | None, typer.Option(help="Blueprints only: stop after so many minutes.")] = None,
    settings: Annotated[
        Path | None, typer.Option(help="Blueprints only: their settings, such as experiments/blueprint-limit.toml.")
    ] = None,
    boards: Annotated[
        int | None, typer.Option(help="Spots and river-hu: solve so many drawn boards, each by itself.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of sampling algorithms, and of boards that are drawn.")] = 1,
    save: Annotated[Path | None, typer.Option(help="Write the solution to this file.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on from a saved solution of the same game.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML report to this file.")] = None,
    memory: Annotated[
        str | None, typer.Option(help="Refuse a spot that needs more memory, such as 1.4GB; by default what is free.")
    ] = None,
    on: OnOption = None,
    json: JsonFlag = False,
) -> None:
    """Solves a game: the strategy, its value and how much a best response would win from it.

    A spot is a TOML file with board, ranges, pot, stack and sizes; the options replace what it says.
    """
    from luckless.solve.given_games import spot_values, tasks_of, usual_end
    from luckless.solve.many_boards import check_boards_alone, first_board, solve_boards
    from luckless.solve.memory import parse_memory
    from luckless.solve.schedules import DEEP
    from luckless.whole_files import check_writable

    for path in (save, report):
        if path is not None:
            check_writable(path)
    if game in BLUEPRINT_GAMES:
        others = (board, ranges, pot, stack, sizes, algorithm, target, report, boards, on)
        if any(option is not None for option in others):
            raise InputError(
                f"{game} becomes a blueprint; allowed are --settings, --iterations, --minutes, --save, --resume, "
                "--memory and --json"
            )
        _make_blueprint(game, settings, (iterations, minutes), save, resume, memory, json)
        return
    if minutes is not None or settings is not None:
        raise InputError(f"--minutes and --settings are for blueprints: {', '.join(BLUEPRINT_GAMES)}")
    if boards is not None:
        check_boards_alone({"board": board, "resume": resume, "report": report})
        board = first_board(game, boards, seed)
    elif on is not None:
        raise InputError("--on shares out boards: give --boards with their number")
    given = {"board": board, "ranges": ranges, "pot": pot, "stack": stack}
    spot = spot_values(game, given, sizes or [], algorithm == DEEP)
    aim = None if target is None else _share(target)
    most = None if memory is None else parse_memory(memory)
    if iterations is not None and iterations < 1:
        raise InputError(f"--iterations is {iterations}; allowed is 1 or more")
    if iterations is None and aim is None:
        iterations, aim = usual_end(spot, algorithm)
    tasks = tasks_of(game, spot, algorithm, seed)
    _tell_memory(tasks, most)
    if boards is not None:
        with crew_on(on):
            many = solve_boards(tasks, boards, seed, iterations, aim, save, show_progress=True)
        print_json(many.to_dict()) if json else _print_boards(many)
        return
    solution, solver = _solve_all(tasks, resume, iterations, aim)
    if save is not None:
        from luckless.solve.strategy_file import save_solution

        save_solution(save, tasks[0], solver, solution.measured.exploitability, solution.steps)
    if json:
        print_json(solution.to_dict())
    else:
        _print(solution, solver)
    if report is not None:
        _write_report(report, solution, solver, spot)
    if not json:
        for label, path in (("solution", save), ("report", report)):
            if path is not None:
                print(f"{label}: {path}")


def _make_blueprint(
    game: str, path: Path | None, end: tuple[int | None, float | None], save: Path | None, resume: Path | None,
    memory: str | None, json: bool,
) -> None:  # fmt: skip
    from luckless.solve.blueprint_making import make_blueprint, new_solver, resumed_solver, training_path, with_end
    from luckless.solve.blueprint_settings import ALGORITHMS, BLUEPRINTS, read_settings
    from luckless.solve.memory import amount, parse_memory

    chosen = read_settings(path or BLUEPRINTS / f"{game}.toml")
    if chosen.game != game:
        raise InputError(f"{path} is for {chosen.game}, not for {game}")
    chosen = with_end(chosen, *end)
    needed = chosen.check_memory(None if memory is None else parse_memory(memory))
    print(f"{chosen.infosets:,} infosets; this needs {amount(needed)} of memory", file=sys.stderr)
    solver = new_solver(chosen) if resume is None else resumed_solver(resume, chosen)
    made = make_blueprint(chosen, solver, save, end[1])
    if json:
        print_json(made.to_dict())
        return
    stopped = " (interrupted: this is what was learned so far)" if made.interrupted else ""
    how = ALGORITHMS[chosen.algorithm]
    print(f"{game} by {how}: {made.iterations:,} iterations in {made.seconds:.1f} s{stopped}")
    if save is None:
        print("nothing was kept: --save FILE writes the blueprint")
        return
    print(f"blueprint: {save}, played by `blueprint:{save}`; `luckless exploit` measures it")
    print(f"training, for --resume {save}: {training_path(save)}")


def _share(text: str) -> float:
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 < value < 1e6:
        raise InputError(f"--target is {text!r}; allowed is a share above 0, such as 0.1% or 0.001")
    return value


def _tell_memory(tasks: "list[Task]", most: int | None) -> None:
    """Says how much memory a large spot needs, before anything is built; what does not fit is refused."""
    from luckless.solve.given_games import needed_memory
    from luckless.solve.memory import amount

    needed = needed_memory(tasks, most)
    if needed > 100e6:
        print(f"this needs {amount(needed)} of memory", file=sys.stderr)


def _solve_all(
    tasks: "list[Task]", resume: Path | None, iterations: int | None, target: float | None
) -> "tuple[Solution, AnySolver]":
    """Runs every task; the first one's solution, with the curves of the others."""
    first = _solve_one(tasks[0], resume, iterations, target)
    if len(tasks) > 1:
        first[0].curves[tasks[0].algorithm] = first[0].curve
        for task in tasks[1:]:
            solution, _ = _solve_one(task, None, iterations or first[0].iterations, target)
            first[0].curves[task.algorithm] = solution.curve
            if solution.interrupted:
                first[0].interrupted = True
                break
    return first


def _solve_one(
    task: "Task", resume: Path | None, iterations: int | None, target: float | None
) -> "tuple[Solution, AnySolver]":
    from luckless.progress import Progress
    from luckless.solve.solution import solve
    from luckless.solve.strategy_file import load_solution, stored_curve

    solver, before = task.solver(), []
    if resume is not None:
        before = stored_curve(resume)
        stored, solver = load_solution(resume)
        if stored != task:
            raise InputError(
                f"{resume} solves another game or has other settings ({stored.game}, {stored.algorithm})"
            )
    with Progress(iterations, f"{task.game}, {task.algorithm}", done=solver.iterations) as progress:

        def on_point(done: int, measured: Any) -> None:
            progress.advance(done - progress.done, lambda: f"exploitability {measured.distance:.3g}")

        return solve(solver, task.game, iterations, target, on_point, before), solver


def _print_boards(many: "ManyBoards") -> None:
    from rich.table import Table

    told, worst, between = many.to_dict(), many.worst, many.value_ci95
    ends = "" if between is None else f" (95 % interval {between[0]:,.2f} to {between[1]:,.2f}, over boards)"
    spent = f"{told['iterations']:,} iterations in {many.seconds:.1f} s"
    print(
        f"{many.game} by {many.algorithm}: {counted(len(many.boards), 'board')} drawn with seed {many.seed}, {spent}"
    )
    print(f"the first player takes {told['value']:,.2f} chips out of the pot on average{ends}")
    print(
        f"exploitability: {100 * told['exploitability_pot']:.3g} % of the pot on average, at most "
        f"{100 * worst.exploitability_pot:.3g} %, on {worst.board}"
    )
    table = Table(box=None)
    table.add_column("board")
    for heading in ("first player takes", "exploitability, % of pot", "iterations"):
        table.add_column(heading, justify="right")
    for board in many.boards[:16]:
        share = f"{100 * board.exploitability_pot:.3f}"
        table.add_row(board.board, f"{board.value:,.2f}", share, f"{board.iterations:,}")
    print_table(new_console(markup=False), table)
    if len(many.boards) > 16:
        print(f"... and {counted(len(many.boards) - 16, 'more board')}: --json has them all")


def _print(solution: "Solution", solver: "AnySolver") -> None:
    from luckless.report.solution_page import decisions_of, shown_board
    from luckless.report.solve_report import distance_text

    stopped = " (interrupted: this is what was solved so far)" if solution.interrupted else ""
    spent = f"{solution.iterations:,} iterations in {solution.seconds:.1f} s{stopped}"
    print(f"{solution.game} by {solution.algorithm}: {spent}")
    if solution.measured.pot_share is None:
        print(f"value of the game for the first player: {solution.measured.value:.9f}")
    else:
        print(f"the first player takes {solution.measured.value:,.2f} chips out of the pot on average")
    print(f"exploitability: {distance_text(solution)}")
    for name, curve in solution.curves.items():
        print(f"  {name:<15} {curve[-1][1]:.3g} after {curve[-1][0]:,} iterations")
    if (board := shown_board(solver)) is not None:
        print(f"on the board {board}, one of those measured:")
    decisions, grid = decisions_of(solver)
    if grid is not None:
        _print_grid(grid)
    _print_decisions(decisions[:16])
    if len(decisions) > 16:
        print(f"... and {len(decisions) - 16:,} more decisions: --report FILE.html shows them")


def _print_grid(grid: "Grid") -> None:
    """How often each class of hands bets, in percent; suited hands above the diagonal."""
    from luckless.cards import RANKS

    print(
        f"first decision: how often each hand does not {grid.actions[0]}, in percent; suited hands above the diagonal"
    )
    names = RANKS[::-1]
    print("    " + "".join(f"{name:>4}" for name in names))
    for row, name in enumerate(names):
        cells = [grid.shares[row, column] for column in range(13)]
        texts = ["   ." if cell[0] != cell[0] else f"{100 * (1 - cell[0]):4.0f}" for cell in cells]
        print(f"{name:>4}" + "".join(texts))


def _print_decisions(decisions: "list[Frequencies]") -> None:
    from rich.table import Table

    from luckless.report.solve_report import decision_rows

    table = Table(box=None)
    for heading in ("betting before", "player", "own reach", "does"):
        table.add_column(heading, overflow="fold")
    for row in decision_rows(decisions):
        table.add_row(*row)
    print_table(new_console(markup=False), table)


def _write_report(path: Path, solution: "Solution", solver: "AnySolver", spot: dict[str, Any] | None) -> None:
    from luckless.report.solution_page import decisions_of, shown_board
    from luckless.report.solve_report import distance_text, solve_report
    from luckless.whole_files import write_text

    how = [
        ("game", solution.game),
        *((key, str(value)) for key, value in (spot or {}).items()),
        ("algorithm", solution.algorithm),
        ("iterations", f"{solution.iterations:,} in {solution.seconds:.1f} s"),
        ("value for the first player", f"{solution.measured.value:,.6f}"),
        ("exploitability", distance_text(solution)),
        *([("board shown", board)] if (board := shown_board(solver)) else []),
    ]
    decisions, grid = decisions_of(solver)
    write_text(path, solve_report(solution, decisions, grid, how))
