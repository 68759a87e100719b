"""Equity: how often each hand or range wins and ties, exact where that is feasible, else sampled with its error."""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from luckless import work_clock
from luckless.cards import format_cards
from luckless.errors import InputError
from luckless.hands.equity_spot import MAX_HANDS, EquitySpot, numbers_of, read_spot
from luckless.hands.ranges import Range
from luckless.progress import Progress
from luckless.shown import Shown
from luckless.threads import run_chunks

EXACT_SECONDS = 60.0
"""The bound of exact work: seconds of one core, estimated from the numbers of hands and boards, not measured."""
DEFAULT_SAMPLES = 10_000_000
MOST_SAMPLES = 10_000_000_000
"""Deals that are sampled beyond the bound."""

_SHARES = math.lcm(*range(1, MAX_HANDS + 1))  # a pot in parts that any number of sharers can split
_CHUNK_SECONDS = 0.1
_CHUNK_SAMPLES = 1 << 18
_PILOT_DRAWS = 1 << 22
_CHOICE_SECONDS = 20e-9


@dataclass(frozen=True, repr=False)
class Equity(Shown):
    """Results by hand: `counts[hand][n - 1]` deals in which it has the best hand together with n - 1 others.

    `deals` counts boards for known hands, choices of hands times boards for ranges, and samples when not `exact`.
    """

    spot: EquitySpot
    exact: bool
    deals: int
    counts: tuple[tuple[int, ...], ...]
    seconds: float
    seed: int | None = None
    showing: ClassVar[str] = "equity"

    @property
    def wins(self) -> list[int]:
        """Deals that each hand wins alone."""
        return [shared[0] for shared in self.counts]

    @property
    def ties(self) -> list[int]:
        """Deals in which each hand shares the pot."""
        return [sum(shared[1:]) for shared in self.counts]

    @property
    def win(self) -> list[float]:
        """Probability that each hand wins alone."""
        return [wins / self.deals for wins in self.wins]

    @property
    def tie(self) -> list[float]:
        """Probability that each hand shares the pot."""
        return [ties / self.deals for ties in self.ties]

    @property
    def equity(self) -> list[float]:
        """Each hand's mean share of the pot."""
        return [
            sum(_SHARES // sharers * deals for sharers, deals in enumerate(shared, 1)) / (_SHARES * self.deals)
            for shared in self.counts
        ]

    @property
    def stderr(self) -> list[float]:
        """Standard error of each equity: 0 when exact."""
        if self.exact:
            return [0.0] * len(self.counts)
        squares = [sum(n / sharers**2 for sharers, n in enumerate(shared, 1)) / self.deals for shared in self.counts]
        return [
            math.sqrt(max(square - mean**2, 0.0) / (self.deals - 1))
            for square, mean in zip(squares, self.equity, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The result with the keys of `luckless equity --json`."""
        result: dict[str, Any] = {
            "hands": [hand.text for hand in self.spot.hands],
            "board": format_cards(self.spot.board),
            "dead": format_cards(self.spot.dead),
            "exact": self.exact,
            "boards": self.deals,
            "equity": self.equity,
            "win": self.win,
            "tie": self.tie,
            "wins": self.wins,
            "ties": self.ties,
            "seconds": self.seconds,
        }
        if not self.exact:
            result |= {"stderr": self.stderr, "samples": self.deals, "seed": self.seed}
        return result


def equity(
    hands: Sequence[str | Range],
    board: str = "",
    dead: str = "",
    *,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    show_progress: bool = False,
) -> Equity:
    """Wins, ties and equity of 2 to 10 hands or ranges with a board of 0, 3, 4 or 5 cards and dead cards.

    Exact, unless `samples` are asked for or the work would exceed `EXACT_SECONDS` (then `DEFAULT_SAMPLES`). Deals are
    uniform: every way to give each player a hand of the range, no card twice, and every board are equally likely.
    The same seed gives the same result on any number of threads.

    >>> equity(["AcKc", "7h6h"]).wins
    [1029832, 674947]
    """
    if isinstance(hands, str) or not all(isinstance(hand, str | Range) for hand in hands):
        raise InputError(f"hands is {hands!r}: a list of texts is needed, such as ['AcKc', 'QQ+']")
    spot = read_spot(hands, board, dead)
    for name, number, least in (("samples", samples, 2), ("threads", threads, 1), ("seed", seed, 0)):
        if number is not None and number < least:
            raise InputError(f"{name} must be {least} or more, not {number}")
    if samples is not None and samples > MOST_SAMPLES:
        raise InputError(f"samples must be {MOST_SAMPLES:,} or fewer, not {samples:,}")
    run = _Run(threads, show_progress)
    if samples is None:
        by_matchups, by_boards = _matchups_seconds(spot), _boards_seconds(spot)
        if min(by_matchups, by_boards) <= EXACT_SECONDS:
            return _count_boards(spot, run) if by_boards < by_matchups else _count_matchups(spot, run)
    return _sample(spot, samples or DEFAULT_SAMPLES, seed, run)


@dataclass
class _Run:
    """Adds up what a kernel counts over chunks of the work."""

    threads: int | None
    show_progress: bool
    seconds: float = 0.0

    def total(self, kernel: Callable[[int, int], NDArray[np.int64]], size: int, chunk: int) -> NDArray[np.int64]:
        """The sum of `kernel(first, end)` over chunks of the numbers 0 to `size`."""
        total = kernel(0, 0)  # compiles, so that the clock and the progress do not see it
        started = work_clock.seconds()
        lock = threading.Lock()

        def add(first: int, end: int) -> int:
            part = kernel(first, end)
            with lock:
                np.add(total, part, out=total)
            return end - first

        with Progress(size, "equity", show=self.show_progress) as progress:
            if size <= chunk:
                add(0, size)
            else:
                run_chunks(size, chunk, add, progress, self.threads)
        self.seconds = work_clock.seconds() - started
        return total


def _choices(spot: EquitySpot) -> int:
    return math.prod(len(hand) for hand in spot.ranges)


def _boards(spot: EquitySpot) -> int:
    """How many boards a choice of hands leaves."""
    return math.comb(52 - 2 * len(spot.ranges) - len(spot.board) - len(spot.dead), spot.to_come)


def _matchup_seconds(spot: EquitySpot) -> float:
    """About what one matchup takes on one core."""
    players = len(spot.ranges)
    return (200e-6 + 50e-6 * players) if not spot.board else 200e-9 + _boards(spot) * (5e-9 + 5e-9 * players)


def _matchups_seconds(spot: EquitySpot) -> float:
    """About what it takes to walk through all choices of hands and to count those that suits make different."""
    if spot.is_one_matchup:
        return 0.0
    return _choices(spot) * (_CHOICE_SECONDS + _matchup_seconds(spot) / len(spot.suit_symmetries))


def _boards_seconds(spot: EquitySpot) -> float:
    """About what it takes to rank two ranges on all boards that suits make different."""
    if len(spot.ranges) != 2:
        return math.inf
    boards = math.comb(52 - len(spot.board) - len(spot.dead), spot.to_come)
    hands = sum(len(hand) for hand in spot.ranges)
    return boards * (50e-9 + (300e-9 + 10e-9 * hands) / len(spot.suit_symmetries))


def _count_matchups(spot: EquitySpot, run: _Run) -> Equity:
    from luckless.hands.equity_matchups import count_matchups, matchups_of

    matchups = matchups_of(spot)
    per_choice = _CHOICE_SECONDS + _matchup_seconds(spot) / len(matchups.images)
    chunk = math.ceil(_CHUNK_SECONDS / per_choice)
    counts = run.total(lambda first, end: count_matchups(matchups, first, end), _choices(spot), chunk)
    return _exact(spot, counts, run)


def _count_boards(spot: EquitySpot, run: _Run) -> Equity:
    from luckless.hands.equity_boards import count_boards, two_ranges_of

    ranges = two_ranges_of(spot)
    boards = math.comb(len(ranges.deck), spot.to_come)
    chunk = math.ceil(_CHUNK_SECONDS * boards / _boards_seconds(spot))
    wins, ties = run.total(lambda first, end: count_boards(ranges, first, end), boards, chunk).tolist()
    deals = _disjoint_pairs(spot) * _boards(spot)
    return _exact(spot, np.array([[wins, ties], [deals - wins - ties, ties]]), run)


def _disjoint_pairs(spot: EquitySpot) -> int:
    """How many pairs of a hand of the first range and one of the second share no card."""
    first, second = (hand.combos for hand in spot.ranges)
    holding = np.bincount(second.ravel(), minlength=52)
    same = np.isin(numbers_of(spot.ranges[0]), numbers_of(spot.ranges[1])).sum()
    return int(len(first) * len(second) - holding[first].sum() + same)


def _exact(spot: EquitySpot, counts: NDArray[np.int64], run: _Run) -> Equity:
    rows = tuple(tuple(int(deals) for deals in row) for row in counts)
    # A deal shared by n hands stands n times in column n - 1.
    deals = sum(sum(row[sharers - 1] for row in rows) // sharers for sharers in range(1, len(rows) + 1))
    if deals == 0:
        raise InputError("these ranges cannot be dealt together: every choice of hands has a card twice")
    return Equity(spot, True, deals, rows, run.seconds)


def _sample(spot: EquitySpot, samples: int, seed: int, run: _Run) -> Equity:
    from luckless.hands.equity_sampling import choices_of, fitting_share, sample

    choices = choices_of(spot)
    fitting = fitting_share(choices, _PILOT_DRAWS)
    if fitting == 0:
        raise InputError(
            f"these ranges cannot be dealt together: all of {_PILOT_DRAWS:,} random choices had a card twice"
        )
    # Where few choices fit, chunks are smaller, so that each still ends soon.
    chunk = max(16, min(_CHUNK_SAMPLES, int(4 * _CHUNK_SAMPLES * fitting)))

    def kernel(first: int, end: int) -> NDArray[np.int64]:
        start = np.random.SeedSequence(seed, spawn_key=(first // chunk,)).generate_state(1, np.uint64)[0]
        return np.asarray(sample(choices, end - first, start))

    counts = run.total(kernel, samples, chunk)
    rows = tuple(tuple(int(deals) for deals in row) for row in counts)
    return Equity(spot, False, samples, rows, run.seconds, seed)
