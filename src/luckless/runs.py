"""Where seasons and agents lie by default: each season has a directory of its own in `runs`."""

import os
from pathlib import Path

RUNS = Path("runs")
CATALOGUE = "season.sqlite"


def runs_here() -> list[Path]:
    """The directories in `runs` that hold a season, the one that was changed last first."""
    catalogues = RUNS.glob(f"*/{CATALOGUE}")
    return [path.parent for path in sorted(catalogues, key=lambda path: path.stat().st_mtime, reverse=True)]


def agents_folders() -> list[Path]:
    """Where agents are found by name, the first that has it counts.

    LUCKLESS_AGENTS_DIR, or the folder `agents` here; then the seasons in `runs`, the one changed last first.
    """
    own = Path(os.environ.get("LUCKLESS_AGENTS_DIR") or "agents")
    return [own, *(run / "agents" for run in runs_here())]
