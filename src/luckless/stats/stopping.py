"""What a match asks of the test that ends it, be it exact (`sequential`) or asymptotic (`asymptotic`)."""

from collections.abc import Mapping
from typing import Any, Protocol

from numpy.typing import ArrayLike

from luckless.stats.asymptotic import AsymptoticTest
from luckless.stats.sequential import Decision, SequentialTest


class StoppingTest(Protocol):
    """Decides between two edges, set after set; `kind` is "exact" or "asymptotic", and is printed with its result."""

    at_most: float
    at_least: float
    alpha: float
    beta: float
    decision: Decision

    @property
    def kind(self) -> str:
        """How far its error rates can be relied on."""

    @property
    def sets(self) -> int:
        """The number of sets judged."""

    @property
    def stopped_at(self) -> int | None:
        """The number of sets at which it was decided; None if it is not."""

    def update(self, values: ArrayLike) -> Decision:
        """Judges further sets in order, and returns the decision."""

    def to_dict(self) -> dict[str, Any]:
        """The test and where it stands, as plain values."""


def stored_test(values: Mapping[str, Any]) -> SequentialTest | AsymptoticTest:
    """The test that `to_dict` described. Exact tests name no kind: they were stored before there was another."""
    made: type[SequentialTest] | type[AsymptoticTest] = (
        AsymptoticTest if values.get("kind") == AsymptoticTest.kind else SequentialTest
    )
    return made.from_dict(values)
