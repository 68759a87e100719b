"""What an estimator says of hands: for each player money and the luck-adjusted win rate, both with intervals."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from luckless.bots.bot import Bot
from luckless.errors import InputError
from luckless.rules.columns import HandColumns
from luckless.shown import Shown
from luckless.skill.cross_table import CrossTable
from luckless.skill.lines import RunningLine
from luckless.skill.shipped_values import shipped_values
from luckless.skill.values import ValueFunction
from luckless.stats.estimate import Estimate


@dataclass(frozen=True)
class PlayerVerdict:
    """One player: both rates in mbb/h, what adjusting divides the variance by, and the parts of the adjusted rate.

    `by_street` says on which street the adjusted rate was won, `terms` what was taken out (each has the true mean 0)
    and what is left over. `groups` are hands told apart by position and by kind of pot: money and adjusted rate.
    """

    name: str
    hands: int
    money: Estimate
    adjusted: Estimate
    variance_ratio: float | None = None
    by_street: dict[str, Estimate] = field(default_factory=dict)
    terms: dict[str, Estimate] = field(default_factory=dict)
    groups: dict[str, dict[str, tuple[Estimate, Estimate]]] = field(default_factory=dict)
    line: RunningLine | None = None
    """Money, all-in equity and adjusted value so far in big blinds, hand by hand, if it was asked for."""

    @property
    def hands_worth(self) -> float | None:
        """How many hands judged by money tell as much as these."""
        return None if self.variance_ratio is None else self.variance_ratio * self.hands

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "name": self.name,
            "hands": self.hands,
            "money": _figures(self.money),
            "adjusted": _figures(self.adjusted),
            "variance_ratio": self.variance_ratio,
            "by_street": {street: _figures(rate) for street, rate in self.by_street.items()},
            "terms": {term: _figures(rate) for term, rate in self.terms.items()},
            **{
                f"by_{kind}": {
                    word: {"hands": rates[0].hands, "money": _figures(rates[0]), "adjusted": _figures(rates[1])}
                    for word, rates in words.items()
                }
                for kind, words in self.groups.items()
            },
        }


def _figures(rate: Estimate) -> dict[str, Any]:
    return {"mean": rate.mean, "sd": rate.sd, "stderr": rate.stderr, "ci95": rate.ci95}


class Frozen(Protocol):
    """What values were taken by: a value function, or a way to play. It was fixed before the hands were seen."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def digest(self) -> str:
        """Sixteen characters that are equal exactly for equal values."""


@dataclass(frozen=True, repr=False)
class Verdict(Shown):
    """The judgement of hands by one estimator; `reason` says why this one, `detail` is what it knows beyond this."""

    hands: int
    by: str
    players: tuple[PlayerVerdict, ...]
    reason: str
    detail: Any = None
    values: Frozen | None = None
    """The value function that was used, if there was one."""
    notes: tuple[str, ...] = ()
    """What the verdict takes for granted."""
    showing: ClassVar[str] = "verdict"

    @property
    def cross_table(self) -> CrossTable | None:
        """Who gained from whom, where the estimator tells."""
        return self.detail if isinstance(self.detail, CrossTable) else None

    def player(self, name: str) -> PlayerVerdict:
        """One player by name."""
        for player in self.players:
            if player.name == name:
                return player
        raise InputError(f"no player is called {name!r}; there is {', '.join(p.name for p in self.players)}")

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON; `values` is the value function that was used, None where there is none."""
        players = [player.to_dict() for player in self.players]
        values = None if self.values is None else {"name": self.values.name, "digest": self.values.digest}
        told = {"hands": self.hands, "by": self.by, "values": values, "players": players, "notes": list(self.notes)}
        return told if self.cross_table is None else {**told, "cross_table": self.cross_table.to_dict()}


@dataclass(frozen=True)
class Knowledge:
    """What is known beside the hands: policies of players by name, and a value function."""

    policies: Mapping[str, Bot] = field(default_factory=dict)
    values: ValueFunction = field(default_factory=shipped_values)
    show_progress: bool = False
    """Whether to show how far the judging has come."""
    lines: bool = False
    """Whether to keep what players won so far, hand by hand, for a figure."""
    hidden: tuple[str, ...] = ()
    """Players whose policies are left unknown on purpose; they must be there, too."""


NOTHING = Knowledge()


class Estimator(Protocol):
    """Judges hands. A new one is a file of this part and a line in `registry`."""

    name: str
    needs: str
    """What hands it can judge, in words."""

    def lacks(self, hands: HandColumns, knowledge: Knowledge) -> str:
        """What it lacks to judge such hands, in words that name a hand; empty if nothing."""

    def judge(self, batches: Iterable[HandColumns], knowledge: Knowledge = NOTHING) -> Verdict:
        """The verdict on all the hands."""
