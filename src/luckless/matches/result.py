"""The result of a match: one estimate for each player, and the numbers behind the figures.

A result is a record: it needs no bot, and `luckless.records.load` reads it from the folder of a stored match.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from luckless import work_clock
from luckless.keys import seed_as_json
from luckless.matches.adjusted import Adjusted, adjusted_figures
from luckless.matches.match import Match
from luckless.matches.playing import Chunk
from luckless.matches.settings import MatchSettings, player_names
from luckless.matches.tally import Tally
from luckless.progress import Progress
from luckless.shown import Shown
from luckless.stats.estimate import Accumulator, Estimate, best_of
from luckless.stats.sequential import SequentialTest
from luckless.stats.stopping import StoppingTest
from luckless.stats.units import BIG_BLINDS, BIG_BLINDS_PER_100, CHIPS, MILLI_BIG_BLINDS, unit_factor

STOPPED = (
    "the match ended when the test was decided, so the win rate leans towards the bound that was reached and its "
    "interval is too sure: report the decision, and take win rates from matches of fixed length"
)
"""What is to be said of win rates when a sequential test ended the match."""


JUDGED_AT_ONCE = 500
"""Hands of a piece that `judged_sets` is asked about."""

SetValues = Callable[[Chunk], NDArray[np.float64]]
"""What a test judges: the first player's result in each set of a chunk, in mbb/h."""


class Judged(Protocol):
    """A judgement of the hands of a match, made by a part that matches do not know."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""


@dataclass(frozen=True, repr=False)
class MatchResult(Shown):
    """A finished (or interrupted) match."""

    showing: ClassVar[str] = "match"

    match: MatchSettings
    tally: Tally
    seconds: float
    interrupted: bool = False
    sequential: StoppingTest | None = None
    judgement: Judged | None = None
    """DIVAT's judgement of the hands, if they were judged."""
    adjusted: Adjusted | None = None
    """The win rates with luck taken out, if that was asked for."""

    @property
    def hands(self) -> int:
        """Hands that were played."""
        return self.tally.hands

    def estimate(self, player: int | str) -> Estimate:
        """The win rate of a player, by place or name, in mbb/h.

        The sample is the duplicate set, or the hand with fresh decks.
        """
        method = f"money, {'duplicate sets' if self.match.decks == 'duplicate' else 'fresh hands'}"
        return self._of(self.tally.sets[self.match.place_of(player)], MILLI_BIG_BLINDS, method, self.match.set_size)

    def of_hands(self, player: int) -> Estimate:
        """The same results hand by hand, in big blinds: its `sd` is the spread of one hand."""
        return self._of(self.tally.singles[player], BIG_BLINDS, "money, hand by hand", 1)

    def _of(self, accumulator: Accumulator, unit: str, method: str, set_size: int) -> Estimate:
        scale = unit_factor(CHIPS, unit, big_blind=self.match.game.big_blind) / set_size
        return accumulator.estimate(unit=unit, method=method, hands_per_sample=set_size, scale=scale)

    @property
    def warnings(self) -> list[str]:
        """What the whole result takes for granted; an estimate has warnings of its own."""
        return [*self.match.warnings, *([STOPPED] if self.decided else [])]

    @property
    def decided(self) -> bool:
        """Whether a sequential test ended the match."""
        return self.sequential is not None and self.sequential.stopped_at is not None

    def best_estimate(self, player: int) -> Estimate:
        """The win rate of a player with as much luck taken out as was asked for: adjusted, or by money."""
        if self.adjusted is None:
            return self.estimate(player)
        return self.adjusted.player(player_names(self.match.names)[player]).adjusted

    @property
    def leader(self) -> int:
        """The player with the highest win rate."""
        return max(range(len(self.match.names)), key=lambda player: self.best_estimate(player).mean)

    @property
    def leader_low(self) -> float | None:
        """A lower bound of the leader's true win rate in mbb/h, which allows for its having been picked as the best:
        if nobody is truly ahead, it lies above zero in at most 5 % of matches."""
        return best_of(self.best_estimate(self.leader), len(self.match.names))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values for JSON."""
        match = self.match
        result: dict[str, Any] = {
            "game": match.game.name,
            "hands": self.hands,
            "seats": match.game.seats,
            "table_seats": match.table_seats or match.game.seats,
            "seed": seed_as_json(match.seed),
            "decks": match.decks,
            "seconds": round(self.seconds, 3),
            "set_size": match.set_size,
            "interrupted": self.interrupted,
            "warnings": self.warnings,
            "leader": {"name": match.names[self.leader], "low95_mbb": self.leader_low},
            "bots": [self._player_dict(player) for player in range(len(match.names))],
        }
        if self.sequential is not None:
            result["sequential"] = sequential_dict(self.sequential)
        if self.judgement is not None:
            result["divat"] = self.judgement.to_dict()
        return result

    def to_record(self) -> dict[str, Any]:
        """What a store keeps beside the settings and the hands: everything that was counted, exactly."""
        return {
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "sequential": None if self.sequential is None else self.sequential.to_dict(),
            "tally": self.tally.to_dict(),
        }

    @classmethod
    def from_record(cls, match: MatchSettings, record: Mapping[str, Any]) -> "MatchResult":
        """The result that `to_record` described."""
        test = record["sequential"]
        return cls(
            match,
            Tally.from_dict(record["tally"]),
            record["seconds"],
            record["interrupted"],
            None if test is None else SequentialTest.from_dict(test),
        )

    def _player_dict(self, player: int) -> dict[str, Any]:
        rate = self.estimate(player)
        return {
            "name": self.match.names[player],
            "mbb": rate.mean,
            "stderr_mbb": rate.stderr,
            "ci95_mbb": rate.ci95,
            "bb100": rate.in_unit(BIG_BLINDS_PER_100).mean,
            "sd_bb": self.of_hands(player).sd,
            "net_chips": int(self.tally.net_chips[player]),
            **self.tally.faults.facts(player),
            "samples": rate.samples,
            "warnings": list(rate.warnings),
            **self._adjusted_dict(player),
        }

    def _adjusted_dict(self, player: int) -> dict[str, Any]:
        if self.adjusted is None:
            return {}
        found = self.adjusted.player(player_names(self.match.names)[player])
        return adjusted_figures(found, self.adjusted.by)


def sequential_dict(test: StoppingTest) -> dict[str, Any]:
    """The state of a sequential test as plain values for JSON; an exact one names no kind, as it always was."""
    return {
        "at_most_mbb": test.at_most,
        "at_least_mbb": test.at_least,
        "alpha": test.alpha,
        "beta": test.beta,
        "decision": str(test.decision),
        "sets": test.sets,
        **({} if test.kind == SequentialTest.kind else {"kind": test.kind}),
    }


def play_match(
    match: Match,
    *,
    stored: Iterable[Chunk] = (),
    workers: int | None = None,
    sequential: StoppingTest | None = None,
    judged_sets: SetValues | None = None,
    on_chunk: Callable[[Chunk], None] | None = None,
    on_sets: Callable[[NDArray[np.int64]], None] | None = None,
    show_progress: bool = False,
) -> MatchResult:
    """Plays a match and counts it. Ctrl-C ends it early with what was played so far.

    A sequential test judges the first player's results, or what `judged_sets` makes of a chunk, and ends the match at
    the set that decides it, wherever the chunks end. `on_chunk` is called with every chunk, in order (to store it,
    say), `on_sets` with the chips that each player won in each of its sets.
    `stored` are the first chunks of the match, played before: they are counted, and the match goes on after them.
    """
    settings = match.settings
    tally = new_tally(settings)
    started, interrupted = work_clock.seconds(), False
    with Progress(match.hands, "hands", show=show_progress) as progress:
        try:
            for chunk in until_decided(settings, _all_chunks(match, stored, workers), sequential, judged_sets):
                won = tally.add(chunk)
                if on_chunk is not None:
                    on_chunk(chunk)
                if on_sets is not None:
                    on_sets(won)
                progress.advance(len(chunk), partial(_so_far, settings, tally, started))
        except KeyboardInterrupt:
            if tally.hands == 0:
                raise KeyboardInterrupt("interrupted before any hand was over: there is no result") from None
            interrupted = True
    return MatchResult(settings, tally, work_clock.seconds() - started, interrupted, sequential)


def count_again(
    match: MatchSettings, chunks: Iterable[Chunk], sequential: SequentialTest | None = None
) -> tuple[Tally, SequentialTest | None]:
    """Counts hands that were played before, as `play_match` did; a test judges them anew."""
    tally = new_tally(match)
    for chunk in until_decided(match, chunks, sequential):
        tally.add(chunk)
    return tally, sequential


def until_decided(
    match: MatchSettings, chunks: Iterable[Chunk], test: StoppingTest | None, judged_sets: SetValues | None = None
) -> Iterator[Chunk]:
    """The chunks up to the set that decides a test; the last is cut there. Without a test, all of them."""
    pieces = chunks if judged_sets is None else _pieces(chunks, match.set_size)
    for chunk in pieces:
        if test is None:
            yield chunk
            continue
        test.update(
            _first_player(chunk, match.set_size) * set_scale(match) if judged_sets is None else judged_sets(chunk)
        )
        if test.stopped_at is None:
            yield chunk
            continue
        yield chunk.split(test.stopped_at * match.set_size - chunk.first)[0]
        return


def _pieces(chunks: Iterable[Chunk], set_size: int) -> Iterator[Chunk]:
    """Chunks in pieces that are judged at once: judging takes longer than playing, so not too much is played."""
    size = -(-JUDGED_AT_ONCE // set_size) * set_size
    for whole in chunks:
        rest = whole
        while len(rest) > size:
            piece, rest = rest.split(size)
            yield piece
        yield rest


def _first_player(chunk: Chunk, set_size: int) -> NDArray[np.int64]:
    """What the first player won in each set of a chunk."""
    won = chunk.records.payoffs[chunk.hands.players == 0].astype(np.int64)
    of_sets: NDArray[np.int64] = won.reshape(-1, set_size).sum(axis=1)
    return of_sets


def new_tally(match: MatchSettings) -> Tally:
    """An empty tally for a match."""
    return Tally(len(match.names), match.set_size, match.hands, match.game.big_blind)


def set_scale(match: MatchSettings) -> float:
    """What turns the chips of a set into mbb/h."""
    return unit_factor(CHIPS, MILLI_BIG_BLINDS, big_blind=match.game.big_blind) / match.set_size


def largest_result_mbb(match: MatchSettings) -> float:
    """The most that a set can win or lose a hand, which a sequential test must know."""
    game = match.game
    return 1000 * (sum(game.stacks) - min(game.stacks) + game.pot) / game.big_blind


def _all_chunks(match: Match, stored: Iterable[Chunk], workers: int | None) -> Iterator[Chunk]:
    """The chunks that were played before, then the rest of the match."""
    first = 0
    for chunk in stored:
        yield chunk
        first = chunk.first + len(chunk)
    yield from match.chunks(first, workers)


def _so_far(match: MatchSettings, tally: Tally, started: float) -> str:
    """Hands a second and the interval so far, for the progress bar."""
    result = MatchResult(match, tally, work_clock.seconds() - started)
    rate = result.estimate(0)
    interval = f", {match.labels[0]} {rate.mean:+,.0f} mbb/h" + (
        f" [{rate.ci95[0]:+,.0f}, {rate.ci95[1]:+,.0f}]" if rate.ci95 else ""
    )
    return f"{tally.hands / max(result.seconds, 1e-9):,.0f} hands/s{interval}"
