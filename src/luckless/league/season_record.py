"""A season in its directory as a record: its board and what is known of it, without any bot."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from luckless.league.analysis import coherence, correlations, prediction
from luckless.league.boards import board, winnings
from luckless.league.results import fingerprint
from luckless.league.run import Run
from luckless.runs import CATALOGUE, RUNS
from luckless.shown import Shown


@dataclass(frozen=True, repr=False)
class SeasonRecord(Shown):
    """A season opened for reading; `run` has all of it."""

    showing: ClassVar[str] = "season"

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
            "prediction": prediction(lines, winnings(self.run)).shares,
            "trueskill_correlation": None if ratings is None else correlations(self.run, ratings),
        }


def play_season(
    season: str | Path, directory: Path | None = None, *, workers: int | None = None, show_progress: bool = False
) -> SeasonRecord:
    """Plays a season, or resumes it if its directory holds it already, and returns its record."""
    from luckless.file_locks import require_locks
    from luckless.league.config import read_config, season_of
    from luckless.league.named_seasons import season_path
    from luckless.league.season import run_season

    require_locks("running a season")  # before anything is written
    config = season_path(str(season))
    planned = season_of(read_config(config), str(config))
    place = directory or RUNS / planned.name
    if not (place / CATALOGUE).exists() or Run.open(place).season != planned:
        Run.begin(place, config).store.close()
    run_season(place, workers=workers, show_progress=show_progress)
    return SeasonRecord.open(place)
