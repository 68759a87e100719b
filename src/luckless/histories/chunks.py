"""A chunk of hands as two Parquet files: `hands-N.parquet`, a row a hand, and `actions-N.parquet`, the actions.

Everything is a whole number. Cards are packed ten to a 64-bit word, six bits each (63: unknown). Actions are stored
one higher than they are played (0 fold, 1 check or call, x + 1 a bet or raise to x), packed in as few whole bytes as
the largest of the chunk needs: writing must cost far less than playing. The hands file carries, sealed by a checksum,
all that the catalogue knows of the chunk, so that the catalogue can be rebuilt.
"""

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from luckless.cards import DECK_SIZE
from luckless.errors import InputError
from luckless.histories.stored_schema import check_note
from luckless.kernels import njit
from luckless.rules.columns import UNKNOWN, HandColumns, Origin, joined_arrays
from luckless.rules.game import MAX_CHIPS, Game
from luckless.rules.records import Records
from luckless.sealed_parquet import note_in, read_numbers, with_note

FORMAT, LOG_FORMAT = 1, 2
"""The versions of what is stored: hands that were played here, and hands of logs, which know their origin and number
their players chunk by chunk. Readers refuse a higher one."""

CARDS_A_WORD = 10
CODE_BITS = (8, 16, 32)
_UNKNOWN_BITS = 63
_NOTE = b"luckless"


PART = "-part"
"""Marks a chunk that was cut short because its match was interrupted; a full one takes its place when it goes on."""


def chunk_names(first: int, part: int = 0) -> tuple[str, str]:
    """The names of the two files of the chunk that begins with a hand; `part` is the number of hands of one that was
    cut short, so that a longer part does not write over a shorter one that the catalogue still names."""
    return _names(first, f"{PART}{part}" if part else "")


def all_names(first: int, hands: int) -> tuple[tuple[str, str], ...]:
    """The names that a chunk of so many hands may have: whole, as a part, and as a part of an earlier version."""
    return chunk_names(first), chunk_names(first, hands), _names(first, PART)


def _names(first: int, form: str) -> tuple[str, str]:
    return f"hands-{first:012d}{form}.parquet", f"actions-{first:012d}{form}.parquet"


class DamagedChunk(InputError):
    """A chunk whose bytes are not those that were written."""


@dataclass(frozen=True)
class ChunkFile:
    """One finished file: its name in the folder, its size and its checksum."""

    name: str
    size: int
    sha256: str


@njit(cache=True, nogil=True)
def _pack(decks: NDArray[np.uint8], words: NDArray[np.int64]) -> None:
    """Fills `words[w]` with cards 10 w, 10 w + 1, ... of each deck, from the lowest bits on."""
    for row in range(len(decks)):
        for word in range(len(words)):
            packed = np.int64(0)
            for place in range(min(CARDS_A_WORD, decks.shape[1] - CARDS_A_WORD * word)):
                card = decks[row, CARDS_A_WORD * word + place]
                packed |= np.int64(card & _UNKNOWN_BITS) << (6 * place)
            words[word, row] = packed


@njit(cache=True, nogil=True)
def _count(ends: NDArray[np.int64], counts: NDArray[np.int32]) -> None:
    """Fills `counts` with the number of actions of each hand."""
    before = 0
    for row in range(len(ends)):
        counts[row] = ends[row] - before
        before = ends[row]


@njit(cache=True, nogil=True)
def _all_alike(rows: NDArray[np.int32], row: NDArray[np.int32]) -> bool:
    """Whether every row is the given one."""
    for place in range(len(rows)):
        for column in range(len(row)):
            if rows[place, column] != row[column]:
                return False
    return True


@njit(cache=True, nogil=True)
def _turn(values: Any, columns: NDArray[np.int32]) -> None:
    """Fills `columns[seat]` from rows by hand: a transposition."""
    for row in range(len(values)):
        for seat in range(values.shape[1]):
            columns[seat, row] = values[row, seat]


@njit(cache=True, nogil=True)
def _unpack(words: NDArray[np.int64], decks: NDArray[np.uint8]) -> None:
    for row in range(len(decks)):
        for place in range(decks.shape[1]):
            card = words[place // CARDS_A_WORD, row] >> (6 * (place % CARDS_A_WORD)) & _UNKNOWN_BITS
            decks[row, place] = UNKNOWN if card == _UNKNOWN_BITS else card


class Packed(NamedTuple):
    """The bytes of a file and their checksum."""

    data: memoryview
    sha256: str

    @classmethod
    def of(cls, data: memoryview) -> "Packed":
        """The bytes with their checksum."""
        return cls(data, hashlib.sha256(data).hexdigest())


class ChunkEncoder:
    """Makes the files of one chunk after the other; its room is used again, for fresh memory costs time."""

    def __init__(self) -> None:
        self._room: dict[str, NDArray[Any]] = {}

    def encode(self, parts: Sequence[HandColumns], note: Mapping[str, Any]) -> tuple[Packed, Packed]:
        """The two files of a chunk, hands and actions; `note` is kept in the hands file.

        The parts follow one another and agree in their `kind`; names are those of the last. Of hands of a log, only
        the names, files and tables that occur are kept.
        """
        parts, places = _compacted(parts)
        bits, words = self._coded([part.records.actions for part in parts])
        actions = Packed.of(_to_parquet({"codes": words}, None))
        last = parts[-1]
        text = json.dumps(
            {
                **note,
                "format": LOG_FORMAT if places else FORMAT,
                "hands": sum(map(len, parts)),
                "game": last.records.game.to_dict(),
                "names": list(last.names),
                "settlement": last.settlement,
                "scale": last.scale,
                "action_bits": bits,
                "actions_sha256": actions.sha256,
                **places,
            }
        )
        return Packed.of(_to_parquet(self._fields(parts), text)), actions

    def _coded(self, parts: list[NDArray[np.int32]]) -> tuple[int, NDArray[np.int64]]:
        """The actions in words, and the bits that each takes."""
        count, largest = sum(map(len, parts)), max(int(part.max(initial=0)) for part in parts)
        bits = next(bits for bits in CODE_BITS if largest + 1 < 2**bits)
        words = self._array("codes", -(-count * bits // 64), np.int64)
        words[-1:] = 0
        codes = words.view(f"<u{bits // 8}")
        for part, first in zip(parts, _starts(parts), strict=True):
            np.add(part, 1, out=codes[first : first + len(part)], casting="unsafe")
        return bits, words

    def _fields(self, parts: Sequence[HandColumns]) -> dict[str, NDArray[Any]]:
        """The columns of the hands file."""
        records = [part.records for part in parts]
        game = records[0].game
        hands = sum(map(len, parts))
        fields: dict[str, NDArray[Any]] = {
            "hand": self._array("hand", hands, np.int64),
            "deal": self._array("deal", hands, np.int64),
            "actions": self._array("actions", hands, np.int32),
        }
        np.concatenate([part.numbers for part in parts], out=fields["hand"])
        np.concatenate([part.deals for part in parts], out=fields["deal"])
        for part, first in zip(records, _starts(parts), strict=True):
            _count(part.ends, fields["actions"][first : first + len(part)])
        words = self._array("cards", _words(game.seats) * hands, np.int64).reshape(-1, hands)
        for part, first in zip(records, _starts(parts), strict=True):
            _pack(part.decks, words[:, first : first + len(part)])
        fields |= {f"cards_{number}": word for number, word in enumerate(words)}
        fields |= self._turned("player", [part.players for part in parts])
        fields |= self._turned("payoff", [part.payoffs for part in records])
        fields |= self._log_fields(parts)
        usual = np.array(game.stacks, np.int32)
        if not all(_all_alike(part.stacks, usual) for part in records):
            fields |= self._turned("stack", [part.stacks for part in records])
        return fields

    def _log_fields(self, parts: Sequence[HandColumns]) -> dict[str, NDArray[Any]]:
        """What only hands of logs have: where they come from, and values that their log prints."""
        fields: dict[str, NDArray[Any]] = {}
        origins = [part.origin for part in parts if part.origin is not None]
        if len(origins) == len(parts):
            fields |= {key: np.concatenate([getattr(one, key) for one in origins]) for key in _ORIGIN}
        printed = joined_arrays([part.printed for part in parts])
        if printed is not None:
            fields |= {f"value_{seat}": np.ascontiguousarray(printed[:, seat]) for seat in range(printed.shape[1])}
        return fields

    def _turned(self, name: str, parts: list[NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """One column for each seat."""
        hands, seats = sum(map(len, parts)), parts[0].shape[1]
        columns = self._array(name, seats * hands, np.int32).reshape(seats, hands)
        for part, first in zip(parts, _starts(parts), strict=True):
            _turn(part, columns[:, first : first + len(part)])
        return {f"{name}_{seat}": column for seat, column in enumerate(columns)}

    def _array(self, name: str, size: int, kind: Any) -> NDArray[Any]:
        if name not in self._room or len(self._room[name]) < size:
            self._room[name] = np.empty(size, kind)
        return self._room[name][:size]


_ORIGIN = ("file", "line", "table", "time")
"""The columns of `Origin`."""


def _compacted(parts: Sequence[HandColumns]) -> tuple[Sequence[HandColumns], dict[str, Any]]:
    """Hands of a log with only the players, files and tables that occur, and what the note says of these."""
    origins = [part.origin for part in parts if part.origin is not None]
    if len(origins) < len(parts):
        return parts, {}
    last, books = parts[-1], origins[-1]
    players, seated = _renumbered([part.players for part in parts])
    files, file = _renumbered([origin.file for origin in origins])
    tables, table = _renumbered([origin.table for origin in origins], none=-1)
    names = tuple(last.names[player] for player in players)
    compact = [
        replace(part, players=seated[row], names=names, origin=replace(origin, file=file[row], table=table[row]))
        for row, (part, origin) in enumerate(zip(parts, origins, strict=True))
    ]
    return compact, {
        "players": players,
        "files": [books.files[place] for place in files],
        "tables": [books.tables[place] for place in tables],
    }


def _renumbered(parts: Sequence[NDArray[Any]], none: int | None = None) -> tuple[list[int], list[NDArray[np.int32]]]:
    """The numbers that occur in some arrays, and the arrays with places in that list instead; `none` stays."""
    found = np.unique(np.concatenate([part.ravel() for part in parts]))
    found = found[found != none] if none is not None else found
    places = [np.searchsorted(found, part).astype(np.int32) for part in parts]
    if none is not None:
        places = [
            np.where(part == none, none, place).astype(np.int32) for part, place in zip(parts, places, strict=True)
        ]
    return found.tolist(), places


def _starts(parts: Sequence[Any]) -> list[int]:
    """Where each part begins when they are laid end to end."""
    return [0, *itertools.accumulate(map(len, parts[:-1]))]


def _words(seats: int) -> int:
    return -(-(2 * seats + 5) // CARDS_A_WORD)


_ENCODINGS = {
    "hand": ("DELTA_BINARY_PACKED", "NONE"),
    "deal": ("DELTA_BINARY_PACKED", "NONE"),
    "cards": ("PLAIN", "NONE"),
    "payoff": ("DELTA_BINARY_PACKED", "NONE"),
    "stack": ("DELTA_BINARY_PACKED", "ZSTD"),
    "player": ("BYTE_STREAM_SPLIT", "ZSTD"),
    "actions": ("BYTE_STREAM_SPLIT", "ZSTD"),
    "codes": ("PLAIN", "ZSTD"),
    "value": ("DELTA_BINARY_PACKED", "ZSTD"),
    "file": ("DELTA_BINARY_PACKED", "ZSTD"),
    "line": ("DELTA_BINARY_PACKED", "ZSTD"),
    "table": ("DELTA_BINARY_PACKED", "ZSTD"),
    "time": ("DELTA_BINARY_PACKED", "ZSTD"),
}
"""How a column is laid out and packed. Writing must cost far less than playing, so zstd works only where it pays:
cards are random bits, and small differences are packed to the bit already."""


def _to_parquet(fields: dict[str, NDArray[Any]], note: str | None) -> memoryview:
    arrays = [pa.array(values) for values in fields.values()]
    schema = pa.schema(
        [pa.field(name, array.type, nullable=False) for name, array in zip(fields, arrays, strict=True)]
    )
    if note is not None:
        schema = with_note(schema, _NOTE, note)
    packing = {name: _ENCODINGS[name.split("_")[0]] for name in fields}
    sink = pa.BufferOutputStream()
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=schema),
        sink,
        compression={name: compression for name, (_, compression) in packing.items()},
        use_dictionary=False,
        column_encoding={name: encoding for name, (encoding, _) in packing.items()},
        write_statistics=False,
        write_page_checksum=True,
        row_group_size=1 << 24,
    )
    return memoryview(sink.getvalue())


def read_note(path: Path) -> dict[str, Any]:
    """What a hands file says of its chunk; refuses one that is damaged or of a newer version."""
    try:
        return _note_of(pq.read_schema(path), path)
    except (pa.ArrowException, OSError) as error:
        raise DamagedChunk(f"{path}: not a valid Parquet file: {_first_line(error)}") from None


def _note_of(schema: pa.Schema, path: Path) -> dict[str, Any]:
    try:
        note = note_in(schema, _NOTE, LOG_FORMAT, path)
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedChunk(f"{path}: its header cannot be read: {error}") from None
    if note is None:
        raise DamagedChunk(f"{path}: its header is damaged or missing")
    check_note(note, str(path))
    return note


def decode_chunk(hands: bytes, actions: bytes, path: Path) -> tuple[HandColumns, dict[str, Any]]:
    """The hands of a chunk, and its note. `path`, the hands file, is for errors."""
    try:
        table = read_numbers(hands)
        note = _note_of(table.schema, path)
        if hashlib.sha256(actions).hexdigest() != note["actions_sha256"]:
            beside = path.with_name(path.name.replace("hands", "actions"))
            raise DamagedChunk(f"{beside}: it is not the file that was written with {path.name}")
        codes = read_numbers(actions)
        columns = _columns_of(table, codes, note)
    except InputError:
        raise
    except (pa.ArrowException, OSError, KeyError, ValueError, TypeError) as error:
        raise DamagedChunk(f"{path}: not a valid chunk: {_first_line(error)}") from None
    problem = _impossible(columns)
    if problem:
        raise DamagedChunk(f"{path}: not a valid chunk: {problem}")
    return columns, note


def _columns_of(table: Any, codes: Any, note: dict[str, Any]) -> HandColumns:
    game = Game.from_dict(note["game"], "the chunk's game")
    seats, hands = game.seats, table.num_rows

    if hands != note["hands"]:
        raise KeyError(f"it has {hands} hands; its header says {note['hands']}")

    def column(name: str) -> NDArray[Any]:
        values: NDArray[Any] = table.column(name).to_numpy()
        if values.dtype not in (np.int64, np.int32):
            raise TypeError(f"column {name} does not hold whole numbers")
        return values

    def per_seat(name: str) -> NDArray[np.int32]:
        return np.stack([column(f"{name}_{seat}") for seat in range(seats)], axis=1).astype(np.int32)

    words = np.stack([column(f"cards_{word}") for word in range(_words(seats))])
    decks = np.empty((hands, 2 * seats + 5), np.uint8)
    _unpack(words, decks)
    own_stacks = "stack_0" in table.schema.names
    stacks = per_seat("stack") if own_stacks else np.tile(np.array(game.stacks, np.int32), (hands, 1))
    if (column("actions") < 0).any():
        raise KeyError("a hand has fewer than no actions")
    ends = np.cumsum(column("actions"), dtype=np.int64)
    count = int(ends[-1]) if hands else 0
    coded = codes.column("codes").to_numpy().view(f"<u{note['action_bits'] // 8}")
    if len(coded) < count:
        raise KeyError("there are fewer actions than the hands have")
    actions = coded[:count].astype(np.int32) - np.int32(1)
    printed = None
    if "value_0" in table.schema.names:
        printed = np.stack([column(f"value_{seat}") for seat in range(seats)], axis=1)
    origin = None
    if "file" in table.schema.names:
        file, line, place, time = (column(key) for key in _ORIGIN)
        origin = Origin(tuple(note["files"]), file, line, tuple(note["tables"]), place, time)
    return HandColumns(
        Records(game, decks, stacks, ends, actions, per_seat("payoff")),
        column("hand"),
        column("deal"),
        per_seat("player"),
        tuple(note["names"]),
        note["settlement"],
        note["scale"],
        printed,
        origin,
    )


def _impossible(columns: HandColumns) -> str:
    """Numbers that no hand can have, which compiled code would take for places in memory; "" if there are none."""
    decks, stacks, players = columns.records.decks, columns.records.stacks, columns.players
    if ((decks >= DECK_SIZE) & (decks != UNKNOWN)).any():
        return "it has a card that does not exist"
    if (players < 0).any() or (players >= len(columns.names)).any():
        return "it has a player that it does not name"
    if (stacks < 0).any() or (stacks.sum(axis=1, dtype=np.int64) >= MAX_CHIPS).any():
        return "it has stacks that are too large or below 0"
    origin = columns.origin
    if origin is not None:
        of_file, of_table = origin.file, origin.table
        files, tables = len(origin.files), len(origin.tables)
        if (of_file < 0).any() or (of_file >= files).any() or (of_table < -1).any() or (of_table >= tables).any():
            return "it has a file or a table that it does not name"
    return ""


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
