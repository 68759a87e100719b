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
BATCH = 65_536
"""Rows that are decoded at once: columns that claim more than there are rows take no more memory than that."""


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
        # What the footer says of single columns is not asked: pyarrow ends the process if that is damaged.
        needed = file.metadata.num_rows * file.metadata.num_columns * _WIDEST
        allowed = max(MOST_UNPACKED * size, ALWAYS_UNPACKED)
        if needed > allowed:
            raise ValueError(f"its columns would take {needed:,} bytes; a file of {size:,} may take {allowed:,}")
        return pa.Table.from_batches(_batches(file), file.schema_arrow)


def _batches(file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    """The rows a few at a time, and no more of them than the footer says."""
    left = file.metadata.num_rows
    for batch in file.iter_batches(BATCH):
        left -= batch.num_rows
        if left < 0:
            break
        yield batch
    if left:
        raise ValueError("it has more or fewer rows than its footer says")
