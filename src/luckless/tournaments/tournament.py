"""A tournament that is ready to be played: its bots, its tables, and the match of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from luckless.bots.bot import Bot
from luckless.bots.lineup import Lineup
from luckless.errors import InputError
from luckless.keys import Keys, choose_seed, trial_seed
from luckless.matches.match import Match, any_outside
from luckless.matches.seating import Decks
from luckless.matches.session import Sessions
from luckless.matches.settings import is_sealed, kept_keys, now, software_versions
from luckless.rules.game import Game
from luckless.skill.values import ValueFunction
from luckless.tournaments.adjusting import is_adjusted, values_for
from luckless.tournaments.allocation import Fixed, Precision, Rule, UntilRanked
from luckless.tournaments.entrants import Entrants, load_entrants
from luckless.tournaments.settings import Settings, settings_of
from luckless.tournaments.tables import Table, tables_of

FORMAT = 1
"""The version of the record; readers refuse a higher one."""

FREEZEOUT_ROUNDS = 10_000
"""A freezeout that is not over after so many hands is won by whoever has more chips."""


@dataclass(frozen=True)
class Outline:
    """A tournament without its bots: all that its record says."""

    settings: Settings
    names: tuple[str, ...]
    specs: tuple[str, ...]
    digests: tuple[str, ...]
    """The fingerprint of each bot; empty for programs that cannot be looked into."""
    absent: tuple[str, ...]
    tables: tuple[Table, ...]
    keys: Keys
    decks: str
    """Of all its matches; empty for sessions."""
    versions: Mapping[str, str]
    begun: str
    rules: Game
    """The game as it was when the tournament began, for as many seats as it has."""

    @property
    def shared(self) -> bool:
        """Whether all tables play the same deals: bots from outside could remember them, and get others."""
        return not self.keys.sealed

    @property
    def game(self) -> Game:
        """The game of a table."""
        return self.rules.with_seats(len(self.tables[0]))

    def folder(self, table: int) -> str:
        """The name of the folder of a table."""
        return f"table-{table:05}"

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "format": FORMAT,
            "settings": self.settings.to_dict(),
            "names": list(self.names),
            "specs": list(self.specs),
            "digests": list(self.digests),
            "absent": list(self.absent),
            "tables": [list(table) for table in self.tables],
            "seed": str(self.keys.seed),
            **kept_keys(self.keys.sealed),
            "decks": self.decks,
            "versions": dict(self.versions),
            "begun": self.begun,
            "rules": self.rules.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], source: str) -> "Outline":
        """The outline that `to_dict` gave; `source` names it in errors."""
        try:
            if int(values["format"]) > FORMAT:
                raise InputError(f"{source}: written by a newer version; this one reads format {FORMAT}")
            rules = Game.from_dict(values["rules"], source) if "rules" in values else None
            settings = settings_of(values["settings"], source, rules)
            return cls(
                settings,
                tuple(map(str, values["names"])),
                tuple(map(str, values["specs"])),
                tuple(map(str, values["digests"])),
                tuple(map(str, values["absent"])),
                tuple(_table(table, len(values["names"])) for table in values["tables"]),
                Keys(int(values["seed"]), is_sealed(values, source)),
                str(values["decks"]),
                {str(key): str(value) for key, value in values["versions"].items()},
                str(values["begun"]),
                rules or Game.load(settings.game),
            )
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{source}: not a valid record of a tournament: {error!r}") from None


def _table(places: Any, bots: int) -> Table:
    table = tuple(int(place) for place in places)
    if len(table) < 2 or sorted(set(table)) != list(table) or not 0 <= table[0] <= table[-1] < bots:
        raise ValueError(f"table {places} of {bots} bots")
    return table


def deals_of(hands: int, set_size: int) -> int:
    """Deals of so many hands, rounded up."""
    return -(-hands // set_size)


def rule_of(settings: Settings, set_size: int) -> Rule:
    """How many deals each pairing plays, where a deal has so many hands."""
    if not settings.is_adaptive:
        return Fixed()
    most = deals_of(settings.hands_at_most, set_size)
    return Precision(settings.precision, most) if settings.precision else UntilRanked(most)


@dataclass(frozen=True)
class Tournament:
    """Settings with loaded bots."""

    outline: Outline
    entrants: Entrants

    @classmethod
    def plan(cls, settings: Settings, known: Outline | None = None, bots: Sequence[Bot] = ()) -> "Tournament":
        """Loads and checks everything before a hand is played; `known` is the record of one that goes on.

        `bots` are those that the settings name, if they are loaded already.
        """
        entrants = load_entrants(settings, bots)
        bots = entrants.bots
        game = Game.load(settings.game) if known is None else known.rules
        seats = 2
        if settings.format == "n-way":
            seats = settings.seats or game.seats
        heroes = [entrants.place(name) for name in settings.heroes]
        tables = tables_of(len(bots), seats, settings.tables, heroes)
        sealed = any_outside(bots)
        asked = int(settings.seed) if settings.seed else None
        keys = known.keys if known is not None else Keys(choose_seed(asked, sealed), sealed)
        decks: Decks = "fresh" if sealed or any(bot.memory for bot in bots) else "duplicate"
        outline = Outline(
            settings,
            entrants.names,
            tuple(bot.spec for bot in bots),
            tuple(bot.fingerprint() for bot in bots),
            entrants.absent,
            tuple(tables),
            keys,
            "" if settings.is_session else settings.decks or decks,
            software_versions() if known is None else known.versions,
            now() if known is None else known.begun,
            game,
        )
        planned = cls(outline, entrants)
        if settings.is_session:
            planned.sessions(0)
        else:
            planned.match(0, settings.hands)
            planned.values  # noqa: B018 - refused here if the game does not allow them
        return planned

    @property
    def set_size(self) -> int:
        """Hands of a deal."""
        return self.match(0, 1).set_size

    def _table_seed(self, table: int) -> int:
        """Tables share their deals, unless a bot from outside could remember them."""
        keys = self.outline.keys
        return trial_seed(keys.seed, table) if keys.sealed else keys.seed

    def _players(self, table: int) -> list[Any]:
        return [self.entrants.at_table(place) for place in self.outline.tables[table]]

    def is_adjusted(self, table: int) -> bool:
        """Whether luck is taken out of the values of a table."""
        settings = self.outline.settings
        bots = [self.entrants.bots[place] for place in self.outline.tables[table]]
        return is_adjusted(settings.adjust, bots, settings.hands)

    @cached_property
    def values(self) -> ValueFunction:
        """By which luck is taken out."""
        return values_for(self.outline.settings.values, self.outline.game)

    def match(self, table: int, hands: int) -> Match:
        """The match of a table."""
        outline = self.outline
        decks: Any = outline.decks
        return Match.plan(
            outline.rules,
            self._players(table),
            hands=hands,
            seed=self._table_seed(table),
            decks=decks,
            sealed=outline.keys.sealed,
            decision_seconds=outline.settings.decision_seconds,
        )

    def sessions(self, table: int) -> Sessions:
        """The sessions of a table."""
        settings = self.outline.settings
        return Sessions.plan(
            self._players(table),
            rounds=settings.rounds if settings.format == "sessions" else FREEZEOUT_ROUNDS,
            stack=settings.stack,
            blinds=settings.blind_pair(),
            games=settings.games,
            seed=self._table_seed(table),
            sealed=self.outline.keys.sealed,
            decision_seconds=settings.decision_seconds,
        )

    @property
    def compiled(self) -> bool:
        """Whether no bot has to be asked: then tables are played side by side."""
        return Lineup.of(self.entrants.bots).compiled and not self.outline.keys.sealed
