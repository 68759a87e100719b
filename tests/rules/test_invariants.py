"""What must hold at every moment of every hand of the compiled engine, and that the check of it can fail."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import checked_play as checked
from luckless.rules.game import Game
from luckless.rules.state import encode
from luckless.rules.table import Table
from spots import table

HANDS = 10_000_000
BLOCKS = 4


def check_games(games: list[Game], hands: int, seed: int) -> list[checked.Count]:
    """Plays so many hands of each game; fails with the first violation."""
    counts = []
    for number, game in enumerate(games):
        count = checked.play_checked(encode(game), hands, seed + number)
        assert count.violation == checked.NONE, (checked.VIOLATIONS[count.violation], count, game, seed + number)
        assert count.hand == hands
        counts.append(count)
    return counts


def test_what_holds_at_every_decision() -> None:
    counts = check_games(checked.games_to_check(), hands=300, seed=1)
    hands, decisions, showdowns, side_pots, all_in_blinds = np.array(counts)[:, 1:].sum(axis=0).tolist()
    assert decisions > 3 * hands
    assert showdowns > side_pots > hands // 5
    assert all_in_blinds > hands // 10


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_what_holds_for_ten_million_hands(block: int) -> None:
    games = checked.games_to_check()[block::BLOCKS]
    counts = check_games(games, hands=-(-HANDS // (BLOCKS * len(games))), seed=1000 * (block + 1))
    print("hands, decisions, showdowns, with side pots, all-in in the blinds:", np.array(counts)[:, 1:].sum(axis=0))


Falsify = Callable[[NDArray[np.void]], None]


def _set(field: str, value: int) -> Falsify:
    def falsify(hand: NDArray[np.void]) -> None:
        hand[field] = value

    return falsify


def _move_chips(seat: int, stack: int, invested: int = 0) -> Falsify:
    def falsify(hand: NDArray[np.void]) -> None:
        hand["stack"][0, seat] += stack
        hand["invested"][0, seat] += invested

    return falsify


def a_hand() -> Table:
    """Three seats, the button to act over blinds of 1 and 2: it may fold, call 2 or raise to 4..200."""
    return Table.dealt(table("no-limit", [200, 200, 200]), 1, [0])


@pytest.mark.parametrize(
    ("falsify", "violation"),
    [
        (_move_chips(2, -201), checked.NEGATIVE_STACK),
        (_move_chips(0, 0, -1), checked.NEGATIVE_BET),
        (_move_chips(1, 1), checked.LOST_CHIPS),
        (_set("pot", 4), checked.LOST_CHIPS),
        (_move_chips(1, 0, 1), checked.WRONG_POT),
        (_set("able", 0b011), checked.WRONG_ABLE),
    ],
)
def test_wrong_chips_are_found(falsify: Falsify, violation: int) -> None:
    waiting = a_hand()
    hand = waiting.public.copy()
    assert checked.wrong_chips(waiting.rules[0], hand[0], 600) == checked.NONE
    falsify(hand)
    assert checked.wrong_chips(waiting.rules[0], hand[0], 600) == violation


@pytest.mark.parametrize(
    ("falsify", "violation"),
    [
        (_set("actor", 3), checked.WRONG_ACTOR),
        (_set("able", 0b011), checked.WRONG_ACTOR),
        (_set("live", 0b100), checked.ALONE),
        (_set("to_call", 201), checked.WRONG_CALL),
        (_set("to_call", -1), checked.WRONG_CALL),
        (_set("min_raise_to", 201), checked.UNORDERED),
        (_set("min_raise_to", 0), checked.UNORDERED),
        (_set("max_raise_to", 3), checked.UNORDERED),
        (_set("max_raise_to", 201), checked.UNREACHABLE),
        (_set("min_raise_to", 2), checked.NO_RAISE),
        (_set("able", 0b100), checked.NO_RAISE),
    ],
)
def test_wrong_offers_are_found(falsify: Falsify, violation: int) -> None:
    waiting = a_hand()
    hand = waiting.public.copy()
    assert checked.wrong_offer(waiting.rules[0], hand[0]) == checked.NONE
    falsify(hand)
    assert checked.wrong_offer(waiting.rules[0], hand[0]) == violation


@pytest.mark.parametrize(
    ("payoffs", "violation"),
    [
        ([100, 100, -199], checked.UNBALANCED),
        ([-51, 251, -200], checked.BELOW_NOTHING),
        ([-50, 249, -199], checked.PAID_FOLDER),
        ([101, 99, -200], checked.PAID_TOO_MUCH),
    ],
)
def test_wrong_payoffs_are_found(payoffs: list[int], violation: int) -> None:
    """Seat 0 is all-in for 50, seats 1 and 2 for 200; seat 2 is then made to have folded."""
    played = Table.dealt(table("no-limit", [50, 200, 200]), 1, [0])
    row = np.array([0])
    for action in (200, 0, 0):
        played.act(row, [action])
    hand = played.public.copy()
    hand["live"] = 0b011
    stacks = played.stacks[0]
    right = np.array([100, 100, -200], np.int32)
    assert checked.wrong_payoffs(played.rules[0], hand[0], stacks, right) == checked.NONE
    assert checked.wrong_payoffs(played.rules[0], hand[0], stacks, np.array(payoffs, np.int32)) == violation


def test_an_engine_that_goes_wrong_is_found() -> None:
    """Rules falsified on their way to the engine: a negative ante takes back what was never put in."""
    rules = encode(table("no-limit", [200, 200, 200]))
    assert checked.play_checked(rules, 100, seed=1).violation == checked.NONE
    rules["ante"][0, 0] = -1
    found = checked.play_checked(rules, 100, seed=1)
    assert (found.violation, found.hand) == (checked.NEGATIVE_BET, 0)
