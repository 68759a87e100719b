"""Damage: texts, binary files and databases changed in ways that accidents and enemies would choose.

All of it is decided by the dice that are given, so that a case can be made again from its number.
"""

import contextlib
import random
import re
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

LARGEST = 200_000
"""Bytes of a damaged file: small files that hang are looked for, not large ones that take long."""

NUMBERS = (
    b"0", b"-1", b"-0", b"1e400", b"1e-400", b"1e99999999", b"-1e-99999999", b"nan", b"inf", b"0x10", b"1_0", b"01",
    b"2147483647", b"2147483648", b"4294967295", b"4294967296", b"9223372036854775807", b"18446744073709551616",
    b"9" * 30, b"9" * 5_000, b"0." + b"3" * 400, b"1.5", b"0.001", b"1/3", b"true", b"[]", b"''", b"{}", b"",
)  # fmt: skip
SIGNS = (
    b"\0", b"\x1b[2J", b"\x9b", b"\xff", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b" ",
    b"\\", b"\\u0000", b"'", b'"', b"'''", b'"""', b"#", b"=", b",", b".", b"..", b"|", b"/", b":", b";", b"-", b"+",
    b"[", b"]", b"[[", b"]]", b"{", b"}", b"(", b")", b"<", b">", b"&", b"%", b"$", b"*", b"??", b"\xd9\xa3", b"x",
)  # fmt: skip

_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_TOKEN = re.compile(rb"\w+|[^\w\s]")

Dice = random.Random
Step = Callable[[bytearray, Dice, Sequence[bytes]], None]


def damaged_text(samples: Sequence[bytes], dice: Dice, words: Sequence[bytes] = ()) -> bytes:
    """One of the samples with one to four pieces of damage; `words` are those that the format knows."""
    data = bytearray(dice.choice(samples))
    for _ in range(dice.choice((1, 1, 1, 2, 3, 4))):
        dice.choice(TEXT_STEPS)(data, dice, [*words, *samples])
        del data[LARGEST:]
    return bytes(data)


def damaged_bytes(samples: Sequence[bytes], dice: Dice) -> bytes:
    """One of some binary files with one to three pieces of damage."""
    data = bytearray(dice.choice(samples))
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        dice.choice(BINARY_STEPS)(data, dice, samples)
    return bytes(data)


def damaged_database(samples: Sequence[bytes], dice: Dice) -> bytes:
    """A database with damaged bytes, or with one value, row or statement changed as its own program could do it."""
    if dice.random() < 0.5:
        return damaged_bytes(samples, dice)
    with tempfile.TemporaryDirectory(prefix="luckless-fuzz-") as folder:
        path = Path(folder) / "edited.sqlite"
        path.write_bytes(dice.choice(samples))
        with sqlite3.connect(path, isolation_level=None) as database:
            _edit(database, dice)
        database.close()
        return path.read_bytes()


def _span(data: bytearray, dice: Dice, longest: int = 40) -> slice:
    start = dice.randint(0, len(data))
    return slice(start, start + dice.randint(1, longest))


def _flip(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    if data:
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def _set_byte(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    if data:
        data[dice.randrange(len(data))] = dice.randrange(256)


def _delete(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    del data[_span(data, dice)]


def _cut(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    del data[dice.randint(0, len(data)) :]


def _repeat(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    span = _span(data, dice)
    piece = bytes(data[span])
    data[span.start : span.start] = piece * min(dice.choice((1, 2, 50, 3_000)), LARGEST // max(len(piece), 1))


def _insert(data: bytearray, dice: Dice, words: Sequence[bytes]) -> None:
    place = dice.randint(0, len(data))
    data[place:place] = dice.choice((*SIGNS, *NUMBERS, *words)) * dice.choice((1, 1, 1, 2, 10, 2_000))


def _nest(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    place, opening = dice.randint(0, len(data)), dice.choice((b"[", b"{a=", b'{"a":', b"(", b"[["))
    data[place:place] = opening * dice.choice((3, 60, 3_000))


def _change_number(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    numbers = list(_NUMBER.finditer(data))
    if numbers:
        match = dice.choice(numbers)
        near = str(int(match[0].split(b".")[0][:18]) + dice.choice((-1, 1, 10))).encode()
        data[match.start() : match.end()] = dice.choice((*NUMBERS, *[near] * 10))


def _swap_tokens(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    tokens = list(_TOKEN.finditer(bytes(data)))
    if len(tokens) > 1:
        first, second = sorted(dice.sample(tokens, 2), key=lambda match: match.start())
        data[second.start() : second.end()] = first[0]
        data[first.start() : first.end()] = second[0]


def _swap_lines(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    lines = bytes(data).split(b"\n")
    first, second = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    data[:] = b"\n".join(lines)


def _drop_or_double_line(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    lines = bytes(data).split(b"\n")
    place = dice.randrange(len(lines))
    lines[place : place + 1] = [] if dice.random() < 0.5 else [lines[place]] * dice.choice((2, 3, 300))
    data[:] = b"\n".join(lines)


def _take_from_another(data: bytearray, dice: Dice, others: Sequence[bytes]) -> None:
    other = bytearray(dice.choice(others))
    data[_span(data, dice)] = other[_span(other, dice, 200)]


def _overwrite(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    span = _span(data, dice, 16)
    data[span] = dice.choice((bytes(16), b"\xff" * 16, dice.randbytes(16)))[: len(data[span])]


def _move_page(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    pages = len(data) // 4096
    if pages > 1:
        source, target = dice.randrange(pages), dice.randrange(pages)
        data[4096 * target : 4096 * target + 4096] = data[4096 * source : 4096 * source + 4096]


TEXT_STEPS: tuple[Step, ...] = (
    _flip, _set_byte, _delete, _cut, _repeat, _insert, _nest, _change_number, _change_number, _change_number,
    _swap_tokens, _swap_tokens, _swap_lines, _drop_or_double_line, _take_from_another,
)  # fmt: skip
BINARY_STEPS: tuple[Step, ...] = (_flip, _flip, _flip, _set_byte, _set_byte, _delete, _cut, _overwrite, _move_page)


def _edit(database: sqlite3.Connection, dice: Dice) -> None:
    """One change of a row that is there."""
    tables = [
        name for (name,) in database.execute("select name from sqlite_master where type = 'table' order by name")
    ]
    filled = [name for name in tables if database.execute(f'select count(*) from "{name}"').fetchone()[0]]
    table = dice.choice(filled)
    columns = [name for _, name, *_ in database.execute(f'pragma table_info("{table}")')]
    rows = database.execute(f'select * from "{table}"').fetchall()
    row, place = dice.choice(rows), dice.randrange(len(columns))
    this_row = " and ".join(f'"{column}" is ?' for column in columns)
    kind = dice.random()
    with contextlib.suppress(sqlite3.IntegrityError):  # the table's own rules forbid it
        if kind < 0.1:
            database.execute(f'delete from "{table}" where {this_row}', row)
        elif kind < 0.15:
            database.execute(f'drop table "{table}"')
        else:
            new = _other_value(row[place], dice)
            database.execute(f'update "{table}" set "{columns[place]}" = ? where {this_row}', (new, *row))


def _other_value(value: object, dice: Dice) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return dice.choice((value + 1, value - 1, -value, 0, 2**62, 1e300, None, "x", b"x"))
    if isinstance(value, bytes):
        return damaged_bytes([value], dice)
    if isinstance(value, str):
        return damaged_text([value.encode()], dice).decode("utf-8", "replace")
    return dice.choice((0, "x", b"x", 1.5))
