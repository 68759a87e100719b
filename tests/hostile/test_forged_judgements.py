"""A forger edits the judgement beside a match, and seals it again. What contradicts the hands is found."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from luckless.divat.continuations import Valuation
from luckless.divat.judgement import judge
from luckless.divat.judgement_file import save_judgement
from luckless.divat.settings import STANDARD
from luckless.errors import InputError
from luckless.histories.resuming import JUDGEMENT_FILE
from luckless.histories.store import StoredHands
from luckless.verification import verify_stored

NOTE, SEAL = b"luckless.judgement", b"luckless.sha256"


@pytest.fixture
def judged(small_match: Path) -> Path:
    """A match with its judgement by all-in equity."""
    stored = StoredHands.open(small_match)
    judgement = judge(stored.columns(), Valuation(STANDARD, "aie"))
    save_judgement(judgement, small_match / JUDGEMENT_FILE, stored.digest)
    return small_match


def rewrite(folder: Path, table: pa.Table, **changed: Any) -> None:
    """Puts a table in the place of the judgement, with some of its facts changed and all of it sealed anew."""
    old = pq.read_schema(folder / JUDGEMENT_FILE).metadata
    note = json.dumps({**json.loads(old[NOTE]), **changed}).encode()
    seal = hashlib.sha256(note).hexdigest().encode()
    table = table.replace_schema_metadata({**old, NOTE: note, SEAL: seal})
    pq.write_table(table, folder / JUDGEMENT_FILE, compression="zstd", write_page_checksum=True)


def with_column(table: pa.Table, name: str, column: Any) -> pa.Table:
    return table.set_column(table.schema.get_field_index(name), name, column)


def forge_columns(folder: Path, names: list[str]) -> None:
    """Adds 1 to the first number of each column in turn: each time something must be found."""
    honest = pq.read_table(folder / JUDGEMENT_FILE)
    for name in names:
        column = honest.column(name)
        first = pc.add(column[0], pa.scalar(1, column.type)) if column[0].is_valid else pa.scalar(1, column.type)
        forged = pa.concat_arrays([pa.array([first.as_py()], column.type), column.combine_chunks()[1:]])
        rewrite(folder, with_column(honest, name, forged))
        assert found_wrong(folder), name


def test_a_forged_column_of_a_judgement_is_found(judged: Path) -> None:
    """A result, and a value by street."""
    rewrite(judged, pq.read_table(judged / JUDGEMENT_FILE))
    assert verify_stored(judged).failures == 0
    forge_columns(judged, ["value_money", "round_divat_1"])


@pytest.mark.slow
def test_every_forged_column_of_a_judgement_is_found(judged: Path) -> None:
    unjudged = {"logs"}  # the number of the log among those that were read; a match has one
    forge_columns(judged, [name for name in pq.read_schema(judged / JUDGEMENT_FILE).names if name not in unjudged])


@pytest.mark.parametrize(
    "changed",
    [
        {"player": "raise"},
        {"opponent": "uniform"},
        {"hands_digest": "0" * 64},
        {"values": []},
        {"rounds": ["divat"]},
        {"settings": None},
        {"format": 9},
    ],
)
def test_a_forged_note_of_a_judgement_is_found(judged: Path, changed: dict[str, Any]) -> None:
    rewrite(judged, pq.read_table(judged / JUDGEMENT_FILE), **changed)
    assert found_wrong(judged), changed


def found_wrong(folder: Path) -> bool:
    """Whether the folder is refused, or something in it is found to be wrong."""
    try:
        return bool(verify_stored(folder).failures)
    except InputError:
        return True
