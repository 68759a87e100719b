"""What came of a match: one estimate for each player, and the numbers behind the figures."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.matches.match import Match
from luckless.matches.playing import Chunk
from luckless.matches.tally import Tally
from luckless.progress import Progress
from luckless.stats.estimate import Accumulator, Estimate
from luckless.stats.sequential import Decision, SequentialTest
from luckless.stats.units import BIG_BLINDS, BIG_BLINDS_PER_100, CHIPS, MILLI_BIG_BLINDS, unit_factor


@dataclass(frozen=True)
class MatchResult:
    """A finished (or interrupted) match."""

    match: Match
    tally: Tally
    seconds: float
    interrupted: bool = False
    sequential: SequentialTest | None = None

    @property
    def hands(self) -> int:
        """Hands that were played."""
        return self.tally.hands

    def estimate(self, player: int) -> Estimate:
        """The win rate of a player in mbb/h; the sample is the duplicate set, or the hand with fresh decks."""
        method = f"money, {'duplicate sets' if self.match.decks == 'duplicate' else 'fresh hands'}"
        return self._of(self.tally.sets[player], MILLI_BIG_BLINDS, method, self.match.set_size)

    def of_hands(self, player: int) -> Estimate:
        """The same results hand by hand, in big blinds: its `sd` is the spread of one hand."""
        return self._of(self.tally.singles[player], BIG_BLINDS, "money, hand by hand", 1)

    def _of(self, accumulator: Accumulator, unit: str, method: str, set_size: int) -> Estimate:
        scale = unit_factor(CHIPS, unit, big_blind=self.match.game.big_blind) / set_size
        return accumulator.estimate(unit=unit, method=method, hands_per_sample=set_size, scale=scale)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values for JSON."""
        match = self.match
        result: dict[str, Any] = {
            "game": match.game.name,
            "hands": self.hands,
            "seed": match.seed,
            "decks": match.decks,
            "seconds": round(self.seconds, 3),
            "set_size": match.set_size,
            "interrupted": self.interrupted,
            "bots": [self._player_dict(player) for player in range(len(match.players))],
        }
        if self.sequential is not None:
            result["sequential"] = sequential_dict(self.sequential)
        return result

    def _player_dict(self, player: int) -> dict[str, Any]:
        rate = self.estimate(player)
        faults = self.tally.faults.of_player(player)
        return {
            "name": self.match.players[player].name,
            "mbb": rate.mean,
            "stderr_mbb": rate.stderr,
            "ci95_mbb": rate.ci95,
            "bb100": rate.in_unit(BIG_BLINDS_PER_100).mean,
            "sd_bb": self.of_hands(player).sd,
            "net_chips": int(self.tally.net_chips[player]),
            "faults": sum(faults.values()),
            "faults_by_kind": faults,
            "first_faults": [
                {"kind": case.kind, "hand": case.hand, "detail": case.detail}
                for case in self.tally.faults.cases
                if case.player == player
            ],
            "samples": rate.samples,
            "warnings": list(rate.warnings),
        }

    def figure(self) -> Any:
        """The winnings line with its envelope, as a Plotly figure for a notebook."""
        from luckless.report.match_figures import winnings_figure

        return winnings_figure(self)


def sequential_dict(test: SequentialTest) -> dict[str, Any]:
    """The state of a sequential test as plain values for JSON."""
    return {
        "at_most_mbb": test.at_most,
        "at_least_mbb": test.at_least,
        "alpha": test.alpha,
        "beta": test.beta,
        "decision": str(test.decision),
        "sets": test.sets,
    }


def play_match(
    match: Match,
    *,
    stored: Iterable[Chunk] = (),
    workers: int | None = None,
    sequential: SequentialTest | None = None,
    on_chunk: Callable[[Chunk], None] | None = None,
    on_sets: Callable[[NDArray[np.int64]], None] | None = None,
    show_progress: bool = False,
) -> MatchResult:
    """Plays a match and counts it. Ctrl-C ends it early with what was played so far.

    A sequential test judges the first player's results and ends the match when it is decided. `on_chunk` is called
    with every chunk, in order (to store it, say), `on_sets` with the chips that each player won in each of its sets.
    `stored` are the first chunks of the match, played before: they are counted, and the match goes on after them.
    """
    tally = Tally(len(match.players), match.set_size, match.hands, match.game.big_blind)
    scale = unit_factor(CHIPS, MILLI_BIG_BLINDS, big_blind=match.game.big_blind) / match.set_size
    started, interrupted = perf_counter(), False
    with Progress(match.hands, "hands", show=show_progress) as progress:
        try:
            for chunk in _all_chunks(match, stored, workers):
                won = tally.add(chunk)
                if on_chunk is not None:
                    on_chunk(chunk)
                if on_sets is not None:
                    on_sets(won)
                progress.advance(len(chunk.streets), partial(_so_far, match, tally, started))
                if sequential is not None and sequential.update(won[:, 0] * scale) is not Decision.UNDECIDED:
                    break
        except KeyboardInterrupt:
            if tally.hands == 0:
                raise
            interrupted = True
    return MatchResult(match, tally, perf_counter() - started, interrupted, sequential)


def _all_chunks(match: Match, stored: Iterable[Chunk], workers: int | None) -> Iterator[Chunk]:
    """The chunks that were played before, then the rest of the match."""
    first = 0
    for chunk in stored:
        yield chunk
        first = chunk.seated.first + len(chunk.streets)
    yield from match.chunks(first, workers)


def _so_far(match: Match, tally: Tally, started: float) -> str:
    """Hands a second and the interval so far, for the progress bar."""
    result = MatchResult(match, tally, perf_counter() - started)
    rate = result.estimate(0)
    interval = f", {match.players[0].name} {rate.mean:+,.0f} mbb/h" + (
        f" [{rate.ci95[0]:+,.0f}, {rate.ci95[1]:+,.0f}]" if rate.ci95 else ""
    )
    return f"{tally.hands / max(result.seconds, 1e-9):,.0f} hands/s{interval}"
