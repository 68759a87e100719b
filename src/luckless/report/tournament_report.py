"""The HTML page of a tournament, and the texts that the command line shows too."""

import itertools
from collections.abc import Callable, Sequence

import luckless
from luckless.report.escaping import escaped
from luckless.report.match_report import signed
from luckless.report.page import Document, Section, facts, table, two_lines
from luckless.report.ranking_tables import NOTE, cycle_lines, ranking_header, ranking_rows
from luckless.report.tournament_figures import MOST_DRAWN, cycle_figure, mean_figure
from luckless.stats.estimate import quantile
from luckless.tournaments.result import TournamentResult
from luckless.tournaments.settings import Exploitability

PRINTED_HEADER = ("bot", "opponent", "printed", "here", "share here", "p of the printed")
CROSSTABLE = (
    "What the row wins from the column, in mbb/h, ± half the 95 % interval. Blue: the interval lies above 0, so the "
    "row wins surely; orange: it loses surely."
)
PAIRING_HEADER = ("bot", "opponent", "won", "lost", "drawn", "share won", "95 % interval")


def crosstable_header(result: TournamentResult) -> tuple[str, ...]:
    """The columns of `crosstable_rows`."""
    return ("row v column", *(result.names[bot] for bot in result.rankings.by["mean"].order))


def crosstable_rows(result: TournamentResult) -> list[tuple[str, ...]]:
    """What the row wins from the column, in mbb/h ± half the 95 % interval; the best by the mean first."""
    mean, stderr, order = result.rates.table.mean, result.rates.stderr, result.rankings.by["mean"].order
    return [
        (result.names[row], *(_cell(mean[row, column], stderr[row, column], row == column) for column in order))
        for row in order
    ]


def _cell(mean: float, stderr: float, itself: bool) -> str:
    if itself or mean != mean:
        return "-"
    return signed(mean) if stderr != stderr else f"{signed(mean)} ± {quantile(0.975, None) * stderr:,.0f}"


Address = Callable[[int, int], str | None]
"""Where the hands of two bots are shown, if anywhere."""


def crosstable_html(result: TournamentResult, address: Address | None = None) -> str:
    """The crosstable of a page, the same rows; sure wins and losses have a colour, cells may lead to their hands."""
    mean, stderr, order = result.rates.table.mean, result.rates.stderr, result.rankings.by["mean"].order
    head = "".join(f"<th{_place(place)}>{escaped(text)}</th>" for place, text in enumerate(crosstable_header(result)))
    body = []
    for row, cells in zip(order, crosstable_rows(result), strict=True):
        kinds = [_colour(mean[row, column], stderr[row, column]) for column in order]
        links = [address(row, column) if address else None for column in order]
        inner = "".join(
            f"<td class='number{kind}'>{_linked(cell, link)}</td>"
            for kind, cell, link in zip(kinds, cells[1:], links, strict=True)
        )
        body.append(f"<tr><th scope='row'>{escaped(cells[0])}</th>{inner}</tr>")
    rows = "".join(body)
    return (
        f"<div class='scroll'><table class='cross'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _place(place: int) -> str:
    return " class='number'" if place else ""


def _colour(mean: float, stderr: float) -> str:
    """The class of a cell: whether its 95 % interval lies above or below 0."""
    if not abs(mean) > quantile(0.975, None) * stderr:
        return ""
    return " wins" if mean > 0 else " loses"


def adjusted_lines(result: TournamentResult) -> list[str]:
    """How luck was taken out, and of which pairings; what it saved."""
    found: dict[str, list[tuple[int, int]]] = {}
    for one, other in itertools.combinations(range(len(result.names)), 2):
        if by := result.adjusted_by(one, other):
            found.setdefault(by, []).append((one, other))
    values = "" if result.outline.settings.values == "equity" else f", values by {result.outline.settings.values}"
    return [
        f"{_pairings(result, pairs)}: luck taken out by {by}{values}{_saving(result, pairs)}"
        for by, pairs in found.items()
    ]


def _pairings(result: TournamentResult, pairs: Sequence[tuple[int, int]]) -> str:
    if len(pairs) > 3:
        return f"{len(pairs)} pairings"
    return ", ".join(f"{result.names[one]} v {result.names[other]}" for one, other in pairs)


def _saving(result: TournamentResult, pairs: Sequence[tuple[int, int]]) -> str:
    """How much wider the intervals of money are."""
    money, rates = result.money.stderr, result.rates.stderr
    ratios = [money[pair] / rates[pair] for pair in pairs if rates[pair] > 0 and money[pair] == money[pair]]
    return f"; by money alone intervals are {sum(ratios) / len(ratios):.1f} times as wide" if ratios else ""


def known_columns(result: TournamentResult) -> dict[str, list[str]]:
    """What is known of bots beside the hands, a column for the table of rankings: what a best response wins."""
    known = {one.bot: one for one in result.outline.settings.exploitability}
    if not known:
        return {}
    return {"exploitability": [_exploited(known[name]) if name in known else "-" for name in result.names]}


def _exploited(known: Exploitability) -> str:
    bound = "" if known.exact else "at least "
    ends = f" [{signed(known.low)}, {signed(known.high)}]" if known.low < known.high else ""
    return f"{bound}{known.mbb:,.1f}{ends} ({known.by})"


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
    if all(max(ranking.values) - min(ranking.values) < 1e-9 for ranking in result.rankings.by.values()):
        return "All bots are equal by every ranking."
    best: dict[str, list[str]] = {}
    names = {
        "mean": "mean", "worst": "the worst pairing", "elo": "Elo", "trueskill": "TrueSkill",
        "nash": "Nash averaging", "alpha_rank": "alpha-rank", "lottery": "the maximal lottery",
    }  # fmt: skip
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
    mean, stderr = result.ranked.table.mean[best], result.ranked.stderr[best]
    others = [other for other in range(len(result.names)) if other != best]
    sure = [other for other in others if mean[other] > quantile(0.975, None) * stderr[other]]
    if len(sure) == len(others):
        return ", and beats every other bot with its 95 % interval above 0"
    if not sure:
        return ", but beats nobody with its 95 % interval above 0"
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


def _linked(cell: str, link: str | None) -> str:
    shown = two_lines(cell)
    return f"<a class='cell' href='{escaped(link)}'>{shown}</a>" if link and cell != "-" else shown


def tournament_report(result: TournamentResult) -> str:
    """The report as one HTML text."""
    return tournament_document(result).html()


def tournament_document(result: TournamentResult) -> Document:
    """What the report says."""
    footer = f"Made by luckless {luckless.__version__}. mbb/h: thousandths of a big blind a hand."
    title, sections = f"Tournament of {len(result.names)} bots", report_sections(result)
    return Document(title, conclusion(result), sections, footer, result.outline.begun)


def report_sections(result: TournamentResult, address: Address | None = None) -> list[Section]:
    """The parts of the report; cells of the crosstable may lead to their hands."""
    settings = result.outline.settings
    known, found = known_columns(result), result.rankings
    ranks = table(ranking_header(found, known=known), ranking_rows(result.names, found, known), stacked=True)
    loses = "; exploitability, what a best response wins from a bot, is in mbb/h" if known else ""
    unit = f"<p>Unit of mean, worst pairing and Nash rating: {result.unit}{loses}.</p>"
    cycles = "<br>".join(map(escaped, cycle_lines(result.names, found)))
    told = f"{unit}<div class='ranks'>{ranks}</div><p>{NOTE}</p>"
    sections = [Section("Rankings", told + ("" if found.cycles else f"<p>{cycles}</p>"))]
    if found.cycles:
        more = "" if len(found.cycles) <= MOST_DRAWN else f" The first {MOST_DRAWN} are drawn."
        arrows = f"<p>{cycles}</p><p>An arrow points from a bot to one that it beats.{more}</p>"
        sections.append(Section("Cycles", arrows, [cycle_figure(result)]))
    sections.append(Section("Mean over all opponents", figures=[mean_figure(result)]))
    if settings.printed:
        sections.append(Section("Beside the printed counts", table(PRINTED_HEADER, printed_rows(result))))
    if settings.is_session:
        sections.append(Section("Sessions", table(PAIRING_HEADER, session_rows(result))))
    adjusted = "".join(f"<p>{escaped(line)}.</p>" for line in adjusted_lines(result))
    sections.append(Section("Crosstable", f"<p>{CROSSTABLE}</p>{crosstable_html(result, address)}{adjusted}"))
    notes = "".join(
        f'<p class="note">{escaped(line)}</p>'
        for line in (*result.warnings, *fault_lines(result), *usage_lines(result))
    )
    if notes:
        sections.append(Section("Notes", notes))
    sections.append(Section("How it was played", facts(_facts(result))))
    return sections


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
