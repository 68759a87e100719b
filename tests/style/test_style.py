"""How agents play: counted by hand on a few hands, and the strategy vector against bots whose answers are known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from luckless.bots.dice import BatchDice
from luckless.bots.python_bot import bot_of
from luckless.league.students import baseline
from luckless.learn.percentiles import percentile_of, percentiles
from luckless.rules.game import Game
from luckless.rules.records import Records
from luckless.rules.table import Table
from luckless.rules.views import Views
from luckless.style.behaviour import CALLS, CHECKS, FOLDS, RAISES, Behaviour, behaviour_of
from luckless.style.cashflow import cashflow_of
from luckless.style.situations import BETS_BB, PAID_BB, Situation, all_situations, player_counts, reach
from luckless.style.strategy import ACTIONS, TENTHS, behaviour_in, strategy_vector

SIX = Game.load("nolimit-6max")
THREE = SIX.with_seats(3)


def _played(game: Game, hands: list[list[int]]) -> Records:
    """Hands of a game, each with its actions."""
    parts = []
    for number, actions in enumerate(hands):
        table = Table.dealt(game, 4, np.array([number]))
        for action in actions:
            table.act(np.zeros(1, np.int64), [action])
        parts.append(table.records())
    return Records.joined(parts)


def test_behaviour_counted_by_hand() -> None:
    # Seats 0 small blind, 1 big blind, 2 button; the button acts first before the flop.
    hands = [
        [-1, -1],  # button folds, small blind folds: the big blind wins without a decision
        [6, 0, -1, 0, 4, 10, -1],  # raise, call, fold; flop: small blind checks, button bets, is raised, folds
        [0, 0, 0, -1, 0, 0, 0, 0, 0, 0],  # limped; small blind folds a free flop; the others check to the end
    ]
    records = _played(THREE, hands)
    players = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1]], np.int8)
    counts = [Behaviour(*row) for row in behaviour_of(records, players, 3).tolist()]
    assert counts == [
        Behaviour(folds=1 + 1, calls=0, checks=4, raises=2),
        Behaviour(folds=0, calls=1 + 1, checks=1 + 3, raises=1),
        Behaviour(folds=1 + 1 + 1, calls=1, checks=0, raises=0),
    ]
    assert counts[0].aggression == 1
    assert counts[0].tightness == 1
    assert counts[1].aggression == pytest.approx(1 / 3)
    assert counts[1].tightness == 0
    assert counts[2].tightness == 3


def test_aggression_and_tightness_are_the_formulas_of_the_thesis() -> None:
    behaviour = Behaviour(folds=30, calls=20, checks=99, raises=60)
    aggression = 60 / 20
    assert behaviour.aggression == pytest.approx(aggression / (aggression + 1))
    assert behaviour.tightness == pytest.approx(30 / (20 + 60))
    assert Behaviour(1, 0, 0, 5).aggression == 1
    assert Behaviour(7, 0, 5, 0).aggression is None
    assert Behaviour(7, 0, 5, 0).tightness is None


def test_cashflow_counted_by_hand() -> None:
    payoffs = np.array([[-4, 10, -6], [30, -10, -20], [5, 5, -10], [0, 0, 0]], np.int32)
    empty = np.zeros(0, np.int32)
    records = Records(
        THREE, np.zeros((4, 11), np.uint8), np.zeros((4, 3), np.int32), np.zeros(4, np.int64), empty, payoffs
    )
    players = np.array([[0, 1, 2], [0, 1, 2], [2, 1, 0], [0, 1, 2]], np.int8)
    flows = cashflow_of(records, players, 3)
    assert flows.tolist() == [[0, 4 + 5, 0 + 5], [10, 0, 0], [20, 6, 0]]
    together = cashflow_of(records, np.array([[0, 1, 0]] * 4, np.int8), 2)
    assert together.tolist() == [[20 + 5, 4 + 6 + 5], [10, 0]]


def test_situations_are_what_they_say() -> None:
    situations = all_situations(6)
    assert len(situations) * TENTHS == 4_320
    assert len(situations) * TENTHS * ACTIONS == 228_960  # as long as the thesis's vector
    more = 0
    for situation in situations:
        hand = reach(SIX, situation).public[0]
        assert (hand["actor"], hand["street"]) == (situation.seat, situation.street)
        live = int(hand["live"]).bit_count()
        if situation.street == 0:
            assert hand["bet"] == min(BETS_BB[situation.money] * 2, 200)
            assert live >= situation.players
            more += live > situation.players
            assert live == situation.players or situation.money == 0
        else:
            assert live == situation.players
            assert (hand["to_call"] > 0) == situation.money % 2
            paid = PAID_BB[situation.money // 2] * 2
            before = hand["invested"] - hand["street_bet"]
            assert all(before[seat] == paid for seat in range(6) if hand["live"] >> seat & 1)
            if situation.money % 2:
                assert hand["bet"] == max(before.sum() // 2, 2)
    assert more == 6


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_shorter_tables_have_situations_too(seats: int) -> None:
    game = SIX.with_seats(seats)
    situations = all_situations(seats)
    assert len(situations) == 4 * seats * len(player_counts(seats)) * 6
    for situation in situations:
        hand = reach(game, situation).public[0]
        assert (hand["actor"], hand["street"]) == (situation.seat, situation.street)


def test_vectors_of_bots_whose_answers_are_known() -> None:
    faces_a_bet = np.array([reach(SIX, one).public["to_call"][0] > 0 for one in all_situations(6)])
    call = strategy_vector(baseline("call"), SIX, 2, 1)
    assert (call.sum(axis=2) == 2).all()
    assert (call[faces_a_bet][..., CALLS] == 2).all()
    assert (call[~faces_a_bet][..., CHECKS] == 2).all()
    assert behaviour_in(call) == Behaviour(0, 40 // 2 * int(faces_a_bet.sum()), 20 * int((~faces_a_bet).sum()), 0)
    fold = strategy_vector(baseline("fold"), SIX, 2, 1)
    assert (fold[faces_a_bet][..., FOLDS] == 2).all()


def test_raises_are_sorted_by_size() -> None:
    flop = all_situations(6).index(Situation(1, 0, 2, 0))  # two in a pot of 4, 198 behind, nothing bet
    smallest = strategy_vector(baseline("raise"), SIX, 1, 1)
    assert (smallest[flop][:, RAISES] == 1).all()  # to 2: the first four chips
    everything = strategy_vector(baseline("all-in"), SIX, 1, 1)
    assert (everything[flop][:, RAISES + 49] == 1).all()  # to 198: above 196
    before = all_situations(6).index(Situation(0, 2, 6, 0))
    assert (everything[before][:, RAISES + 49] == 1).all()
    assert (smallest[before][:, RAISES] == 1).all()  # to 4, which still is the first four


class _Looks:
    """Calls, and keeps what it sees."""

    def __init__(self) -> None:
        self.seen: list[Views] = []

    def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
        self.seen.append(views)
        return np.zeros(len(views), np.int64)


def test_tenths_rise_with_the_cards() -> None:
    looks = _Looks()
    strategy_vector(bot_of(looks), SIX, 3, 1)
    assert [len(views) for views in looks.seen] == [108 * 30] * 4
    for street, views in enumerate(looks.seen):
        ranks = [percentile_of(cards, street, percentiles()) for cards in views.cards[:30]]
        assert ranks == sorted(ranks)
        assert np.array_equal(views.cards[:30], views.cards[30:60])
        shown = (views.cards[0] != 255).sum()
        assert shown == 2 + (0, 3, 4, 5)[street]
        for row in (0, 999, len(views) - 1):
            steps = int(views.public["steps"][row])
            history = views.one(row).history
            assert len(history) == steps
            assert history[-1].street <= street if history else street == 0


def test_a_wrong_answer_counts_as_what_it_becomes() -> None:
    class Wrong:
        def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
            return np.full(len(views), 10_000)

    assert np.array_equal(strategy_vector(bot_of(Wrong()), SIX, 1, 1), strategy_vector(baseline("fold"), SIX, 1, 1))
