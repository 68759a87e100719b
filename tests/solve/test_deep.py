"""Deep PDCFR+: the exact algorithm inside it, its samples, its networks, and what it reaches."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exact_lessons import TableRegression, exact_collect
from luckless import optional_torch
from luckless.errors import InputError
from luckless.randomness import key_of
from luckless.solve.deep.collecting import Collected, Drawn, collect
from luckless.solve.deep.learner import DeepSettings, matched
from luckless.solve.deep.networks import Lesson, NetworkRegression, _views, find_slopes
from luckless.solve.deep.solver import DeepSolver
from luckless.solve.deep.world import World, tree_world
from luckless.solve.flat import flatten
from luckless.solve.kuhn import Kuhn
from luckless.solve.leduc import Leduc
from luckless.solve.schedules import schedule_of
from luckless.solve.sequences import nash_conv
from luckless.solve.strategy_file import Task, load_solution, save_solution
from luckless.solve.tabular import TabularSolver
from luckless.solve.tree_game import END, TreeGame

SMALL = DeepSettings(
    games=300,
    regrets=NetworkRegression((32,), steps=25, rate=0.01),
    values=NetworkRegression((32,), steps=10, rate=0.01),
)
EXACT = DeepSettings(gamma=5.0, regrets=TableRegression(200), values=TableRegression(1000), collect=exact_collect)


LEDUC = flatten(Leduc())
LEDUC_WORLD = tree_world(Leduc(), LEDUC)


@pytest.mark.parametrize(("game", "iterations"), [(Kuhn(), 48), (Leduc(), 6)])
def test_with_exact_regression_it_is_tabular_pdcfr_plus(game: TreeGame, iterations: int) -> None:
    deep, tabular = DeepSolver(game, settings=EXACT), TabularSolver(flatten(game), "pdcfr+")
    for _ in range(iterations // 6):
        deep.run(6)
        tabular.run(6)
        for one, other in zip(
            deep.policy() + deep.current_policy(), tabular.policy() + tabular.current_policy(), strict=True
        ):
            assert np.abs(one - other).max() < 1e-9


def test_discounts_are_those_of_pdcfr_plus() -> None:
    schedule = DeepSettings(alpha=2.3, gamma=5.0).schedule
    for t in (1, 2, 7, 100):
        assert schedule(t) == schedule_of("pdcfr+")(t)
        assert schedule(t).positive == pytest.approx((t - 1) ** 2.3 / ((t - 1) ** 2.3 + 1))
        assert schedule(t).ahead == pytest.approx(t**2.3 / (t**2.3 + 1))
        assert DeepSettings().schedule(t).forget == pytest.approx(((t - 1) / t) ** 2)


def mixed_strategies(world: World, seed: int) -> tuple[Any, Any]:
    """Strategies with many zeros, as regret matching plays them."""
    random = np.random.default_rng(seed)
    wishes = [random.normal(size=(len(seen.inputs), world.outputs)) for seen in world.seen]
    return matched(world.seen[0], wishes[0]), matched(world.seen[1], wishes[1])


def batches(world: World, strategies: tuple[Any, Any], baseline: Any, player: int, games: int) -> list[Collected]:
    return [
        collect(world.nodes, world.starts, strategies, baseline, Drawn(player, key_of(5), number, games))
        for number in range(1, 41)
    ]


def z_scores(samples: list[Any], mean: Any) -> Any:
    """How many standard errors the mean of samples lies from the true one, where there is any spread."""
    spread = np.std(samples, axis=0, ddof=1) / np.sqrt(len(samples))
    varied = spread > 1e-9
    return (np.mean(samples, axis=0) - mean)[varied] / spread[varied]


def spread_of_regrets(world: World, strategies: tuple[Any, Any], baseline: Any) -> float:
    """The variance of the first player's sampled regrets, over all infosets."""
    return float(np.var([one.regrets for one in batches(world, strategies, baseline, 0, 500)], axis=0).sum())


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("kind", ["none", "good", "wrong"])
def test_no_baseline_changes_the_mean(player: int, kind: str) -> None:
    strategies = mixed_strategies(LEDUC_WORLD, 1)
    exact = exact_collect(LEDUC_WORLD, strategies, np.zeros(0), Drawn(player, key_of(5), 1, 1000))
    true = exact.values / np.maximum(exact.passed, 1e-30)
    wrong = np.random.default_rng(2).normal(size=len(true))
    baseline = {"none": 0 * true, "good": true, "wrong": wrong}[kind]
    got = batches(LEDUC_WORLD, strategies, baseline, player, 1000)
    assert np.abs(z_scores([one.visits for one in got], exact.visits)).max() < 5
    for column in ("regrets", "values"):
        scores = z_scores([getattr(one, column) for one in got], getattr(exact, column))
        assert np.median(np.abs(scores)) == pytest.approx(0.68, abs=0.08)  # Student's t of 40 batches


def test_a_baseline_lowers_the_variance() -> None:
    strategies = mixed_strategies(LEDUC_WORLD, 1)
    exact = exact_collect(LEDUC_WORLD, strategies, np.zeros(0), Drawn(0, key_of(5), 1, 1))
    true = exact.values / np.maximum(exact.passed, 1e-30)
    plain, helped = (spread_of_regrets(LEDUC_WORLD, strategies, factor * true) for factor in (0.0, 1.0))
    assert helped < 0.6 * plain


def test_a_learned_baseline_lowers_the_variance() -> None:
    pytest.importorskip("torch")
    solver = DeepSolver(Leduc(), 1, SMALL)
    solver.run(3)
    world, learner = solver._world, solver._learner
    guess = learner.baseline(world, learner.value_model)
    over = world.nodes.actor == END
    assert (guess[over] == world.nodes.payoff[over]).all()
    plain, helped = (spread_of_regrets(world, solver.current_policy(), factor * guess) for factor in (0.0, 1.0))
    assert helped < 0.7 * plain


def test_infosets_that_differ_in_suits_share_a_row() -> None:
    for player in (0, 1):
        rows: dict[str, set[int]] = {}
        for name, row in zip(LEDUC.infosets[player], LEDUC_WORLD.seen[player].row, strict=True):
            rows.setdefault(name.replace("1", "").replace("2", ""), set()).add(int(row))
        assert all(len(found) == 1 for found in rows.values())
        assert len(set().union(*rows.values())) == len(rows) == len(LEDUC_WORLD.seen[player].inputs)
    assert len(LEDUC_WORLD.histories) < len(LEDUC_WORLD.open_nodes) / 4


def test_without_a_positive_regret_the_best_action_is_played() -> None:
    world = tree_world(Kuhn(), flatten(Kuhn()))
    wishes = np.tile([-3.0, -1.0, -2.0, -4.0], (6, 1))  # b, c, f, k
    seen = world.seen[0]
    strategy = matched(seen, wishes)
    for number, actions in enumerate(flatten(Kuhn()).actions[0]):
        rows = slice(seen.start[number], seen.start[number + 1])
        assert dict(zip(actions, strategy[rows], strict=True)) in ({"k": 0.0, "b": 1.0}, {"f": 0.0, "c": 1.0})


def test_slopes_worked_out_by_hand_are_those_of_torch() -> None:
    torch = pytest.importorskip("torch")
    random = np.random.default_rng(1)
    shapes = [(5, 8), (8, 7), (7, 3)]
    numbers = torch.tensor(random.normal(size=sum((a + 1) * b for a, b in shapes)), requires_grad=True)
    data = [torch.tensor(random.normal(size=size)) for size in ((20, 5), (20, 3))]
    weights = torch.tensor(random.random((20, 3)))
    x = data[0]
    for place, (factors, biases) in enumerate(_views(numbers, shapes)):
        x = x @ factors + biases
        x = torch.relu(x) if place < 2 else x
    loss = (weights * (x - data[1]) ** 2).sum() / weights.sum()
    slopes = torch.zeros_like(numbers)
    with torch.no_grad():
        find_slopes(_views(numbers, shapes), [*data, weights], _views(slopes, shapes))
    assert torch.allclose(slopes, torch.autograd.grad(loss, numbers)[0], rtol=1e-10, atol=1e-12)


def test_a_network_learns_a_table() -> None:
    pytest.importorskip("torch")
    regression = NetworkRegression((32, 32), steps=300, rate=0.01)
    random = np.random.default_rng(1)
    inputs, wanted = np.eye(12, dtype=np.float32), random.normal(size=(12, 2))
    weights = np.ones((12, 2))
    weights[3] = 0.0
    model = regression.new(12, 2, random)
    assert (regression.run(model, inputs, 2) == 0).all()
    fitted = regression.fit(model, Lesson(inputs, wanted, weights), 2, random)
    errors = np.abs(regression.run(fitted, inputs, 2) - wanted)
    assert np.delete(errors, 3, axis=0).max() < 0.01


def test_kuhn_is_learned() -> None:
    pytest.importorskip("torch")
    solver = DeepSolver(Kuhn(), 1, SMALL)
    solver.run(25)
    assert solver.exploitability() == nash_conv(solver.game, solver.policy()) / 2 < 0.02
    assert solver.value() == pytest.approx(-1 / 18, abs=0.01)


def test_the_seed_decides_everything() -> None:
    pytest.importorskip("torch")
    runs = []
    for seed in (1, 1, 2):
        solver = DeepSolver(Kuhn(), seed, SMALL)
        solver.run(2)
        runs.append(solver.state()["pairs.0"].tobytes())
    assert runs[0] == runs[1] != runs[2]


def test_it_goes_on_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("luckless.solve.deep.solver.DeepSettings", lambda: SMALL)
    task, file = Task("kuhn", None, "deep-pdcfr+", 3), tmp_path / "half.safetensors"
    whole, half = task.solver(), task.solver()
    whole.run(4)
    half.run(2)
    save_solution(file, task, half, 0.0)
    again, resumed = load_solution(file)
    assert again == task
    assert isinstance(resumed, DeepSolver)
    resumed.run(2)
    for solver, name in ((whole, "whole"), (resumed, "resumed")):
        save_solution(tmp_path / name, task, solver, 0.0)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "resumed").read_bytes()
    for one, other in zip(whole.policy(), resumed.policy(), strict=True):  # type: ignore[union-attr]
        assert one.tobytes() == other.tobytes()


def test_an_interrupted_iteration_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    solver = DeepSolver(Kuhn(), 1, SMALL)
    solver.run(1)
    before = solver.state()
    calls = iter(range(100))

    def interrupted(self: Any, *given: Any) -> Any:
        if next(calls) == 4:
            raise KeyboardInterrupt
        return given[0]

    monkeypatch.setattr(NetworkRegression, "fit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solver.run(1)
    for name, array in solver.state().items():
        assert array.tobytes() == before[name].tobytes()


def test_numbers_that_are_not_finite_are_caught(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    solver = DeepSolver(Kuhn(), 1, DeepSettings(games=100, regrets=NetworkRegression((8,), steps=50, rate=1e30)))
    with pytest.raises(InputError, match=r"network of regrets.*not finite.*gone astray.*--seed"):
        solver.run(2)
    state = DeepSolver(Kuhn(), 1, SMALL).state()
    state["pairs.1"][0, 0, 5] = np.nan
    with pytest.raises(InputError, match=r"array pairs\.1 of the solution holds numbers that are not finite"):
        DeepSolver(Kuhn(), 1, SMALL).restore(state)


def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    task = Task("kuhn", None, "deep-pdcfr+", 3)
    solver = task.solver()
    state = solver.state()
    for name, change, reason in (
        ("iterations", np.array([4]), "does not hold the networks of its 4 iterations"),
        ("values", np.zeros(3, np.float32), "values is missing or of another size"),
        ("pairs.0", np.zeros((1, 2, 7), np.float32), "pairs.0 is missing or of another size"),
    ):
        solver.state = lambda: state | {name: change}  # type: ignore[method-assign] # noqa: B023
        save_solution(tmp_path / "bad", task, solver, 0.0)
        with pytest.raises(InputError, match=reason):
            load_solution(tmp_path / "bad")


def test_only_learning_needs_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in list(vars(optional_torch.torch)):  # what was asked for before is kept
        monkeypatch.delattr(optional_torch.torch, name)
    solver = DeepSolver(Kuhn(), 1, SMALL)
    assert solver.exploitability() == pytest.approx(0.4583, abs=5e-5)
    with pytest.raises(InputError, match=r"needs the extra 'learn'"):
        solver.run(1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_leduc_below_a_tenth_of_an_ante(seed: int) -> None:
    """NashConv below 0.12 antes, so that exploitability is below 0.06; the published deep methods reach 0.09."""
    pytest.importorskip("torch")
    solver = DeepSolver(Leduc(), seed)
    solver.run(100)
    assert nash_conv(solver.game, solver.policy()) < 0.12
