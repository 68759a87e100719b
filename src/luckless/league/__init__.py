"""Seasons of learning bots: agents, divisions, ratings, boards, and the run that survives a power cut.

The part is also the function `lk.league`: calling it plays a season (see `luckless.public.league`).
"""

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from luckless.league.season_record import SeasonRecord


class _League(ModuleType):
    """A module that can be called: `import luckless as lk; lk.league("quick")`."""

    def __call__(
        self, season: str | Path, *, out: str | Path | None = None, workers: int | None = None, progress: bool = False
    ) -> "SeasonRecord":
        """Plays a season of learning bots to its end (see `luckless.public.league`)."""
        from luckless.public import league

        return league(season, out=out, workers=workers, progress=progress)


sys.modules[__name__].__class__ = _League
