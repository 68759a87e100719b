"""CFR as in the textbook: a walk over the tree of a game with dictionaries, the twin of the compiled sweeps."""

from collections import defaultdict
from typing import Any

from luckless.solve.schedules import Schedule, Step
from luckless.solve.tree_game import CHANCE, END, TreeGame

Tables = dict[str, dict[str, float]]


class PlainCfr:
    """The variants of `schedules` by recursion over states; nothing is flattened."""

    def __init__(self, game: TreeGame, schedule: Schedule) -> None:
        self.game, self.schedule = game, schedule
        self.regrets: Tables = defaultdict(lambda: defaultdict(float))
        self.average: Tables = defaultdict(lambda: defaultdict(float))
        self.strategy: Tables = {}
        self.iterations = 0

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterations += 1
            for player in (0, 1):
                self._half(player, self.schedule(self.iterations))

    def _half(self, player: int, step: Step) -> None:
        new: Tables = defaultdict(lambda: defaultdict(float))
        met: dict[str, float] = {}
        self._walk(self.game.start(), player, 1.0, 1.0, (new, met))
        for infoset, regrets in new.items():
            strategy = self._at(infoset, list(regrets))
            for action, regret in regrets.items():
                old = self.regrets[infoset][action]
                kept = old * (step.positive if old > 0 else step.negative) + step.weight * regret
                self.regrets[infoset][action] = max(kept, 0.0) if step.clip else kept
                share = step.gain * met[infoset] * strategy[action]
                self.average[infoset][action] = self.average[infoset][action] * step.forget + share
            wishes = {
                action: max(self.regrets[infoset][action] * step.ahead + step.predict * regret, 0.0)
                for action, regret in regrets.items()
            }
            total = sum(wishes.values())
            self.strategy[infoset] = {a: w / total if total > 0 else 1 / len(wishes) for a, w in wishes.items()}

    def _at(self, infoset: str, actions: list[str]) -> dict[str, float]:
        return self.strategy.get(infoset) or {action: 1 / len(actions) for action in actions}

    def _walk(
        self, state: Any, player: int, own: float, others: float, out: tuple[Tables, dict[str, float]]
    ) -> float:
        actor = self.game.actor(state)
        if actor == END:
            return self.game.payoff(state) * (1 if player == 0 else -1)
        moves = self.game.moves(state)
        if actor == CHANCE:
            return sum(
                share * self._walk(self.game.after(state, move), player, own, others * share, out)
                for move, share in moves
            )
        infoset = self.game.infoset(state)
        strategy = self._at(infoset, [move for move, _ in moves])
        values = {}
        for move, _ in moves:
            mine = own * strategy[move] if actor == player else own
            theirs = others if actor == player else others * strategy[move]
            values[move] = self._walk(self.game.after(state, move), player, mine, theirs, out)
        value = sum(strategy[move] * values[move] for move in values)
        if actor == player:
            out[1][infoset] = own
            for move in values:
                out[0][infoset][move] += others * (values[move] - value)
        return value

    def policy(self) -> Tables:
        """The average strategy by infoset."""
        shares = {}
        for infoset, weights in self.average.items():
            total = sum(weights.values())
            shares[infoset] = {a: w / total if total > 0 else 1 / len(weights) for a, w in weights.items()}
        return shares
