"""Where seasons are stored by default: in the folder `runs` of the working directory, one directory each."""

from pathlib import Path

RUNS = Path("runs")
CATALOGUE = "season.sqlite"


def runs_here() -> list[Path]:
    """The directories in `runs` that hold a season, the one that was changed last first."""
    catalogues = RUNS.glob(f"*/{CATALOGUE}")
    return [path.parent for path in sorted(catalogues, key=lambda path: path.stat().st_mtime, reverse=True)]
