"""Ranks inside compiled loops: the counts of the tables, whether those are built or boards are counted on the way."""

import numpy as np
import pytest
from numpy.typing import NDArray

from luckless.bots.catalogue import load_bot
from luckless.hands import rank_source
from luckless.hands.isomorphism import canonical_boards
from luckless.hands.rank import ranks
from luckless.hands.rank_source import RankSource, hr7_half_count, ihr_half_count
from luckless.hands.tables import SITUATIONS, RankTable
from luckless.hands.tables_build import fill_table
from luckless.kernels import njit
from luckless.matches.match import Match
from luckless.rules.game import BOARD_CARDS, Game


@pytest.fixture
def no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without tables, in a process that has counted nothing."""
    monkeypatch.setattr(rank_source, "rank_table", lambda board_cards: None)
    monkeypatch.setattr(rank_source, "_open", rank_source._open.__wrapped__)


def random_cards(count: int) -> NDArray[np.uint8]:
    generator = np.random.default_rng(5)
    return np.array([generator.permutation(52)[:7] for _ in range(count)], np.uint8)


@pytest.mark.parametrize("street", range(4))
def test_counts_are_those_of_hand_rank(street: int, no_tables: None) -> None:
    cards = random_cards((2000, 30, 300, 2000)[street])
    boards = cards[:, 2 : 2 + BOARD_CARDS[street]]
    wanted = ranks(cards[:, :2], boards)
    source = rank_source.rank_source()
    assert [hr7_half_count(row, street, source) for row in cards] == wanted.hr7.tolist()
    assert [ihr_half_count(row, street, source) for row in cards] == wanted.ihr.tolist()


def test_a_board_is_counted_once_for_all_suits_and_hole_cards(no_tables: None) -> None:
    source = rank_source.rank_source()
    row = random_cards(1)[0]
    first = hr7_half_count(row, 2, source)
    counted = int((source.turn > 0).sum())
    renamed = (row & ~np.uint8(3)) | (3 - (row & 3))  # clubs and spades change places, diamonds and hearts too
    assert hr7_half_count(renamed, 2, source) == first
    assert hr7_half_count(np.concatenate([row[[1, 0]], row[[4, 2, 5, 3]], row[6:]]), 2, source) == first
    assert int((source.turn > 0).sum()) == counted


def payoffs(workers: int) -> NDArray[np.int32]:
    players = [load_bot("pot-odds"), load_bot("value-bet")]
    match = Match.plan(Game.load("nolimit-hu"), players, hands=2000, seed=3)
    return np.concatenate([chunk.records.payoffs for chunk in match.chunks(workers=workers)])


def test_matches_are_the_same_with_tables_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = rank_source.rank_source()._replace(turn=np.zeros(SITUATIONS[4], np.uint32))
    monkeypatch.setattr(rank_source, "_open", lambda: counted)
    without = payoffs(workers=2)
    table = RankTable(np.empty(0, np.uint16), counted.turn.copy())
    monkeypatch.undo()
    monkeypatch.setattr(rank_source, "rank_table", lambda board_cards: table)
    monkeypatch.setattr(rank_source, "_open", rank_source._open.__wrapped__)
    np.testing.assert_array_equal(payoffs(workers=1), without)


@njit(nogil=True)
def _count_turns(boards: NDArray[np.int64], source: RankSource) -> None:
    """Asks for one pair of hole cards on every board, which counts them all."""
    cards = np.zeros(7, np.uint8)
    for row in range(len(boards)):
        cards[2:6] = boards[row]
        free = [card for card in range(52) if not (boards[row] == card).any()]
        cards[0], cards[1] = free[0], free[1]
        hr7_half_count(cards, 2, source)


@pytest.mark.slow
def test_all_counts_are_those_of_the_tables(no_tables: None) -> None:
    """All 1,286,792 situations of the flop and all 13,960,050 of the turn."""
    source = rank_source.rank_source()
    _count_turns(canonical_boards(4)[0], source)
    np.testing.assert_array_equal(source.flop, fill_table(3)["hr7"])
    np.testing.assert_array_equal(source.turn, fill_table(4)["hr7"])
