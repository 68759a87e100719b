"""`luckless tournament`: many bots, a crosstable with intervals, and rankings that survive cycles and copies."""

import tempfile
from contextlib import ExitStack
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
    fail,
    new_console,
    print_json,
    print_table,
)
from luckless.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from luckless.tournaments.result import TournamentResult
    from luckless.tournaments.settings import Settings

DEFAULTS: dict[str, Any] = {
    "game": "nolimit-hu", "format": "round-robin", "hands": 10_000, "seats": 0, "tables": 0, "games": 100,
    "rounds": 20, "stack": 1_000, "blinds": "5/10", "precision": 0.0, "until_ranked": False, "most_hands": 0,
    "adjust": False, "values": "equity", "exploitability": [],
}  # fmt: skip
"""Options that a file has as keys: given together with a file, they are refused."""


def command(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT... | FILE.toml | status DIR | resume DIR",
            help="Two or more bots, or a file that names them.",
            autocompletion=completion.bots,
        ),
    ],
    game: Annotated[
        str, typer.Option(help="A named game or a file.", autocompletion=completion.games)
    ] = "nolimit-hu",
    hands: Annotated[int, typer.Option(help="Hands of each pairing, rounded up to whole duplicate sets.")] = 10_000,
    format: Annotated[str, typer.Option(help="round-robin, n-way, sessions or freezeout.")] = "round-robin",
    seed: Annotated[
        int | None,
        typer.Option(help="The same seed gives the same deals. Default: 1; with bots from outside a secret one."),
    ] = None,
    seats: Annotated[int, typer.Option(help="n-way: bots at a table; 0 for all seats of the game.")] = 0,
    tables: Annotated[int, typer.Option(help="n-way: so many tables in a balanced design; 0 for all sets.")] = 0,
    games: Annotated[int, typer.Option(help="sessions, freezeout: how many of each pairing.")] = 100,
    rounds: Annotated[int, typer.Option(help="sessions: hands in one.")] = 20,
    stack: Annotated[int, typer.Option(help="sessions, freezeout: chips at the start.")] = 1_000,
    blinds: Annotated[str, typer.Option(help="sessions, freezeout: small and big blind.")] = "5/10",
    precision: Annotated[
        float, typer.Option(help="Play each pairing until its 95 % interval is ± this many mbb/h; 0 to switch off.")
    ] = 0.0,
    until_ranked: Annotated[
        bool, typer.Option("--until-ranked", help="Spend hands where the order is least sure, until it is sure.")
    ] = False,
    most_hands: Annotated[
        int, typer.Option(help="With these two: hands of a pairing at most; 0 for a hundred times --hands.")
    ] = 0,
    adjust: Annotated[
        bool,
        typer.Option(
            "--adjust",
            help="Take luck out of the win rates, by AIVAT where policies of bots are known. By itself this is done "
            "at tables with a bot from outside, in at most 10,000 hands.",
        ),
    ] = False,
    values: Annotated[
        str, typer.Option(help="Value function by which luck is taken out: equity, roll-outs or blueprint.")
    ] = "equity",
    exploitability: Annotated[
        list[Path] | None,
        typer.Option(help="What `luckless exploit --json` printed of a bot, to stand beside its rankings."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Store every hand here; a tournament there is resumed.")] = None,
    bundle: Annotated[Path | None, typer.Option(help="Pack all of it into one file that others can verify.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML report to this file.")] = None,
    workers: Annotated[
        int | None, typer.Option(help="Tables that compiled bots play at once; one a core by default.", min=1)
    ] = None,
    on: OnOption = None,
    strict: StrictFlag = False,
    json: JsonOfBotsFlag = False,
) -> None:
    """Plays every bot against every other one and ranks them, with intervals from resampled deals.

    `tournament status DIR` shows how far one is, `tournament resume DIR` continues it to the same bytes.
    """
    given = {
        "game": game, "format": format, "hands": hands, "seats": seats, "tables": tables, "games": games,
        "rounds": rounds, "stack": stack, "blinds": blinds, "precision": precision, "until_ranked": until_ranked,
        "most_hands": most_hands, "adjust": adjust, "values": values, "exploitability": exploitability or [],
    }  # fmt: skip
    if bots[0] == "status":
        _show_status(_directory(bots), json)
        return
    settings = None if bots[0] == "resume" else _settings(bots, given, seed)
    for file in (report, bundle):
        if file is not None:
            from luckless.whole_files import check_writable

            check_writable(file)
    with ExitStack() as stack_of_files:
        folder = _directory(bots) if settings is None else out
        if folder is None:
            folder = (
                Path(stack_of_files.enter_context(tempfile.TemporaryDirectory(prefix="luckless-"))) / "tournament"
            )
        with crew_on(on, workers):
            result = _play(folder, settings, workers)
        _show(result, json)
        if report is not None:
            from luckless.report.tournament_report import tournament_report
            from luckless.whole_files import write_text

            write_text(report, tournament_report(result))
        if bundle is not None and not result.interrupted:
            from luckless.tournaments.bundle import write_bundle

            write_bundle(folder, bundle)
    stored = folder if settings is None else out
    if not json:
        for label, path in (("report", report), ("bundle", bundle), ("hands", stored)):
            if path is not None:
                print(f"{label}: {path}")
    if result.interrupted:
        advice = f"continue with `luckless tournament resume {stored}`" if stored else "it was not stored (--out)"
        fail(f"stopped; {advice}", code=130)
    check_strict(strict, "; ".join(line for line in result.warnings if "hardly played itself" in line))


def _directory(words: list[str]) -> Path:
    if len(words) != 2:
        raise InputError(f"`luckless tournament {words[0]}` needs one folder, that of --out")
    return Path(words[1])


def _settings(bots: list[str], given: dict[str, Any], seed: int | None) -> "Settings":
    """What the words of the command say, or the file that they name."""
    from dataclasses import replace

    from luckless.tournaments.settings import Exploitability, Settings, checked, read_settings, with_files

    if len(bots) == 1 and bots[0].endswith(".toml"):
        for key, value in given.items():
            if value != DEFAULTS[key]:
                raise InputError(f"--{key.replace('_', '-')} cannot be given with a file; write {key} into {bots[0]}")
        if seed is not None:
            raise InputError(f"--seed cannot be given with a file; write seed into {bots[0]}")
        return read_settings(Path(bots[0]))
    given["adjust"] = "always" if given["adjust"] else "auto"
    given["exploitability"] = tuple(Exploitability(file=str(path)) for path in given["exploitability"])
    settings = checked(Settings(bots=tuple(bots), seed="" if seed is None else str(seed), **given))
    return replace(settings, exploitability=with_files(settings))


def _play(folder: Path, settings: "Settings | None", workers: int | None) -> "TournamentResult":
    from luckless.tournaments.playing import play_tournament

    return play_tournament(folder, settings, workers=workers, show_progress=True)


def _show_status(folder: Path, json: bool) -> None:
    """How far a tournament is, table by table."""
    from luckless.tournaments.result import status_lines
    from luckless.tournaments.store import VERDICT, read_outline

    outline, lines = read_outline(folder), status_lines(folder)
    finished = (folder / VERDICT).is_file()
    unit = "sessions" if outline.settings.is_session else "hands"
    if json:
        print_json({"format": outline.settings.format, "begun": outline.begun, "finished": finished, "tables": lines})
        return
    done, planned = sum(line["done"] for line in lines), sum(line["planned"] for line in lines)
    least = "at least " if outline.settings.is_adaptive else ""
    state = "finished" if finished else f"{done:,} of {least}{planned:,} {unit}"
    print(f"{outline.settings.format} of {len(outline.names)} bots, begun {outline.begun}: {state}")
    for line in lines:
        print(f"  {' v '.join(line['bots'])}: {line['done']:,} of {least}{line['planned']:,} {unit}")


def _show(result: "TournamentResult", json: bool) -> None:
    if json:
        print_json(result.to_dict())
        return
    from luckless.cli.ranking_output import print_rankings
    from luckless.report import tournament_report as words

    console = new_console()
    console.print(f"\n{words.summary_text(result)}, seed {result.outline.keys.seed}", style="bold", markup=False)
    print(f"what the row wins from the column, mbb/h ± half the 95 % interval; rankings in {result.unit}")
    _print_rows(words.crosstable_header(result), words.crosstable_rows(result))
    for line in words.adjusted_lines(result):
        console.print(line, style="dim", markup=False)
    if result.outline.settings.is_session:
        print()
        _print_rows(words.PAIRING_HEADER, words.session_rows(result))
    if result.outline.settings.printed:
        print()
        _print_rows(words.PRINTED_HEADER, words.printed_rows(result))
    print()
    print_rankings(result.names, result.rankings, known=words.known_columns(result))
    console.print(words.conclusion(result), style="bold", markup=False)
    for line in words.usage_lines(result):
        console.print(line, markup=False)
    for line in (*result.warnings, *words.fault_lines(result)):
        console.print(line, style="red", markup=False)


def _print_rows(header: "Sequence[str]", rows: "Sequence[Sequence[str]]") -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, heading in enumerate(header):
        table.add_column(Text(heading), justify="left" if place == 0 else "right", no_wrap=place > 0, overflow="fold")
    for row in rows:
        table.add_row(Text(row[0], "bold"), *map(Text, row[1:]))
    print_table(new_console(), table)
