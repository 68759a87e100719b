"""The river of heads-up limit: its lines and stakes, and into which sets the hands of a player split there.

Lines are taken sixteen at a time, side by side in vectors. On the river a player's hands split into few sets: those
that check behind or before, and in each of two chains of bets those that call or raise at each level. All that fold
is what is left.

A chain is `bot bets` (the bot makes bets 1 and 3 and calls 2 and 4) or `responder bets` (it calls 1 and 3 and raises
to 2 and 4). Set 0 are the checks, sets 1 to 4 the first chain by level, sets 5 to 8 the second.
"""

import numpy as np
from numpy.typing import NDArray

from luckless.hands.board import rank_board, sort_by_strength
from luckless.hands.pairs import PAIRS
from luckless.kernels import njit
from luckless.lanes import LANES
from luckless.solve.limit_meeting import aligned
from luckless.solve.limit_streets import Street


def sets_of(street: Street, seat: int) -> list[tuple[int, int]]:
    """The decision of the bot and its action that make each set, for a responder in a seat."""
    nodes = street.nodes
    checked = nodes[0].branches[0].number
    if seat == 0:
        decision, faced, bet_into = checked, nodes[checked].branches[1].number, nodes[0].branches[1].number
    else:
        decision, faced, bet_into = 0, nodes[0].branches[1].number, nodes[checked].branches[1].number
    return [(decision, 0), (decision, 1), *_after_raise(street, faced), *_chain(street, bet_into)]


def _chain(street: Street, node: int) -> list[tuple[int, int]]:
    """The calls and raises of the bot from a decision on that faces a bet."""
    branches = street.nodes[node].branches
    found = [(node, action) for action in range(1, len(branches))]
    return found + (_after_raise(street, branches[2].number) if len(branches) > 2 else [])


def _after_raise(street: Street, node: int) -> list[tuple[int, int]]:
    """The same after the responder's raise at a decision of his."""
    branches = street.nodes[node].branches
    return _chain(street, branches[2].number) if len(branches) > 2 else []


def stakes_of(street: Street, columns: NDArray[np.int64], most: int) -> NDArray[np.float32]:
    """What is won or lost on some lines of the river after 0, 1, ... bets: (bets, line)."""
    first = street.nodes[street.nodes[0].branches[0].number]
    none = first.branches[0].stakes[columns]
    step = street.nodes[first.branches[1].number].branches[1].stakes[columns] - none
    return np.stack([none + level * step for level in range(most + 1)]).astype(np.float32)


def in_blocks(matrices: NDArray[np.float32]) -> NDArray[np.float32]:
    """Matrices (member, hand, line) as (block, member, hand, line)."""
    members, hands, columns = matrices.shape
    blocks = -(-columns // LANES)
    out = aligned((blocks, members, hands, LANES))
    for block in range(blocks):
        lines = matrices[:, :, block * LANES : (block + 1) * LANES]
        out[block, :, :, : lines.shape[2]] = lines
    return out


def from_blocks(blocks: NDArray[np.float32], columns: int) -> NDArray[np.float32]:
    """A matrix (hand, line) from (block, hand, line)."""
    out = np.empty((blocks.shape[1], columns), np.float32)
    for block in range(len(blocks)):
        lines = out[:, block * LANES : (block + 1) * LANES]
        lines[:] = blocks[block, :, : lines.shape[1]]
    return out


@njit(cache=True, nogil=True)
def sort_river(board: NDArray[np.int64], hands: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
    """The live hands of a board, weakest first, and where the level of each ends."""
    strength, ahead, tied = np.zeros(PAIRS, np.int32), np.zeros(PAIRS, np.int32), np.zeros(PAIRS, np.int32)
    rank_board(board, strength, ahead, tied)
    codes, count = np.empty(PAIRS, np.uint32), 0
    for pair in range(PAIRS):
        if strength[pair] > 0:
            codes[count] = np.uint32(strength[pair]) << np.uint32(16) | np.uint32(pair)
            count += 1
    codes = sort_by_strength(codes, count)
    end = count
    for place in range(count - 1, -1, -1):
        hands[place] = codes[place] & np.uint32(0xFFFF)
        if place + 1 < count and codes[place] >> 16 != codes[place + 1] >> 16:
            end = place + 1
        ends[place] = end
