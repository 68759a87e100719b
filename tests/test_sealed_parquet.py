"""Parquet files whose sizes are bounded before they are decoded."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forging import CHUNK
from luckless.errors import InputError
from luckless.histories.chunks import ChunkEncoder, decode_chunk
from luckless.histories.store import StoredHands
from luckless.rules.game import Game
from luckless.sealed_parquet import ALWAYS_UNPACKED, note_in, read_numbers, with_note
from stored_hands import plan

ROWS = ALWAYS_UNPACKED // 8


def zeros(rows: int) -> bytes:
    """A small file with so many equal numbers."""
    out = io.BytesIO()
    pq.write_table(pa.table({"n": np.zeros(rows, np.int8)}), out, compression="zstd")
    return out.getvalue()


def test_a_small_file_with_many_numbers_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(zeros(ROWS)) < 40_000
    assert read_numbers(zeros(ROWS)).num_rows == ROWS

    def decoded(*_: Any, **__: Any) -> None:
        raise AssertionError("it was decoded")

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", decoded)
    with pytest.raises(ValueError, match=r"its columns would take 67,108,872 bytes; a file of \d+,\d+ may take 67,1"):
        read_numbers(zeros(ROWS + 1))


def test_damage_in_a_footer_is_refused_or_without_effect() -> None:
    """Of any byte; some of it would end the process if the footer were asked about single columns."""
    out = io.BytesIO()
    table = pa.table({"n": np.arange(50), "m": np.arange(50) / 2})
    pq.write_table(table, out, compression="zstd", write_page_checksum=True)
    sound = out.getvalue()
    footer = int.from_bytes(sound[-8:-4], "little")
    refused = 0
    for place in range(len(sound) - 8 - footer, len(sound)):
        for bit in (1, 4, 128):
            try:
                read_numbers(sound[:place] + bytes([sound[place] ^ bit]) + sound[place + 1 :])
            except (pa.ArrowException, OSError, ValueError):
                refused += 1
    assert refused > footer


def test_a_chunk_with_forged_actions_is_refused(small_match: Path) -> None:
    stored = StoredHands.open(small_match)
    path = small_match / stored.chunks[0].hands_file.name
    assert stored.chunks[0].hands == CHUNK
    with pytest.raises(InputError, match=f"{path.name}: not a valid chunk: its columns would take"):
        decode_chunk(zeros(ROWS + 1), b"", path)


def test_the_most_alike_hands_are_read() -> None:
    """Nobody ever bets, so actions take next to nothing on disk."""
    parts = [chunk.hands for chunk in plan(Game.load("limit-hu"), 131_072, bots=("call",)).chunks(workers=1)]
    note = {
        "settings": {"source": "x", "versions": {}},
        "bots": [],
        "first": 0,
        "faults": {"cases": [], "counts": []},
    }
    hands, actions = ChunkEncoder().encode(parts, note)
    assert len(actions.data) < 2_000
    columns, _ = decode_chunk(bytes(hands.data), bytes(actions.data), Path("hands"))
    assert np.array_equal(columns.records.actions, np.concatenate([part.records.actions for part in parts]))


def test_a_note_is_read_if_its_checksum_fits() -> None:
    schema = with_note(pa.schema([("n", pa.int8())]), b"key", '{"format": 2}')
    assert note_in(schema, b"key", 2, Path("x")) == {"format": 2}
    with pytest.raises(InputError, match=r"x: written by a newer version \(format 2; this one reads 1\)"):
        note_in(schema, b"key", 1, Path("x"))
    damaged = schema.with_metadata({**schema.metadata, b"key": b'{"format": 1}'})
    assert note_in(damaged, b"key", 2, Path("x")) is None
    assert note_in(pa.schema([]), b"key", 2, Path("x")) is None
