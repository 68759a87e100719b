"""All hands against all hands in 64 bits, beside a comparison of every pair."""

import numpy as np
import pytest

from luckless.cards import parse_cards
from luckless.solve.river_game import canonical, live_pairs
from luckless.solve.river_meeting import BoardHands, beaten, met


@pytest.mark.parametrize("board", ["Ks9h5s3d2c", "AcAdAhAsKc", "Th9h8h7h6h", "2c2d7h7sJd"])
def test_beaten_is_a_comparison_of_all_pairs(board: str) -> None:
    hands = BoardHands.of(tuple(parse_cards(board)))
    weights = np.random.default_rng(1).random(len(hands.pairs))
    share = (hands.cards[:, None, :, None] == hands.cards[None, :, None, :]).any(axis=(2, 3))
    sign = np.sign(hands.strength[:, None] - hands.strength[None, :])
    out = np.empty(len(weights))
    beaten(hands, weights, out)
    assert out == pytest.approx(np.where(share, 0, sign) @ weights, abs=1e-9)
    met(hands, weights, out)
    assert out == pytest.approx((~share) @ weights, abs=1e-9)


def test_boards_that_differ_in_suits_alone_have_one_name() -> None:
    rng = np.random.default_rng(2)
    boards = np.array([rng.choice(52, 5, replace=False) for _ in range(200)])
    named, suits = canonical(boards)
    for board, name, renaming in zip(boards, named, suits, strict=True):
        assert sorted(card // 4 * 4 + renaming[card % 4] for card in board) == name.tolist()
    turn = rng.permutation(4)
    again, _ = canonical((boards // 4 * 4 + turn[boards % 4])[:, ::-1])
    assert (again == named).all()
    assert len(live_pairs(tuple(named[0].tolist()))) == 1081
