"""A season in its directory as a record: its board and what is known of it, without any bot."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from luckless.league.analysis import coherence, correlations, prediction
from luckless.league.boards import board, winnings
from luckless.league.results import fingerprint
from luckless.league.run import Run


@dataclass(frozen=True)
class SeasonRecord:
    """A season opened for reading; `run` has all of it."""

    run: Run

    @classmethod
    def open(cls, directory: Path) -> "SeasonRecord":
        """The season in a directory."""
        return cls(Run.open(directory))

    def to_dict(self, by: str = "trueskill") -> dict[str, Any]:
        """The board as plain values for JSON, and how far its metrics can be trusted."""
        lines, ratings = board(self.run, by), coherence(self.run)
        return {
            "season": self.run.season.name,
            "by": by,
            "fingerprint": fingerprint(self.run.store),
            "agents": [{"rank": place, **line.to_dict()} for place, line in enumerate(lines, start=1)],
            "prediction": prediction(lines, winnings(self.run)),
            "trueskill_correlation": None if ratings is None else correlations(self.run, ratings),
        }
