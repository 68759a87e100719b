"""Best responses in heads-up limit, beside plain twins; published figures on the slow marker."""

from pathlib import Path

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.cards import parse_cards
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_numbers
from luckless.hands.strength import strengths
from luckless.lanes import LANES
from luckless.rules.game import Game
from luckless.solve.betting_tree import betting_tree
from luckless.solve.exploiting import exploit
from luckless.solve.limit_best_rivers import Room, pack_bets, respond_on_rivers, rivers_of
from luckless.solve.limit_blind import BlindResponses
from luckless.solve.limit_policies import Played, _Asked, members_of
from luckless.solve.limit_response import LimitResponse, next_cards
from luckless.solve.limit_rivers import from_blocks, in_blocks, sort_river
from luckless.solve.limit_showdowns import meet_all
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


def test_hands_meet_those_that_share_no_card_with_them() -> None:
    hands = np.flatnonzero(~np.isin(PAIR_CARDS, BOARD).any(axis=1))
    cards = PAIR_CARDS[hands]
    weights = np.random.default_rng(1).random((len(hands), 3)).astype(np.float32)
    met = np.empty_like(weights)
    meet_all(cards, weights, np.zeros(3, np.float32), np.zeros((52, 3), np.float32), met)
    apart = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3))
    np.testing.assert_allclose(met, apart @ weights.astype(np.float64), rtol=1e-5)


def test_a_river_is_sorted_by_strength() -> None:
    hands, ends = np.zeros(1081, np.int64), np.zeros(1081, np.int64)
    sort_river(np.array(BOARD, np.int64), hands, ends)
    strength = strengths(np.hstack([PAIR_CARDS[hands], np.tile(BOARD, (len(hands), 1))]))
    assert sorted(hands) == np.flatnonzero(~np.isin(PAIR_CARDS, BOARD).any(axis=1)).tolist()
    assert (np.diff(strength.astype(np.int64)) >= 0).all()
    assert np.array_equal(ends, np.searchsorted(strength, strength, side="right"))


class _Random:
    """A policy with random numbers for six classes of hands."""

    symmetric, fixed, blind = False, (True,) * 4, False

    def __init__(self, seed: int = 2) -> None:
        random = np.random.default_rng(seed)
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
    policies: list[_Random], seat: int, node: int, hand: int, weights: list[np.ndarray], strength: np.ndarray
) -> float:
    """What one hand of the responder wins below a node of the river, by recursion over the tree and all hands of all
    members."""
    if node < 0:
        loser, stake, together = TREE.loser[-1 - node], TREE.stake[-1 - node], np.sum(weights, axis=0)
        if loser == 2:
            return float((np.sign(strength[hand] - strength) * together).sum() * stake)
        return float(together.sum() * (-stake if loser == seat else stake))
    slots = range(TREE.first[node], TREE.first[node] + TREE.size[node])
    if TREE.player[node] == seat:
        return max(_plain_river(policies, seat, int(TREE.after[slot]), hand, weights, strength) for slot in slots)
    total = 0.0
    for place, slot in enumerate(slots):
        going = [
            part * policy.chances[3][policy.classes, TREE.place[node] + place]
            for part, policy in zip(weights, policies, strict=True)
        ]
        total += _plain_river(policies, seat, int(TREE.after[slot]), hand, going, strength)
    return total


@pytest.mark.parametrize(("seat", "members"), [(0, 1), (1, 1), (0, 2)])
def test_a_river_is_that_of_a_plain_recursion(seat: int, members: int) -> None:
    policies, random = [_Random(seed) for seed in range(2, 2 + members)], np.random.default_rng(4)
    columns = np.sort(random.choice(567, 40, replace=False))
    reach = random.random((members, PAIRS, 40)).astype(np.float32)
    rivers, played = rivers_of(policies, BOARD[:4], [(BOARD[4], [np.arange(PAIRS)])], PAIR_CARDS.copy())
    weights = in_blocks(reach)
    out = np.zeros((len(weights), PAIRS, LANES), np.float32)
    bets = pack_bets(STREETS[3], seat, played, columns)
    respond_on_rivers(rivers, bets, seat, PAIR_CARDS.copy(), weights, Room.of(13, members), out)
    hands, values = rivers.hands[0], from_blocks(out, 40)
    strength = np.zeros(PAIRS)
    strength[hands] = strengths(np.hstack([PAIR_CARDS[hands], np.tile(BOARD, (len(hands), 1))]))
    starts = [node for node in np.flatnonzero(TREE.street == 3) if TREE.size[node] == 2 and TREE.player[node] == 0]
    starts = [node for node in starts if TREE.place[node] in STREETS[3].nodes[0].places]
    assert len(starts) == 567
    for row, column in zip(random.integers(0, len(hands), 6), random.integers(0, 40, 6), strict=True):
        hand = int(hands[row])
        apart = ~np.isin(PAIR_CARDS, [*PAIR_CARDS[hand], *BOARD]).any(axis=1)
        before = [part[:, column] * apart for part in reach]
        wanted = _plain_river(policies, seat, int(starts[columns[column]]), hand, before, strength)
        assert values[hand, column] == pytest.approx(wanted, rel=1e-4, abs=0.5)


@pytest.mark.parametrize("bot", ["raise", pytest.param("mix:call=1,fold=1", marks=pytest.mark.slow)])
def test_bots_that_do_not_look_at_their_cards_are_worth_what_all_hands_say(bot: str) -> None:
    members = members_of(load_bot(bot), GAME, TREE, STREETS)
    flop = parse_cards("2c2d2h")
    counted = BlindResponses(STREETS, members[0][1]).flop_values(flop)
    whole = np.stack([LimitResponse(STREETS, members, seat).flop_values(flop) for seat in (0, 1)])
    assert abs(counted).max() > 10_000
    np.testing.assert_allclose(counted, whole, rtol=1e-4, atol=0.5)


def _chances(played: Played, street: int, hand: int) -> np.ndarray:
    """What a policy does with a hand at all slots of a street."""
    out = np.zeros(int(TREE.width[street]))
    for node, tables in zip(STREETS[street].nodes, played.tables, strict=True):
        for action, table in enumerate(tables):
            out[node.places + action] = table[played.classes[hand]] * played.scale
    return out


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("bot", "street"),
    [
        ("value-bet", 2),
        pytest.param("value-bet", 3, marks=SLOW),
        *(pytest.param(bot, street, marks=SLOW) for bot in ("pot-odds", "sklansky") for street in range(4)),
    ],
)
def test_rules_that_go_by_ranks_are_asked_once_for_all_alike(bot: str, street: int) -> None:
    loaded = load_bot(bot)
    ((_, policy),) = members_of(loaded, GAME, TREE, STREETS)
    asked = _Asked(loaded, GAME, TREE, STREETS)
    cards = np.random.default_rng(6).choice(52, (0, 3, 4, 5)[street] + 2, replace=False)
    hand, board = pair_numbers(cards[:2]), cards[2:].tolist()
    wanted = asked.chances(street, board, np.array([hand]))[0]
    np.testing.assert_allclose(_chances(policy.on(street, board), street, int(hand)), wanted, atol=1e-6)


def test_folding_always_loses_750_whatever_the_flops() -> None:
    members = members_of(load_bot("fold"), GAME, TREE, STREETS)
    won = []
    for seat in (0, 1):
        response = LimitResponse(STREETS, members, seat)
        nothing = np.zeros((PAIRS, 7))  # raising before the flop wins at once: no flop has to be looked at
        won.append(response.before_flop(nothing, nothing))
    assert won == pytest.approx([5.0, 10.0])
    assert 1000 / 10 * sum(won) / 2 == pytest.approx(750)


def test_a_bot_that_folds_reaches_hardly_any_flop() -> None:
    found = exploit("fold", "limit-hu", flops=10)
    assert found.ci95_mbb is not None
    assert found.ci95_mbb[0] <= 750 <= found.ci95_mbb[1]


def test_numbers_of_flops_are_checked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shell = Shell(monkeypatch, capsys)
    assert "allowed is 2 to 100,000" in shell.refused("exploit", "call", "--game", "limit-hu", "--flops", "1")
    assert "flops are for limit-hu" in shell.refused("exploit", "call", "--game", "river-hu", "--flops", "4")


@pytest.mark.slow
def test_symmetric_boards_are_worth_what_all_boards_are() -> None:
    members = members_of(load_bot("call"), GAME, TREE, STREETS)
    flop = parse_cards("KsTs7s")
    whole = LimitResponse(STREETS, members, 0).flop_values(flop)
    members[0][1].symmetric = False
    np.testing.assert_allclose(LimitResponse(STREETS, members, 0).flop_values(flop), whole, rtol=1e-3, atol=0.5)


HALF = """
class Half:
    blind = True

    def probabilities(self, view):
        return {0: 0.5, view.min_raise_to: 0.5} if view.max_raise_to > 0 else {0: 1.0}
"""
"""Calls or raises with 1/2 each at every decision."""


def _spec(bot: str, folder: Path) -> str:
    """The bot as the command takes it; `half` is a file of its own."""
    if bot != "half":
        return bot
    (folder / "half.py").write_text(HALF)
    return f"{folder / 'half.py'}:Half"


def test_a_bot_of_ones_own_may_say_that_it_does_not_look_at_its_cards(tmp_path: Path) -> None:
    ((_, policy),) = members_of(load_bot(_spec("half", tmp_path)), GAME, TREE, STREETS)
    assert policy.blind
    for street, node in ((1, 0), (3, 0)):
        checks, bets = policy.on(street, ()).tables[node]
        assert (checks == 0.5).all()
        assert (bets == 0.5).all()


PLAIN = """
class Rolls:
    def decide(self, view, dice):
        return 0 if dice.random() < 0.5 else -1


class Remembers:
    memory = True

    def decide(self, view, dice):
        return 0
"""


def test_bots_without_probabilities_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    shell = Shell(monkeypatch, capsys)
    words = ["--game", "limit-hu", "--flops", "2"]
    told = shell.refused("exploit", f"{tmp_path / 'plain.py'}:Rolls", *words)
    assert "needs `probabilities` (--by learn does without)" in told
    assert "keeps memory between hands" in shell.refused("exploit", f"{tmp_path / 'plain.py'}:Remembers", *words)


PUBLISHED = [("fold", 750.0), ("call", 1163.48), ("raise", 3697.69), ("half", 2406.55)]
"""Johanson, Waugh, Bowling and Zinkevich, "Accelerating best response calculation in large extensive games", 2011."""


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "published"), PUBLISHED)
def test_the_sampled_bound_covers_the_published_figures(bot: str, published: float, tmp_path: Path) -> None:
    found = exploit(_spec(bot, tmp_path), "limit-hu", flops=60)
    assert found.ci95_mbb is not None
    assert found.ci95_mbb[0] <= published <= found.ci95_mbb[1]


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "published"), PUBLISHED)
def test_the_published_figures(bot: str, published: float, tmp_path: Path) -> None:
    found = exploit(_spec(bot, tmp_path), "limit-hu", save=tmp_path / "flops")
    assert found.exact
    assert found.mbb == pytest.approx(published, abs=0.006)


@pytest.mark.slow
def test_what_the_readme_says_of_the_shipped_blueprint(tmp_path: Path) -> None:
    """All flops: some 80 minutes of two cores."""
    found = exploit("blueprint", "limit-hu", save=tmp_path / "flops")
    assert found.exact
    assert found.mbb == pytest.approx(147.93, abs=0.006)
