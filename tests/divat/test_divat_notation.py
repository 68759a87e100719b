"""The one-line notation: the papers' hands, every line there and back, and what is said of bad ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from luckless.cards import parse_cards
from luckless.divat.lines import lines_of
from luckless.errors import InputError
from luckless.histories.notation import FORM, WrittenHand, parse_hand, write_hand


def test_the_slides_hand() -> None:
    hand = parse_hand("AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc")
    assert hand.holes == (parse_cards("AcKc"), parse_cards("7h6h"))
    assert hand.board == parse_cards("Ks5h3dTc4h")
    assert hand.lines == ["rrc", "crrc", "rc", "rrc"]


@given(st.permutations(range(52)), st.lists(st.integers(0, 18), min_size=4, max_size=4))
def test_every_hand_reads_back(deck: list[int], numbers: list[int]) -> None:
    lines = []
    for street in range(4):
        line = lines_of(street)[numbers[street] % len(lines_of(street))]
        lines.append(line.text)
        if line.folder >= 0:
            break
    board = deck[4 : 4 + (0, 3, 4, 5)[len(lines) - 1]]
    hand = WrittenHand((deck[:2], deck[2:4]), board, lines)
    assert parse_hand(write_hand(hand)) == hand


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AcKc|7h6h|SlF", "3 parts between bars"),
        ("AcKc|7h||SlF", "second hand is '7h'"),
        ("AcKc|7hXx||SlF", "'Xx' is not a card"),
        ("AcKc|7hAc||SlF", "card Ac appears twice"),
        ("AcKc|7h6h|Ac5h3d|SlCk/bF", "card Ac appears twice"),
        ("AcKc|7h6h||lSF", "does not start with the blinds"),
        ("AcKc|7h6h||SlC", "before the flop .'C'. is not finished"),
        ("AcKc|7h6h||SlCk", "ends before the flop, where nobody has folded"),
        ("AcKc|7h6h||SlRrRrC", "a fifth bet"),
        ("AcKc|7h6h|Ks5h3d|SlCk/bRrRrC", "a fifth bet"),
        ("AcKc|7h6h|Ks5h3d|SlCk/bFk", "the street is over after action 2 on the flop"),
        ("AcKc|7h6h|Ks5h3d|SlF/bF", "an action follows the end of the hand"),
        ("AcKc|7h6h|Ks5h3d|SlCk/BF", "must be the first player's"),
        ("AcKc|7h6h|Ks5h3d|SlCk/bf", "must be the second player's"),
        ("AcKc|7h6h|Ks5h3d|SlCk/rF", "is 'r'; allowed are f, k, b"),
        ("AcKc|7h6h|Ks5h3d|SlCk/bK", "is 'K'; allowed are f, c, r"),
        ("AcKc|7h6h|Ks5h3d|SlCc/bF", "is 'c'; allowed are f, k, r"),
        ("AcKc|7h6h|Ks5h|SlCk/bF", "write it as flop/turn/river"),
        ("AcKc|7h6h||SlCk/bF", "ends on the flop; give the cards dealt"),
        ("AcKc|7h6h|Ks5h3d/Tc|SlCk/bF", "ends on the flop; give the cards dealt"),
        ("AcKc|7h6h|Ks5h3d/Tc/4h|SlCk/kK/kK/kK/kK", "at most four"),
    ],
)
def test_bad_hands_are_explained(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_hand(text)


def test_the_form_that_errors_show_is_read() -> None:
    assert write_hand(parse_hand(FORM)) == FORM
