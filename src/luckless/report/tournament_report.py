"""The HTML page of a tournament, and the texts that the command line shows too."""

import itertools
from collections.abc import Sequence
from typing import Any

import luckless
from luckless.report.escaping import escaped
from luckless.report.match_report import signed
from luckless.report.page import Section, facts, page, table
from luckless.report.ranking_tables import NOTE, cycle_lines, ranking_header, ranking_rows
from luckless.report.style import error_bars, new_figure, player_colour
from luckless.stats.estimate import quantile
from luckless.tournaments.result import TournamentResult

PRINTED_HEADER = ("bot", "opponent", "printed", "here", "share here", "p of the printed")
PAIRING_HEADER = ("bot", "opponent", "won", "lost", "drawn", "share won", "95 % interval")


def crosstable_header(result: TournamentResult) -> tuple[str, ...]:
    """The columns of `crosstable_rows`."""
    return ("row v column", *result.names)


def crosstable_rows(result: TournamentResult) -> list[tuple[str, ...]]:
    """What the row wins from the column, in mbb/h with half the 95 % interval; the best by the mean first."""
    mean, stderr, order = result.money.table.mean, result.money.stderr, result.rankings.by["mean"].order
    return [
        (result.names[row], *(_cell(mean[row, column], stderr[row, column], row == column)
                              for column in range(len(result.names))))
        for row in order
    ]  # fmt: skip


def _cell(mean: float, stderr: float, itself: bool) -> str:
    if itself or mean != mean:
        return "-"
    return signed(mean) if stderr != stderr else f"{signed(mean)} ± {quantile(0.975, None) * stderr:,.0f}"


def session_rows(result: TournamentResult) -> list[tuple[str, ...]]:
    """Sessions won and lost, a row a pairing."""
    rows: list[tuple[str, ...]] = []
    for one, other in itertools.combinations(range(len(result.names)), 2):
        tally = result.sessions(one, other)
        if tally is not None:
            low, high = tally.ci95
            counts = (f"{tally.wins:,}", f"{tally.losses:,}", f"{tally.draws:,}")
            share = (f"{100 * tally.probability:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %")
            rows.append((result.names[one], result.names[other], *counts, *share))
    return rows


def printed_rows(result: TournamentResult) -> list[tuple[str, ...]]:
    """Counts that somebody else printed beside ours, with the p-value of their difference."""
    rows: list[tuple[str, ...]] = []
    for told, ours in result.printed():
        here = "-" if ours is None else f"{ours.wins:,} : {ours.losses:,}"
        share = "-" if ours is None else f"{100 * ours.wins / max(1, ours.wins + ours.losses):.1f} %"
        chance = "-" if ours is None else f"{_agreement(told.won, told.lost, ours.wins, ours.losses):.2g}"
        rows.append((told.bot, told.opponent, f"{told.won} : {told.lost}", here, share, chance))
    return rows


def _agreement(won: int, lost: int, our_won: int, our_lost: int) -> float:
    """Fisher's exact test of the two counts."""
    from scipy.stats import fisher_exact

    return float(fisher_exact([[won, lost], [our_won, our_lost]])[1])


def conclusion(result: TournamentResult) -> str:
    """One sentence that says who is best, and how far the rankings agree."""
    if result.interrupted:
        return "The tournament is not finished: these numbers will change."
    best: dict[str, list[str]] = {}
    names = {"mean": "mean", "nash": "Nash averaging", "alpha_rank": "alpha-rank", "lottery": "the maximal lottery"}
    leader = result.rankings.by["mean"].order[0]
    for key, ranking in result.rankings.by.items():
        if key in names:  # of several that share the first place, the one with the best mean is named
            ties = ranking.values[leader] >= max(ranking.values) - 1e-9
            best.setdefault(result.names[leader if ties else ranking.order[0]], []).append(names[key])
    if len(best) == 1:
        [name] = best
        return f"{name} is best by every ranking{_surely(result, result.names.index(name))}."
    parts = [f"{name} by {_listed(by)}" for name, by in best.items()]
    return f"The rankings disagree about the best: {', '.join(parts)}."


def _surely(result: TournamentResult, best: int) -> str:
    """Whether the best beats everybody surely."""
    mean, stderr = result.money.table.mean[best], result.money.stderr[best]
    others = [other for other in range(len(result.names)) if other != best]
    sure = [other for other in others if mean[other] > quantile(0.975, None) * stderr[other]]
    if len(sure) == len(others):
        return ", and beats every other bot with its 95 % interval above 0"
    return f", and beats {len(sure)} of {len(others)} others with its 95 % interval above 0"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def fault_lines(result: TournamentResult) -> list[str]:
    """A line for each bot that made faults."""
    lines = []
    for bot, name in enumerate(result.names):
        if faults := result.faults(bot):
            kinds = ", ".join(f"{kind} {count:,}" for kind, count in faults.items())
            lines.append(f"{name}: {sum(faults.values()):,} faults ({kinds})")
    return lines


def usage_lines(result: TournamentResult) -> list[str]:
    """A line for each language model: what it took."""
    lines = []
    for bot, name in enumerate(result.names):
        if used := result.usage(bot):
            lines.append(
                f"{name}: {used['decisions']:,} decisions for {used['cost_usd']:.4g} dollars, "
                f"{used['tokens_in']:,} tokens in and {used['tokens_out']:,} out; "
                f"{used['unusable']:,} answers could not be used; {used['seconds_median']:.2f} s in the median"
            )
    return lines


def summary_text(result: TournamentResult) -> str:
    """What was played."""
    settings, tables = result.outline.settings, len(result.tables)
    hands = sum(one.hands for one in result.tables)
    what = "sessions of no-limit hold'em" if settings.is_session else settings.game
    return f"{len(result.names)} bots, {settings.format}, {what}, {tables:,} tables, {hands:,} hands"


def mean_figure(result: TournamentResult) -> Any:
    """The mean of every bot with its interval."""
    import plotly.graph_objects as go

    figure = new_figure("Mean over all opponents", "", result.unit)
    ranking = result.rankings.by["mean"]
    for bot in ranking.order:
        low, high = ranking.intervals[bot]
        bars = error_bars([(high - low) / 2], 3)
        figure.add_trace(
            go.Bar(x=[result.names[bot]], y=[ranking.values[bot]], error_y=bars, marker_color=player_colour(bot),
                   name=result.names[bot], showlegend=False)
        )  # fmt: skip
    return figure


def tournament_report(result: TournamentResult) -> str:
    """The report as one HTML text."""
    settings = result.outline.settings
    said = "".join(f"<p>{escaped(line)}</p>" for line in (*cycle_lines(result.names, result.rankings), NOTE))
    ranks = table(ranking_header(result.rankings), ranking_rows(result.names, result.rankings))
    sections = [
        Section("Rankings", f"<p>Unit of mean, worst pairing and Nash rating: {result.unit}.</p>{ranks}{said}")
    ]
    sections.append(Section("Mean win rates", figures=[mean_figure(result)]))
    if settings.is_session:
        sections.append(Section("Sessions", table(PAIRING_HEADER, session_rows(result))))
    crosstable = table(crosstable_header(result), crosstable_rows(result))
    sections.append(Section("Crosstable", f"<p>What the row wins from the column, in mbb/h.</p>{crosstable}"))
    if settings.printed:
        sections.append(Section("Beside the printed counts", table(PRINTED_HEADER, printed_rows(result))))
    notes = "".join(
        f'<p class="note">{escaped(line)}</p>'
        for line in (*result.warnings, *fault_lines(result), *usage_lines(result))
    )
    if notes:
        sections.append(Section("Notes", notes))
    sections.append(Section("How it was played", facts(_facts(result))))
    footer = f"Made by luckless {luckless.__version__}. mbb/h: thousandths of a big blind a hand."
    return page(f"Tournament of {len(result.names)} bots", conclusion(result), sections, footer, result.outline.begun)


def _facts(result: TournamentResult) -> list[tuple[str, str]]:
    outline = result.outline
    settings = outline.settings
    rows = [("played", summary_text(result)), ("seed", str(outline.keys.seed))]
    if outline.decks:
        rows.append(("decks", f"{outline.decks}, {'the same' if outline.shared else 'others'} at every table"))
    if settings.precision:
        rows.append(("rule", f"each pairing until ± {settings.precision:g} mbb/h"))
    if settings.until_ranked:
        rows.append(("rule", "until the order of all bots is sure"))
    for name, spec, digest in zip(outline.names, outline.specs, outline.digests, strict=True):
        known = f", code {digest[:12]}" if digest else ""
        rows.append((name, f"{spec}{known}"))
    rows.append(("versions", ", ".join(f"{name} {number}" for name, number in outline.versions.items())))
    return rows
