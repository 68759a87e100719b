"""`luckless evaluate`: one bot against the standard opponents, with the reading of the published guidelines."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import JsonOfBotsFlag, StrictFlag, check_strict, new_console, print_json, print_table
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.matches.evaluation import Evaluation


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
    seed: Annotated[
        int | None,
        typer.Option(help="The same seed gives the same decks. Default: 1; with bots from outside a secret one."),
    ] = None,
    decks: Annotated[str | None, typer.Option(help="duplicate (default where the bots allow it) or fresh.")] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            help="Store the matches in this folder; matches that are there already are resumed or extended."
        ),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML report to this file.")] = None,
    strict: StrictFlag = False,
    json: JsonOfBotsFlag = False,
) -> None:
    """Plays a bot against random, call, fold, pot-odds, value-bet and others, and explains the win rates.

    In river-hu `nash` is among them, which cannot be beaten by more than 10 mbb/h.
    """
    from luckless.bots.catalogue import load_bot
    from luckless.histories.stored_evaluation import play_evaluation
    from luckless.matches.evaluation import standard_opponents
    from luckless.report.evaluation_report import faults_text
    from luckless.rules.game import Game

    if decks not in (None, "duplicate", "fresh"):
        raise InputError(f"--decks is {decks!r}; allowed is duplicate or fresh")
    if report is not None:
        from luckless.whole_files import check_writable

        check_writable(report)
    kind: Any = decks
    player, played = load_bot(bot), Game.load(game)
    opponents = dict.fromkeys((*standard_opponents(player.spec, played.name), *(against or ())))
    evaluation = play_evaluation(
        player,
        [load_bot(text) for text in opponents],
        played,
        compare=load_bot(compare) if compare else None,
        folder=save,
        hands=hands,
        seed=seed,
        decks=kind,
        show_progress=True,
    )
    if json:
        print_json(evaluation.to_dict())
    else:
        _print(evaluation)
    if report is not None:
        from luckless.report.evaluation_report import evaluation_report
        from luckless.whole_files import write_text

        write_text(report, evaluation_report(evaluation))
    for label, path in (("report", report), ("matches", save)):
        if path is not None and not json:
            print(f"{label}: {path}")
    check_strict(strict, faults_text(evaluation))


def _print(evaluation: "Evaluation") -> None:
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    from luckless.report.evaluation_report import (
        TRIAL_HEADER,
        comparison_lines,
        conclusion,
        interruptions,
        remarks,
        trial_rows,
    )

    match = evaluation.trials[0].result.match
    console = new_console()
    console.print(
        f"\n[bold]{escape(evaluation.bot)}[/] at {escape(match.game.name)}, {match.hands:,} hands against each, "
        f"{match.decks} decks, seed {evaluation.seed}"
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, name in enumerate(TRIAL_HEADER):
        is_number = 0 < place < 4
        table.add_column(name, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row in trial_rows(evaluation):
        table.add_row(*map(Text, row))
    print_table(console, table)
    console.print(conclusion(evaluation), style="bold", markup=False)
    for line in comparison_lines(evaluation):
        console.print(line, markup=False)
    for line in remarks(evaluation):
        console.print(line, style="dim", markup=False)
    for line in interruptions(evaluation):
        console.print(line, markup=False)
