"""Pictures of the dashboard for docs/dashboard.md: `python tools/dashboard_images.py ADDRESS PLACE`.

ADDRESS is a running `luckless web`; PLACE is a stored match below its folder. Needs Chromium and Playwright.
"""

import base64
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from web_browser import Watched, chromium

IMAGES = Path(__file__).parents[1] / "docs" / "images"
PAGES = {
    "runs": "/",
    "match": "/match/{place}",
    "hands": "/hands/{place}?ending=showdown&sort=pot&order=down",
    "replay": "/replay/{place}?hand=10&step=8&view=open",
}
SIZE = {"width": 1100, "height": 720}
QUALITY = 55
"""Of WebP: legible, and well below 80 kB."""


def main() -> None:
    """Takes one picture of each page."""
    address, place = sys.argv[1], sys.argv[2]
    IMAGES.mkdir(exist_ok=True)
    with chromium() as browser:
        for name, path in PAGES.items():
            watched = Watched(browser, address.rstrip("/"), viewport=SIZE)
            watched.page.set_default_timeout(300_000)
            page = watched.open(path.format(place=place))
            page.wait_for_timeout(8_000)
            session = watched.context.new_cdp_session(page)
            taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
            (IMAGES / f"dashboard-{name}.webp").write_bytes(base64.b64decode(taken["data"]))
            watched.context.close()


if __name__ == "__main__":
    main()
