"""Stored hands: a folder with immutable chunks and their catalogue. Reading, and the steps that every writer takes.

The files of a chunk are written whole, and only then noted in the catalogue. So a crash at any moment costs at most
the chunk being written, and readers never see half a chunk.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from luckless.errors import InputError
from luckless.histories.catalogue import FILE, OLD_DRAFT, Catalogue, ChunkRow, unsound
from luckless.histories.chunks import ChunkEncoder, ChunkFile, DamagedChunk, Packed, decode_chunk, read_note
from luckless.rules.columns import HandColumns
from luckless.whole_files import is_leftover, write_bytes

TEMPORARY = ".writing"
"""Ends the names of unfinished files, here as in earlier versions: a match that goes on removes them."""
LOCK_FILE = "writer.lock"
SESSION = "session"
"""The kind of a store of sessions; a match, and hands of a log, name none."""
NO_FAULTS: dict[str, Any] = {"cases": [], "counts": []}


PART = "-part"
"""Marks a chunk that was cut short because its match was interrupted; a full one takes its place when it goes on."""


def chunk_names(first: int, part: int = 0) -> tuple[str, str]:
    """The names of the two files of the chunk that begins with a hand; `part` is the number of hands of one that was
    cut short, so that a longer part does not write over a shorter one that the catalogue still names."""
    end = f"{first:012d}{f'{PART}{part}' if part else ''}.parquet"
    return f"hands-{end}", f"actions-{end}"


def remove_other_forms(folder: Path, used: Collection[str], first: int) -> None:
    """Removes the parts of a chunk that hold less than the files in use; of each the hands first, then the actions,
    which nobody looks for without them."""
    form = re.compile(rf"(hands|actions)-{first:012d}({PART}\d*)?\.parquet")
    for path in sorted(folder.glob(f"*-{first:012d}*.parquet"), reverse=True):
        if form.fullmatch(path.name) and path.name not in used:
            path.unlink(missing_ok=True)


LENGTH_KEYS = ("hands", "games", "begun", "result", "record")
"""Settings that change as hands are added, and when the match was begun. They are not in chunks, so that these depend
neither on what comes later nor on the day; chunks of older versions still name `hands`."""


def lasting(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that hold whatever is added."""
    return {key: value for key, value in settings.items() if key not in LENGTH_KEYS}


class ChunkSink:
    """Puts chunks into a folder: each is there whole or not at all, and then noted in the catalogue."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        self._note = {"settings": lasting(catalogue.settings()), "bots": catalogue.bots()}
        self._folder = folder
        self._catalogue = catalogue
        self._encoder = ChunkEncoder()
        self._last: tuple[str, ...] = ()

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
    folder.mkdir(parents=True, exist_ok=True)
    if any(path.name not in (LOCK_FILE, OLD_DRAFT) and not is_leftover(path.name) for path in folder.iterdir()):
        raise InputError(f"{folder} exists already and holds no stored match; choose a new folder")


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Holds the folder against a second writer; the lock ends with the process, however that ends."""
    with (folder / LOCK_FILE).open("w") as lock:
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

    @classmethod
    def open(cls, folder: Path) -> "StoredHands":
        """The hands of a folder; a match that is being written shows its finished chunks."""
        if not folder.is_dir():
            raise InputError(f"{folder} holds no stored hands: there is no such folder")
        catalogue = Catalogue.read(folder)
        try:
            chunks = catalogue.chunks()
            faults = {chunk.first: catalogue.faults(chunk.first) for chunk in chunks}
            known = (catalogue.settings(), catalogue.bots(), catalogue.results(), chunks, faults)
        except json.JSONDecodeError:
            raise unsound(folder / FILE, "its settings are not JSON") from None
        finally:
            catalogue.close()
        return cls(folder, *known)

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
        hands, actions = (self.checked_bytes(file) for file in (chunk.hands_file, chunk.actions_file))
        columns, _ = decode_chunk(hands, actions, self.folder / chunk.hands_file.name)
        return columns

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

    def hand(self, number: int) -> HandColumns:
        """One hand by its number."""
        for chunk in self.chunks:
            if self.is_match and not chunk.first <= number < chunk.first + chunk.hands:
                continue
            columns = self.read_chunk(chunk)
            rows = np.flatnonzero(columns.numbers == number)
            if len(rows):
                return columns.rows(slice(int(rows[0]), int(rows[0]) + 1))
        raise InputError(f"{self.folder} has no hand {number}; it has {self.hands:,} hands")


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
    length = _length([row for row, _ in chunks], [note["settings"] for _, note in chunks], folder)
    with sole_writer(folder):
        catalogue = Catalogue.create(folder, {**settings, **length}, bots)
        for row, note in chunks:
            catalogue.add_chunk(row, note["faults"])
        catalogue.close()
    return len(chunks)


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
