"""Chosen hands of a store as text to take away: PHH, or CSV with a row a hand."""

import csv
import io
from collections.abc import Iterator, Sequence

import numpy as np

from luckless.cards import format_cards
from luckless.errors import InputError
from luckless.histories.hand_detail import HandDetail, details
from luckless.histories.hand_frames import card_text
from luckless.histories.phh_writing import PhhWriter
from luckless.histories.rows import positions
from luckless.histories.store import StoredHands
from luckless.rules.columns import HandColumns
from luckless.visible import visible_line

FORMATS = ("phh", "csv")
CSV_HEADER = ("hand", "deal", "ending", "board", "pot", "seat", "position", "player", "hole", "result", "actions")
_FORMULA = ("=", "+", "-", "@")
"""A text that begins so is taken for a formula by spreadsheets."""


def chosen_hands(stored: StoredHands, keys: Sequence[int]) -> Iterator[HandColumns]:
    """The hands of some keys, chunk by chunk; chunks without any are not read."""
    wanted = np.array(sorted(keys), np.int64)
    for chunk in stored.chunks:
        if not stored.is_session and not ((wanted >= chunk.first) & (wanted < chunk.first + chunk.hands)).any():
            continue
        columns = stored.read_chunk(chunk)
        rows = np.flatnonzero(np.isin(columns.keys, wanted))
        if len(rows):
            yield columns.take(rows)


def exported(stored: StoredHands, keys: Sequence[int], format: str) -> Iterator[str]:
    """The text of the hands, piece by piece; refuses a format that cannot carry them before the first piece."""
    if format not in FORMATS:
        raise InputError(f"format is {format!r}; allowed is {' or '.join(FORMATS)}")
    batches = chosen_hands(stored, keys)
    return _as_phh(batches) if format == "phh" else _as_csv(batches)


def _as_phh(batches: Iterator[HandColumns]) -> Iterator[str]:
    writer = PhhWriter()
    for batch in batches:
        for hand in details(batch):
            yield writer.hand(hand)
    yield writer.closing()


def _as_csv(batches: Iterator[HandColumns]) -> Iterator[str]:
    """A row for each seat of each hand."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(CSV_HEADER)
    for batch in batches:
        for hand in details(batch):
            table.writerows(_rows(hand))
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def _rows(hand: HandDetail) -> Iterator[tuple[object, ...]]:
    places, results = positions(hand.game), hand.values()
    ending = "showdown" if hand.showdown else "fold"
    actions = " ".join(f"{step.seat}:{step.text(str)}" for step in hand.steps)
    for seat, name in enumerate(hand.names):
        shown = visible_line(name)
        result = float(results[seat] / hand.scale)
        hole = "".join(map(card_text, hand.hole(seat)))
        yield (
            *(hand.key, hand.deal, ending, format_cards(hand.board), hand.pot / hand.scale, seat, places[seat]),
            *(f"'{shown}" if shown.startswith(_FORMULA) else shown, hole, result, actions),
        )
