"""Table files under faults, builders side by side, and the contents of the rank tables against plain enumeration."""

import errno
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from luckless.hands import tables, tables_build
from luckless.hands.board import pool_completions
from luckless.hands.isomorphism import layout, situation_numbers
from luckless.hands.rank import hand_rank, ranks
from luckless.hands.table_file import (
    Arrays,
    TableError,
    TableSpec,
    build_lock,
    cache_folder,
    open_table,
    table_state,
    write_table,
)
from plain_ranks import plain_counts, plain_pooled_counts

SMALL = TableSpec("test-small", 3, (("wide", "<u4", 5), ("narrow", "<u2", 7)))
VALUES: Arrays = {"wide": np.arange(5, dtype=np.uint32) << 20, "narrow": np.arange(7, dtype=np.uint16)}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUCKLESS_CACHE_DIR", str(tmp_path))
    return tmp_path


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def replace_bytes(path: Path, contents: bytes) -> None:
    """As a fault would: another file in the place of the table."""
    other = path.with_suffix(".other")
    other.write_bytes(contents)
    other.replace(path)


class TestFile:
    def test_arrays_come_back_from_a_file_of_the_stated_size(self, folder: Path) -> None:
        write_table(SMALL, VALUES)
        arrays = open_table(SMALL)
        assert arrays is not None
        for name, values in VALUES.items():
            assert arrays[name].tolist() == values.tolist()
            assert not arrays[name].flags.writeable
        assert SMALL.path.stat().st_size == SMALL.size
        assert files_in(folder) == ["test-small.table"]

    def test_an_absent_file_is_no_error(self) -> None:
        assert open_table(SMALL) is None
        assert table_state(SMALL) == "absent"

    def test_every_flipped_bit_is_noticed(self) -> None:
        write_table(SMALL, VALUES)
        whole = SMALL.path.read_bytes()
        for place in range(len(whole)):
            for bit in (1, 128):
                damaged = bytearray(whole)
                damaged[place] ^= bit
                replace_bytes(SMALL.path, bytes(damaged))
                assert table_state(SMALL) not in ("ready", "absent"), place
        replace_bytes(SMALL.path, whole)
        assert table_state(SMALL) == "ready"

    def test_every_cut_and_any_addition_is_noticed(self) -> None:
        write_table(SMALL, VALUES)
        whole = SMALL.path.read_bytes()
        for contents in [*(whole[:length] for length in range(len(whole))), whole + b"\0"]:
            replace_bytes(SMALL.path, contents)
            with pytest.raises(TableError, match="damaged"):
                open_table(SMALL)

    def test_another_version_is_named(self) -> None:
        write_table(SMALL, VALUES)
        wanted = TableSpec(SMALL.name, 4, SMALL.arrays)
        with pytest.raises(TableError, match="of version 3, and version 4 is wanted"):
            open_table(wanted)

    def test_another_table_is_not_taken_for_it(self) -> None:
        other = TableSpec("test-other", 3, SMALL.arrays)
        write_table(other, VALUES)
        other.path.rename(SMALL.path)
        with pytest.raises(TableError, match="not that of this table"):
            open_table(SMALL)

    def test_a_replaced_file_is_opened_anew(self) -> None:
        write_table(SMALL, VALUES)
        first = open_table(SMALL)
        write_table(SMALL, {**VALUES, "narrow": VALUES["narrow"] + 1})
        second = open_table(SMALL)
        assert first is not None
        assert second is not None
        assert first["narrow"].tolist() == list(range(7))  # the old file lives on for those who have it open
        assert second["narrow"].tolist() == list(range(1, 8))

    def test_a_full_disk_leaves_the_old_table_and_no_rubbish(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_table(SMALL, VALUES)

        def no_space(_: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", no_space)
        with pytest.raises(OSError, match=r"no space left in .* for the table test-small") as error:
            write_table(SMALL, VALUES)
        assert "LUCKLESS_CACHE_DIR" in str(error.value)
        assert files_in(folder) == ["test-small.table"]
        assert table_state(SMALL) == "ready"

    def test_an_interrupted_write_leaves_no_rubbish(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupt(_: int) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write_table(SMALL, VALUES)
        assert files_in(folder) == []

    def test_the_cache_folder_follows_the_environment(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        assert cache_folder() == tmp_path
        monkeypatch.delenv("LUCKLESS_CACHE_DIR")
        monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
        assert cache_folder() == Path("/xdg/luckless")
        monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # to be ignored, says the XDG specification
        assert cache_folder() == Path.home() / ".cache" / "luckless"


# Builds a small table slowly, in a process of its own.
BUILDER = """
    import sys, time
    from luckless.hands.table_file import TableSpec, build_lock, table_state, write_table
    import numpy as np
    spec = TableSpec("race-one", 1, (("values", "<u4", 1000),))
    with build_lock("race"):
        if table_state(spec) == "ready":
            print("kept")
        else:
            time.sleep(1)
            write_table(spec, {"values": np.arange(1000)})
            print("built")
"""


class TestBuilding:
    def start_builder(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(BUILDER)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_of_several_builders_one_builds_and_the_others_use_it(self, folder: Path) -> None:
        builders = [self.start_builder() for _ in range(3)]
        outputs = [builder.communicate() for builder in builders]
        assert sorted(out.strip() for out, _ in outputs) == ["built", "kept", "kept"]
        assert files_in(folder) == ["race-one.table", "race.lock"]

    def test_a_builder_that_has_to_wait_says_so(self) -> None:
        with build_lock("race"):
            builder = self.start_builder()
            assert builder.stderr is not None
            assert "another process is building the race tables" in builder.stderr.readline()
        assert builder.communicate()[0].strip() == "built"

    def test_what_a_killed_builder_left_is_cleared_away(self, folder: Path) -> None:
        (folder / ".rank-flop.xyz.part").write_bytes(b"half")
        with build_lock("rank"):
            assert files_in(folder) == ["rank.lock"]

    @pytest.fixture
    def small_tables(self, monkeypatch: pytest.MonkeyPatch) -> dict[int, TableSpec]:
        specs = {
            3: TableSpec("rank-flop", 1, (("ihr", "<u2", 4),)),
            5: TableSpec("rank-river", 1, (("ihr", "<u2", 4),)),
        }
        monkeypatch.setattr(tables_build, "SPECS", specs)
        monkeypatch.setattr(tables_build, "fill_table", lambda _: {"ihr": np.arange(4)})
        return specs

    def test_only_what_is_not_ready_is_built(self, small_tables: dict[int, TableSpec]) -> None:
        assert [done.seconds is None for done in tables_build.build_tables()] == [False, False]
        assert [done.seconds is None for done in tables_build.build_tables()] == [True, True]
        path = small_tables[5].path
        replace_bytes(path, path.read_bytes()[:-1])
        assert [done.seconds is None for done in tables_build.build_tables()] == [True, False]
        assert table_state(small_tables[5]) == "ready"

    @pytest.mark.usefixtures("small_tables")
    def test_a_disk_that_is_too_small_is_noticed_before_the_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10}))
        with pytest.raises(OSError, match=r"no space left in .* for the table rank-flop"):
            list(tables_build.build_tables())

    def test_places_that_nothing_filled_are_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        few = (np.array([[0, 5, 10]]), np.array([1]))
        monkeypatch.setattr(tables_build, "canonical_boards", lambda _: few)
        with pytest.raises(AssertionError, match="no situation filled"):
            tables_build.fill_table(3)


def renamed(cards: list[int], suits: list[int]) -> list[int]:
    return [card // 4 * 4 + suits[card % 4] for card in cards]


class TestContents:
    @pytest.mark.parametrize("size", [3, 4, 5])
    def test_a_board_fills_the_places_of_its_situations(self, size: int) -> None:
        """A random board goes in; situations on it, under other names of the suits, are looked up."""
        random = np.random.default_rng(size)
        deck = random.permutation(52).tolist()
        board = deck[:size]
        ihr, hr7 = (np.zeros(tables.SITUATIONS[size], np.uint32) for _ in range(2))
        tables_build._fill_ihr(np.array([board]), layout(2, size), ihr)
        tables_build._fill_hr7(np.array([board]), layout(2, size), hr7)
        for start in range(size, 50, 7):
            hole, suits = deck[start : start + 2], random.permutation(4).tolist()
            place = situation_numbers([renamed(hole, suits)], [renamed(board, suits)])[0]
            direct = hand_rank(hole, board)
            assert ihr[place] == 2 * direct.now.ahead + direct.now.tied
            assert hr7[place] == 2 * direct.completed.ahead + direct.completed.tied

    @pytest.mark.parametrize("size", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
    def test_ranks_are_read_from_the_place_of_the_situation(self, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
        count = tables.SITUATIONS[size]
        hr7 = np.arange(count, dtype=np.uint32)
        table = tables.RankTable((hr7 % 1000).astype(np.uint16), hr7)
        monkeypatch.setattr("luckless.hands.rank.rank_table", {size: table}.get)
        decks = np.random.default_rng(size).permuted(np.tile(np.arange(52), (100, 1)), axis=1)
        holes, boards = decks[:, :2], decks[:, 2 : 2 + size]
        found, numbers = ranks(holes, boards), situation_numbers(holes, boards)
        assert (found.hr7 == numbers).all()
        assert (found.ihr == numbers % 1000).all()

    def test_a_damaged_table_is_named_once_and_not_used(self, folder: Path) -> None:
        (folder / "rank-river.table").write_bytes(b"LUCKLESS and more")
        with pytest.warns(UserWarning, match=r"rank-river.table is damaged.*'luckless tables build rank'"):
            found = ranks([[0, 1]], [[4, 5, 6, 7, 8]])
        ahead, tied, _ = plain_counts([0, 1], [4, 5, 6, 7, 8])
        assert found.ihr.tolist() == [2 * ahead + tied]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All tables, built by the command."""
    folder = tmp_path_factory.mktemp("cache")
    command = [sys.executable, "-m", "luckless", "tables", "build", "rank"]
    subprocess.run(command, check=True, env={**os.environ, "LUCKLESS_CACHE_DIR": str(folder)})
    return folder


def random_deals(count: int, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).permuted(np.tile(np.arange(52), (count, 1)), axis=1)


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
class TestFullTables:
    @pytest.fixture(autouse=True)
    def use_built(self, built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LUCKLESS_CACHE_DIR", str(built))

    @pytest.mark.parametrize(("size", "sample"), [(3, 20), (4, 200), (5, 2000)])
    def test_sampled_entries_equal_plain_enumeration(self, size: int, sample: int) -> None:
        deals = random_deals(sample, size)
        holes, boards = deals[:, :2], deals[:, 2 : 2 + size]
        found = ranks(holes, boards)
        for row in range(sample):
            hole, board = holes[row].tolist(), boards[row].tolist()
            ahead, tied, _ = plain_counts(hole, board)
            assert found.ihr[row] == 2 * ahead + tied
            ahead, tied, _ = plain_pooled_counts(hole, board)
            assert found.hr7[row] == 2 * ahead + tied

    @pytest.mark.parametrize(("size", "twice"), [(3, 2), (4, 1)])
    def test_7cHR_is_the_sum_over_the_next_card(self, size: int, twice: int) -> None:  # noqa: N802
        """Integer identity: on the flop each pair of cards to come is met in two orders."""
        deals = random_deals(20_000, 10 + size)
        holes, boards = deals[:, :2], deals[:, 2 : 2 + size]
        sums = np.zeros(len(deals), np.int64)
        for column in range(2 + size, 52):
            sums += ranks(holes, np.hstack([boards, deals[:, column : column + 1]])).hr7
        assert (sums == twice * ranks(holes, boards).hr7).all()

    def test_every_flop_entry_equals_the_pool_of_its_board(self) -> None:
        """All 1,176 pairs on some flops, so that the mean rank over a board is exactly one half in the table too."""
        for deck in random_deals(20, 99).tolist():
            board = deck[:3]
            pairs = [(low, high) for high in range(52) for low in range(high) if not {low, high} & set(board)]
            found = ranks(pairs, [board] * len(pairs))
            totals = np.zeros(1326, np.int64)
            pool_completions(np.array(board), totals)
            assert found.hr7.tolist() == [totals[high * (high - 1) // 2 + low] for low, high in pairs]
            assert found.ihr.sum() == len(pairs) * 1081
            assert found.hr7.sum() == len(pairs) * 1081 * 990
