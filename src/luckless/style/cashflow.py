"""Cashflow: how many chips went from whom to whom (Kaminsky and Liebendörfer 2020, section 3.3.1)."""

import numpy as np
from numpy.typing import NDArray

from luckless.rules.records import Records


def cashflow_of(records: Records, players: NDArray[np.int8], count: int) -> NDArray[np.float64]:
    """Chips that each of `count` players has given to each other one, shape (givers, takers).

    `players` is who sat in each seat of each hand. The losers of a hand pay its winners in proportion to what these
    won; a player with several seats may pay itself. Row sums are all that a player lost, column sums all that it won.
    """
    payoffs = records.payoffs.astype(np.float64)
    lost, won = np.maximum(-payoffs, 0), np.maximum(payoffs, 0)
    shares = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    sits = (players[:, :, None] == np.arange(count)).astype(np.float64)
    given = np.einsum("hs,hsp->hp", lost, sits)
    taken = np.einsum("hs,hsp->hp", shares, sits)
    flows: NDArray[np.float64] = np.einsum("hp,hq->pq", given, taken)
    return flows
