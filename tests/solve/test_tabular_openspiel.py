"""OpenSpiel as an independent oracle: its policies judged by us, ours by it, and the same curves."""

from typing import Any

import numpy as np
import pytest

from luckless.solve.flat import FlatGame, flatten
from luckless.solve.kuhn import Kuhn
from luckless.solve.leduc import CARDS, Leduc
from luckless.solve.sampling import SamplingSolver
from luckless.solve.sequences import Policy, exploitability, game_value, nash_conv, uniform_policy
from luckless.solve.tabular import TabularSolver
from luckless.solve.tree_game import CHANCE, END, TreeGame

pyspiel = pytest.importorskip("pyspiel")

GAMES: dict[str, tuple[TreeGame, dict[str, int]]] = {
    "kuhn_poker": (Kuhn(), {"J": 0, "Q": 1, "K": 2, "k": 0, "b": 1, "f": 0, "c": 1}),
    "leduc_poker": (Leduc(), {**{card: at for at, card in enumerate(CARDS)}, "f": 0, "c": 1, "r": 2}),
}
"""Their name, our game, and their numbers of our moves."""


class Bridge:
    """Our infosets and theirs, found by walking both trees at once."""

    def __init__(self, name: str) -> None:
        self.theirs = pyspiel.load_game(name)
        self.game, self.numbers = GAMES[name]
        self.flat: FlatGame = flatten(self.game)
        self.names: dict[tuple[int, str], str] = {}
        self.states: dict[tuple[int, str], Any] = {}
        self._walk(self.game.start(), self.theirs.new_initial_state())

    def _walk(self, ours: Any, theirs: Any) -> None:
        actor = self.game.actor(ours)
        assert theirs.is_terminal() == (actor == END)
        if actor == END:
            assert self.game.payoff(ours) == theirs.returns()[0]
            return
        moves = self.game.moves(ours)
        assert sorted(self.numbers[move] for move, _ in moves) == sorted(theirs.legal_actions())
        if actor == CHANCE:
            shares = dict(theirs.chance_outcomes())
            assert all(shares[self.numbers[move]] == pytest.approx(share) for move, share in moves)
        else:
            assert theirs.current_player() == actor
            self.states[actor, self.game.infoset(ours)] = theirs
            known = self.names.setdefault((actor, self.game.infoset(ours)), theirs.information_state_string())
            assert known == theirs.information_state_string()
        for move, _ in moves:
            self._walk(self.game.after(ours, move), theirs.child(self.numbers[move]))

    def to_them(self, policy: Policy) -> Any:
        table: dict[str, list[tuple[int, float]]] = {}
        for (player, infoset), name in self.names.items():
            at = self.flat.infosets[player].index(infoset)
            start = self.flat.sides[player].start[at]
            actions = self.flat.actions[player][at]
            table[name] = [(self.numbers[a], float(policy[player][start + k])) for k, a in enumerate(actions)]
        return pyspiel.TabularPolicy(table)

    def from_them(self, policy: Any) -> Policy:
        parts = uniform_policy(self.flat)
        for (player, infoset), state in self.states.items():
            at = self.flat.infosets[player].index(infoset)
            start = self.flat.sides[player].start[at]
            shares = policy.action_probabilities(state)
            for place, action in enumerate(self.flat.actions[player][at]):
                parts[player][start + place] = shares[self.numbers[action]]
        return parts


@pytest.fixture(scope="module", params=list(GAMES))
def bridge(request: pytest.FixtureRequest) -> Bridge:
    return Bridge(request.param)


def test_both_trees_are_the_same_game(bridge: Bridge) -> None:
    assert len(bridge.names) == sum(map(len, bridge.flat.infosets))
    assert len(set(bridge.names.values())) == len(bridge.names)


def test_their_measure_of_our_policies(bridge: Bridge) -> None:
    solver, sampled = TabularSolver(bridge.flat, "pdcfr+"), SamplingSolver(bridge.flat, "external", 1)
    solver.run(20)
    sampled.run(500)
    for policy in (uniform_policy(bridge.flat), solver.policy(), sampled.policy()):
        theirs = bridge.to_them(policy)
        assert nash_conv(bridge.flat, policy) == pytest.approx(pyspiel.nash_conv(bridge.theirs, theirs), abs=1e-9)
        assert exploitability(bridge.flat, policy) == pytest.approx(
            pyspiel.exploitability(bridge.theirs, theirs), abs=1e-9
        )
        root = bridge.theirs.new_initial_state()
        value = pyspiel.expected_returns(root, theirs, -1, True)[0]
        assert game_value(bridge.flat, policy) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(("algorithm", "theirs"), [("cfr", "CFRSolver"), ("cfr+", "CFRPlusSolver")])
def test_their_solvers_take_the_same_steps(bridge: Bridge, algorithm: str, theirs: str) -> None:
    solver, other = TabularSolver(bridge.flat, algorithm), getattr(pyspiel, theirs)(bridge.theirs)
    for _ in range(12):
        other.evaluate_and_update_policy()
        solver.run(1)
        policy = bridge.from_them(other.average_policy())
        for mine, their in zip(solver.policy(), policy, strict=True):
            assert mine == pytest.approx(their, abs=1e-9)
        assert solver.exploitability() == pytest.approx(exploitability(bridge.flat, policy), abs=1e-9)


def test_their_external_sampling_is_judged_alike_and_ours_is_no_worse(bridge: Bridge) -> None:
    """Means over eight seeds; ours counts later iterations more, which helps."""
    theirs, ours = [], []
    for seed in range(8):
        other, solver = (
            pyspiel.ExternalSamplingMCCFRSolver(bridge.theirs, seed),
            SamplingSolver(bridge.flat, seed=seed),
        )
        for _ in range(300):
            other.run_iteration()
        solver.run(300)
        policy = bridge.from_them(other.average_policy())
        theirs.append(exploitability(bridge.flat, policy))
        ours.append(solver.exploitability())
    measured = pyspiel.nash_conv(bridge.theirs, bridge.to_them(policy)) / 2
    assert theirs[-1] == pytest.approx(measured, abs=1e-9)
    assert np.mean(ours) < 1.2 * np.mean(theirs)
