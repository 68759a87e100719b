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
from luckless.skill.outlooks import MANY_KNOTS, NUMBERS
from luckless.skill.prospects import PARAMETERS
from luckless.skill.seen_hands import SeenHands
from luckless.skill.walking import Account, Known, Promise, Question, walk
from luckless.tensors import as_safetensors, read_safetensors
from luckless.whole_files import write_bytes

SHAPE = (len(STREETS), PARAMETERS)
ANSWERS = (len(STREETS), NUMBERS)

EVEN = np.zeros((PARAMETERS, NUMBERS))
"""The numbers of `outlooks` that say the same of hands of any strength as those of `prospects`."""
for _kind in range(4):
    EVEN[_kind, _kind * MANY_KNOTS : (_kind + 1) * MANY_KNOTS] = 1.0
EVEN[[4, 5], [-2, -1]] = 1.0


KIND = "equity values 3"


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
    by_strength: tuple[tuple[float, ...], ...] = ()
    """Numbers for what players do, by the strength of hands (see `outlooks`); none if all hands are alike."""

    def __post_init__(self) -> None:
        if self.model.shape != SHAPE or not np.isfinite(self.model).all():
            raise InputError(
                f"value function {self.name}: {SHAPE[0]} x {SHAPE[1]} finite numbers are required, by street"
            )
        if self.answers.shape != ANSWERS or not np.isfinite(self.answers).all():
            raise InputError(
                f"value function {self.name}: {ANSWERS[0]} x {ANSWERS[1]} finite numbers are required, by strength"
            )

    @property
    def model(self) -> NDArray[np.float64]:
        """The numbers as `prospects` takes them."""
        return np.array(self.numbers, np.float64)

    @property
    def answers(self) -> NDArray[np.float64]:
        """The numbers as `outlooks` takes them."""
        return np.array(self.by_strength, np.float64) if self.by_strength else self.model @ EVEN

    @property
    def digest(self) -> str:
        """Sixteen characters that are equal exactly for equal values."""
        return checksum([KIND, self.model.tobytes(), self.answers.tobytes()])[:16]

    def promise(self, by_strength: bool = False) -> Promise:
        """As kernels take it; what players do may be valued by the strength of hands."""
        answers = self.answers if by_strength else np.zeros((0, NUMBERS))
        return Promise(self.model, preflop_equities(), answers, preflop_strengths())

    def account(
        self, hands: HandColumns, question: Question, known: Known, policies: Mapping[str, Bot], out: Account
    ) -> None:
        """Writes the account of hands; all their hole cards are known."""
        records = hands.records
        walk(
            encode(records.game),
            records.arrays,
            question,
            self.promise(by_strength=bool(policies and self.by_strength)),
            known,
            out,
        )

    def save(self, path: Path) -> None:
        """Writes it as safetensors, whole or not at all."""
        facts = {"kind": KIND, "name": self.name, "fitted_on": self.seen.digest, "digest": self.digest}
        arrays = {"model": self.model, "answers": self.answers, "hands": self.seen.marks.view(np.int64)}
        write_bytes(path, as_safetensors(arrays, {"values": json.dumps(facts)}))

    @classmethod
    def load(cls, path: Path) -> "EquityValues":
        """Reads what `save` wrote; a file that is damaged or of another kind is refused."""
        arrays, facts = read_safetensors(path, "value function")
        try:
            said = json.loads(facts["values"])
            seen = SeenHands(np.ascontiguousarray(arrays["hands"]).view(np.uint64))
            model, answers = (tuple(map(tuple, arrays[name].tolist())) for name in ("model", "answers"))
            values = cls(str(said["name"]), model, seen, answers)
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


@functools.cache
def preflop_strengths() -> NDArray[np.float64]:
    """The place of every hand among all before the flop, from 0 to 1, by its equity against a random one."""
    against = preflop_equities().mean(axis=1, dtype=np.float64).round(6)
    order = np.sort(against)
    below, up_to = np.searchsorted(order, against, "left"), np.searchsorted(order, against, "right")
    strengths: NDArray[np.float64] = (below + up_to) / 2 / PAIRS
    return strengths
