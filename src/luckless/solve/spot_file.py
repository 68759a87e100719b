"""Spots written down: a TOML file, or the words of a command line. Both are the same table of plain values."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.hands.weighted_ranges import parse_weights
from luckless.solve.betting import Stakes
from luckless.solve.menus import Menu, Trimming, parse_sizes
from luckless.solve.spot import STREETS, Spot
from luckless.typed_toml import TypedReader, parse_toml, read_text

DEFAULT_SIZES = "50%,100%,all-in"
_STREET_NAMES = tuple(STREETS.values())
_KEYS = ("board", "ranges", "pot", "stack", "minimum", "rake", "rake_cap", "sizes", *_STREET_NAMES, "trim")
_MENU_KEYS = ("bets", "raises", "donk")
_TRIM_KEYS = ("add_all_in", "force_all_in", "merge")


def read_spot(path: Path) -> dict[str, Any]:
    """The values of a TOML file, checked."""
    values, reader = parse_toml(read_text(path, "spot"), str(path))
    make_spot(values, reader)
    return values


def make_spot(given: Mapping[str, Any], reader: TypedReader | None = None) -> Spot:
    """The spot that plain values describe."""
    reader = reader or TypedReader("spot")
    values = reader.table(given, (), _KEYS, ("board", "pot", "stack"))
    board = tuple(_placed(reader, ("board",), parse_cards, reader.text(values["board"], ("board",))))
    ranges = _range_texts(values.get("ranges", ["??", "??"]), reader)
    weights = tuple(_placed(reader, ("ranges",), parse_weights, text) for text in ranges)
    stakes = Stakes(
        reader.whole(values["pot"], ("pot",), 1, 10**9),
        reader.whole(values["stack"], ("stack",), 1, 10**9),
        reader.whole(values.get("minimum", 1), ("minimum",), 1, 10**9),
        float(reader.number(values.get("rake", 0.0), ("rake",), 0, 1)),
        float(reader.number(values.get("rake_cap", 1e18), ("rake_cap",), 0)),
    )
    names = _STREET_NAMES[len(board) - 3 :] if len(board) in STREETS else ()
    menus = [_menu(values.get(name, values.get("sizes", {})), name, reader) for name in names]
    trim = reader.table(values.get("trim", {}), ("trim",), _TRIM_KEYS)
    shares = [float(reader.number(trim.get(key, 0.0), ("trim", key), 0, 100)) for key in _TRIM_KEYS]
    first, second = weights
    return Spot(board, (first, second), stakes, menus, Trimming(*shares), (ranges[0], ranges[1]))


def _range_texts(given: Any, reader: TypedReader) -> tuple[str, ...]:
    """Both ranges as they were written."""
    if isinstance(given, list) and any(isinstance(text, str) and not text.strip() for text in given):
        raise reader.refuse_value(("ranges",), given, "two ranges, neither of them empty, such as TT+,AQs and ??")
    ranges = reader.texts(given, ("ranges",))
    if len(ranges) != 2:
        raise reader.refuse_value(("ranges",), list(ranges), "two ranges, the first player's first")
    return tuple(ranges)


def _menu(given: Any, street: str, reader: TypedReader) -> Menu:
    table = reader.table(given, (street,), _MENU_KEYS)
    bets = str(table.get("bets", DEFAULT_SIZES))
    raises = str(table.get("raises", bets))
    donk = table.get("donk")
    return Menu(
        parse_sizes(bets, f"{reader.source}, bets of the {street}"),
        parse_sizes(raises, f"{reader.source}, raises of the {street}", raises=True),
        None if donk is None else parse_sizes(str(donk), f"{reader.source}, donk bets of the {street}"),
    )


def _placed(reader: TypedReader, path: tuple[str, ...], parse: Any, text: str) -> Any:
    try:
        return parse(text)
    except InputError as error:
        raise reader.refuse(path, str(error)) from None


def sizes_of_words(words: list[str]) -> dict[str, dict[str, str]]:
    """The tables of `--sizes [STREET=]BETS[/RAISES]`, given once for all streets or once a street."""
    tables: dict[str, dict[str, str]] = {}
    for word in words:
        street, equals, menu = word.rpartition("=")
        name = street.strip() if equals else "sizes"
        if name != "sizes" and name not in _STREET_NAMES:
            raise InputError(f"--sizes {word!r}: {name!r} is not a street; allowed is {', '.join(_STREET_NAMES)}")
        if name in tables:
            raise InputError(f"--sizes is given twice for {'all streets' if name == 'sizes' else 'the ' + name}")
        bets, slash, raises = menu.partition("/")
        tables[name] = {"bets": bets, "raises": raises} if slash else {"bets": bets}
    return tables
