"""An index of stored hands for looking them up: a Parquet file for each chunk, a row a hand, with what filters ask.

Chunks hold packed actions, which no query can look into; so each is replayed once. An index belongs to the checksum
of its chunk and never changes. It lies in the cache, not in the store, and may be deleted at any time.
"""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from luckless.cards import DECK_SIZE
from luckless.hands.pairs import PAIR_CARDS, pair_numbers
from luckless.hands.table_file import cache_folder
from luckless.histories.biggest import contested
from luckless.histories.catalogue import ChunkRow
from luckless.histories.rows import played_again
from luckless.histories.store import StoredHands
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.game import BOARD_CARDS
from luckless.rules.replaying import Replay
from luckless.whole_files import WholeFile

VERSION = 1
"""Of the columns; indexes of other versions are not looked at."""
MOST_BYTES = 4 << 30
"""What all indexes may take; those that were used longest ago are deleted first."""
LETTERS = "fkcbr"
"""What a line of actions is written with: fold, check, call, bet, raise; a / stands between streets."""

Extra = Callable[[HandColumns], dict[str, NDArray[Any]]]


def index_folder() -> Path:
    """Where indexes lie."""
    return cache_folder() / "hand-index"


def index_files(
    stored: StoredHands,
    *,
    kind: str = "hands",
    rows: Extra | None = None,
    on_chunk: Callable[[int], None] | None = None,
    make: bool = True,
) -> list[Path]:
    """The index file of each chunk of a store, made where it is missing; without `make` those that are there.

    `kind` names what `rows` makes of the hands of a chunk; by default it is the index that `hand_search` reads.
    `on_chunk` hears how many hands were done.
    """
    files = []
    for chunk in stored.chunks:
        file = _place(chunk, kind)
        if not file.is_file():
            if not make:
                continue
            _write(file, (rows or index_rows)(stored.read_chunk(chunk)))
        else:
            with suppress(OSError):
                os.utime(file)  # it was used
        files.append(file)
        if on_chunk is not None:
            on_chunk(chunk.hands)
    return files


def _place(chunk: ChunkRow, kind: str) -> Path:
    name = hashlib.sha256(f"{chunk.hands_file.sha256} {chunk.actions_file.sha256}".encode()).hexdigest()[:40]
    return index_folder() / f"{kind}-{VERSION}-{chunk.first}-{name}.parquet"


def _write(file: Path, columns: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    _make_room(file.parent)
    with WholeFile(file) as stream:
        pq.write_table(pa.table(columns), stream, compression="zstd", row_group_size=65_536)


def _make_room(folder: Path) -> None:
    """Deletes the indexes that were used longest ago if all of them take too much."""
    states = []
    for path in folder.glob("*.parquet"):
        with suppress(OSError):
            states.append((path.stat().st_mtime, path.stat().st_size, path))
    total = sum(size for _, size, _ in states)
    for _, size, path in sorted(states):
        if total <= MOST_BYTES:
            return
        path.unlink(missing_ok=True)
        total -= size


def index_rows(columns: HandColumns) -> dict[str, Any]:
    """How each hand ended, its pot, its line of actions, and each seat's player, cards and result.

    Pots and results are in big blinds; `combo_N` is the number of a seat's two cards (`combo_numbers`), -1 if one is
    not known. `street` is the last that was dealt.
    """
    played = played_again(columns)
    records, game = columns.records, columns.records.game
    seats, unit = game.seats, game.big_blind
    ending = np.where(played.ends.showdown == 1, 4, played.ends.street).astype(np.int8)
    out: dict[str, Any] = {
        "hand": columns.keys,
        "number": columns.numbers,
        "deal": columns.deals,
        "seats": np.full(len(columns), seats, np.int8),
        "ending": ending,
        "street": np.searchsorted(BOARD_CARDS, played.board_cards).astype(np.int8),
        "pot": (contested(columns, played) / unit).astype(np.float32),
        "line": _lines(columns, played),
        "board": _board(records.decks[:, 2 * seats :], played.board_cards),
    }
    values = columns.values() / unit
    for seat in range(seats):
        out[f"player_{seat}"] = columns.players[:, seat].astype(np.int32)
        out[f"won_{seat}"] = values[:, seat]
        out[f"combo_{seat}"] = combo_numbers(records.decks[:, 2 * seat : 2 * seat + 2])
    return out


def combo_numbers(cards: NDArray[np.integer[Any]]) -> NDArray[np.int16]:
    """The numbers of pairs of cards, whatever their order: 0 to 1,325, and -1 where a card is not known."""
    known: NDArray[np.bool_] = np.all(cards < DECK_SIZE, axis=1)
    return np.where(known, pair_numbers(np.where(known[:, None], cards, 0)), -1).astype(np.int16)


def combo_cards(number: int) -> tuple[int, int] | None:
    """The two cards of a number, the higher first; None for those that are not known."""
    if number < 0:
        return None
    low, high = PAIR_CARDS[number].tolist()
    return high, low


def _board(cards: NDArray[np.uint8], count: NDArray[np.int64]) -> NDArray[np.int64]:
    """The cards on the table as one number, six bits each from the lowest on; 63 for those that did not come."""
    shown = np.where((np.arange(5) < count[:, None]) & (cards != UNKNOWN), cards, 63).astype(np.int64)
    packed: NDArray[np.int64] = (shown << (6 * np.arange(5))).sum(axis=1)
    return packed


def board_cards(packed: int) -> list[int]:
    """The cards of a board that was packed."""
    cards = [packed >> (6 * place) & 63 for place in range(5)]
    return [card for card in cards if card < 52]


def _lines(columns: HandColumns, played: Replay) -> Any:
    """The actions of each hand as letters, laid end to end in one text: far faster than texts one by one."""
    actions, ends, steps = columns.records.actions, columns.records.ends, played.steps
    kind = np.select(
        [actions == FOLD, (actions == CALL) & (steps.to_call == 0), actions == CALL, steps.bet == 0], [0, 1, 2, 3], 4
    )
    counts = np.diff(ends, prepend=0)
    starts = ends - counts
    streets = steps.street.astype(np.int64)
    new = np.diff(streets, prepend=streets[:1])
    first = starts[counts > 0]
    new[first] = 0  # the first action of a hand follows no street
    places = np.arange(len(actions)) + np.cumsum(new)
    text = np.full(len(actions) + int(new.sum()), ord("/"), np.uint8)
    text[places] = np.frombuffer(LETTERS.encode(), np.uint8)[kind]
    finish = np.concatenate([[0], ends + np.cumsum(np.concatenate([[0], new]))[ends]]).astype(np.int32)
    return pa.StringArray.from_buffers(len(columns), pa.py_buffer(finish), pa.py_buffer(text))
