"""What an estimator says of hands: for each player money and the luck-adjusted win rate, both with intervals."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from luckless.errors import InputError
from luckless.rules.columns import HandColumns
from luckless.shown import Shown
from luckless.stats.estimate import Estimate


@dataclass(frozen=True)
class PlayerVerdict:
    """One player: both rates in mbb/h, what adjusting divides the variance by, and the adjusted rate by street."""

    name: str
    hands: int
    money: Estimate
    adjusted: Estimate
    variance_ratio: float | None = None
    by_street: dict[str, Estimate] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "name": self.name,
            "hands": self.hands,
            "money": _figures(self.money),
            "adjusted": _figures(self.adjusted),
            "variance_ratio": self.variance_ratio,
            "by_street": {street: _figures(rate) for street, rate in self.by_street.items()},
        }


def _figures(rate: Estimate) -> dict[str, Any]:
    return {"mean": rate.mean, "sd": rate.sd, "stderr": rate.stderr, "ci95": rate.ci95}


@dataclass(frozen=True, repr=False)
class Verdict(Shown):
    """The judgement of hands by one estimator; `reason` says why this one, `detail` is what it knows beyond this."""

    hands: int
    by: str
    players: tuple[PlayerVerdict, ...]
    reason: str
    detail: Any = None
    showing: ClassVar[str] = "verdict"

    def player(self, name: str) -> PlayerVerdict:
        """One player by name."""
        for player in self.players:
            if player.name == name:
                return player
        raise InputError(f"no player is called {name!r}; there is {', '.join(p.name for p in self.players)}")

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON; `values` is the value function that was used, None where there is none."""
        players = [player.to_dict() for player in self.players]
        return {"hands": self.hands, "by": self.by, "values": None, "players": players}


class Estimator(Protocol):
    """Judges hands. A new one is a file of this part and a line in `registry`."""

    name: str
    needs: str
    """What hands it can judge, in words."""

    def can_judge(self, hands: HandColumns) -> bool:
        """Whether it is made for such hands, by their game and known cards."""

    def judge(self, batches: Iterable[HandColumns]) -> Verdict:
        """The verdict on all the hands."""
