"""Rank tables for a long judgement: built on the way where that is sooner than judging without them.

The values do not depend on the tables, only the time does: without them every board is ranked anew.
"""

import sys
from collections.abc import Callable

import numpy as np

from luckless import work_clock
from luckless.counted import counted
from luckless.divat.continuations import Valuation
from luckless.divat.gathering import PlayedHands
from luckless.divat.judgement import view_of
from luckless.hands.table_file import cache_folder, table_state
from luckless.hands.tables import SPECS
from luckless.hands.tables_build import build_tables
from luckless.threads import core_count

SAMPLE = 128
"""Hands that are judged to see how long all of them would take."""

BUILD_CORE_SECONDS = 60.0
"""What building the tables takes on one core, about."""

SAVED = 0.9
"""The share of the time of judging that tables save, at least."""


def tables_are_sooner(seconds: float, cores: int) -> bool:
    """Whether building tables pays for a judgement that would take so long without them."""
    return SAVED * seconds > BUILD_CORE_SECONDS / cores


def prepare_ranks(
    hands: PlayedHands, valuation: Valuation, swept: int = 0, clock: Callable[[], float] = work_clock.seconds
) -> bool:
    """Builds the rank tables if they are missing and that is sooner, and says so; whether it has built them.

    `swept` are hands that will be judged again for a sweep.
    """
    if all(table_state(spec) == "ready" for spec in SPECS.values()):
        return False
    known = np.flatnonzero(hands.known)
    if len(known) <= SAMPLE:
        return False
    sample = known[np.linspace(0, len(known) - 1, SAMPLE).astype(int)]
    view_of(hands, sample[:1], valuation)  # compiles, and opens what is opened once
    started = clock()
    view_of(hands, sample, valuation)
    seconds = (clock() - started) / SAMPLE * (len(known) + swept)
    if not tables_are_sooner(seconds, core_count()):
        return False
    size = sum(spec.size for spec in SPECS.values()) / 1e6
    print(
        f"judging {counted(len(known) + swept, 'hand')} would take about {seconds:,.0f} s without rank tables: "
        f"building them first, once for this machine ({size:,.0f} MB in {cache_folder()})",
        file=sys.stderr,
        flush=True,
    )
    try:
        for _ in build_tables():
            pass
    except OSError as error:
        print(f"note: {error}; the hands are judged without tables", file=sys.stderr, flush=True)
        return False
    return True
