"""Games by name and in files: TOML in and out, plain values for JSON, and which reader a file needs."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.rules.game import MAX_SEATS, STREETS, Game, Rake

NAMED_GAMES = Path(__file__).parent / "games"
GAME_KEYS = (
    "name",
    "betting",
    "seats",
    "blinds",
    "antes",
    "stacks",
    "bet_sizes",
    "max_bets",
    "first_street",
    "pot",
    "board",
    "unit",
    "rake",
)
REQUIRED_KEYS = ("betting", "seats", "stacks")
RAKE_KEYS = ("per_mille", "cap", "no_flop_no_drop")


def game_names() -> list[str]:
    """Names of the games that come with the package, in alphabetical order."""
    return sorted(path.stem for path in NAMED_GAMES.glob("*.toml"))


def load_game(name_or_path: str | Path) -> Game:
    """A game by its name, from a TOML file, or from a competition's game definition (`.game`)."""
    path = Path(name_or_path)
    if path.suffix not in (".toml", ".game"):
        if str(name_or_path) not in game_names():
            raise InputError(
                f"no game is called {str(name_or_path)!r}; allowed is a .toml or .game file, or one of "
                + ", ".join(game_names())
            )
        path = NAMED_GAMES / f"{name_or_path}.toml"
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise InputError(f"cannot read game file {path}: {reason}") from None
    if path.suffix == ".game":
        from luckless.rules.acpc_definition import parse_definition

        return parse_definition(text, name=path.stem, source=str(path))
    return game_of_toml(text, str(path))


def game_of_toml(text: str, source: str) -> Game:
    """The game that a TOML text describes; without a `name` it is called after its file."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source}: not valid TOML: {error}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, or as many brackets in each other
        raise InputError(f"{source}: not valid TOML: a number or a list in it is too large to read") from None
    return game_of_values({"name": Path(source).stem} | values, source)


def game_of_values(values: Mapping[str, Any], source: str) -> Game:
    """The game that plain values describe. One number for `stacks`, `antes` or `max_bets` stands for every entry."""
    _refuse_unknown(values, GAME_KEYS, source, "")
    for key in REQUIRED_KEYS:
        if key not in values:
            raise InputError(f"{source}: key {key!r} is missing; a game needs {', '.join(REQUIRED_KEYS)}")
    seats = _whole(values["seats"], "seats", source)
    places = min(max(seats, 0), MAX_SEATS)  # more seats are refused below, and must not cost memory before
    fields: dict[str, Any] = {
        "name": _text(values.get("name", "unnamed"), "name", source),
        "betting": _text(values["betting"], "betting", source),
        "seats": seats,
        "blinds": _wholes(values.get("blinds", [0] * places), "blinds", source),
        "first_street": _street(values.get("first_street", STREETS[0]), source),
        "board": tuple(_board(values.get("board", ""), source)),
        "rake": _rake(values["rake"], source) if "rake" in values else None,
    }
    for key in ("pot", "unit"):
        fields[key] = _whole(values.get(key, 0), key, source)
    for key, count in (("stacks", places), ("antes", places), ("bet_sizes", 4), ("max_bets", 4)):
        fields[key] = _wholes(values.get(key, 0), key, source, count)
    try:
        return Game(**fields)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


def toml_of_game(game: Game) -> str:
    """The game as TOML text, one key a line."""
    values = game.to_dict()
    rake = values.pop("rake", None)
    lines = [f"{key} = {_toml_value(value)}" for key, value in values.items()]
    if rake:
        lines += ["", "[rake]", *(f"{key} = {_toml_value(value)}" for key, value in rake.items())]
    return "\n".join(lines) + "\n"


def _toml_value(value: str | bool | int | list[int]) -> str:
    # Strings, whole numbers, booleans and lists of numbers are written alike in JSON and TOML, once JSON's DEL and
    # surrogate escapes are out of the way: keep the characters as they are and escape DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _refuse_unknown(values: Mapping[str, Any], allowed: tuple[str, ...], source: str, table: str) -> None:
    for key in values:
        if key not in allowed:
            raise InputError(f"{source}: unknown key {table + str(key)!r}; allowed keys are {', '.join(allowed)}")


def _whole(value: Any, key: str, source: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{source}: {key} is {value!r}; allowed is a whole number")
    return value


def _wholes(value: Any, key: str, source: str, count: int | None = None) -> tuple[int, ...]:
    """A list of whole numbers; with `count`, one number stands for that many equal ones."""
    if isinstance(value, list):
        return tuple(_whole(entry, f"an entry of {key}", source) for entry in value)
    if count is None or isinstance(value, bool) or not isinstance(value, int):
        one = "" if count is None else "a whole number or "
        raise InputError(f"{source}: {key} is {value!r}; allowed is {one}a list of whole numbers")
    return (value,) * max(count, 0)


def _text(value: Any, key: str, source: str) -> str:
    if not isinstance(value, str) or not value:
        raise InputError(f"{source}: {key} is {value!r}; allowed is a text in quotation marks")
    return value


def _street(value: Any, source: str) -> int:
    if value not in STREETS:
        raise InputError(f"{source}: first_street is {value!r}; allowed is {', '.join(STREETS)}")
    return STREETS.index(value)


def _board(value: Any, source: str) -> list[int]:
    if not isinstance(value, str):
        raise InputError(f"{source}: board is {value!r}; allowed is cards in quotation marks, such as 'Ks5h3d'")
    try:
        return parse_cards(value)
    except InputError as error:
        raise InputError(f"{source}: board: {error}") from None


def _rake(value: Any, source: str) -> Rake:
    if not isinstance(value, Mapping):
        raise InputError(f"{source}: rake is {value!r}; allowed is a table with {', '.join(RAKE_KEYS)}")
    _refuse_unknown(value, RAKE_KEYS, source, "rake.")
    if "per_mille" not in value:
        raise InputError(f"{source}: key 'rake.per_mille' is missing; a rake needs its thousandths of a pot")
    no_flop_no_drop = value.get("no_flop_no_drop", True)
    if not isinstance(no_flop_no_drop, bool):
        raise InputError(f"{source}: rake.no_flop_no_drop is {no_flop_no_drop!r}; allowed is true or false")
    try:
        return Rake(
            per_mille=_whole(value["per_mille"], "rake.per_mille", source),
            cap=_whole(value.get("cap", 0), "rake.cap", source),
            no_flop_no_drop=no_flop_no_drop,
        )
    except InputError as error:
        raise InputError(str(error) if str(error).startswith(source) else f"{source}: {error}") from None
