"""The seasons that come with the package, by name: their files lie in `seasons` beside this module."""

from pathlib import Path

from luckless.errors import InputError

NAMED_SEASONS = Path(__file__).parent / "seasons"


def season_names() -> list[str]:
    """Names of the seasons that come with the package, in alphabetical order."""
    return sorted(path.stem for path in NAMED_SEASONS.glob("*.toml"))


def season_path(name_or_path: str) -> Path:
    """The file of a season: a path as it is, a name as the file of the package that bears it."""
    if name_or_path in season_names():
        return NAMED_SEASONS / f"{name_or_path}.toml"
    path = Path(name_or_path)
    if path.suffix != ".toml" and not path.exists():
        raise InputError(
            f"no season is called {name_or_path!r}; allowed is a .toml file, or one of {', '.join(season_names())}"
        )
    return path
