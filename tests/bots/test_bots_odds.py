"""The formulas of the odds family at their edges: win rates of 0 and 1, equality, bounds, the lock-in of sessions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bot_twins import SKLANSKY_GRID, OddsTwin, SklanskyTwin, is_locked, label_of
from luckless.bots.catalogue import load_bot
from luckless.bots.python_bot import bot_of
from luckless.bots.shipped import odds
from luckless.bots.shipped.sklansky import GROUPS
from luckless.bots.shipped.value_bet import FOLD_OFFSETS, MAKES
from luckless.divat.settings import STANDARD
from luckless.matches.session import Sessions, play_sessions
from luckless.rules.game import Game
from luckless.rules.state import PUBLIC, encode
from luckless.rules.views import View

FOLD, CALL = -1, 0


def spot(pot: int, to_call: int, raise_to: tuple[int, int] = (0, 0), paid: int = 0) -> NDArray[np.void]:
    """A decision of seat 0, which has put in `paid` on the street."""
    hand = np.zeros(1, PUBLIC)
    hand["pot"], hand["to_call"], hand["rounds_left"] = pot, to_call, -1
    hand["min_raise_to"], hand["max_raise_to"] = raise_to
    hand["street_bet"][0, 0] = paid
    return hand


@pytest.mark.interpreted
def test_calls_exactly_up_to_the_odds() -> None:
    # 90 in the middle, win rate 1/4: 90 x (1/4) / (3/4) = 30 chips may be paid, and not one more.
    assert odds.call_by_odds(spot(90, 30)[0], 0.25, 0.0) == CALL
    assert odds.call_by_odds(spot(90, 31)[0], 0.25, 0.0) == FOLD
    assert odds.call_by_odds(spot(90, 31)[0], 0.25, 0.05) == CALL
    assert odds.call_by_odds(spot(90, 32)[0], 0.25, 0.05) == FOLD


@pytest.mark.interpreted
def test_a_free_check_is_never_folded() -> None:
    for win in (0.0, 0.2):
        assert odds.call_by_odds(spot(100, 0)[0], win, 0.0) == CALL
        assert odds.raise_by_odds(spot(100, 0, (10, 900))[0], win, 0.0, 0.5) == CALL


@pytest.mark.interpreted
def test_raises_the_most_that_costs_less_than_the_odds_allow() -> None:
    # Win rate 3/4: 300 may be paid; a raise must cost less. 20 are already in, so it goes to 20 + 299.
    assert odds.raise_by_odds(spot(100, 10, (40, 900), paid=20)[0], 0.75, 0.0, 0.5) == 319
    assert odds.raise_by_odds(spot(100, 10, (40, 200), paid=20)[0], 0.75, 0.0, 0.5) == 200
    # 100 x 0.6 / 0.4 = 150: one chip less is 149. The smallest raise costs exactly 150: that is not less.
    assert odds.raise_by_odds(spot(100, 10, (150, 900))[0], 0.6, 0.0, 0.5) == CALL
    assert odds.raise_by_odds(spot(100, 10, (149, 900))[0], 0.6, 0.0, 0.5) == 149


@pytest.mark.interpreted
def test_raises_only_above_the_bar() -> None:
    # At 1/2 the odds allow the pot.
    assert odds.raise_by_odds(spot(100, 0, (10, 900))[0], 0.5, 0.0, 0.5) == CALL
    assert odds.raise_by_odds(spot(100, 0, (10, 900))[0], 0.5, 0.0, 0.0) == 99
    assert odds.raise_by_odds(spot(100, 0, (10, 900))[0], 0.0, 0.0, 0.0) == CALL


@pytest.mark.interpreted
def test_a_sure_win_raises_everything() -> None:
    hand = spot(100, 10, (40, 900))[0]
    assert odds.allowed_cost(100, 1.0) == np.inf
    assert odds.raise_by_odds(hand, 1.0, 0.0, 0.5) == 900
    assert odds.raise_mixed(hand, 1.0, 0.05, 1.0, np.uint64(0)) == 900
    assert odds.raise_by_odds(spot(100, 10)[0], 1.0, 0.0, 0.5) == CALL
    assert odds.call_by_odds(spot(100, 10**9)[0], 1.0, 0.0) == CALL


@pytest.mark.interpreted
def test_mixed_amounts_lie_between_the_two_bounds() -> None:
    # amount_0 = 300; conserve 0.4 and risk 0.05: from 180 to 315.
    hand = spot(100, 10, (20, 5000))[0]
    first, middle = np.uint64(0), np.uint64(2**63)
    assert odds.raise_mixed(hand, 0.75, 0.05, 0.4, first) == 180
    assert odds.raise_mixed(hand, 0.75, 0.05, 0.4, middle) == 247
    assert odds.raise_mixed(hand, 0.75, 0.05, 1.0, first) == 20
    words = np.random.default_rng(1).integers(0, 2**64, 4000, np.uint64)
    drawn = np.array([odds.raise_mixed(hand, 0.75, 0.05, 0.4, word) for word in words])
    # The mean of a uniform draw, less half a chip of rounding: 247 +- 39 / sqrt(4000), four standard errors allowed.
    assert abs(drawn.mean() - 247) < 4 * 39 / 4000**0.5


@pytest.mark.interpreted
@given(
    pot=st.integers(1, 10**6),
    to_call=st.integers(0, 10**6),
    least=st.integers(1, 10**6),
    room=st.integers(0, 10**9),
    win=st.floats(0, 1),
    word=st.integers(0, 2**64 - 1),
)
def test_every_answer_is_legal(pot: int, to_call: int, least: int, room: int, win: float, word: int) -> None:
    hand = spot(pot, to_call, (least, least + room))[0]
    answers = [
        odds.raise_by_odds(hand, win, 0.0, 0.5),
        odds.raise_by_odds(hand, win, 10.0, 0.0),
        odds.raise_mixed(hand, win, 0.05, 0.8, np.uint64(word)),
    ]
    assert all(answer in (FOLD, CALL) or least <= answer <= least + room for answer in answers)


def view_of(stack: int, rounds_left: int, to_call: int = 10) -> View:
    return View(
        seat=0,
        seats=2,
        street=0,
        hole=(0, 5),
        board=(),
        big_blind=10,
        pot=15,
        to_call=to_call,
        min_raise_to=20,
        max_raise_to=stack,
        rounds_left=rounds_left,
        session_stack=1000,
        stacks=(stack, 1000),
        street_bets=(0, 10),
        invested=(0, 10),
        live=(True, True),
        history=(),
    )


@pytest.mark.parametrize(
    ("stack", "rounds_left", "locked"),
    [(1101, 10, True), (1100, 10, False), (1001, 0, True), (1000, 0, False), (2000, -1, False)],
)
def test_lock_in_needs_a_lead_that_the_blinds_cannot_cost(stack: int, rounds_left: int, locked: bool) -> None:
    hand = spot(15, 10)
    hand["stack"][0, 0], hand["rounds_left"], hand["session_stack"] = stack, rounds_left, 1000
    rules = encode(Game(name="x", betting="no-limit", seats=2, blinds=(10, 5), stacks=(1000, 1000)))
    assert odds.locked_in(rules[0], hand[0]) == locked
    assert is_locked(view_of(stack, rounds_left), 10) == locked


def test_lock_in_plays_the_same_sessions_as_its_twin() -> None:
    """Also shows that a Python bot and a compiled one are told the same of the session."""
    twin = OddsTwin("above", lock=10, risk=0.05)
    plain = play_sessions(Sessions.plan([load_bot("pot-odds:risk=0.05"), load_bot("uniform")], games=8))
    locked = play_sessions(Sessions.plan([load_bot("pot-odds:risk=0.05,lock=1"), load_bot("uniform")], games=8))
    slowly = play_sessions(Sessions.plan([bot_of(twin), load_bot("uniform")], games=8))
    np.testing.assert_array_equal(locked.chips, slowly.chips)
    assert (plain.chips != locked.chips).any()


def test_lock_in_wins_more_sessions() -> None:
    """A lead that is locked in cannot be lost again, so on the same deals more sessions are won."""
    won = [
        play_sessions(Sessions.plan([load_bot(text), load_bot("call")], games=2000)).pairing(0, 1).wins
        for text in ("pot-odds", "pot-odds:lock=1")
    ]
    assert won[1] > won[0]


@pytest.mark.interpreted
def test_sklansky_groups_are_those_of_the_grid() -> None:
    twin = SklanskyTwin()
    by_label = {label: number + 1 for number, labels in enumerate(GROUPS) for label in labels.split()}
    for low in range(52):
        for high in range(low + 1, 52):
            assert by_label.get(label_of((low, high)), 9) == twin.group_of((low, high))
    assert [len(labels.split()) for labels in GROUPS] == [5, 5, 6, 8, 18, 10, 18, 15]
    assert len(SKLANSKY_GRID.split()) == 169


@pytest.mark.interpreted
def test_value_bet_uses_the_standard_settings_of_divat() -> None:
    assert [float(offset) for offset in STANDARD.fold_offsets] == FOLD_OFFSETS.tolist()
    assert [[float(make) for make in row] for row in STANDARD.makes] == MAKES.tolist()
