"""The standard suite: one bot against known opponents, each on the same decks, read by published guidelines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.matches.match import Decks, Match
from luckless.matches.result import MatchResult, play_match
from luckless.rules.game import Game
from luckless.stats.compare import Comparison, compare_independent, compare_paired
from luckless.stats.guidelines import Reading, reading
from luckless.stats.units import CHIPS, MILLI_BIG_BLINDS, unit_factor

STANDARD_OPPONENTS = ("random", "call", "fold")


@dataclass(frozen=True)
class Trial:
    """One bot against one opponent (which fills all other seats), with the reading of the result."""

    opponent: str
    result: MatchResult
    samples_mbb: NDArray[np.float64]
    """The bot's result of each independent sample, in mbb/h."""

    @property
    def reading(self) -> Reading:
        """What the win rate means."""
        rate = self.result.estimate(0)
        return reading(rate.mean, rate.ci95, opponent=self.opponent, game=self.result.match.game.name)


def evaluate(
    bot: Bot,
    opponents: Sequence[Bot],
    game: Game,
    *,
    hands: int,
    seed: int,
    decks: Decks | None = None,
    decision_seconds: float = 10.0,
    show_progress: bool = False,
) -> list[Trial]:
    """Plays the bot against each opponent in turn, always on the decks of the same seed."""
    trials = []
    for opponent in opponents:
        players = [bot, *[opponent] * (game.seats - 1)]
        match = Match.plan(game, players, hands=hands, seed=seed, decks=decks, decision_seconds=decision_seconds)
        won: list[NDArray[np.int64]] = []
        result = play_match(match, on_sets=won.append, show_progress=show_progress)
        scale = unit_factor(CHIPS, MILLI_BIG_BLINDS, big_blind=game.big_blind) / match.set_size
        samples_mbb = np.concatenate(won)[:, 0].astype(np.float64) * scale
        trials.append(Trial(opponent.name, result, samples_mbb))
        if result.interrupted:
            break
    return trials


def compare_trials(a: Trial, b: Trial) -> Comparison:
    """Two bots against the same opponent: paired where both played the same decks, else as independent."""
    same_decks = a.result.match.decks == b.result.match.decks and a.result.match.seed == b.result.match.seed
    if same_decks and len(a.samples_mbb) == len(b.samples_mbb):
        return compare_paired(a.samples_mbb, b.samples_mbb, unit=MILLI_BIG_BLINDS, method=f"v {a.opponent}")
    return compare_independent(a.result.estimate(0), b.result.estimate(0))
