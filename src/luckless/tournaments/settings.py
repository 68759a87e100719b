"""What a tournament is, as a TOML file or the words of a command say it; read strictly, every error with its line."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from luckless.bots.clocks import Clocks
from luckless.errors import InputError
from luckless.rules.game import Game
from luckless.toml_lines import KeyPath
from luckless.typed_toml import TypedReader, parse_toml, read_text

FORMATS = ("round-robin", "n-way", "sessions", "freezeout")
DECKS = ("duplicate", "fresh")
ABSENT = ("refuse", "loses")
ADJUST = ("auto", "always", "never")
VALUES = ("equity", "roll-outs", "blueprint")
MOST_BOTS = 200
MOST_TABLES = 20_000
MOST_HANDS = 10**9


@dataclass(frozen=True)
class BotEntry:
    """A bot with what holds for it alone; 0 is without a limit of its own."""

    bot: str
    name: str = ""
    decision_seconds: float = 0.0
    hand_seconds: float = 0.0
    match_seconds: float = 0.0
    memory_mb: int = 0
    """Address space of a program (`exec:`), in megabytes."""


@dataclass(frozen=True)
class Printed:
    """Sessions that somebody else has counted, to be shown beside ours."""

    bot: str
    opponent: str
    won: int
    lost: int


@dataclass(frozen=True)
class Exploitability:
    """What a best response wins from a bot, as `luckless exploit --json` says it; from elsewhere if no file is named.

    Without an interval `low` and `high` are equal to `mbb`.
    """

    bot: str = ""
    file: str = ""
    mbb: float = 0.0
    low: float = 0.0
    high: float = 0.0
    exact: bool = False
    """Whether it is the exploitability itself; if not, it is a lower bound of it."""
    by: str = ""


@dataclass(frozen=True)
class Settings:
    """Everything that decides how a tournament goes; fixed before the first hand."""

    bots: tuple[str, ...] = ()
    bot: tuple[BotEntry, ...] = ()
    game: str = "nolimit-hu"
    format: str = "round-robin"
    hands: int = 10_000
    """Of each table; with `precision` or `until_ranked`, of its first step."""
    seed: str = ""
    """A whole number; empty for the default, or for a secret one with bots from outside."""
    decks: str = ""
    seats: int = 0
    """Of a table in `n-way`; 0 for all seats of the game."""
    tables: int = 0
    """How many tables `n-way` has, in a balanced design; 0 for all sets of bots."""
    heroes: tuple[str, ...] = ()
    """If any are named: only tables at which one of them sits are played."""
    rounds: int = 20
    stack: int = 1_000
    blinds: str = "5/10"
    games: int = 100
    """Sessions or freezeouts of each pairing."""
    precision: float = 0.0
    """Play each pairing until half its 95 % interval is so many mbb/h; 0 for a fixed number of hands."""
    until_ranked: bool = False
    most_hands: int = 0
    """Of a pairing, where the number is not fixed; 0 for a hundred times `hands`."""
    decision_seconds: float = 10.0
    absent: str = "refuse"
    """What happens if a bot cannot be started: `refuse` the tournament, or it `loses` by folding every hand."""
    printed: tuple[Printed, ...] = ()
    adjust: str = "auto"
    """Whether luck is taken out of win rates: `always`, `never`, or where a bot from outside sits."""
    values: str = "equity"
    """By which value function that is done, as `luckless judge --values` names it."""
    exploitability: tuple[Exploitability, ...] = ()

    @property
    def entries(self) -> tuple[BotEntry, ...]:
        """All bots in their order."""
        return (*(BotEntry(text) for text in self.bots), *self.bot)

    @property
    def is_session(self) -> bool:
        """Whether stacks are carried from hand to hand."""
        return self.format in ("sessions", "freezeout")

    @property
    def is_adaptive(self) -> bool:
        """Whether the number of hands depends on the results."""
        return bool(self.precision) or self.until_ranked

    @property
    def hands_at_most(self) -> int:
        """Hands of one pairing at most."""
        return (self.most_hands or 100 * self.hands) if self.is_adaptive else self.hands

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return dataclasses.asdict(self)

    def blind_pair(self) -> tuple[int, int]:
        """Small and big blind of sessions."""
        small, _, big = self.blinds.partition("/")
        if not (small.isascii() and small.isdigit() and big.isascii() and big.isdigit()):
            raise InputError(f"blinds is {self.blinds!r}; allowed are two whole numbers such as 5/10")
        return int(small), int(big)


def read_settings(path: Path) -> Settings:
    """The tournament that a TOML file describes."""
    values, reader = parse_toml(read_text(path, "the tournament"), str(path))
    if isinstance(values.get("seed"), int) and not isinstance(values["seed"], bool):
        values["seed"] = str(values["seed"])
    settings = checked(reader.record(values, Settings), reader)
    return dataclasses.replace(settings, exploitability=with_files(settings, reader))


def settings_from(values: Mapping[str, Any], bots: tuple[BotEntry, ...]) -> Settings:
    """The settings that a caller gives as plain values, with the bots that are at hand."""
    reader = TypedReader("tournament")
    settings = reader.record({key: given for key, given in values.items() if given != ""}, Settings)
    settings = checked(dataclasses.replace(settings, bot=bots), reader)
    return dataclasses.replace(settings, exploitability=with_files(settings, reader))


def settings_of(values: Mapping[str, Any], source: str, game: Game | None = None) -> Settings:
    """The settings that `to_dict` gave; `source` names them in errors. `game` is at hand where it was stored too."""
    reader = TypedReader(source)
    texts = {key: given for key, given in values.items() if given != "" or key not in _MAY_BE_EMPTY}
    for key in ("bot", "exploitability"):
        texts[key] = [{name: given for name, given in one.items() if given != ""} for one in texts.get(key, [])]
    return checked(reader.record(texts, Settings), reader, game)


_MAY_BE_EMPTY = ("seed", "decks")


def checked(settings: Settings, reader: TypedReader | None = None, game: Game | None = None) -> Settings:
    """The settings themselves; `InputError` for what cannot be played. The game is loaded if it is not given."""
    reader = reader or TypedReader("tournament")
    reader.one_of(settings.format, ("format",), FORMATS)
    reader.one_of(settings.absent, ("absent",), ABSENT)
    reader.one_of(settings.adjust, ("adjust",), ADJUST)
    reader.one_of(settings.values, ("values",), VALUES)
    if settings.decks:
        reader.one_of(settings.decks, ("decks",), DECKS)
    if settings.seed and not (settings.seed.isascii() and settings.seed.isdigit() and int(settings.seed) < 2**128):
        raise reader.refuse_value(("seed",), settings.seed, "a whole number from 0 to 2**128 - 1")
    for key, most in (("hands", MOST_HANDS), ("rounds", 10**6), ("stack", 10**8), ("games", 10**7)):
        reader.whole(getattr(settings, key), (key,), 1, most)
    reader.whole(settings.most_hands, ("most_hands",), 0, MOST_HANDS)
    reader.whole(settings.tables, ("tables",), 0, MOST_TABLES)
    reader.number(settings.precision, ("precision",), 0, 10**6)
    _check_bots(settings, reader)
    _check_game(settings, reader, game)
    _check_rule(settings, reader)
    return settings


def _check_bots(settings: Settings, reader: TypedReader) -> None:
    count = len(settings.entries)
    if not 2 <= count <= MOST_BOTS:
        raise reader.refuse(("bots",), f"a tournament needs 2 to {MOST_BOTS} bots; {count} are given")
    for place, entry in enumerate(settings.bot):
        for key in ("decision_seconds", "hand_seconds", "match_seconds"):
            try:
                Clocks(getattr(entry, key))
            except InputError:
                allowed = "0 (no limit of its own), or 0.001 to 1,000,000"
                raise reader.refuse_value(("bot", place, key), getattr(entry, key), allowed) from None
        reader.whole(entry.memory_mb, ("bot", place, "memory_mb"), 0, 10**7)
        if entry.memory_mb and not entry.bot.startswith("exec:"):
            problem = f"memory_mb is for programs (exec:COMMAND), not for {entry.bot}"
            raise reader.refuse(("bot", place, "memory_mb"), problem)


def _check_game(settings: Settings, reader: TypedReader, game: Game | None) -> None:
    if settings.is_session:
        try:
            settings.blind_pair()
        except InputError as error:
            raise reader.refuse(("blinds",), str(error)) from None
        return
    try:
        game = game or Game.load(settings.game)
    except InputError as error:
        raise reader.refuse(("game",), str(error)) from None
    path: KeyPath = ("seats",)
    if settings.seats and settings.format != "n-way":
        raise reader.refuse(path, f"seats is for the format n-way, not for {settings.format}")
    if settings.seats and not 2 <= settings.seats <= game.seats:
        raise reader.refuse(path, f"seats is {settings.seats}; game {game.name} allows 2 to {game.seats}")
    if settings.format == "n-way" and (settings.seats or game.seats) > len(settings.entries):
        seats = settings.seats or game.seats
        problem = f"a table has {seats} seats and only {len(settings.entries)} bots are given; set seats to fewer"
        raise reader.refuse(path, problem)


def _check_rule(settings: Settings, reader: TypedReader) -> None:
    if settings.precision and settings.until_ranked:
        raise reader.refuse(("until_ranked",), "precision and until_ranked exclude each other; choose one")
    if settings.is_adaptive and settings.format != "round-robin":
        key = "precision" if settings.precision else "until_ranked"
        raise reader.refuse((key,), f"{key} is for the format round-robin, not for {settings.format}")
    if settings.most_hands and not settings.is_adaptive:
        raise reader.refuse(("most_hands",), "most_hands is for precision and until_ranked; hands fixes the number")
    if settings.most_hands and settings.most_hands < settings.hands:
        raise reader.refuse_value(("most_hands",), settings.most_hands, f"at least hands, which is {settings.hands}")
    if settings.printed and settings.format != "sessions":
        raise reader.refuse(("printed",), f"printed is for the format sessions, not for {settings.format}")
    if settings.adjust == "always" and settings.is_session:
        raise reader.refuse(("adjust",), f"adjust is for round-robin and n-way, not for {settings.format}")
    if settings.values != "equity" and (settings.is_session or settings.adjust == "never"):
        raise reader.refuse(("values",), "values is for win rates with luck taken out, which are not asked for")
    if settings.exploitability and settings.is_session:
        problem = f"exploitability is for round-robin and n-way, not for {settings.format}"
        raise reader.refuse(("exploitability",), problem)


def with_files(settings: Settings, reader: TypedReader | None = None) -> tuple[Exploitability, ...]:
    """What is known of exploitability, with the files read that it names."""
    from luckless.tournaments.exploited import read_exploited

    reader = reader or TypedReader("tournament")
    found = []
    for place, one in enumerate(settings.exploitability):
        if not one.file and not (one.bot and one.by):
            raise reader.refuse(("exploitability", place), "exploitability needs a file, or bot, mbb and by")
        if one.file:
            found.append(read_exploited(Path(one.file), settings.game, one.bot))
        else:
            same = one.low == one.high == 0.0
            found.append(dataclasses.replace(one, low=one.mbb, high=one.mbb) if same else one)
    return tuple(found)
