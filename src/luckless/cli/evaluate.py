"""`luckless evaluate`: one bot against the standard opponents, with the reading of the published guidelines."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import JsonFlag, print_json, print_table
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.matches.evaluation import Trial
    from luckless.stats.compare import Comparison


def command(
    bot: Annotated[str, typer.Argument(help="The bot to judge.", autocompletion=completion.bots)],
    against: Annotated[
        list[str] | None,
        typer.Option(help="Further opponents (may be given several times).", autocompletion=completion.bots),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(help="Another bot to compare with, on the same decks.", autocompletion=completion.bots),
    ] = None,
    game: Annotated[
        str,
        typer.Option(
            help="A named game or a file; the opponent fills all other seats.", autocompletion=completion.games
        ),
    ] = "nolimit-hu",
    hands: Annotated[int, typer.Option(help="Hands against each opponent.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same decks.")] = 1,
    decks: Annotated[str | None, typer.Option(help="duplicate (default where the bots allow it) or fresh.")] = None,
    json: JsonFlag = False,
) -> None:
    """Plays a bot against random, call, fold and any others named, and says what the win rates mean."""
    from luckless.bots.catalogue import load_bot
    from luckless.matches.evaluation import STANDARD_OPPONENTS, compare_trials, evaluate
    from luckless.rules.game import Game

    if decks not in (None, "duplicate", "fresh"):
        raise InputError(f"--decks is {decks!r}: allowed is duplicate or fresh")
    kind: Any = decks
    opponents = [load_bot(text) for text in dict.fromkeys((*STANDARD_OPPONENTS, *(against or ())))]
    bots, played = [load_bot(text) for text in ([bot, compare] if compare else [bot])], []
    for one in bots:
        played.append(
            evaluate(one, opponents, Game.load(game), hands=hands, seed=seed, decks=kind, show_progress=True)
        )
        if played[-1][-1].result.interrupted:
            break
    comparisons = [compare_trials(a, b) for a, b in zip(*played, strict=False)] if len(played) == 2 else []
    interrupted = [trial for trials in played for trial in trials if trial.result.interrupted]
    if json:
        print_json(_as_dict(bot, compare, played[0], comparisons) | {"interrupted": bool(interrupted)})
        return
    _print(bot, compare, played[0], comparisons)
    for trial in interrupted:
        print(f"Interrupted after {trial.result.hands:,} hands of {trial.result.match.hands:,} v {trial.opponent}.")


def _as_dict(bot: str, other: str | None, trials: "list[Trial]", comparisons: "list[Comparison]") -> dict[str, Any]:
    match = trials[0].result.match
    result: dict[str, Any] = {
        "bot": bot,
        "game": match.game.name,
        "hands": match.hands,
        "seed": match.seed,
        "decks": match.decks,
        "opponents": [
            {
                "name": trial.opponent,
                **{key: value for key, value in trial.result.to_dict()["bots"][0].items() if key != "name"},
                "reading": trial.reading.sentence,
                "caveats": list(trial.reading.caveats),
            }
            for trial in trials
        ],
    }
    if other is not None:
        result["compared_with"] = other
        result["comparisons"] = [
            {"opponent": trial.opponent, "difference_mbb": test.difference, "stderr_mbb": test.stderr,
             "ci95_mbb": test.ci95, "z": test.z, "p_value": test.p_value, "method": test.method}
            for trial, test in zip(trials, comparisons, strict=False)
        ]  # fmt: skip
    return result


def _print(bot: str, other: str | None, trials: "list[Trial]", comparisons: "list[Comparison]") -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from luckless.report.match_report import interval_text, signed

    match = trials[0].result.match
    console = Console(highlight=False)
    console.print(
        f"\n[bold]{escape(bot)}[/] at {escape(match.game.name)}, {match.hands:,} hands against each, "
        f"{match.decks} decks, seed {match.seed}"
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, name in enumerate(("against", "mbb/h", "95 % interval", "SD bb/h", "reading")):
        is_number = 0 < place < 4
        table.add_column(name, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for trial in trials:
        rate, sd_bb = trial.result.estimate(0), trial.result.of_hands(0).sd
        spread = "-" if sd_bb is None else f"{sd_bb:,.2f}"
        table.add_row(trial.opponent, signed(rate.mean), interval_text(rate), spread, trial.reading.sentence)
    print_table(console, table)
    for trial, test in zip(trials, comparisons, strict=False):
        sure = "" if test.p_value is None else f", p = {test.p_value:.2g}"
        ends = "" if test.ci95 is None else f" ({signed(test.ci95[0])} to {signed(test.ci95[1])})"
        line = f"{bot} minus {other} v {trial.opponent}: {signed(test.difference)} mbb/h{ends}{sure}, {test.method}"
        console.print(line, markup=False)
    caveats = dict.fromkeys(caveat for trial in trials for caveat in trial.reading.caveats)
    warnings = dict.fromkeys(f"Note: {text}." for trial in trials for text in trial.result.estimate(0).warnings)
    for line in (*caveats, *warnings):
        console.print(line, style="dim", markup=False)
