"""Checks whether an SQLite file is damaged. Every catalogue is checked before its values are used."""

import re
import sqlite3

from luckless.databases.opening import is_fault_of_disk


def damage_in(database: sqlite3.Connection) -> str:
    """What is wrong with a database, in a few words; "" if its pages, indices, references, types and texts are sound.

    Views, triggers and computed columns are refused: ours have none, and in a file from elsewhere they could run
    for ever.
    """
    try:
        strange = _strange_definition(database)
        if strange:
            return strange
        (verdict,) = database.execute("pragma integrity_check(1)").fetchone()  # a quick one skips indices
        if verdict != "ok":
            return " ".join(verdict.split())
        lost = database.execute("pragma foreign_key_check").fetchone()
        if lost is not None:
            return f"a row of {lost[0]} names one of {lost[2]} that is not there"
        for (table,) in database.execute("select name from sqlite_schema where type = 'table'").fetchall():
            damage = _strange_value(database, table)
            if damage:
                return damage
    except UnicodeDecodeError:  # the reason names a table or a column, and the damage is in that name
        return "names in it are not text"
    except sqlite3.DatabaseError as error:
        if is_fault_of_disk(error):
            raise
        return ascii(str(error))[1:-1]
    return ""


def _strange_definition(database: sqlite3.Connection) -> str:
    """Something in the database that is neither a plain table nor an index that SQLite made for one."""
    for kind, name, sql in database.execute("select type, name, sql from sqlite_schema").fetchall():
        if kind == "index" and sql is None:
            continue
        is_plain = kind == "table" and isinstance(sql, str) and re.match(r"create table\b", sql, re.IGNORECASE)
        if not is_plain or re.search(r"\b(generated|as)\b", sql, re.IGNORECASE):
            return f"it holds a {ascii(kind)[1:-1]} {ascii(name)[1:-1]}, which does not belong there"
    return ""


def _strange_value(database: sqlite3.Connection, table: str) -> str:
    """A value that does not have its column's type; reading every row also finds text that is not valid."""
    columns = [(name, kind.lower()) for _, name, kind, *_ in database.execute(f"pragma table_info({table})")]
    for name, kind in columns:
        strange = f"{name} is not null and typeof({name}) not in ('{kind}', 'integer')"
        if kind == "text":
            strange = f"typeof({name}) <> 'text'"
        if database.execute(f"select 1 from {table} where {strange} limit 1").fetchone():
            return f"a {name} in {table} is no {kind}"
    for _ in database.execute(f"select * from {table} not indexed"):  # an index may hold a sound copy
        pass
    return ""
