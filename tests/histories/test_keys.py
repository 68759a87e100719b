"""Logs whose numbers start again and again: every stored hand has a key, and the recipes of the docs are right."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import luckless as lk
from luckless.errors import InputError
from luckless.histories import chunks
from luckless.histories.converting import convert
from luckless.histories.querying import opened, run
from luckless.histories.store import StoredHands, rebuild
from luckless.histories.verifying import verify
from real_hands import originals

SESSIONS = ("30.phhs", "31.phhs", "102.phhs")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sessions of Pluribus, each numbered from its own start."""
    folder = tmp_path_factory.mktemp("logs")
    for name in SESSIONS:
        (folder / name).write_text(originals("pluribus")[name])
    return folder


@pytest.fixture(scope="module")
def store(logs: Path) -> Path:
    """All of them in one store."""
    target = logs.parent / "store"
    if not target.exists():
        convert(logs, target)
    return target


def hands_of(logs: Path) -> list[dict[str, Any]]:
    """The hands as they stand in the files."""
    return [hand for name in sorted(SESSIONS) for hand in tomllib.loads((logs / name).read_text()).values()]


def answer(places: Any, sql: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    source = StoredHands.open(places) if isinstance(places, Path) else places
    with opened(source, sql) as database:
        return list(run(database, sql)[1])


def recipe(words: str) -> str:
    """The query of the docs that stands below some words."""
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    return re.split(r"```", text.split(words)[1].split("```sql\n")[1])[0]


def entered(hand: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Who had a decision before the flop, and who put chips in by choice."""
    asked, paid = set(), set()
    bets = {f"p{seat + 1}": chips for seat, chips in enumerate(hand["blinds_or_straddles"])}
    for action in hand["actions"]:
        player, what, *amount = action.split()
        if (player, what) == ("d", "db"):
            break
        if what not in ("f", "cc", "cbr"):
            continue
        name = hand["players"][int(player[1:]) - 1]
        asked.add(name)
        if what == "cbr" or (what == "cc" and bets[player] < max(bets.values())):
            paid.add(name)
        if what != "f":
            bets[player] = int(amount[0]) if amount else max(bets.values())
    return asked, paid


def test_the_numbers_repeat_and_the_keys_do_not(logs: Path, store: Path) -> None:
    hands = hands_of(logs)
    assert len({hand["hand"] for hand in hands}) < len(hands)
    ((count, keys, numbers, files),) = answer(
        store, "select count(*), count(distinct hand), count(distinct number), count(distinct file) from hands"
    )
    assert count == keys == len(hands)
    assert numbers == len({hand["hand"] for hand in hands})
    assert files == len(SESSIONS)


def test_source_numbers_files_and_lines_are_kept(logs: Path, store: Path) -> None:
    for file, line, number in answer(store, "select file, line, number from hands using sample 40 (reservoir, 1)"):
        text = Path(file).read_text().splitlines()[line - 1 :]
        assert text[0].startswith("[")
        assert next(entry for entry in text if entry.startswith("hand = ")) == f"hand = {number}"


def test_the_recipe_of_vpip(logs: Path, store: Path) -> None:
    asked: Counter[str] = Counter()
    paid: Counter[str] = Counter()
    for hand in hands_of(logs):
        for count, who in zip((asked, paid), entered(hand), strict=True):
            count.update(who)
    rows = answer(store, recipe("How often a player puts money in"))
    assert {name: vpip for name, vpip, _ in rows} == pytest.approx({name: paid[name] / asked[name] for name in asked})


def test_the_recipe_of_opponents_counts_every_pair_once_a_hand(logs: Path, store: Path) -> None:
    won: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    for hand in hands_of(logs):
        for name, start, end in zip(hand["players"], hand["starting_stacks"], hand["finishing_stacks"], strict=True):
            won[name] += end - start
            hands[name] += 1
    rows = answer(store, "select name, count(*), sum(payoff_bb) * 100 from results group by name")
    assert {name: count for name, count, _ in rows} == dict(hands)
    assert all(abs(chips - won[name]) <= hands[name] / 2 for name, _, chips in rows)  # odd chips
    pairs = answer(store, recipe("By opponent:"))
    assert {name for name, _, _ in pairs} == set(hands)
    ((joined, seats),) = answer(
        store,
        "select (select count(*) from results mine join results theirs using (hand)), "
        "(select sum(seats * seats) from hands)",
    )
    assert joined == seats


def test_every_recipe_runs_on_logs_too(store: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    for block in text.split("```sql\n")[1:]:
        assert answer(store, block.split("```")[0])


def test_logs_are_queried_and_framed_with_keys_as_well(logs: Path) -> None:
    hands = lk.read_hands(logs)
    table = hands.to_arrow("results")
    keys, seats = (table.column(name).to_numpy() for name in ("hand", "seat"))
    assert len(set(zip(keys.tolist(), seats.tolist(), strict=True))) == len(keys) == 6 * len(hands)
    ((count, names),) = answer(hands, "select (select count(distinct hand) from hands), (select count(*) from bots)")
    assert (count, names) == (len(hands), len(hands.names))


def test_hands_are_appended_with_the_same_players(logs: Path, store: Path, tmp_path: Path) -> None:
    target = tmp_path / "grown"
    convert(logs / SESSIONS[0], target)
    before = StoredHands.open(target)
    for name in SESSIONS[1:]:
        convert(logs / name, target, append=True)
    after = StoredHands.open(target)
    assert after.hands == StoredHands.open(store).hands
    assert after.names[: len(before.names)] == before.names
    assert len(set(after.names)) == len(after.names)
    rates = "select name, count(*), sum(payoff) from results group by name order by name"
    assert answer(target, rates) == answer(store, rates)
    assert verify(target).problems == []


def test_an_append_that_fails_adds_nothing(logs: Path, tmp_path: Path) -> None:
    target = tmp_path / "store"
    convert(logs / SESSIONS[0], target)
    before = {path.name: path.read_bytes() for path in target.glob("*.parquet")}
    (tmp_path / "bad.phhs").write_text("[1]\nvariant = 'PO'\n")
    with pytest.raises(InputError, match="no hand can be written"):
        convert(tmp_path / "bad.phhs", target, append=True)
    assert {path.name: path.read_bytes() for path in target.glob("*.parquet")} == before
    with pytest.raises(InputError, match="no store to append to"):
        convert(logs / SESSIONS[0], tmp_path / "none", append=True)


def test_an_append_that_was_killed_leaves_nothing_that_counts(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ended after its chunks are written and before they are listed: they do not count, the next append goes on."""
    target, whole = tmp_path / "store", tmp_path / "whole"
    convert(logs / SESSIONS[0], target)
    convert([logs / name for name in SESSIONS[:2]], whole)
    hands = StoredHands.open(target).hands

    def killed(*_: object) -> None:
        raise SystemExit(137)

    with monkeypatch.context() as patch:
        patch.setattr("luckless.histories.catalogue.Catalogue.add_log", killed)
        with pytest.raises(SystemExit):
            convert(logs / SESSIONS[1], target, append=True)
    assert len(list(target.glob("hands-*.parquet"))) > len(StoredHands.open(target).chunks)
    assert StoredHands.open(target).hands == hands
    convert(logs / SESSIONS[1], target, append=True)
    assert len(list(target.glob("hands-*.parquet"))) == len(StoredHands.open(target).chunks)
    rates = "select name, count(*), sum(payoff) from results group by name order by name"
    assert answer(target, rates) == answer(whole, rates)
    assert verify(target).problems == []


def test_leftovers_that_no_append_replaces_are_removed(logs: Path, tmp_path: Path) -> None:
    target = tmp_path / "store"
    convert(logs / SESSIONS[0], target)
    for kind in ("hands", "actions"):
        (target / f"{kind}-000000900000.parquet").write_bytes(b"cut off")
    (target / "notes.parquet").write_bytes(b"of somebody else")
    convert(logs / SESSIONS[1], target, append=True)
    assert not list(target.glob("*-000000900000.parquet"))
    assert (target / "notes.parquet").exists()


def test_games_of_many_files_share_their_chunks(tmp_path: Path) -> None:
    """Stacks differ from hand to hand and file to file; that makes no other game."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(1, 41):
        hand = ONE_HAND.format(first=1_000 + number, second=2_000 - number)
        (folder / f"{number}.phh").write_text(hand)
    convert(folder, tmp_path / "store")
    stored = StoredHands.open(tmp_path / "store")
    assert stored.hands == 40
    assert len(stored.chunks) == 1
    stacks = {tuple(row) for batch in stored.columns() for row in batch.records.stacks.tolist()}
    assert stacks == {(1_000 + number, 2_000 - number) for number in range(1, 41)}


ONE_HAND = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [{first}, {second}]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']
"""


def test_a_chunk_names_only_its_own_players_and_can_be_rebuilt(store: Path, tmp_path: Path) -> None:
    for path in store.glob("hands-*.parquet"):
        note = chunks.read_note(path)
        assert note["format"] == chunks.LOG_FORMAT
        assert len(note["names"]) == len(note["players"])
        assert note["bots"] == []
    names = StoredHands.open(store).names
    assert rebuild(store) == len(list(store.glob("hands-*.parquet")))
    assert StoredHands.open(store).names == names


def test_a_store_of_an_earlier_version_gets_its_keys_when_it_is_read(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Earlier chunks have all names of the log, no origin, and their catalogue no players."""
    from luckless.histories.catalogue import Catalogue

    def whole(parts: Any) -> Any:
        return [lk_replace(part) for part in parts], {}

    def lk_replace(part: Any) -> Any:
        from dataclasses import replace

        return replace(part, origin=None)

    monkeypatch.setattr(chunks, "_compacted", whole)
    add = Catalogue.add_log
    monkeypatch.setattr(Catalogue, "add_log", lambda self, rows, names: add(self, rows, ()))
    convert(logs, tmp_path / "old")
    monkeypatch.undo()
    stored = StoredHands.open(tmp_path / "old")
    keys = np.concatenate([columns.keys for columns in stored.columns()])
    assert sorted(keys.tolist()) == list(range(stored.hands))
    assert len(stored.names) > 6
    ((rows, names),) = answer(stored.folder, "select count(distinct hand), (select count(*) from bots) from results")
    assert (rows, names) == (stored.hands, len(stored.names))
    convert(logs / SESSIONS[0], tmp_path / "old", append=True)
    assert StoredHands.open(tmp_path / "old").names == stored.names
