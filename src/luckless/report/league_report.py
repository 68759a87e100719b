"""The HTML report of a season, and the tables that the command line shows too."""

import json
from collections.abc import Sequence

import luckless
from luckless.errors import InputError
from luckless.league.analysis import cashflow_by_type, coherence, correlations, prediction, styles
from luckless.league.boards import METRICS, BoardRow, Winnings, board, ranked, rankings, winnings
from luckless.league.named_seasons import season_names, season_path
from luckless.league.results import fingerprint
from luckless.league.run import Run
from luckless.league.status import status
from luckless.report import league_figures as figures
from luckless.report.commands import command_text, file_name
from luckless.report.escaping import escaped
from luckless.report.match_report import signed
from luckless.report.page import Section, command, date_text, facts, page, table
from luckless.report.ranking_tables import NOTE, cycle_lines, ranking_header, ranking_rows

BOARD_HEADER = ("agent", "type", "division", "gen.", "TrueSkill", "mean", "median", "20th pct.")
RATING_COLUMNS = 5
"""The first columns of a board, which the board of a division has too; the others are winnings."""
BOARD_UNITS = "Winnings in mbb/h a seat; ± is half the 95 % interval"
TOP = 10
PREDICTION = (
    "Direct meetings won by the one who stands higher on the board of each metric. TrueSkill does not know these "
    "meetings; the other three are computed from them."
)


def board_rows(lines: Sequence[BoardRow]) -> list[tuple[str, ...]]:
    """One row an agent, under `BOARD_HEADER`; what has not been measured is a dash."""
    return [
        (
            line.agent.name,
            line.agent.type,
            line.division,
            str(line.agent.generation or "-"),
            _number(line.trueskill, "{:.1f}") + _plus_minus(line, "trueskill", ".1f"),
            *(_rate(getattr(line, metric)) + _plus_minus(line, metric) for metric in ("mean", "median", "p20")),
        )
        for line in lines
    ]


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


def _metrics_section(lines: Sequence[BoardRow], matrix: Winnings) -> Section:
    boards = {metric: ranked(lines, metric)[:TOP] for metric in METRICS}
    columns = [[f"{line.agent.name} ({line.agent.type})" for line in boards[metric]] for metric in METRICS]
    rows = [(str(place), *row) for place, row in enumerate(zip(*columns, strict=True), start=1)]
    right = prediction(lines, matrix)
    says = [(METRICS[metric], f"{100 * share:.1f} %") for metric, share in right.items()]
    body = table(("rank", *METRICS.values()), rows)
    if says:
        body += f"<p>{PREDICTION}</p>" + facts(says)
    return Section("Four metrics side by side", body)


def _rankings_section(run: Run) -> list[Section]:
    """The direct meetings ranked as a game; nothing where not all have met or there are too many."""
    try:
        found = rankings(run)
    except InputError:
        return []
    names = [run.roster[agent].name for agent in run.teachers]
    said = "".join(f"<p>{escaped(line)}</p>" for line in (*cycle_lines(names, found), NOTE))
    body = table(ranking_header(found, "agent"), ranking_rows(names, found)) + said
    return [Section("Rankings of the direct meetings", body)]


def _coherence_section(run: Run) -> list[Section]:
    agreement = coherence(run)
    if agreement is None:
        return []
    said = [(name, _number(value, "{:.3f}")) for name, value in correlations(run, agreement).items()]
    body = "<p>Rank correlation (Spearman) of two independent ratings:</p>" + facts(said)
    return [Section("How far TrueSkill can be trusted", body, [figures.coherence_figure(run, agreement)])]


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


def league_report(run: Run) -> str:
    """The report as one HTML text."""
    lines, matrix, flow = board(run), winnings(run), cashflow_by_type(run)
    by_mean, behaviours = ranked(lines, "mean"), styles(run)
    training = range(run.divisions)
    ratings = [figures.rating_figure(run, number) for number in (*run.evaluations("similar"), *training)]
    sections = [
        Section("Board", table(BOARD_HEADER, board_rows(lines)) + f"<p>{BOARD_UNITS}.</p>"),
        _metrics_section(lines, matrix),
        *_rankings_section(run),
        Section("Rating over time", figures=ratings),
        Section("Progress by generation", figures=[figures.generation_figure(run, lines, name) for name in METRICS]),
        Section("Winnings", figures=[figures.winnings_figure(run, matrix, by_mean)]),
        Section("Style", figures=[figures.style_figure(run, behaviours)]),
        *_coherence_section(run),
        Section("Cashflow", figures=[figures.cashflow_figure(flow)] if flow else []),
        Section(
            "Learning curves",
            figures=[
                make(run, number) for number in training for make in (figures.learning_figure, figures.loss_figure)
            ],
        ),
        _played_section(run),
    ]
    footer = f"Made by luckless {luckless.__version__}. mbb/h: thousandths of a big blind a hand, for each seat."
    return page(f"Season {run.season.name}", conclusion(run, lines), sections, footer, run.store.fact("begun"))
