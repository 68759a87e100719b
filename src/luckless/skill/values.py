"""Value functions: what a situation is worth before its cards are played out. Named, frozen, with a digest.

An estimator that takes luck out is unbiased with any of them, as long as it was fixed before the hands were seen; a
better one leaves less noise. See `prospects` for the form that these have.
"""

import functools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luckless.bots.fingerprints import checksum
from luckless.divat.roe_table import all_in_edges
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.rules.game import STREETS
from luckless.skill.prospects import PARAMETERS
from luckless.tensors import as_safetensors, read_safetensors
from luckless.whole_files import write_bytes

SHAPE = (len(STREETS), PARAMETERS)


@dataclass(frozen=True)
class EquityValues:
    """Shares of the pot by all-in equity, bent by a few numbers a street (see `prospects`)."""

    name: str
    numbers: tuple[tuple[float, ...], ...]
    fitted_on: str = ""
    """The digest of the hands that the numbers were fitted on; those hands must not be judged by them."""

    def __post_init__(self) -> None:
        if self.model.shape != SHAPE or not np.isfinite(self.model).all():
            raise InputError(
                f"value function {self.name}: {SHAPE[0]} x {SHAPE[1]} finite numbers are required, by street"
            )

    @property
    def model(self) -> NDArray[np.float64]:
        """The numbers as `prospects` takes them."""
        return np.array(self.numbers, np.float64)

    @property
    def digest(self) -> str:
        """Sixteen characters that are equal exactly for equal values."""
        return checksum(["equity values 1", self.model.tobytes()])[:16]

    def save(self, path: Path) -> None:
        """Writes it as safetensors, whole or not at all."""
        facts = {"kind": "equity values 1", "name": self.name, "fitted_on": self.fitted_on, "digest": self.digest}
        write_bytes(path, as_safetensors({"model": self.model}, {"values": json.dumps(facts)}))

    @classmethod
    def load(cls, path: Path) -> "EquityValues":
        """Reads what `save` wrote; a file that is damaged or of another kind is refused."""
        arrays, facts = read_safetensors(path, "value function")
        try:
            said = json.loads(facts["values"])
            values = cls(str(said["name"]), tuple(map(tuple, arrays["model"].tolist())), str(said["fitted_on"]))
            sound = said["kind"] == "equity values 1" and said["digest"] == values.digest
        except (KeyError, TypeError, ValueError):
            sound = False
        if not sound:
            raise InputError(f"value function {path} is damaged, or no value function of this version")
        return values


PLAIN = EquityValues("plain equity", ((1.0, 0.0, 0.0, 0.0),) * 4)
"""Nothing fitted: pots are shared by equity, and bets make others fold as often as they must."""

SHIPPED = PLAIN


@functools.cache
def preflop_equities() -> NDArray[np.float32]:
    """The equity of every hand against every other before the flop; 1/2 where they share a card."""
    first, second = np.divmod(np.arange(PAIRS * PAIRS), PAIRS)
    cards = np.zeros((PAIRS, 52), np.bool_)
    np.put_along_axis(cards, PAIR_CARDS, True, axis=1)
    apart = (cards.astype(np.float32) @ cards.astype(np.float32).T == 0).reshape(-1)
    equities = np.full(PAIRS * PAIRS, 0.5, np.float32)
    equities[apart] = (1 + all_in_edges(first[apart], second[apart])) / 2
    return equities.reshape(PAIRS, PAIRS)
