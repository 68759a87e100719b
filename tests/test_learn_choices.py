"""Outputs and actions: every legal choice has one output, and every output one legal action."""

import numpy as np
import pytest

from luckless.learn.choices import (
    CALL_OUTPUT,
    FIRST_RAISE,
    FOLD_OUTPUT,
    Raises,
    action_of,
    best_output,
    output_of,
    raise_outputs,
    sac_action,
    squashed_fold,
)
from luckless.learn.players import raises_of
from luckless.learn.settings import PRESETS, QLearnSettings

LISTS = {
    "by": Raises(np.array([4, 8, 16, 32, 64, 100, 200]), True),
    "to": Raises(np.arange(2, 201), False),
    "one": Raises(np.array([10]), False),
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
        for least in (bet + 2, bet + 9, bet + 90, bet + 400):
            for most in (least, least + 1, least + 30, least + 1000):
                first, end = raise_outputs(raises, bet, least, most)
                actions = [action_of(output, raises, bet, least, most) for output in range(first, end)]
                assert actions == plain_raises(raises, bet, least, most)
                assert [output_of(action, raises, bet) for action in actions] == list(range(first, end))


def test_no_raise_when_raising_is_closed() -> None:
    assert raise_outputs(LISTS["to"], 10, 0, 0) == (0, 0)


def test_fold_and_call_have_their_outputs() -> None:
    for output, action in ((FOLD_OUTPUT, -1), (CALL_OUTPUT, 0)):
        assert action_of(output, LISTS["by"], 2, 4, 200) == action
        assert output_of(action, LISTS["by"], 2) == output


def test_the_lists_of_the_thesis() -> None:
    eight, everything = PRESETS["qlearn-8"], PRESETS["qlearn-all"]
    assert isinstance(eight, QLearnSettings)
    assert isinstance(everything, QLearnSettings)
    assert (FIRST_RAISE + len(eight.raises), FIRST_RAISE + len(everything.raises)) == (9, 201)
    first, end = raise_outputs(raises_of(everything, 2), 2, 4, 200)
    assert end - first == 197  # every legal raise of the first decision: to 4, 5, ..., 200
    assert raises_of(eight, 100).amounts.tolist() == [200, 400, 800, 1600, 3200, 5000, 10000]


def test_best_output_takes_the_highest_of_what_is_allowed() -> None:
    outputs = np.array([9.0, 0.1, 0.5, 0.2, 0.9], np.float32)  # the first is folding's: never looked at
    assert best_output(outputs, 2, 4, -np.inf) == 2
    assert best_output(outputs, 2, 5, -np.inf) == 4
    assert best_output(outputs, 0, 0, -np.inf) == CALL_OUTPUT
    assert best_output(outputs, 2, 4, 0.6) == FOLD_OUTPUT


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
    assert act(0, -0.5, 0.5, 1, most=0) == 0  # raising is closed
