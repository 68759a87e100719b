"""The HTML report of a season, and the tables that the command line shows too."""

import json
from collections.abc import Sequence

import luckless
from luckless.league.analysis import cashflow_by_type, coherence, correlations, prediction, styles
from luckless.league.boards import METRICS, BoardRow, Winnings, board, ranked, winnings
from luckless.league.results import fingerprint
from luckless.league.run import Run
from luckless.league.status import status
from luckless.report import league_figures as figures
from luckless.report.escaping import escaped
from luckless.report.match_report import signed
from luckless.report.page import Section, facts, page, table

BOARD_HEADER = ("agent", "type", "division", "gen.", "TrueSkill", "mean", "median", "20th pct.")
RATING_COLUMNS = 5
"""The first columns of a board, which the board of a division has too; the others are winnings."""
BOARD_UNITS = "Winnings in mbb/h a seat; ± is TrueSkill's sigma and the standard error of the mean"
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
            "-" if line.trueskill is None else f"{line.trueskill:.1f} ± {line.sigma:.1f}",
            _rate(line.mean) + ("" if line.stderr_mean is None else f" ± {line.stderr_mean:,.0f}"),
            _rate(line.median),
            _rate(line.p20),
        )
        for line in lines
    ]


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


def _coherence_section(run: Run) -> list[Section]:
    agreement = coherence(run)
    if agreement is None:
        return []
    said = [(name, _number(value, "{:.3f}")) for name, value in correlations(run, agreement).items()]
    body = "<p>Rank correlation (Spearman) of two independent ratings:</p>" + facts(said)
    return [Section("How far TrueSkill can be trusted", body, [figures.coherence_figure(run, agreement)])]


def _played_section(run: Run) -> Section:
    state = status(run)
    rows = [
        (one.name, one.matchup, f"{one.done:,} of {one.rounds:,}", f"{one.seconds:,.0f}") for one in state.divisions
    ]
    notes = "".join(f'<p class="note">{escaped(who)}: {escaped(why)}</p>' for who, why in state.stopped)
    versions = ", ".join(f"{name} {number}" for name, number in json.loads(run.store.fact("versions")).items())
    known = [("begun", state.begun), ("versions", versions), ("fingerprint of all results", fingerprint(run.store))]
    config = f"<pre>{escaped(run.store.fact('config'))}</pre>"
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
    return page(f"Season {run.season.name}", conclusion(run, lines), sections, footer)
