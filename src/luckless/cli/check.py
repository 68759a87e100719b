"""`luckless check`: plays awkward spots with a bot and explains what it does wrong."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import JsonOfBotsFlag, new_console, print_json
from luckless.counted import counted
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.matches.checking import CheckReport


def command(
    bot: Annotated[
        str,
        typer.Argument(
            help="Any bot: a name, file.py:Class, exec:COMMAND, acpc:PORT, pypoker:...",
            autocompletion=completion.bots,
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            help="Play only this game (required for acpc:, whose client plays one game).",
            autocompletion=completion.games,
        ),
    ] = None,
    hands: Annotated[int, typer.Option(help="Hands of each short match.")] = 60,
    decision_seconds: Annotated[float, typer.Option(help="Time limit of the bot for one decision.")] = 5.0,
    json: JsonOfBotsFlag = False,
) -> None:
    """Tests a bot in awkward spots and short matches, and explains each fault. Exit code 0 without faults, else 1."""
    from luckless.bots.catalogue import load_bot
    from luckless.matches.checking import check_bot
    from luckless.rules.game import Game

    if hands < 1:
        raise InputError(f"--hands is {hands}; allowed is 1 or more")
    if decision_seconds <= 0:
        raise InputError(
            f"--decision-seconds is {decision_seconds:g}; allowed is more than 0 s, because a check needs a clock"
        )
    played = None if game is None else Game.load(game)
    report = check_bot(load_bot(bot), game=played, hands=hands, decision_seconds=decision_seconds)
    if json:
        print_json(_as_dict(report))
    else:
        _print(report)
    raise typer.Exit(1 if report.complaints else 0)


def _as_dict(report: "CheckReport") -> dict[str, Any]:
    return {
        "bot": report.bot,
        "says": report.says,
        "memory": report.memory,
        "spots": report.spots,
        "hands": report.hands,
        "decisions": report.decisions,
        "clean": not report.complaints,
        "complaints": [
            {
                "where": complaint.where,
                "about": complaint.about,
                "kind": complaint.kind,
                "count": complaint.count,
                "detail": complaint.detail,
                "advice": complaint.advice,
                "view": complaint.view,
            }
            for complaint in report.complaints
        ],
        "notes": report.notes,
    }


def _print(report: "CheckReport") -> None:
    console = new_console()
    says = f' says it is "{report.says}",' if report.says else ""
    memory = "keeps memory" if report.memory else "keeps no memory"
    console.print(
        f"{report.bot}{says} {memory}: {counted(report.spots, 'spot')}, "
        f"{counted(report.hands, 'hand')}, {counted(report.decisions, 'decision')}",
        markup=False,
    )
    for complaint in report.complaints:
        times = f", {complaint.count:,} times" if complaint.count > 1 else ""
        console.print(f"\n{complaint.where} ({complaint.kind}{times})", style="bold red", markup=False)
        for line in (complaint.about, complaint.detail, complaint.advice):
            if line:
                console.print(f"  {line}", markup=False)
        if complaint.view is not None:
            console.print(f"  it saw {_in_words(complaint.view)}", style="dim", markup=False)
    for note in report.notes:
        console.print(f"note: {note}", style="yellow", markup=False)
    if not report.complaints:
        console.print("no complaints", style="bold green")


def _in_words(view: dict[str, Any]) -> str:
    keys = (
        "seat",
        "street",
        "hole",
        "board",
        "pot",
        "to_call",
        "min_raise_to",
        "max_raise_to",
        "stacks",
        "street_bets",
    )
    return ", ".join(f"{key} {view[key]}" for key in keys)
