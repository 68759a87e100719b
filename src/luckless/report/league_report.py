"""The HTML report of a season, and the tables that the command line shows too."""

import json
from collections.abc import Sequence

import luckless
from luckless.errors import InputError
from luckless.league.analysis import cashflow_by_type, styles
from luckless.league.boards import METRICS, BoardRow, board, ranked, rankings, trueskill, winnings
from luckless.league.named_seasons import season_names, season_path
from luckless.league.results import fingerprint
from luckless.league.run import Run
from luckless.league.status import status
from luckless.report import league_figures as figures
from luckless.report.commands import command_text, file_name
from luckless.report.escaping import escaped
from luckless.report.league_sections import coherence_section, divisions_section, metrics_section, types_section
from luckless.report.match_report import signed
from luckless.report.page import Document, Panel, Section, command, date_text, facts, table
from luckless.report.ranking_tables import NOTE, cycle_lines, ranking_header, ranking_rows, trueskill_column

BOARD_HEADER = ("agent", "type", "division", "gen.", "TrueSkill", "mean", "median", "20th pct.", "Nash")
RATING_COLUMNS = 5
"""The first columns of a board, which the board of a division has too; the others are winnings."""
BOARD_UNITS = "Winnings in mbb/h a seat; ± is half the 95 % interval"
NASH_NOTE = "Nash: what an agent wins from the mixture of all agents that nobody beats; in brackets its weight there."
BOUND_NOTE = "Exploited: what a specialised opponent was found to win from the agent, in mbb/h; a best one wins more."


def any_bound(lines: Sequence[BoardRow]) -> bool:
    """Whether it is known of any agent what an opponent wins from it."""
    return any(line.bound is not None for line in lines)


def board_header(lines: Sequence[BoardRow]) -> tuple[str, ...]:
    """The columns of `board_rows`."""
    return (*BOARD_HEADER, "exploited") if any_bound(lines) else BOARD_HEADER


def board_rows(lines: Sequence[BoardRow]) -> list[tuple[str, ...]]:
    """One row an agent, under `board_header`; what has not been measured is a dash."""
    return [_board_row(line) + ((_bound(line),) if any_bound(lines) else ()) for line in lines]


def _board_row(line: BoardRow) -> tuple[str, ...]:
    return (
        line.agent.name,
        line.agent.type,
        line.division,
        str(line.agent.generation or "-"),
        _number(line.trueskill, "{:.1f}") + _plus_minus(line, "trueskill", ".1f"),
        *(_rate(getattr(line, metric)) + _plus_minus(line, metric) for metric in ("mean", "median", "p20")),
        _rate(line.nash) + (f" ({100 * line.nash_share:.0f} %)" if line.nash_share else ""),
    )


def _bound(line: BoardRow) -> str:
    """What an opponent wins, with half its interval, how that was found and in which game."""
    if line.bound is None:
        return "-"
    ends = line.bound.ci95_mbb
    width = "" if ends is None else f" ± {(ends[1] - ends[0]) / 2:,.0f}"
    return f"{signed(line.bound.mbb)}{width} ({line.bound.by}, {line.bound.game})"


def _plus_minus(line: BoardRow, metric: str, form: str = ",.0f") -> str:
    """What follows a number on a board: half the width of its 95 % interval, everywhere."""
    width = line.half_width(metric)
    return "" if width is None else f" ± {width:{form}}"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)


def _rate(value: float | None) -> str:
    return "-" if value is None else signed(value)


def conclusion(run: Run, lines: Sequence[BoardRow]) -> str:
    """One sentence that says who came out on top."""
    if not status(run).finished:
        return "The season is not finished: these numbers will change."
    best = {name: ranked(lines, name)[0] for name in METRICS}
    measured = {METRICS[name]: line.agent for name, line in best.items() if getattr(line, name) is not None}
    if not measured:
        return "The season has no evaluation: the boards of its divisions are all there is."
    parts = [
        f"{agent.name} ({agent.type}, {run.division_name(agent.division)}) by "
        + _listed([name for name, best_one in measured.items() if best_one == agent])
        for agent in dict.fromkeys(measured.values())
    ]
    return f"The best: {', '.join(parts)}."


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _rankings_section(run: Run) -> list[Section]:
    """The direct meetings ranked as a game; nothing where not all have met or there are too many."""
    try:
        found = rankings(run)
    except InputError:
        return []
    names = [run.roster[agent].name for agent in run.teachers]
    said = "".join(f"<p>{escaped(line)}</p>" for line in (*cycle_lines(names, found), NOTE))
    known = trueskill_column(trueskill(run))
    body = table(ranking_header(found, "agent", known), ranking_rows(names, found, known)) + said
    return [Section("Rankings side by side", body)]


def _season_command(run: Run) -> tuple[str, bool]:
    """The command that plays a season again, and whether it names a season of the package."""
    name = run.season.name
    shipped = name in season_names() and season_path(name).read_text() == run.store.fact("config")
    return command_text("league", ["run", name if shipped else f"{file_name(name)}.toml"], {}), shipped


def _played_section(run: Run) -> Section:
    state = status(run)
    rows = [
        (one.name, one.matchup, f"{one.done:,} of {one.rounds:,}", f"{one.seconds:,.0f}") for one in state.divisions
    ]
    notes = "".join(f'<p class="note">{escaped(who)}: {escaped(why)}</p>' for who, why in state.stopped)
    versions = ", ".join(f"{name} {number}" for name, number in json.loads(run.store.fact("versions")).items())
    known = [
        ("begun", date_text(state.begun)),
        ("versions", versions),
        ("fingerprint of all results", fingerprint(run.store)),
    ]
    words, shipped = _season_command(run)
    text = run.store.fact("config")
    config = command(words) + f"<pre>{escaped(text)}</pre>" if shipped else command(words, (words.split()[-1], text))
    played = table(("division", "rule", "rounds", "s"), rows)
    return Section("How it was played", played + notes + facts(known) + config)


def _board_section(lines: Sequence[BoardRow]) -> Section:
    notes = f"<p>{BOARD_UNITS}. {NASH_NOTE}</p>" + (f"<p>{BOUND_NOTE}</p>" if any_bound(lines) else "")
    return Section("Board", table(board_header(lines), board_rows(lines)) + notes)


def league_report(run: Run) -> str:
    """The report as one HTML text."""
    return league_document(run).html()


def league_document(run: Run) -> Document:
    """What the report says."""
    lines = board(run)
    footer = f"Made by luckless {luckless.__version__}. mbb/h: thousandths of a big blind a hand, for each seat."
    sections = report_sections(run, lines)
    return Document(f"Season {run.season.name}", conclusion(run, lines), sections, footer, run.store.fact("begun"))


def report_sections(run: Run, lines: Sequence[BoardRow]) -> list[Section]:
    """The parts of the report, in order; `lines` are those of the board."""
    matrix, flow = winnings(run), cashflow_by_type(run)
    by_mean, behaviours = ranked(lines, "mean"), styles(run)
    training = range(run.divisions)
    ratings = Panel(
        "Rating over time",
        [figures.rating_figure(run, number) for number in (*run.evaluations("similar"), *training)],
        "TrueSkill of every agent after each of its rounds, first in the divisions of like rank (figure 4.3 of the "
        "thesis), then in those of training.",
    )
    learning = [make(run, number) for number in training for make in (figures.learning_figure, figures.loss_figure)]
    return [
        _board_section(lines),
        metrics_section(run, lines, matrix, behaviours),
        *_rankings_section(run),
        Section("Rating over time", figures=[ratings]),
        *coherence_section(run),
        types_section(run, lines, behaviours),
        divisions_section(run, lines, behaviours),
        Section("Winnings", figures=[figures.winnings_figure(run, matrix, by_mean)]),
        Section("Cashflow", figures=[figures.cashflow_figure(flow)] if flow else []),
        Section("Learning curves", figures=learning),
        _played_section(run),
    ]
