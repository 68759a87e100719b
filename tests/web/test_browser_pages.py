"""Play, solver, tournament and season in a real browser: a hand by mouse, a hand by keys, a solution walked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import luckless as lk
from luckless.solve.strategy_file import Task, save_solution
from luckless.web.tables import OpenTable
from web_browser import Watched, chromium, served

HARMLESS = "Content Security Policy directive 'style-src"
"""Plotly also tries to add styles of its maps, which pages forbid and do not need."""

SPOT = {"board": "KsTh7s4d2s", "pot": 200, "stack": 300, "ranges": ["TT+,AQ+,76s", "99+,AJ+,T9s"],
        "sizes": {"bets": "60%"}}  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("pages")
    task = Task("spot", SPOT, "dcfr+")
    solver: Any = task.solver()
    solver.run(10)
    save_solution(folder / "river.safetensors", task, solver, solver.judge().exploitability, [(5, 3.0), (10, 1.5)])
    lk.tournament(["call", "raise", "fold"], game="limit-hu", hands=40, save=folder / "cup")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpenTable, "_later", lambda self, work: None)  # judging is tested apart: it takes a while
        with served(folder) as place:
            yield place


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


def opened(browser: Any, address: str, width: int = 1280, scheme: str = "light") -> Watched:
    return Watched(browser, address, viewport={"width": width, "height": 900}, color_scheme=scheme)


def is_well(one: Watched) -> None:
    assert [text for text in one.complaints if HARMLESS not in text] == []
    assert all(request.startswith((one.address, "data:", "blob:")) for request in one.requests)
    wide = one.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 1, "the page scrolls sideways"
    one.context.close()


@pytest.fixture
def watched(browser: Any, address: str) -> Iterator[Watched]:
    one = opened(browser, address)
    yield one
    is_well(one)


def until(page: Any, condition: str) -> None:
    """Waits for a condition; pages forbid `eval`, by which the browser's driver would wait."""
    for _ in range(600):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {condition}")


def sit_down(page: Any, game: str, bot: str) -> None:
    page.select_option("#game", game)
    page.select_option("#opponents select", bot)
    page.click("#go")
    page.wait_for_selector("#call")


def test_a_whole_hand_with_the_mouse(watched: Watched) -> None:
    page = watched.open("/play")
    sit_down(page, "nolimit-hu", "call")
    page.click(".share >> text=pot >> nth=0")
    page.click("#raise")
    while page.locator("#next").count() == 0:
        page.wait_for_selector("#call:not([disabled]), #next")
        if page.locator("#call").count():
            page.click("#call")
        until(page, "!document.querySelector('#call[disabled]')")
    assert "chips" in page.locator("#won").inner_text() or "even" in page.locator("#won").inner_text()
    assert page.locator("#board .card:not(.empty)").count() == 5
    page.click("#next")
    page.wait_for_selector("#call")


def test_a_whole_hand_with_keys_and_a_reload_in_the_middle(watched: Watched) -> None:
    page = watched.open("/play")
    sit_down(page, "limit-hu", "call")
    before = page.locator(".seat.you .cards").inner_html()
    page.keyboard.press("r")
    until(page, "document.querySelectorAll('#board .card:not(.empty)').length === 3")
    page.reload()
    page.wait_for_selector("#call")
    assert page.locator(".seat.you .cards").inner_html() == before
    assert page.locator("#board .card:not(.empty)").count() == 3
    while page.locator("#next").count() == 0:
        page.keyboard.press("c")
        page.wait_for_timeout(150)
    page.keyboard.press("n")
    page.wait_for_selector("#call")


def test_an_amount_that_is_not_allowed_is_explained(watched: Watched) -> None:
    page = watched.open("/play")
    sit_down(page, "nolimit-hu", "call")
    page.keyboard.press("r")
    page.keyboard.type("1")
    page.evaluate("document.querySelector('form.raise').noValidate = true")
    page.keyboard.press("Enter")
    page.wait_for_selector("#problem:not([hidden])")
    assert "below the minimum" in page.locator("#problem").inner_text()
    watched.complaints.clear()  # the browser notes that the server said 400
    assert page.locator("#call:not([disabled])").count() == 1


def test_two_windows_at_one_table(browser: Any, address: str) -> None:
    first = opened(browser, address)
    page = first.open("/play")
    sit_down(page, "nolimit-hu", "call")
    second = opened(browser, address)
    other = second.open(page.url.removeprefix(address))
    other.wait_for_selector("#call")
    page.click("#call")
    until(page, "document.querySelectorAll('#board .card:not(.empty)').length === 3")
    other.click("#call")
    other.wait_for_selector("#problem:not([hidden])")
    assert "done already" in other.locator("#problem").inner_text()
    assert other.locator("#board .card:not(.empty)").count() == 3
    second.complaints.clear()
    is_well(first)
    is_well(second)


def test_a_solution_is_walked(watched: Watched) -> None:
    page = watched.open("/solve/river.safetensors")
    page.wait_for_selector("#grid button >> nth=168")
    page.click("#actions button >> nth=1")
    until(page, "document.querySelectorAll('#line li').length === 2")
    assert "line=b" in page.url
    assert "second player decides" in page.locator("#where").inner_text()
    page.check("input[value=EV]")
    page.focus("#grid button >> nth=0")
    page.keyboard.press("ArrowRight")
    assert "AKs" in page.locator("#detail h3").inner_text()
    page.go_back()
    until(page, "document.querySelectorAll('#line li').length === 1")
    page.click("#actions button >> nth=0")
    page.click("#actions button >> nth=0")
    until(page, "document.querySelector('#where').textContent.includes('showdown')")


def test_ranges_are_painted_and_typed_and_a_board_is_picked(watched: Watched) -> None:
    page = watched.open("/solver")
    until(page, "document.querySelector('#hands0').textContent.includes('1,326')")
    page.click("[data-clear='0']")
    cells = page.locator("#grid0 button")
    cells.nth(0).scroll_into_view_if_needed()  # the button below the grid has scrolled it away
    start, end = cells.nth(0).bounding_box(), cells.nth(2).bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 5, end["y"] + 5, steps=12)
    page.mouse.up()
    assert page.input_value("#text0") == "AA,AKs,AQs"
    page.fill("#text1", "KK,AKo:0.5")
    until(page, "document.querySelector('#hands1').textContent.startsWith('12 of')")
    page.click("[data-card='2s']")
    page.click("[data-card='3h']")
    assert page.input_value("#board-text") == "KsTh7s4d3h"


def test_a_spot_is_solved_from_the_page(watched: Watched) -> None:
    page = watched.open("/solver")
    until(page, "document.querySelector('#hands1').textContent.includes('1,326')")
    page.fill("#target", "3")
    page.click("#go")
    page.wait_for_selector("#walk", timeout=120_000)
    page.click("#walk")
    page.wait_for_selector("#grid button >> nth=168")


def test_a_cell_of_the_crosstable_leads_to_its_match(watched: Watched) -> None:
    page = watched.open("/tournament/cup")
    page.click("table.cross a.cell >> nth=0")
    page.wait_for_url("**/match/cup/table-*")


@pytest.mark.parametrize("path", ["/play", "/solver", "/solve/river.safetensors", "/tournament/cup"])
def test_narrow_and_dark(browser: Any, address: str, path: str) -> None:
    one = opened(browser, address, 390, "dark")
    page = one.open(path)
    page.wait_for_timeout(300)
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(","))) < 200
    is_well(one)
