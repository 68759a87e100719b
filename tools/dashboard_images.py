"""Pictures of the dashboard for docs/dashboard.md: `python tools/dashboard_images.py [FOLDER]`.

Plays, solves and trains what the pages show (a few minutes) in FOLDER, or in one that is deleted afterwards; what is
there already is kept. Needs Chromium and Playwright.
"""

import base64
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from web_browser import Watched, chromium, served

IMAGES = Path(__file__).parents[1] / "docs" / "images"
WIDE, HIGH, NARROW = {"width": 1100, "height": 760}, {"width": 1100, "height": 960}, {"width": 390, "height": 800}
QUALITY = 55
"""Of WebP: legible, and well below 80 kB."""

SEASON = """
name = "quick"
game = "nolimit-6max"
seed = 1
[training]
rounds = 12
hands = 2_000
clone_every = 4
[[division]]
name = "climbing"
matchup = "climbing"
students = ["qlearn-8"]
teachers = ["random", "call"]
[[division]]
name = "anybody"
matchup = "random"
students = ["qlearn-all"]
teachers = ["random", "call"]
[[evaluation]]
name = "similar"
matchup = "similar"
rounds = 20
hands = 2_000
[[evaluation]]
name = "direct"
matchup = "direct"
meetings = 1
hands = 2_000
"""
SPOT = """
board = "Qh7h4s2cKd"
ranges = ["22+,A2s+,KTs+,QTs+,JTs,AJo+,KQo", "22+,A8s+,KTs+,QTs+,ATo+,KQo"]
pot = 100
stack = 250
"""

RUNS = {
    "limit-match": "match value-bet pot-odds --game limit-hu --hands 20000 --seed 7 --save limit-match",
    "blueprint-match": "match blueprint value-bet --game limit-hu --hands 4000 --seed 3 --save blueprint-match",
    "six": "match pot-odds call value-bet random raise uniform --game nolimit-6max --hands 6000 --seed 3 --save six",
    "sessions": "session value-bet pot-odds --games 30 --save sessions",
    "evaluation": "evaluate value-bet --game limit-hu --hands 2000 --save evaluation",
    "cup": "tournament call raise fold value-bet pot-odds --game limit-hu --hands 1000 --out cup",
    "season": "league run season.toml --out season",
    "river.safetensors": "solve spot.toml --iterations 300 --save river.safetensors",
}
"""What is stored for the pictures, and the command that makes it."""


class Picture(NamedTuple):
    """One page: its address, what is done on it before the picture, and the window."""

    path: str
    do: Callable[[Any], None] = lambda page: None
    size: dict[str, int] = WIDE
    scheme: str = "light"


def shown(selector: str) -> Callable[[Any], None]:
    """Waits for a part of the page."""
    return lambda page: page.wait_for_selector(selector)


def listed(page: Any) -> None:
    """Waits until the verdict of the season is counted; the name of the folder is not that of this machine."""
    page.wait_for_selector("td:has-text('TrueSkill')")
    page.evaluate("document.querySelector('#folder').textContent = 'runs'")


def judged(page: Any) -> None:
    """Takes the luck out of a match."""
    page.select_option("#by", "chance")
    page.click("#judge")
    page.wait_for_selector("#verdict .figure .main-svg")
    page.evaluate("document.querySelector('#by').scrollIntoView()")


def played(page: Any) -> None:
    """Plays a hand against the blueprint, with calls alone."""
    page.select_option("#game", "limit-hu")
    page.select_option("#opponents select", "blueprint")
    page.click("#go")
    page.wait_for_selector("#call, #next")
    while page.locator("#next").count() == 0:
        page.keyboard.press("c")
        page.wait_for_timeout(150)
    page.wait_for_selector("#grades tbody tr, #grades p.quiet")
    page.set_viewport_size({"width": 1100, "height": 1250})


def checked(page: Any) -> None:
    """Replays and checks a match."""
    page.click("#check")
    page.wait_for_selector("#verdict.good")


def figures(page: Any) -> None:
    """The first figures below a board."""
    page.wait_for_selector(".main-svg")


PICTURES = {
    "match": Picture("/match/limit-match", shown("#figure0 .main-svg")),
    "judged": Picture("/match/limit-match", judged),
    "hands": Picture("/hands/limit-match?ending=showdown&sort=pot&order=down"),
    "replay": Picture(
        "/replay/blueprint-match?hand=7&step=5&view=open", shown("#about .square"), {"width": 1100, "height": 960}
    ),
    "replay-phone": Picture("/replay/six?hand=40&step=12&view=open", shown("#about dl"), NARROW, "dark"),
    "session": Picture("/session/sessions", figures),
    "evaluation": Picture("/evaluation/evaluation", figures),
    "tournament": Picture("/tournament/cup", figures),
    "season": Picture("/season/season", figures),
    "agent": Picture("/agent/season?name={agent}", figures),
    "solver": Picture("/solver", shown("#grid0 button")),
    "solution": Picture("/solve/river.safetensors", shown("#grid button")),
    "play": Picture("/play", played),
    "tools": Picture("/tools?hands=AcKc+7h6h+TT%2B,AQs&board=Ks5h3d&hole=AcKc"),
    "planner": Picture("/plan?edge=100&hands=100000"),
    "verify": Picture("/verify/limit-match", checked, scheme="dark"),
    "runs": Picture("/", listed),
}
"""The list comes last: by then everything is in it."""


def make_runs(folder: Path) -> None:
    """Stores what is not there yet."""
    (folder / "season.toml").write_text(SEASON)
    (folder / "spot.toml").write_text(SPOT)
    for name, words in RUNS.items():
        if not (folder / name).exists():
            subprocess.run([sys.executable, "-m", "luckless", *words.split()], cwd=folder, check=True)


def take(browser: Any, address: str, name: str, picture: Picture) -> None:
    """Takes one picture."""
    watched = Watched(browser, address, viewport=picture.size, color_scheme=picture.scheme)
    watched.page.set_default_timeout(300_000)
    path = picture.path
    if "{agent}" in path:
        first = watched.open("/season/season").locator("a[href^='/agent/']").first
        path = str(first.get_attribute("href"))
    page = watched.open(path)
    picture.do(page)
    page.wait_for_timeout(1_500)
    session = watched.context.new_cdp_session(page)
    taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    (IMAGES / f"dashboard-{name}.webp").write_bytes(base64.b64decode(taken["data"]))
    watched.context.close()


def main() -> None:
    """Takes one picture of each page."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="luckless-images-") as own:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(own)
        make_runs(folder)
        with served(folder) as address, chromium() as browser:
            for name, picture in PICTURES.items():
                take(browser, address, name, picture)


if __name__ == "__main__":
    main()
