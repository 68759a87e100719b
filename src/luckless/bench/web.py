"""The dashboard: how long a browser waits for the pages of large stores, in processor time of the server.

A match of a million hands is played and stored, and a thousand small runs beside it; the index of hands is built
once, as the first look at a match does.
"""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from luckless.bench.timing import CPU, Row, once, seconds_of

HANDS = 1_000_000
RUNS = 1_000
KEY = "bench"
OPENING, FILTERING, LISTING = 1.0, 0.5, 0.5
"""Seconds that are aimed at."""
FILTERS = (
    "player=0&ending=showdown&sort=won&order=down",
    "cards=TT%2B%2CAQs&won_from=2",
    "line=*%2Fk*r*&sort=pot&order=down",
    "player=1&seat=0&street=river&pot_from=6",
)


def measure(hands: int = HANDS, runs: int = RUNS) -> Iterator[Row]:
    """All rows; smaller numbers are for tests of the benchmark itself."""
    with tempfile.TemporaryDirectory(prefix="luckless-bench-") as place:
        folder = Path(place)
        _store(folder / "large", hands)
        _many(folder / "many", runs)
        yield from _large(folder / "large", hands)
        yield from _list(folder / "many", runs)


def _store(folder: Path, hands: int) -> None:
    from luckless.public import play

    play(["value-bet", "pot-odds"], game="limit-hu", hands=hands, seed=1, save=folder)


def _many(folder: Path, runs: int) -> None:
    """A thousand runs: one small match, copied."""
    folder.mkdir()
    _store(folder / "run-0", 200)
    for number in range(1, runs):
        shutil.copytree(folder / "run-0", folder / f"run-{number}")


def _client(folder: Path) -> Callable[[str], Any]:
    """Asks an application as a browser would, without a socket between."""
    import asyncio

    from luckless.web.app import create_app
    from luckless.web.settings import WebSettings

    app = create_app(folder, WebSettings(key=KEY))

    def ask(target: str) -> bytes:
        path, _, query = target.partition("?")
        scope = {
            "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": query.encode(),
            "headers": [(b"host", b"127.0.0.1:8765")], "scheme": "http", "http_version": "1.1", "root_path": "",
            "server": ("127.0.0.1", 8765), "client": ("127.0.0.1", 1),
        }  # fmt: skip
        body: list[bytes] = []
        status: list[int] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            status.append(message.get("status", 0))
            body.append(message.get("body", b""))

        asyncio.run(app(scope, receive, send))
        if status[0] != 200:
            raise ValueError(f"{target} answers {status[0]}: {b''.join(body)[:200]!r}")
        return b"".join(body)

    return ask


def _large(folder: Path, hands: int) -> Iterator[Row]:
    ask = _client(folder)
    words = f"a stored match of {hands:,} hands"
    first = once(lambda: ask("/match/"), CPU)
    yield Row(f"opening {words}, the first time", first, "the aim", OPENING, 1.0)
    yield Row(f"opening {words} again", seconds_of(lambda: ask("/match/"), clock=CPU), "the aim", OPENING, 1.0)
    started = time.process_time()
    ask("/hands/")
    yield Row(f"the index of {hands:,} hands, built once", time.process_time() - started)
    for words_of in FILTERS:
        seconds = seconds_of(lambda words_of=words_of: ask(f"/api/hands/?{words_of}"), clock=CPU)  # type: ignore[misc]
        yield Row(f"filtering {hands:,} hands by {words_of}", seconds, "the aim", FILTERING, 1.0)
    yield Row("a step of the replayer", seconds_of(lambda: ask("/api/replay/?hand=100&step=2"), clock=CPU))


def _list(folder: Path, runs: int) -> Iterator[Row]:
    ask = _client(folder)
    yield Row(f"the list of {runs:,} runs, the first time", once(lambda: ask("/"), CPU), "the aim", LISTING, 1.0)
    again = seconds_of(lambda: ask("/api/runs"), clock=CPU)
    yield Row(f"the list of {runs:,} runs again", again, "the aim", LISTING, 1.0)
