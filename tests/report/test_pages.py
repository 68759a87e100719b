"""Pages: the command on them makes the same result again, figures have intervals, narrow and dark windows work."""

import html
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import luckless as lk
from luckless.bots.catalogue import load_bot
from luckless.divat.settings import SLIDES, STANDARD
from luckless.divat.settings_file import parse_settings, settings_toml
from luckless.matches.match import Match
from luckless.matches.result import MatchResult, play_match
from luckless.report.commands import match_command
from luckless.report.divat_commands import settings_words
from luckless.report.match_report import match_report
from luckless.report.page import Section, page
from luckless.report.style import PALETTE, new_figure
from luckless.rules.game import Game
from shell import Shell

SIMILAR = ("seconds",)
GAME = 'name = "two words"\nbetting = "no-limit"\nseats = 2\nblinds = [4, 2]\nstacks = 300\n'


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(GAME)
    return Shell(monkeypatch, capsys)


def command_on(page_text: str) -> str:
    (found,) = re.findall(r'<pre class="command">(.*?)</pre>', page_text)
    return html.unescape(found)


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if key not in SIMILAR}
    return [without_times(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "words",
    [
        ("match", "strong & calm=pot-odds:risk=0.05", "call", "--hands", "60", "--seed", "7"),
        ("match", "call", "raise", "--hands", "60", "--game", "mine.toml", "--decks", "fresh", "--hand-seconds", "5"),
        ("match", "call", "raise", "--hands", "90", "--game", "nolimit-6max", "--decision-seconds", "2.5"),
        ("match", "raise", "fold", "--hands", "400", "--stop", "0:400", "--alpha", "0.01", "--game", "limit-hu"),
        ("session", "a=call", "random", "--games", "9", "--blinds", "3/6", "--rounds", "5", "--stack", "99"),
        (
            "evaluate",
            "pot-odds",
            "--against",
            "x y=raise",
            "--compare",
            "call",
            "--hands",
            "20",
            "--game",
            "mine.toml",
        ),
    ],
)
def test_the_command_on_a_page_makes_the_same_result(words: tuple[str, ...], shell: Shell) -> None:
    first = shell.json(*words, "--report", "page.html")
    text = Path("page.html").read_text()
    command = command_on(text)
    if "mine.toml" in words:
        assert "two-words.toml" in command
        Path("two-words.toml").write_text(
            html.unescape(text.partition("two-words.toml</code>:</p><pre>")[2].partition("</pre>")[0])
        )
    program, *again = shlex.split(command)
    assert program == "luckless"
    assert without_times(shell.json(*again)) == without_times(first)


@pytest.fixture(scope="module")
def result() -> MatchResult:
    match = Match.plan(
        Game.load("nolimit-3max"), [load_bot(name) for name in ("random", "call", "fold")], hands=600, seed=1
    )
    played = play_match(match)
    return replace(played, match=replace(played.match, begun="2026-01-02T03:04:05+00:00"))


def figures_on(page_text: str) -> dict[str, Any]:
    found = page_text.partition('id="figures">')[2].partition("</script>")[0]
    return json.loads(found)  # type: ignore[no-any-return]


def test_a_page_has_contents_date_and_themes(result: MatchResult) -> None:
    text = match_report(result)
    headings = re.findall(r'<h2 id="(\w+)">(.*?)</h2>', text)
    links = re.findall(r'<a href="#(\w+)">(.*?)</a>', text)
    assert headings == links
    assert [name for _, name in headings] == ["Result", "Hands", "Where it comes from", "How it was played"]
    assert '<p class="date">2026-01-02 03:04 UTC</p>' in text
    assert "prefers-color-scheme: dark" in text
    assert '<meta name="viewport"' in text


def test_titles_are_headings_and_legends_stand_above(result: MatchResult) -> None:
    """A title inside a figure would be cut off, or covered by the legend, in a narrow window."""
    text = match_report(result)
    for figure in figures_on(text).values():
        assert "title" not in figure["layout"]
        assert (figure["layout"]["legend"]["x"], figure["layout"]["legend"]["yanchor"]) == (0, "bottom")
    for title in ("Results of single hands", "By seat", "By the end of the hand"):
        assert f"<h3>{title}</h3>" in text


def test_parts_have_intervals_and_players_one_colour(result: MatchResult) -> None:
    winnings, _, seats, endings = figures_on(match_report(result)).values()
    for figure in (seats, endings):
        for bars in figure["data"]:
            widths = bars["error_y"]["array"]
            assert len(widths) == len(bars["y"])
            assert all(width is not None and width >= 0 for width in widths)
            assert max(widths) > 0
    colours = {
        (trace["name"], trace.get("marker", {}).get("color", trace.get("line", {}).get("color")))
        for figure in (winnings, seats, endings)
        for trace in figure["data"]
        if trace["name"] in result.match.labels
    }
    assert colours == set(zip(("random", "call", "fold"), PALETTE[:3], strict=True))


def test_a_figure_without_data_is_not_drawn() -> None:
    full, empty = new_figure("full", "", ""), new_figure("empty", "", "")
    full.add_scatter(x=[1], y=[2])
    empty.add_scatter(x=[], y=[])
    empty.add_scatter(x=[1, 2], y=[None, None])
    text = page("t", "l", [Section("One", figures=[full, empty]), Section("Two", figures=[empty])], "f")
    assert len(figures_on(text)) == 1
    assert text.count("There is nothing to draw yet.") == 1


def test_names_are_quoted_and_labelled(result: MatchResult) -> None:
    settings = replace(result.match, names=("it's; rm", "call", "fold"))
    command = match_command(replace(result, match=settings))
    assert shlex.split(command)[2:5] == ["it's; rm=random", "call", "fold"]
    assert "seconds" not in command, "a plain command gives the same clocks"
    timed = match_command(replace(result, match=replace(settings, match_seconds=1_234_567.5, hand_seconds=3.0)))
    assert timed.endswith(" --hand-seconds 3 --match-seconds 1234567.5")


def test_settings_of_divat_are_options_or_a_file() -> None:
    assert settings_words(STANDARD) == []
    assert settings_words(SLIDES.with_folds("tight-low")) == ["--ehr", "max", "--folds", "tight-low"]
    both = STANDARD.with_bets("moderate").with_folds("loose-high")
    assert settings_words(both) == ["--bets", "moderate", "--folds", "loose-high"]
    own = replace(STANDARD.with_bets("moderate", (1,)), name="my own")
    assert settings_words(own) == ["--settings", "my-own.toml"]
    for settings in (STANDARD, SLIDES, both, own):
        assert parse_settings(settings_toml(settings), "x", "y") == settings


def test_dates_are_those_of_the_run(tmp_path: Path) -> None:
    played = lk.play(["call", "fold"], hands=20, save=tmp_path / "m")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", played.match.begun)
    loaded = lk.load(tmp_path / "m")
    assert isinstance(loaded, MatchResult)
    assert loaded.match.begun == played.match.begun
    longer = lk.play(["call", "fold"], hands=40, save=tmp_path / "m")
    assert longer.match.begun == played.match.begun
