"""Results show themselves: a short repr, HTML in which names are escaped, a labelled figure, a table."""

import html.parser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pyarrow as pa
import pytest

import luckless as lk
from league_season import play, use_fakes

NASTY = "<b>x</b>"
LONGEST_REPR = 250


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """One result of each kind, with a player whose name is a tag."""
    folder = tmp_path_factory.mktemp("shown")
    bots = {NASTY: "value-bet", "call": "call"}
    verdict_folder = folder / "judged"
    lk.play(bots, game="limit-hu", hands=6, decks="fresh", save=verdict_folder)
    verdict = lk.judge(verdict_folder)
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch.setattr)
        play(folder / "tiny")
        season = lk.load(folder / "tiny")
        yield {
            "match": lk.play(bots, game="limit-hu", hands=60),
            "session": lk.play_sessions(bots, games=20),
            "evaluation": lk.evaluate(lk.bot("raise", NASTY), compare="call", hands=60),
            "equity": lk.equity(["AcKc", "QQ+"], "Ks5h3d"),
            "verdict": verdict,
            "judgement": verdict.detail,
            "season": season,
        }


KINDS = ("match", "session", "evaluation", "equity", "verdict", "judgement", "season")
ROWS = {"match": 2, "session": 1, "evaluation": 5, "equity": 2, "verdict": 2, "judgement": 6, "season": 12}


class Tags(html.parser.HTMLParser):
    """Counts the tags, and checks that each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("kind", KINDS)
def test_repr_is_one_short_line(shown: dict[str, Any], kind: str) -> None:
    text = repr(shown[kind])
    assert text.startswith(f"<{type(shown[kind]).__name__} ")
    assert text.endswith(">")
    assert "\n" not in text
    assert len(text) < LONGEST_REPR


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_escaped_in_notebooks(shown: dict[str, Any], kind: str) -> None:
    block = shown[kind]._repr_html_()
    assert NASTY not in block
    tags = Tags()
    tags.feed(block)
    assert tags.open == []
    if kind not in ("equity", "evaluation", "judgement", "season"):
        assert NASTY in tags.text


@pytest.mark.parametrize("kind", KINDS)
def test_figures_have_labelled_axes(shown: dict[str, Any], kind: str) -> None:
    figure = shown[kind].figure()
    assert isinstance(figure, go.Figure)
    assert len(figure.data) > 0
    assert figure.layout.title.text
    assert figure.layout.xaxis.title.text
    assert figure.layout.yaxis.title.text


@pytest.mark.parametrize("kind", KINDS)
def test_tables_are_flat(shown: dict[str, Any], kind: str) -> None:
    table = shown[kind].to_arrow()
    assert isinstance(table, pa.Table)
    assert table.num_rows == ROWS[kind]
    assert not any(pa.types.is_nested(field.type) for field in table.schema)
    pandas = pytest.importorskip("pandas")
    frame = shown[kind].to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == table.column_names


def test_the_rows_are_those_of_the_result(shown: dict[str, Any]) -> None:
    row = shown["match"].to_arrow().to_pylist()[0]
    rate = shown["match"].estimate(0)
    assert (row["name"], row["mbb"], row["stderr_mbb"]) == (NASTY, rate.mean, rate.stderr)
    assert (row["low_mbb"], row["high_mbb"]) == rate.ci95
    row = shown["verdict"].to_arrow().to_pylist()[0]
    first = shown["verdict"].players[0]
    assert (row["name"], row["adjusted_mbb"], row["money_mbb"]) == (NASTY, first.adjusted.mean, first.money.mean)
    skill = np.array(shown["judgement"].to_arrow()["divat"].to_pylist(), float)
    assert skill.mean() == pytest.approx(shown["judgement"].estimate("divat").mean)


def test_the_repr_of_other_public_objects_is_short(tmp_path: Path) -> None:
    table = lk.Table.dealt("limit-hu", 1, range(100))
    assert repr(table) == "<Table limit-hu: 100 hands, 100 waiting for a decision>"
    views = table.views(table.waiting())
    assert repr(views) == "<Views of 100 decisions in limit-hu>"
    assert repr(lk.bot("strong=pot-odds:risk=0.05")) == "<RuleBot strong (pot-odds:risk=0.05)>"
    for value in (lk.bot("call"), lk.bot("mix:call=1,raise=2"), views, lk.bot("call").probabilities(views)):
        assert len(repr(value)) < LONGEST_REPR, repr(value)
