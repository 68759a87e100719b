"""Nash is unbeaten: over a million hands each no shipped bot wins more from it than it promises (slow)."""

from collections.abc import Iterator

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.bots.registry import ENTRIES
from luckless.cards import format_cards
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.rules.dealing import deal
from luckless.rules.game import Game
from luckless.solve.board_solutions import TARGET
from luckless.solve.nash_bot import NashBot
from luckless.stats.estimate import Estimate, estimate

GAME = Game.load("river-hu")
BOARDS, HANDS = 100, 10_000
"""Sampled boards, and hands on each: a board is solved once, so that the time goes into hands."""


def rates_by_board(nash: NashBot, opponent: str, boards: int, hands: int) -> Iterator[float]:
    """What a bot wins from `nash` on each of some boards, in mbb/h."""
    for number, cards in enumerate(deal(GAME, 2026, range(boards))[:, -5:]):
        game = Game.from_dict({**GAME.to_dict(), "name": "one-board", "board": format_cards(cards.tolist())})
        result = play_match(Match.plan(game, [nash, load_bot(opponent)], hands=hands, seed=number + 1))
        yield result.estimate(1).mean


def won(rates: list[float], hands: int) -> Estimate:
    """The win rate; a sample is a board with all its hands."""
    return estimate(np.array(rates), unit="mbb/h", method="boards", hands_per_sample=hands)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", [entry.name for entry in ENTRIES])
def test_over_a_million_hands_no_bot_wins_more_than_nash_promises(opponent: str) -> None:
    rate = won(list(rates_by_board(NashBot(), opponent, BOARDS, HANDS)), HANDS)
    assert rate.hands == 1_000_000
    assert rate.stderr is not None
    promised = 1000 * TARGET * GAME.pot / GAME.big_blind
    assert rate.mean - 3 * rate.stderr < promised, rate
