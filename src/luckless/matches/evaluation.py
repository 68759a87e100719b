"""The standard suite: one bot against known opponents, each on the same decks, read by published guidelines."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.keys import seed_as_json, trial_seed
from luckless.matches.match import Match
from luckless.matches.result import MatchResult, play_match, set_scale
from luckless.matches.seating import Decks
from luckless.rules.game import Game
from luckless.shown import Shown
from luckless.stats.compare import Comparison, compare_independent, compare_paired
from luckless.stats.guidelines import RIVER_GAME, Reading, reading
from luckless.stats.units import MILLI_BIG_BLINDS

STANDARD_OPPONENTS = ("random", "call", "fold", "pot-odds", "value-bet")
"""Three that play without looking at their cards, and two that know what their cards are worth."""

OnSets = Callable[[NDArray[np.int64]], None]
PlayTrial = Callable[[int, Match, OnSets], MatchResult]
"""Plays the match against opponent number so-and-so and hands out the chips of its sets."""


def standard_opponents(bot: str, game: str) -> tuple[str, ...]:
    """The standard opponents of a bot in a game, which may be solved: it does not play itself."""
    solved = ("nash",) if game == RIVER_GAME else ()
    return tuple(name for name in (*STANDARD_OPPONENTS, *solved) if name != bot)


@dataclass(frozen=True)
class Trial:
    """One bot against one opponent (which fills all other seats), with the reading of the result."""

    opponent: str
    result: MatchResult
    samples_mbb: NDArray[np.float64] | None = None
    """The bot's result of each independent sample, in mbb/h; None for a trial that was loaded."""

    @property
    def reading(self) -> Reading:
        """What the win rate means."""
        rate = self.result.estimate(0)
        return reading(rate.mean, rate.ci95, opponent=self.opponent, game=self.result.match.game.name)

    def to_dict(self) -> dict[str, Any]:
        """The bot's result against this opponent as plain values for JSON."""
        figures = {key: value for key, value in self.result.to_dict()["bots"][0].items() if key != "name"}
        return {
            "name": self.opponent,
            **figures,
            "reading": self.reading.sentence,
            "caveats": list(self.reading.caveats),
        }


@dataclass(frozen=True, repr=False)
class Evaluation(Shown):
    """A bot against each opponent, and where another bot played the same opponents, the comparison of the two."""

    showing: ClassVar[str] = "evaluation"

    bot: str
    trials: tuple[Trial, ...]
    compared_with: str | None = None
    others: tuple[Trial, ...] = ()
    """The other bot against the same opponents."""
    comparisons: tuple[Comparison, ...] = ()
    """The bot minus the other, against each opponent."""
    interrupted: bool = False
    """Whether it was ended before all was played."""
    given_seed: int | None = None
    """The seed of the whole, if that is not the seed of each match."""

    @classmethod
    def of(
        cls,
        bot: str,
        trials: Sequence[Trial],
        other: str | None = None,
        others: Sequence[Trial] = (),
        seed: int | None = None,
    ) -> "Evaluation":
        """The evaluation that the trials of a bot, and of another on the same decks, make."""
        comparisons = tuple(compare_trials(a, b) for a, b in zip(trials, others, strict=False))
        interrupted = any(trial.result.interrupted for trial in (*trials, *others))
        return cls(bot, tuple(trials), other, tuple(others), comparisons, interrupted, seed)

    @property
    def seed(self) -> int:
        """The seed of the whole; those of sealed matches are made from it."""
        return self.trials[0].result.match.seed if self.given_seed is None else self.given_seed

    @property
    def warnings(self) -> list[str]:
        """What the whole takes for granted."""
        match = self.trials[0].result.match
        own = dataclasses.replace(match, seed=self.seed)  # the seeds that are made from a small one are large
        return own.warnings

    def to_dict(self) -> dict[str, Any]:
        """The evaluation as plain values for JSON."""
        match = self.trials[0].result.match
        result: dict[str, Any] = {
            "bot": self.bot,
            "game": match.game.name,
            "hands": match.hands,
            "seed": seed_as_json(self.seed),
            "decks": match.decks,
            "opponents": [trial.to_dict() for trial in self.trials],
        }
        if self.compared_with is not None:
            result["compared_with"] = self.compared_with
            result["comparisons"] = [
                {"opponent": trial.opponent, "difference_mbb": test.difference, "stderr_mbb": test.stderr,
                 "ci95_mbb": test.ci95, "z": test.z, "p_value": test.p_value, "method": test.method}
                for trial, test in zip(self.trials, self.comparisons, strict=False)
            ]  # fmt: skip
        return {**result, "interrupted": self.interrupted, "warnings": self.warnings}


def evaluate(
    bot: Bot,
    opponents: Sequence[Bot],
    game: Game,
    *,
    hands: int,
    seed: int,
    decks: Decks | None = None,
    sealed: bool = False,
    decision_seconds: float = 10.0,
    show_progress: bool = False,
    play: PlayTrial | None = None,
) -> list[Trial]:
    """Plays the bot against each opponent in turn, on the decks of the same seed. Where these are sealed, they are
    others against each opponent: a bot from outside might remember them.

    `play` plays a match in place of `play_match`, to store it, say.
    """

    def only_play(number: int, match: Match, on_sets: OnSets) -> MatchResult:
        return play_match(match, on_sets=on_sets, show_progress=show_progress)

    trials = []
    for number, opponent in enumerate(opponents):
        players = [bot, *[opponent] * (game.seats - 1)]
        match = Match.plan(
            game,
            players,
            hands=hands,
            seed=trial_seed(seed, number) if sealed else seed,
            decks=decks,
            sealed=sealed,
            decision_seconds=decision_seconds,
        )
        won: list[NDArray[np.int64]] = []
        result = (play or only_play)(number, match, won.append)
        samples_mbb = np.concatenate(won)[:, 0].astype(np.float64) * set_scale(result.match)
        trials.append(Trial(opponent.name, result, samples_mbb))
        if result.interrupted:
            break
    return trials


def compare_trials(a: Trial, b: Trial) -> Comparison:
    """Two bots against the same opponent: paired where both played the same decks, else as independent."""
    same_decks = a.result.match.decks == b.result.match.decks and a.result.match.keys == b.result.match.keys
    ours, theirs = a.samples_mbb, b.samples_mbb
    if same_decks and ours is not None and theirs is not None and len(ours) == len(theirs):
        return compare_paired(ours, theirs, unit=MILLI_BIG_BLINDS, method=f"v {a.opponent}")
    return compare_independent(a.result.estimate(0), b.result.estimate(0))
