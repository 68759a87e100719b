"""Small stored runs, for tests of the dashboard."""

from pathlib import Path

import luckless as lk

HOSTILE = "<script>alert(1)</script>"
"""A name that must not become a part of a page."""


def make_runs(folder: Path) -> None:
    """Stores `match` (limit, two bots), `deep/six` (no-limit, six seats) and `sessions` in a folder."""
    lk.play(["value-bet", "pot-odds"], game="limit-hu", hands=600, seed=7, save=folder / "match")
    six = {
        HOSTILE: "call",
        "odds": "pot-odds",
        "call 2": "call",
        "call 3": "call",
        "fold": "fold",
        "odds 2": "pot-odds",
    }
    lk.play(six, game="nolimit-6max", hands=300, seed=8, save=folder / "deep" / "six")
    lk.play_sessions(["value-bet", "pot-odds"], games=3, seed=9, save=folder / "sessions")
