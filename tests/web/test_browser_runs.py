"""Each page in a real browser, wide and light, narrow and dark: drawn, legible, reached by keyboard."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import luckless as lk
from league_season import play, use_fakes
from luckless.web.finding import Finder
from luckless.web.live import LiveVerdicts
from luckless.web.tables import OpenTable
from web_browser import Watched, chromium, served

HARMLESS = "Content Security Policy directive 'style-src"
"""Plotly also tries to add styles of its maps, which pages forbid and do not need."""
CONTRAST = (Path(__file__).parents[1] / "support" / "contrast.js").read_text("utf-8").split("\n", 1)[1]
NAMELESS = """() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea, button, a")]
  .filter(one => !one.closest(".js-plotly-plot"))
  .filter(one => !(one.labels?.length || one.ariaLabel || one.textContent.trim() || one.title))
  .map(one => one.outerHTML.slice(0, 100))"""

PAGES = {
    "/": "tbody a",
    "/match/duel": "#figure0 .main-svg",
    "/hands/duel?ending=showdown": "tbody a",
    "/replay/duel?hand=3&step=1&view=open": "#about .square",
    "/session/sessions": ".main-svg",
    "/evaluation/trial": ".main-svg",
    "/tournament/cup": "table.cross",
    "/season/tiny": ".main-svg",
    "/agent/tiny?name=": "#figure0 .main-svg",
    "/solve/kuhn.safetensors": "table",
    "/solver": "#grid0 button",
    "/play": "#go",
    "/tools?hands=AcKc+7h6h&board=Ks5h3d&hole=AcKc": "progress",
    "/plan?edge=100&hands=100000": "text=is seen after about",
    "/verify/duel": "#check",
    "/nothing": ".state",
}
"""Every page, and what is there once it is drawn."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, index_cache: Path) -> Path:
    folder = tmp_path_factory.mktemp("stored")
    lk.play(["value-bet", "pot-odds"], game="limit-hu", hands=60, seed=7, save=folder / "duel")
    return folder


@pytest.fixture(scope="module")
def every_kind(folder: Path) -> Path:
    """The same folder with runs of all kinds, which take a while to make."""
    lk.play_sessions(["value-bet", "pot-odds"], games=3, seed=9, save=folder / "sessions")
    lk.evaluate("call", against=["raise"], game="limit-hu", hands=40, save=folder / "trial")
    lk.tournament(["call", "raise", "fold"], game="limit-hu", hands=40, save=folder / "cup")
    lk.solve("kuhn", iterations=20, save=folder / "kuhn.safetensors")
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch.setattr)
        assert play(folder / "tiny")
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder) as place:
        yield place


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_every_page(browser: Any, address: str, every_kind: Path, width: int, scheme: str) -> None:
    """No complaint of the browser, nothing wider than the window, every control named, every text legible."""
    one = Watched(browser, address, viewport={"width": width, "height": 900}, color_scheme=scheme)
    one.page.set_default_timeout(120_000)  # the first look at a season ranks it: slow where much else is at work
    for path, drawn in PAGES.items():
        page = one.open(_agent(one) if "agent" in path else path)
        page.wait_for_selector(drawn, state="attached")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 1, f"{path} is {wide} pixels wider than the window"
        assert page.evaluate(NAMELESS) == [], path
        assert page.evaluate(CONTRAST) == [], path
        assert page.locator("h1").count() == 1, path
    complaints = [text for text in one.complaints if HARMLESS not in text and "404" not in text]
    assert complaints == []
    assert all(request.startswith((address, "data:", "blob:")) for request in one.requests)
    one.context.close()


def _agent(one: Watched) -> str:
    """The address of the page of some agent, from the board."""
    page = one.open("/season/tiny")
    return str(page.locator("a[href^='/agent/']").first.get_attribute("href"))


def test_focus_is_seen_and_the_content_is_reached_by_keys(browser: Any, address: str) -> None:
    one = Watched(browser, address, viewport={"width": 1280, "height": 900})
    page = one.open("/hands/duel")
    outlined = "(style => style.outlineStyle + style.outlineWidth)(getComputedStyle(document.activeElement))"
    reached = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate(outlined) == "solid3px"
        reached.add(page.evaluate("document.activeElement.name || document.activeElement.textContent.trim()"))
    assert {"player", "cards", "line", "filter", "PHH", "CSV"} <= reached
    one.context.close()


def test_a_match_is_judged_on_its_page(browser: Any, address: str) -> None:
    one = Watched(browser, address, viewport={"width": 1280, "height": 900})
    page = one.open("/match/duel")
    page.select_option("#by", "chance")
    page.click("#judge")
    page.wait_for_selector("#verdict .figure .main-svg", timeout=60_000)
    page.click("summary")
    page.locator("#verdict a.cell").first.click()
    page.wait_for_url("**/hands/duel?player=*street=*")
    one.context.close()


def test_a_match_that_is_being_played_is_followed(browser: Any, tmp_path: Path) -> None:
    """Hands come from one window while another shows the match: it changes, and is not loaded again."""
    with pytest.MonkeyPatch.context() as patch, served(tmp_path) as place:
        patch.setattr(OpenTable, "_later", lambda self, work: None)  # judging is tested apart: it takes a while
        one, other = (Watched(browser, place, viewport={"width": 1280, "height": 900}) for _ in range(2))
        table = one.open("/play")
        sit_down(table, "call")
        play_hand(table)
        page = other.open(table.url.removeprefix(place).replace("/play/", "/match/"))
        page.wait_for_selector("#state.running")
        page.wait_for_selector("#block:has-text('1 hand')")
        page.evaluate("window.untouched = true")
        table.click("#next")
        play_hand(table)
        page.wait_for_selector("#block:has-text('2 hands')")
        assert page.evaluate("window.untouched")
        for window in (one, other):
            window.context.close()


def sit_down(page: Any, bot: str) -> None:
    page.select_option("#game", "limit-hu")
    page.select_option("#opponents select", bot)
    page.click("#go")


def play_hand(page: Any) -> None:
    """Checks and calls to the end."""
    page.wait_for_selector("#call")
    while page.locator("#next").count() == 0:
        page.keyboard.press("c")
        page.wait_for_timeout(80)


def test_a_hand_that_was_played_is_graded_in_the_browser(browser: Any, tmp_path: Path) -> None:
    with served(tmp_path) as place:
        one = Watched(browser, place, viewport={"width": 1280, "height": 900})
        page = one.open("/play")
        sit_down(page, "call")
        play_hand(page)
        page.wait_for_selector("#grades tbody tr", timeout=60_000)
        page.wait_for_selector("#skill .rate >> nth=1")
        assert page.locator("#grades .badge").count() == page.locator("#grades tbody tr").count() > 0
        assert "was luck" in page.locator("#skill").inner_text()
        assert page.evaluate(CONTRAST) == []
        one.context.close()


@pytest.mark.slow
def test_verdicts_of_seasons_come_to_the_list(every_kind: Path) -> None:
    found, verdicts = Finder(every_kind).run("tiny"), LiveVerdicts()
    verdicts.of(found)
    while not (told := verdicts.of(found)):
        pass
    assert "TrueSkill" in told
