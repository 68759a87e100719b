"""A PettingZoo AEC environment: one hand of any of our games is one episode, `seat_0` to `seat_n-1` are its agents.

    from luckless.environments import holdem
    env = holdem.env("limit-hu")

An observation is a dictionary: the vector of `observing` and its `action_mask`. Reward: what the seat won or lost in
big blinds, once, when the hand is over. The numbers of actions are those of `observing`. The same seed gives the same
deals; each further reset without a seed gives the next one.
"""

import secrets
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from luckless.environments.observing import action_names, choices, observation_size, observe_table
from luckless.environments.rendering import table_text
from luckless.errors import InputError
from luckless.rules.game import Game
from luckless.rules.table import Table

ILLEGAL_REWARD = -1.0
"""What an agent gets that chooses a masked action; the hand then ends."""

Observation = dict[str, NDArray[Any]]

_ROW = np.array([0])


def env(game: str | Game = "nolimit-hu", render_mode: str | None = None) -> AECEnv:
    """The environment with PettingZoo's usual checks; `game` is a name, a file or a `Game`."""
    raw = raw_env(game, render_mode)
    checked: AECEnv = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    checked = wrappers.AssertOutOfBoundsWrapper(checked)
    return wrappers.OrderEnforcingWrapper(checked)


def raw_env(game: str | Game = "nolimit-hu", render_mode: str | None = None) -> "HoldemEnv":
    """The environment alone."""
    return HoldemEnv(Game.load(game) if isinstance(game, str) else game, render_mode)


class HoldemEnv(AECEnv):  # type: ignore[misc]  # PettingZoo comes without types
    """One table at which one hand after the other is played."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "luckless_holdem_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise InputError(f"render_mode is {render_mode!r}; allowed is 'ansi' or None")
        self.game = game
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self.agents: list[str] = []
        actions = len(action_names(game))
        numbers = gymnasium.spaces.Box(0.0, 1.0, (observation_size(game),), np.float32)
        mask = gymnasium.spaces.Box(0, 1, (actions,), np.int8)
        self._observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": numbers, "action_mask": mask})
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}
        self._seed: int | None = None
        self._deal = 0

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a hand: the first of a seed, or the next one; without any seed the deals are different every time."""
        if seed is not None or self._seed is None:
            self._seed, self._deal = secrets.randbits(64) if seed is None else seed, 0
        else:
            self._deal += 1
        self._table = Table.dealt(self.game, self._seed, [self._deal])
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._move_on()

    def step(self, action: int | None) -> None:
        """Acts for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        offered = choices(self.game, self._table.public)
        if action is None or not 0 <= action < len(offered.mask[0]) or not offered.mask[0, action]:
            raise InputError(f"{agent}: action {action} is masked out")
        self._cumulative_rewards[agent] = 0.0
        self._table.act(_ROW, offered.amounts[:, action])
        self._move_on()
        self._accumulate_rewards()

    def _move_on(self) -> None:
        """Whose turn it is; a hand can be over before anybody acts, when the blinds are all-in."""
        if not self._table.finished:
            self.agent_selection = self.possible_agents[int(self._table.public["actor"][0])]
            return
        payoffs = self._table.records().payoffs[0] / self.game.big_blind
        for agent, payoff in zip(self.possible_agents, payoffs.tolist(), strict=True):
            self.rewards[agent] = payoff
            self.terminations[agent] = True

    def observe(self, agent: str) -> Observation:
        """What the agent's seat sees. Its mask is empty when it is not its turn."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self._action_spaces[agent].n, np.int8)
        if self._table.public["actor"][0] == seat:
            mask = choices(self.game, self._table.public).mask[0]
        return {"observation": observe_table(self._table, _ROW, np.array([seat]))[0], "action_mask": mask}

    def render(self) -> str | None:
        """The table as text, with all cards."""
        return None if self.render_mode is None else table_text(self._table, 0)

    def close(self) -> None:
        """Does nothing: there is nothing to close."""
