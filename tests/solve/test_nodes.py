"""A solution walked node by node: values agree with the solver's own, and wrong lines are refused."""

import numpy as np
import pytest

from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS
from luckless.solve.holdem import HoldemSolver
from luckless.solve.nodes import Walk
from luckless.solve.spot_file import make_spot

RIVER = {"board": "KsTh7s4d2s", "pot": 200, "stack": 300, "ranges": ["TT+,AQ+,76s", "99+,AJ+,T9s"],
         "sizes": {"bets": "60%,all-in"}}  # fmt: skip
TURN = {"board": "KsTh7s4d", "pot": 200, "stack": 400, "ranges": ["TT+,AQs", "JJ+,AKs,T9s"], "sizes": {"bets": "75%"}}


@pytest.fixture(scope="module", params=[RIVER, TURN], ids=["river", "turn"])
def walk(request: pytest.FixtureRequest) -> Walk:
    solver = HoldemSolver(make_spot(request.param))
    solver.run(30)
    return Walk(solver)


def mean_value(walk: Walk, *line: str) -> float:
    """What the player to act takes out of the pot on average at a node, over all hands that meet there."""
    position = walk.at(line)
    decision = walk.decision(position)
    assert decision is not None
    player = decision.player
    rows = walk.rows(position, decision)
    other = walk.solver.hands[position.street][1 - player][position.board]
    total = weight = 0.0
    for row in rows:
        free = ~np.isin(PAIR_CARDS[other], PAIR_CARDS[row.pair]).any(axis=1)
        met = row.weight * float(position.reach[1 - player][free].sum())
        if met > 0:
            total += met * row.ev
            weight += met
    return total / weight


def test_the_first_decision_is_worth_what_the_solver_says(walk: Walk) -> None:
    judged = walk.solver.judge()
    assert mean_value(walk) == pytest.approx(judged.first_ev, abs=1e-6)


def test_a_node_is_worth_what_its_actions_lead_to(walk: Walk) -> None:
    """After a check the second player takes, on average, what the first one leaves: nothing gets lost on the way."""
    position = walk.at(["x"])
    decision = walk.decision(position)
    assert decision is not None
    assert decision.player == 1
    first = walk.at([])
    opening = walk.decision(first)
    assert opening is not None
    rows = walk.rows(first, opening)
    values = walk._action_values(first, opening, _meets(walk))
    checks = float((np.array([row.weight for row in rows]) * [row.shares[0] for row in rows] * values[0]).sum())
    pot = walk.solver.spot.stakes.pot
    reach = position.reach
    met = float(reach[0] @ _meets(walk) @ reach[1])
    assert checks / met + pot / 2 == pytest.approx(pot - mean_value(walk, "x"), abs=1e-6)


def _meets(walk: Walk) -> np.ndarray:
    hands = [PAIR_CARDS[walk.solver.hands[0][player][0]] for player in (0, 1)]
    return np.array([[not set(one) & set(two) for two in hands[1].tolist()] for one in hands[0].tolist()], float)


def test_shares_and_equities_are_shares(walk: Walk) -> None:
    position = walk.at(["x"])
    decision = walk.decision(position)
    assert decision is not None
    for row in walk.rows(position, decision):
        assert sum(row.shares) == pytest.approx(1)
        assert 0 <= row.equity <= 1


def test_a_line_goes_on_over_a_card() -> None:
    solver = HoldemSolver(make_spot(TURN))
    solver.run(5)
    walk = Walk(solver)
    dealt = walk.at(["x", "x"])
    assert walk.decision(dealt) is None
    assert dealt.deal is not None
    cards = walk.cards_after(dealt)
    assert sum(many for _, many in cards) == 48
    river = walk.at(["x", "x", cards[0][0], "b150"])
    decision = walk.decision(river)
    assert decision is not None
    assert (decision.player, walk.words_of(decision)[:2]) == (1, ["f", "c"])
    assert river.put_in == [150, 0]
    rows = walk.rows(river, decision)
    assert len(rows) == len(solver.hands[1][1][river.board])
    folded = walk.at([*river.words, "f"])
    assert folded.over == "fold"


@pytest.mark.parametrize(
    ("line", "problem"),
    [(["z"], "allowed is x, b"), (["x", "x", "Ks"], "cannot come there"), (["x", "x", "x"], "cannot come there"),
     (["b150", "f", "x"], "the hand is over")],
)  # fmt: skip
def test_wrong_lines_are_refused(line: list[str], problem: str) -> None:
    walk = Walk(HoldemSolver(make_spot(TURN)))
    with pytest.raises(InputError, match=problem):
        walk.at(line)
