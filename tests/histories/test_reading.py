"""Hands from anywhere by one function: files, folders, lists; bad hands counted; tables for data frames."""

import builtins
import gzip
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import luckless as lk
from luckless.histories import formats
from luckless.histories.converting import convert
from luckless.histories.formats import FORMATS
from luckless.histories.given_text import format_of_text
from luckless.histories.reading import _whole_sets
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from stored_hands import played, written

HANDS = 40
BAD = "AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc\nnot a hand\n9c9d|AsQs||SlRf\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A PHH file of a duplicate match."""
    columns = played(Game.load("limit-hu"), HANDS)
    path = tmp_path / "logs" / "one.phhs"
    path.parent.mkdir()
    path.write_text(written([columns], FORMATS["phh"].writer(path)))
    return path


def test_one_place_however_it_is_named(log: Path) -> None:
    for place in (str(log), log, [log], (str(log),), iter([log]), log.parent):
        hands = lk.read_hands(place)
        assert hands.paths == [log]
        assert len(hands) == HANDS
        assert sum(map(len, hands.batches())) == HANDS


def test_folders_lists_and_packed_files(log: Path, tmp_path: Path) -> None:
    (log.parent / "deeper").mkdir()
    packed = log.parent / "deeper" / "two.phhs.gz"
    packed.write_bytes(gzip.compress(log.read_bytes()))
    (log.parent / "notes.md").write_text("no log")
    assert lk.read_hands(log.parent).paths == [packed, log]
    assert len(lk.read_hands(log.parent)) == 2 * HANDS
    assert len(lk.read_hands([log, packed, log])) == 3 * HANDS
    stored = tmp_path / "stored"
    lk.play(["call", "raise"], hands=20, save=stored)
    assert len(lk.read_hands([stored, log])) == HANDS + 20
    assert repr(lk.read_hands(log)) == f"<Hands of {log}>"
    assert repr(lk.read_hands([log] * 5)).endswith("...>")


def test_the_format_can_be_given(log: Path, tmp_path: Path) -> None:
    unnamed = tmp_path / "hands.data"
    unnamed.write_bytes(log.read_bytes())
    with pytest.raises(lk.InputError, match="the format is not clear from the name"):
        lk.read_hands(unnamed)
    assert len(lk.read_hands(unnamed, format="phh")) == HANDS
    with pytest.raises(lk.InputError, match="no format is called 'paper'"):
        lk.read_hands(log, format="paper")


def test_bad_hands_are_counted_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "hands.lines"
    path.write_text(BAD)
    hands = lk.read_hands(path)
    with pytest.warns(UserWarning, match=r"1 of 3 hands \(33.3 %\).*hands.lines, line 2") as caught:
        assert len(hands) == 2
    assert len(caught) == 1
    assert (hands.rejected, len(hands.rejects)) == (1, 1)
    with pytest.warns(UserWarning, match="1 of 3 hands"):
        hands.to_arrow()
    assert hands.rejected == 1  # of one reading, not of two
    with pytest.raises(lk.InputError, match="line 2"):
        len(lk.read_hands(path, strict=True))


def test_a_text_is_a_place_or_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hands by the name of a folder or file, as text in each format, and one hand on one line."""
    lk.play(["call", "raise"], game="limit-hu", hands=20, seed=2, save=tmp_path / "m1")
    monkeypatch.chdir(tmp_path)
    names = {"phh": "m1.phhs", "acpc": "m1.log", "lines": "m1.lines", "pokerstars": "m1.txt"}
    for name in names.values():
        convert(Path("m1"), Path(name))
    assert sum(map(len, formats.read_hands("m1"))) == len(lk.read_hands("m1")) == 20  # a name as a plain text
    for format, name in names.items():
        text = Path(name).read_text()
        assert len(lk.read_hands(name)) == len(lk.read_hands(text)) == 20
        assert format_of_text(text) == format
        assert lk.judge(text, by="money").hands == 20
    one_hand = Path("m1.lines").read_text().splitlines()[0]
    hands = lk.read_hands([one_hand, "m1"])
    assert len(hands) == 21
    assert repr(hands) == "<Hands of the text, m1>"
    with pytest.warns(UserWarning, match="the text, line 2"):
        assert len(lk.read_hands(BAD)) == 2
    for text, said in (("m2", "there is no file or folder m2"), ("some\nwords", "the text 'some' is neither a file")):
        with pytest.raises(lk.InputError, match=said):
            lk.read_hands(text)


def test_places_that_hold_nothing(tmp_path: Path) -> None:
    with pytest.raises(lk.InputError, match="there is no file or folder"):
        lk.read_hands(tmp_path / "nowhere")
    with pytest.raises(lk.InputError, match=r"holds no stored hands and no logs \(.*\.phh"):
        lk.read_hands(tmp_path)
    with pytest.raises(lk.InputError, match="no file and no folder is given"):
        lk.read_hands([])
    with pytest.raises(lk.InputError, match="not from 5: give a path"):
        lk.read_hands(5)  # type: ignore[arg-type]


def test_tables_have_a_row_for_each_hand_seat_and_action(log: Path) -> None:
    hands = lk.read_hands(log)
    results = hands.to_arrow()
    assert isinstance(results, pa.Table)
    assert results.num_rows == 2 * HANDS
    assert sum(results["payoff"].to_pylist()) == 0
    assert hands.to_arrow("hands").num_rows == HANDS
    assert hands.to_arrow("actions").num_rows == sum(hands.to_arrow("hands")["actions"].to_pylist())
    with pytest.raises(lk.InputError, match="no table is called 'seats'; allowed is hands, actions, results"):
        hands.to_arrow("seats")


def test_frames_are_the_tables(log: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = lk.read_hands(log).to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.to_dict("list") == lk.read_hands(log).to_arrow().to_pydict()
    assert set(frame["name"]) == {"uniform #1", "uniform #2"}


def test_frames_without_pandas_say_what_is_missing(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def without_pandas(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return load(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(lk.InputError, match=r"need pandas: pip install 'luckless\[frames\]'; to_arrow\(\)"):
        lk.read_hands(log).to_frame()


def test_sets_are_not_cut_where_batches_end() -> None:
    columns = played(Game.load("nolimit-3max"), 60)  # sets of six hands
    parts = [columns.rows(slice(first, first + 7)) for first in range(0, 60, 7)]
    whole = list(_whole_sets(iter(parts)))
    assert sum(map(len, whole)) == 60
    for batch in whole:
        assert len(batch) % 6 == 0
    joined: list[HandColumns] = whole
    assert [int(number) for batch in joined for number in batch.numbers] == list(range(60))


def test_hands_of_one_deal_are_joined_once(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = played(Game.load("nolimit-3max"), 60)
    columns = replace(columns, deals=np.zeros(60, np.int64))
    copied: list[int] = []

    def noted(parts: list[HandColumns]) -> HandColumns:
        copied.append(sum(map(len, parts)))
        return join(parts)

    monkeypatch.setattr("luckless.histories.reading.join", noted)
    parts = [columns.rows(slice(row, row + 1)) for row in range(60)]
    (whole,) = _whole_sets(iter(parts))
    assert whole.numbers.tolist() == columns.numbers.tolist()
    assert copied == [60]


def test_one_batch_at_a_time_is_read(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def noted(path: Path, **options: Any) -> Any:
        read.append(path)
        return formats.read_hands(path, **options)

    monkeypatch.setattr("luckless.histories.reading.read_one", noted)
    batches = lk.read_hands([log] * 50).batches()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        next(batches)
    assert len(read) == 1
