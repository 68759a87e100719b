"""`luckless league`: seasons of learning bots, from a TOML file to a board."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import JsonFlag, OnOption, crew_on, fail, new_console, print_json, print_table
from luckless.cli.plain_help import PlainCommand, PlainGroup
from luckless.errors import InputError
from luckless.runs import runs_here

if TYPE_CHECKING:
    from luckless.league.boards import BoardRow
    from luckless.league.run import Run

app = typer.Typer(
    cls=PlainGroup, help="Seasons in which learning bots play, learn, are cloned and ranked.", no_args_is_help=True
)

RunArgument = Annotated[
    Path | None, typer.Argument(help="The run directory; the newest one in runs/ by default.", show_default=False)
]
WorkersOption = Annotated[
    int | None, typer.Option(help="Number of processes; one a core by default.", min=1, metavar="<int>")
]


@app.command("run", cls=PlainCommand)
def run(
    season: Annotated[
        str,
        typer.Argument(
            help="A TOML file, or a season of the package: headsup, quick, tenth or thesis.",
            autocompletion=completion.seasons,
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="The run directory; runs/NAME by default.")] = None,
    workers: WorkersOption = None,
    on: OnOption = None,
    json: JsonFlag = False,
) -> None:
    """Plays a season from start to final board. Ctrl-C stops it; `resume` continues it."""
    from luckless.file_locks import require_locks
    from luckless.league.named_seasons import season_path
    from luckless.league.run import Run

    require_locks("running a season")  # before anything is written
    begun = Run.begin(out, season_path(season))
    begun.store.close()
    _play(begun.directory, workers, on, json)


@app.command("resume", cls=PlainCommand)
def resume(
    directory: RunArgument = None, workers: WorkersOption = None, on: OnOption = None, json: JsonFlag = False
) -> None:
    """Continues a season that was stopped or killed. The result is the same as without the interruption."""
    _play(_directory_or_newest(directory), workers, on, json)


def _play(directory: Path, workers: int | None, on: str | None, json: bool) -> None:
    from luckless.league.run import Run
    from luckless.league.season import run_season

    with crew_on(on, workers):
        finished = run_season(directory, workers=workers, show_progress=True)
    if not finished:
        fail(f"stopped; continue with `luckless league resume {directory}`", code=130)
    _show_board(Run.open(directory, trusted=True), json=json)


@app.command("status", cls=PlainCommand)
def status(directory: RunArgument = None, json: JsonFlag = False) -> None:
    """Shows how far a season is, what remains, and which students have stopped learning."""
    from luckless.league.status import status as status_of

    state = status_of(_open(directory))
    if json:
        print_json(state.to_dict())
        return
    from rich.markup import escape
    from rich.table import Table

    console = new_console()
    left = "" if state.seconds_left is None else f", about {_duration(state.seconds_left)} left"
    then = ", finished" if state.finished else left
    console.print(f"season [bold]{escape(state.name)}[/], begun {state.begun}{then}")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, heading in enumerate(("division", "rule", "rounds", "time")):
        table.add_column(heading, justify="left" if place < 2 else "right")
    for one in state.divisions:
        table.add_row(escape(one.name), one.matchup, f"{one.done:,} of {one.rounds:,}", _duration(one.seconds))
    print_table(console, table)
    for agent, reason in state.stopped:
        console.print(f"{agent}: {reason}", style="red", markup=False)
    for agent, count in state.faults:
        console.print(f"{agent}: {count:,} faults", style="red", markup=False)


@app.command("board", cls=PlainCommand)
def board(
    directory: RunArgument = None,
    by: Annotated[str, typer.Option(help="trueskill, mean, median, p20 or nash.")] = "trueskill",
    division: Annotated[
        str | None,
        typer.Option(help="Show the board of this division only, by its own TrueSkill.", show_default=False),
    ] = None,
    top: Annotated[int, typer.Option(help="How many agents; 0 for all.", min=0, metavar="<int>")] = 20,
    rankings: Annotated[
        bool,
        typer.Option("--rankings", help="All rankings side by side, Elo, Nash averaging and others."),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Shows the board: all agents by TrueSkill, mean, median or 20th percentile of winnings, or Nash averaging."""
    if rankings:
        if division is not None:
            raise InputError("--rankings is for the whole season; leave --division out")
        _show_rankings(_open(directory), top, json)
    else:
        _show_board(_open(directory), by, division, top, json)


def _show_rankings(opened: "Run", top: int, json: bool) -> None:
    """The agents in the order of their mean winnings, by all rankings side by side, and the cycles among them."""
    from luckless.cli.ranking_output import print_rankings
    from luckless.league.boards import rankings as rankings_of
    from luckless.league.boards import trueskill, trueskill_ends
    from luckless.report.ranking_tables import trueskill_column

    names = [opened.roster[agent].name for agent in opened.teachers]
    found, skill = rankings_of(opened), trueskill(opened)
    if json:
        told = found.to_dict(names)
        told["rankings"]["trueskill"] = [line.trueskill for line in skill]
        told["ci95"]["trueskill"] = [trueskill_ends(line) for line in skill]
        print_json({"season": opened.season.name, **told})
    else:
        print_rankings(names, found, top, known=trueskill_column(skill))


def _show_board(
    opened: "Run", by: str = "trueskill", division: str | None = None, top: int = 20, json: bool = False
) -> None:
    from luckless.league.boards import board as board_of
    from luckless.league.boards import division_board
    from luckless.league.season_record import SeasonRecord
    from luckless.report.league_report import conclusion

    lines = board_of(opened, by) if division is None else division_board(opened, _number(opened, division), by)
    if json:
        print_json(SeasonRecord(opened).to_dict(by) if division is None else _division_dict(opened, lines, by))
        return
    _print_board(opened, lines[: top or None], len(lines), division)
    if division is None:
        print(conclusion(opened, lines))
    print(f"report: luckless league report {opened.directory} --out report.html")


def _division_dict(opened: "Run", lines: "list[BoardRow]", by: str) -> dict[str, Any]:
    from luckless.league.results import fingerprint

    rows = [{"rank": place, **line.to_dict()} for place, line in enumerate(lines, start=1)]
    return {"season": opened.season.name, "by": by, "fingerprint": fingerprint(opened.store), "agents": rows}


def _number(opened: "Run", name: str) -> int:
    names = [opened.division_name(number) for number in opened.all_divisions]
    if name not in names:
        raise InputError(f"no division is called {name!r}; there are {', '.join(names)}")
    return names.index(name)


def _print_board(opened: "Run", lines: "list[BoardRow]", count: int, division: str | None) -> None:
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    from luckless.report.league_report import BOARD_UNITS, RATING_COLUMNS, board_header, board_rows

    console = new_console()
    header = board_header(lines)[: None if division is None else RATING_COLUMNS]
    of = "" if division is None else f", division {escape(division)}"
    units = BOARD_UNITS if division is None else "± is half the 95 % interval"
    console.print(f"\nseason [bold]{escape(opened.season.name)}[/]{of}, {len(lines):,} of {count:,} agents. {units}")
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", justify="right")
    for place, heading in enumerate(header):
        table.add_column(heading, justify="left" if place < 3 else "right", no_wrap=True)
    for place, row in enumerate(board_rows(lines), start=1):
        table.add_row(str(place), Text(row[0], "bold"), *map(Text, row[1 : len(header)]))
    print_table(console, table)


@app.command("report", cls=PlainCommand)
def report(
    directory: RunArgument = None,
    out: Annotated[Path, typer.Option(help="The HTML file to write.")] = Path("report.html"),
) -> None:
    """Writes board, figures and settings of a season as one HTML file that opens offline."""
    from luckless.whole_files import check_writable, write_text

    check_writable(out)
    opened = _open(directory)
    from luckless.report.league_report import league_report

    write_text(out, league_report(opened))
    print(f"report: {out}")


def _open(directory: Path | None) -> "Run":
    from luckless.league.run import Run

    return Run.open(_directory_or_newest(directory))


def _directory_or_newest(directory: Path | None) -> Path:
    """The directory that was given, or the one in runs/ that was changed last."""
    if directory is not None:
        return directory
    directories = runs_here()
    if not directories:
        raise InputError("no run directory was given and runs/ holds no season; start one with `luckless league run`")
    return directories[0]


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
