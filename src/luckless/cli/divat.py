"""`luckless divat`: money, skill and luck of heads-up limit hands, street by street."""

import dataclasses
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli.convert import GameOfLogs, LogFormat
from luckless.cli.output import JsonFlag, check_unread, new_console, print_json, print_table
from luckless.counted import counted
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.divat.continuations import Valuation
    from luckless.divat.gathering import Log, PlayedHands
    from luckless.divat.hand import HandReport
    from luckless.divat.judgement import Judgement
    from luckless.divat.settings import DivatSettings
    from luckless.divat.sweep import Sweep
    from luckless.histories.rejects import Reject, RejectFile
    from luckless.rules.columns import HandColumns

SWEEP_HANDS = 4_000
"""Hands that a sweep takes unless told otherwise: enough to see how little the skill moves, within minutes."""


def command(
    logs: Annotated[
        list[Path] | None, typer.Argument(help="Stored matches, ACPC logs, files of one-line hands, folders of them.")
    ] = None,
    hand: Annotated[
        str | None, typer.Option(help="One hand, such as AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc.")
    ] = None,
    equity: Annotated[
        str, typer.Option(help="roe: by roll-out of the baseline (unbiased); aie: all-in equity.")
    ] = "roe",
    ehr: Annotated[
        str | None, typer.Option(help="The formula of the effective hand rank: thesis (default) or max.")
    ] = None,
    bets: Annotated[str | None, typer.Option(help="A betting style of the thesis on flop and turn.")] = None,
    folds: Annotated[str | None, typer.Option(help="A folding style of the thesis on flop and turn.")] = None,
    settings: Annotated[
        Path | None, typer.Option(help="A TOML file with fold offsets and make thresholds by street.")
    ] = None,
    sampled: Annotated[
        int, typer.Option(help="Flops to sample for values before the flop; 0 uses the exact table of the settings.")
    ] = 0,
    unknown: Annotated[
        str,
        typer.Option(help="Hands with unknown cards: leave (do not judge them) or money (count the money as skill)."),
    ] = "leave",
    sweep: Annotated[
        bool, typer.Option("--sweep", help="Judge also with every betting and folding style of the thesis.")
    ] = False,
    sweep_hands: Annotated[
        int, typer.Option(help="Hands to draw at random for the sweep; 0 uses all of them.")
    ] = SWEEP_HANDS,
    source_format: LogFormat = None,
    game: GameOfLogs = None,
    rejects: Annotated[
        Path | None, typer.Option(help="The file for hands that cannot be read or judged; LOG.rejects by default.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML report to this file.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="Keep the judgement in this file (Parquet); `luckless report` shows it.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Separates skill from luck in heads-up limit hands, street by street."""
    from luckless.divat.continuations import Valuation

    kind: Any = equity
    chosen = chosen_settings(ehr, bets, folds, settings)
    valuation = Valuation(chosen, kind, sampled_flops=sampled)
    if unknown not in ("leave", "money"):
        raise InputError(f"--unknown is {unknown!r}; allowed is leave or money")
    if (hand is None) == (not logs):
        raise InputError("give logs to judge, or one hand with --hand")
    if not sampled and (hand is not None or equity == "roe"):
        _require_table(chosen, settings_words(ehr, bets, folds, settings))
    for_logs = {
        "--report": report,
        "--save": save,
        "--sweep": sweep,
        "--rejects": rejects,
        "--from": source_format,
        "--game": game,
    }
    if hand is not None:
        if given := [name for name, value in for_logs.items() if value]:
            raise InputError(f"{given[0]} is for logs only; it cannot be used with --hand")
        _show_hand(hand, valuation, json)
        return
    paths = logs or []
    _check_output("--report", report, paths)
    _check_output("--save", save, paths)
    if sweep:
        _check_sweep(sweep_hands)
    how = Wanted(valuation, unknown, sweep_hands if sweep else None, report, save, json)
    judge_paths(Source(paths, source_format, game), rejects or Path(f"{paths[0].name}.rejects"), how)


def chosen_settings(
    ehr: str | None = None, bets: str | None = None, folds: str | None = None, file: Path | None = None
) -> "DivatSettings":
    """The settings that the words of the command line describe; styles are taken on flop and turn."""
    from luckless.divat.settings import SLIDES, STANDARD
    from luckless.divat.settings_file import read_settings

    if file is not None:
        if ehr is not None or bets is not None or folds is not None:
            raise InputError("--settings excludes --ehr, --bets and --folds")
        return read_settings(file)
    if ehr not in (None, "thesis", "max"):
        raise InputError(f"--ehr is {ehr!r}; allowed is thesis or max")
    settings = SLIDES if ehr == "max" else STANDARD
    if bets is not None:
        settings = settings.with_bets(bets)
    return settings.with_folds(folds) if folds is not None else settings


def settings_words(ehr: str | None, bets: str | None, folds: str | None, file: Path | None) -> str:
    """The settings as options of the command line, for a message that shows a command."""
    given = {"--ehr": ehr, "--bets": bets, "--folds": folds, "--settings": file}
    return " ".join(f"{name} {value}" for name, value in given.items() if value is not None)


def _require_table(settings: "DivatSettings", words: str) -> None:
    from luckless.divat.roe_table import find_table

    if find_table(settings) is None:
        raise InputError(
            f"there is no roll-out table before the flop for the settings {settings.name!r}: build it with "
            f"'luckless tables build roe {words}' (some minutes), or judge at once by sampled flops with --sampled 4"
        )


def _check_output(option: str, target: Path | None, logs: list[Path]) -> None:
    if target is None:
        return
    from luckless.whole_files import check_writable

    check_writable(target)
    if target.exists() and any(log.exists() and target.samefile(log) for log in logs):
        raise InputError(f"{option} {target} is one of the logs; choose another file to write")


def _check_sweep(hands: int) -> None:
    """Checks the options of a sweep first, because judging may take minutes."""
    from luckless.divat.sweep import check_size

    check_size(hands)


@dataclasses.dataclass(frozen=True)
class Source:
    """Logs to read, and what their names and contents leave open."""

    paths: list[Path]
    format: str | None = None
    game: str | None = None

    @property
    def words(self) -> list[str]:
        """The options that say how the logs were read."""
        given = {"--from": self.format, "--game": self.game}
        return [word for option, value in given.items() if value is not None for word in (option, value)]


@dataclasses.dataclass(frozen=True)
class Wanted:
    """How hands are to be judged and shown; `sweep_hands` is None for no sweep."""

    valuation: "Valuation"
    unknown: Any = "leave"
    sweep_hands: int | None = None
    report: Path | None = None
    save: Path | None = None
    json: bool = False


def judge_paths(source: Source, rejects: Path, wanted: Wanted) -> None:
    """Judges logs and shows the result as text or JSON, and as a report if one is wanted."""
    from luckless.divat.judgement_file import save_judgement
    from luckless.divat.plain_values import judgement_dict
    from luckless.histories.rejects import RejectFile
    from luckless.report.divat_report import divat_report
    from luckless.whole_files import write_text

    source = dataclasses.replace(source, paths=[file for path in source.paths for file in _files(path, source)])
    with RejectFile(rejects, keep=True) as bad:
        judgement, swept = _judge(source, bad, wanted)
    if wanted.report is not None:
        rejected = f"{_left_out(bad)}, see {bad.path}" if bad.left_out else "none"
        write_text(wanted.report, divat_report(judgement, swept, rejected, source.words))
    if wanted.save is not None:
        save_judgement(judgement, wanted.save)
    if wanted.json:
        print_json(
            judgement_dict(judgement, swept)
            | {"logs": list(judgement.played.sources), "rejected_hands": bad.count}
            | {key: value for key, value in bad.left_out.to_dict().items() if key != "rejected"}
        )
    else:
        print_judgement(judgement, swept, wanted.report)
    if bad.left_out:
        text = f"{_left_out(bad)} could not be judged, see {bad.path}; {bad.first_reason}"
        text += f"\n{bad.left_out.sentence()}"
        print(text, file=sys.stderr)
    check_unread(bad.left_out)


def _left_out(bad: "RejectFile") -> str:
    hands, files = bad.count, bad.left_out.unread
    parts = [counted(hands, "hand")] if hands or not files else []
    return " and ".join([*parts, counted(files, "file")] if files else parts)


def _files(path: Path, source: Source) -> list[Path]:
    """The logs of a folder, or the one log or store at a place."""
    from luckless.histories.formats import places_in

    return places_in(path, source.format) if path.is_dir() else [path]


def _judge(source: Source, bad: "RejectFile", wanted: Wanted) -> "tuple[Judgement, Sweep | None]":
    from luckless.divat.sweep import sweep_judgement, sweep_size
    from luckless.progress import Progress

    hands = _gather(source, bad)
    swept = 0 if wanted.sweep_hands is None else wanted.sweep_hands or len(hands)
    judgement = judge_gathered(hands, wanted.valuation, wanted.unknown, swept)
    if wanted.sweep_hands is None:
        return judgement, None
    with Progress(sweep_size(judgement, wanted.sweep_hands), "hands swept over all settings") as progress:
        return judgement, sweep_judgement(judgement, most_hands=wanted.sweep_hands, on_judged=progress.advance)


def judge_gathered(
    hands: "PlayedHands", valuation: "Valuation", unknown: Any = "leave", swept: int = 0
) -> "Judgement":
    """Judges hands with progress; where rank tables are missing and would pay, it builds them first."""
    from luckless.divat.judgement import judge_hands
    from luckless.divat.rank_preparation import prepare_ranks
    from luckless.progress import Progress

    prepare_ranks(hands, valuation, swept)
    with Progress(int(hands.known.sum()), "hands judged") as progress:
        return judge_hands(hands, valuation, unknown=unknown, on_judged=progress.advance)


def _gather(source: Source, bad: "RejectFile") -> "PlayedHands":
    """All hands of the logs; if there are none, the error says what was wrong with the first of them."""
    from luckless.divat.gathering import NothingToJudge, gather
    from luckless.histories.formats import format_of

    def reject(log: str, one: "Reject") -> None:
        bad.add(dataclasses.replace(one, where=f"{log}, {one.where}"), was_used=True)

    try:
        hands = gather(_logs(source, bad), reject)
        if not hands.known.any():
            raise NothingToJudge
    except NothingToJudge as error:
        formats = {str(path): format_of(path, source.format) for path in source.paths}
        hint = f"; {bad.first_reason} (see {bad.path})" if bad.left_out else ""
        if not bad.left_out or "pokerstars" in formats.values():  # .txt may be anything
            read = ", ".join(f"{path} was read as {name}" for path, name in formats.items())
            hint += f"; {read}; choose another format with --from"
        raise InputError(f"{error}{hint}") from None
    return hands


def _logs(source: Source, bad: "RejectFile") -> "Iterator[Log]":
    from functools import partial

    from luckless.divat.gathering import Log
    from luckless.histories.formats import read_hands
    from luckless.histories.rejects import whole_or_told
    from luckless.rules.game import Game

    def reject(log: str, one: "Reject") -> None:
        bad.add(dataclasses.replace(one, where=f"{log}, {one.where}"))

    def used(batches: "Iterator[HandColumns]") -> "Iterator[HandColumns]":
        for batch in batches:
            bad.left_out.use(batch)
            yield batch

    game = Game.load(source.game) if source.game is not None else None
    for path in source.paths:
        said = partial(reject, str(path))
        hands = read_hands(path, format=source.format, game=game, on_reject=said)
        yield Log(str(path), used(whole_or_told(path, hands, said) if len(source.paths) > 1 else hands))


def print_judgement(judgement: "Judgement", sweep: "Sweep | None" = None, report: Path | None = None) -> None:
    """The block of a judgement: tables, one sentence that says what can be concluded, notes."""
    from rich.text import Text

    from luckless.report.divat_words import (
        conclusion,
        hand_rows,
        header,
        judgement_rows,
        notes,
        sample_text,
        street_rows,
        sweep_notes,
    )

    console = new_console()
    how = f"{judgement.valuation.equity.upper()}, {judgement.valuation.settings.name} settings"
    size = f"{counted(judgement.hands, 'hand')}, {sample_text(judgement)}, {how}"
    console.print(Text.assemble("\n", (judgement.player, "bold"), f" v {judgement.opponent}, {size}"))
    _print_rows(console, ("small bets a hand", *header(judgement)), judgement_rows(judgement))
    if judgement.duplicate:
        _print_rows(console, ("the same hand by hand", *header(judgement, by_hand=True)), hand_rows(judgement))
    _print_rows(console, ("skill by street", *header(judgement)), street_rows(judgement))
    console.print(Text(conclusion(judgement), "bold"))
    for note in (*notes(judgement), *(sweep_notes(sweep) if sweep is not None else ())):
        console.print(note, style="dim", markup=False)
    if report is not None:
        console.print(f"report: {report}", markup=False)


def _print_rows(console: Any, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, name in enumerate(header):
        # Only the first column may be broken: names of players can be long, figures must stay whole.
        table.add_column(name, justify="right" if place else "left", no_wrap=place > 0, overflow="fold")
    for row in rows:
        table.add_row(Text(row[0], "bold"), *row[1:])
    print_table(console, table)


def _show_hand(text: str, valuation: "Valuation", json: bool) -> None:
    from luckless.divat.hand import report_hand
    from luckless.histories.notation import parse_hand

    judged = report_hand(parse_hand(text), valuation)
    if json:
        print_json(judged.to_dict())
    else:
        _print_hand(judged)


def _print_hand(judged: "HandReport") -> None:
    from rich.table import Table

    from luckless.cards import format_cards

    console = new_console()
    kind = judged.valuation.equity.upper()
    console.print(
        f"\nOne hand, judged by {kind} under the {judged.valuation.settings.name} settings; "
        "values are the first player's, in small bets",
        markup=False,
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", style="dim", no_wrap=True)
    for part in judged.streets:
        title = part.street + (f" {format_cards(part.board)}" if part.board else "")
        table.add_column(title, justify="right", no_wrap=True)
    rows: list[tuple[str, Any]] = [
        ("IHR", lambda part: "{:.4f} {:.4f}".format(*part.ihr)),
        ("7cHR", lambda part: "{:.4f} {:.4f}".format(*part.hr7)),
        ("EHR", lambda part: "{:.4f} {:.4f}".format(*part.ehr)),
        ("class", lambda part: " ".join(part.classes)),
        ("baseline line", lambda part: part.baseline),
        ("actual line", lambda part: part.actual),
        ("all-in equity", lambda part: f"{part.aie:.4f}"),
        ("AIE by baseline", lambda part: f"{part.by_all_in.baseline:+.4f}"),
        ("AIE as played", lambda part: f"{part.by_all_in.actual:+.4f}"),
        ("ROE by baseline", lambda part: f"{part.by_roll_out.baseline:+.4f}"),
        ("ROE as played", lambda part: f"{part.by_roll_out.actual:+.4f}"),
        ("DIVAT difference", lambda part: f"{part.difference:+.4f}"),
        ("luck (LFAT)" if kind == "ROE" else "luck", lambda part: f"{part.luck:+.4f}"),
        *([] if kind == "ROE" else [("LFAT", lambda part: f"{part.lfat:+.4f}")]),
        ("EVAT", lambda part: f"{part.evat:+.4f}"),
        ("round EV", lambda part: f"{part.round_ev:+.4f}"),
        ("fold equity", lambda part: f"{part.fold_equity:+.4f}"),
    ]
    for name, text in rows:
        table.add_row(name, *(text(part) for part in judged.streets))
    print_table(console, table)
    console.print(
        f"money {judged.money:+.4f} = skill {judged.difference:+.4f} + luck {judged.luck:+.4f} "
        f"+ position {judged.position:+.4f}",
        style="bold",
    )
    points = "RedGreen points: first player {:+.4f}, second {:+.4f}".format(*judged.redgreen)
    console.print(f"baseline's money with these cards (Dcash): {judged.dcash:+.4f}", style="dim")
    console.print(points, style="dim")
