"""What a match was, in plain values: all that its results, pages and stored folder need, and no live bot."""

import functools
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import luckless
from luckless.errors import InputError
from luckless.keys import Keys, seed_warnings
from luckless.matches.seating import Decks, set_size
from luckless.rules.game import Game


@functools.cache
def software_versions() -> Mapping[str, str]:
    """What plays here: other versions may give other numbers."""
    packages = {name: version(name) for name in ("numpy", "numba", "pyarrow")}
    return {"luckless": luckless.__version__, "python": platform.python_version(), **packages}


def now() -> str:
    """The present moment as records keep it: ISO 8601, to the second, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class MatchSettings:
    """A match without its bots: the game, who played, how many hands, which decks and clocks."""

    game: Game
    names: tuple[str, ...]
    """What the players are called, as they were given."""
    specs: tuple[str, ...]
    """What each bot was loaded from, to load it again."""
    hands: int
    seed: int
    decks: Decks
    decision_seconds: float = 10.0
    hand_seconds: float = 0.0
    match_seconds: float = 0.0
    sealed: bool = False
    """Whether its keys are sealed (see `keys`)."""
    table_seats: int = 0
    """Seats of the game that it was played at; some may have been empty. 0: as many as there were players."""
    versions: Mapping[str, str] = field(default_factory=software_versions, compare=False)
    """The software that played."""
    begun: str = field(default_factory=now, compare=False)
    """When it began; empty where a store does not say."""

    @property
    def keys(self) -> Keys:
        """What its cards, seats and dice follow from."""
        return Keys(self.seed, self.sealed)

    @property
    def empty_seats(self) -> int:
        """Seats of the table at which nobody sat."""
        return max(self.table_seats - self.game.seats, 0)

    @property
    def seats_text(self) -> str:
        """The seats that were taken, and of how many if some were empty."""
        return f"{self.game.seats} of {self.table_seats} seats" if self.empty_seats else f"{self.game.seats} seats"

    @property
    def warnings(self) -> list[str]:
        """What these settings take for granted."""
        found = seed_warnings(self.seed, self.sealed)
        if self.sealed and self.decks == "duplicate":
            found.append(
                "duplicate decks trust the bots from outside: one that remembers hands, though it says it does "
                "not, sees every deal from all sides"
            )
        return found

    @property
    def set_size(self) -> int:
        """Hands of one independent sample: a duplicate set, or one hand."""
        return set_size(self.game.seats, self.decks)

    @property
    def labels(self) -> tuple[str, ...]:
        """The players as tables and figures call them."""
        return labels_of(self.names, self.specs)

    def place_of(self, player: int | str) -> int:
        """The place of a player who is given by place or by name."""
        if not isinstance(player, str):
            return player
        names = player_names(self.names)
        if player not in names:
            raise InputError(f"no player is called {player!r}; there is {', '.join(names)}")
        return names.index(player)

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON; the seed is text, for not every reader has 64 bits."""
        return {
            "game": self.game.to_dict(),
            "names": list(self.names),
            "specs": list(self.specs),
            "hands": self.hands,
            "seed": str(self.seed),
            "decks": self.decks,
            "set_size": self.set_size,
            "clocks": [self.decision_seconds, self.hand_seconds, self.match_seconds],
            "versions": dict(self.versions),
            "begun": self.begun,
            **kept_keys(self.sealed),
            **({"table_seats": self.table_seats} if self.empty_seats else {}),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], source: str = "match") -> "MatchSettings":
        """The settings that `to_dict` gave; `source` names them in errors."""
        names = tuple(values["names"])
        clocks = values.get("clocks", (10.0, 0.0, 0.0))  # older stores do not say them: those of the command line
        return cls(
            Game.from_dict(values["game"], source),
            names,
            tuple(values.get("specs", names)),  # older stores have none: there a name is what was loaded
            int(values["hands"]),
            int(values["seed"]),
            values["decks"],
            decision_seconds=clocks[0],
            hand_seconds=clocks[1],
            match_seconds=clocks[2],
            sealed=is_sealed(values, source),
            table_seats=int(values.get("table_seats", 0)),
            versions=values["versions"],
            begun=values.get("begun", ""),
        )


SEALED = "sealed"
"""What stored settings say of sealed keys; of open ones, as all were once, they say nothing."""


def kept_keys(sealed: bool) -> dict[str, str]:
    """What stored settings say of their keys."""
    return {"keys": SEALED} if sealed else {}


def is_sealed(values: Mapping[str, Any], source: str) -> bool:
    """Whether stored settings have sealed keys; `source` names them in errors."""
    if (kind := values.get("keys")) not in (None, SEALED):
        raise InputError(f"{source}: keys is {kind!r}; allowed is {SEALED!r}, or nothing")
    return kind == SEALED


def player_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names of players, a bot that sits more than once numbered.

    >>> player_names(["random", "call", "call"])
    ('random', 'call #1', 'call #2')
    """
    own = list(names)
    return tuple(
        f"{name} #{own[: place + 1].count(name)}" if own.count(name) > 1 else name for place, name in enumerate(own)
    )


def labels_of(names: Sequence[str], specs: Sequence[str]) -> tuple[str, ...]:
    """The names of players for tables and figures: directories are left out, but not of a label that was given.

    >>> labels_of(["bots/mine.py:Bot", "on/off"], ["bots/mine.py:Bot", "call"])
    ('mine.py:Bot', 'on/off')
    """
    pairs = zip(names, specs, strict=True)
    return player_names([name.rpartition("/")[2] if name == spec else name for name, spec in pairs])
