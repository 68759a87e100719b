"""Decks: two cards for each seat in seat order, then the five board cards; by seed and deal number, or as given."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.cards import DECK_SIZE, format_card
from luckless.errors import InputError
from luckless.kernels import njit
from luckless.keys import Keys
from luckless.randomness import DECK, shuffle_front
from luckless.rules.arrays import whole_numbers
from luckless.rules.game import Game


@njit(cache=True, nogil=True, borrows=True)
def _take_out(cards: NDArray[np.uint8], pack: NDArray[np.uint8]) -> int:
    """Removes cards from a pack, which keeps its order; returns how many are left."""
    left = 0
    for card in pack:
        pack[left] = card
        left += 1
        for taken in cards:
            if taken == card:
                left -= 1
    return left


@njit(cache=True, nogil=True, borrows=True)
def deal_deck(
    pack: NDArray[np.uint8], fixed: NDArray[np.uint8], key: NDArray[np.uint64], deal: int, deck: NDArray[np.uint8]
) -> None:
    """Fills one deck. `pack` is room for 52 cards; `fixed` are board cards that are not dealt but lie there."""
    for card in range(DECK_SIZE):
        pack[card] = card
    size = DECK_SIZE
    if len(fixed) > 0:
        size = _take_out(fixed, pack)
    dealt = len(deck) - 5
    to_deal = len(deck) - len(fixed)
    shuffle_front(pack, size, to_deal, key, deal, DECK)
    for place in range(dealt):
        deck[place] = pack[place]
    for place in range(len(fixed)):
        deck[dealt + place] = fixed[place]
    for place in range(dealt, to_deal):
        deck[place + len(fixed)] = pack[place]


@njit(cache=True, nogil=True)
def _deal_decks(
    fixed: NDArray[np.uint8], keys: NDArray[np.uint64], deals: NDArray[np.int64], decks: NDArray[np.uint8]
) -> None:
    pack = np.empty(DECK_SIZE, np.uint8)
    for row in range(len(deals)):
        deal_deck(pack, fixed, keys[row], deals[row], decks[row])


def deal(game: Game, seed: int | Keys, deals: ArrayLike) -> NDArray[np.uint8]:
    """The decks of the given deal numbers, one a row. The same seed and number always give the same cards.

    A seed that is a number is an open key.
    """
    numbers = np.atleast_1d(whole_numbers(deals, "deal numbers"))
    decks = np.empty((len(numbers), 2 * game.seats + 5), np.uint8)
    _deal_decks(np.array(game.board, np.uint8), Keys.of(seed).rows("deck", numbers), numbers, decks)
    return decks


def check_decks(game: Game, decks: ArrayLike) -> NDArray[np.uint8]:
    """Checks decks that were given instead of dealt: the cards of a row must be different and fit the game."""
    cards = np.atleast_2d(whole_numbers(decks, "decks", 2))
    width = 2 * game.seats + 5
    if cards.shape[1] != width:
        raise InputError(f"a deck for {game.seats} seats has {width} cards, not {cards.shape[1]}")
    if cards.size and (cards.min() < 0 or cards.max() >= DECK_SIZE):
        raise InputError(f"a deck holds cards 0 to 51; found {cards.min()} to {cards.max()}")
    ordered = np.sort(cards, axis=1)
    twice = np.argwhere(ordered[:, 1:] == ordered[:, :-1])
    if len(twice):
        row, place = (int(number) for number in twice[0])
        raise InputError(f"deck {row} has {format_card(int(ordered[row, place]))} twice")
    fixed = np.array(game.board)
    off = np.argwhere(cards[:, 2 * game.seats : 2 * game.seats + len(fixed)] != fixed)
    if len(off):
        raise InputError(f"deck {int(off[0][0])} does not have the game's fixed board on its table")
    return cards.astype(np.uint8)
