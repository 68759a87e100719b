"""Agents that have learned state their law: a frozen network always does the same, so it is known exactly."""

from pathlib import Path

import numpy as np
import pytest

from decisions import decisions_of, sampled_actions
from luckless.bots.bot import all_hands
from luckless.bots.catalogue import load_bot
from luckless.learn.agents import load_agent
from luckless.learn.registry import KINDS

pytest.importorskip("torch")


@pytest.fixture(params=sorted(KINDS))
def agent_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The weights of a new learner of each kind, frozen."""
    from luckless.learn.agents import new_learner
    from luckless.learn.registry import settings_of

    file = tmp_path / "agent.safetensors"
    new_learner(settings_of(request.param, {}), 3).freeze(file)
    return file


def test_a_frozen_agent_states_what_it_does(agent_file: Path) -> None:
    bot = load_agent(agent_file)
    others = [load_bot("uniform"), load_bot("call")]
    decisions = 0
    for views, actions in decisions_of("nolimit-3max", [bot, *others], 60):
        law = bot.probabilities(views).checked(views)
        assert law.of(actions) == pytest.approx(1)
        assert np.array_equal(sampled_actions(bot, views, seed=9), actions)
        decisions += len(actions)
        if decisions < 40:
            every, numbers = all_hands(bot, views)
            assert len(every) == len(numbers) >= 1081
    assert decisions > 50
