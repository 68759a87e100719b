"""Compiled: how every way of counting equity keeps its results: `counts[player, sharers - 1]`.

A deal adds one for each player with the best hand, in the column of how many share the pot (0: won alone). These are
integers, so that shares of a half or a third stay exact until the end.
"""

from typing import Any

from luckless.kernels import njit


@njit(cache=True, nogil=True)
def tally(strengths: Any, deals: Any, counts: Any) -> None:
    """Adds so many deals, all with these strengths by player, to the counts of everyone who has the best hand."""
    best, sharers = strengths[0], 1
    for player in range(1, len(strengths)):
        if strengths[player] > best:
            best, sharers = strengths[player], 1
        elif strengths[player] == best:
            sharers += 1
    for player in range(len(strengths)):
        if strengths[player] == best:
            counts[player, sharers - 1] += deals
