"""Outputs and actions: every legal choice has one output, and every output one legal action."""

import numpy as np
import pytest

from luckless.learn.qlearn import (
    CALL_OUTPUT,
    FIRST_RAISE,
    FOLD_OUTPUT,
    PRESETS,
    Raises,
    best_raise,
    output_of,
    raise_at,
    raise_places,
    raises_in,
    raises_of,
    squashed_fold,
)
from luckless.learn.sac import sac_action

EIGHT, EVERYTHING = PRESETS.values()

LISTS = {
    "by": raises_in([4, 8, 16, 32, 64, 100, 200], True),
    "to": raises_in(range(2, 201), False),
    "one": raises_in([10], False),
    "qlearn-8, big blind 1": raises_of(EIGHT, 1),
    "qlearn-all, big blind 1": raises_of(EVERYTHING, 1),
    "qlearn-all, big blind 3": raises_of(EVERYTHING, 3),
}


def plain_raises(raises: Raises, bet: int, least: int, most: int) -> list[int]:
    """The raises that can be chosen, from the words: the legal ones; all-in by the next larger; or the smallest."""
    wanted = [int(amount) + (bet if raises.by else 0) for amount in raises.amounts]
    legal = [amount for amount in wanted if least <= amount <= most]
    if most not in legal and any(amount > most for amount in wanted):
        legal.append(most)
    return legal or [least]


@pytest.mark.parametrize("name", LISTS)
def test_outputs_and_actions_are_one_to_one(name: str) -> None:
    raises = LISTS[name]
    for bet in (0, 2, 7, 50):
        for least in (bet + 1, bet + 2, bet + 9, bet + 90, bet + 400):
            for most in (least, least + 1, least + 30, least + 1000):
                first, end = raise_places(raises, bet, least, most)
                actions = [raise_at(place, raises, bet, least, most) for place in range(first, end)]
                assert actions == plain_raises(raises, bet, least, most)
                assert len(set(actions)) == len(actions)
                outputs = [output_of(action, raises, bet) for action in actions]
                assert outputs == raises.outputs[first:end].tolist()


def test_no_raise_when_raising_is_closed() -> None:
    assert raise_places(LISTS["to"], 10, 0, 0) == (0, 0)


def test_fold_and_call_have_their_outputs() -> None:
    for output, action in ((FOLD_OUTPUT, -1), (CALL_OUTPUT, 0)):
        assert output_of(action, LISTS["by"], 2) == output


def test_the_lists_of_the_thesis() -> None:
    assert (FIRST_RAISE + len(EIGHT.raises), FIRST_RAISE + len(EVERYTHING.raises)) == (9, 201)
    first, end = raise_places(raises_of(EVERYTHING, 2), 2, 4, 200)
    assert end - first == 197  # every legal raise of the first decision: to 4, 5, ..., 200
    assert raises_of(EIGHT, 100).amounts.tolist() == [200, 400, 800, 1600, 3200, 5000, 10000]


def test_raises_that_are_alike_in_small_chips_share_an_output() -> None:
    """Half a chip cannot be put in: with a big blind of 1, raises to 2 and to 3 half blinds are both one chip."""
    ones = raises_of(EVERYTHING, 1)
    assert ones.amounts.tolist() == list(range(1, 101))
    assert ones.outputs.tolist() == [FIRST_RAISE + 2 * place for place in range(100)]  # those of 2, 4, ..., 200
    for big_blind in (2, 3, 100):
        assert raises_of(EVERYTHING, big_blind).outputs.tolist() == list(range(FIRST_RAISE, 201))


def test_best_raise_takes_the_highest_of_what_is_allowed() -> None:
    outputs = np.array([9.0, 0.1, 0.5, 0.2, 0.9], np.float32)  # the first is folding's: never looked at
    raises = raises_in([1, 2, 3], False)
    assert best_raise(outputs, raises, 0, 2) == (0, np.float32(0.5))
    assert best_raise(outputs, raises, 0, 3) == (2, np.float32(0.9))
    assert best_raise(outputs, raises, 1, 2) == (1, np.float32(0.2))
    assert best_raise(outputs, raises, 0, 0) == (-1, np.float32(0.1))
    twins = raises_in([1, 2, 2], False)  # the output of the second 2 is never trained, so it must not be asked
    assert best_raise(outputs, twins, 0, 2) == (0, np.float32(0.5))


def test_folding_is_worth_what_is_lost() -> None:
    for stake in (0.0, 0.005, 0.3, 0.995):
        for value_range in (1.0, 2.0, 6.0):
            assert value_range * np.tanh(squashed_fold(stake, value_range)) == pytest.approx(-stake)


def test_wishes_become_actions() -> None:
    def act(fold: float, call: float, more: float, amount: float, to_call: int = 2, most: int = 200) -> int:
        return int(sac_action(np.array([fold, call, more, amount], np.float32), to_call, 4 if most else 0, most))

    assert act(0.9, 0.1, 0.2, 0) == -1
    assert act(0.9, 0.1, 0.2, 0, to_call=0) == 0  # checks instead of folding for nothing
    assert act(-0.5, 0.1, -0.2, 1) == 0
    assert [act(0, 0, 0.5, amount) for amount in (-1, 0, 1)] == [4, 102, 200]
    assert [act(0, 0, 0.5, amount, most=14) for amount in (-0.75, -0.65, 0.25, 0.35)] == [5, 6, 10, 11]  # nearest
    assert act(0.5, 0.5, 0.2, 0) == act(0.2, 0.5, 0.5, 1) == 0  # of equal action_scores the call
    assert act(0, -0.5, 0.5, 1, most=0) == 0  # raising is closed
