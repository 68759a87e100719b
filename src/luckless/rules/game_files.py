"""Games by name and in files: TOML in and out, plain values for JSON, and which reader a file needs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.rules.game import MAX_SEATS, STREETS, Game, Rake
from luckless.typed_toml import WHOLE, TypedReader, parse_toml, read_text

NAMED_GAMES = Path(__file__).parent / "games"
GAME_KEYS = (
    "name",
    "betting",
    "seats",
    "blinds",
    "antes",
    "posts",
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
    text = read_text(path, "game file")
    if path.suffix == ".game":
        from luckless.rules.acpc_definition import parse_definition

        return parse_definition(text, name=path.stem, source=str(path))
    return game_of_toml(text, str(path))


def game_of_toml(text: str, source: str) -> Game:
    """The game that a TOML text describes; without a `name` it is called after its file."""
    values, reader = parse_toml(text, source)
    return _game_of({"name": Path(source).stem} | values, reader)


def game_of_values(values: Mapping[str, Any], source: str) -> Game:
    """The game that plain values describe. One number for `stacks`, `antes` or `max_bets` stands for every entry."""
    return _game_of(values, TypedReader(source))


def _game_of(given: Mapping[str, Any], reader: TypedReader) -> Game:
    values = reader.table(given, (), GAME_KEYS, REQUIRED_KEYS)
    seats = reader.whole(values["seats"], ("seats",))
    places = min(max(seats, 0), MAX_SEATS)  # more seats are refused below, and must not cost memory before
    fields: dict[str, Any] = {
        "name": reader.text(values.get("name", "unnamed"), ("name",)),
        "betting": reader.text(values["betting"], ("betting",)),
        "seats": seats,
        "blinds": _wholes(values.get("blinds", [0] * places), "blinds", reader),
        "first_street": STREETS.index(
            reader.one_of(values.get("first_street", STREETS[0]), ("first_street",), STREETS)
        ),
        "board": tuple(_board(values.get("board", ""), reader)),
        "rake": _rake(values["rake"], reader) if "rake" in values else None,
    }
    for key in ("pot", "unit"):
        fields[key] = reader.whole(values.get(key, 0), (key,))
    for key, count in (("stacks", places), ("antes", places), ("posts", places), ("bet_sizes", 4), ("max_bets", 4)):
        fields[key] = _wholes(values.get(key, 0), key, reader, count)
    try:
        return Game(**fields)
    except InputError as error:
        raise InputError(f"{reader.source}: {error}") from None


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


def _wholes(value: object, key: str, reader: TypedReader, count: int | None = None) -> tuple[int, ...]:
    """A list of whole numbers; with `count`, one number stands for that many equal ones."""
    if isinstance(value, list):
        return tuple(_entry(entry, key, reader) for entry in value)
    if count is None or isinstance(value, bool) or not isinstance(value, int):
        one = "" if count is None else "a whole number or "
        raise reader.refuse_value((key,), value, f"{one}a list of whole numbers")
    return (value,) * max(count, 0)


def _entry(value: object, key: str, reader: TypedReader) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise reader.refuse((key,), f"an entry of {key} is {value!r}; allowed is {WHOLE}")
    return value


def _board(value: object, reader: TypedReader) -> list[int]:
    if not isinstance(value, str):
        raise reader.refuse_value(("board",), value, "cards in quotation marks, such as 'Ks5h3d'")
    try:
        return parse_cards(value)
    except InputError as error:
        raise reader.refuse(("board",), f"board: {error}") from None


def _rake(given: object, reader: TypedReader) -> Rake:
    values = reader.table(given, ("rake",), RAKE_KEYS, ("per_mille",))
    per_mille = reader.whole(values["per_mille"], ("rake", "per_mille"))
    cap = reader.whole(values.get("cap", 0), ("rake", "cap"))
    no_flop_no_drop = reader.flag(values.get("no_flop_no_drop", True), ("rake", "no_flop_no_drop"))
    try:
        return Rake(per_mille=per_mille, cap=cap, no_flop_no_drop=no_flop_no_drop)
    except InputError as error:
        raise reader.refuse(("rake",), str(error)) from None
