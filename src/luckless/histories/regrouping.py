"""Brings hands of one game together: at tables where players come and go, games alternate from hand to hand."""

from collections.abc import Iterable, Iterator
from typing import Any

from luckless.rules.columns import HandColumns, join

TOGETHER = 65_536
"""Hands that are held in memory to be sorted by game."""


def regrouped(batches: Iterable[HandColumns], hands: int = TOGETHER) -> Iterator[HandColumns]:
    """The same hands in few batches, not in their order; the batches must share the numbers of their players."""
    waiting: dict[Any, list[HandColumns]] = {}
    held = 0
    for batch in batches:
        waiting.setdefault(batch.kind, []).append(batch)
        held += len(batch)
        if held >= hands:
            yield from map(join, waiting.values())
            waiting, held = {}, 0
    yield from map(join, waiting.values())
