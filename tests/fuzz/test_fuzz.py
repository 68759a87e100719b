"""A small share of `make fuzz`, and whether the fuzzer sees what it looks for."""

import functools
import sys
from pathlib import Path

import pytest
from fuzz_logs import phh_samples, read_log
from fuzz_mutations import Dice, damaged_bytes, damaged_database, damaged_text
from fuzz_oracle import Wrong, check_columns
from fuzz_runs import STARTING_SECONDS, Tally, one_case, run
from fuzz_settings import ALL_OF_A_GAME
from fuzz_targets import TARGETS, Target

from luckless.errors import InputError
from luckless.rules.game import Game
from stored_hands import played

SEED = 2
FEW = 12
QUICK = [name for name in TARGETS if name not in ("judgement", "match-catalogue", "season-catalogue")]

FUZZ = Path(__file__).parents[2] / "tools" / "fuzz.py"


def test_every_format_is_attacked() -> None:
    from luckless.histories.formats import FORMATS

    assert set(FORMATS) <= set(TARGETS)


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in TARGETS)])
def test_damaged_input_is_refused_or_read_right(name: str, request: pytest.FixtureRequest) -> None:
    count = 300 if request.node.get_closest_marker("slow") else FEW
    problems = [one_case(name, SEED, number, 30 if number else STARTING_SECONDS)[1] for number in range(count)]
    assert [f"case {number}: {text}" for number, text in enumerate(problems) if text] == []


def test_cases_follow_from_their_numbers() -> None:
    target = TARGETS["divat-toml"]
    assert [target.case(1, number) for number in range(30)] == [target.case(1, number) for number in range(30)]
    assert len({target.case(1, number) for number in range(30)}) > 25
    assert target.case(1, 5) != target.case(2, 5)


def test_damage_is_damage() -> None:
    """Most cases differ from their sample, and each kind of damage stays of bounded size."""
    sample = ALL_OF_A_GAME
    for damage in (damaged_text, damaged_bytes):
        cases = [damage([sample], Dice(number)) for number in range(200)]
        assert sum(case != sample for case in cases) > 150
        assert max(map(len, cases)) <= 300_000


def test_a_database_is_edited_row_by_row(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "x.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("create table t (name text, number integer)")
        database.execute("insert into t values ('a', 1), ('b', 2)")
    database.close()
    sample = path.read_bytes()
    cases = {damaged_database([sample], Dice(number)) for number in range(60)}
    assert len(cases) > 40


# Whether it sees what it looks for


def test_the_oracle_sees_wrong_hands() -> None:
    columns = played(Game.load("limit-hu"), 6)
    assert len(check_columns(columns)) == 6
    records = columns.records
    for name, change in (("payoffs", 1), ("decks", 0), ("stacks", 1)):
        original = getattr(records, name).copy()
        getattr(records, name)[2, 0] = original[2, 0] + change if change else original[2, 1]
        if name != "stacks":
            with pytest.raises(Wrong):
                check_columns(columns)
        getattr(records, name)[:] = original
    assert read_log("phh", phh_samples()[0]) == "read"


def _broken(kind: str, data: bytes) -> str:
    if kind == "slow":
        while True:
            pass
    if kind == "large":
        return str(len(bytearray(3 << 30)))
    if kind == "error":
        raise KeyError("not declared")
    if kind == "refused":
        raise InputError("no")
    raise Wrong("believed")


@pytest.mark.parametrize(
    ("kind", "said"),
    [("slow", "takes more than 0.2 s"), ("error", "KeyError: 'not declared'"), ("wrong", "wrong: believed")],
)
def test_faults_are_seen(kind: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target("broken", lambda: [b"x"], functools.partial(_broken, kind))
    monkeypatch.setitem(TARGETS, "broken", target)
    what, problem = one_case("broken", 1, 1, 0.2)
    assert not what
    assert problem.startswith(said)


def test_what_is_refused_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TARGETS, "broken", Target("broken", lambda: [b"x"], functools.partial(_broken, "refused")))
    assert one_case("broken", 1, 1, 1) == ("refused", "")


PROGRAM = """
import sys
sys.path[:0] = {paths!r}
import fuzz_runs, fuzz_targets
from test_fuzz import _broken
import functools
def check(data):
    calls.append(1)
    return "read" if len(calls) == 1 else _broken({kind!r}, data)
calls = []
fuzz_targets.TARGETS["broken"] = fuzz_targets.Target("broken", lambda: [b"x"], check)
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
fuzz_runs.child("broken", 1, int(words["--first"]), int(words["--count"]), 0.5)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "said"), [("large", "takes too much memory"), ("slow", "takes more than 0.5 s")])
def test_a_child_has_its_limits(kind: str, said: str, tmp_path: Path) -> None:
    folders = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "support")]
    program = tmp_path / "child.py"
    program.write_text(PROGRAM.format(paths=folders, kind=kind))
    tally = run([sys.executable, str(program)], "broken", 1, 1, 2, 0.5)
    assert [failure.partition(": ")[2] for failure in tally.failures] == [said] * 2


@pytest.mark.slow
def test_the_command_counts_cases() -> None:
    tally: Tally = run([sys.executable, str(FUZZ)], "cards", 1, 1, 40, 10)
    assert (tally.cases, tally.failures) == (40, [])
