"""TOML read strictly: lines of keys, types and bounds, and texts that would cost minutes or the stack."""

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from luckless.errors import InputError
from luckless.toml_lines import MOST_BRACKETS, KeyPath, key_lines
from luckless.typed_toml import MOST_BYTES, TypedReader, exact_number, parse_toml, read_text

# Lines


def test_lines_of_keys() -> None:
    lines = key_lines('a = 1\n\n["b".c]\n"d e" = [\n 2,\n]\n[[f]]\n[[f]]\ng.h = 1\n')
    assert lines == {
        ("a",): 1, ("b", "c"): 3, ("b", "c", "d e"): 4, ("f",): 7, ("f", 0): 7, ("f", 1): 8,
        ("f", 1, "g"): 9, ("f", 1, "g", "h"): 9,
    }  # fmt: skip


def test_lines_that_only_look_like_keys_and_tables() -> None:
    texts = (
        'a = """\n[b]\nc = 1\n"""\nd = [\n[1], # e = 3]\n"e = 2",\n]\n',
        '"f\\" = 1" = 2\ng = \'h\u2028\'\n[i]\nj = 1\n',
        "k = '''\n[l]\n\"\"\"''''\n" + 'm = """a\\"""\n[n]"""""\no = { p = [\n1], q = "]" }\nr = ""\n',
    )
    lines = key_lines(texts[0] + texts[1])
    assert lines == {("a",): 1, ("d",): 5, ('f" = 1',): 9, ("g",): 10, ("i",): 11, ("i", "j"): 12}
    assert key_lines(texts[0].replace("\n", "\r\n")) == {("a",): 1, ("d",): 5}
    assert key_lines(texts[2]) == {("k",): 1, ("m",): 4, ("o",): 6, ("r",): 8}
    assert list(tomllib.loads(texts[2])) == ["k", "m", "o", "r"]


def test_tables_in_lists_in_lists_count_anew() -> None:
    text = "[[a]]\n[[a.b]]\n[[a.b]]\n[[a]]\n[[a.b]]\nc = 1\n[a.d]\ne = 1\n"
    lines = key_lines(text)
    assert lines[("a", 0, "b", 1)] == 3
    assert lines[("a", 1, "b", 0, "c")] == 6
    assert lines[("a", 1, "d", "e")] == 8


def paths_in(values: Any, path: KeyPath = ()) -> list[KeyPath]:
    """All paths of tables and keys."""
    paths = [path]
    if isinstance(values, dict):
        for key, value in values.items():
            paths += paths_in(value, (*path, key))
    elif isinstance(values, list):
        for place, entry in enumerate(values):
            paths += paths_in(entry, (*path, place))
    return paths


VALUES = ("1", "'[x] # = '", '"a\\"b"', '"""\n[t]\nk = 1\n"""', "[\n[1],\n'],', # ]\n]", "{ y = 2 }", '""', "1e5")


def written(dice: random.Random) -> tuple[str, dict[KeyPath, int]]:
    """A random text, written line by line, and the lines of its keys as they were written."""
    lines: dict[KeyPath, int] = {}
    text, lists = "", 0
    here: KeyPath = ()
    for number in range(30):
        line, kind = text.count("\n") + 1, dice.choice(["table", "list", "comment", "pair", "pair"])
        if kind == "table":
            here, text = (f"t{number}",), text + f"  [ t{number} ] # [[u]]\n"
        elif kind == "list":
            lines.setdefault(("list",), line)
            here, text, lists = ("list", lists), text + "[[list]]\n", lists + 1
        elif kind == "pair":
            name, quoted = dice.choice([(f"k{number}", f"k{number}"), (f"q. {number}", f"'q. {number}'")])
            text += f"{quoted}\t= {dice.choice(VALUES)} # end\n"
        else:
            text += "\t# k = 1\n\n"
        if kind != "comment":
            lines[(*here, name) if kind == "pair" else here] = line
    return text, lines


@pytest.mark.parametrize("seed", range(40))
def test_lines_of_random_texts(seed: int) -> None:
    text, expected = written(random.Random(seed))
    lines = key_lines(text)
    assert lines == expected
    assert set(lines) <= {*paths_in(tomllib.loads(text))}


# Texts that are too large


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\nb = 1e-99999999", "the exponent of 1e-99999999 is above 400 (at line 2)"),
        ("b = [1.5E+9_999]", "the exponent of 5E+9_999 is above 400 (at line 1)"),
        ("a = " + "[" * 3_000 + "]" * 3_000, "more than 50 brackets are nested (at line 1)"),
        ("a = " + "{a=" * 3_000, "more than 50 brackets"),
        ("a = " + "9" * 5_000, "a number or a key has 5,000 characters; allowed are 300 (at line 1)"),
        ("a" * 301 + " = 1", "a number or a key has 301 characters"),
        (" . ".join("a" * 60) + " = 1", "a key has more than 50 parts (at line 1)"),
        ("[" + ".".join(["'a'"] * 60) + "]", "a key has more than 50 parts"),
    ],
)
def test_what_would_take_too_long_is_refused_first(text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        parse_toml(text, "x.toml", exact_number)
    assert str(error.value).startswith(f"x.toml: {said}")


def test_what_is_at_the_limit_is_read() -> None:
    deep = "[" * MOST_BRACKETS + "]" * MOST_BRACKETS
    assert parse_toml(f"a = {deep}\nb = {'9' * 300}\nc = 1e400", "x", exact_number)[0]["c"] == 10**400


def test_a_list_of_thousands_of_lines() -> None:
    text = "a = [\n" + "  'name of somebody',\n" * 3_000 + "]\nb = 1\n"
    assert key_lines(text) == {("a",): 1, ("b",): 3_003}


NOT_TOML = ("a = ", 'a = "', "a = '''", "]", "=", 'a = """\\"""\\"""', "\0", "a = 1 2", "[a", "a\n= 1")


@pytest.mark.parametrize("text", NOT_TOML)
def test_what_is_no_toml_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(InputError, match=r"^x\.toml: not valid TOML: .+"):
        parse_toml(text, "x.toml")


def test_random_letters_are_read_or_refused() -> None:
    dice = random.Random(1)
    read = 0
    for _ in range(3_000):
        text = "".join(dice.choices("ab.=[]{}\"'#,\n\\ \t1e-", k=dice.randrange(12)))
        try:
            values, reader = parse_toml(text, "x", exact_number)
        except InputError:
            continue
        read += 1
        assert set(reader.lines) <= {*paths_in(values)}
    assert read > 100


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("a = 1", encoding="utf-8-sig")
    assert read_text(path, "the thing") == "a = 1"
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"^cannot read the thing .*x\.toml: it is not a text file"):
        read_text(path, "the thing")
    path.write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(InputError, match=r"too large; allowed is up to 250,000 bytes"):
        read_text(path, "the thing")
    with pytest.raises(InputError, match="Is a directory"):
        read_text(tmp_path, "the thing")


# Types


@dataclass(frozen=True)
class Chair:
    """A table in a list of tables."""

    legs: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Room:
    """A table of everything."""

    name: str
    width: float
    chairs: tuple[Chair, ...]
    open: bool = False
    best: Chair = field(default_factory=lambda: Chair(4))
    prices: Mapping[str, Any] = field(default_factory=dict)


ROOM = """
name = "hall"
width = 3
open = true

[[chairs]]
legs = 4

[[chairs]]
legs = 3
names = ["a", "b"]

[best]
legs = 5

[prices]
tea = 2
"""


def test_a_dataclass_from_a_table() -> None:
    values, reader = parse_toml(ROOM, "room.toml")
    room = reader.record(values, Room)
    assert room == Room("hall", 3.0, (Chair(4), Chair(3, ("a", "b"))), True, Chair(5), {"tea": 2})
    assert isinstance(room.width, float)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('name = "hall"', "name = ''"), "line 2: name is ''; allowed is a text in quotation marks"),
        (("width = 3", "width = '3'"), "line 3: width is '3'; allowed is a number"),
        (("width = 3", "width = nan"), "line 3: width is nan; allowed is a number"),
        (("width = 3", "width = -inf"), "line 3: width is -inf; allowed is a number"),
        (("width = 3", ""), "line 1: key 'width' is missing; required are name, width, chairs"),
        (("open = true", "open = 1"), "line 4: open is 1; allowed is true or false"),
        (("legs = 3", "legs = 3.0"), "line 10: chairs.legs is 3.0; allowed is a whole number"),
        (("legs = 3", "leg = 3"), "line 10: unknown key 'chairs.leg'; did you mean 'legs'? Allowed are legs, names"),
        (("legs = 3", ""), "line 9: key 'chairs.legs' is missing; required are legs"),
        (('["a", "b"]', '["a", ""]'), "line 11: chairs.names is ['a', '']; allowed is a list of names in quotation"),
        (('["a", "b"]', str([9] * 99)), f"line 11: chairs.names is {str([9] * 99)[:60]}...; allowed is a list"),
        (("[best]", "[worst]"), "line 13: unknown key 'worst'; allowed are name, width, chairs, open, best, prices"),
        (("[prices]\ntea = 2", "[[prices]]"), "line 16: prices is [{}]; allowed is a table"),
        (("[best]\nlegs = 5", ""), ""),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(change: tuple[str, str], said: str) -> None:
    assert change[0] in ROOM
    values, reader = parse_toml(ROOM.replace(*change, 1), "room.toml")
    if not said:
        assert reader.record(values, Room).best == Chair(4)
        return
    with pytest.raises(InputError) as error:
        reader.record(values, Room)
    assert str(error.value).startswith(f"room.toml, {said}")


def test_bounds() -> None:
    reader = TypedReader("x")
    assert reader.whole(3, ("a",), 1, 3) == 3
    assert reader.number(Fraction(1, 3), ("a",), 0, 1) == Fraction(1, 3)
    for value, low, high, said in (
        (0, 1, None, "x: a is 0; allowed is 1 or more"),
        (-1, 0, 1_000, "x: a is -1; allowed is 0 to 1,000"),
        (5, None, 4, "x: a is 5; allowed is 4 or less"),
    ):
        with pytest.raises(InputError) as error:
            reader.whole(value, ("a",), low, high)
        assert str(error.value) == said
    with pytest.raises(InputError, match=r"^x: a is 1\.5; allowed is 0 to 1$"):
        reader.number(Fraction("1.5"), ("a",), 0, 1)
    with pytest.raises(InputError, match=r"^x: a is 'c'; allowed is b$"):
        reader.one_of("c", ("a",), ["b"])


def test_values_without_lines_are_named_by_their_source() -> None:
    with pytest.raises(InputError, match=r"^settings: chairs\.legs is 'x'; allowed is a whole number$"):
        TypedReader("settings").record({"name": "a", "width": 1, "chairs": [{"legs": "x"}]}, Room)


def test_numbers_beyond_any_float_are_refused_with_a_sentence() -> None:
    for text, shown in (("1e400", "inf"), ("-1e400", "-inf"), ("1.5e399", "inf")):
        values, reader = parse_toml(f"a = {text}", "x", exact_number)
        with pytest.raises(InputError, match=rf"^x, line 1: a is {shown}; allowed is 0 to 1$"):
            reader.number(values["a"], ("a",), 0, 1)
