"""Faults of bots: counted by player and kind, the first cases kept; they never end the match."""

from collections import Counter
from collections.abc import Iterable, Mapping
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
"""The first faults of a player that are kept whole."""
MOST_CASES = CASES_KEPT + len(KINDS) - 1
"""With them the first of each kind is kept: no player has more than these."""

NOTABLE = 0.01
"""From this share of decisions on that were answered for a bot, a result says little about it."""


@dataclass(frozen=True)
class Case:
    """One fault: whose, of which kind, in which hand of the match (for `replay`), and what exactly."""

    player: int
    kind: str
    hand: int
    detail: str
    times: int = 1
    """More than once for faults that were only counted: then the hand and the detail are those of none."""
    step: int = field(default=-1, compare=False)
    """After how many actions of the hand it was asked, where that is known; not stored."""


@dataclass
class FaultLog:
    """The faults of a match, and how many decisions they are to be held against."""

    counts: Counter[tuple[int, str]] = field(default_factory=Counter)
    cases: list[Case] = field(default_factory=list)
    decisions: Counter[int] = field(default_factory=Counter)
    """The decisions of each player, in hands that were not played by compiled rules alone: those make no faults."""

    def add(self, case: Case) -> None:
        """Counts a fault; the first few of each player are kept whole, and the first of each kind."""
        self.counts[case.player, case.kind] += case.times
        own = [kept for kept in self.cases if kept.player == case.player]
        if len(own) < CASES_KEPT or (case.detail and case.kind not in {kept.kind for kept in own}):
            self.cases.append(case)

    def add_decisions(self, counts: Iterable[int]) -> None:
        """Counts decisions, given for each player."""
        self.decisions.update({player: int(count) for player, count in enumerate(counts) if count})

    def answered_for(self, player: int) -> int:
        """How many decisions of a player were checked or folded for it."""
        return sum(count for kind, count in self.of_player(player).items() if kind not in NOTHING_TO_ANSWER)

    def share(self, player: int) -> float | None:
        """The share of its decisions that was answered for a player; None where they were not counted."""
        answered = self.answered_for(player)
        if not self.decisions[player]:
            return None if answered else 0.0
        return min(1.0, answered / self.decisions[player])

    def notable(self, players: int) -> list[int]:
        """The players for whom so much was answered that a result says little about them."""
        return [player for player in range(players) if (self.share(player) or 0.0) >= NOTABLE]

    def facts(self, player: int) -> dict[str, Any]:
        """What is to be said about a player, as plain values for JSON."""
        faults = self.of_player(player)
        return {
            "decisions": self.decisions[player] or None,
            "answered_for": self.share(player),
            "faults": sum(faults.values()),
            "faults_by_kind": faults,
            "first_faults": [
                {"kind": case.kind, "hand": case.hand, "detail": case.detail}
                for case in self.cases
                if case.player == player
            ],
        }

    def to_dict(self) -> dict[str, Any]:
        """All counts and the cases that were kept, as plain values."""
        counts = [[player, kind, count] for (player, kind), count in self.counts.items()]
        cases = [[case.player, case.kind, case.hand, case.detail] for case in self.cases]
        return {"counts": counts, "cases": cases, "decisions": [list(one) for one in sorted(self.decisions.items())]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "FaultLog":
        """The log that `to_dict` described."""
        counts = Counter({(player, kind): count for player, kind, count in values["counts"]})
        decisions = Counter(dict(values.get("decisions", ())))  # older stores have none
        return cls(counts, [Case(*case) for case in values["cases"]], decisions)

    def of_player(self, player: int) -> dict[str, int]:
        """The number of faults of each kind that a player has made; kinds without any are left out."""
        return {kind: self.counts[player, kind] for kind in KINDS if self.counts[player, kind]}
