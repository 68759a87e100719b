"""Learners on games whose best play is known by enumeration: they must find nearly all of it."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from learn_rounds import teach, win_rate
from luckless.bots.catalogue import load_bot
from luckless.bots.dice import BatchDice
from luckless.bots.python_bot import bot_of
from luckless.cards import parse_cards
from luckless.hands.strength import strengths
from luckless.learn.agents import new_learner, settings_of
from luckless.rules.game import Game
from luckless.rules.views import Views

pytest.importorskip("torch")

BOARD = tuple(parse_cards("Kd9s2hJc4d"))
LEFT = [card for card in range(52) if card not in BOARD]
PAIRS = np.array([(a, b) for place, a in enumerate(LEFT) for b in LEFT[:place]], np.uint8)
STRENGTHS = strengths(np.hstack([PAIRS, np.tile(np.array(BOARD, np.uint8), (len(PAIRS), 1))])).astype(np.int64)
APART = ~(PAIRS[:, None, :, None] == PAIRS[None, :, None, :]).any(axis=(2, 3))
"""Which two pairs share no card."""
AHEAD = np.sign(STRENGTHS[:, None] - STRENGTHS[None, :]) * APART
"""1 where the first pair beats the second, -1 where it loses, 0 for a tie or where both cannot be dealt."""

POT, STACK = 20, 90
SPOT = Game(
    name="spot", betting="no-limit", seats=2, blinds=(0, 0), stacks=(STACK, STACK), first_street=3, pot=POT,
    board=BOARD, unit=10,
)  # fmt: skip
"""A bandit: against somebody who always calls, one bet on the river decides all."""

BET = 10
HALF_STREET = Game(
    name="one-bet", betting="limit", seats=2, blinds=(0, 0), stacks=(40, 40), first_street=3, pot=POT, board=BOARD,
    bet_sizes=(BET, BET, BET, BET), max_bets=(1, 1, 1, 1), unit=10,
)  # fmt: skip
"""As large as Kuhn poker: check or bet once, then call or fold; only the hands are 1,081 instead of three."""


def best_value_of_the_spot() -> float:
    """In mbb a hand: all-in with every pair that wins more often than it loses, else a free showdown."""
    edge = AHEAD.sum(axis=1) / APART.sum(axis=1)
    return float(np.maximum(edge * (POT / 2 + STACK), edge * POT / 2).mean() * 1000 / SPOT.big_blind)


class Opponent:
    """Plays one bet by the rank of its hand: never bluffs, and folds half of its hands to a bet."""

    order: NDArray[np.float64] = (STRENGTHS[:, None] > STRENGTHS[None, :]).mean(axis=1)
    bets: NDArray[np.bool_] = order > 0.6
    calls: NDArray[np.bool_] = order > 0.5
    numbers = np.zeros((52, 52), np.int64)

    def __init__(self) -> None:
        self.numbers[PAIRS[:, 0], PAIRS[:, 1]] = self.numbers[PAIRS[:, 1], PAIRS[:, 0]] = np.arange(len(PAIRS))

    def decide_batch(self, views: Views, dice: BatchDice) -> Any:
        """Its fixed rule."""
        pairs = self.numbers[views.hole[:, 0], views.hole[:, 1]]
        opened = np.where(self.bets[pairs] & (views.max_raise_to > 0), views.max_raise_to, 0)
        return np.where(views.to_call > 0, np.where(self.calls[pairs], 0, -1), opened)


def best_value_against_the_opponent() -> float:
    """In mbb a hand, over both seats: each pair takes the best of its lines against all pairs of the opponent."""
    bets, calls, half, whole = Opponent.bets[None, :], Opponent.calls[None, :], POT / 2, POT / 2 + BET

    def mean(values: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray((values * APART).sum(axis=1) / APART.sum(axis=1))

    bet = mean(np.where(calls, AHEAD * whole, half))
    checked_call = mean(np.where(bets, AHEAD * whole, AHEAD * half))
    checked_fold = mean(np.where(bets, -half, AHEAD * half))
    first = np.maximum(bet, np.maximum(checked_call, checked_fold))
    after_bet = np.maximum(mean(bets * AHEAD * whole), mean(bets * np.full_like(AHEAD, -half, np.float64)))
    after_check = np.maximum(mean(~bets * np.where(calls, AHEAD * whole, half)), mean(~bets * AHEAD * half))
    return float((first.mean() + (after_bet + after_check).mean()) / 2 * 1000 / HALF_STREET.big_blind)


SMALL = {"hidden": [64, 64], "batch": 128, "passes": 4.0, "value_range": 1.0}
KINDS = {
    "qlearn-8": SMALL,
    "qlearn-all": SMALL,
    "sac-low": {**SMALL, "passes": 2.0, "policy_rate": 0.003, "polyak": 0.95},
    "sac-high": {**SMALL, "passes": 2.0, "policy_rate": 0.003, "polyak": 0.95},
}


def test_the_values_are_those_of_simple_players() -> None:
    """Nobody who plays one line with every hand comes near the best value."""
    for name in ("call", "raise", "fold"):
        assert win_rate(load_bot(name), SPOT, [load_bot("call")], hands=20_000).mean < best_value_of_the_spot() / 4
        tried = win_rate(load_bot(name), HALF_STREET, [bot_of(Opponent())], hands=20_000)
        assert tried.mean < 0.8 * best_value_against_the_opponent()


@pytest.mark.parametrize("kind", KINDS)
def test_learners_find_the_best_of_a_river_spot(kind: str) -> None:
    learner = new_learner(settings_of(kind, KINDS[kind]), seed=1)
    teach(learner, SPOT, [load_bot("call")], rounds=12, hands=4000)
    won = win_rate(learner.bot(explore=False), SPOT, [load_bot("call")], hands=20_000)

    assert won.mean > 0.8 * best_value_of_the_spot()


@pytest.mark.parametrize("kind", KINDS)
def test_learners_find_the_best_answer_in_a_game_as_large_as_kuhn(kind: str) -> None:
    learner = new_learner(settings_of(kind, KINDS[kind]), seed=1)
    teach(learner, HALF_STREET, [bot_of(Opponent())], rounds=12, hands=4000)
    won = win_rate(learner.bot(explore=False), HALF_STREET, [bot_of(Opponent())], hands=40_000)

    assert won.mean > 0.7 * best_value_against_the_opponent()
