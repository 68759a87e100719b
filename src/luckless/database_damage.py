"""Checks whether an SQLite file is damaged. Every catalogue is checked before its values are used."""

import sqlite3


def damage_in(database: sqlite3.Connection) -> str:
    """What is wrong with a database, in a few words; "" if its pages, references, types and texts are sound."""
    try:
        (verdict,) = database.execute("pragma quick_check(1)").fetchone()
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
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) not in (
            sqlite3.SQLITE_ERROR,  # a name that is not there; text that is not valid has no code
            sqlite3.SQLITE_CORRUPT,
            sqlite3.SQLITE_NOTADB,
        ):
            raise  # the disk, not the file
        return ascii(str(error))[1:-1]
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
