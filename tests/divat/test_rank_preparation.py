"""Rank tables are built by a long judgement itself: only where they are missing and building them is sooner."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from luckless.divat import rank_preparation
from luckless.divat.continuations import Valuation
from luckless.divat.gathering import Log, PlayedHands, gather
from luckless.divat.rank_preparation import SAMPLE, prepare_ranks, tables_are_sooner
from luckless.rules.game import Game
from luckless.skill.by_divat import Divat
from stored_hands import played


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUCKLESS_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def hands() -> PlayedHands:
    return gather([Log("x", [played(Game.load("limit-hu"), 2 * SAMPLE)])])


def ticks(seconds: float) -> Iterator[float]:
    """A clock that is read twice, so many seconds apart."""
    return count(0.0, seconds)


@pytest.mark.parametrize(
    ("seconds", "cores", "sooner"), [(30, 1, False), (30, 2, False), (36, 2, True), (70, 1, True)]
)
def test_tables_must_pay(seconds: float, cores: int, sooner: bool) -> None:
    assert tables_are_sooner(seconds, cores) == sooner


def test_a_long_judgement_builds_tables_and_says_so(
    hands: PlayedHands, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built = []

    def build() -> Iterator[None]:
        built.append("built")
        yield None

    monkeypatch.setattr(rank_preparation, "build_tables", build)
    monkeypatch.setattr(rank_preparation, "view_of", lambda *_: None)
    for seconds, expected in ((10.0, False), (100.0, True)):  # the sample is half of the hands
        clock = ticks(seconds)
        assert prepare_ranks(hands, Valuation(), clock=lambda clock=clock: next(clock)) is expected  # type: ignore[misc]
    assert built == ["built"]
    said = capsys.readouterr().err
    assert said.startswith("judging 256 hands would take about 200 s without rank tables: building them first")
    clock = ticks(10.0)
    assert prepare_ranks(hands, Valuation(), swept=2_000, clock=lambda: next(clock))
    assert "judging 2,256 hands" in capsys.readouterr().err


def test_where_tables_cannot_be_stored_the_hands_are_judged_without(
    hands: PlayedHands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cache").touch()
    monkeypatch.setattr(rank_preparation, "view_of", lambda *_: None)
    clock = ticks(100.0)
    assert not prepare_ranks(hands, Valuation(), clock=lambda: next(clock))
    assert "tables cannot be stored in" in capsys.readouterr().err


def test_few_hands_are_judged_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    few = gather([Log("x", [played(Game.load("limit-hu"), 20)])])
    monkeypatch.setattr(rank_preparation, "view_of", None)
    assert not prepare_ranks(few, Valuation())


def test_built_tables_are_not_built_again(hands: PlayedHands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rank_preparation, "table_state", lambda spec: "ready")
    monkeypatch.setattr(rank_preparation, "view_of", None)
    assert not prepare_ranks(hands, Valuation())


def test_judging_from_python_builds_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr("luckless.skill.by_divat.prepare_ranks", lambda hands, _: asked.append(len(hands)))
    Divat().judge([played(Game.load("limit-hu"), 20)])
    assert asked == [20]
