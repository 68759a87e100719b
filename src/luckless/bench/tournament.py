"""How long a tournament of forty compiled bots takes: every pairing, 10,000 hands each, stored and ranked."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from luckless.bench.timing import Row, once
from luckless.tournaments.playing import play_tournament
from luckless.tournaments.settings import Settings, checked

PLAIN = ("random", "uniform", "call", "fold", "raise", "all-in", "threshold", "sklansky", "value-bet", "pot-odds")
BOTS = (*PLAIN, *(f"odds {number}=pot-odds:risk={number / 100:g}" for number in range(1, 31)))
HANDS = 10_000
MOST_SECONDS = 600


def measure() -> Iterator[Row]:
    """One row."""
    pairings = len(BOTS) * (len(BOTS) - 1) // 2
    settings = checked(Settings(bots=BOTS, game="nolimit-hu", hands=HANDS))
    with tempfile.TemporaryDirectory(prefix="luckless-") as place:
        small = checked(Settings(bots=BOTS[:2], game="nolimit-hu", hands=100))
        play_tournament(Path(place) / "compiled", small)
        seconds = once(lambda: play_tournament(Path(place) / "tournament", settings, show_progress=True))
    work = f"tournament of {len(BOTS)} bots, {pairings} pairings of {HANDS:,} hands, stored and ranked"
    yield Row(work, seconds, note=f"the aim is {MOST_SECONDS / 60:.0f} min on two cores")
