"""All-in pots at their equity: against every board by hand, and without bias."""

from dataclasses import replace

import numpy as np
import pytest

from luckless.cards import parse_cards
from luckless.histories.hand_detail import details
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.skill.all_in import AllIn, expected_payoffs
from stored_hands import played

THREE = Game(name="three", betting="no-limit", seats=3, blinds=(1, 2, 0), stacks=(10, 30, 60))


def hands_of(game: Game, cards: list[list[int]], actions: list[int]) -> HandColumns:
    """Hands with the same actions on different decks."""
    table, rows = Table(game, cards), np.arange(len(cards))
    for action in actions:
        table.act(rows, [action] * len(rows))
    numbers = np.arange(len(cards))
    players = np.tile(np.arange(game.seats, dtype=np.int8), (len(cards), 1))
    return HandColumns(table.records(), numbers, numbers, players, tuple("abc"[: game.seats]))


def test_side_pots_on_the_turn_against_every_river() -> None:
    """Three players all-in before the turn's end, with unequal stacks: the mean over all 42 rivers, to the chip."""
    held, turn = parse_cards("AcAd KhKs 7h6h"), parse_cards("8h9c2dKd")
    rivers = [card for card in range(52) if card not in {*held, *turn}]
    actions = [0, 0, 0, 0, 0, 0, 8, 28, 0]  # everybody limps, the flop is checked, all go in on the turn
    hands = hands_of(THREE, [[*held, *turn, river] for river in rivers], actions)
    told = list(details(hands))
    assert told[0].street == 2
    mean = hands.records.payoffs.mean(axis=0)
    for hand in told:
        assert expected_payoffs(hand) == pytest.approx(mean.tolist())
        assert sum(expected_payoffs(hand)) == pytest.approx(0, abs=1e-6)
    exact = expected_payoffs(told[0])
    assert all(expected_payoffs(hand) == exact for hand in told)


def test_other_hands_keep_their_result_and_the_mean_stays() -> None:
    hands = played(Game.load("nolimit-hu"), 120)
    moved = 0
    for hand in details(hands):
        expected = expected_payoffs(hand)
        assert sum(expected) == pytest.approx(0, abs=1e-6)
        if not hand.showdown or hand.street == 3:
            assert expected == hand.payoffs
        moved += expected != hand.payoffs
    assert moved > 5
    single = replace(hands, deals=hands.numbers)  # each deal alone: sets of equal bots have no spread
    verdict = AllIn().judge([single])
    for player in verdict.players:
        assert abs(player.money.mean - player.adjusted.mean) < 4 * (player.money.stderr or 0)
        assert player.variance_ratio is not None
        assert player.variance_ratio > 1
