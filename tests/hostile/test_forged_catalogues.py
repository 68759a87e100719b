"""A forger edits catalogues, and seals them again where he can. What contradicts the hands is always found.

The judge is an oracle of the test's own: it reads the chunks with pyarrow and adds up payoffs, with nothing of ours.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from forging import MATCH, SEASON, edit, reseal, set_setting, setting, unseal
from league_season import play as play_season
from league_season import use_fakes
from luckless.bots.catalogue import load_bot
from luckless.databases.opening import SaveError, open_for_reading
from luckless.databases.sealing import Sealer, broken_seal, seal
from luckless.errors import InputError
from luckless.histories import match_writer
from luckless.histories.catalogue import Catalogue
from luckless.histories.match_writer import play_stored
from luckless.histories.session_writer import play_stored_sessions
from luckless.histories.store import StoredHands
from luckless.histories.stored_match import load_match_result
from luckless.histories.verifying import verify
from luckless.league.results import fingerprint
from luckless.league.run import Run
from luckless.matches.session import Sessions
from luckless.rules.game import Game
from luckless.verification import verify_stored
from stored_hands import plan

LIMIT = Game.load("limit-hu")
CHUNK = 256


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stored match of three chunks, which nobody changes."""
    folder = tmp_path_factory.mktemp("played") / "m"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_writer, "COMPILED_HANDS", CHUNK)
        play_stored(plan(LIMIT, 2 * CHUNK + 100, bots=("uniform", "call")), folder)
    return folder


@pytest.fixture
def match(played: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(played, tmp_path / "m")
    return tmp_path / "m"


def won(folder: Path) -> list[int]:
    """The oracle: what each player won, straight from the chunks."""
    chips = [0, 0]
    for path in sorted(folder.glob("hands-*.parquet")):
        table = pq.read_table(path).to_pydict()
        for seat in (0, 1):
            for player, payoff in zip(table[f"player_{seat}"], table[f"payoff_{seat}"], strict=True):
                chips[player] += payoff
    return chips


def change(key: str, *path: Any) -> Callable[[Path], None]:
    """A forgery of one value of a setting, found by its path: numbers grow, texts and flags change."""

    def forge(catalogue: Path) -> None:
        value = inner = setting(catalogue, key)
        for step in path[:-1]:
            inner = inner[step]
        old = inner[path[-1]]
        inner[path[-1]] = not old if isinstance(old, bool) else old + 1 if isinstance(old, int | float) else f"{old}x"
        set_setting(catalogue, key, value)

    return forge


def result_row(key: str) -> Callable[[Path], None]:
    """A forgery of what `--json` shows of a bot."""

    def forge(catalogue: Path) -> None:
        with closing(sqlite3.connect(catalogue)) as database:
            ((text,),) = database.execute("select result from results where player = 0").fetchall()
        row = json.loads(text)
        row[key] = f"{row[key]}x" if isinstance(row[key], str) else (row[key] or 0) + 1
        edit(catalogue, ("update results set result = ? where player = 0", json.dumps(row)))

    return forge


def sql(*steps: tuple[Any, ...]) -> Callable[[Path], None]:
    """A forgery by SQL."""
    return lambda catalogue: edit(catalogue, *steps)


FORGERIES: dict[str, Callable[[Path], None]] = {
    "the chips that were won": change("record", "tally", "net_chips", 0),
    "chips in a seat": change("record", "tally", "seat_chips", 0, 1),
    "the sum of sets": change("record", "tally", "sets", 0, "sums", 0),
    "the spread of sets": change("record", "tally", "sets", 1, "moments", 2),
    "the line": change("record", "tally", "line", 3, 1, 0),
    "hands by result": change("record", "tally", "result_hands", 0, 20),
    "the number of hands": change("record", "tally", "hands"),
    "hands of the result": change("result", "hands"),
    "the seed of the result": change("result", "seed"),
    "that it was interrupted": change("result", "interrupted"),
    "a win rate": result_row("mbb"),
    "a standard error": result_row("stderr_mbb"),
    "the name of a result": result_row("name"),
    "faults of a result": result_row("faults"),
    "the name of a bot": sql(("update bots set name = 'raise' where player = 1",)),
    "the code of a bot": sql(("update bots set code_sha256 = '' where player = 1",)),
    "the parameters of a bot": sql(("update bots set parameters = '[9]' where player = 1",)),
    "bots in another order": sql(
        ("update bots set player = 9 where player = 0",),
        ("update bots set player = 0 where player = 1",),
        ("update bots set player = 1 where player = 9",),
    ),
    "the seed": lambda path: set_setting(path, "seed", "4"),
    "a seed that is none": lambda path: set_setting(path, "seed", "-1"),
    "the decks": lambda path: set_setting(path, "decks", "fresh"),
    "decks that there are not": lambda path: set_setting(path, "decks", "duplicatf"),
    "the size of a set": lambda path: set_setting(path, "set_size", 1),
    "hands to play": lambda path: set_setting(path, "hands", 10**15 + 1),
    "more hands to play": lambda path: set_setting(path, "hands", 10_000),
    "the stacks": change("game", "stacks", 0),
    "the bets": change("game", "bet_sizes", 3),
    "the name of the game": change("game", "name"),
    "the specs": lambda path: set_setting(path, "specs", ["uniform", "raise"]),
    "clocks that are none": lambda path: set_setting(path, "clocks", [-1, 2, 3]),
    "the versions": change("versions", "luckless"),
    "an unknown setting": sql(("insert into settings values ('colour', '1')",)),
    "a setting that is gone": sql(("delete from settings where key = 'specs'",)),
    "a chunk less": sql(("delete from chunks where first = (select max(first) from chunks)",)),
    "a chunk less in between": sql((f"delete from chunks where first = {CHUNK}",)),
    "fewer hands in a chunk": sql(("update chunks set hands = hands - 2 where first = 0",)),
    "a file from elsewhere": sql(("update chunks set hands_file = '/dev/zero' where first = 0",)),
    "a file above": sql(("update chunks set hands_file = '../m/' || hands_file where first = 0",)),
    "faults": sql(("insert into fault_counts values (0, 0, 'slow', 3)",)),
    "faults without end": sql(("insert into fault_counts values (0, 0, 'slow', 900000000000)",)),
    "faults of nobody": sql(("insert into faults values (0, 77, 'slow', 0, '')",)),
    "a view in place of a table": sql(
        ("alter table results rename to results_",),
        ("create view results as with recursive n(i) as (select 1 union all select i + 1 from n) select * from n",),
    ),
    "a trigger": sql(("create trigger t after insert on results begin delete from chunks; end",)),
    "text that is no JSON": sql(("update settings set value = '[' where key = 'game'",)),
    "brackets without end": lambda path: edit(
        path, ("update settings set value = ? where key = 'result'", "[" * 100_000)
    ),
}


@pytest.mark.parametrize("sealed", ["sealed anew", "left unsealed", "of an earlier version"])
@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_catalogue_is_found(match: Path, forgery: str, sealed: str) -> None:
    path, before = match / MATCH, won(match)
    FORGERIES[forgery](path)
    if sealed == "sealed anew":
        reseal(path)
    elif sealed == "of an earlier version":
        unseal(path)
    try:
        found = verify(match)
    except InputError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert str(path) in refused
        return
    assert sealed != "left unsealed", "the seal must have told"
    assert won(match) == before, "the hands are as they were"
    assert found.failures, forgery


def test_an_honest_match_is_well_however_it_is_sealed(match: Path) -> None:
    told = load_match_result(match).to_dict()["bots"]
    assert [bot["net_chips"] for bot in told] == won(match)
    assert (verify(match).failures, verify(match).notes) == (0, [])
    reseal(match / MATCH)
    assert verify(match).failures == 0
    unseal(match / MATCH)
    found = verify(match)
    assert found.failures == 0
    assert "carries no seal" in found.notes[0]


def test_chunks_that_were_swapped_or_added_are_found(match: Path, tmp_path: Path) -> None:
    """The bytes of another match under our names, and the catalogue told their checksums."""
    import hashlib

    other = tmp_path / "other"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_writer, "COMPILED_HANDS", CHUNK)
        play_stored(plan(LIMIT, 2 * CHUNK + 100, seed=4, bots=("uniform", "call")), other)
    for name in (f"hands-{CHUNK:012d}.parquet", f"actions-{CHUNK:012d}.parquet"):
        data = (other / name).read_bytes()
        (match / name).write_bytes(data)
        kind = name.partition("-")[0]
        values = (len(data), hashlib.sha256(data).hexdigest(), CHUNK)
        edit(match / MATCH, (f"update chunks set {kind}_bytes = ?, {kind}_sha256 = ? where first = ?", *values))
    reseal(match / MATCH)
    problems = verify(match).problems
    assert any("other settings (seed)" in problem for problem in problems), problems
    assert any("not those that the seed deals" in problem for problem in problems), problems


def test_a_stray_chunk_is_found(match: Path) -> None:
    edit(match / MATCH, (f"delete from chunks where first = {2 * CHUNK}",))
    set_setting(match / MATCH, "hands", 2 * CHUNK)
    reseal(match / MATCH)
    assert any("but not in the catalogue" in problem for problem in verify(match).problems)


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    """Stored sessions."""
    players = [load_bot(bot) for bot in ("random", "call")]
    play_stored_sessions(Sessions.plan(players, rounds=6, stack=100, games=20, seed=2), tmp_path / "s")
    return tmp_path / "s"


@pytest.mark.parametrize(
    "forge",
    [
        change("record", "chips", 3, 0),
        change("record", "rounds", 3),
        change("result", "games"),
        result_row("mean_chips"),
        result_row("busts"),
        lambda path: set_setting(path, "rounds", 7),
        lambda path: set_setting(path, "games", 21),
        sql(("update bots set name = 'raise' where player = 1",)),
    ],
)
def test_forged_sessions_are_found(sessions: Path, forge: Callable[[Path], None]) -> None:
    assert verify(sessions).failures == 0
    forge(sessions / MATCH)
    with pytest.raises(InputError, match="not what was sealed"):
        verify(sessions)
    reseal(sessions / MATCH)
    assert verify(sessions).failures


def flips(path: Path, number: int, seed: int = 1) -> list[bytes]:
    """The bytes of a file with a few bytes overwritten at random, many times over."""
    whole, chance = path.read_bytes(), random.Random(seed)
    used = [place for place, byte in enumerate(whole) if byte]
    changed = []
    for _ in range(number):
        place, length = chance.choice(used), chance.choice((1, 1, 1, 4, 16))
        changed.append((whole[:place] + chance.randbytes(length) + whole[place + length :])[: len(whole)])
    return changed


@pytest.mark.parametrize("number", [150, pytest.param(3000, marks=pytest.mark.slow)])
def test_flipped_bytes_of_a_match_are_refused_or_without_effect(match: Path, number: int) -> None:
    path, right = match / MATCH, StoredHands.open(match)
    with closing(sqlite3.connect(path)) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    refused = 0
    for data in flips(path, number):
        for leftover in match.glob(f"{MATCH}*"):
            leftover.unlink()
        path.write_bytes(data)
        try:
            assert StoredHands.open(match) == right
        except InputError:
            refused += 1
    assert refused > number // 2


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A little season that was played to its end."""
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch.setattr)
        play_season(tmp_path_factory.mktemp("season") / "run")
    return tmp_path_factory.getbasetemp() / next(tmp_path_factory.getbasetemp().glob("season*/run"))


def season_content(directory: Path) -> Any:
    run = Run.open(directory)
    facts = run.store.rows("select * from season order by key")
    content = (fingerprint(run.store), run.season, run.game, facts, run.store.entries())
    run.store.close()
    return content


@pytest.mark.parametrize("number", [100, pytest.param(3000, marks=pytest.mark.slow)])
def test_flipped_bytes_of_a_season_are_refused_or_without_effect(season: Path, tmp_path: Path, number: int) -> None:
    directory = tmp_path / "run"
    directory.mkdir()
    right = season_content(season)
    with closing(sqlite3.connect(season / SEASON)) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    refused = 0
    for data in flips(season / SEASON, number):
        for leftover in directory.iterdir():
            leftover.unlink()
        (directory / SEASON).write_bytes(data)
        try:
            assert season_content(directory) == right
        except InputError:
            refused += 1
    assert refused > number // 2


SEASON_FORGERIES = {
    "a win": "update entrants set chips = chips + 6 where agent = (select min(agent) from entrants)",
    "a win and a loss": "update entrants set chips = chips + case agent % 2 when 0 then 60 else -60 end "
    "where division = 3 and number = 0",
    "somebody else": "update entrants set agent = agent + 1 where (division, number, agent) = "
    "(select division, number, max(agent) from entrants where division = 3 and number = 1)",
    "a seed": "update rounds set seed = seed + 1 where number = 2",
    "hands": "update rounds set hands = hands + 1 where number = 2",
    "a round less": "delete from rounds where division = 0 and number = 1",
    "the name of an agent": "update agents set name = 'Nobody' where id = 2",
    "weights elsewhere": "update agents set weights = '../../x' where weights <> ''",
    "other weights": f"update agents set sha256 = '{'0' * 64}' where weights <> ''",
    "a learner elsewhere": "update agents set learner = '/etc/passwd' where learner <> ''",
    "a style": "update styles set folds = folds + 1",
    "a flow": "update flows set chips = chips + 5 where number = 0",
    "its file": "update season set value = replace(value, 'seed = 7', 'seed = 8') where key = 'config'",
    "the settings": "update season set value = replace(value, '\"seed\": 7', '\"seed\": 8') where key = 'settings'",
    "the processes": "update season set value = '-1' where key = 'workers'",
    "an unknown fact": "insert into season values ('colour', 'red')",
}


@pytest.mark.parametrize("forgery", SEASON_FORGERIES)
def test_a_forged_season_is_found(season: Path, tmp_path: Path, forgery: str) -> None:
    shutil.copytree(season, tmp_path / "run")
    path = tmp_path / "run" / SEASON
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch.setattr)
        edit(path, (SEASON_FORGERIES[forgery],))
        with pytest.raises(InputError, match="not what was sealed"):
            Run.open(tmp_path / "run")
        reseal(path)
        try:
            found = bool(verify_stored(tmp_path / "run").failures)
        except InputError as error:
            found = "is damaged" in str(error)
        assert found, forgery


def test_an_honest_season_is_well_and_its_teachers_play_again(season: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch.setattr)
        found = verify_stored(season, bots=True)
    assert (found.failures, found.problems, found.reproduced) == (0, [], True)
    assert found.rounds > 20


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


READ = """
import os, sys
from pathlib import Path
from luckless.histories.store import StoredHands
StoredHands.open(Path(sys.argv[2]))  # loads all that is needed, which the other user may not see
os.setuid(65534)
stored = StoredHands.open(Path(sys.argv[1]))
print(stored.hands, stored.settings["clocks"])
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
def test_a_read_only_folder_with_a_log_is_read_with_its_log(match: Path) -> None:
    """The last transactions are in the write-ahead log alone, and who reads may not write there."""
    catalogue = Catalogue.open(match)
    catalogue.set(clocks=[1.0, 2.0, 3.0])
    with tempfile.TemporaryDirectory() as place:  # pytest's own folders are closed to others
        Path(place).chmod(0o755)
        copy = Path(place, "copy")
        shutil.copytree(match, copy)  # with the log, as a crash leaves it
        catalogue.close()
        (copy / f"{MATCH}-shm").unlink()
        assert (copy / f"{MATCH}-wal").stat().st_size > 0
        copy.chmod(0o555)
        child = [sys.executable, "-c", READ, str(copy), str(match)]
        out = subprocess.run(child, capture_output=True, text=True, check=False)
        assert out.stdout.strip() == f"{2 * CHUNK + 100} [1.0, 2.0, 3.0]", out.stderr
        assert not (copy / f"{MATCH}-shm").exists()


def test_a_log_is_never_left_out(match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a read-only medium, where SQLite cannot make the file that it needs to read a log."""
    catalogue = Catalogue.open(match)
    catalogue.set(clocks=[1.0, 2.0, 3.0])
    connect = sqlite3.connect

    def read_only(name: Any, *rest: Any, **more: Any) -> Any:
        if str(name).endswith("?mode=ro"):
            name = "file:/nowhere/at-all?mode=ro"
        return connect(name, *rest, **more)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    with closing(open_for_reading(match / MATCH)) as database:
        rows = dict(database.execute("select key, value from settings"))
    assert json.loads(rows["clocks"]) == [1.0, 2.0, 3.0]
    catalogue.close()


def test_a_full_disk_inside_the_catalogue_is_one_sentence(match: Path) -> None:
    catalogue = Catalogue.open(match)
    catalogue._connection.execute("pragma max_page_count = 1")  # SQLite then says that the disk is full
    with pytest.raises(SaveError, match="cannot be saved: database or disk is full; what was stored before is safe"):
        catalogue.set(record={"text": "x" * 100_000})
    catalogue.close()
    assert verify(match).failures == 0
