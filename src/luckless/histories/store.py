"""Stored hands: a folder with immutable chunks and their catalogue. Reading, and the steps that every writer takes.

The files of a chunk are written whole, and only then noted in the catalogue. So a crash at any moment costs at most
the chunk being written, and readers never see half a chunk.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from luckless.errors import InputError
from luckless.histories.catalogue import FILE, OLD_DRAFT, Catalogue, ChunkRow, unsound
from luckless.histories.chunks import ChunkEncoder, ChunkFile, DamagedChunk, Packed, decode_chunk, read_note
from luckless.histories.columns import HandColumns
from luckless.whole_files import is_leftover, write_bytes

TEMPORARY = ".writing"
"""Ends the names of unfinished files, here as in earlier versions: a match that goes on removes them."""
LOCK_FILE = "writer.lock"
NO_FAULTS: dict[str, Any] = {"cases": [], "counts": []}


PART = "-part"
"""Marks a chunk that was cut short because its match was interrupted; a full one takes its place when it goes on."""


def chunk_names(first: int, part: bool = False) -> tuple[str, str]:
    """The names of the two files of the chunk that begins with a hand."""
    end = f"{first:012d}{PART if part else ''}.parquet"
    return f"hands-{end}", f"actions-{end}"


class ChunkSink:
    """Puts chunks into a folder: each is there whole or not at all, and then noted in the catalogue."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        settings = catalogue.settings()
        settings.pop("result", None)
        self._note = {"settings": settings, "bots": catalogue.bots()}
        self._folder = folder
        self._catalogue = catalogue
        self._encoder = ChunkEncoder()

    def write(
        self, first: int, parts: Sequence[HandColumns], faults: Mapping[str, Any] = NO_FAULTS, part: bool = False
    ) -> None:
        """Writes the two files of a chunk that begins with hand `first` of the store; the hands file comes last."""
        hands, actions = self._encoder.encode(parts, {**self._note, "first": first, "faults": faults})
        hands_name, actions_name = chunk_names(first, part)
        actions_file = _write_file(self._folder, actions_name, actions)
        hands_file = _write_file(self._folder, hands_name, hands)
        self._catalogue.add_chunk(ChunkRow(first, sum(map(len, parts)), hands_file, actions_file), faults)
        if not part:
            for name in chunk_names(first, part=True):
                (self._folder / name).unlink(missing_ok=True)


def _write_file(folder: Path, name: str, packed: Packed) -> ChunkFile:
    write_bytes(folder / name, packed.data)
    return ChunkFile(name, len(packed.data), packed.sha256)


def make_folder(folder: Path) -> None:
    """Makes the folder of a new store; refuses one that holds anything but the traces of a start that failed."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; hands are stored in a folder")
    folder.mkdir(parents=True, exist_ok=True)
    if any(path.name not in (LOCK_FILE, OLD_DRAFT) and not is_leftover(path.name) for path in folder.iterdir()):
        raise InputError(f"{folder} is there already and holds no stored match; choose a new folder")


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

    @classmethod
    def open(cls, folder: Path) -> "StoredHands":
        """The hands of a folder; a match that is being written shows its finished chunks."""
        if not folder.is_dir():
            raise InputError(f"{folder} holds no stored hands: there is no such folder")
        catalogue = Catalogue.read(folder)
        try:
            found = (catalogue.settings(), catalogue.bots(), catalogue.results(), catalogue.chunks())
        except json.JSONDecodeError:
            raise unsound(folder / FILE, "its settings are no JSON") from None
        finally:
            catalogue.close()
        return cls(folder, *found)

    @property
    def is_match(self) -> bool:
        """Whether the hands are a match played here, which a seed reproduces."""
        return "seed" in self.settings

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
        hands, actions = (self._checked_bytes(file) for file in (chunk.hands_file, chunk.actions_file))
        columns, _ = decode_chunk(hands, actions, self.folder / chunk.hands_file.name)
        return columns

    def _checked_bytes(self, file: ChunkFile) -> bytes:
        path = self.folder / file.name
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DamagedChunk(f"{path}: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != file.sha256:
            raise DamagedChunk(f"{path}: its checksum is not the one in the catalogue: it was changed or damaged")
        return data

    def check_bytes(self) -> None:
        """Refuses the folder if any chunk is damaged."""
        for chunk in self.chunks:
            self._checked_bytes(chunk.hands_file)
            self._checked_bytes(chunk.actions_file)

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
        hands_name, actions_name = chunk_names(first, part=path.stem.endswith(PART))
        if path.name != hands_name:
            raise DamagedChunk(f"{path}: it says that its name is {hands_name}")
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
    found = list(find_chunks(folder, {}))
    if not found:
        raise InputError(f"{folder} holds no chunks to make a catalogue of")
    settings, bots = found[0][1]["settings"], found[0][1]["bots"]
    for row, note in found:
        if (note["settings"], note["bots"]) != (settings, bots):
            raise InputError(f"{folder / row.hands_file.name}: it belongs to another match than the first chunk")
    with sole_writer(folder):
        catalogue = Catalogue.create(folder, settings, bots)
        for row, note in found:
            catalogue.add_chunk(row, note["faults"])
        catalogue.close()
    return len(found)
