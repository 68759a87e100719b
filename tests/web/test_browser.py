"""The pages in a real browser: what people see, click and press."""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from luckless.histories.store import sole_writer
from web_browser import Watched, chromium, served

HARMLESS = "Content Security Policy directive 'style-src"
"""Plotly also tries to add styles of its maps, which pages forbid and do not need."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def address(runs: Path) -> Iterator[str]:
    with served(runs) as place:
        yield place


@pytest.fixture
def watched(browser: Any, address: str) -> Iterator[Watched]:
    """A page that must not have complained, nor asked anybody else, at the end of a test."""
    one = Watched(browser, address, viewport={"width": 1280, "height": 900})
    yield one
    assert [text for text in one.complaints if HARMLESS not in text] == []
    assert all(request.startswith((address, "data:", "blob:")) for request in one.requests)
    one.context.close()


def test_a_hand_is_reached_from_the_list_by_clicks(watched: Watched) -> None:
    page = watched.open("/")
    page.click("a[href='/match/match']")
    page.wait_for_selector("#block")
    page.wait_for_selector("#figure0 .main-svg")
    page.click("nav.links >> text=biggest pots")
    page.click("table.list tbody a >> nth=0")
    page.wait_for_selector(".seat >> nth=1")
    assert page.locator(".seat").count() == 2


def test_sessions_have_a_page(watched: Watched) -> None:
    page = watched.open("/")
    page.click("a[href='/session/sessions']")
    page.wait_for_selector("h2")
    assert "sessions" in page.locator("h1").inner_text()


def test_a_bar_leads_to_its_hands(watched: Watched) -> None:
    page = watched.open("/match/match")
    page.wait_for_selector("#figure1 .bars .point")
    page.locator("#figure1 .bars .point").nth(3).click(force=True)
    page.wait_for_url("**/hands/match?player=*")
    assert page.locator("#count").inner_text()


def test_a_filter_is_filled_in_and_stays_in_the_address(watched: Watched) -> None:
    page = watched.open("/hands/match")
    page.select_option("select[name=ending]", "showdown")
    page.fill("input[name=cards]", "22+")
    page.click("button.primary")
    page.wait_for_url("**ending=showdown**")
    assert "pot_from" not in page.url
    cards = page.locator("tbody tr >> nth=0 >> .cards >> nth=0").inner_text()
    assert cards[0] == cards.replace("\n", "")[2]
    page.reload()
    assert page.input_value("input[name=cards]") == "22+"


def test_a_replay_is_stepped_through_by_keys(watched: Watched) -> None:
    page = watched.open("/replay/match?hand=17")
    page.wait_for_selector(".seat >> nth=1")
    steps = int(page.locator("#step").inner_text().split()[-1])
    assert page.locator(".card.back").count() == 4
    for step in range(1, steps):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"#step:has-text('{step + 1} of')")
    assert f"step={steps - 1}" in page.url
    assert page.locator("#story li").count() == steps
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(f"#step:has-text('{steps - 1} of')")
    page.keyboard.press("o")
    page.wait_for_selector(".card.back", state="detached")
    page.reload()
    page.wait_for_selector(".seat >> nth=1")
    assert page.locator("#step").inner_text().startswith(f"{steps - 1} of")


def test_the_list_follows_a_run_without_reloading(browser: Any, runs: Path, tmp_path: Path) -> None:
    with served(tmp_path) as place:
        one = Watched(browser, place)
        page = one.open("/")
        page.wait_for_selector("#empty:not([hidden])")
        page.evaluate("window.untouched = true")
        shutil.copytree(runs / "match", tmp_path / "live")
        with sqlite3.connect(tmp_path / "live" / "catalogue.sqlite") as database:
            database.execute("delete from settings where key = 'result'")
        with sole_writer(tmp_path / "live"):
            page.wait_for_selector(".badge.running")
        page.wait_for_selector(".badge.stopped")
        assert page.evaluate("window.untouched")
        one.context.close()


def test_the_button_checks_a_match(watched: Watched) -> None:
    page = watched.open("/verify/match")
    page.click("#check")
    page.wait_for_selector("#verdict.good", timeout=120_000)
    assert "600 hands" in page.locator("#verdict").inner_text()


@pytest.mark.parametrize(
    "path", ["/", "/match/match", "/hands/deep/six", "/replay/deep/six?hand=3", "/tools", "/plan"]
)
def test_a_narrow_dark_window(browser: Any, address: str, path: str) -> None:
    one = Watched(browser, address, viewport={"width": 390, "height": 800}, color_scheme="dark")
    page = one.open(path)
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark == "rgb(22, 24, 29)"
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    one.context.close()


def test_everything_is_reached_by_keyboard_and_named(watched: Watched) -> None:
    page = watched.open("/hands/match")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for field in page.locator("input:not([type=hidden]), select, textarea").all():
        assert field.evaluate("one => one.labels.length > 0 || one.ariaLabel"), field.get_attribute("name")
    for button in page.locator("button").all():
        assert button.evaluate("one => (one.ariaLabel || one.textContent).trim() !== ''")


def test_names_from_elsewhere_stay_texts(watched: Watched) -> None:
    page = watched.open("/match/deep/six")
    page.wait_for_selector("#figure0 .main-svg")
    assert "<script>alert(1)</script>" in page.locator("h1").inner_text()
    assert page.evaluate("[...document.scripts].every(one => one.src || one.type === 'application/json')")
