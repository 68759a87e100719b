"""Gymnasium environments: the hero against named bots. One hand is one episode.

    from luckless.environments import hero
    env = hero.HeroEnv("limit-hu", ["pot-odds"])
    envs = hero.HeroVectorEnv("nolimit-6max", ["call", "pot-odds", "random"], num_envs=1024)

Once this module is imported, `gymnasium.make("luckless/Holdem-v0", game=..., opponents=...)` and `gymnasium.make_vec`
make them too. The vector environment plays its hands together on the engine; bots that decide for batches are asked
for batches.

Observations and the numbers of actions are those of `observing`; `info["action_mask"]` and `action_masks()` say which
numbers can be chosen now. A number that is masked out is played as the nearest legal action. The reward is what the
hero won or lost in big blinds, once, when the hand is over. A hand that ends before the hero is asked is an episode
too, of one step in which any action does the same: so the mean reward is the win rate that a match measures. The hero
changes seats at random, and hand k of a seed is hand k of a match with fresh decks and that seed.
"""

import secrets
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.environments.hero_table import HeroTable
from luckless.environments.observing import action_names, observation_size
from luckless.environments.rendering import table_text
from luckless.errors import InputError
from luckless.matches.faults import FaultLog
from luckless.rules.game import Game

ENVIRONMENT_ID = "luckless/Holdem-v0"


class _Setup:
    """What an environment plays: game and bots, checked; and its spaces."""

    def __init__(
        self, game: str | Game, opponents: str | Bot | Sequence[str | Bot], decision_seconds: float, render_mode: Any
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise InputError(f"render_mode is {render_mode!r}; allowed is 'ansi' or None")
        named = [opponents] if isinstance(opponents, str | Bot) else list(opponents)
        if not named:
            raise InputError("the hero needs at least one opponent, such as 'call'")
        self.bots = _loaded(named)
        whole = Game.load(game) if isinstance(game, str) else game
        if len(named) >= whole.seats:
            raise InputError(
                f"{len(named)} opponents and the hero do not fit the {whole.seats} seats of {whole.name}"
            )
        self.game = whole.with_seats(len(named) + 1)
        self.seconds = decision_seconds
        self.observations = gymnasium.spaces.Box(0.0, 1.0, (observation_size(self.game),), np.float32)
        self.actions = gymnasium.spaces.Discrete(len(action_names(self.game)))

    def table(self, rows: int, seed: int) -> HeroTable:
        """Hands in play, dealt by a seed."""
        return HeroTable(self.game, self.bots, rows, seed, self.seconds)


def _loaded(named: Sequence[str | Bot]) -> list[Bot]:
    """The bots. One that is named several times and keeps no memory is one object: it is asked once for all seats."""
    known: dict[str, Bot] = {}
    bots = []
    for one in named:
        bot = one if isinstance(one, Bot) else known.get(one) or load_bot(one)
        if isinstance(one, str) and not bot.memory:
            known[one] = bot
        bots.append(bot)
    return bots


def _drawn_seed(seed: int | None) -> int:
    return secrets.randbits(64) if seed is None else seed


class HeroEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One hand after the other. The same seed gives the same hands; a reset without a seed deals the next one."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str | Game = "nolimit-hu",
        opponents: str | Bot | Sequence[str | Bot] = "call",
        *,
        decision_seconds: float = 10.0,
        render_mode: str | None = None,
    ) -> None:
        self._setup = _Setup(game, opponents, decision_seconds, render_mode)
        self.game = self._setup.game
        self.render_mode = render_mode
        self.observation_space = self._setup.observations
        self.action_space = self._setup.actions
        self._hand: HeroTable | None = None

    @property
    def faults(self) -> FaultLog:
        """Faults of the opponents since the last seed."""
        return self._playing().faults

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deals the first hand of a seed, or the next one; without any seed the hands are different every time."""
        super().reset(seed=seed)
        if seed is not None or self._hand is None:
            self.close()
            self._hand = self._setup.table(1, _drawn_seed(seed))
        else:
            self._hand.next_hands(np.array([0]))
        return self._seen(self._hand)

    def step(self, action: int | np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Acts for the hero; the bots answer until it is its turn again, or the hand is over."""
        hand, row = self._playing(), np.array([0])
        number = _numbers(np.array([action]), self._setup.actions)
        if not hand.over[0]:
            hand.act(row, hand.choices().actions(number))
        over = bool(hand.over[0])
        reward = float(hand.won(row)[0]) if over else 0.0
        observation, info = self._seen(hand)
        return observation, reward, over, False, info

    def _playing(self) -> HeroTable:
        if self._hand is None:
            raise InputError("no hand is dealt yet: call reset() first")
        return self._hand

    def _seen(self, hand: HeroTable) -> tuple[NDArray[np.float32], dict[str, Any]]:
        return hand.observations()[0], {"action_mask": hand.choices().mask[0], "hand": int(hand.hands[0])}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which numbers can be chosen now, as sb3-contrib's MaskablePPO asks for them."""
        mask: NDArray[np.bool_] = self._playing().choices().mask[0].astype(np.bool_)
        return mask

    def render(self) -> str | None:
        """The table as the hero sees it."""
        hand = self._playing()
        return table_text(hand.table, 0, int(hand.hero_seats[0])) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Stops the bots."""
        if self._hand is not None:
            self._hand.close()
            self._hand = None


class HeroVectorEnv(VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """Many hands at a time. Environment i of n plays the hands i, i + n, i + 2 n, ... of the seed.

    All three conventions of Gymnasium for the next episode are known: `NEXT_STEP` (the step after the end deals the
    next hand and ignores the action), `SAME_STEP` (the step of the end does, and what was seen at the end is
    `info["final_obs"]`) and `DISABLED` (`reset(options={"reset_mask": over})` does).
    """

    def __init__(
        self,
        game: str | Game = "nolimit-hu",
        opponents: str | Bot | Sequence[str | Bot] = "call",
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        decision_seconds: float = 10.0,
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise InputError(f"num_envs is {num_envs}; allowed is 1 or more")
        self._setup = _Setup(game, opponents, decision_seconds, render_mode)
        self.game = self._setup.game
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": self.autoreset_mode}
        self.single_observation_space, self.single_action_space = self._setup.observations, self._setup.actions
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._hands: HeroTable | None = None
        self._ended = np.zeros(num_envs, np.bool_)

    @property
    def faults(self) -> FaultLog:
        """Faults of the opponents since the last seed."""
        return self._playing().faults

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deals the first hands of a seed; without one the next hands, everywhere or where `reset_mask` is true."""
        if seed is not None and not isinstance(seed, int):
            raise InputError(
                "seed is a list; one seed is needed for all hands, which are told apart by their numbers"
            )
        if seed is not None or self._hands is None:
            self.close_extras()
            self._hands = self._setup.table(self.num_envs, _drawn_seed(seed))
            rows = np.arange(self.num_envs)
        else:
            rows = np.flatnonzero(_reset_mask(options, self.num_envs))
            self._hands.next_hands(rows)
        self._ended[rows] = False
        return self._hands.observations(), self._infos(self._hands)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Acts for the hero in every environment."""
        hands = self._playing()
        numbers = _numbers(np.asarray(actions).reshape(self.num_envs), self._setup.actions)
        waiting = self._ended.copy()
        if waiting.any() and self.autoreset_mode is AutoresetMode.DISABLED:
            raise InputError(f"environment {np.argmax(waiting)} is over: reset it with options={{'reset_mask': ...}}")
        rows = np.flatnonzero(~waiting & ~hands.over)
        hands.act(rows, hands.choices().actions(numbers)[rows])
        ended = hands.over & ~waiting
        rewards = np.zeros(self.num_envs)
        rewards[ended] = hands.won(np.flatnonzero(ended))
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos = self._final_infos(hands, ended)
            waiting = ended
        if waiting.any() and self.autoreset_mode is not AutoresetMode.DISABLED:
            hands.next_hands(np.flatnonzero(waiting))
        self._ended = ended & ~waiting
        return hands.observations(), rewards, ended, np.zeros(self.num_envs, np.bool_), self._infos(hands) | infos

    def _playing(self) -> HeroTable:
        if self._hands is None:
            raise InputError("no hands are dealt yet: call reset() first")
        return self._hands

    def _infos(self, hands: HeroTable) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        return {"action_mask": hands.choices().mask, "_action_mask": every, "hand": hands.hands, "_hand": every}

    def _final_infos(self, hands: HeroTable, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What was seen at the end of the hands that are over, as Gymnasium lays it out."""
        if not ended.any():
            return {}
        seen = np.full(self.num_envs, None, object)
        for row, observation in zip(np.flatnonzero(ended), hands.observations()[ended], strict=True):
            seen[row] = observation
        return {"final_obs": seen, "_final_obs": ended, "final_info": self._infos(hands), "_final_info": ended}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which numbers can be chosen now, a row for each environment."""
        return self._playing().choices().mask.astype(np.bool_)

    def render(self) -> tuple[str, ...] | None:
        """The tables as the hero sees them."""
        hands = self._playing()
        if self.render_mode is None:
            return None
        return tuple(table_text(hands.table, row, int(seat)) for row, seat in enumerate(hands.hero_seats))

    def close_extras(self, **kwargs: Any) -> None:
        """Stops the bots."""
        if self._hands is not None:
            self._hands.close()
            self._hands = None


def _numbers(actions: NDArray[Any], space: gymnasium.spaces.Discrete[Any]) -> NDArray[np.int64]:
    """Numbers of actions, refused where there is no such action."""
    if actions.dtype.kind not in "iu" or not ((actions >= 0) & (actions < space.n)).all():
        raise InputError(f"an action is not a whole number from 0 to {space.n - 1}")
    return actions.astype(np.int64)


def _reset_mask(options: dict[str, Any] | None, count: int) -> NDArray[np.bool_]:
    """Which environments are to be reset: all, or those of the option `reset_mask`."""
    mask = (options or {}).get("reset_mask")
    if mask is None:
        return np.ones(count, np.bool_)
    if not isinstance(mask, np.ndarray) or mask.shape != (count,) or mask.dtype != np.bool_:
        raise InputError(f"reset_mask must be an array of {count} truth values")
    return mask


if ENVIRONMENT_ID not in gymnasium.registry:
    gymnasium.register(
        ENVIRONMENT_ID,
        entry_point="luckless.environments.hero:HeroEnv",
        vector_entry_point="luckless.environments.hero:HeroVectorEnv",
    )
