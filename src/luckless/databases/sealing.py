"""The seal of a database: one digest over all its rows, which every transaction brings up to date.

The digest is the sum of the SHA-256 of each row (and of each table's definition) modulo 2**256. So a transaction adds
what it inserts and takes away what it removes, and the order of rows does not matter. Rows that changed in any other
way, by damage or by hand, no longer sum up to the seal. It is a checksum, not a signature: whoever edits a database
on purpose can compute it anew.
"""

import hashlib
import re
import sqlite3
from typing import Any

TABLE = "seal"
DEFINITION = f"create table {TABLE} (digest text not null)"

_MODULUS = 1 << 256


class Sealer:
    """Follows all that is written through one connection; `write` then brings the seal up to date.

    Triggers that belong to the connection alone report every row, whoever writes the SQL. The seal is read within the
    transaction, so several processes may write one after the other.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._change = 0
        database.create_function("luckless_row", -1, self._note)
        database.execute("pragma recursive_triggers = on")  # `insert or replace` then reports what it replaces
        for table in _tables(database):
            for sql in _triggers(table, _columns(database, table)):
                database.execute(sql)

    def _note(self, sign: int, table: str, *row: Any) -> None:
        self._change += sign * _digest_of(table, row)

    def write(self) -> None:
        """Adds to the seal what has changed since, as a part of the transaction that is open."""
        if not self._change:
            return
        ((before,),) = self._database.execute(f"select digest from {TABLE}").fetchall()
        self._database.execute(f"update {TABLE} set digest = ?", (_text(int(before, 16) + self._change),))
        self._change = 0

    def forget(self) -> None:
        """The transaction was taken back."""
        self._change = 0


def seal(database: sqlite3.Connection) -> None:
    """Gives a database that has none its seal, within the transaction that is open."""
    database.execute(DEFINITION)
    database.execute(f"insert into {TABLE} values (?)", (digest_of(database),))


def has_seal(database: sqlite3.Connection) -> bool:
    """Whether a database has a seal, be it right or wrong."""
    found = database.execute("select 1 from sqlite_schema where name = ?", (TABLE,)).fetchone()
    return found is not None


def broken_seal(database: sqlite3.Connection) -> str:
    """What is wrong with the seal of a database, in a few words; "" if its rows are those that were sealed."""
    rows = database.execute(f"select digest from {TABLE}").fetchall() if has_seal(database) else []
    if len(rows) != 1:
        return "its seal is missing"
    return "" if rows[0][0] == digest_of(database) else "its content is not what was sealed"


def digest_of(database: sqlite3.Connection) -> str:
    """The digest of all rows and of the definitions of their tables."""
    total = 0
    for table, definition in _tables(database).items():
        total += _digest_of("", (table, definition))
        for row in database.execute(f"select * from {table} not indexed"):
            total += _digest_of(table, row)
    return _text(total)


def _text(total: int) -> str:
    return f"{total % _MODULUS:064x}"


def _digest_of(table: str, row: tuple[Any, ...]) -> int:
    """The digest of one row; `repr` tells every value of SQLite apart, and floats to the last bit."""
    return int.from_bytes(hashlib.sha256(repr((table, *row)).encode("utf-8", "surrogatepass")).digest(), "big")


def _tables(database: sqlite3.Connection) -> dict[str, str]:
    """The tables that are sealed, with their definitions."""
    rows = database.execute("select name, sql from sqlite_schema where type = 'table' order by name").fetchall()
    return {name: sql for name, sql in rows if name != TABLE and re.fullmatch(r"[a-z_]+", name)}


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [name for _, name, *_ in database.execute(f"pragma table_info({table})")]


def _triggers(table: str, columns: list[str]) -> list[str]:
    def note(sign: int, row: str) -> str:
        return f"select luckless_row({sign}, '{table}', {', '.join(f'{row}.{name}' for name in columns)});"

    reports = {"insert": note(1, "new"), "delete": note(-1, "old"), "update": note(-1, "old") + note(1, "new")}
    return [
        f"create temp trigger luckless_{event}_{table} after {event} on main.{table} begin {report} end"
        for event, report in reports.items()
    ]
