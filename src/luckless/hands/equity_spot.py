"""The input of an equity: hands or ranges, board and dead cards, checked against each other."""

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.cards import DECK_SIZE, format_card, format_cards, parse_cards
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_numbers
from luckless.hands.ranges import Range, parse_range

MIN_HANDS, MAX_HANDS = 2, 10
BOARD_SIZES = (0, 3, 4, 5)

SUIT_RENAMINGS = np.array(list(itertools.permutations(range(4))), np.int64)
"""All 24 ways to give the suits each other's names; a row is the new suit of each suit."""


@dataclass(frozen=True)
class EquitySpot:
    """A situation whose cards agree: `ranges` are what known cards leave of `hands`, and none of them is empty."""

    hands: tuple[Range, ...]
    ranges: tuple[Range, ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @property
    def to_come(self) -> int:
        """How many board cards are still to come."""
        return 5 - len(self.board)

    @functools.cached_property
    def suit_symmetries(self) -> NDArray[np.int64]:
        """Places in `SUIT_RENAMINGS` of those that change neither a range nor the board nor the dead cards."""
        keep = np.ones(len(SUIT_RENAMINGS), bool)
        for hand in self.ranges:
            numbers = numbers_of(hand)
            member = np.zeros(PAIRS, bool)
            member[numbers] = True
            keep &= member[renamed_combos()[:, numbers]].all(axis=1)
        for cards in (self.board, self.dead):
            before = np.array(cards, np.int64)
            after = before & ~3 | SUIT_RENAMINGS[:, before & 3]
            keep &= np.isin(after, before).all(axis=1)
        return np.flatnonzero(keep)

    @property
    def is_one_matchup(self) -> bool:
        """Whether all hole cards are known."""
        return all(hand.is_one_hand for hand in self.ranges)


def read_spot(hands: Sequence[str | Range], board: str = "", dead: str = "") -> EquitySpot:
    """Parses and checks a situation of 2 to 10 hands, a board of 0, 3, 4 or 5 cards and any dead cards."""
    if not MIN_HANDS <= len(hands) <= MAX_HANDS:
        raise InputError(f"equity needs {MIN_HANDS} to {MAX_HANDS} hands, not {len(hands)}")
    board_cards, dead_cards = parse_cards(board), parse_cards(dead)
    if len(board_cards) not in BOARD_SIZES:
        cards = "card" if len(board_cards) == 1 else "cards"
        raise InputError(f"the board {board!r} has {len(board_cards)} {cards}; a board has 0, 3, 4 or 5")
    ranges = tuple(parse_range(hand) if isinstance(hand, str) else hand for hand in hands)
    if 2 * len(ranges) + 5 + len(dead_cards) > DECK_SIZE:
        raise InputError(f"{len(dead_cards)} dead cards leave too few to deal {len(ranges)} hands and a board")
    places = {"on the board": board_cards, "among the dead cards": dead_cards}
    for number, hand in enumerate(ranges, 1):
        if hand.is_one_hand:
            places[f"in hand {number}"] = hand.combos[0].tolist()
    _check_apart(places)
    left = tuple(_without_known(hand, number, places) for number, hand in enumerate(ranges, 1))
    return EquitySpot(ranges, left, tuple(board_cards), tuple(dead_cards))


def _check_apart(places: dict[str, list[int]]) -> None:
    for (place, cards), (other, others) in itertools.combinations(places.items(), 2):
        for card in cards:
            if card in others:
                raise InputError(f"card {format_card(card)} is {place} and {other}; a card can be in one place only")


def _without_known(hand: Range, number: int, places: dict[str, list[int]]) -> Range:
    known = {card for place, cards in places.items() if place != f"in hand {number}" for card in cards}
    left = hand.without(known)
    if not len(left):
        raise InputError(
            f"hand {number}, {hand.text!r}, has no possible hand: each needs one of the known cards "
            f"{format_cards(sorted(known, reverse=True), ' ')}"
        )
    return left


@functools.cache
def renamed_combos() -> NDArray[np.int64]:
    """For each renaming of the suits, a row, and each pair of cards the number of the pair that it becomes."""
    return pair_numbers(PAIR_CARDS & ~3 | SUIT_RENAMINGS[:, PAIR_CARDS & 3])


def numbers_of(hand: Range) -> NDArray[np.int64]:
    """The numbers of the hands of a range, ascending."""
    return np.sort(pair_numbers(hand.combos))
