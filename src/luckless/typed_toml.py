"""TOML files read strictly: unknown keys, wrong types and values out of bounds are errors with file and line.

Written for this package instead of pydantic: that takes a fifth of a second to import, cannot say in which line a
value stands, and each of its messages would have to be put into words anew. This is linear in the size of the text.
"""

import dataclasses
import difflib
import tomllib
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from luckless.errors import InputError
from luckless.toml_lines import KeyPath, TooLarge, key_lines

MOST_BYTES = 250_000
"""The largest file that is read: a file written by a person is smaller, and this one takes a second or two."""

WHOLE, NUMBER, TEXT = "a whole number", "a number", "a text in quotation marks"
_SHOWN = 60


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]


Record = TypeVar("Record", bound=_Dataclass)


def read_text(path: Path, what: str) -> str:
    """The text of a file in UTF-8, with or without a byte order mark; `what` names its kind in errors."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read {what} {path}: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"cannot read {what} {path}: it is too large; allowed is up to {MOST_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"cannot read {what} {path}: it is not a text file") from None


def parse_toml(
    text: str, source: str, parse_float: Callable[[str], Any] = float
) -> tuple[dict[str, Any], "TypedReader"]:
    """The values of a TOML text, and a reader that refuses them by their lines; `source` names the text in errors."""
    try:
        lines = key_lines(text)
        values = tomllib.loads(text, parse_float=parse_float)
    except TooLarge as error:
        raise InputError(f"{source}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{source}: not valid TOML: {' '.join(str(error).split())}") from None
    return values, TypedReader(source, lines)


def exact_number(text: str) -> Fraction | float:
    """For `parse_float`: a number as it is written, without rounding; infinity and nan stay what they are."""
    try:
        return Fraction(text)
    except ValueError:
        return float(text)


@dataclass(frozen=True)
class TypedReader:
    """Checks values, each given with its path from the top, and refuses what does not fit by its file and line.

    Values that come from elsewhere, such as JSON, have no lines: then errors name the source alone.
    """

    source: str
    lines: Mapping[KeyPath, int] = field(default_factory=dict)

    def refuse(self, path: KeyPath, problem: str) -> InputError:
        """The error for a key: where it stands (or the nearest table around it), and the problem."""
        if not self.lines:
            return InputError(f"{self.source}: {problem}")
        while path and path not in self.lines:
            path = path[:-1]
        return InputError(f"{self.source}, line {self.lines.get(path, 1)}: {problem}")

    def refuse_value(self, path: KeyPath, value: object, allowed: str) -> InputError:
        """The error for a value that is not allowed."""
        return self.refuse(path, f"{_dotted(path)} is {_shown(value)}; allowed is {allowed}")

    def table(
        self, value: object, path: KeyPath, known: Iterable[str], required: Iterable[str] = ()
    ) -> dict[str, Any]:
        """A table with known keys only, and all that are required."""
        known, required = list(known), list(required)
        if not isinstance(value, Mapping):
            raise self.refuse_value(path, value, f"a table with {', '.join(known)}")
        for key in value:
            if key not in known:
                raise self._unknown((*path, key), known)
        for key in required:
            if key not in value:
                needed = f"required are {', '.join(required)}"
                raise self.refuse(path, f"key {_dotted((*path, key))!r} is missing; {needed}")
        return dict(value)

    def _unknown(self, path: KeyPath, known: list[str]) -> InputError:
        near = difflib.get_close_matches(str(path[-1])[:_SHOWN], known, 1)
        hint = f"did you mean {near[0]!r}? Allowed" if near else "allowed"
        return self.refuse(path, f"unknown key {_shown(_dotted(path))}; {hint} are {', '.join(known)}")

    def whole(self, value: object, path: KeyPath, low: int | None = None, high: int | None = None) -> int:
        """A whole number within bounds."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.refuse_value(path, value, WHOLE)
        self._bounded(value, path, low, high)
        return value

    def number(self, value: object, path: KeyPath, low: float | None = None, high: float | None = None) -> Any:
        """A number within bounds, as it was read (`Fraction` with `exact_number`)."""
        if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
            raise self.refuse_value(path, value, NUMBER)
        if value != value or abs(value) == float("inf"):
            raise self.refuse_value(path, value, NUMBER)
        self._bounded(value, path, low, high)
        return value

    def _bounded(self, value: Any, path: KeyPath, low: float | None, high: float | None) -> None:
        if (low is not None and value < low) or (high is not None and value > high):
            raise self.refuse_value(path, value, _range(low, high))

    def text(self, value: object, path: KeyPath) -> str:
        """A text that is not empty."""
        if not isinstance(value, str) or not value:
            raise self.refuse_value(path, value, TEXT)
        return value

    def texts(self, value: object, path: KeyPath) -> tuple[str, ...]:
        """A list of texts, none of them empty."""
        if not isinstance(value, list) or not all(isinstance(entry, str) and entry for entry in value):
            raise self.refuse_value(path, value, "a list of names in quotation marks")
        return tuple(value)

    def flag(self, value: object, path: KeyPath) -> bool:
        """True or false."""
        if not isinstance(value, bool):
            raise self.refuse_value(path, value, "true or false")
        return value

    def one_of(self, value: object, path: KeyPath, allowed: Iterable[str]) -> str:
        """One of some words."""
        allowed = list(allowed)
        if not isinstance(value, str) or value not in allowed:
            raise self.refuse_value(path, value, _listed(allowed))
        return value

    def record(self, value: object, kind: type[Record], path: KeyPath = ()) -> Record:
        """A dataclass from a table, by the types of its fields; those with a default may be left out."""
        fields = dataclasses.fields(kind)
        required = [entry.name for entry in fields if _is_required(entry)]
        values = self.table(value, path, [entry.name for entry in fields], required)
        types = typing.get_type_hints(kind)
        return kind(**{key: self._typed(given, types[key], (*path, key)) for key, given in values.items()})

    def _typed(self, value: object, kind: Any, path: KeyPath) -> Any:
        """A value of the type of a field: a number, a text, a list of texts, a table or a list of tables."""
        if dataclasses.is_dataclass(kind):
            return self.record(value, typing.cast(Any, kind), path)
        if typing.get_origin(kind) is tuple and typing.get_args(kind)[0] is not str:
            return self._records(value, typing.get_args(kind)[0], path)
        if typing.get_origin(kind) is tuple:
            return self.texts(value, path)
        if kind is float:
            return float(self.number(value, path))
        checks: dict[Any, Callable[[object, KeyPath], Any]] = {int: self.whole, str: self.text, bool: self.flag}
        return checks.get(kind, self._any_table)(value, path)

    def _records(self, value: object, kind: Any, path: KeyPath) -> tuple[Any, ...]:
        if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
            raise self.refuse_value(path, value, f"a list of tables: write [[{_dotted(path)}]] above each")
        return tuple(self.record(entry, kind, (*path, place)) for place, entry in enumerate(value))

    def _any_table(self, value: object, path: KeyPath) -> Any:
        if not isinstance(value, Mapping):
            raise self.refuse_value(path, value, "a table")
        return value


def _is_required(entry: "dataclasses.Field[Any]") -> bool:
    return entry.default is dataclasses.MISSING and entry.default_factory is dataclasses.MISSING


def _dotted(path: KeyPath) -> str:
    """A key as it could be written in the file; places in lists are told by the line."""
    return ".".join(step for step in path if isinstance(step, str))


def _range(low: float | None, high: float | None) -> str:
    if high is None:
        return f"{low:,} or more"
    return f"{high:,} or less" if low is None else f"{low:,} to {high:,}"


def _shown(value: object) -> str:
    """A value for an error: short, and a fraction as the decimal that was written."""
    text = _decimal(value) if isinstance(value, Fraction) else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _decimal(value: Fraction) -> str:
    try:
        return repr(float(value))
    except OverflowError:
        return "inf" if value > 0 else "-inf"


def _listed(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
