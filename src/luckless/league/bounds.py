"""What is known of how much a best opponent wins from a season's agents: stored results of `luckless exploit`.

A result is the JSON that `luckless exploit agent:NAME --json` prints, kept as `exploited/NAME.json` in the season's
directory. Whatever way it was found in, only its fixed keys are read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from luckless.errors import InputError
from luckless.league.run import Run
from luckless.plain_json import read_json
from luckless.typed_toml import read_text
from luckless.typed_values import check, filled_text, flag, list_of, number, open_table, or_nothing

FOLDER = "exploited"
KEYS = ("game", "by", "exact", "mbb", "ci95_mbb")
RESULT = open_table(
    {
        "game": filled_text,
        "by": filled_text,
        "exact": flag,
        "mbb": number(),
        "ci95_mbb": or_nothing(list_of(number(), 2)),
    }
)


@dataclass(frozen=True)
class Bound:
    """What an opponent was found to win from an agent, in mbb/h; a best one wins at least as much."""

    mbb: float
    ci95_mbb: tuple[float, float] | None
    by: str
    """How it was found: `exact`, `lbr`, `learn`."""
    game: str
    exact: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, as `luckless exploit` prints them."""
        return {key: getattr(self, key) for key in KEYS}


def bounds(run: Run) -> Mapping[int, Bound]:
    """The stored bounds by the number of the agent; empty where none were stored."""
    folder = run.directory / FOLDER
    paths = {agent.id: folder / f"{agent.name}.json" for agent in run.roster}
    return {agent: _bound(path) for agent, path in paths.items() if path.is_file()}


def _bound(path: Path) -> Bound:
    try:
        values = read_json(read_text(path, "the result"))
    except ValueError as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    check(values, RESULT, str(path))
    missing = [key for key in KEYS if key not in values]
    if missing:
        raise InputError(f"{path}: {missing[0]} is missing; keep what `luckless exploit BOT --json` prints")
    ends = values["ci95_mbb"]
    interval = None if ends is None else (float(ends[0]), float(ends[1]))
    return Bound(float(values["mbb"]), interval, values["by"], values["game"], values["exact"])
