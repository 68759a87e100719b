"""Parquet files with a note in their header, sealed by a checksum. Sizes are bounded before anything is decoded.

A few bytes can stand for billions of equal numbers, so the footer, which tells what a file would take in memory, is
read first.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from luckless.errors import InputError
from luckless.plain_json import read_json

MOST_UNPACKED, ALWAYS_UNPACKED = 200, 64 << 20
"""A file may take so many times its size in memory; a small one may always take so many bytes."""

_SEAL = b"luckless.sha256"
_WIDEST = 8
"""Bytes of one number in memory at most."""


def with_note(schema: pa.Schema, key: bytes, note: str) -> pa.Schema:
    """The schema with a note and its checksum."""
    return schema.with_metadata({key: note, _SEAL: hashlib.sha256(note.encode()).hexdigest()})


def note_in(schema: pa.Schema, key: bytes, newest: int, path: Path) -> dict[str, Any] | None:
    """The note of a file; None if it is missing or damaged. A higher format than the newest is refused."""
    metadata: Mapping[bytes, bytes] = schema.metadata or {}
    text = metadata.get(key, b"")
    if hashlib.sha256(text).hexdigest().encode() != metadata.get(_SEAL):
        return None
    note: dict[str, Any] = read_json(text)
    version = int(note["format"])
    if version > newest:
        raise InputError(f"{path}: written by a newer version (format {version}; this one reads {newest})")
    return note


def read_numbers(source: Path | bytes) -> pa.Table:
    """The columns of a file, with the checksums of its pages; `ValueError` if they would take too much memory."""
    size = len(source) if isinstance(source, bytes) else source.stat().st_size
    place = pa.BufferReader(source) if isinstance(source, bytes) else source
    with pq.ParquetFile(place, page_checksum_verification=True) as file:
        needed = max(_sizes(file.metadata))
        allowed = max(MOST_UNPACKED * size, ALWAYS_UNPACKED)
        if needed > allowed:
            raise ValueError(f"its columns would take {needed:,} bytes; a file of {size:,} may take {allowed:,}")
        return file.read()


def _sizes(metadata: pq.FileMetaData) -> Iterator[int]:
    """What a file would take in memory, by each of the numbers that its footer gives."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    columns = [[group.column(place) for place in range(group.num_columns)] for group in groups]
    yield metadata.num_rows * metadata.num_columns * _WIDEST
    yield sum(group.num_rows * group.num_columns * _WIDEST for group in groups)
    yield sum(column.num_values * _WIDEST for group in columns for column in group)
    yield sum(column.total_uncompressed_size for group in columns for column in group)
