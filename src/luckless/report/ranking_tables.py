"""Rankings as rows of text, for the terminal and for pages."""

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from luckless.rankings.ranking import Rankings
from luckless.report.match_report import signed

if TYPE_CHECKING:
    from luckless.league.boards import BoardRow

HEADERS = {
    "mean": "mean",
    "worst": "worst pairing",
    "elo": "Elo",
    "trueskill": "TrueSkill",
    "nash": "Nash share",
    "nash_rating": "Nash rating",
    "alpha_rank": "alpha-rank",
    "lottery": "lottery",
}
SHARES = ("nash", "alpha_rank", "lottery")
"""Rankings that share 100 % among all."""

NOTHING: Mapping[str, Sequence[str]] = MappingProxyType({})

NOTE = (
    "In brackets the 95 % interval from resampled deals. Nash share: weight in the mixture that nobody beats; Nash "
    "rating: what a bot wins from that mixture. Lottery: the mixture that wins most deals. alpha-rank: how long "
    "evolution stays with a bot. Mean, Elo and TrueSkill depend on who else takes part; the others do not change "
    "with copies of a bot, alpha-rank apart."
)


Known = Mapping[str, Sequence[str]]
"""Further columns by their headings: the cells run like the names."""


def ranking_header(found: Rankings, first: str = "bot", known: Known = NOTHING) -> tuple[str, ...]:
    """The columns of `ranking_rows`."""
    return (first, *(HEADERS[key] for key in found.by), *known)


def ranking_rows(names: Sequence[str], found: Rankings, known: Known = NOTHING) -> list[tuple[str, ...]]:
    """One row a player, in the order of the mean."""
    write = _fraction if 0 < max(map(abs, found.by["mean"].values)) <= 1 else signed
    return [
        (names[player], *(_cell(key, ranking.values[player], ranking.intervals[player], write)
                          for key, ranking in found.by.items()),
         *(cells[player] for cells in known.values()))
        for player in found.by["mean"].order
    ]  # fmt: skip


def _fraction(value: float) -> str:
    """A number from -1 to 1, such as sessions won minus lost."""
    return f"{value:+.2f}"


def _cell(key: str, value: float, ends: tuple[float, float], write: Callable[[float], str]) -> str:
    if math.isnan(value):
        return "-"
    value, ends = round(value, 9) + 0.0, (round(ends[0], 9) + 0.0, round(ends[1], 9) + 0.0)  # no -0.0
    if key in SHARES:
        return f"{100 * value:.0f} % [{100 * ends[0]:.0f}, {100 * ends[1]:.0f}]"
    if key == "trueskill":
        return f"{value:.1f} [{ends[0]:.1f}, {ends[1]:.1f}]"
    if key == "elo":
        return f"{value:.0f} [{ends[0]:.0f}, {ends[1]:.0f}]"
    shown = [write(round(number, 6) + 0.0) for number in (value, *ends)]  # no sign before a 0
    return f"{shown[0]} [{shown[1]}, {shown[2]}]"


def trueskill_column(skill: "Sequence[BoardRow]") -> dict[str, list[str]]:
    """TrueSkill with half its 95 % interval, as a further column."""
    halves = [line.half_width("trueskill") for line in skill]
    cells = zip(skill, halves, strict=True)
    return {
        "TrueSkill": ["-" if half is None else f"{line.trueskill:.1f} ± {half:.1f}" for line, half in cells],
    }


def cycle_lines(names: Sequence[str], found: Rankings) -> list[str]:
    """A sentence for each cycle, or one that says there is none."""
    if not found.cycles:
        return ["No cycle of sure wins was found."]
    return [cycle.sentence(names) for cycle in found.cycles]
