"""Learners trained against one bot that never changes: what the best of them wins is a lower bound of how exploitable
that bot is.

Every kind of learner plays rounds against the bot and learns from them until the time is over. Then all play a first
set of fresh hands, on which the best is chosen, and that one alone a second set, on which it is measured: the choice
does not flatter the figure.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless import work_clock
from luckless.bots.bot import Bot
from luckless.bots.lineup import Lineup
from luckless.errors import InputError
from luckless.keys import Keys
from luckless.learn.agents import new_learner
from luckless.learn.decisions import Lesson
from luckless.learn.learner import Learner
from luckless.learn.registry import KINDS, settings_of
from luckless.matches.match import Match
from luckless.matches.playing import Playing, Seated
from luckless.matches.seating import fresh_seating
from luckless.progress import Progress
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.solve.bounds import Bound, measured

ROUND = 2_000
"""Hands between two lessons."""
MEASURED_HANDS = 20_000
"""Hands on which the best learner is measured unless another number is asked for."""
CHOICE = 10_000
"""Hands on which the best learner is chosen, unless fewer are measured."""
_CHOOSING, _MEASURING = 1_000_003, 2_000_003
"""What is added to the seed for the hands of choosing and of measuring: no learner has seen them."""


@dataclass(frozen=True)
class Training:
    """How learners are trained: for so many minutes, or for so many rounds each if that is given."""

    minutes: float = 10.0
    rounds: int | None = None
    kinds: tuple[str, ...] = KINDS

    def __post_init__(self) -> None:
        if not 0 < self.minutes < 1e6:
            raise InputError(f"--minutes is {self.minutes:g}; allowed is more than 0")


def learned_bound(
    bot: Bot, game: Game, training: Training, hands: int = MEASURED_HANDS, seed: int = 1, show_progress: bool = False
) -> Bound:
    """What the best of our learners wins from a bot, after training that Ctrl-C ends early."""
    if game.seats != 2:
        raise InputError(f"game {game.name}: a bound by learning needs two seats")
    if not 4 <= hands <= 10**9:
        raise InputError(f"--hands is {hands}; allowed is 4 to 1,000,000,000")
    settings = [settings_of(kind, {"value_range": 1.0}) for kind in training.kinds]
    learners = [new_learner(one, seed + place) for place, one in enumerate(settings)]
    trained = _train(bot, game, learners, training, seed, show_progress)
    chosen = {
        learner.settings.kind: _won(learner, bot, game, min(CHOICE, hands), seed + _CHOOSING).mean()
        for learner in learners
    }
    best = max(learners, key=lambda learner: chosen[learner.settings.kind])
    won = _won(best, bot, game, hands, seed + _MEASURING)
    scale = 1000 / game.big_blind
    facts: dict[str, Any] = {"hands": 2 * len(won), "seed": seed, "trained_hands": trained}
    facts["chosen_by_mbb"] = {kind: float(mean * scale) for kind, mean in chosen.items()}
    return measured(bot.name, game, "learn", f"the learner {best.settings.kind}", won, facts)


def _train(bot: Bot, game: Game, learners: list[Learner], training: Training, seed: int, show_progress: bool) -> int:
    """Rounds of all learners in turn; returns the hands that were played."""
    until = work_clock.seconds() + 60 * training.minutes
    goes_on: Callable[[int], bool] = lambda rounds: work_clock.seconds() < until  # noqa: E731
    if training.rounds is not None:
        most = training.rounds
        goes_on = lambda rounds: rounds < most  # noqa: E731
    rounds = 0
    try:
        with Progress(None, "hands of training", show=show_progress) as progress:
            while goes_on(rounds):
                for place, learner in enumerate(learners):
                    _teach(learner, bot, game, seed, rounds * len(learners) + place)
                    progress.advance(ROUND)
                rounds += 1
    except KeyboardInterrupt:
        pass
    return rounds * len(learners) * ROUND


def _teach(learner: Learner, bot: Bot, game: Game, seed: int, number: int) -> None:
    """One round and its lesson."""
    playing = Playing(game, Lineup.of([learner.bot(explore=True), bot]), Keys(seed))
    numbers = np.arange(number * ROUND, (number + 1) * ROUND)
    players = fresh_seating(2, Keys(seed), number * ROUND, ROUND)
    with playing:
        chunk = playing.play(Seated(numbers, numbers, players))
    learner.learn(Lesson.of([chunk], [0], seed))


def _won(learner: Learner, bot: Bot, game: Game, hands: int, seed: int) -> NDArray[np.float64]:
    """Chips that a learner wins from the bot, for each deal on average over both seats."""
    match = Match.plan(game, [learner.bot(explore=False), bot], hands=hands, seed=seed, decks="duplicate")
    return np.concatenate([_own_values(chunk.hands).reshape(-1, 2).mean(axis=1) for chunk in match.chunks()])


def _own_values(hands: HandColumns) -> NDArray[np.float64]:
    """What the first player won in each hand."""
    own: NDArray[np.float64] = np.where(hands.players == 0, hands.values(), 0.0).sum(axis=1)
    return own
