"""Faults of bots: counted by player and kind, the first cases kept; they never end the match."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KINDS = ("exception", "nonsense", "illegal", "slow", "overtime", "died", "flooded", "unasked", "absent", "hand_over")
"""exception: the bot raised an error; nonsense: the answer is not an action; illegal: the action is not allowed;
slow: it took too long for a decision; overtime: it had used up its time for the hand or the match; died: it ended or
closed the connection when it had to answer; flooded: it wrote far more than answers; unasked: it answered twice, or
without a question; absent: it could not be asked, because it never started, did not keep running or hung too often;
hand_over: it failed when it was told how a hand had ended."""

NOTHING_TO_ANSWER = ("unasked", "hand_over")
"""Kinds after which no decision was left open: in all others we answered for the bot."""

CASES_KEPT = 5


@dataclass(frozen=True)
class Case:
    """One fault: whose, of which kind, in which hand of the match (for `replay`), and what exactly."""

    player: int
    kind: str
    hand: int
    detail: str
    times: int = 1
    """More than once for faults that were only counted: then the hand and the detail are those of none."""


@dataclass
class FaultLog:
    """The faults of a match."""

    counts: Counter[tuple[int, str]] = field(default_factory=Counter)
    cases: list[Case] = field(default_factory=list)

    def add(self, case: Case) -> None:
        """Counts a fault; the first few of each player are kept whole."""
        self.counts[case.player, case.kind] += case.times
        if sum(kept.player == case.player for kept in self.cases) < CASES_KEPT:
            self.cases.append(case)

    def to_dict(self) -> dict[str, Any]:
        """All counts and the cases that were kept, as plain values."""
        counts = [[player, kind, count] for (player, kind), count in self.counts.items()]
        return {"counts": counts, "cases": [[case.player, case.kind, case.hand, case.detail] for case in self.cases]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "FaultLog":
        """The log that `to_dict` described."""
        counts = Counter({(player, kind): count for player, kind, count in values["counts"]})
        return cls(counts, [Case(*case) for case in values["cases"]])

    def of_player(self, player: int) -> dict[str, int]:
        """The number of faults of each kind that a player has made; kinds without any are left out."""
        return {kind: self.counts[player, kind] for kind in KINDS if self.counts[player, kind]}
