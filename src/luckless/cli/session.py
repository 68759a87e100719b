"""`luckless session`: short tournaments with carried stacks, counted by pairing."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import JsonOfBotsFlag, StrictFlag, check_strict, new_console, print_json, print_table
from luckless.counted import counted
from luckless.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from luckless.matches.session import Sessions
    from luckless.matches.session_result import SessionResult
    from luckless.rules.columns import HandColumns


def command(
    bots: Annotated[
        list[str], typer.Argument(help="Two or more bots; they all sit at one table.", autocompletion=completion.bots)
    ],
    rounds: Annotated[int, typer.Option(help="Hands in a session; it ends early when a bot has no chips left.")] = 20,
    stack: Annotated[int, typer.Option(help="Chips at the start.")] = 1000,
    blinds: Annotated[str, typer.Option(help="Small and big blind.")] = "5/10",
    games: Annotated[int, typer.Option(help="Sessions to play.")] = 10,
    seed: Annotated[
        int | None,
        typer.Option(help="The same seed gives the same sessions. Default: 1; with bots from outside a secret one."),
    ] = None,
    decision_seconds: Annotated[
        float, typer.Option(help="Time limit of a bot for one decision; 0 is no limit.")
    ] = 10.0,
    match_seconds: Annotated[
        float | None,
        typer.Option(
            help="Time limit of a bot for all sessions together; 0 is no limit.",
            show_default="one hour and 5 s a hand",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            help="Store the sessions in this folder; sessions that are there already are resumed or extended."
        ),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML report to this file.")] = None,
    adjust: Annotated[
        bool,
        typer.Option(
            "--adjust",
            help="Take luck out of the win rates, hand by hand, by AIVAT where policies of bots are known.",
        ),
    ] = False,
    strict: StrictFlag = False,
    json: JsonOfBotsFlag = False,
) -> None:
    """Plays sessions (short tournaments) and counts how often each bot ends ahead of each other."""
    from luckless.bots.catalogue import load_bot
    from luckless.histories.resuming import choices
    from luckless.histories.session_writer import play_stored_sessions
    from luckless.histories.store import StoredHands
    from luckless.matches.session import SessionBlock, Sessions, play_sessions
    from luckless.report.fault_words import not_itself

    if report is not None:
        from luckless.whole_files import check_writable

        check_writable(report)
    players = [load_bot(text) for text in bots]
    chosen = choices(save, seed)
    sessions = Sessions.plan(
        players,
        rounds=rounds,
        stack=stack,
        blinds=_blinds_of(blinds),
        games=games,
        seed=chosen.seed,
        sealed=chosen.sealed,
        decision_seconds=decision_seconds,
        match_seconds=match_seconds,
    )
    played: list[HandColumns] = []
    if save is None:

        def keep(block: SessionBlock) -> None:
            if block.hands is not None:
                played.append(block.hands)

        result = play_sessions(sessions, on_block=keep if adjust else None, show_progress=True)
    else:
        result = play_stored_sessions(sessions, save, show_progress=True)
    if adjust:
        result = _adjusted(sessions, result, played if save is None else StoredHands.open(save).columns())
    if json:
        print_json(result.to_dict())
    else:
        _print(result)
    if report is not None:
        from luckless.report.session_report import session_report
        from luckless.whole_files import write_text

        write_text(report, session_report(result))
    for label, path in (("report", report), ("sessions", save)):
        if path is not None and not json:
            print(f"{label}: {path}")
    check_strict(strict, not_itself(result.faults, result.sessions.labels))


def _adjusted(sessions: "Sessions", result: "SessionResult", hands: "Iterable[HandColumns]") -> "SessionResult":
    """The result with luck taken out of its win rates."""
    from dataclasses import replace

    from luckless.skill.of_match import adjust_sessions

    return replace(result, adjusted=adjust_sessions(sessions, result, hands))


def _blinds_of(text: str) -> tuple[int, int]:
    small, _, big = text.partition("/")
    if not (small.isdecimal() and big.isdecimal()):
        raise InputError(f"--blinds is {text!r}; allowed is small and big blind, such as 5/10")
    return int(small), int(big)


def _print_faults(console: "Console", bot: dict[str, Any]) -> None:
    """The faults of a bot: how many of each kind, and the first of them with their reasons."""
    if not bot["faults"]:
        return
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in bot["faults_by_kind"].items())
    console.print(f"{bot['name']}: {bot['faults']:,} faults ({kinds})", style="red", markup=False, soft_wrap=True)
    for case in bot["first_faults"]:
        line = f"  in hand {case['hand']:,} ({case['kind']}): {case['detail']}"
        console.print(line, style="red", markup=False, soft_wrap=True)


def _print(result: "SessionResult") -> None:
    from rich.table import Table
    from rich.text import Text

    from luckless.report.fault_words import not_itself
    from luckless.report.session_report import PAIRING_HEADER, pairing_rows

    facts = result.to_dict()
    console = new_console()
    small, big = facts["blinds"]
    console.print(
        f"\n[bold]{counted(facts['games'], 'session')}[/] of at most {counted(facts['rounds'], 'round')}, "
        f"{facts['stack']:,} chips, blinds {small}/{big}, seed {facts['seed']}"
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, name in enumerate(PAIRING_HEADER):
        table.add_column(name, justify="left" if place < 2 else "right", no_wrap=place > 1, overflow="fold")
    for row in pairing_rows(result, result.sessions.names):
        table.add_row(*map(Text, row))
    print_table(console, table)
    trouble = not_itself(result.faults, result.sessions.labels)
    if trouble:
        console.print(trouble, style="bold", markup=False)
    if result.adjusted is not None:
        from luckless.cli.judge import players_table

        verdict: Any = result.adjusted
        print_table(console, players_table(verdict.players))
        console.print(f"{verdict.reason} The sample is the session.", style="dim", markup=False)
    for bot in facts["bots"]:
        busts = counted(bot["busts"], "session")
        line = f"{bot['name']}: {bot['mean_chips']:,.0f} chips on average at the end, bust in {busts}"
        console.print(line, style="dim", markup=False)
    for bot in facts["bots"]:
        _print_faults(console, bot)
    for warning in facts["warnings"]:
        console.print(f"Note: {warning}.", style="dim", markup=False)
    if result.interrupted:
        console.print(
            f"Interrupted after {result.games:,} of {counted(result.sessions.games, 'session')}.", style="dim"
        )
