"""What hands are worth once the betting of a street is over: by roll-out (ROE), or as if all were all-in (AIE).

Values are seat 0's, in small bets. A pot is named by the small bets that each player has in it.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from luckless.divat.postflop import Continuation, all_in, roll_out
from luckless.divat.roe_table import all_in_edges, load_table
from luckless.divat.sampled import sampled_values
from luckless.divat.settings import PREFLOP, STANDARD, DivatSettings
from luckless.errors import InputError
from luckless.hands.pairs import pair_numbers

EquityKind = Literal["roe", "aie"]


@dataclass(frozen=True)
class Valuation:
    """How hands are valued: under which settings, by roll-out ("roe") or all-in equity ("aie").

    Before the flop roll-outs come from an exact table, or with `sampled_flops` above 0 from so many random flops a
    pair of hands (drawn by `seed`): unbiased, and for settings without a table.
    """

    settings: DivatSettings = STANDARD
    equity: EquityKind = "roe"
    sampled_flops: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.equity not in ("roe", "aie"):
            raise InputError(f"equity is {self.equity!r}; allowed is roe or aie")
        if self.sampled_flops < 0:
            raise InputError(f"sampled_flops is {self.sampled_flops}; allowed is 0 (use the table) or more")

    def after(
        self, street: int, holes: NDArray[np.int64], boards: NDArray[np.int64], pots: NDArray[np.int64]
    ) -> Continuation:
        """The values of hands (n, 2, 2) on boards (n, 5) after the betting of a street, at some pots (n, k).

        Only the cards that are on the board on that street are looked at.
        """
        if street == PREFLOP:
            edges = all_in_edges(pair_numbers(holes[:, 0]), pair_numbers(holes[:, 1]))
            if self.equity == "aie":
                return Continuation(edges[:, None] * pots, edges)
            return Continuation(np.take_along_axis(self._preflop(holes), pots - 1, axis=1), edges)
        if self.equity == "aie":
            return all_in(street, holes, boards, pots)
        return roll_out(street, holes, boards, pots, self.settings)

    def _preflop(self, holes: NDArray[np.int64]) -> NDArray[np.float64]:
        if self.sampled_flops:
            return sampled_values(holes, self.settings, self.sampled_flops, self.seed)
        table = load_table(self.settings)
        if table is None:
            raise InputError(
                f"there is no roll-out table before the flop for the settings {self.settings.name!r}: build it "
                "(`roe_build.build`), or sample its values (`sampled_flops`)"
            )
        return table.values(pair_numbers(holes[:, 0]), pair_numbers(holes[:, 1]))
