"""`luckless match`: bots play each other, and the block that says how strong they are and how sure that is."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import (
    JsonOfBotsFlag,
    OnOption,
    StrictFlag,
    check_strict,
    crew_on,
    new_console,
    print_json,
    print_table,
    say_compiling,
)
from luckless.counted import counted
from luckless.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from luckless.matches.match import Match
    from luckless.matches.playing import Chunk
    from luckless.matches.result import MatchResult
    from luckless.rules.columns import HandColumns
    from luckless.stats.stopping import StoppingTest

ADJUSTED_A_SECOND = 100
"""Hands a second that are judged at least: luck is taken out by itself where no more are played."""

MOST_ADJUSTED = 100_000
"""Hands of a match that are kept in memory in case luck is to be taken out by itself."""

PILOT_HANDS = 4_000
"""Hands that `--plan` plays to measure the spread."""


def command(
    bots: Annotated[
        list[str],
        typer.Argument(
            help="A name (see `luckless bots`), file.py:Class, mix:a=1,b=2, ...", autocompletion=completion.bots
        ),
    ],
    game: Annotated[
        str, typer.Option(help="A named game or a file.", autocompletion=completion.games)
    ] = "nolimit-hu",
    hands: Annotated[int, typer.Option(help="Hands to play, rounded up to whole duplicate sets.")] = 10_000,
    seed: Annotated[
        int | None,
        typer.Option(help="The same seed gives the same match. Default: 1; with bots from outside a secret one."),
    ] = None,
    decks: Annotated[str | None, typer.Option(help="duplicate (default where the bots allow it) or fresh.")] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Store the match in this folder; a match that is there already is resumed or extended."),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML report to this file.")] = None,
    divat: Annotated[
        bool, typer.Option("--divat", help="Judge the hands by DIVAT afterwards (heads-up limit).")
    ] = False,
    adjust: Annotated[
        bool,
        typer.Option(
            "--adjust",
            help="Take luck out of the win rates, by AIVAT where policies of bots are known; --stop then judges the "
            "adjusted values. A match of slow bots does so by itself where it at most doubles the time.",
        ),
    ] = False,
    plan: Annotated[
        float | None,
        typer.Option(help="Do not play; estimate how many hands it takes to detect an edge of this many mbb/h."),
    ] = None,
    stop: Annotated[
        str | None,
        typer.Option(help="A:B stops when a test decides whether the first bot wins at most A or at least B mbb/h."),
    ] = None,
    alpha: Annotated[float, typer.Option(help="With --stop: the chance of deciding B when A is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="With --stop: the chance of deciding A when B is true.")] = 0.05,
    decision_seconds: Annotated[
        float, typer.Option(help="Time limit of a bot for one decision; 0 is no limit.")
    ] = 10.0,
    hand_seconds: Annotated[float, typer.Option(help="Time limit of a bot for one hand; 0 is no limit.")] = 0.0,
    match_seconds: Annotated[
        float | None,
        typer.Option(
            help="Time limit of a bot for the whole match; 0 is no limit.", show_default="one hour and 5 s a hand"
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Number of threads for compiled bots; one a core by default.")
    ] = None,
    on: OnOption = None,
    strict: StrictFlag = False,
    json: JsonOfBotsFlag = False,
) -> None:
    """Plays bots against each other: win rates with intervals, luck reduced by duplicate decks."""
    from luckless.report.fault_words import not_itself

    if report is not None:
        from luckless.whole_files import check_writable

        check_writable(report)
    clocks = (decision_seconds, hand_seconds, match_seconds)
    match = plan_match(bots, game, hands, seed, decks, clocks, save)
    if plan is not None:
        _print_plan(match, plan, json)
        return
    if divat:
        from luckless.divat.gathering import check_game

        check_game(match.game)
    test = _stopping_test(match, stop, alpha, beta, adjust) if stop is not None else None
    batches: list[HandColumns] = []
    kept = divat or adjust or _may_be_worth_it(match)
    on_chunk = (lambda chunk: batches.append(chunk.hands)) if kept else None
    with crew_on(on, workers):
        result = _play(match, save, None if on else workers, test, on_chunk)
    if divat:
        result = _judged(result, batches, save)
    if adjust or _is_worth_it(match, result):
        result = _adjusted(match, result, batches, report is not None)
    used = [player.usage() for player in match.players]
    if json:
        facts = result.to_dict()
        for told, usage in zip(facts["bots"], used, strict=True):
            told |= {"usage": usage} if usage else {}
        print_json(facts)
    else:
        print_result(result)
        for name, usage in zip(result.match.labels, used, strict=True):
            if usage:
                print(f"{name}: {usage_text(usage)}")
        say_compiling()
    if report is not None:  # after the result, which is worth more than the page if the disk is full
        _write_report(result, report)
    if not json:
        _print_rest(result, report, save)
    check_strict(strict, not_itself(result.tally.faults, result.match.labels))


def usage_text(usage: dict[str, Any]) -> str:
    """What a model took, in words."""
    return (
        f"{counted(usage['decisions'], 'decision')} for {usage['cost_usd']:.4g} dollars, "
        f"{usage['tokens_in']:,} tokens in and {usage['tokens_out']:,} out; "
        f"{usage['unusable']:,} answers could not be used, {usage['retries']:,} "
        f"requests were repeated; {usage['seconds_median']:.2f} s in the median, {usage['seconds_p95']:.2f} s in 95 %"
    )


def _print_rest(result: "MatchResult", report: Path | None, save: Path | None) -> None:
    """Where files were written, and DIVAT's judgement."""
    for label, path in (("report", report), ("hands", save)):
        if path is not None:
            print(f"{label}: {path}")
    if result.judgement is not None:
        from luckless.cli.divat import print_judgement

        judgement: Any = result.judgement
        print_judgement(judgement)
        where = f"luckless divat {save}" if save is not None else "--save FOLDER, then luckless divat FOLDER"
        print(f"Other settings or a sweep: {where} (see luckless divat --help)")


def _play(
    match: "Match",
    save: Path | None,
    workers: int | None,
    test: "StoppingTest | None",
    on_chunk: "Callable[[Chunk], None] | None",
) -> "MatchResult":
    """Plays the match, and stores it where that is wanted."""
    from luckless.matches.result import SetValues, play_match

    judged: SetValues | None = None
    if test is not None and test.kind == "asymptotic":
        from luckless.skill.of_match import AdjustedSets

        judged = AdjustedSets(match)
    how: dict[str, Any] = {"workers": workers, "sequential": test, "judged_sets": judged, "on_chunk": on_chunk}
    if save is None:
        return play_match(match, **how, show_progress=True)
    from luckless.histories.match_writer import play_stored

    return play_stored(match, save, **how, show_progress=True)


def _may_be_worth_it(match: "Match") -> bool:
    """Whether a match is of the kind whose hands are dear: a compiled bot, whose policy is known, and another one."""
    compiled = [bot.record() is not None for bot in match.players]
    return any(compiled) and not all(compiled) and match.hands <= MOST_ADJUSTED


def _is_worth_it(match: "Match", result: "MatchResult") -> bool:
    """Whether taking luck out takes no longer than the match did."""
    return _may_be_worth_it(match) and result.seconds >= result.hands / ADJUSTED_A_SECOND


def _adjusted(match: "Match", result: "MatchResult", batches: "list[HandColumns]", lines: bool) -> "MatchResult":
    """The result with luck taken out of its win rates."""
    from dataclasses import replace

    from luckless.skill.by_divat import verdict_of
    from luckless.skill.of_match import adjust

    if result.judgement is not None:
        judgement: Any = result.judgement
        return replace(result, adjusted=verdict_of(judgement))
    return replace(result, adjusted=adjust(match, batches, lines=lines))


def _judged(result: "MatchResult", batches: "list[HandColumns]", save: Path | None) -> "MatchResult":
    """The result with DIVAT's judgement of its hands, which is stored beside them."""
    from contextlib import suppress
    from dataclasses import replace

    from luckless.cli.divat import judge_gathered
    from luckless.divat.continuations import Valuation
    from luckless.divat.gathering import Log, gather
    from luckless.divat.judgement_file import load_judgement, save_judgement
    from luckless.histories.resuming import JUDGEMENT_FILE
    from luckless.histories.store import StoredHands

    if save is None:
        return replace(result, judgement=judge_gathered(gather([Log("the match", batches)]), Valuation()))
    digest, file = StoredHands.open(save).digest, save / JUDGEMENT_FILE
    with suppress(InputError):  # the same hands were judged before, or not
        kept = load_judgement(file, digest)
        if (kept.valuation, kept.unknown_as) == (Valuation(), "leave"):
            return replace(result, judgement=kept)
    judgement = judge_gathered(gather([Log("the match", batches)]), Valuation())
    save_judgement(judgement, file, digest)
    return replace(result, judgement=judgement)


def plan_match(
    bots: list[str],
    game: str,
    hands: int,
    seed: int | None,
    decks: str | None,
    clocks: tuple[float, float, float | None],
    save: Path | None = None,
) -> "Match":
    """The match that the words of the command line describe; the clocks are for a decision, a hand, the match.

    What the words leave out is taken from a match that is stored in the folder already.
    """
    from luckless.bots.catalogue import load_bot
    from luckless.matches.match import Match
    from luckless.rules.game import Game

    if decks not in (None, "duplicate", "fresh"):
        raise InputError(f"--decks is {decks!r}; allowed is duplicate or fresh")
    players = [load_bot(text) for text in bots]
    kind: Any = decks
    decision, hand, whole = clocks
    seconds: dict[str, Any] = {"decision_seconds": decision, "hand_seconds": hand, "match_seconds": whole}
    chosen: dict[str, Any] = {"seed": seed, "decks": kind}
    if save is not None:
        from luckless.histories.resuming import choices

        chosen = choices(save, seed, kind)._asdict()
    return Match.plan(Game.load(game), players, hands=hands, **chosen, **seconds)


def _stopping_test(match: "Match", stop: str, alpha: float, beta: float, adjusted: bool) -> "StoppingTest":
    """The test of `--stop`: exact for money, which has a largest result, else asymptotic."""
    from luckless.matches.result import largest_result_mbb
    from luckless.stats.asymptotic import AsymptoticTest
    from luckless.stats.sequential import SequentialTest

    low, _, high = stop.partition(":")
    try:
        at_most, at_least = float(low), float(high)
    except ValueError:
        raise InputError(f"--stop is {stop!r}; allowed are two win rates in mbb/h, such as 0:50") from None
    if adjusted:
        return AsymptoticTest(at_most=at_most, at_least=at_least, alpha=alpha, beta=beta)
    largest = largest_result_mbb(match.settings)
    return SequentialTest(at_most=at_most, at_least=at_least, largest=largest, alpha=alpha, beta=beta)


def _print_plan(match: "Match", edge: float, json: bool) -> None:
    """Measures the spread in a short pilot, and says what the edge would take."""
    import dataclasses

    from luckless.matches.result import play_match
    from luckless.stats.guidelines import precision
    from luckless.stats.planning import hands_needed

    pilot_hands = -(-PILOT_HANDS // match.set_size) * match.set_size
    rate = play_match(dataclasses.replace(match, hands=pilot_hands), show_progress=True).estimate(0)
    sd = rate.sd or 0.0
    needed = hands_needed(edge, sd, hands_per_sample=match.set_size)
    table = precision(rate)
    if json:
        rows = [dataclasses.asdict(row) for row in table]
        print_json({"edge_mbb": edge, "hands": needed, "pilot_hands": pilot_hands, "sd_mbb": sd, "precision": rows})
        return
    print(
        f"A pilot of {counted(pilot_hands, 'hand')} ({match.decks} decks) gives a spread of {sd:,.0f} mbb a sample."
    )
    if not sd:
        print("All its samples are equal: that tells nothing of how long a match must be.")
        return
    print(
        f"An edge of {edge:g} mbb/h is seen with 80 % power at the 5 % level after about {counted(needed, 'hand')}."
    )
    for row in table:
        print(f"  {row.hands:>9,} hands: 95 % interval of ±{row.half_width_mbb:,.0f} mbb/h")


def _write_report(result: "MatchResult", path: Path) -> None:
    from luckless.report.match_report import match_report
    from luckless.whole_files import write_text

    write_text(path, match_report(result))


def print_result(result: "MatchResult") -> None:
    """The result block: a table, one sentence that says what it means, notes."""
    from rich.markup import escape
    from rich.text import Text

    from luckless.report.fault_words import fault_lines
    from luckless.report.match_report import (
        ADJUSTED_HEADER,
        RESULT_HEADER,
        adjusted_rows,
        conclusion,
        notes,
        result_rows,
    )

    match = result.match
    seats = f", {match.seats_text}" if match.empty_seats else ""
    console = new_console()
    console.print(
        f"\n[bold]{escape(match.game.name)}[/]{seats}, {counted(result.hands, 'hand')}, {match.decks} decks, "
        f"seed {match.seed}, {result.seconds:.1f} s ({result.hands / max(result.seconds, 1e-9):,.0f} hands/s)"
    )
    table = _new_table(RESULT_HEADER)
    for player, row in enumerate(result_rows(result)):
        rate = result.estimate(player)
        sure = rate.ci95 is not None and (rate.ci95[0] > 0 or rate.ci95[1] < 0)
        colour = ("green" if rate.mean > 0 else "red") if sure else "yellow"
        table.add_row(Text(row[0], "bold"), Text(row[1], colour), *row[2:])
    print_table(console, table)
    if result.adjusted is not None:
        print_table(console, _new_table(ADJUSTED_HEADER, adjusted_rows(result)))
        console.print(result.adjusted.reason, style="dim", markup=False)
    console.print(conclusion(result), style="bold", markup=False)
    for note in notes(result):
        console.print(note, style="dim", markup=False)
    for line in fault_lines(result.tally.faults, match.labels):
        console.print(line, style="red", markup=False, soft_wrap=True)


def _new_table(header: Sequence[str], rows: Sequence[Sequence[str]] = ()) -> "Table":
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, name in enumerate(header):
        table.add_column(name, justify="left" if place == 0 else "right", no_wrap=place > 0, overflow="fold")
    for row in rows:
        table.add_row(Text(row[0], "bold"), *row[1:])
    return table
