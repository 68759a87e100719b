"""The types of stored values, declared once and checked when they are read: kinds of values made of smaller kinds.

>>> PLAYER = table({"name": text, "chips": whole(0), "faults": list_of(row(whole(0), text))})
>>> check({"name": "call", "chips": -1, "faults": []}, PLAYER, "m/catalogue.sqlite")

raises `InputError`: "m/catalogue.sqlite: chips is -1; allowed is 0 or more".
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from luckless.toml_lines import KeyPath
from luckless.typed_toml import TypedReader

Kind = Callable[[TypedReader, Any, KeyPath], object]
"""Refuses a value that is not of the kind; the reader knows the source, the path where in it the value stands."""


def check(value: object, kind: Kind, source: str) -> None:
    """Refuses a value that is not of a kind, with its place and what is allowed; `source` names where it stands."""
    kind(TypedReader(source), value, ())


def whole(low: int | None = None, high: int | None = None) -> Kind:
    """A whole number within bounds."""
    return lambda reader, value, path: reader.whole(value, path, low, high)


def number(low: float | None = None, high: float | None = None) -> Kind:
    """A finite number within bounds."""
    return lambda reader, value, path: reader.number(value, path, low, high)


def word(*allowed: str) -> Kind:
    """One of some words."""
    return lambda reader, value, path: reader.one_of(value, path, allowed)


def flag(reader: TypedReader, value: Any, path: KeyPath) -> None:
    """True or false."""
    reader.flag(value, path)


def text(reader: TypedReader, value: Any, path: KeyPath) -> None:
    """A text; it may be empty."""
    if not isinstance(value, str):
        raise reader.refuse_value(path, value, "a text")


def filled_text(reader: TypedReader, value: Any, path: KeyPath) -> None:
    """A text that is not empty."""
    reader.text(value, path)


def anything(reader: TypedReader, value: Any, path: KeyPath) -> None:
    """Any value: one that is only shown."""


def matching(pattern: str, allowed: str) -> Kind:
    """A text of a form."""
    form = re.compile(pattern)

    def checked(reader: TypedReader, value: Any, path: KeyPath) -> None:
        if not isinstance(value, str) or not form.fullmatch(value):
            raise reader.refuse_value(path, value, allowed)

    return checked


def or_nothing(kind: Kind) -> Kind:
    """A value of the kind, or null."""
    return lambda reader, value, path: None if value is None else kind(reader, value, path)


def list_of(kind: Kind, length: int | None = None) -> Kind:
    """A list of such values; with `length`, of exactly so many."""

    def checked(reader: TypedReader, value: Any, path: KeyPath) -> None:
        if not isinstance(value, list | tuple) or (length is not None and len(value) != length):
            raise reader.refuse_value(path, value, "a list" if length is None else f"a list of {length}")
        for place, one in enumerate(value):
            kind(reader, one, (*path, place))

    return checked


def row(*kinds: Kind) -> Kind:
    """A list with one value of each kind, in this order."""

    def checked(reader: TypedReader, value: Any, path: KeyPath) -> None:
        if not isinstance(value, list | tuple) or len(value) != len(kinds):
            raise reader.refuse_value(path, value, f"a list of {len(kinds)}")
        for place, (kind, one) in enumerate(zip(kinds, value, strict=True)):
            kind(reader, one, (*path, place))

    return checked


def table(required: Mapping[str, Kind], optional: Mapping[str, Kind] | None = None) -> Kind:
    """A table with these keys and no others."""
    kinds = {**required, **(optional or {})}

    def checked(reader: TypedReader, value: Any, path: KeyPath) -> None:
        for key, one in reader.table(value, path, kinds, required).items():
            kinds[key](reader, one, (*path, key))

    return checked


def open_table(known: Mapping[str, Kind]) -> Kind:
    """A table with any keys; those that are known have their kinds."""

    def checked(reader: TypedReader, value: Any, path: KeyPath) -> None:
        map_of(anything)(reader, value, path)
        for key, kind in known.items():
            if key in value:
                kind(reader, value[key], (*path, key))

    return checked


def map_of(kind: Kind) -> Kind:
    """A table with any keys, and values of one kind."""

    def checked(reader: TypedReader, value: Any, path: KeyPath) -> None:
        if not isinstance(value, Mapping):
            raise reader.refuse_value(path, value, "a table")
        for key, one in value.items():
            kind(reader, one, (*path, str(key)))

    return checked
