"""A forger edits the catalogue of a match, and seals it again where he can. What contradicts the hands is found.

The judge is an oracle of the test's own: it reads the chunks with pyarrow and adds up payoffs, with nothing of ours.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from forging import CHUNK, MATCH, change, edit, play_small_match, reseal, result_row, set_setting, sql, unseal
from luckless.errors import InputError
from luckless.histories.stored_match import load_match_result
from luckless.histories.verifying import verify


def won(folder: Path) -> list[int]:
    """The oracle: what each player won, straight from the chunks."""
    chips = [0, 0]
    for path in sorted(folder.glob("hands-*.parquet")):
        table = pq.read_table(path).to_pydict()
        for seat in (0, 1):
            for player, payoff in zip(table[f"player_{seat}"], table[f"payoff_{seat}"], strict=True):
                chips[player] += payoff
    return chips


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
def test_a_forged_catalogue_is_found(small_match: Path, forgery: str, sealed: str) -> None:
    path, before = small_match / MATCH, won(small_match)
    FORGERIES[forgery](path)
    if sealed == "sealed anew":
        reseal(path)
    elif sealed == "of an earlier version":
        unseal(path)
    try:
        found = verify(small_match)
    except InputError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert str(path) in refused
        return
    assert sealed != "left unsealed", "the seal must have told"
    assert won(small_match) == before, "the hands are as they were"
    assert found.failures, forgery


def test_an_honest_match_is_well_however_it_is_sealed(small_match: Path) -> None:
    told = load_match_result(small_match).to_dict()["bots"]
    assert [bot["net_chips"] for bot in told] == won(small_match)
    assert (verify(small_match).failures, verify(small_match).notes) == (0, [])
    reseal(small_match / MATCH)
    assert verify(small_match).failures == 0
    unseal(small_match / MATCH)
    found = verify(small_match)
    assert found.failures == 0
    assert "carries no seal" in found.notes[0]


def test_chunks_that_were_swapped_or_added_are_found(small_match: Path, tmp_path: Path) -> None:
    """The bytes of another match under our names, and the catalogue told their checksums."""
    other = tmp_path / "other"
    play_small_match(other, seed=4)
    for name in (f"hands-{CHUNK:012d}.parquet", f"actions-{CHUNK:012d}.parquet"):
        data = (other / name).read_bytes()
        (small_match / name).write_bytes(data)
        kind = name.partition("-")[0]
        values = (len(data), hashlib.sha256(data).hexdigest(), CHUNK)
        edit(small_match / MATCH, (f"update chunks set {kind}_bytes = ?, {kind}_sha256 = ? where first = ?", *values))
    reseal(small_match / MATCH)
    problems = verify(small_match).problems
    assert any("other settings (seed)" in problem for problem in problems), problems
    assert any("not those that the seed deals" in problem for problem in problems), problems


def test_a_stray_chunk_is_found(small_match: Path) -> None:
    edit(small_match / MATCH, (f"delete from chunks where first = {2 * CHUNK}",))
    set_setting(small_match / MATCH, "hands", 2 * CHUNK)
    reseal(small_match / MATCH)
    assert any("but not in the catalogue" in problem for problem in verify(small_match).problems)
