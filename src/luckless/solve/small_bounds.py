"""Lower bounds of exploitability in Kuhn and Leduc, where the exact answer is known to check them: local best
response as in `lbr`, and a table of values that is learned from sampled play. What either wins is worked out exactly.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.solve.flat import FlatGame
from luckless.solve.sequences import Policy, game_value
from luckless.solve.tree_game import CHANCE, END, TreeGame

_FOLDS, _STAYS = "f", "ck"
"""Moves that give up, and those that stay in for the least."""


def against(flat: FlatGame, policy: Policy, strategies: Policy) -> tuple[float, float]:
    """What the strategy of each seat wins on average from a policy in the other one."""
    first = game_value(flat, (strategies[0], policy[1]))
    return first, -game_value(flat, (policy[0], strategies[1]))


@dataclass
class _Seat:
    """One seat that answers a policy: how likely chance and the other player lead to each state of its infosets."""

    game: TreeGame
    flat: FlatGame
    policy: Policy
    seat: int
    states: dict[str, list[tuple[Any, float]]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self._numbers = tuple({name: place for place, name in enumerate(names)} for names in self.flat.infosets)
        self._collect(self.game.start(), 1.0)

    def moves(self, state: Any) -> list[tuple[Any, float]]:
        """What chance or the other player does, and how often."""
        moves = self.game.moves(state)
        actor = self.game.actor(state)
        if actor == CHANCE:
            return list(moves)
        first = self.flat.sides[actor].start[self._numbers[actor][self.game.infoset(state)]]
        return [(name, float(self.policy[actor][first + place])) for place, (name, _) in enumerate(moves)]

    def _collect(self, state: Any, reach: float) -> None:
        actor = self.game.actor(state)
        if actor == END or reach == 0:
            return
        if actor == self.seat:
            self.states[self.game.infoset(state)].append((state, reach))
            for name, _ in self.game.moves(state):
                self._collect(self.game.after(state, name), reach)
            return
        for name, share in self.moves(state):
            self._collect(self.game.after(state, name), reach * share)

    def won(self, state: Any) -> float:
        """What the seat wins at an end."""
        payoff = self.game.payoff(state)
        return payoff if self.seat == 0 else -payoff

    def _called_down(self, state: Any) -> float:
        """What is won if both only check and call from here on."""
        actor = self.game.actor(state)
        if actor == END:
            return self.won(state)
        if actor == CHANCE:
            return sum(share * self._called_down(self.game.after(state, name)) for name, share in self.moves(state))
        return self._called_down(self.game.after(state, _stay(self.game, state)))

    def local_value(self, state: Any, move: str) -> float:
        """What a move is worth if only folds to it are thought of, and then everything is checked and called."""
        after = self.game.after(state, move)
        if move in _FOLDS or move in _STAYS or self.game.actor(after) != 1 - self.seat:
            return self._called_down(after)
        total = 0.0
        for name, share in self.moves(after):
            answered = self.game.after(after, name if name in _FOLDS else _stay(self.game, after))
            total += share * self._called_down(answered)
        return total

    def strategy(self, values: dict[str, list[float]]) -> NDArray[np.float64]:
        """The best move of each infoset by some values; the first one where there are none."""
        side = self.flat.sides[self.seat]
        strategy = np.zeros(int(side.start[-1]))
        strategy[0] = 1.0
        for place, name in enumerate(self.flat.infosets[self.seat]):
            best = int(np.argmax(values[name])) if name in values else 0
            strategy[side.start[place] + best] = 1.0
        return strategy


def _stay(game: TreeGame, state: Any) -> str:
    return next(name for name, _ in game.moves(state) if name in _STAYS)


def local_best_response(game: TreeGame, flat: FlatGame, policy: Policy) -> tuple[float, float]:
    """What local best response wins from a policy in each seat, exactly."""
    strategies = []
    for number in (0, 1):
        seat = _Seat(game, flat, policy, number)
        values = {
            name: [
                sum(reach * seat.local_value(state, move) for state, reach in states)
                for move, _ in game.moves(states[0][0])
            ]
            for name, states in seat.states.items()
        }
        strategies.append(seat.strategy(values))
    return against(flat, policy, (strategies[0], strategies[1]))


EXPLORES = 0.2
"""How often the learner tries a move at random."""


class _Table:
    """The mean of what was won after each move of each infoset. Later hands count more: the learner plays better."""

    def __init__(self) -> None:
        self.values: dict[str, list[float]] = {}
        self._weights: dict[str, list[float]] = {}

    def chosen(self, name: str, moves: int, dice: np.random.Generator) -> int:
        """The best move so far, or one at random."""
        if name not in self.values:
            self.values[name], self._weights[name] = [0.0] * moves, [0.0] * moves
        if dice.random() < EXPLORES:
            return int(dice.integers(moves))
        return int(np.argmax(self.values[name]))

    def learn(self, name: str, move: int, won: float, weight: float) -> None:
        """A hand ended so after a move."""
        self._weights[name][move] += weight
        self.values[name][move] += (won - self.values[name][move]) * weight / self._weights[name][move]


def learned_response(game: TreeGame, flat: FlatGame, policy: Policy, hands: int, seed: int) -> tuple[float, float]:
    """What a table of values wins from a policy in each seat, exactly, after so many hands of play against it."""
    strategies = []
    for number in (0, 1):
        seat, table, dice = _Seat(game, flat, policy, number), _Table(), np.random.default_rng([seed, number])
        for hand in range(1, hands + 1):
            state, made = game.start(), []
            while (actor := game.actor(state)) != END:
                if actor == number:
                    name, moves = game.infoset(state), game.moves(state)
                    place = table.chosen(name, len(moves), dice)
                    made.append((name, place))
                else:
                    moves = seat.moves(state)
                    shares = np.cumsum([share for _, share in moves])
                    place = min(int((dice.random() * shares[-1] >= shares).sum()), len(moves) - 1)
                state = game.after(state, moves[place][0])
            for name, place in made:
                table.learn(name, place, seat.won(state), hand)
        strategies.append(seat.strategy(table.values))
    return against(flat, policy, (strategies[0], strategies[1]))
