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
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from luckless.divat.settings import STANDARD, DivatSettings, Row
from luckless.errors import InputError
from luckless.hands.effective import ROUNDS
from luckless.toml_lines import Path as KeyPath
from luckless.toml_lines import key_lines, line_of

KEYS = ("name", "ehr", "fold_offsets", "makes")


def read_settings(path: Path) -> DivatSettings:
    """The settings that a file describes."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise InputError(f"cannot read the settings {path}: {reason}") from None
    return settings_of(text, str(path), path.stem)


def settings_of(text: str, source: str, name: str) -> DivatSettings:
    """The settings that a TOML text describes; `source` names it in errors, `name` them if the text does not."""
    try:
        values = tomllib.loads(text, parse_float=Fraction)
    except ValueError as error:
        raise InputError(f"{source}: not valid TOML: {error}") from None
    lines = key_lines(text)

    def refuse(path: KeyPath, problem: str) -> InputError:
        return InputError(f"{source}, line {line_of(lines, path)}: {problem}")

    _check_keys(values, KEYS, (), refuse)
    for key in ("name", "ehr"):
        if not isinstance(values.get(key, "x"), str) or not values.get(key, "x"):
            raise refuse((key,), f"{key} is {values[key]!r}; a text in quotation marks is needed")
    if values.get("ehr", STANDARD.ehr) not in ("thesis", "max"):
        raise refuse(("ehr",), f"ehr is {values['ehr']!r}; allowed is thesis or max")
    offsets, makes = list(STANDARD.fold_offsets), list(STANDARD.makes)
    for number, entry in _by_round(values, "fold_offsets", refuse):
        offsets[number] = _fraction(entry, -1, ("fold_offsets", ROUNDS[number]), refuse)
    for number, entry in _by_round(values, "makes", refuse):
        makes[number] = _makes(entry, ("makes", ROUNDS[number]), refuse)
    chosen: Any = {"fold_offsets": tuple(offsets), "makes": tuple(makes)}
    return dataclasses.replace(STANDARD, name=values.get("name", name), ehr=values.get("ehr", STANDARD.ehr), **chosen)


_Refuse = Callable[[KeyPath, str], InputError]


def _check_keys(values: Any, known: tuple[str, ...], path: KeyPath, refuse: _Refuse) -> None:
    if not isinstance(values, dict):
        raise refuse(path, f"{path[-1]} is no table; write [{path[-1]}] and below it {', '.join(known)}")
    for key in values:
        if key not in known:
            raise refuse((*path, key), f"unknown key {key!r}; allowed here is {', '.join(known)}")


def _by_round(values: dict[str, Any], key: str, refuse: _Refuse) -> list[tuple[int, Any]]:
    """The entries of a table with the numbers of their rounds."""
    table = values.get(key, {})
    _check_keys(table, ROUNDS, (key,), refuse)
    return [(ROUNDS.index(name), entry) for name, entry in table.items()]


def _fraction(value: Any, least: int, path: KeyPath, refuse: _Refuse) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or not least <= value <= 1:
        said = float(value) if isinstance(value, Fraction) else value
        raise refuse(path, f"{path[-1]} is {said!r}; a number from {least} to 1 is needed")
    return Fraction(value)


def _makes(value: Any, path: KeyPath, refuse: _Refuse) -> Row:
    if not isinstance(value, list) or len(value) != 4:
        raise refuse(path, f"{path[-1]} needs a list of four numbers, Make1 to Make4")
    first, second, third, fourth = (_fraction(entry, 0, path, refuse) for entry in value)
    if not first <= second <= third <= fourth:
        raise refuse(path, f"the make thresholds of the {path[-1]} must not fall")
    return first, second, third, fourth
