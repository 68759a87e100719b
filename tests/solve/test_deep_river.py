"""River-only hold'em by Deep PDCFR+: its trees of deals, what networks see, and what they reach."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS
from luckless.solve.deep.learner import DeepSettings
from luckless.solve.deep.networks import NetworkRegression
from luckless.solve.deep.river import BoardAverage, RiverSettings, RiverSolver, draw_cards, river_spot, river_world
from luckless.solve.deep.river_betting import Betting, river_betting
from luckless.solve.deep.river_inputs import hand_inputs, hats
from luckless.solve.flat import flatten
from luckless.solve.holdem import HoldemSolver
from luckless.solve.kuhn import Kuhn
from luckless.solve.named_policies import named_policy
from luckless.solve.strategy_file import Task, load_solution, save_solution
from luckless.solve.tree_game import END
from shell import Shell

SMALL = RiverSettings(
    deals=250,
    boards=2,
    learning=DeepSettings(
        games=500,
        regrets=NetworkRegression((32,), steps=30, rate=0.01, batch=256),
        values=NetworkRegression((16,), steps=15, rate=0.01, batch=256),
    ),
)
BOARD = tuple(parse_cards("KsTh7s4d2s"))


@pytest.fixture(scope="module")
def betting() -> Betting:
    return river_betting(HoldemSolver(river_spot(BOARD)).layers[0].forest, 200)


def test_payoffs_follow_the_betting(betting: Betting) -> None:
    """The first deal is won by the first player, the second by the other, the third is a tie."""
    deals = ["AsQs 2c2d", "3c3d KdKc", "AcQc AdQd"]
    cards = np.array([parse_cards(deal.replace(" ", "") + "KsTh7s4d2s") for deal in deals])
    nodes = river_world(betting, cards).nodes

    def payoff(deal: int, *places: int) -> float:
        node = nodes.first[0] + deal
        for place in places:
            node = nodes.first[node] + place
        assert nodes.actor[node] == END
        return float(nodes.payoff[node])

    for deal, sign in enumerate((1, -1, 0)):
        assert payoff(deal, 0, 0) == 100 * sign  # check, check
        assert payoff(deal, 1, 0) == 100  # bet, fold
        assert payoff(deal, 0, 1, 0) == -100  # check, bet, fold
        assert payoff(deal, 1, 1) == 300 * sign  # bet 200, call
        assert payoff(deal, 1, 2, 0) == -300  # bet 200, raise to 800, fold
        assert payoff(deal, 1, 2, 2, 2, 2, 1) == 10_000 * sign  # all-in, call


def test_a_tree_of_deals_is_well_formed(betting: Betting) -> None:
    world = river_world(betting, draw_cards(np.random.default_rng(1), 7, 9))
    nodes = world.nodes
    opened = nodes.actor != END
    children = np.concatenate([np.arange(f, f + c) for f, c in zip(nodes.first, nodes.children, strict=True)])
    assert sorted(children) == list(range(1, len(nodes.actor)))
    assert sorted(world.open_nodes) == list(np.flatnonzero(opened)[1:])
    assert len(world.histories) == len(world.open_nodes) == len(world.history_unit)
    for player, seen in enumerate(world.seen):
        own = nodes.actor == player
        assert sorted(nodes.infoset[own]) == list(range(len(seen.row)))
        assert (np.diff(seen.start)[nodes.infoset[own]] == nodes.children[own]).all()
        assert (world.history_unit[np.argsort(world.open_nodes)] > 0).all()


def test_inputs_do_not_depend_on_the_names_of_suits() -> None:
    cards = draw_cards(np.random.default_rng(2), 300, 7)
    renamed = cards // 4 * 4 + np.array([2, 0, 3, 1])[cards % 4]
    first, second = (hand_inputs(deal[:, :2], deal[:, 2:]) for deal in (cards, renamed))
    assert np.abs(first - second).max() < 1e-6


def test_the_nuts_beat_all_and_hats_split_a_share() -> None:
    best = hand_inputs(np.array([parse_cards("AsQs")]), np.array([BOARD]))[0]
    assert best[15] == 1.0  # the last knot: every other hand is beaten
    assert best[:15].max() == 0.0
    shares = hats(np.array([0.0, 0.1, 0.77, 1.0]))
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert np.allclose(shares @ np.arange(16) / 15, [0.0, 0.1, 0.77, 1.0])


def test_averages_reach_the_judge_hand_by_hand(betting: Betting) -> None:
    average = BoardAverage(betting, np.array(BOARD))
    random = np.random.default_rng(3)
    average._sums = [random.random(sums.shape) for sums in average._sums]
    judged = average.judge()
    for player in (0, 1):
        rows, starts = average._sums[player].T, betting.start[player]
        shares = np.vstack([rows[a:b] / rows[a:b].sum(axis=0) for a, b in itertools.pairwise(starts)])
        assert np.abs(average.spot.strategy(0, 0, player) - shares).max() < 1e-6
    assert judged.values[0] == pytest.approx(-judged.values[1], abs=1e-6)
    assert judged.exploitability > 0


def test_reach_is_the_product_of_the_own_actions(betting: Betting) -> None:
    average = BoardAverage(betting, np.array(BOARD))
    strategy = np.random.default_rng(4).random((len(PAIR_CARDS), int(betting.start[0][-1])))
    reach = average._reach(0, strategy)
    # First decision: check 0, bet 1; after check and bet: fold 2, call 3, raise 4; then the next raise is met.
    third = int(np.flatnonzero(betting.parent[0] == 4)[0])
    place = betting.start[0][third]
    assert np.allclose(reach[:, 3], strategy[:, 0] * strategy[:, 3])
    assert np.allclose(reach[:, place], strategy[:, 0] * strategy[:, 4] * strategy[:, place])


def test_a_short_run_becomes_less_exploitable() -> None:
    pytest.importorskip("torch")
    solver = RiverSolver(1, SMALL)
    before = np.mean([one.share for one in solver.judgements()])
    solver.run(6)
    after = np.mean([one.share for one in solver.judgements()])
    assert before > 3
    assert after < before / 3


def test_it_goes_on_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("luckless.solve.deep.river.RiverSettings", lambda: SMALL)
    task = Task("river-hu", None, "deep-pdcfr+", 3)
    whole, half = task.solver(), task.solver()
    whole.run(2)
    half.run(1)
    save_solution(tmp_path / "half", task, half, 0.0)
    again, resumed = load_solution(tmp_path / "half")
    assert again == task
    resumed.run(1)
    for solver, name in ((whole, "whole"), (resumed, "resumed")):
        save_solution(tmp_path / name, task, solver, 0.0)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "resumed").read_bytes()
    with pytest.raises(InputError, match="a solution of kuhn is required"):
        named_policy(f"nash:{tmp_path / 'half'}", flatten(Kuhn()))


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("luckless.solve.deep.river.RiverSettings", lambda: SMALL)
    shell = Shell(monkeypatch, capsys)
    words = ("solve", "river-hu", "--algorithm", "deep-pdcfr+", "--iterations", "1")
    result = shell.json(*words, "--save", str(tmp_path / "file"), "--report", str(tmp_path / "page.html"))
    assert result["algorithm"] == "deep-pdcfr+"
    assert result["boards"] == 2
    low, high = result["exploitability_pot_ci95"]
    assert low <= result["exploitability_pot"] <= high
    assert result["exploitability"] == pytest.approx(200 * result["exploitability_pot"])
    assert "board shown" in (tmp_path / "page.html").read_text()
    assert json.dumps(result)


@pytest.mark.slow
def test_river_becomes_hard_to_exploit() -> None:
    pytest.importorskip("torch")
    solver = RiverSolver(1)
    solver.run(40)
    assert np.mean([one.share for one in solver.judgements()]) < 0.06  # 0.040 was measured
