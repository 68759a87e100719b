"""Built tables on disk: named arrays in one file of the user's cache folder, checked when opened, written whole.

A file is a fixed prefix (magic, length of the header, checksum of all that follows), a JSON header (table, version,
arrays) and the arrays. A reader sees all of it or nothing (`whole_files`).
"""

import contextlib
import functools
import json
import mmap
import os
import struct
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from luckless.file_locks import SYSTEM_HAS_LOCKS, lock
from luckless.whole_files import FULL_DISK, WholeFile, remove_leftovers

_MAGIC = b"LUCKLESS"
_PREFIX = struct.Struct("<8sII")
_ALIGNMENT = 64

Arrays = dict[str, NDArray[Any]]


class TableError(Exception):
    """A table file that cannot be used; the message says why."""


@dataclass(frozen=True)
class TableSpec:
    """What a table is called, which version is wanted, and the name, type and length of each of its arrays."""

    name: str
    version: int
    arrays: tuple[tuple[str, str, int], ...]

    @property
    def path(self) -> Path:
        """Where the table is kept."""
        return cache_folder() / f"{self.name}.table"

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return self._starts()[1]

    def header(self) -> bytes:
        """The header, padded so that the first array is aligned."""
        text = json.dumps({"table": self.name, "version": self.version, "arrays": self.arrays}).encode()
        return text.ljust(_aligned(_PREFIX.size + len(text)) - _PREFIX.size)

    def _starts(self) -> tuple[dict[str, int], int]:
        starts, end = {}, _PREFIX.size + len(self.header())
        for name, kind, length in self.arrays:
            starts[name] = end
            end = _aligned(end + np.dtype(kind).itemsize * length)
        return starts, end

    def views(self, contents: mmap.mmap) -> Arrays:
        """The arrays of an opened file."""
        starts, _ = self._starts()
        return {
            name: np.frombuffer(contents, np.dtype(kind), length, starts[name]) for name, kind, length in self.arrays
        }


@dataclass(frozen=True)
class Built:
    """What was done about a table: `seconds` is None if it was ready and has been kept."""

    spec: TableSpec
    seconds: float | None


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def cache_folder() -> Path:
    """The folder of built tables: LUCKLESS_CACHE_DIR, or `luckless` in XDG_CACHE_HOME or ~/.cache."""
    if own := os.environ.get("LUCKLESS_CACHE_DIR"):
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(shared) if os.path.isabs(shared) else _home() / ".cache") / "luckless"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without an entry in the system's list, as in containers
        return Path(os.sep)


def open_table(spec: TableSpec) -> Arrays | None:
    """The arrays of a table, mapped from its file and checked against their checksum; None if there is no file.

    Raises `TableError` for a file that is damaged, cut short or of another version. A file is checked once a process,
    and again when it has been replaced.
    """
    path = spec.path
    try:
        state = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise TableError(f"not readable: {error.strerror}") from error
    arrays = _open_once(spec, path, state.st_ino, state.st_mtime_ns)
    if isinstance(arrays, TableError):
        raise arrays
    return arrays


@functools.lru_cache(maxsize=16)
def _open_once(spec: TableSpec, path: Path, inode: int, modified: int) -> Arrays | TableError:
    try:
        with path.open("rb") as file:
            return _open_checked(spec, file)
    except TableError as error:
        return error
    except OSError as error:
        return TableError(f"not readable: {error.strerror}")


def table_state(spec: TableSpec) -> str:
    """`ready`, `absent`, or why the file cannot be used."""
    try:
        return "absent" if open_table(spec) is None else "ready"
    except TableError as error:
        return str(error)


def _open_checked(spec: TableSpec, file: BinaryIO) -> Arrays:
    prefix = file.read(_PREFIX.size)
    if len(prefix) < _PREFIX.size or not prefix.startswith(_MAGIC):
        raise TableError("damaged: its first bytes are not those of a table")
    _, header_length, checksum = _PREFIX.unpack(prefix)
    header = file.read(min(header_length, 1 << 16))
    if header != spec.header():
        raise TableError(_why_header_differs(spec, header))
    size = os.fstat(file.fileno()).st_size
    if size != spec.size:
        raise TableError(f"damaged: it has {size:,} bytes instead of {spec.size:,}")
    contents = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if zlib.crc32(memoryview(contents)[_PREFIX.size :]) != checksum:
        raise TableError("damaged: its checksum does not match its contents")
    return spec.views(contents)


def _why_header_differs(spec: TableSpec, header: bytes) -> str:
    try:
        stated = json.loads(header)
        version = int(stated["version"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return "damaged: its header cannot be read"
    if stated.get("table") == spec.name and version != spec.version:
        return f"of version {version}, and version {spec.version} is wanted"
    return "damaged: its header is not that of this table"


def write_table(spec: TableSpec, arrays: Arrays) -> None:
    """Writes a table: readers find the old file or the whole new one, whatever happens on the way."""
    spec.path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with WholeFile(spec.path) as file:
            _write_contents(spec, arrays, file)
    except OSError as error:
        if error.errno in FULL_DISK:
            raise OSError(no_space_text(spec)) from error
        raise


def _write_contents(spec: TableSpec, arrays: Arrays, file: BinaryIO) -> None:
    parts: list[bytes | memoryview] = [spec.header()]
    for name, kind, length in spec.arrays:
        values = np.ascontiguousarray(arrays[name], np.dtype(kind))
        if values.shape != (length,):
            raise ValueError(f"array {name} of table {spec.name} has shape {values.shape}, not ({length},)")
        data = values.view(np.uint8).data
        parts += [data, bytes(_aligned(len(data)) - len(data))]
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    file.write(_PREFIX.pack(_MAGIC, len(parts[0]), checksum))
    for part in parts:
        file.write(part)


def no_space_text(spec: TableSpec) -> str:
    """The message for a full disk."""
    return (
        f"no space left in {spec.path.parent} for the table {spec.name} ({spec.size / 1e6:,.0f} MB): "
        "free some, or name another folder in LUCKLESS_CACHE_DIR"
    )


def _lock_file(folder: Path, family: str) -> IO[str]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return (folder / f"{family}.lock").open("a")
    except OSError as error:
        advice = "set LUCKLESS_CACHE_DIR or XDG_CACHE_HOME to a folder that can be written"
        raise OSError(f"tables cannot be stored in {folder} ({error.strerror}): {advice}") from error


@contextlib.contextmanager
def build_lock(family: str) -> Iterator[None]:
    """Lets one process at a time build the tables whose names start with `family`; a second one says that it waits.

    Where the system has no such locks two builders work side by side, which costs time but harms nothing.
    """
    folder = cache_folder()
    with _lock_file(folder, family) as file:
        if not SYSTEM_HAS_LOCKS:
            yield
            return
        if not lock(file, wait=False):
            print(f"another process is building the {family} tables; waiting for it", file=sys.stderr, flush=True)
            lock(file)
        remove_leftovers(folder, f"{family}-*", older=(f".{family}-*.part",))
        yield
