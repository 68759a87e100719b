"""`luckless` with the simple learners of `league_season`, as a program: `league_command.py league run FILE ...`.

If LEAGUE_HANGS names a folder, each learner leaves the number of its process there, and then hangs in foreign code
that lets no other thread of Python run.
"""

import ctypes
import os
from pathlib import Path
from typing import Any

import league_season
from luckless import cli
from luckless.league import training


def _hang(*_: Any) -> None:
    Path(os.environ["LEAGUE_HANGS"], str(os.getpid())).touch()
    ctypes.PyDLL(None).sleep(1_000)  # unlike CDLL, it keeps Python's lock


training.SAVE_SECONDS = 0.0
league_season.use_fakes()  # in the processes of the pool, too, which import this file
if "LEAGUE_HANGS" in os.environ:
    league_season.NudgeLearner.learn = _hang  # type: ignore[method-assign, assignment]
if __name__ == "__main__":
    cli.main()
