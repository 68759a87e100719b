"""Hands on disk: what storing a match costs beside playing it and how large it is, and how fast logs are read.

All times are processor time: the figures are for one core, and storing works in the background.
"""

import io
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from luckless.bench.timing import Row
from luckless.bots.catalogue import load_bot
from luckless.histories.acpc import AcpcReader
from luckless.histories.formats import FORMATS
from luckless.histories.hand_detail import details
from luckless.histories.match_writer import MatchWriter
from luckless.histories.phh import PhhReader
from luckless.histories.rejects import refuse
from luckless.histories.store import StoredHands
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from luckless.rules.replaying import replay

ACPC_AIM, PHH_AIM = 50_000, 5_000
"""Hands a second on one core."""

WRITTEN_HANDS = 1 << 20


def measure() -> Iterator[Row]:
    """All rows."""
    yield _writing("limit-hu", ["call", "raise"], most_bytes=40)
    yield _writing("limit-hu", ["uniform", "random"], most_bytes=40)
    yield _writing("nolimit-6max", ["call", "random"] * 3, most_bytes=100)
    yield _replaying()
    yield from _reading_acpc()
    yield from _reading_phh()


def _plan(game: str, bots: list[str], hands: int) -> Match:
    return Match.plan(Game.load(game), [load_bot(bot) for bot in bots], hands=hands, seed=1)


def _writing(game: str, bots: list[str], most_bytes: int) -> Row:
    """Processor time of playing and counting a match on one core, without and with storing it."""
    match = _plan(game, bots, WRITTEN_HANDS)
    with tempfile.TemporaryDirectory() as folder:
        places = iter(range(1000))

        def save() -> None:
            with MatchWriter.open(Path(folder) / str(next(places)), match) as writer:
                writer.finish(play_match(match, workers=1, on_chunk=writer.add))

        save()
        pairs = [(_once(lambda: play_match(match, workers=1)), _once(save)) for _ in range(5)]
        playing, saving = (min(pair[which] for pair in pairs) for which in (0, 1))
        chunks = StoredHands.open(Path(folder) / "0").chunks
    size = sum(chunk.hands_file.size + chunk.actions_file.size for chunk in chunks) / match.hands
    return Row(
        f"storing {match.hands:,} hands of {game}, {' v '.join(dict.fromkeys(bots))}",
        saving - playing,
        "a third of playing them",
        playing / 3,
        1.0,
        f"{size:.1f} bytes a hand, at most {most_bytes} are allowed",
    )


def _once(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _median(work: Callable[[], object]) -> float:
    """The median of three runs, after one that compiles."""
    work()
    return statistics.median(_once(work) for _ in range(3))


def _hands(game: str, hands: int) -> HandColumns:
    match = _plan(game, ["uniform"] * Game.load(game).seats, hands)
    return join([chunk.hands for chunk in match.chunks(workers=1)])


def _replaying() -> Row:
    records = _hands("nolimit-6max", 16_384).records
    seconds = _median(lambda: replay(records))
    return Row(f"replaying and settling {len(records):,} six-handed hands", seconds)


def _text(name: str, columns: HandColumns) -> str:
    writer = FORMATS[name].writer(Path("x"))
    return "".join(map(writer.hand, details(columns)))


def _reading_acpc() -> Iterator[Row]:
    header, *lines = _text("acpc", _hands("limit-hu", 4_000)).splitlines(keepends=True)
    log = (header + "".join(lines) * 25).encode()
    hands = 25 * len(lines)
    seconds = _median(lambda: _count(AcpcReader(refuse("log")).read(io.BytesIO(log))))
    work, note = f"reading {hands:,} hands of an ACPC log", f"{hands / seconds:,.0f} a second"
    yield Row(work, seconds, f"the aim of {ACPC_AIM:,} a second", hands / ACPC_AIM, 1.0, note)
    peer = _pokerkit_acpc("".join(lines[:200]))
    if peer is not None:
        yield Row(work, seconds, "PokerKit", peer * hands / 200)


def _reading_phh() -> Iterator[Row]:
    columns = _hands("nolimit-6max", 4_000)
    text = _text("phh", columns)
    lines, hands = text.splitlines(), len(columns)
    seconds = _median(lambda: _count(PhhReader(refuse("log")).read(lines)))
    work, note = f"reading {hands:,} hands in PHH", f"{hands / seconds:,.0f} a second"
    yield Row(work, seconds, f"the aim of {PHH_AIM:,} a second", hands / PHH_AIM, 1.0, note)
    try:
        from pokerkit import HandHistory
    except ImportError:
        return
    some = text[: text.index("[101]")]
    peer = _once(lambda: [list(history) for history in HandHistory.loads_all(some)])
    yield Row(work, seconds, "PokerKit, which settles them too", peer * hands / 100)


def _count(batches: Iterator[HandColumns]) -> int:
    return sum(map(len, batches))


def _pokerkit_acpc(log: str) -> float | None:
    """Seconds that PokerKit takes for a log; None if it is not installed."""
    try:
        from pokerkit import FixedLimitTexasHoldem
        from pokerkit.notation import ACPCProtocolParser
    except ImportError:
        return None
    game: Any = FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20)
    return _once(lambda: list(ACPCProtocolParser(game, 480)(log)))
