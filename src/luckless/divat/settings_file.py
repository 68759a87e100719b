"""DIVAT's settings as a TOML file, read strictly: every error names file and line.

All keys may be left out; what is left out is that of the standard settings.

    name = "loose on the turn"
    ehr = "thesis"                          # or "max"

    [fold_offsets]                          # added to bet / (pot + bet)
    turn = -0.05

    [makes]                                 # Make1 to Make4
    river = [0.64, 0.85, 0.94, 0.97]
"""

import dataclasses
import json
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from luckless.cards import STREETS
from luckless.divat.settings import STANDARD, DivatSettings
from luckless.hands.effective import Row
from luckless.toml_lines import KeyPath
from luckless.typed_toml import TypedReader, exact_number, parse_toml, read_text

KEYS = ("name", "ehr", "fold_offsets", "makes")


def read_settings(path: Path) -> DivatSettings:
    """The settings that a file describes."""
    return parse_settings(read_text(path, "the settings"), str(path), path.stem)


def parse_settings(text: str, source: str, name: str) -> DivatSettings:
    """The settings that a TOML text describes; `source` names it in errors, `name` them if the text does not."""
    values, reader = parse_toml(text, source, exact_number)
    reader.table(values, (), KEYS)
    offsets, makes = list(STANDARD.fold_offsets), list(STANDARD.makes)
    for number, path, entry in _by_street(values, "fold_offsets", reader):
        offsets[number] = Fraction(reader.number(entry, path, -1, 1))
    for number, path, entry in _by_street(values, "makes", reader):
        makes[number] = _makes(entry, path, reader)
    chosen: Any = {"fold_offsets": tuple(offsets), "makes": tuple(makes)}
    return dataclasses.replace(
        STANDARD,
        name=reader.text(values.get("name", name), ("name",)),
        ehr=reader.one_of(values.get("ehr", STANDARD.ehr), ("ehr",), ("thesis", "max")),
        **chosen,
    )


def settings_toml(settings: DivatSettings) -> str:
    """The settings as TOML that `parse_settings` reads back to equal ones."""
    lines = [f"name = {json.dumps(settings.name)}", f'ehr = "{settings.ehr}"', "", "[fold_offsets]"]
    pairs = zip(STREETS, settings.fold_offsets, strict=True)
    lines += [f"{street} = {_decimal(offset)}" for street, offset in pairs]
    lines += ["", "[makes]"]
    rows = zip(STREETS, settings.makes, strict=True)
    lines += [f"{street} = [{', '.join(map(_decimal, row))}]" for street, row in rows]
    return "\n".join(lines) + "\n"


def _decimal(number: Fraction) -> str:
    """A fraction as a decimal number; those of a file are exact as such."""
    return str(Decimal(number.numerator) / Decimal(number.denominator))


def _by_street(values: dict[str, Any], key: str, reader: TypedReader) -> Iterator[tuple[int, KeyPath, Any]]:
    """The entries of a table, each with the number of its street and its path."""
    table = reader.table(values.get(key, {}), (key,), STREETS)
    for street, entry in table.items():
        yield STREETS.index(street), (key, street), entry


def _makes(value: Any, path: KeyPath, reader: TypedReader) -> Row:
    if not isinstance(value, list) or len(value) != 4:
        raise reader.refuse_value(path, value, "a list of four numbers, Make1 to Make4")
    first, second, third, fourth = (Fraction(reader.number(entry, path, 0, 1)) for entry in value)
    if not first <= second <= third <= fourth:
        raise reader.refuse(path, f"the make thresholds of the {path[-1]} must not decrease")
    return first, second, third, fourth
