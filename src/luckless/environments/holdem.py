"""A PettingZoo AEC environment: one hand of any of our games is one episode, `seat_0` to `seat_n-1` are its agents.

    from luckless.environments import holdem
    env = holdem.env("limit-hu")

Observation: a vector of numbers from 0 to 1 (see `observation_of`) and an `action_mask`. Reward: what the seat won or
lost in big blinds, once, when the hand is over. Actions are numbers:

    limit      0 fold, 1 check or call, 2 bet or raise
    otherwise  0 fold, 1 check or call, 2 smallest raise, 3 half the pot, 4 the pot, 5 twice the pot, 6 largest raise

A raise by a share of the pot is to the bet plus that share of the pot as it would be after a call, rounded down; it
is masked out unless it lies between the smallest and the largest raise (so in pot-limit the pot is number 6), and the
largest is when it is also the smallest. Folding is masked out when checking is free. The same seed gives the same
deals; each further reset without a seed gives the next one.
"""

import secrets
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from luckless.cards import DECK_SIZE, format_cards
from luckless.errors import InputError
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.state import FINISHED
from luckless.rules.table import Table

LIMIT_ACTIONS = ("fold", "check or call", "bet or raise")
NO_LIMIT_ACTIONS = ("fold", "check or call", "smallest raise", "half pot", "pot", "twice the pot", "largest raise")
POT_SHARES = (0.5, 1.0, 2.0)

ILLEGAL_REWARD = -1.0
"""What an agent gets that chooses a masked action; the hand then ends."""

Observation = dict[str, NDArray[Any]]


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
        actions = len(LIMIT_ACTIONS if game.betting == "limit" else NO_LIMIT_ACTIONS)
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
        amounts = amounts_of(self._table)
        chosen = amounts[action] if action is not None and 0 <= action < len(amounts) else None
        if chosen is None:
            raise InputError(f"{agent}: action {action} is masked out")
        self._cumulative_rewards[agent] = 0.0
        self._table.act(np.array([0]), [chosen])
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
            mask[:] = [amount is not None for amount in amounts_of(self._table)]
        return {"observation": observation_of(self._table, seat), "action_mask": mask}

    def render(self) -> str | None:
        """The table as text, with all cards."""
        if self.render_mode is None:
            return None
        table, seats = self._table, self.game.seats
        public, deck = table.public[0], table.decks[0].tolist()
        board = deck[2 * seats : 2 * seats + _board_cards(table)]
        lines = [f"{STREETS[public['street']]} [{format_cards(board, ' ')}] pot {public['pot']}"]
        for seat in range(seats):
            cards, live = format_cards(deck[2 * seat : 2 * seat + 2], " "), public["live"] >> seat & 1
            turn = ">" if public["actor"] == seat else " "
            state = f"stack {public['stack'][seat]}, bet {public['street_bet'][seat]}" if live else "folded"
            lines.append(f"{turn} seat_{seat} {cards}: {state}")
        return "\n".join(lines)

    def close(self) -> None:
        """Does nothing: there is nothing to close."""


def amounts_of(table: Table) -> list[int | None]:
    """The action of our rules that each number stands for, None where it is masked out."""
    legal, public = table.legal(0), table.public[0]
    least, most = legal.min_raise_to, legal.max_raise_to
    fold = FOLD if legal.call else None
    if table.game.betting == "limit":
        return [fold, CALL, least or None]
    after_call = int(public["pot"]) + legal.call
    bet = int(public["street_bet"][public["actor"]]) + legal.call
    shares = [bet + int(share * after_call) for share in POT_SHARES]
    between = [raise_to if least < raise_to < most else None for raise_to in shares]
    return [fold, CALL, least or None, *between, most if most > least else None]


def observation_size(game: Game) -> int:
    """How many numbers an observation has."""
    return 2 * DECK_SIZE + len(STREETS) + 4 + 5 * game.seats


def observation_of(table: Table, seat: int) -> NDArray[np.float32]:
    """What a seat sees, as numbers from 0 to 1; amounts are shares of all chips of the game.

    In this order: own cards (52 places), board (52), street (4), own seat (one place a seat); pot, to call, smallest
    and largest raise; then for each seat from the own one on: live, stack, bet on the street, put in during the hand.
    """
    game, public, deck = table.game, table.public[0], table.decks[0]
    seats = game.seats
    total = float(table.stacks[0].sum() + game.pot)
    cards = np.zeros((2, DECK_SIZE), np.float32)
    cards[0, deck[2 * seat : 2 * seat + 2]] = 1
    cards[1, deck[2 * seats : 2 * seats + _board_cards(table)]] = 1
    street, place = np.zeros(len(STREETS), np.float32), np.zeros(seats, np.float32)
    street[public["street"]] = 1
    place[seat] = 1
    turn = public["actor"] == seat
    bounds = [public[name] if turn else 0 for name in ("to_call", "min_raise_to", "max_raise_to")]
    order = (seat + np.arange(seats)) % seats
    live = public["live"] >> order & 1
    chips = [public[name][order] / total for name in ("stack", "street_bet", "invested")]
    amounts = np.array([public["pot"], *bounds]) / total
    parts: list[NDArray[Any]] = [cards.ravel(), street, place, amounts, np.column_stack([live, *chips]).ravel()]
    return np.concatenate(parts, dtype=np.float32)


def _board_cards(table: Table) -> int:
    """Board cards that are out: all of them at a showdown."""
    public = table.public[0]
    over = public["actor"] == FINISHED and public["showdown"]
    return BOARD_CARDS[-1 if over else public["street"]]
