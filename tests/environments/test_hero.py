"""The hero against named bots: Gymnasium's own checks, its conventions, and the same hands as a match."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("gymnasium", reason="Gymnasium is not installed (extra env)")

import gymnasium
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from luckless.bots.catalogue import load_bot
from luckless.bots.python_bot import bot_of
from luckless.environments.hero import ENVIRONMENT_ID, HeroEnv, HeroVectorEnv
from luckless.environments.trained import Trained
from luckless.errors import InputError
from luckless.matches.match import Match
from luckless.rules.game import Game

SPOTS = [("limit-hu", ["pot-odds"]), ("nolimit-6max", ["call", "uniform", "raise"]), ("river-hu", ["random"])]


class Weighted:
    """A model with the interface of Stable-Baselines3: scores are a fixed matrix times the observation."""

    def __init__(self, size: int, actions: int, seed: int = 1) -> None:
        self.weights = np.random.default_rng(seed).normal(size=(size, actions))

    def predict(
        self, observation: NDArray[Any], state: Any = None, episode_start: Any = None, deterministic: bool = False
    ) -> tuple[NDArray[np.int64], Any]:
        """The number with the highest score for each observation."""
        assert deterministic
        return np.argmax(observation @ self.weights, axis=-1), state


def model_for(env: Any) -> Weighted:
    space = getattr(env, "single_observation_space", env.observation_space)
    actions = getattr(env, "single_action_space", env.action_space)
    return Weighted(space.shape[0], int(actions.n))


def match_results(model: Any, game: str, opponents: list[str], hands: int, seed: int) -> list[float]:
    """What the model wins in each hand of a match with fresh decks, in big blinds."""
    players = [bot_of(Trained(model), "model"), *map(load_bot, opponents)]
    match = Match.plan(Game.load(game), players, hands=hands, seed=seed, decks="fresh")
    won: list[float] = []
    for chunk in match.chunks():
        mine = chunk.hands.players == 0
        won += (chunk.records.payoffs[mine] / match.game.big_blind).tolist()
    return won


@pytest.mark.parametrize(("game", "opponents"), SPOTS)
def test_gymnasiums_own_check(game: str, opponents: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*not registered|.*spec is None|.*render.*")
        check_env(HeroEnv(game, opponents), skip_render_check=True)


@pytest.mark.parametrize(("game", "opponents"), SPOTS)
def test_a_model_wins_the_same_in_the_environment_and_in_a_match(game: str, opponents: list[str]) -> None:
    """Hand by hand, to the chip: single, vectorised, and sitting in a match through the adapter."""
    env, hands = HeroEnv(game, opponents), 60
    model = model_for(env)
    single = []
    for number in range(hands):
        observation, info = env.reset(seed=8 if number == 0 else None)
        assert info["hand"] == number
        over, reward = False, 0.0
        while not over:
            observation, reward, over, _, _ = env.step(int(model.predict(observation, deterministic=True)[0]))
        single.append(reward)
    assert single == match_results(model, game, opponents, hands, 8)
    assert vector_results(model, HeroVectorEnv(game, opponents, 7), hands, 8) == single


def vector_results(model: Any, envs: HeroVectorEnv, hands: int, seed: int) -> list[float]:
    """The results of the first hands, by their numbers."""
    won: dict[int, float] = {}
    observations, infos = envs.reset(seed=seed)
    while len(won) < hands or not set(range(hands)) <= set(won):
        playing = infos["hand"]
        observations, rewards, over, _, infos = envs.step(model.predict(observations, deterministic=True)[0])
        won |= dict(zip(playing[over].tolist(), rewards[over].tolist(), strict=True))
    return [won[number] for number in range(hands)]


def test_the_same_seed_gives_the_same_steps() -> None:
    def steps(seed: int) -> bytes:
        envs, dice = HeroVectorEnv("nolimit-6max", ["uniform", "mix:call,raise"], 16), np.random.default_rng(1)
        said = [envs.reset(seed=seed)[0].tobytes()]
        for _ in range(30):
            seen, rewards, *_ = envs.step(dice.integers(0, 7, 16))
            said += [seen.tobytes(), rewards.tobytes()]
        return b"".join(said)

    assert steps(3) == steps(3) != steps(4)


def test_without_a_seed_hands_differ() -> None:
    first, second = (HeroVectorEnv("nolimit-hu", "call", 20).reset()[0] for _ in range(2))
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_conventions_of_the_next_episode(mode: str) -> None:
    """The three of Gymnasium, beside its own vector environment that runs single ones: masks, rewards, ends."""
    envs = HeroVectorEnv("limit-hu", "raise", 5, autoreset_mode=mode)
    assert envs.metadata["autoreset_mode"].value == mode
    one = gymnasium.vector.SyncVectorEnv([lambda: HeroEnv("limit-hu", "raise")], autoreset_mode=mode)
    alone = HeroVectorEnv("limit-hu", "raise", 1, autoreset_mode=mode)
    dice = np.random.default_rng(5)
    seen = [env.reset(seed=2) for env in (one, alone)]
    for _ in range(60):
        compare(*seen)
        action = np.array([dice.integers(0, 3)])
        told = [env.step(action) for env in (one, alone)]
        for theirs, ours in zip(told[0][1:4], told[1][1:4], strict=True):
            np.testing.assert_array_equal(theirs, ours)
        assert ("final_obs" in told[0][4]) == ("final_obs" in told[1][4]) == (mode == "SameStep" and told[1][2][0])
        if "final_obs" in told[1][4]:
            np.testing.assert_array_equal(told[0][4]["final_obs"][0], told[1][4]["final_obs"][0])
        seen = [(step[0], step[4]) for step in told]
        if mode == "Disabled" and told[1][2][0]:
            with pytest.raises(InputError, match="environment 0 is over"):
                alone.step(action)
            seen = [env.reset(options={"reset_mask": np.array([True])}) for env in (one, alone)]


def compare(theirs: tuple[Any, Any], ours: tuple[Any, Any]) -> None:
    np.testing.assert_array_equal(theirs[0], ours[0])
    np.testing.assert_array_equal(theirs[1]["action_mask"], ours[1]["action_mask"])
    np.testing.assert_array_equal(theirs[1]["_action_mask"], ours[1]["_action_mask"])


def test_gymnasium_makes_it_by_name_and_its_wrappers_fit() -> None:
    env = gymnasium.make(ENVIRONMENT_ID, game="limit-hu", opponents=["call"])
    assert env.reset(seed=1)[0].shape == env.observation_space.shape
    envs = gymnasium.make_vec(ENVIRONMENT_ID, num_envs=4, game="limit-hu", opponents=["call"])
    assert isinstance(envs.unwrapped, HeroVectorEnv)
    counted = RecordEpisodeStatistics(envs)
    counted.reset(seed=1)
    total = 0.0
    for _ in range(30):
        _, rewards, _, _, _ = counted.step(np.ones(4, np.int64))
        total += float(rewards.sum())
    assert counted.episode_count > 4
    assert sum(counted.return_queue) == pytest.approx(total)


def test_a_hand_that_ends_before_the_hero_is_asked_counts() -> None:
    """In the big blind against a folding button there is nothing to decide: one step, and the small blind is won."""
    env, won = HeroEnv("nolimit-hu", "fold"), []
    for number in range(40):
        _, info = env.reset(seed=1 if number == 0 else None)
        if info["action_mask"].tolist() == [0, 1, 0, 0, 0, 0, 0]:
            _, reward, over, _, _ = env.step(0)
            assert over
            won.append(reward)
    assert won
    assert set(won) == {0.5}


def test_bots_that_follow_their_hands_play_one_at_a_time(tmp_path: Path) -> None:
    class Follower:
        memory = True
        ended = 0

        def decide(self, view: Any, dice: Any) -> int:
            return 0

        def hand_over(self, ending: Any) -> None:
            Follower.ended += 1

    env = HeroEnv("limit-hu", [bot_of(Follower(), "follower")])
    for number in range(5):
        env.reset(seed=1 if number == 0 else None)
        while not env.step(1)[2]:
            pass
    assert Follower.ended == 5
    with pytest.raises(InputError, match="follower keeps memory between hands: it cannot play 2 hands at a time"):
        HeroVectorEnv("limit-hu", [bot_of(Follower(), "follower")], 2).reset(seed=1)


def test_faults_of_opponents_are_counted() -> None:
    class Faulty:
        def decide(self, view: Any, dice: Any) -> int:
            return 7

    envs = HeroVectorEnv("limit-hu", [bot_of(Faulty(), "faulty")], 3)
    envs.reset(seed=1)
    for _ in range(6):
        envs.step(np.ones(3, np.int64))
    assert envs.faults.of_player(1).keys() == {"illegal"}


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: HeroEnv("limit-hu", []), "at least one opponent"),
        (
            lambda: HeroEnv("limit-hu", ["call", "call"]),
            "2 opponents and the hero do not fit the 2 seats of limit-hu",
        ),
        (lambda: HeroEnv("limit-hu", "no-such-bot"), "unknown bot"),
        (lambda: HeroEnv("limit-hu", "call", render_mode="human"), "render_mode is 'human'"),
        (lambda: HeroEnv("limit-hu", "call").step(1), r"call reset\(\) first"),
        (lambda: HeroVectorEnv("limit-hu", "call", 0), "num_envs is 0"),
        (lambda: HeroVectorEnv("limit-hu", "call", 2).reset(seed=[1, 2]), "seed is a list"),
        (lambda: Trained(object()), "has no method `predict"),
    ],
)
def test_what_is_wrong_is_named(make: Callable[[], Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        make()


@pytest.mark.parametrize("action", [3, -1, 1.5])
def test_numbers_that_are_no_action_are_refused(action: Any) -> None:
    env = HeroEnv("limit-hu", "call")
    env.reset(seed=1)
    with pytest.raises(InputError, match="an action is not a whole number from 0 to 2"):
        env.step(action)


def test_the_table_is_shown_as_the_hero_sees_it() -> None:
    env = HeroEnv("nolimit-6max", ["call", "call"], render_mode="ansi")
    env.reset(seed=1)
    assert str(env.render()).count("?? ??") == 2
    while not env.step(1)[2]:
        pass
    assert "?? ??" not in str(env.render())


def test_a_small_policy_learns_and_takes_its_seat() -> None:
    """REINFORCE on a linear policy against `fold`, which gives every pot away that is bet at: it learns to bet."""
    envs, dice = HeroVectorEnv("limit-hu", "fold", 256), np.random.default_rng(1)
    actions = 3
    model = model_for(envs)
    model.weights[:] = 0
    before = np.mean(match_results(model, "limit-hu", ["fold"], 400, 3))
    observations, infos = envs.reset(seed=5)
    traces: list[list[tuple[NDArray[Any], NDArray[Any]]]] = [[] for _ in range(256)]
    for _ in range(60):
        scores = np.where(infos["action_mask"] == 1, observations @ model.weights, -np.inf)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        numbers = (dice.random((256, 1)) > np.cumsum(chances, axis=1)).sum(axis=1)
        slopes = np.eye(actions)[numbers] - chances
        for row in range(len(traces)):
            traces[row].append((observations[row], slopes[row]))
        observations, rewards, over, _, infos = envs.step(numbers)
        for row in np.flatnonzero(over).tolist():
            for seen, slope in traces[row]:
                model.weights += 0.01 * rewards[row] * np.outer(seen, slope)
            traces[row] = []
    after = np.mean(match_results(model, "limit-hu", ["fold"], 400, 3))
    assert after > before + 0.2
    assert after > 0.6
