"""convert, replay, query and verify as a user calls them: what they say, what they leave on disk, exit codes."""

import csv
import gzip
import io
import json
import os
import sqlite3
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import luckless as lk
from luckless.cli.query import command as query_command
from luckless.histories.formats import FORMATS
from luckless.histories.hand_detail import details
from luckless.histories.match_writer import MatchWriter
from luckless.histories.store import StoredHands
from luckless.matches.result import play_match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from shell import Shell
from stored_hands import carried, plan, same_columns, written


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys)


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """A stored match of heads-up limit."""
    planned = plan(Game.load("limit-hu"), 600, bots=("uniform", "call"))
    with MatchWriter.open(tmp_path / "match", planned) as writer:
        writer.finish(play_match(planned, on_chunk=writer.add))
    return tmp_path / "match"


def hands_of(folder: Path) -> HandColumns:
    """All hands of a store."""
    return join(list(StoredHands.open(folder).columns()))


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder, but for the lock files of SQLite, which come and go."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }


# convert


@pytest.fixture
def folder_with_unreadable_files(shell: Shell, match: Path) -> Path:
    """Twice 600 hands, and files that are cut off, no gzip, and not there to be opened."""
    folder = match.parent / "logs"
    folder.mkdir()
    shell.json("convert", "match", "logs/a.phhs")
    shell.json("convert", "match", "logs/z.phhs.gz")
    (folder / "cut.phhs.gz").write_bytes((folder / "z.phhs.gz").read_bytes()[:2_000])
    (folder / "none.phhs.gz").write_bytes(b"\x00\x01 no gzip")
    (folder / "secret.log").write_bytes(b"# no game here\n")
    return folder


def test_an_unreadable_file_costs_only_itself(shell: Shell, folder_with_unreadable_files: Path) -> None:
    code, out, err = shell.run("convert", "logs", "all", "--json")
    done = json.loads(out)
    assert code == 1
    assert err.splitlines()[-1].startswith("error: 3 files could not be read: logs/cut.phhs.gz, ")
    assert (done["files"], done["unread_files"]) == (5, 3)
    assert StoredHands.open(Path("all")).hands == done["hands"] >= 1_200
    rejects = Path("all.rejects").read_text()
    for name, reason in (
        ("cut.phhs.gz", "the gzip file is incomplete"),
        ("none.phhs.gz", "it is not a valid gzip file"),
        ("secret.log", "it does not name its game"),
    ):
        assert f"# logs/{name}, not read" in rejects
        assert reason in rejects
    code, out, _ = shell.run("convert", "logs", "again")
    assert (code, "3 files could not be read, or not to the end" in out) == (1, True)
    code, out, _ = shell.run("query", "logs", "--csv", "select count(*) from hands")
    assert (code, out.split()) == (1, ["count_star()", str(done["hands"])])
    with pytest.warns(UserWarning, match="3 files could not be read"):
        assert sum(map(len, lk.read_hands("logs").batches())) == done["hands"]
    with pytest.raises(lk.InputError, match="incomplete"):
        len(lk.read_hands("logs", strict=True))


def test_a_folder_of_unreadable_files_is_an_error(shell: Shell) -> None:
    Path("logs").mkdir()
    for name in ("a.phhs.gz", "b.phhs.gz"):
        (Path("logs") / name).write_bytes(b"no gzip")
    code, _, err = shell.run("convert", "logs", "all")
    assert code == 2
    assert "2 files: no hand can be written; the first file, logs/a.phhs.gz, not read: it is not a valid gzip" in err
    assert not Path("all").exists()


def test_divat_leaves_out_files_that_cannot_be_read(shell: Shell, folder_with_unreadable_files: Path) -> None:
    log = folder_with_unreadable_files / "a.phhs"
    log.write_text(log.read_text().partition("\n[21]\n")[0] + "\n")
    for name in ("z.phhs.gz", "cut.phhs.gz"):  # the same hands once more, which would be refused
        (folder_with_unreadable_files / name).write_bytes(b"no gzip")
    code, out, err = shell.run("divat", "logs", "--json")
    facts = json.loads(out)
    assert code == 1
    assert (facts["hands"], facts["unread_files"]) == (20, 4)
    assert "4 files could not be read" in err


def test_convert_through_all_formats_and_back(shell: Shell, match: Path) -> None:
    hands = list(map(carried, details(hands_of(match))))
    for step, target in enumerate(["a.phhs", "b.log", "c.txt", "d", "e.phhs.gz", "f.log.gz"]):
        source = ["match", "a.phhs", "b.log", "c.txt", "d", "e.phhs.gz"][step]
        result = shell.json("convert", source, target)
        assert (result["hands"], result["rejected"], result["rejects"]) == (600, 0, None)
    code, out, _ = shell.run("convert", "f.log.gz", "g", "--game", "limit-hu")
    assert (code, out) == (0, "g: 600 hands\n")
    assert list(map(carried, details(hands_of(Path("g"))))) == hands
    shell.json("convert", "match", "one.lines")
    shell.json("convert", "one.lines", "two.lines")
    assert Path("one.lines").read_text() == Path("two.lines").read_text()


def test_convert_says_what_the_target_does_not_carry(shell: Shell, match: Path) -> None:
    for name, format in FORMATS.items():
        _, out, _ = shell.run("convert", "match", f"hands{format.suffixes[0]}s", "--to", name)
        assert format.lost in out


def test_convert_leaves_bad_hands_out_with_line_and_reason(shell: Shell, match: Path) -> None:
    shell.json("convert", "match", "good.log")
    lines = Path("good.log").read_text().splitlines()
    lines[10] = lines[10].replace("STATE", "STAT")
    lines[20] = lines[20].replace(":call|", ":call|call|", 1) + "|x"
    Path("bad.log").write_text("\n".join(lines[:-1]))
    code, out, _ = shell.run("convert", "bad.log", "out.phhs")
    assert code == 0
    assert "out.phhs: 598 hands" in out
    assert "left out: 2 of 600 hands (0.3 %), 0.3 % of the chips won" in out
    assert "see out.phhs.rejects" in out
    rejects = Path("out.phhs.rejects").read_text().splitlines()[1:]
    assert rejects[0] == "# line 11: it does not begin with STATE:"
    assert rejects[1] == lines[10]
    assert rejects[2].startswith("# line 21, hand 19: it does not name one player")
    assert shell.json("convert", "bad.log", "again.phhs", "--rejects", "here.txt")["rejects"] == "here.txt"


def test_convert_leaves_out_what_the_target_cannot_carry(shell: Shell, match: Path) -> None:
    shell.json("convert", "match", "a.phhs")
    text = Path("a.phhs").read_text()
    changed = text.replace("starting_stacks = [480, 480]", "starting_stacks = [999, 480]", 1)
    stacks = text.split("finishing_stacks = [")[1].split(",")[0]
    Path("b.phhs").write_text(changed.replace(f"[{stacks},", f"[{int(stacks) + 519},", 1))
    result = shell.json("convert", "b.phhs", "c.log")
    assert (result["hands"], result["rejected"]) == (1, 599)
    assert "same stacks in every hand" in Path("c.log.rejects").read_text().splitlines()[1]


def test_convert_changes_nothing_when_it_fails(shell: Shell, match: Path, tmp_path: Path) -> None:
    shell.json("convert", "match", "good.log.gz")
    Path("cut.log.gz").write_bytes(Path("good.log.gz").read_bytes()[:-30])
    Path("none.log").write_text("# name/game/hands/seed x unknown.game 1 0\nSTATE:0:f:AcKc|7h6h:5|-5:a|b\n")
    Path("empty.phhs").write_text("")
    Path("old.phhs").write_text("precious")
    Path("bad.lines").write_text("AcKc|7h6h||SlK\n")
    Path("odd.xyz").write_text("")
    before = files(tmp_path)
    for arguments, said in (
        (("cut.log.gz", "old.phhs"), "cut.log.gz: the gzip file is incomplete"),
        (("none.log", "x.phhs"), "unknown.game, which is not known here; name it with --game"),
        (("empty.phhs", "x.log"), "no hand can be written"),
        (("bad.lines", "x.log"), "the first of 1 bad ones, line 1: action 1 before the flop"),
        (("odd.xyz", "x.log"), "the format is not clear from the name"),
        (("absent.log", "x.phhs"), "there is no file or folder absent.log"),
        (("match", "no/such/place.phhs"), "there is no folder"),
        (("match", "match"), "exists already and is not empty"),
        (("absent", "x.phhs"), "there is no file or folder absent"),
        (("match", "x.phhs", "--to", "pdf"), "no format is called 'pdf'"),
        (("match", "one.phh"), "a .phh file holds one hand"),
        (("good.log.gz", "x.phhs", "--game", "nolimit-hu"), "no hand can be written"),
    ):
        assert said in shell.refused("convert", *arguments)
        for rejects in tmp_path.glob("x.*.rejects"):  # these say more than the error, and stay
            rejects.unlink()
        assert files(tmp_path) == before


def test_rejects_have_a_file_when_nothing_is_left(shell: Shell, tmp_path: Path) -> None:
    Path("bad.lines").write_text("AcKc|7h6h||SlK\nnothing\n")
    assert "the first of 2 bad ones" in shell.refused("convert", "bad.lines", "x.log")
    assert Path("x.log.rejects").read_text().count("# line ") == 2
    assert not Path("x.log").exists()


def test_convert_touches_nothing_that_is_not_its_own(shell: Shell, match: Path, tmp_path: Path) -> None:
    """Names that look like those of unfinished work may be a user's own."""
    for name in ("results.partial", "hands.phhs.partial", "hands.phhs.rejects.partial"):
        Path(name).mkdir()
        (Path(name) / "thesis.txt").write_text("years of work")
    own = files(tmp_path)
    assert "no file or folder nosuch" in shell.refused("convert", "nosuch", "results")
    assert files(tmp_path) == own
    shell.json("convert", "match", "results")
    shell.json("convert", "results", "hands.phhs")
    assert own.items() <= files(tmp_path).items()
    assert not [name for name in os.listdir() if name.startswith(".")]


@pytest.mark.parametrize("target", ["same", "same.phhs", "same.phhs.gz"])
def test_two_converts_to_one_target_leave_one_whole_result(shell: Shell, match: Path, target: str) -> None:
    shell.json("convert", "match", f"alone{target.removeprefix('same')}")
    programs = [
        subprocess.Popen(
            [sys.executable, "-m", "luckless", "convert", "match", target], stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = [program.communicate()[1] for program in programs]
    codes = sorted(program.returncode for program in programs)
    if target == "same":
        assert codes == [0, 2]
        assert any("was created by another process" in text or "is not empty" in text for text in said)
        assert same_columns(hands_of(Path("same")), hands_of(Path("alone")))
    else:
        assert codes == [0, 0]
        assert Path(target).read_bytes() == Path(f"alone{target.removeprefix('same')}").read_bytes()
    assert not [name for name in os.listdir() if name.startswith(".")]


def test_convert_refuses_a_file_for_a_folder_and_a_folder_for_a_file(shell: Shell, match: Path) -> None:
    Path("taken").write_text("precious")
    Path("taken.phhs").mkdir()
    assert "taken is a file" in shell.refused("convert", "match", "taken", "--to", "stored")
    assert "taken.phhs is a folder" in shell.refused("convert", "match", "taken.phhs", "--to", "phh")
    assert Path("taken").read_text() == "precious"
    assert Path("taken.phhs").is_dir()


# replay


def test_replay_tells_a_hand_with_pots(shell: Shell) -> None:
    Path("hand.lines").write_text("AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc\n")
    code, out, _ = shell.run("replay", "hand.lines", "--hand", "0")
    assert code == 0
    for line in (
        "  seat 0  P1  Ac Kc         480  blind 10",
        "PREFLOP  pot 15",
        "FLOP [Ks 5h 3d]  pot 60",
        "  seat 0  P1  checks",
        "  seat 1  P2  bets 10",
        "  seat 0  P1  raises to 20",
        "RIVER [Ks 5h 3d Tc 4h]  pot 140",
        "  seat 1 shows 7h 6h: straight, three to seven",
        "  pot 220, contested by seat 0, seat 1",
        "  seat 1  P2        +110",
    ):
        assert line in out.splitlines(), line


def test_replay_as_one_seat_shows_what_it_knew(shell: Shell, match: Path) -> None:
    for number in range(0, 60, 5):
        whole = shell.json("replay", "match", "--hand", str(number))
        for seat in (0, 1):
            story = shell.json("replay", "match", "--hand", str(number), "--seat", str(seat))
            own, other = whole["players"][seat]["hole"], whole["players"][1 - seat]["hole"]
            assert story["players"][seat]["hole"] == own
            assert story["players"][1 - seat]["hole"] is None
            told = json.dumps({key: story[key] for key in ("streets", "end")})
            assert (other in told) == any(f"seat {1 - seat} shows" in line for line in whole["end"])
            assert story["streets"] == whole["streets"]


def test_replay_names_what_is_not_there(shell: Shell, match: Path) -> None:
    assert "has no hand 600; it has 600 hands" in shell.refused("replay", "match", "--hand", "600")
    assert "there is no seat 2" in shell.refused("replay", "match", "--hand", "1", "--seat", "2")
    assert "holds no stored hands" in shell.refused("replay", "nothing", "--hand", "1")


# query


def rows_of(shell: Shell, sql: str) -> list[dict[str, Any]]:
    """The answer to a query as dictionaries."""
    answer = shell.json("query", "match", sql)
    return [dict(zip(answer["columns"], row, strict=True)) for row in answer["rows"]]


def test_query_tables_agree_with_the_hands(shell: Shell, match: Path) -> None:
    told = list(details(hands_of(match)))
    hands = rows_of(shell, "select * from hands order by hand")
    assert [row["pot"] for row in hands] == [hand.pot for hand in told]
    assert [row["actions"] for row in hands] == [len(hand.steps) for hand in told]
    assert [row["ending"] == "showdown" for row in hands] == [hand.showdown for hand in told]
    assert [len(row["board"]) for row in hands] == [2 * len(hand.board) for hand in told]
    results = rows_of(shell, "select * from results order by hand, seat")
    assert [row["payoff"] for row in results] == [chips for hand in told for chips in hand.payoffs]
    assert [row["name"] for row in results] == [name for hand in told for name in hand.names]
    assert [row["invested"] for row in results] == [chips for hand in told for chips in hand.invested]
    actions = rows_of(shell, "select * from actions order by hand, step")
    steps = [step for hand in told for step in hand.steps]
    for key in ("seat", "action", "chips", "to_call", "pot", "behind"):
        assert [row[key] for row in actions] == [getattr(step, key) for step in steps]
    assert {row["kind"] for row in actions} == {"fold", "check", "call", "bet", "raise"}


def test_query_bots_have_the_result(shell: Shell, match: Path) -> None:
    (first, second) = rows_of(shell, "select name, net_chips, mbb from bots order by player")
    assert (first["name"], second["name"]) == ("uniform", "call")
    (row,) = rows_of(shell, "select sum(payoff) as won from results where name = 'uniform'")
    assert row["won"] == first["net_chips"] == -second["net_chips"]


def test_the_examples_of_the_docs_run(shell: Shell, match: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    examples = [block.split("```")[0] for block in text.split("```sql\n")[1:]]
    assert len(examples) >= 4
    for example in examples:
        answer = shell.json("query", "match", example)
        assert answer["rows"], example


def test_query_prints_tables_and_csv(shell: Shell, match: Path) -> None:
    sql = "select hand, payoff_bb, name from results order by hand, seat"
    code, out, _ = shell.run("query", "match", sql, "--csv")
    assert code == 0
    table = list(csv.reader(io.StringIO(out)))
    assert table[0] == ["hand", "payoff_bb", "name"]
    assert len(table) == 1201
    _, out, _ = shell.run("query", "match", sql)
    assert "(1,100 more rows: --csv and --json print all)" in out


def test_an_empty_query_is_refused(shell: Shell, match: Path) -> None:
    for query in ("", " ", "/* nothing */"):
        assert "the query is empty" in shell.refused("query", str(match), query)


def test_convert_never_takes_the_place_of_a_device(shell: Shell, match: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.phhs")
    assert "is not an ordinary file" in shell.refused("convert", str(match), str(tmp_path / "pipe.phhs"))
    assert (tmp_path / "pipe.phhs").is_fifo()


def test_query_cannot_touch_files_and_names_mistakes(shell: Shell, match: Path, tmp_path: Path) -> None:
    before = files(tmp_path)
    assert "the query does not work" in shell.refused("query", "match", "select nonsense from hands")
    assert "the query does not work" in shell.refused("query", "match", "copy hands to 'out.csv'")
    assert "the query does not work" in shell.refused("query", "match", "select * from read_csv('/etc/passwd')")
    assert "exclude each other" in shell.refused("query", "match", "select 1", "--csv", "--json")
    assert "holds no stored hands" in shell.refused("query", "nothing", "select 1")
    assert files(tmp_path) == before


# verify, and damage


LATE = "select case when i < 99000 then i else cast('late' as int) end as n, repeat('x', 200) from range(100000) t(i)"
"""DuckDB computes some MB ahead of what is printed."""


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_an_error_after_the_first_rows_is_one_sentence(shell: Shell, match: Path, form: str) -> None:
    """Rows are printed as they are computed, so some are out when a later one cannot be."""
    code, out, err = shell.run("query", "match", LATE, form)
    assert code == 2
    assert len(out.splitlines()) > 2_000
    assert err.startswith("error: the query does not work: Conversion Error")
    assert len(err.splitlines()) == 1
    assert "the query does not work" in shell.refused("query", "match", LATE)


def test_a_long_answer_takes_no_memory(match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of Python's; DuckDB keeps to a limit of its own."""

    def peak(rows: int) -> int:
        tracemalloc.reset_peak()
        query_command([str(match), f"select i, repeat('x', 300) as text from range({rows}) as t(i)"], json=True)
        return tracemalloc.get_traced_memory()[1]

    with Path(os.devnull).open("w") as nowhere:
        monkeypatch.setattr(sys, "stdout", nowhere)
        tracemalloc.start()
        try:
            peak(10)
            assert peak(15_000) < peak(3_000) + 1_000_000
        finally:
            tracemalloc.stop()


def test_verify_says_that_all_is_well(shell: Shell, match: Path) -> None:
    code, out, _ = shell.run("verify", "match")
    assert code == 0
    assert out.splitlines() == [
        "match: 600 hands in 1 chunks replayed",
        "the seed reproduces every one of them",
        "all is well",
    ]
    assert shell.json("verify", "match")["reproduced"] is True


def test_damage_ends_verify_with_1_and_others_with_2(shell: Shell, match: Path, tmp_path: Path) -> None:
    chunk = match / "actions-000000000000.parquet"
    data = bytearray(chunk.read_bytes())
    data[len(data) // 2] ^= 1
    chunk.write_bytes(data)
    before = files(tmp_path)
    code, out, _ = shell.run("verify", "match")
    assert code == 1
    assert "wrong: match/actions-000000000000.parquet: its checksum differs from the one in the catalogue" in out
    code, out, _ = shell.run("verify", "match", "--json")
    assert (code, json.loads(out)["ok"]) == (1, False)
    for command in (("query", "match", "select count(*) from hands"), ("convert", "match", "x.phhs")):
        assert "changed or damaged" in shell.refused(*command)
    assert "changed or damaged" in shell.refused("replay", "match", "--hand", "3")
    assert "actions-000000000000.parquet" in shell.refused("verify", "match", "--rebuild")
    assert files(tmp_path) == before


def test_a_query_in_a_process_of_its_own_says_nothing_beside_its_answer(match: Path) -> None:
    """Libraries must not complain when Python ends."""
    command = [sys.executable, "-m", "luckless", "query", str(match), "select count(*) from hands"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def test_folders_that_hold_no_match_are_refused(shell: Shell, match: Path, tmp_path: Path) -> None:
    Path("empty").mkdir()
    Path("a-file").write_text("x")
    with sqlite3.connect(match / "catalogue.sqlite") as connection:
        connection.execute("pragma user_version = 99")
    before = files(tmp_path)
    for folder, said in (("empty", "no catalogue.sqlite"), ("match", "newer version")):
        assert said in shell.refused("verify", folder)
        assert said in shell.refused("query", folder, "select 1")
    assert "a-file: not a bundle, or damaged" in shell.refused("verify", "a-file")
    assert "no such folder" in shell.refused("query", "a-file", "select 1")
    assert "holds no chunks" in shell.refused("verify", "empty", "--rebuild")
    assert files(tmp_path) == before


def test_verify_rebuilds_the_catalogue(shell: Shell, match: Path) -> None:
    (match / "catalogue.sqlite").unlink()
    assert "--rebuild" in shell.refused("verify", "match")
    code, out, _ = shell.run("verify", "match", "--rebuild")
    assert code == 0
    assert out.splitlines()[0] == "match: new catalogue of 1 chunks and the result"
    assert out.splitlines()[-2].endswith("--rebuild made it from chunks, which do not hold that")
    assert out.splitlines()[-1] == "all is well"


def test_stored_foreign_hands_verify_too(shell: Shell, match: Path) -> None:
    text = written([hands_of(match)], FORMATS["phh"].writer(Path("x")))
    Path("x.phhs.gz").write_bytes(gzip.compress(text.encode()))
    shell.json("convert", "x.phhs.gz", "again")
    assert shell.json("verify", "again")["ok"]
    assert same_columns(hands_of(Path("again")), hands_of(Path("again")))
    assert shell.json("query", "again", "select count(*) from hands")["rows"] == [[600]]
