"""The baseline played out on one flop for all pairs of hands at once, 48 rivers in a machine word.

For a flop and a turn, each hand becomes a few 64-bit words with a bit for each river card: the bits of its place in
the order of strengths, where it is worth at least 1 to 4 bets, and where it folds at each pot. Comparing two hands
on all rivers, and adding up what the river baseline makes of them, then takes some word operations and bit counts
instead of 44 look-ups. Hands that play flop and turn alike (equal states) stand side by side, so that the pot at
which a river is played is the same for whole blocks of pairs.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.baseline import BASELINE_BETS, BASELINE_FOLDS
from luckless.divat.classes import class_at, river_states
from luckless.divat.flop_ranks import (
    LIVE_CARDS,
    LIVE_HANDS,
    FlopRanks,
    count_bits,
    flop_states,
    rank_runouts,
    turn_states,
)
from luckless.divat.pairs import POTS
from luckless.divat.settings import Cutoffs
from luckless.hands.pairs import pair_number
from luckless.kernels import njit

_RIVERS_A_PAIR = 44
_RIVER_BET = 2
_MOST_RIVER_POT = 16


class TurnMasks(NamedTuple):
    """The hands of a flop and turn in groups of equal states, and what they do on each river card (bit).

    `members` are numbers of live hands; group g is `members[starts[g] : starts[g + 1]]`. `places` finds a live hand
    among the members (one past the end if the turn blocks it). `order` holds the bits of the strength order, lowest
    first, `makes[k]` where the hand is worth more than k bets, `folds[p]` where it folds
    with p small bets a player in the pot (`folds[0]` is empty), `live` the rivers that it does not block.
    """

    members: NDArray[np.int64]
    places: NDArray[np.int32]
    starts: NDArray[np.int64]
    flop_states: NDArray[np.int64]
    turn_states: NDArray[np.int64]
    order: NDArray[np.uint64]
    makes: NDArray[np.uint64]
    folds: NDArray[np.uint64]
    live: NDArray[np.uint64]


class Row(NamedTuple):
    """Working space for one hand against all others: rivers won and lost (bits), sums of signs and of signed bets,
    and the values at the four pots, with a 0 at the end."""

    wins: NDArray[np.uint64]
    losses: NDArray[np.uint64]
    signs: NDArray[np.int64]
    bets: NDArray[np.int64]
    values: NDArray[np.int32]


class Runs(NamedTuple):
    """How one group of hands plays against stretches of others: where each starts (and the last ends), the pot of
    the river by starting pot (0: somebody folds before), and what seat 0 wins in the latter case."""

    starts: NDArray[np.int64]
    pots: NDArray[np.int64]
    folded: NDArray[np.int64]


@njit(cache=True, nogil=True)
def group_hands(on_flop: NDArray[np.int64], on_turn: NDArray[np.int64]) -> TurnMasks:
    """The hands that the turn leaves, in groups of equal states, with masks still empty."""
    keys = np.empty(LIVE_HANDS, np.int64)
    count = 0
    for place in range(LIVE_HANDS):
        keys[place] = on_flop[place] << 10 | on_turn[place] if on_turn[place] >= 0 else np.int64(1) << 40
        count += on_turn[place] >= 0
    members = np.argsort(keys)[:count]
    starts = np.empty(count + 1, np.int64)
    groups = 0
    for place in range(count):
        if place == 0 or keys[members[place]] != keys[members[place - 1]]:
            starts[groups] = place
            groups += 1
    starts[groups] = count
    first = members[starts[:groups]]
    places = np.full(LIVE_HANDS, count, np.int32)
    for place in range(count):
        places[members[place]] = place
    return TurnMasks(
        members,
        places,
        starts[: groups + 1],
        on_flop[first],
        on_turn[first],
        np.zeros((8, count), np.uint64),
        np.zeros((4, count), np.uint64),
        np.zeros((_MOST_RIVER_POT + 1, count), np.uint64),
        np.zeros(count, np.uint64),
    )


@njit(cache=True, nogil=True)
def fill_masks(turn: int, ranks: FlopRanks, on_river: NDArray[np.int64], masks: TurnMasks) -> None:
    """Sets the bits of every river for the hands of a turn; `on_river` gives states by half-count."""
    for river in range(LIVE_CARDS):
        if river == turn:
            continue
        runout = pair_number(turn, river)
        order, counts = ranks.order[runout], ranks.counts[runout]
        bit = np.uint64(1) << np.uint64(river)
        for place in range(len(masks.members)):
            hand = masks.members[place]
            number = np.uint64(order[hand])
            if number == 0:
                continue
            masks.live[place] |= bit
            for digit in range(8):
                masks.order[digit, place] |= ((number >> np.uint64(digit)) & np.uint64(1)) << np.uint64(river)
            state = on_river[counts[hand]]
            for make in range(state >> 5):
                masks.makes[make, place] |= bit
            for pot in range(1, (state & 31) + 1):
                masks.folds[pot, place] |= bit


@njit(cache=True, nogil=True)
def outcome(group: int, other: int, invested: int, masks: TurnMasks) -> Any:
    """The pot of the river (small bets a player), or 0 and what seat 0 wins, when two groups play the baseline.

    `group` holds seat 0's hand; `invested` small bets a player are in the pot at the flop.
    """
    first, second = class_at(masks.flop_states[group], invested), class_at(masks.flop_states[other], invested)
    if BASELINE_FOLDS[first, second]:
        return 0, BASELINE_FOLDS[first, second] * invested
    invested += BASELINE_BETS[first, second]
    first, second = class_at(masks.turn_states[group], invested), class_at(masks.turn_states[other], invested)
    if BASELINE_FOLDS[first, second]:
        return 0, BASELINE_FOLDS[first, second] * invested
    return invested + _RIVER_BET * BASELINE_BETS[first, second], 0


@njit(cache=True, nogil=True)
def find_runs(group: int, masks: TurnMasks) -> Runs:
    """The stretches of hands against which a group in seat 0 plays alike up to the river, at all four pots."""
    groups = len(masks.starts) - 1
    runs = Runs(
        np.empty(groups + 1, np.int64), np.empty((groups, POTS), np.int64), np.empty((groups, POTS), np.int64)
    )
    count = 0
    for other in range(groups):
        new = other == 0
        for place in range(POTS):
            pot, folded = outcome(group, other, place + 1, masks)
            runs.pots[count, place], runs.folded[count, place] = pot, folded
            new |= other > 0 and (pot != runs.pots[count - 1, place] or folded != runs.folded[count - 1, place])
        if new:
            runs.starts[count] = masks.starts[other]
            count += 1
    runs.starts[count] = masks.starts[groups]
    return Runs(runs.starts[: count + 1], runs.pots[:count], runs.folded[:count])


@njit(cache=True, nogil=True)
def compare_hands(hand: int, start: int, end: int, masks: TurnMasks, row: Row) -> None:
    """The rivers on which a hand beats and loses to each hand of a stretch, by a comparison of bits from the top."""
    order, live = masks.order, masks.live
    a0, a1, a2, a3 = order[0, hand], order[1, hand], order[2, hand], order[3, hand]
    a4, a5, a6, a7 = order[4, hand], order[5, hand], order[6, hand], order[7, hand]
    own = live[hand]
    for other in range(np.uint64(start), np.uint64(end)):
        differ = a7 ^ order[7, other]
        higher = differ & a7
        new = (a6 ^ order[6, other]) & ~differ
        higher, differ = higher | new & a6, differ | new
        new = (a5 ^ order[5, other]) & ~differ
        higher, differ = higher | new & a5, differ | new
        new = (a4 ^ order[4, other]) & ~differ
        higher, differ = higher | new & a4, differ | new
        new = (a3 ^ order[3, other]) & ~differ
        higher, differ = higher | new & a3, differ | new
        new = (a2 ^ order[2, other]) & ~differ
        higher, differ = higher | new & a2, differ | new
        new = (a1 ^ order[1, other]) & ~differ
        higher, differ = higher | new & a1, differ | new
        new = (a0 ^ order[0, other]) & ~differ
        higher, differ = higher | new & a0, differ | new
        both = own & live[other]
        row.wins[other] = higher & both
        row.losses[other] = differ & ~higher & both


@njit(cache=True, nogil=True)
def add_up_bets(hand: int, start: int, end: int, pot: int, masks: TurnMasks, row: Row) -> None:
    """For each hand of a stretch: rivers won minus lost, and the same with each river counted by the bets on it.

    Without folds, table 3.1 puts in [a >= M1 or b >= M1] + [a >= M1, b >= M2] + [a >= M3, b >= M2] +
    [a >= M3, b >= M4] bets a player, a acting first. Folding hands (at `pot`) are worth no bet.
    """
    makes, folds = masks.makes, masks.folds
    stay = ~folds[pot, hand]
    a1, a3 = makes[0, hand] & stay, makes[2, hand] & stay
    for other in range(np.uint64(start), np.uint64(end)):
        stay = ~folds[pot, other]
        b1, b2, b4 = makes[0, other] & stay, makes[1, other] & stay, makes[3, other] & stay
        won, lost = row.wins[other], row.losses[other]
        row.signs[other] = count_bits(won) - count_bits(lost)
        row.bets[other] = (
            (count_bits(won & (a1 | b1)) - count_bits(lost & (a1 | b1)))
            + (count_bits(won & a1 & b2) - count_bits(lost & a1 & b2))
            + (count_bits(won & a3 & b2) - count_bits(lost & a3 & b2))
            + (count_bits(won & a3 & b4) - count_bits(lost & a3 & b4))
        )


@njit(cache=True, nogil=True)
def value_rivers(hand: int, start: int, end: int, pot: int, masks: TurnMasks, row: Row, values: Any) -> None:
    """What seat 0 (`hand`) wins over all rivers against each hand of a stretch with `pot` small bets a player in.

    Where one folds to the other's bet, the showdown for pot + 2 that `add_up_bets` counted is taken out again.
    """
    makes, folds = masks.makes, masks.folds
    a_folds = folds[pot, hand]
    a_bets = makes[0, hand] & ~a_folds
    for other in range(np.uint64(start), np.uint64(end)):
        gives_up = a_folds & makes[0, other] & ~folds[pot, other]
        takes = a_bets & folds[pot, other]
        ended = gives_up | takes
        undone = count_bits(row.wins[other] & ended) - count_bits(row.losses[other] & ended)
        values[other] = (
            pot * (row.signs[other] + count_bits(takes) - count_bits(gives_up))
            + _RIVER_BET * row.bets[other]
            - (pot + _RIVER_BET) * undone
        )


@njit(cache=True, nogil=True)
def play_row(hand: int, runs: Runs, masks: TurnMasks, overlap: bool, row: Row) -> None:
    """The value of a hand in seat 0 against all hands of the turn, summed over rivers, at the four pots.

    `overlap` says that some hand on the river both folds and is worth a bet, depending on the pot: then the bets
    must be added up for each pot.
    """
    for run in range(len(runs.starts) - 1):
        start, end = runs.starts[run], runs.starts[run + 1]
        if runs.pots[run].max() > 0:
            compare_hands(hand, start, end, masks, row)
            if not overlap:
                add_up_bets(hand, start, end, 0, masks, row)
        for place in range(POTS):
            pot = runs.pots[run, place]
            if pot == 0:
                row.values[place, start:end] = _RIVERS_A_PAIR * runs.folded[run, place]
                continue
            if overlap:
                add_up_bets(hand, start, end, pot, masks, row)
            value_rivers(hand, start, end, pot, masks, row, row.values[place])


@njit(cache=True, nogil=True)
def add_turn(masks: TurnMasks, weight: int, overlap: bool, sums: NDArray[np.int32]) -> None:
    """Adds the values of all ordered pairs of hands on one turn, `weight` times, to `sums[hand, pot, hand]`."""
    count = len(masks.members)
    row = Row(
        np.empty(count, np.uint64),
        np.empty(count, np.uint64),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.zeros((POTS, count + 1), np.int32),
    )
    for group in range(len(masks.starts) - 1):
        runs = find_runs(group, masks)
        for hand in range(masks.starts[group], masks.starts[group + 1]):
            play_row(hand, runs, masks, overlap, row)
            for pot in range(POTS):
                own, values = sums[masks.members[hand], pot], row.values[pot]
                for other in range(np.uint64(LIVE_HANDS)):
                    own[other] += np.int32(weight) * values[np.uint64(masks.places[other])]


@njit(cache=True, nogil=True)
def roll_out_flop(
    flop: NDArray[Any],
    weights: NDArray[np.int64],
    cutoffs: Cutoffs,
    classes: NDArray[np.int32],
    totals: NDArray[np.int64],
) -> None:
    """Adds what seat 0 wins on a flop, over all turns and rivers, to `totals[class of the pair of hands, pot]`.

    `weights[0]` says how often the flop counts, the 49 others how often each live card counts as the turn (0 to leave
    it to another card that is its equal). `classes` is `pairs.class_matrix()`.
    """
    ranks = rank_runouts(flop)
    on_flop, on_river = flop_states(flop, ranks, cutoffs), river_states(cutoffs)
    overlap = False
    for state in on_river:
        overlap |= state >> 5 > 0 and state & 31 > 0
    sums = np.zeros((LIVE_HANDS, POTS, LIVE_HANDS), np.int32)
    for turn in range(LIVE_CARDS):
        if weights[1 + turn]:
            masks = group_hands(on_flop, turn_states(flop, turn, ranks, cutoffs))
            fill_masks(turn, ranks, on_river, masks)
            add_turn(masks, weights[1 + turn], overlap, sums)
    for first in range(LIVE_HANDS):
        for second in range(LIVE_HANDS):
            kind = classes[ranks.hands[first], ranks.hands[second]]
            if kind >= 0:
                for pot in range(POTS):
                    totals[kind, pot] += weights[0] * sums[first, pot, second]
