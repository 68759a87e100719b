"""A judgement as one Parquet file, a row a hand: it loads without judging again.

What is not a number a hand (players, settings, sources) stands in the file's note, sealed by a checksum. A judgement
of stored hands also names their digest, and is refused once they have changed.
"""

import dataclasses
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from luckless.divat.continuations import Valuation
from luckless.divat.gathering import PlayedHands
from luckless.divat.judgement import Judgement
from luckless.divat.settings import DivatSettings
from luckless.errors import InputError
from luckless.sealed_parquet import note_in, read_numbers, with_note
from luckless.typed_values import check, list_of, matching, table, text, whole, word
from luckless.whole_files import WholeFile

FORMAT = 1
"""The version of what is stored; readers refuse a higher one."""

_NUMBER = matching(r"-?[0-9]{1,18}(/[0-9]{1,18})?", "a fraction as text")
_KIND = table(
    {
        "player": text,
        "opponent": text,
        "sources": list_of(text),
        "unknown_as": word("leave", "money"),
        "equity": word("roe", "aie"),
        "sampled_flops": whole(0, 10**7),
        "seed": whole(0, 2**128 - 1),
        "settings": table(
            {"name": text, "ehr": text, "fold_offsets": list_of(_NUMBER), "makes": list_of(list_of(_NUMBER))}
        ),
        "values": list_of(text),
        "rounds": list_of(text),
        "format": whole(1),
        "hands_digest": text,
    },
    {"judged": text},  # files of older versions do not say when
)
"""The types of the note."""

_NOTE = b"luckless.judgement"
_PLAYED = ("seats", "money", "logs", "deals", "numbers")
"""The arrays of `PlayedHands` that hold one number a hand."""


def save_judgement(judgement: Judgement, path: Path, hands_digest: str = "") -> None:
    """Writes a judgement whole or not at all; `hands_digest` is that of the stored hands it was made of."""
    note = json.dumps({**_about(judgement), "format": FORMAT, "hands_digest": hands_digest})
    columns = _columns(judgement)
    schema = pa.schema([(name, array.type) for name, array in columns.items()])
    table = pa.Table.from_arrays(list(columns.values()), schema=with_note(schema, _NOTE, note))
    with WholeFile(path) as stream:
        pq.write_table(table, stream, compression="zstd", write_page_checksum=True)


def load_judgement(path: Path, hands_digest: str | None = None) -> Judgement:
    """The judgement in a file; refused if it was made of other hands than those of the digest, where one is given."""
    try:
        table = read_numbers(path)
        note = _note_of(table.schema, path)
        columns = {name: table.column(name).to_numpy() for name in table.schema.names}
        if hands_digest is not None and note["hands_digest"] != hands_digest:
            raise InputError(
                f"{path}: the hands have changed since they were judged; judge them again, or delete this file"
            )
        return _judgement(note, columns)
    except InputError:
        raise
    except (pa.ArrowException, OSError, KeyError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error).split("\n")[0]
        raise InputError(f"{path}: the judgement is damaged: {reason}") from None


def is_judgement(path: Path) -> bool:
    """Whether a Parquet file says that it is a judgement; nothing else of it is read."""
    try:
        return _NOTE in (pq.read_schema(path).metadata or {})
    except (pa.ArrowException, OSError):
        return False


def _note_of(schema: pa.Schema, path: Path) -> dict[str, Any]:
    note = note_in(schema, _NOTE, FORMAT, path)
    if note is None:
        raise InputError(f"{path}: not a judgement, or its header is damaged")
    check(note, _KIND, str(path))
    return note


def _about(judgement: Judgement) -> dict[str, Any]:
    """All that is not a number a hand."""
    valuation, settings = judgement.valuation, judgement.valuation.settings
    return {
        "player": judgement.player,
        "opponent": judgement.opponent,
        "sources": list(judgement.played.sources),
        "unknown_as": judgement.unknown_as,
        "equity": valuation.equity,
        "sampled_flops": valuation.sampled_flops,
        "seed": valuation.seed,
        "settings": {
            "name": settings.name,
            "ehr": settings.ehr,
            "fold_offsets": list(map(str, settings.fold_offsets)),
            "makes": [list(map(str, row)) for row in settings.makes],
        },
        "judged": judgement.judged,
        "values": list(judgement.values),
        "rounds": list(judgement.streets),
    }


def _columns(judgement: Judgement) -> dict[str, Any]:
    """The numbers of each hand; `partner`, in the first hand of a duplicate set, is the row of the second."""
    played = judgement.played
    partner = np.full(len(played), -1, np.int64)
    partner[judgement.pairs[:, 0]] = judgement.pairs[:, 1]
    columns: dict[str, NDArray[Any]] = {name: getattr(played, name) for name in _PLAYED}
    columns |= {f"deck_{place}": column for place, column in enumerate(played.decks.T)}
    columns |= {f"line_{place}": column for place, column in enumerate(played.lines.T)}
    columns["partner"] = partner
    columns |= {f"value_{name}": column for name, column in judgement.values.items()}
    for name, matrix in judgement.streets.items():
        columns |= {f"round_{name}_{number}": column for number, column in enumerate(matrix.T)}
    return {name: pa.array(np.ascontiguousarray(column)) for name, column in columns.items()}


def _judgement(note: dict[str, Any], columns: dict[str, NDArray[Any]]) -> Judgement:
    def matrix(name: str, width: int) -> NDArray[Any]:
        return np.stack([columns[f"{name}_{place}"] for place in range(width)], axis=1)

    def width_of(name: str) -> int:
        return sum(column.rpartition("_")[0] == name for column in columns)

    own: dict[str, Any] = {name: columns[name] for name in _PLAYED}
    decks, lines = matrix("deck", width_of("deck")), matrix("line", width_of("line"))
    own |= {"player": note["player"], "opponent": note["opponent"], "sources": tuple(note["sources"])}
    played = PlayedHands(decks=decks, lines=lines, **own)
    firsts = np.flatnonzero(columns["partner"] >= 0)
    return Judgement(
        played,
        Valuation(_settings(note["settings"]), note["equity"], note["sampled_flops"], note["seed"]),
        note["unknown_as"],
        {name: columns[f"value_{name}"] for name in note["values"]},
        {name: matrix(f"round_{name}", 4) for name in note["rounds"]},
        np.column_stack([firsts, columns["partner"][firsts]]),
        note.get("judged", ""),
    )


def _settings(values: dict[str, Any]) -> DivatSettings:
    rows: Any = [tuple(map(Fraction, row)) for row in (values["fold_offsets"], *values["makes"])]
    return dataclasses.replace(
        DivatSettings(), name=values["name"], ehr=values["ehr"], fold_offsets=rows[0], makes=tuple(rows[1:])
    )
