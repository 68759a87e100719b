"""The seal of a database follows every change that is made through our connection."""

import random
import sqlite3
from contextlib import closing

from luckless.databases.sealing import Sealer, broken_seal, seal


def test_every_change_through_our_connection_keeps_the_seal() -> None:
    """Random statements, taken back now and then: the sum that grows is the sum of all rows."""
    chance = random.Random(1)
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("create table a (k text primary key, v text not null)")
        database.execute("create table f (d integer, n integer, c real not null, primary key (d, n)) without rowid")
        seal(database)
        database.commit()
        sealer = Sealer(database)
        for _ in range(500):
            small, big = chance.randrange(5), chance.choice((1, 2.5, -0.0, 10**17))
            sql, *values = chance.choice(
                (
                    ("insert or replace into a values (?, ?)", str(small), f"é\0{big}"),
                    ("insert or replace into f values (?, ?, ?)", small, chance.randrange(5), big),
                    ("delete from f where d = ?", small),
                    ("update f set c = c + 1 where n = ?", small),
                )
            )
            database.execute(sql, values)
            if chance.random() < 0.2:
                database.rollback()
                sealer.forget()
            else:
                sealer.write()
                database.commit()
            assert broken_seal(database) == ""
        database.execute("update a set v = v || 'x'")
        assert broken_seal(database) != ""
