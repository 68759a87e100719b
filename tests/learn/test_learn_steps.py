"""One step of each learner against a plain twin: dense features, textbook Adam, torch's own squashed normal."""

import copy
from typing import Any

import numpy as np
import pytest

from learn_rounds import play_round
from luckless.bots.catalogue import load_bot
from luckless.learn.agents import new_learner, settings_of
from luckless.learn.decisions import Lesson
from luckless.learn.features import expand
from luckless.learn.learner import NetworkLearner
from luckless.learn.network_training import TorchNetwork
from luckless.learn.qlearn import QLearner
from luckless.learn.sac import SacLearner
from luckless.optional_torch import one_torch_thread
from luckless.rules.game import Game

torch = pytest.importorskip("torch")

SMALL = {"hidden": [24, 16], "batch": 300, "memory": 4000, "passes": 0.0}


def experienced(kind: str, **settings: Any) -> NetworkLearner:
    """A learner that remembers a round but has made no step."""
    learner = new_learner(settings_of(kind, {**SMALL, **settings}), seed=5)
    assert isinstance(learner, NetworkLearner)
    chunk = play_round(Game.load("nolimit-6max"), [learner.bot(), *[load_bot("random")] * 5], 600, 4)
    learner.learn(Lesson.of([chunk], [0], 4))
    return learner


def dense(network: TorchNetwork) -> list[Any]:
    """The parameters of a network as leaves of a graph of their own, in double precision."""
    return [parameter.detach().double().clone().requires_grad_() for parameter in network.parameters]


def forward(parameters: list[Any], inputs: Any) -> Any:
    x = inputs
    for place in range(0, len(parameters), 2):
        x = x if place == 0 else torch.maximum(x, 0.001 * x)
        x = x @ parameters[place] + parameters[place + 1]
    return x


def inputs_of(situations: Any) -> Any:
    return torch.from_numpy(expand(np.ascontiguousarray(situations))).double()


class PlainAdam:
    """Kingma and Ba 2015, algorithm 1."""

    def __init__(self, parameters: list[Any], rate: float) -> None:
        self.parameters, self.rate, self.steps = parameters, rate, 0
        self.first = [torch.zeros_like(parameter) for parameter in parameters]
        self.second = [torch.zeros_like(parameter) for parameter in parameters]

    def step(self, loss: Any) -> None:
        self.steps += 1
        with torch.no_grad():
            for place, slope in enumerate(torch.autograd.grad(loss, self.parameters)):
                self.first[place] = 0.9 * self.first[place] + 0.1 * slope
                self.second[place] = 0.999 * self.second[place] + 0.001 * slope**2
                first = self.first[place] / (1 - 0.9**self.steps)
                second = self.second[place] / (1 - 0.999**self.steps)
                self.parameters[place] -= self.rate * first / (torch.sqrt(second) + 1e-8)


def assert_alike(network: TorchNetwork, plain: list[Any], rate: float) -> None:
    """Equal to a small part of one step; Adam magnifies rounding where a gradient is near 0, so a few may differ."""
    for ours, theirs in zip(network.parameters, plain, strict=True):
        apart = (ours.detach().double() - theirs.detach()).abs()
        assert float((apart > 0.02 * rate).double().mean()) < 0.01


@pytest.mark.parametrize("kind", ["qlearn-8", "qlearn-all"])
def test_steps_of_q_learning_equal_the_plain_twin(kind: str) -> None:
    learner = experienced(kind, averaging=0.8)
    assert isinstance(learner, QLearner)
    plain, average = dense(learner.networks["value"]), dense(learner.networks["average"])
    adam = PlainAdam(plain, 0.001)
    for _ in range(4):
        batch = learner.memory.draw(300, learner.random)
        with one_torch_thread():
            found = learner._step(batch)
        outputs = torch.tanh(forward(plain, inputs_of(batch["situation"])))
        chosen = outputs[torch.arange(300), torch.from_numpy(batch["output"].astype(np.int64))]
        stacks = torch.from_numpy(batch["result"].astype(np.float64))
        loss = torch.mean((chosen - stacks / learner.settings.value_range) ** 2)
        assert found["value"] == pytest.approx(loss.item(), rel=1e-4)
        adam.step(loss)
        average = [0.8 * old.detach() + 0.2 * new.detach() for old, new in zip(average, plain, strict=True)]
    assert_alike(learner.networks["value"], plain, 0.001)
    assert_alike(learner.networks["average"], average, 0.001)
    assert learner.player(explore=False).network.first[0, 0] == pytest.approx(float(average[0][0, 0]), abs=1e-4)


@pytest.mark.parametrize("gamma", [1.0, 0.7])
def test_a_step_of_soft_actor_critic_equals_the_plain_twin(gamma: float) -> None:
    learner = experienced("sac-high", policy_rate=0.01, polyak=0.9, gamma=gamma)
    assert isinstance(learner, SacLearner)
    policy = dense(learner.networks["policy"])
    critics = [dense(learner.networks[f"critic {number}"]) for number in range(2)]
    targets = [dense(learner.networks[f"target {number}"]) for number in range(2)]
    batch = learner.memory.draw(300, learner.random)
    temperature = 0.01 / learner.settings.value_range
    noise = torch.from_numpy(copy.deepcopy(learner.random).standard_normal((2, 300, 4), np.float32)).double()
    with one_torch_thread():
        found = learner._step(batch)
    now, following = inputs_of(batch["situation"]), inputs_of(batch["following"])

    def draw(inputs: Any, noise: Any) -> tuple[Any, Any]:
        middle, log_spread = forward(policy, inputs).chunk(2, dim=1)
        spread = torch.exp(torch.clamp(log_spread, -20, 2))
        normal = torch.distributions.Normal(middle, spread)
        squashed = torch.distributions.TransformedDistribution(normal, [torch.distributions.TanhTransform()])
        action_scores = torch.tanh(middle + spread * noise)
        return action_scores, squashed.log_prob(action_scores).sum(dim=1)

    def value(parameters: list[Any], inputs: Any, action_scores: Any) -> Any:
        return torch.tanh(forward(parameters, torch.cat([inputs, action_scores], dim=1))[:, 0])

    with torch.no_grad():
        action_scores, log_chance = draw(following, noise[0])
        later = (
            torch.minimum(*(value(target, following, action_scores) for target in targets)) - temperature * log_chance
        )
        goes_on = torch.from_numpy(batch["goes_on"].astype(np.float64))
        results = torch.from_numpy(batch["result"].astype(np.float64)) / learner.settings.value_range
        wanted = results + gamma * goes_on * later
    raw = torch.from_numpy(batch["raw"].astype(np.float64))
    loss = sum(torch.mean((value(critic, now, raw) - wanted) ** 2) for critic in critics)
    assert found["critics"] == pytest.approx(loss.item(), rel=1e-4)
    PlainAdam([*critics[0], *critics[1]], 0.001).step(loss)

    action_scores, log_chance = draw(now, noise[1])
    loss = torch.mean(
        temperature * log_chance - torch.minimum(*(value(critic, now, action_scores) for critic in critics))
    )
    assert found["policy"] == pytest.approx(loss.item(), rel=1e-3, abs=1e-5)
    PlainAdam(policy, 0.01).step(loss)
    assert_alike(learner.networks["policy"], policy, 0.01)
    for number in range(2):
        assert_alike(learner.networks[f"critic {number}"], critics[number], 0.001)
        slow = [0.9 * old + 0.1 * new for old, new in zip(targets[number], critics[number], strict=True)]
        assert_alike(learner.networks[f"target {number}"], slow, 0.001)
    assert 0.2 < batch["goes_on"].mean() < 0.8
