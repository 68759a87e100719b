"""Rankings as rows of text, for the terminal and for pages."""

from collections.abc import Sequence

from luckless.rankings.ranking import Rankings
from luckless.report.match_report import signed

HEADERS = {
    "mean": "mean",
    "worst": "worst pairing",
    "elo": "Elo",
    "nash": "Nash share",
    "nash_rating": "Nash rating",
    "alpha_rank": "alpha-rank",
    "lottery": "lottery",
}
SHARES = ("nash", "alpha_rank", "lottery")
"""Rankings that share 100 % among all."""

NOTE = (
    "In brackets the 95 % interval from resampled deals. Nash share: weight in the mixture that nobody beats; Nash "
    "rating: what a bot wins from that mixture. Lottery: the mixture that wins most deals. alpha-rank: how long "
    "evolution stays with a bot. Mean and Elo depend on who else takes part; the others do not change with copies of "
    "a bot, alpha-rank apart."
)


def ranking_header(found: Rankings, first: str = "bot") -> tuple[str, ...]:
    """The columns of `ranking_rows`."""
    return (first, *(HEADERS[key] for key in found.by))


def ranking_rows(names: Sequence[str], found: Rankings) -> list[tuple[str, ...]]:
    """One row a player, in the order of the mean."""
    return [
        (names[player], *(_cell(key, ranking.values[player], ranking.intervals[player])
                          for key, ranking in found.by.items()))
        for player in found.by["mean"].order
    ]  # fmt: skip


def _cell(key: str, value: float, ends: tuple[float, float]) -> str:
    if key in SHARES:
        return f"{100 * value:.0f} % [{100 * ends[0]:.0f}, {100 * ends[1]:.0f}]"
    if key == "elo":
        return f"{value:.0f} [{ends[0]:.0f}, {ends[1]:.0f}]"
    return f"{signed(value)} [{signed(ends[0])}, {signed(ends[1])}]"


def cycle_lines(names: Sequence[str], found: Rankings) -> list[str]:
    """A sentence for each cycle, or one that says there is none."""
    if not found.cycles:
        return ["No cycle of sure wins was found."]
    return [cycle.sentence(names) for cycle in found.cycles]
