"""Rivers solved again: values beside dense sums, the opponent never gets more, play is legal and hand-blind."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import luckless as lk
from luckless.bots.bot import all_hands
from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.solve.betting_tree import SHOWDOWN, BettingTree, river_betting
from luckless.solve.menus import parse_sizes
from luckless.solve.resolving_bot import ResolvingBot, _nearest, _points
from luckless.solve.river_meeting import BoardHands
from luckless.solve.river_resolving import Play, RiverLines, best_values, normalised, resolve_river

BOARD = (47, 33, 22, 9, 2)
HANDS = BoardHands.of(BOARD)


def some_strategy(tree: BettingTree, seat: int, seed: int) -> np.ndarray:
    return normalised(tree, seat, np.random.default_rng(seed).random((len(tree.after), len(HANDS.pairs))) ** 4)


def dense_best(tree: BettingTree, seat: int, start: np.ndarray, strategy: np.ndarray) -> np.ndarray:
    """What a best response of the other gets with each hand, by plain recursion and products with all pairs."""
    apart = (HANDS.cards[:, None, :, None] != HANDS.cards[None, :, None, :]).all(axis=(2, 3))
    wins = np.sign(HANDS.strength[:, None] - HANDS.strength[None]) * apart

    def value(node: int, reach: np.ndarray) -> np.ndarray:
        parts = []
        for slot in range(tree.first[node], tree.first[node] + tree.size[node]):
            after = int(tree.after[slot])
            here = reach * strategy[slot] if tree.player[node] == seat else reach
            if after >= 0:
                parts.append(value(after, here))
                continue
            loser, stake = tree.loser[-1 - after], tree.stake[-1 - after]
            matrix = wins if loser == SHOWDOWN else apart
            parts.append(matrix @ here * (stake if loser in (SHOWDOWN, seat) else -stake))
        total: np.ndarray = np.sum(parts, axis=0) if tree.player[node] == seat else np.max(parts, axis=0)
        return total

    return value(0, start)


@pytest.mark.parametrize("seat", [0, 1])
def test_values_are_those_of_dense_sums(seat: int) -> None:
    tree = river_betting(Game.load("limit-hu"), None, 80)
    start = np.random.default_rng(2).random(len(HANDS.pairs))
    strategy = some_strategy(tree, seat, 3)
    found = best_values(RiverLines.of(tree), HANDS, seat, start, strategy)
    np.testing.assert_allclose(found, dense_best(tree, seat, start, strategy), rtol=1e-9, atol=1e-7)


def test_the_river_of_limit_has_ten_decisions() -> None:
    tree = river_betting(Game.load("limit-hu"), None, 80)
    assert len(tree.player) == 10
    menu = [[parse_sizes(text, "sizes", raises=True) for text in ("50%,all-in", "all-in")]] * 4
    tree = river_betting(Game.load("nolimit-hu"), menu, 1000)
    assert set(tree.action.tolist()) == {-1, 0, 1000, 19_000}
    points = _points(tree, 1000, 20_000)
    assert points.points[0].actions == (0, 1000, 19_000)
    assert points.points[0].share(1000) == 0.5
    assert points.stack == 19_000


@pytest.mark.parametrize("seat", [0, 1])
def test_no_hand_of_the_opponent_gets_more_than_before(seat: int) -> None:
    """And all of them together less, where the strategy that is replaced was poor."""
    tree = river_betting(Game.load("limit-hu"), None, 80)
    lines, dice = RiverLines.of(tree), np.random.default_rng(5)
    ranges = dice.random((2, len(HANDS.pairs))) ** 2
    ranges /= ranges.sum(axis=1, keepdims=True)
    offer = best_values(lines, HANDS, seat, ranges[seat], some_strategy(tree, seat, 6))
    average = resolve_river(lines, HANDS, ranges, offer, seat, 200, Play.new(lines, len(HANDS.pairs)))
    gets = best_values(lines, HANDS, seat, ranges[seat], normalised(tree, seat, average))
    pot = 160
    assert (ranges[1 - seat] * np.maximum(gets - offer, 0)).sum() < 0.005 * pot
    assert (ranges[1 - seat] * gets).sum() < (ranges[1 - seat] * offer).sum()


def test_sizes_of_the_blueprint_become_those_of_the_tree() -> None:
    actions = np.array([-1, 0, 100, 300])
    assert _nearest(actions, np.array([-1, 0, 90, 260, 5000])).tolist() == [0, 1, 2, 3, 3]
    assert _nearest(np.array([0, 100]), np.array([-1, 0, 400])).tolist() == [0, 0, 1]
    assert _nearest(np.array([-1, 0]), np.array([-1, 0, 400])).tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("game", "history"),
    [("limit-hu", [20, 0, 0, 0, 0, 0]), ("nolimit-hu", [300, 0, 0, 250, 0, 0, 0, 137])],
)
def test_all_hands_of_a_river_at_once(game: str, history: list[int]) -> None:
    bot, plain = load_bot("blueprint:resolve=river"), load_bot("blueprint")
    table = Table.dealt(Game.load(game), 3, np.array([0]))
    for action in history:
        views = table.views(np.array([0]))
        assert np.array_equal(bot.probabilities(views).kinds(), plain.probabilities(views).kinds())
        table.act(np.array([0]), [action])
        if table.public["street"][0] == 3:
            break
    views = table.views(np.array([0]))
    everything, numbers = all_hands(bot, views)
    assert len(numbers) == 1081
    everything.checked(views.with_all_hands(0)[0])
    assert np.array_equal(
        all_hands(load_bot("blueprint:resolve=river"), views)[0].probability, everything.probability
    )


def test_names_are_read_strictly() -> None:
    with pytest.raises(InputError, match="allowed is resolve=river"):
        load_bot("blueprint:resolve=turn")
    with pytest.raises(InputError, match="was made for"):
        lk.play(["blueprint:resolve=river", "call"], game="river-hu", hands=2)


def _gain_tool() -> ModuleType:
    """`tools/resolving_gain.py`, which measures what solving wins."""
    path = Path(__file__).parents[2] / "tools" / "resolving_gain.py"
    spec = importlib.util.spec_from_file_location("resolving_gain", path)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_what_solving_wins_is_counted_over_all_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    tool, bot = _gain_tool(), ResolvingBot("blueprint:resolve=river")
    river = bot.river_of(Game.load("limit-hu"), BOARD, [0, 0, 0, 0, 20, 0])
    assert river is not None
    slots = np.repeat(river.tree.player, river.tree.size)[:, None]
    strategy = np.where(slots == 0, some_strategy(river.tree, 0, 7), some_strategy(river.tree, 1, 8))
    apart = (river.hands.cards[:, None, :, None] != river.hands.cards[None, :, None, :]).all(axis=(2, 3))
    meeting = river.ranges[0] @ apart @ river.ranges[1]
    wanted = river.ranges[0] @ _dense_value(river.tree, strategy, apart, river.ranges[1]) / meeting
    assert tool.value(river, strategy) == pytest.approx(wanted, rel=1e-9)
    won, _ = tool.gain(bot, river)
    assert won != 0.0
    plain = {seat: np.rint(1e6 * bot.plain(river, seat)) for seat in (0, 1)}
    monkeypatch.setattr(bot, "solved", lambda river, seat: plain[seat])
    assert tool.gain(bot, river)[0] == pytest.approx(0.0, abs=1e-4)


def _dense_value(tree: BettingTree, strategy: np.ndarray, apart: np.ndarray, start: np.ndarray) -> np.ndarray:
    """What seat 0 wins with each hand by products with all pairs; strategies (slot, hand)."""
    wins = np.sign(HANDS.strength[:, None] - HANDS.strength[None]) * apart

    def value(node: int, reach: np.ndarray) -> np.ndarray:
        total = np.zeros(len(reach))
        for slot in range(tree.first[node], tree.first[node] + tree.size[node]):
            after, own = int(tree.after[slot]), tree.player[node] == 0
            here = reach if own else reach * strategy[slot]
            if after >= 0:
                part = value(after, here)
            else:
                loser, stake = tree.loser[-1 - after], tree.stake[-1 - after]
                part = (wins if loser == SHOWDOWN else apart) @ here * (-stake if loser == 0 else stake)
            total += part * strategy[slot] if own else part
        return total

    return value(0, start)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "opponent"), [("limit-hu", "random"), ("nolimit-hu", "random"), ("nolimit-hu", "uniform")]
)
def test_it_never_acts_illegally(game: str, opponent: str) -> None:
    result = lk.play(["blueprint:resolve=river", opponent], game=game, hands=400, seed=3).to_dict()
    assert result["bots"][0]["faults"] == 0
