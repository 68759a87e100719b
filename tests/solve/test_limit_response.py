"""Best responses in heads-up limit, beside plain twins; published figures on the slow marker."""

from pathlib import Path

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.cards import parse_cards
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.hands.strength import strengths
from luckless.rules.game import Game
from luckless.solve.betting_tree import betting_tree
from luckless.solve.exploiting import exploit
from luckless.solve.limit_policies import Played, policy_of
from luckless.solve.limit_response import LimitResponse, next_cards
from luckless.solve.limit_showdowns import meet_all, show_down
from luckless.solve.limit_streets import streets_of
from shell import Shell

GAME = Game.load("limit-hu")
TREE = betting_tree(GAME)
STREETS = streets_of(TREE)
BOARD = tuple(parse_cards("KsTh7s4d2s"))


def test_streets_begin_after_1_7_63_and_567_lines() -> None:
    assert [street.beginnings for street in STREETS] == [1, 7, 63, 567]
    assert [len(street.nodes) for street in STREETS] == [8, 10, 10, 10]
    assert [street.closings for street in STREETS] == [7, 9, 9, 9]


def test_every_card_comes_once_whatever_the_symmetry() -> None:
    for text in ("2c3c4c", "2c3d4h", "2c2d7h", "2c3d4h5h", "AsKsQsJs"):
        board = tuple(parse_cards(text))
        for symmetric in (False, True):
            images = [renamed for _, part in next_cards(board, symmetric) for renamed in part]
            assert len(images) == 52 - len(board)
            assert all(len(set(renamed.tolist())) == PAIRS for renamed in images)
    assert len(next_cards(tuple(parse_cards("2c3c4c")), True)) < 30


def test_showdowns_are_those_of_all_pairs_of_hands() -> None:
    random = np.random.default_rng(1)
    hands = np.flatnonzero(~np.isin(PAIR_CARDS, BOARD).any(axis=1))
    strength = strengths(np.hstack([PAIR_CARDS[hands], np.tile(BOARD, (len(hands), 1))])).astype(np.int64)
    order = np.argsort(strength, kind="stable")
    hands, strength = hands[order], strength[order]
    cards = PAIR_CARDS[hands]
    weights = random.random((len(hands), 3)).astype(np.float32)
    met, won = np.empty_like(weights), np.empty_like(weights)
    sums = np.zeros(3, np.float32), np.zeros((52, 3), np.float32)
    meet_all(cards, weights, *sums, met)
    show_down(cards, strength, weights, met, np.array([1, 2, 3], np.float32), sums, won)
    apart = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3))
    np.testing.assert_allclose(met, apart @ weights.astype(np.float64), rtol=1e-5)
    wanted = (np.sign(strength[:, None] - strength[None]) * apart) @ weights.astype(np.float64)
    np.testing.assert_allclose(won, wanted * [1, 2, 3], atol=5e-3)


class _Random:
    """A policy with random numbers for six classes of hands."""

    symmetric, fixed = False, True

    def __init__(self) -> None:
        random = np.random.default_rng(2)
        self.classes = random.integers(0, 6, PAIRS)
        self.chances = [random.random((6, int(width))).astype(np.float32) for width in TREE.width]
        for chances, street in zip(self.chances, STREETS, strict=True):
            for node in street.nodes:
                columns = node.places[:, None] + np.arange(len(node.branches))
                chances[:, columns] /= chances[:, columns].sum(axis=2, keepdims=True)

    def on(self, street: int, board: object) -> Played:
        tables = [
            [
                np.ascontiguousarray(self.chances[street][:, node.places + action])
                for action in range(len(node.branches))
            ]
            for node in STREETS[street].nodes
        ]
        return Played(tables, self.classes, 1.0)


def _plain_river(
    policy: _Random, seat: int, node: int, hand: int, weights: np.ndarray, strength: np.ndarray
) -> float:
    """What one hand of the responder wins below a node of the river, by recursion over the tree and all hands."""
    if node < 0:
        loser, stake = TREE.loser[-1 - node], TREE.stake[-1 - node]
        if loser == 2:
            return float((np.sign(strength[hand] - strength) * weights).sum() * stake)
        return float(weights.sum() * (-stake if loser == seat else stake))
    slots = range(TREE.first[node], TREE.first[node] + TREE.size[node])
    if TREE.player[node] == seat:
        return max(_plain_river(policy, seat, int(TREE.after[slot]), hand, weights, strength) for slot in slots)
    total = 0.0
    for place, slot in enumerate(slots):
        share = policy.chances[3][policy.classes, TREE.place[node] + place]
        total += _plain_river(policy, seat, int(TREE.after[slot]), hand, weights * share, strength)
    return total


@pytest.mark.parametrize("seat", [0, 1])
def test_a_river_is_that_of_a_plain_recursion(seat: int) -> None:
    policy, random = _Random(), np.random.default_rng(4)
    response = LimitResponse(STREETS, policy, seat)
    reach = random.random((PAIRS, 567)).astype(np.float32)
    hands, values = response._values(3, BOARD, reach, np.arange(567))
    strength = np.zeros(PAIRS)
    strength[hands] = strengths(np.hstack([PAIR_CARDS[hands], np.tile(BOARD, (len(hands), 1))]))
    starts = [node for node in np.flatnonzero(TREE.street == 3) if TREE.size[node] == 2 and TREE.player[node] == 0]
    starts = [node for node in starts if TREE.place[node] in STREETS[3].nodes[0].places]
    assert len(starts) == 567
    for row, column in zip(random.integers(0, len(hands), 6), random.integers(0, 567, 6), strict=True):
        hand = int(hands[row])
        apart = ~np.isin(PAIR_CARDS, [*PAIR_CARDS[hand], *BOARD]).any(axis=1)
        wanted = _plain_river(policy, seat, int(starts[column]), hand, reach[:, column] * apart, strength)
        assert values[row, column] == pytest.approx(wanted, rel=1e-4, abs=0.5)


def test_folding_always_loses_750_whatever_the_flops() -> None:
    policy = policy_of(load_bot("fold"), GAME, TREE, STREETS)
    won = []
    for seat in (0, 1):
        response = LimitResponse(STREETS, policy, seat)
        nothing = np.zeros((PAIRS, 7))  # raising before the flop wins at once: no flop has to be looked at
        won.append(response.before_flop(nothing, nothing))
    assert won == pytest.approx([5.0, 10.0])
    assert 1000 / 10 * sum(won) / 2 == pytest.approx(750)


def test_numbers_of_flops_are_checked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shell = Shell(monkeypatch, capsys)
    assert "allowed is 2 to 100,000" in shell.refused("exploit", "call", "--game", "limit-hu", "--flops", "1")
    assert "flops are for limit-hu" in shell.refused("exploit", "call", "--game", "river-hu", "--flops", "4")


@pytest.mark.slow
def test_symmetric_boards_are_worth_what_all_boards_are() -> None:
    policy = policy_of(load_bot("call"), GAME, TREE, STREETS)
    flop = parse_cards("KsTs7s")
    whole = LimitResponse(STREETS, policy, 0).flop_values(flop)
    policy.symmetric = False
    np.testing.assert_allclose(LimitResponse(STREETS, policy, 0).flop_values(flop), whole, rtol=1e-3, atol=0.5)


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "published"), [("call", 1163.48), ("raise", 3697.69)])
def test_the_sampled_bound_covers_the_published_figures(bot: str, published: float) -> None:
    found = exploit(bot, "limit-hu", flops=40)
    assert found.ci95_mbb is not None
    assert found.ci95_mbb[0] - 0.1 * published < published < found.ci95_mbb[1] + 0.1 * published


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "published"), [("fold", 750.0), ("call", 1163.48), ("raise", 3697.69)])
def test_the_published_figures(bot: str, published: float, tmp_path: Path) -> None:
    found = exploit(bot, "limit-hu", save=tmp_path / "flops")
    assert found.exact
    assert found.mbb == pytest.approx(published, abs=0.006)
