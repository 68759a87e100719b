"""`luckless divat`: money, skill and luck of heads-up limit hands, street by street."""

import dataclasses
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli.output import JsonFlag, print_json
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.histories.columns import HandColumns
    from luckless.histories.rejects import Reject
    from luckless.skill.divat.continuations import Valuation
    from luckless.skill.divat.hand import HandReport
    from luckless.skill.divat.judgement import Judgement
    from luckless.skill.divat.settings import DivatSettings
    from luckless.skill.estimate import Estimate

JSON_MEASURES = ("money", "divat", "lfat", "evat", "dcash", "money_minus_dcash", "redgreen")
SWEEP_FLOPS = 40
"""Flops that a sweep samples for each pair of hands to value it before the flop under settings without a table."""


def command(
    logs: Annotated[
        list[Path] | None, typer.Argument(help="Stored matches, ACPC logs, files of one-line hands.")
    ] = None,
    hand: Annotated[
        str | None, typer.Option(help="One hand, such as AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc.")
    ] = None,
    equity: Annotated[
        str, typer.Option(help="roe: by roll-out of the baseline (unbiased); aie: all-in equity.")
    ] = "roe",
    ehr: Annotated[str, typer.Option(help="How the effective hand rank is made: thesis or max.")] = "thesis",
    bets: Annotated[str | None, typer.Option(help="A betting style of the thesis on flop and turn.")] = None,
    folds: Annotated[str | None, typer.Option(help="A folding style of the thesis on flop and turn.")] = None,
    sampled: Annotated[
        int, typer.Option(help="Flops to sample for values before the flop; 0: the exact table of the settings.")
    ] = 0,
    unknown: Annotated[
        str, typer.Option(help="Hands with unknown cards: leave (out), or money (judge by it).")
    ] = "leave",
    sweep: Annotated[
        bool, typer.Option(help="Judge under every betting and folding style of the thesis too.")
    ] = False,
    rejects: Annotated[
        Path | None, typer.Option(help="Write hands that cannot be read or judged to this file.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML report to this file.")] = None,
    json: JsonFlag = False,
) -> None:
    """Takes the luck out of heads-up limit hands: what was skill, what was cards, and on which street."""
    from luckless.skill.divat.continuations import Valuation
    from luckless.skill.divat.notation import parse_hand

    kind: Any = equity
    valuation = Valuation(settings_of(ehr, bets, folds), kind, sampled_flops=sampled)
    if unknown not in ("leave", "money"):
        raise InputError(f"--unknown is {unknown!r}: allowed is leave or money")
    if (hand is None) == (not logs):
        raise InputError("give logs to judge, or one hand with --hand")
    if hand is not None:
        _show_hand(parse_hand(hand), valuation, json)
        return
    if report is not None:
        from luckless.report.page import check_writable

        check_writable(report)
    _judge_logs(logs or [], rejects, Wanted(valuation, unknown, sweep, report, json))


def settings_of(ehr: str, bets: str | None = None, folds: str | None = None) -> "DivatSettings":
    """The settings that the words of the command line describe; styles are taken on flop and turn."""
    from luckless.skill.divat.settings import SLIDES, STANDARD

    if ehr not in ("thesis", "max"):
        raise InputError(f"--ehr is {ehr!r}: allowed is thesis or max")
    settings = STANDARD if ehr == "thesis" else SLIDES
    if bets is not None:
        settings = settings.with_bets(bets)
    return settings.with_folds(folds) if folds is not None else settings


def _judge_logs(logs: list[Path], rejects: Path | None, wanted: "Wanted") -> None:
    from luckless.histories.formats import read_hands
    from luckless.histories.rejects import RejectFile

    bad = RejectFile(rejects or Path(f"{logs[0].name}.rejects"))
    with bad:
        batches = [columns for log in logs for columns in read_hands(log, on_reject=bad.add)]
        show_judgement(batches, wanted, bad.add)
    if bad.count:
        print(f"{bad.count:,} hands could not be judged, see {bad.path}; {bad.first_reason}", file=sys.stderr)


@dataclasses.dataclass(frozen=True)
class Wanted:
    """How hands are to be judged and shown."""

    valuation: "Valuation"
    unknown: Any = "leave"
    sweep: bool = False
    report: Path | None = None
    json: bool = False


def show_judgement(
    batches: "list[HandColumns]", wanted: Wanted, on_reject: "Callable[[Reject], None] | None" = None
) -> None:
    """Judges hands and shows the result as text or JSON, and as a report if one is wanted."""
    from luckless.progress import Progress
    from luckless.report.divat_report import divat_report
    from luckless.report.page import write_text
    from luckless.skill.divat.judgement import judge

    with Progress(sum(map(len, batches)), "hands judged") as progress:
        found = judge(
            batches, wanted.valuation, unknown=wanted.unknown, on_reject=on_reject, on_judged=progress.advance
        )
    swept = _sweep(batches, wanted) if wanted.sweep else []
    if wanted.report is not None:
        write_text(wanted.report, divat_report(found, swept))
    if wanted.json:
        print_json(judgement_dict(found, swept))
    else:
        print_judgement(found, swept, wanted.report)


def _sweep(batches: "list[HandColumns]", wanted: Wanted) -> "list[tuple[str, Estimate]]":
    """The skill estimate under every style."""
    from luckless.progress import Progress
    from luckless.skill.divat.judgement import judge
    from luckless.skill.divat.settings import sweep

    styles = sweep()
    results = []
    with Progress(len(styles), "settings") as progress:
        for settings in styles:
            other = dataclasses.replace(wanted.valuation, settings=settings, sampled_flops=SWEEP_FLOPS)
            found = judge(batches, other, unknown=wanted.unknown, on_reject=lambda reject: None)
            results.append((settings.name, found.estimate("divat")))
            progress.advance(1)
    return results


def _figures(estimate: "Estimate") -> dict[str, Any]:
    return {
        "mean": estimate.mean,
        "sd": estimate.sd,
        "stderr": estimate.stderr,
        "ci95": estimate.ci95,
        "total": estimate.mean * estimate.hands,
    }


def judgement_dict(found: "Judgement", swept: "Sequence[tuple[str, Estimate]]" = ()) -> dict[str, Any]:
    """A judgement as plain values for JSON."""
    from luckless.hands.effective import ROUNDS

    result: dict[str, Any] = {
        "hands": found.hands,
        "unit": "small bets a hand",
        "players": [found.player, found.opponent],
        "equity": found.valuation.equity,
        "settings": found.valuation.settings.name,
        "hands_of_a_sample": found.set_size,
        "unknown_hands": found.unknown,
        "position": float(found.position.mean()),
        "variance_ratio": found.variance_ratio(),
        "warnings": list(found.estimate("divat").warnings),
    }
    for measure in JSON_MEASURES:
        result[measure] = _figures(found.estimate(measure))
        if measure in found.rounds:
            result[measure]["by_round"] = [
                {"round": name, **_figures(found.estimate(measure, number))} for number, name in enumerate(ROUNDS)
            ]
    if swept:
        result["sweep"] = [{"settings": name, **_figures(estimate)} for name, estimate in swept]
    return result


def print_judgement(
    found: "Judgement", swept: "Sequence[tuple[str, Estimate]]" = (), report: Path | None = None
) -> None:
    """The block of a judgement: a table, one sentence that says what can be concluded, notes."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from luckless.report.divat_report import JUDGEMENT_HEADER, conclusion, judgement_rows, notes, round_rows

    console = Console(highlight=False)
    samples = f"duplicate sets of {found.set_size}" if found.set_size > 1 else "hand by hand"
    how = f"{found.valuation.equity.upper()}, {found.valuation.settings.name} settings"
    console.print(f"\n[bold]{found.player}[/] v {found.opponent}, {found.hands:,} hands, {samples}, {how}")
    for title, rows in (("small bets a hand", judgement_rows(found)), ("skill by round", round_rows(found))):
        table = Table(box=None, pad_edge=False, header_style="dim")
        for place, name in enumerate((title, *JUDGEMENT_HEADER)):
            table.add_column(name, justify="left" if place == 0 else "right", no_wrap=True)
        for row in rows:
            table.add_row(Text(row[0], "bold"), *row[1:])
        console.print(table)
    console.print(f"[bold]{conclusion(found)}[/]")
    for note in notes(found):
        console.print(note, style="dim", markup=False)
    if swept:
        means = sorted(swept, key=lambda item: item[1].mean)
        (low, first), (high, last) = means[0], means[-1]
        ends = f"{first.mean:+.3f} ({low}) and {last.mean:+.3f} ({high})"
        console.print(f"Over {len(swept)} settings the skill lies between {ends}.", markup=False)
    if report is not None:
        console.print(f"report: {report}", markup=False)


def _show_hand(written: Any, valuation: "Valuation", json: bool) -> None:
    from luckless.skill.divat.hand import report_hand

    found = report_hand(written, valuation)
    if json:
        print_json(_hand_dict(found))
    else:
        _print_hand(found)


def _hand_dict(found: "HandReport") -> dict[str, Any]:
    def single(value: float, by_round: str = "") -> dict[str, Any]:
        figures: dict[str, Any] = {"mean": value, "sd": None, "stderr": None, "ci95": None, "total": value}
        if by_round:
            figures["by_round"] = [{"round": part.round, "mean": getattr(part, by_round)} for part in found.rounds]
        return figures

    return {
        "hands": 1,
        "unit": "small bets a hand",
        "players": ["first", "second"],
        "equity": found.valuation.equity,
        "settings": found.valuation.settings.name,
        "position": found.position,
        "money": single(found.money),
        "divat": single(found.difference, "difference"),
        "lfat": single(found.lfat, "lfat"),
        "evat": single(found.evat, "evat"),
        "dcash": single(found.dcash),
        "money_minus_dcash": single(found.money - found.dcash),
        "redgreen": single(found.redgreen[0]),
        "rounds": [
            {
                "round": part.round,
                "ihr": part.ihr,
                "hr7": part.hr7,
                "ehr": part.ehr,
                "aie": part.aie,
                "roe": part.roe,
                "class": part.classes,
                "baseline": part.baseline,
                "actual": part.actual,
                "actual_equity": part.actual_equity,
                "baseline_equity": part.baseline_equity,
                "difference": part.difference,
                "lfat": part.lfat,
                "evat": part.evat,
                "fold_equity": part.fold_equity,
            }
            for part in found.rounds
        ],
    }


def _print_hand(found: "HandReport") -> None:
    from rich.console import Console
    from rich.table import Table

    from luckless.cards import format_cards

    console = Console(highlight=False)
    console.print(
        f"\nOne hand, valued by {found.valuation.equity.upper()} under the {found.valuation.settings.name} settings; "
        "values are the first player's, in small bets"
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", style="dim", no_wrap=True)
    for part in found.rounds:
        title = part.round + (f" {format_cards(part.board)}" if part.board else "")
        table.add_column(title, justify="right", no_wrap=True)
    rows: list[tuple[str, Any]] = [
        ("IHR", lambda part: "{:.4f} {:.4f}".format(*part.ihr)),
        ("7cHR", lambda part: "{:.4f} {:.4f}".format(*part.hr7)),
        ("EHR", lambda part: "{:.4f} {:.4f}".format(*part.ehr)),
        ("class", lambda part: " ".join(part.classes)),
        ("all-in equity", lambda part: f"{part.aie:.4f}"),
        ("baseline line", lambda part: part.baseline),
        ("actual line", lambda part: part.actual),
        ("baseline value", lambda part: f"{part.baseline_equity:+.4f}"),
        ("actual value", lambda part: f"{part.actual_equity:+.4f}"),
        ("DIVAT difference", lambda part: f"{part.difference:+.4f}"),
        ("luck of the deal", lambda part: f"{part.luck:+.4f}"),
        ("EVAT", lambda part: f"{part.evat:+.4f}"),
    ]
    for name, text in rows:
        table.add_row(name, *(text(part) for part in found.rounds))
    console.print(table)
    console.print(
        f"money {found.money:+.4f} = skill {found.difference:+.4f} + luck {found.luck:+.4f} "
        f"+ position {found.position:+.4f}",
        style="bold",
    )
    console.print(f"baseline's money with these cards (Dcash): {found.dcash:+.4f}", style="dim")
