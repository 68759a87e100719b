"""What a store of hands may say: the type and the bounds of every setting, bot, fault and result.

Whatever is read from a catalogue or from the note of a chunk goes through `check_catalogue` or `check_note` first, so
the rest of the program knows what it has. A key that stands nowhere here is refused: it is damage, or it comes from a
later version. Whoever adds a setting adds its type here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from luckless.errors import InputError
from luckless.matches.faults import KINDS, MOST_CASES
from luckless.matches.match import MOST_HANDS
from luckless.matches.seating import Decks, set_size
from luckless.matches.session import MOST as MOST_GAMES
from luckless.matches.tally import ENDINGS, RESULT_CLASSES
from luckless.rules.columns import Settlement
from luckless.rules.game import MAX_SEATS, MIN_SEATS, Game
from luckless.toml_lines import KeyPath
from luckless.typed_toml import TypedReader
from luckless.typed_values import (
    Kind,
    anything,
    check,
    filled_text,
    flag,
    list_of,
    map_of,
    matching,
    number,
    open_table,
    or_nothing,
    row,
    table,
    text,
    whole,
    word,
)

SESSION = "session"
"""The kind of a store of sessions; a match, and hands of a log, name none."""

MOST_SEEDS = 2**128
_MOST_CHUNK = 1 << 24
_MOST_SECONDS = 1e12
_MOST_PLAYERS = 2_000_000
"""Of logs: more than there are players on any site."""
_DIGEST = matching("[0-9a-f]{64}", "64 digits of a checksum")


def _game(reader: TypedReader, value: Any, path: KeyPath) -> None:
    if not isinstance(value, Mapping):
        raise reader.refuse_value(path, value, "a table")
    Game.from_dict(value, f"{reader.source}, game")


def _action_bits(reader: TypedReader, value: Any, path: KeyPath) -> None:
    if value not in (8, 16, 32):
        raise reader.refuse_value(path, value, "8, 16 or 32")


def _seed(reader: TypedReader, value: Any, path: KeyPath) -> None:
    """Text, for not every reader of JSON has so many bits."""
    digits = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 39
    if not digits or int(value) >= MOST_SEEDS:
        raise reader.refuse_value(path, value, "a whole number below 2**128, as text")


_CLOCK = number(0, _MOST_SECONDS)
_CLOCKS = row(_CLOCK, _CLOCK, _CLOCK)
"""Of a decision, a hand, the whole."""


def _session_clocks(reader: TypedReader, value: Any, path: KeyPath) -> None:
    """Sessions of earlier versions had a clock for a decision alone."""
    (row(_CLOCK) if isinstance(value, list) and len(value) == 1 else _CLOCKS)(reader, value, path)


_OF_PLAY: dict[str, Kind] = {"game": _game, "seed": _seed, "compiled": flag, "versions": map_of(text)}
_RESULT = open_table({"seconds": number(0, _MOST_SECONDS), "interrupted": flag})
"""What `--json` shows of the whole; what it shows of each bot stands in rows of its own (`RESULTS`)."""
RESULTS = list_of(
    open_table(
        {
            "name": text,
            **{key: or_nothing(number()) for key in ("mbb", "stderr_mbb", "mean_chips")},
            "net_chips": whole(-(2**63), 2**63 - 1),
            "faults": whole(0, 2**63 - 1),
        }
    )
)
_LATER: dict[str, Kind] = {"specs": list_of(filled_text), "keys": word("sealed"), "begun": text, "result": _RESULT}
"""What older versions did not say, or what is not said of every match."""

MATCH = table(
    {**_OF_PLAY, "decks": word(*get_args(Decks)), "set_size": whole(1), "chunk_hands": whole(1, _MOST_CHUNK)},
    {
        **_LATER,
        "hands": whole(1, MOST_HANDS),
        "clocks": _CLOCKS,
        "table_seats": whole(MIN_SEATS, MAX_SEATS),
        "record": map_of(anything),
    },
)
SESSIONS = table(
    {**_OF_PLAY, "kind": word(SESSION), "rounds": whole(1, MOST_GAMES), "chunk_games": whole(1, _MOST_CHUNK)},
    {**_LATER, "games": whole(1, MOST_GAMES), "clocks": _session_clocks, "record": map_of(anything)},
)
LOG = table({"source": text, "versions": map_of(text)})
"""Hands that were not played here."""

BOTS = list_of(table({"name": text, "parameters": anything, "code_sha256": text}))

_FAULTS = {
    "counts": list_of(row(whole(0, MAX_SEATS - 1), word(*KINDS), whole(1, MOST_HANDS))),
    "cases": list_of(row(whole(0, MAX_SEATS - 1), word(*KINDS), whole(0), text)),
}
FAULTS = table(_FAULTS)
_COUNTED_FAULTS = table(_FAULTS, {"decisions": list_of(row(whole(0, MAX_SEATS - 1), whole(0)))})
"""Faults beside the decisions of each player, which older versions did not count."""

NOTE = table(
    {
        "settings": map_of(anything),
        "bots": BOTS,
        "first": whole(0, MOST_HANDS),
        "faults": FAULTS,
        "format": whole(1),
        "hands": whole(1, _MOST_CHUNK),
        "game": _game,
        "names": list_of(text),
        "settlement": word(*get_args(Settlement)),
        "scale": whole(1, 10**9),
        "action_bits": _action_bits,
        "actions_sha256": _DIGEST,
    },
    {"players": list_of(whole(0, _MOST_PLAYERS)), "files": list_of(text), "tables": list_of(text)},
)
"""What a chunk says of itself; those of logs also name the numbers of their players, and where hands come from."""

_SEQUENTIAL = table(
    {
        **{key: number() for key in ("at_most", "at_least", "largest", "alpha", "beta")},
        "decision": word("undecided", "at most", "at least"),
        "state": table(
            {"sets": whole(0), **{k: number() for k in ("deviations", "squares", "llr_at_least", "llr_at_most")}}
        ),
    }
)
_ACCUMULATOR = table(
    {"moments": row(whole(0), number(), number(), number(), number()), "sums": or_nothing(row(whole(), whole()))}
)


_FOLDER = matching(r"(compared-)?[0-9]{1,6}-[A-Za-z0-9._=-]{0,60}", "the name of a folder in this one")
_COMPARISON = table(
    {
        "difference": number(),
        "ci95": or_nothing(row(number(), number())),
        **{key: or_nothing(number()) for key in ("stderr", "z", "p_value", "superiority", "degrees")},
        "unit": text,
        "method": text,
        "warnings": list_of(text),
    }
)
EVALUATION = table(
    {
        "format": whole(1),
        "bot": filled_text,
        "compared_with": or_nothing(filled_text),
        "game": _game,
        "seed": _seed,
        "decks": or_nothing(word(*get_args(Decks))),
        "opponents": list_of(filled_text),
        "matches": list_of(list_of(_FOLDER)),
    },
    {"keys": word("sealed"), "comparisons": list_of(_COMPARISON)},
)
"""The record of an evaluation, which names the folders of its matches."""


def check_evaluation(record: Any, source: str) -> None:
    """Refuses the record of an evaluation that is not of its types, or does not fit together."""
    check(record, EVALUATION, source)
    opponents, bots = len(record["opponents"]), 1 if record["compared_with"] is None else 2
    if [len(names) for names in record["matches"]] != [opponents] * bots or not opponents:
        raise InputError(f"{source}: {bots} bots against {opponents} opponents need a match each")
    if len(record.get("comparisons", ())) > opponents:
        raise InputError(f"{source}: it has more comparisons than opponents")


def match_record(seats: int) -> Kind:
    """The record of a match: all that was counted."""
    chips, hands = list_of(whole(), seats), list_of(whole(0), seats)
    tally = table(
        {
            "set_size": whole(1),
            "planned_hands": whole(1, MOST_HANDS),
            "big_blind": whole(1),
            "hands": whole(0, MOST_HANDS),
            "sets": list_of(_ACCUMULATOR, seats),
            "singles": list_of(_ACCUMULATOR, seats),
            "net_chips": chips,
            "seat_chips": list_of(chips, seats),
            "seat_hands": list_of(hands, seats),
            "ending_chips": list_of(list_of(whole(), len(ENDINGS)), seats),
            "ending_hands": list_of(whole(0), len(ENDINGS)),
            "result_hands": list_of(list_of(whole(0), RESULT_CLASSES), seats),
            "line": list_of(row(whole(0), chips)),
            "faults": _COUNTED_FAULTS,
        },
        {
            "seat_squares": list_of(list_of(number(0), seats), seats),
            "ending_squares": list_of(list_of(number(0), len(ENDINGS)), seats),
        },
    )
    times = {"seconds": number(0, _MOST_SECONDS), "interrupted": flag}
    return table({**times, "sequential": or_nothing(_SEQUENTIAL), "tally": tally})


def session_record(seats: int) -> Kind:
    """The record of sessions: the chips of each player after each, and how many hands it had."""
    times = {"seconds": number(0, _MOST_SECONDS), "interrupted": flag}
    counted = {"chips": list_of(list_of(whole(0), seats)), "rounds": list_of(whole(1)), "faults": _COUNTED_FAULTS}
    return table({**times, **counted})


def check_catalogue(
    settings: Mapping[str, Any], bots: Sequence[Mapping[str, Any]], results: Sequence[Any], source: str
) -> None:
    """Refuses what a catalogue says if it is not of its types, does not fit together, or lacks the length."""
    check_store(settings, bots, source)
    check(results, RESULTS, f"{source}, results")
    if len(results) not in (0, len(bots)):
        raise InputError(f"{source}: it has results of {len(results)} bots and names {len(bots)}")
    length = "games" if "kind" in settings else "hands"
    if "seed" in settings and length not in settings:
        raise InputError(f"{source}, settings: key {length!r} is missing")


def check_store(settings: Mapping[str, Any], bots: Sequence[Mapping[str, Any]], source: str) -> None:
    """Refuses settings and bots that are not of their types, or do not fit each other."""
    check(bots, BOTS, f"{source}, bots")
    check(settings, _kind_of(settings), f"{source}, settings")
    if "seed" not in settings:
        return
    seats = Game.from_dict(settings["game"]).seats
    for what, count in (("bots", len(bots)), ("specs", len(settings.get("specs", bots)))):
        if count != seats:
            raise InputError(f"{source}: it names {count} {what}; the game has {seats} seats")
    if "record" in settings:
        record = session_record(seats) if settings.get("kind") == SESSION else match_record(seats)
        check(settings["record"], record, f"{source}, record")
    if settings.get("kind") != SESSION:
        _check_sets(settings, seats, source)


def _kind_of(settings: Mapping[str, Any]) -> Kind:
    if "kind" in settings:
        return SESSIONS
    return MATCH if "seed" in settings else LOG


def _check_sets(settings: Mapping[str, Any], seats: int, source: str) -> None:
    """The size of a set follows from the seats; everything else comes in whole sets."""
    size = set_size(seats, settings["decks"])
    if settings["set_size"] != size:
        raise InputError(f"{source}: set_size is {settings['set_size']}; {seats} seats and these decks have {size}")
    for key in ("chunk_hands", "hands"):
        if settings.get(key, 0) % size:
            raise InputError(f"{source}: {key} is {settings[key]}; allowed are whole sets of {size} hands")


def check_faults(faults: Mapping[str, Any], source: str) -> None:
    """Refuses faults of a chunk that are not of their types."""
    check(faults, FAULTS, f"{source}, faults")
    _check_faults_told(faults, source)


def _check_faults_told(faults: Mapping[str, Any], source: str) -> None:
    kept = [player for player, *_ in faults["cases"]]
    if any(kept.count(player) > MOST_CASES for player in set(kept)):
        raise InputError(f"{source}: more than {MOST_CASES} faults of a player are told whole")


def check_note(note: Any, source: str) -> None:
    """Refuses the note of a chunk that is not of its types; it does not say how long the match is."""
    check(note, NOTE, source)
    _check_faults_told(note["faults"], source)
    if len(note.get("players", note["names"])) != len(note["names"]):
        raise InputError(f"{source}: it has other numbers of players than names")
    check_store(note["settings"], note["bots"], source)
