"""Stored hands: a folder with immutable chunks and their catalogue. Reading, and the steps that every writer takes.

The files of a chunk are written whole, and only then noted in the catalogue. So a crash at any moment costs at most
the chunk being written, and readers never see half a chunk.
"""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from luckless.counted import counted
from luckless.errors import InputError
from luckless.histories.catalogue import FILE, OLD_DRAFT, Catalogue, ChunkRow, player_row
from luckless.histories.chunks import PART as PART
from luckless.histories.chunks import ChunkEncoder, ChunkFile, DamagedChunk, Packed, decode_chunk, read_note
from luckless.histories.chunks import chunk_names as chunk_names
from luckless.histories.stored_schema import SESSION as SESSION
from luckless.histories.stored_schema import check_catalogue, check_faults
from luckless.rules.columns import HandColumns
from luckless.whole_files import is_leftover, write_bytes

TEMPORARY = ".writing"
"""Ends the names of unfinished files, here as in earlier versions: a match that goes on removes them."""
LOCK_FILE = "writer.lock"
LOG_KEY = "source"
"""The setting that a store of hands of logs has: the name of the first log."""
NO_FAULTS: dict[str, Any] = {"cases": [], "counts": []}


def remove_other_forms(folder: Path, used: Collection[str], first: int) -> None:
    """Removes the parts of a chunk that hold less than the files in use; of each the hands first, then the actions,
    which nobody looks for without them."""
    form = re.compile(rf"(hands|actions)-{first:012d}({PART}\d*)?\.parquet")
    for path in sorted(folder.glob(f"*-{first:012d}*.parquet"), reverse=True):
        if form.fullmatch(path.name) and path.name not in used:
            path.unlink(missing_ok=True)


LENGTH_KEYS = ("hands", "games", "result", "record", "clocks", "begun")
"""Settings that change as hands are added (more of them get a longer clock), and the time of day. They are not in
chunks, so that these do not depend on when they are played and what comes later; older chunks name some of them."""


def lasting(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that hold whatever is added."""
    return {key: value for key, value in settings.items() if key not in LENGTH_KEYS}


class ChunkSink:
    """Puts chunks into a folder: each is there whole or not at all, and then noted in the catalogue."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        settings = catalogue.settings()
        bots = [] if LOG_KEY in settings else catalogue.bots()  # players of logs stand in the chunks they play in
        self._note = {"settings": lasting(settings), "bots": bots}
        self._folder = folder
        self._catalogue = catalogue
        self._encoder = ChunkEncoder()
        self._last: tuple[str, ...] = ()

    def write_log(self, first: int, parts: Sequence[HandColumns]) -> ChunkRow:
        """Writes the two files of a chunk of a log; `Catalogue.add_log` then makes it a part of the store."""
        hands, actions = self._encoder.encode(parts, {**self._note, "first": first, "faults": NO_FAULTS})
        hands_name, actions_name = chunk_names(first)
        actions_file = write_file(self._folder, actions_name, actions)
        hands_file = write_file(self._folder, hands_name, hands)
        return ChunkRow(first, sum(map(len, parts)), hands_file, actions_file)

    def write(
        self,
        first: int,
        parts: Sequence[HandColumns],
        faults: Mapping[str, Any] = NO_FAULTS,
        part: bool = False,
        goes_on: bool = False,
    ) -> None:
        """Writes the two files of a chunk that begins with hand `first` of the store; the hands file comes last.

        `part` is for a chunk that will be longer. If the match goes on, the part before this one is left until the
        next: somebody may be reading it.
        """
        hands, actions = self._encoder.encode(parts, {**self._note, "first": first, "faults": faults})
        count = sum(map(len, parts))
        names = chunk_names(first, count if part else 0)
        actions_file = write_file(self._folder, names[1], actions)
        hands_file = write_file(self._folder, names[0], hands)
        self._catalogue.add_chunk(ChunkRow(first, count, hands_file, actions_file), faults, lasting=part)
        remove_other_forms(self._folder, (*names, *(self._last if goes_on else ())), first)
        self._last = names


def write_file(folder: Path, name: str, packed: Packed) -> ChunkFile:
    """Writes a file of a store whole or not at all, and lasting."""
    write_bytes(folder / name, packed.data)
    return ChunkFile(name, len(packed.data), packed.sha256)


def make_folder(folder: Path) -> None:
    """Makes the folder of a new store; refuses one that holds anything but the traces of a start that failed."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; hands are stored in a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(f"the folder {folder} cannot be made: {error.strerror or error}") from error
    if any(path.name not in (LOCK_FILE, OLD_DRAFT) and not is_leftover(path.name) for path in folder.iterdir()):
        raise InputError(f"{folder} exists already and holds no stored match; choose a new folder")


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Holds the folder against a second writer; the lock ends with the process, however that ends."""
    with (folder / LOCK_FILE).open("a") as lock:
        try:
            import fcntl
        except ImportError:  # not on Windows, where a second writer is not noticed
            yield
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{folder}: another process is writing there now") from None
        yield


@dataclass(frozen=True)
class StoredHands:
    """Stored hands, open for reading: what the catalogue says, as it was when they were opened."""

    folder: Path
    settings: dict[str, Any]
    bots: list[dict[str, Any]]
    results: list[dict[str, Any]]
    chunks: list[ChunkRow]
    faults: dict[int, dict[str, list[tuple[Any, ...]]]]
    """The faults of each chunk, by its first hand: the cases that were kept, and all counted by kind."""
    sealed: bool
    """Whether the catalogue carries a seal; those of earlier versions do not."""

    @classmethod
    def open(cls, folder: Path) -> "StoredHands":
        """The hands of a folder; a match that is being written shows its finished chunks."""
        if not folder.is_dir():
            raise InputError(f"{folder} holds no stored hands: there is no such folder")
        with closing(Catalogue.read(folder)) as catalogue:
            chunks = catalogue.chunks()
            faults = {chunk.first: catalogue.faults(chunk.first) for chunk in chunks}
            settings, bots, results = catalogue.settings(), catalogue.bots(), catalogue.results()
        if LOG_KEY in settings and not bots:
            bots = _players_of_older(folder, chunks)
        check_catalogue(settings, bots, results, str(folder / FILE))
        for of_chunk in faults.values():
            check_faults(of_chunk, str(folder / FILE))
        return cls(folder, settings, bots, results, chunks, faults, catalogue.sealed)

    @property
    def is_match(self) -> bool:
        """Whether the hands are a match played here, which a seed reproduces."""
        return "seed" in self.settings and not self.is_session

    @property
    def is_session(self) -> bool:
        """Whether the hands are sessions played here, with stacks that are carried on."""
        return self.settings.get("kind") == SESSION

    @property
    def finished(self) -> bool:
        """Whether everything that was planned was played, and the result is stored."""
        return "result" in self.settings

    @property
    def digest(self) -> str:
        """One checksum of all hands; it changes with any of them."""
        sums = [file.sha256 for chunk in self.chunks for file in (chunk.hands_file, chunk.actions_file)]
        return hashlib.sha256("".join(sums).encode()).hexdigest()

    @property
    def hands(self) -> int:
        """Hands in finished chunks."""
        return sum(chunk.hands for chunk in self.chunks)

    def columns(self) -> Iterator[HandColumns]:
        """The hands chunk by chunk, each checked against its checksum."""
        for chunk in self.chunks:
            yield self.read_chunk(chunk)

    def read_chunk(self, chunk: ChunkRow) -> HandColumns:
        """The hands of one chunk; refuses one whose bytes are not those that were written."""
        return self.read_whole(chunk)[0]

    def read_whole(self, chunk: ChunkRow) -> tuple[HandColumns, dict[str, Any]]:
        """The hands of a chunk and its note."""
        hands, actions = (self.checked_bytes(file) for file in (chunk.hands_file, chunk.actions_file))
        path = self.folder / chunk.hands_file.name
        columns, note = decode_chunk(hands, actions, path)
        if self.is_match or self.is_session:
            return columns, note
        columns = replace(columns, own_keys=chunk.first + np.arange(len(columns)))
        if "players" in note:
            columns = self._known_players(columns, note["players"], path)
        return columns, note

    def _known_players(self, columns: HandColumns, numbers: list[int], path: Path) -> HandColumns:
        """Hands of a log with the players' numbers of the whole store; a chunk has only names that occur in it."""
        names = self.names
        if columns.names != tuple(names[number] if number < len(names) else "" for number in numbers):
            raise DamagedChunk(f"{path}: its players are not those of the catalogue")
        return replace(columns, names=names, players=np.array(numbers, np.int32)[columns.players])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all players, by number."""
        return tuple(bot["name"] for bot in self.bots)

    def checked_bytes(self, file: ChunkFile) -> bytes:
        """The bytes of a file; refuses it if they are not those that were written."""
        path = self.folder / file.name
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DamagedChunk(f"{path}: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != file.sha256:
            raise DamagedChunk(
                f"{path}: its checksum differs from the one in the catalogue: it was changed or damaged"
            )
        return data

    def check_bytes(self) -> None:
        """Refuses the folder if any chunk is damaged."""
        for chunk in self.chunks:
            self.checked_bytes(chunk.hands_file)
            self.checked_bytes(chunk.actions_file)

    def hand(self, key: int) -> HandColumns:
        """One hand by its key: its number in a match, its place in the store in hands of logs."""
        for chunk in self.chunks:
            if not self.is_session and not chunk.first <= key < chunk.first + chunk.hands:
                continue
            columns = self.read_chunk(chunk)
            rows = np.flatnonzero(columns.keys == key)
            if len(rows):
                return columns.rows(slice(int(rows[0]), int(rows[0]) + 1))
        raise InputError(f"{self.folder} has no hand {key}; it has {counted(self.hands, 'hand')}")

    def numbered(self, number: int) -> Iterator[HandColumns]:
        """The hands that have this number in their logs, one by one."""
        for columns in self.columns():
            for row in np.flatnonzero(columns.numbers == number).tolist():
                yield columns.rows(slice(row, row + 1))


def find_chunks(folder: Path, known: Mapping[int, ChunkRow]) -> Iterator[tuple[ChunkRow, dict[str, Any]]]:
    """Finished chunks that lie in the folder and hold more than the known ones, each with its note, in order."""
    best = {first: chunk.hands for first, chunk in known.items()}
    for path in sorted(folder.glob("hands-*.parquet")):  # hands-N-part comes before hands-N
        note = read_note(path)
        first = int(note["first"])
        if note["hands"] <= best.get(first, 0):
            continue
        best[first] = note["hands"]
        hands_name, actions_name = path.name, path.name.replace("hands-", "actions-", 1)
        if path.stem.partition(PART)[0] != f"hands-{first:012d}":
            raise DamagedChunk(f"{path}: its header gives another name, {chunk_names(first)[0]}")
        data = [path.read_bytes()]
        try:
            data.append((folder / actions_name).read_bytes())
        except OSError as error:
            raise DamagedChunk(f"{folder / actions_name}: {error.strerror}") from None
        decode_chunk(data[0], data[1], path)
        files = [
            ChunkFile(name, len(part), hashlib.sha256(part).hexdigest())
            for name, part in zip((hands_name, actions_name), data, strict=True)
        ]
        yield ChunkRow(first, int(note["hands"]), *files), note


def rebuild(folder: Path) -> int:
    """Makes a new catalogue from the chunks of a folder; returns how many there are. Results are not in chunks."""
    chunks = list({row.first: (row, note) for row, note in find_chunks(folder, {})}.values())  # the fuller one wins
    if not chunks:
        raise InputError(f"{folder} holds no chunks to make a catalogue from")
    settings, bots = lasting(chunks[0][1]["settings"]), chunks[0][1]["bots"]
    for row, note in chunks:
        if (lasting(note["settings"]), note["bots"]) != (settings, bots):
            raise InputError(f"{folder / row.hands_file.name}: it belongs to another match than the first chunk")
    if LOG_KEY in settings:
        bots = _players_of([note for _, note in chunks])
    length = _length([row for row, _ in chunks], [note["settings"] for _, note in chunks], folder)
    with sole_writer(folder):
        catalogue = Catalogue.create(folder, {**settings, **length}, bots)
        for row, note in chunks:
            catalogue.add_chunk(row, note["faults"])
        catalogue.close()
    return len(chunks)


def _players_of_older(folder: Path, chunks: Sequence[ChunkRow]) -> list[dict[str, Any]]:
    """The players of logs that an earlier version stored: only the chunks name them, the last ones all of them."""
    try:
        return _players_of([read_note(folder / chunk.hands_file.name) for chunk in chunks])
    except DamagedChunk:
        return []  # reading the chunk will say so


def _players_of(notes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The players of logs, as chunks name them."""
    names = {
        number: name
        for note in notes
        for number, name in zip(note.get("players", range(len(note["names"]))), note["names"], strict=True)
    }
    return [player_row(names.get(number, "")) for number in range(max(names, default=-1) + 1)]


def _length(rows: Sequence[ChunkRow], settings: Sequence[Mapping[str, Any]], folder: Path) -> dict[str, int]:
    """How long a match or sessions are, as far as chunks say: what is there, or what an older version had planned."""
    if settings[0].get("kind") == SESSION:
        files = (rows[-1].hands_file.name, rows[-1].actions_file.name)
        hands, actions = ((folder / name).read_bytes() for name in files)
        columns, _ = decode_chunk(hands, actions, folder / files[0])
        return {"games": int(columns.numbers[-1]) // int(settings[0]["rounds"]) + 1}
    if "seed" not in settings[0]:
        return {}
    planned = [int(one["hands"]) for one in settings if "hands" in one]
    return {"hands": max(sum(row.hands for row in rows), *planned, 0)}
