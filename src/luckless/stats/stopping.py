"""What tests that end a match have in common, be they exact (`sequential`) or asymptotic (`asymptotic`)."""

import dataclasses
import enum
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.errors import InputError
from luckless.stats.moments import LARGEST, checked


class Decision(enum.StrEnum):
    """What the test says."""

    UNDECIDED = "undecided"
    AT_MOST = "at most"
    AT_LEAST = "at least"


class StoppingTest:
    """Decides between two edges, set after set; `kind` is "exact" or "asymptotic", and is printed with its result."""

    kind: ClassVar[str]
    """How far its error rates can be relied on."""
    told: ClassVar[tuple[str, ...]]
    """What `to_dict` says of the question."""
    begun: ClassVar[Any]
    """The state before the first set: a frozen dataclass with `sets`, `llr_at_least` and `llr_at_most`."""
    bound_at_least: float
    bound_at_most: float

    def __init__(self, at_most: float, at_least: float, alpha: float, beta: float) -> None:
        check_question(at_most, at_least, alpha, beta)
        self.at_most, self.at_least = float(at_most), float(at_least)
        self.alpha, self.beta = alpha, beta
        self.decision = Decision.UNDECIDED
        self._state = self.begun

    def to_dict(self) -> dict[str, Any]:
        """The test and where it stands, as plain values."""
        asked = {name: getattr(self, name) for name in self.told}
        return {**asked, "decision": str(self.decision), "state": dataclasses.asdict(self._state)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The test that `to_dict` described; it goes on exactly where that one stood."""
        test = cls(**{name: values[name] for name in cls.told if name != "kind"})
        test.decision = Decision(values["decision"])
        test._state = type(cls.begun)(**values["state"])
        return test

    @property
    def sets(self) -> int:
        """The number of sets judged: once decided, the number at which the test stopped."""
        return int(self._state.sets)

    @property
    def stopped_at(self) -> int | None:
        """The number of sets at which the test was decided; None if it is not."""
        return None if self.decision is Decision.UNDECIDED else self.sets

    @property
    def llr_at_least(self) -> float:
        """The log likelihood ratio against "at most"; below `bound_at_least` the test never says "at least"."""
        return float(self._state.llr_at_least)

    @property
    def llr_at_most(self) -> float:
        """The log likelihood ratio against "at least"; below `bound_at_most` the test never says "at most"."""
        return float(self._state.llr_at_most)

    def update(self, values: ArrayLike) -> Decision:
        """Judges further sets in order, and returns the decision.

        It is made at the same set however the values are cut into pieces; values after it are not looked at.
        """
        array = checked(values, self.sets).astype(np.float64)
        if self.decision is Decision.UNDECIDED and len(array):
            self._judge(array)
        return self.decision

    def _judge(self, values: NDArray[np.float64]) -> None:
        """Goes on to the last of the values, or to the one that decides."""
        raise NotImplementedError


def stored_test(values: Mapping[str, Any]) -> StoppingTest:
    """The test that `to_dict` described. Exact tests name no kind: they were stored before there was another."""
    from luckless.stats.asymptotic import AsymptoticTest
    from luckless.stats.sequential import SequentialTest

    made: type[StoppingTest] = AsymptoticTest if values.get("kind") == AsymptoticTest.kind else SequentialTest
    return made.from_dict(values)


def check_question(at_most: float, at_least: float, alpha: float, beta: float) -> None:
    """Refuses edges and error rates that no test can be made of."""
    if not (-LARGEST <= at_most < at_least <= LARGEST):
        raise InputError(f"the test needs two finite edges, the lower one first, not {at_most} and {at_least}")
    for rate, name in ((alpha, "alpha"), (beta, "beta")):
        if not 0 < rate < 0.5:
            raise InputError(f"{name} is {rate}; allowed is between 0 and 0.5")


def running(start: float, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The running sums from a start on, which stands first. They are the same to the last bit in any pieces."""
    return np.cumsum(np.concatenate(([start], values)))
