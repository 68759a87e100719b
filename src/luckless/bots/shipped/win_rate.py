"""The win rate that bots decide by: how often the hand wins, ties shared, against opponents who hold any cards.

Against one opponent it is exact: 7cHR, the hand rank over all completions of the board. Against several, or where a
bot asks for it, deals are sampled. The sampling starts from the cards themselves: the same hand on the same board
always has the same win rate, so these bots are deterministic and their probabilities are known.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.dice import below
from luckless.bots.parameters import Parameter, place_of
from luckless.bots.shipped.simple import live_opponents
from luckless.hands.evaluator import CARD_BITS, CARD_KEYS, NO_CARDS, bits_of, strength_of, sum_cards
from luckless.hands.rank import HR7_UNITS
from luckless.hands.rank_source import RankSource, hr7_half_count
from luckless.kernels import njit
from luckless.randomness import SPLITMIX_STEP, splitmix
from luckless.rules.game import BOARD_CARDS

WIN_RATE = (
    Parameter.word(
        "win",
        ("exact", "simulate"),
        "The win rate against one opponent: exact (7cHR) or by simulation. Against several it is simulated.",
    ),
    Parameter("samples", 1000, 1, 1e6, "Deals of a simulation.", whole=True),
    Parameter.word(
        "lock", ("0", "1"), "In sessions: 1 checks or folds once the blinds to come cannot cost the lead."
    ),
)
"""The parameters that all bots with a win rate share; their own come after these."""

WIN, SAMPLES, LOCK = (place_of(WIN_RATE, name) for name in ("win", "samples", "lock"))
EXACT = 0
"""The value of the parameter `win` that asks for the exact rate where there is one."""

_HR7_UNITS = np.array(HR7_UNITS, np.float64)
_BOARD_CARDS = np.array(BOARD_CARDS)
_POT = 2520  # divides by every number of players who can share it


@njit(cache=True, nogil=True)
def win_rate(bot: Any, hand: Any, cards: NDArray[np.uint8], source: RankSource) -> Any:
    """The win rate of the seat to act against the seats that have not folded."""
    opponents = live_opponents(hand)
    if opponents == 1 and bot.parameters[WIN] == EXACT:
        return hr7_half_count(cards, hand.street, source) / _HR7_UNITS[hand.street]
    seen = cards[: 2 + _BOARD_CARDS[hand.street]]
    return sampled_win_rate(seen, opponents, int(bot.parameters[SAMPLES]), start_of(seen, opponents))


@njit(cache=True, nogil=True)
def start_of(cards: NDArray[np.uint8], opponents: int) -> Any:
    """Where the sampling of a situation starts: a hash of own cards, board and number of opponents.

    The order of own cards and that of the board do not count: the same hand decides alike however it was dealt.
    """
    start = np.uint64(opponents)
    for place in range(len(cards)):
        which = np.uint64(cards[place]) + np.uint64(1 if place < 2 else 65)
        start += splitmix(SPLITMIX_STEP * which)
    return splitmix(start)


@njit(cache=True, nogil=True)
def sampled_win_rate(cards: NDArray[np.uint8], opponents: int, samples: int, start: Any) -> Any:
    """The share of the pot that two hole cards, followed by the board so far, win on average over sampled deals.

    Each sample draws the board to come and then two cards for each opponent from the top of a shuffled pack.
    """
    pack = np.empty(52, np.uint8)
    size = _fill_pack(cards, pack)
    missing = 7 - len(cards)
    drawn = missing + 2 * opponents
    known_key, known_bits = sum_cards(cards[2:], NO_CARDS)
    counter = start
    won = 0
    for _ in range(samples):
        for place in range(drawn):
            counter += SPLITMIX_STEP
            other = place + below(splitmix(counter), size - place)
            pack[place], pack[other] = pack[other], pack[place]
        key, bits = known_key, known_bits
        for place in range(missing):
            key += CARD_KEYS[pack[place]]
            bits |= CARD_BITS[pack[place]]
        won += _share(cards, key, bits, pack[missing:drawn])
    return won / (_POT * samples)


@njit(cache=True, nogil=True)
def _fill_pack(cards: NDArray[np.uint8], pack: NDArray[np.uint8]) -> int:
    """Lays the cards that are not known into the pack, in order; gives their number."""
    known = bits_of(cards)
    size = 0
    for card in range(52):
        if CARD_BITS[card] & known == 0:
            pack[size] = card
            size += 1
    return size


@njit(cache=True, nogil=True, inline="always")
def _share(hole: NDArray[np.uint8], key: Any, bits: Any, others: NDArray[np.uint8]) -> Any:
    """What the hole cards win of a pot of `_POT` on a complete board (its key and bits); others come two by two."""
    own = strength_of(key + CARD_KEYS[hole[0]] + CARD_KEYS[hole[1]], bits | CARD_BITS[hole[0]] | CARD_BITS[hole[1]])
    sharers = 1
    for place in range(0, len(others), 2):
        a, b = others[place], others[place + 1]
        other = strength_of(key + CARD_KEYS[a] + CARD_KEYS[b], bits | CARD_BITS[a] | CARD_BITS[b])
        if other > own:
            return 0
        sharers += other == own
    return _POT // sharers
