"""Win rates with luck taken out, as results of matches and sessions hold them; who makes them they do not know."""

from typing import Any, Protocol

from luckless.stats.estimate import Estimate


class AdjustedPlayer(Protocol):
    """A player's win rate with luck taken out, and what that divides the variance by."""

    @property
    def adjusted(self) -> Estimate:
        """In mbb/h."""

    @property
    def variance_ratio(self) -> float | None:
        """None where a spread is not known."""


class Adjusted(Protocol):
    """Win rates with luck taken out, worked out by a part that matches do not know."""

    @property
    def by(self) -> str:
        """The estimator."""

    @property
    def reason(self) -> str:
        """Why this one, in a sentence."""

    def player(self, name: str) -> AdjustedPlayer:
        """One player by name."""


def adjusted_figures(found: AdjustedPlayer, by: str) -> dict[str, Any]:
    """A player's adjusted win rate as plain values for JSON."""
    return {
        "adjusted_mbb": found.adjusted.mean,
        "adjusted_stderr_mbb": found.adjusted.stderr,
        "adjusted_ci95_mbb": found.adjusted.ci95,
        "adjusted_by": by,
        "variance_ratio": found.variance_ratio,
    }
