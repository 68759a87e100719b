"""The PettingZoo environment: PettingZoo's own tests, and that it plays our rules."""

import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (extra env)")

from pettingzoo.test import api_test, seed_test

from luckless.environments import holdem
from luckless.environments.observing import choices, observation_size, observe_table
from luckless.errors import InputError
from luckless.rules.game import Game
from luckless.rules.game_files import game_names
from luckless.rules.table import Table


@pytest.mark.parametrize("name", game_names())
def test_pettingzoos_own_tests(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it warns of every observation that is no plain array
        api_test(holdem.env(name), num_cycles=200)
        seed_test(lambda: holdem.env(name), num_cycles=50)


def random_hands(name: str, hands: int) -> tuple[list[list[int]], list[list[float]]]:
    """Hands of random legal play: what each agent saw of the mask, and the rewards at the end."""
    env = holdem.raw_env(name)
    dice = np.random.default_rng(3)
    masks, rewards = [], []
    for number in range(hands):
        env.reset(seed=9 if number == 0 else None)
        for agent in env.agent_iter():
            observation, _, over, _, _ = env.last()
            if over:
                break
            assert observation["observation"].min() >= 0
            assert observation["observation"].max() <= 1
            mask = observation["action_mask"]
            masks.append(mask.tolist())
            for other in env.agents:
                if other != agent:
                    assert not env.observe(other)["action_mask"].any()
            env.step(int(dice.choice(np.flatnonzero(mask))))
        rewards.append([env.rewards[agent] for agent in env.possible_agents])
    return masks, rewards


@pytest.mark.parametrize("name", ["limit-hu", "nolimit-6max", "potlimit-6max", "river-hu"])
def test_hands_add_up_and_every_action_occurs(name: str) -> None:
    masks, rewards = random_hands(name, 150)
    assert np.allclose(np.sum(rewards, axis=1), 0)
    seen = np.array(masks).any(axis=0)
    pots = [4, 5] if name.startswith("potlimit") else []  # a pot is the largest raise there, and has its number
    assert np.flatnonzero(~seen).tolist() == pots
    assert not np.array(masks).all()


def offered(table: Table) -> list[int | None]:
    """The action of each number, None where it is masked out."""
    found = choices(table.game, table.public)
    pairs = zip(found.amounts[0].tolist(), found.mask[0].tolist(), strict=True)
    return [amount if free else None for amount, free in pairs]


def test_actions_are_what_the_docstring_says() -> None:
    """Heads-up, blinds 50/100, 20,000 each: the button raises to 300, so the pot is 400 and 200 are to call."""
    table = Table.dealt(Game.load("nolimit-hu"), 1, [0])
    assert offered(table) == [-1, 0, 200, None, 300, 500, 20_000]
    table.act(np.array([0]), [300])
    assert offered(table) == [-1, 0, 500, 600, 900, 1500, 20_000]
    table.act(np.array([0]), [0])
    assert offered(table) == [None, 0, 100, 300, 600, 1200, 20_000 - 300]
    limit = Table.dealt(Game.load("limit-hu"), 1, [0])
    assert offered(limit) == [-1, 0, 20]


def test_an_observation_shows_no_hidden_card() -> None:
    """The cards of others and of streets to come may be any: the observation stays the same."""
    game = Game.load("nolimit-3max")
    deck = list(range(11))
    other = [deck[0], deck[1], *range(30, 34), *range(40, 45)]
    seen = [observe_table(Table(game, [cards]), np.array([0]), np.array([0]))[0] for cards in (deck, other)]
    assert np.array_equal(seen[0], seen[1])
    assert seen[0][:52].nonzero()[0].tolist() == [0, 1]
    assert len(seen[0]) == observation_size(game)


def test_deals_follow_the_seed() -> None:
    env = holdem.raw_env("nolimit-hu")
    seen = []
    for seed in (5, None, 5, None, 6):
        env.reset(seed=seed)
        seen.append(env.observe("seat_0")["observation"].tolist())
    assert seen[0] == seen[2]
    assert seen[1] == seen[3]
    assert len({tuple(row) for row in seen}) == 3


def test_without_a_seed_deals_differ() -> None:
    envs = [holdem.raw_env("nolimit-hu") for _ in range(2)]
    for env in envs:
        env.reset()
    first, second = (env.observe("seat_0")["observation"] for env in envs)
    assert not np.array_equal(first, second) or envs[0]._seed != envs[1]._seed


def test_masked_actions_and_unknown_modes_are_refused() -> None:
    env = holdem.raw_env("limit-hu", render_mode="ansi")
    env.reset(seed=1)
    env.step(1)
    assert "> seat_0" in str(env.render())
    with pytest.raises(InputError, match="masked out"):
        env.step(0)  # the big blind may check
    with pytest.raises(InputError, match="render_mode"):
        holdem.raw_env("limit-hu", render_mode="human")
    with pytest.raises(InputError, match="no game is called"):
        holdem.env("no-such-game")


def test_an_illegal_action_ends_the_hand_in_the_checked_environment() -> None:
    env = holdem.env("limit-hu")
    env.reset(seed=1)
    env.step(1)
    env.step(0)
    assert all(env.terminations.values())


def test_a_hand_that_is_over_before_anybody_acts() -> None:
    """Both players are all-in for their blinds."""
    game = Game(name="short", betting="no-limit", seats=2, blinds=(2, 1), stacks=(2, 1))
    env = holdem.raw_env(game)
    env.reset(seed=1)
    assert all(env.terminations.values())
    assert sum(env.rewards.values()) == 0
