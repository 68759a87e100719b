"""Value functions: what a situation is worth before its cards are played out. Named, frozen, with a digest.

An estimator that takes luck out is unbiased with any of them, as long as it was fixed before the hands were seen; a
better one leaves less noise. `ValueFunction` is what estimators ask for; `EquityValues` are the shipped ones, in the
form of `prospects`.
"""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.fingerprints import checksum
from luckless.divat.roe_table import all_in_edges
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.rules.columns import HandColumns
from luckless.rules.game import STREETS
from luckless.rules.state import encode
from luckless.skill.prospects import PARAMETERS
from luckless.skill.seen_hands import SeenHands
from luckless.skill.walking import Account, Known, Promise, Question, walk
from luckless.tensors import as_safetensors, read_safetensors
from luckless.whole_files import write_bytes

SHAPE = (len(STREETS), PARAMETERS)


KIND = "equity values 2"


class ValueFunction(Protocol):
    """What estimators need of a value function.

    A new kind walks through hands by itself: at each deal and at each action of a known policy it says what had to be
    expected there and what came, with the same numbers in both. `walking` does so for values that a kernel can look
    up. Roll-outs or a blueprint may do it in another way, as long as `money = start + gains + luck + rest` holds for
    every hand and each kind of luck has the mean 0.
    """

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def digest(self) -> str:
        """Sixteen characters that are equal exactly for equal values."""

    @property
    def seen(self) -> SeenHands:
        """The hands that it was fitted on; those are refused."""

    def account(
        self, hands: HandColumns, question: Question, known: Known, policies: Mapping[str, Bot], out: Account
    ) -> None:
        """Writes the account of hands; all their hole cards are known. `known` says what `policies` do there."""


@dataclass(frozen=True)
class EquityValues:
    """Shares of the pot by all-in equity, bent by a few numbers a street (see `prospects`)."""

    name: str
    numbers: tuple[tuple[float, ...], ...]
    seen: SeenHands = field(default_factory=SeenHands, repr=False, compare=False)
    """The hands that the numbers were fitted on; those hands must not be judged by them."""

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
        return checksum([KIND, self.model.tobytes()])[:16]

    def promise(self) -> Promise:
        """As kernels take it."""
        return Promise(self.model, preflop_equities())

    def account(
        self, hands: HandColumns, question: Question, known: Known, policies: Mapping[str, Bot], out: Account
    ) -> None:
        """Writes the account of hands; all their hole cards are known."""
        records = hands.records
        walk(encode(records.game), records.arrays, question, self.promise(), known, out)

    def save(self, path: Path) -> None:
        """Writes it as safetensors, whole or not at all."""
        facts = {"kind": KIND, "name": self.name, "fitted_on": self.seen.digest, "digest": self.digest}
        arrays = {"model": self.model, "hands": self.seen.marks.view(np.int64)}
        write_bytes(path, as_safetensors(arrays, {"values": json.dumps(facts)}))

    @classmethod
    def load(cls, path: Path) -> "EquityValues":
        """Reads what `save` wrote; a file that is damaged or of another kind is refused."""
        arrays, facts = read_safetensors(path, "value function")
        try:
            said = json.loads(facts["values"])
            seen = SeenHands(np.ascontiguousarray(arrays["hands"]).view(np.uint64))
            values = cls(str(said["name"]), tuple(map(tuple, arrays["model"].tolist())), seen)
            told = (said["kind"], said["digest"], said["fitted_on"])
            sound = told == (KIND, values.digest, seen.digest) and seen.marks.ndim == 1
        except (KeyError, TypeError, ValueError, InputError):
            sound = False
        if not sound:
            raise InputError(f"value function {path} is damaged, or no value function of this version")
        return values


PLAIN = EquityValues("plain equity", ((1.0, 0.0, 0.0, 0.0, 0.0, 0.0),) * 4)
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
