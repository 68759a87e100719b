"""Hands as rows of Arrow tables: `hands`, `actions` and `results`, for SQL and data frames alike."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from luckless.cards import format_card
from luckless.errors import InputError
from luckless.histories.amounts import unit_text
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import NO_TIME, UNKNOWN, HandColumns
from luckless.rules.game import STREETS, Game
from luckless.rules.replaying import SOUND, Replay, replay

_CARD_TEXTS = np.array([format_card(card) if card < 52 else "??" for card in range(256)], "S2")
_ENDINGS = (*STREETS, "showdown")
_KINDS = ("fold", "check", "call", "bet", "raise")


def played_again(columns: HandColumns) -> Replay:
    played = replay(columns.records)
    bad = np.flatnonzero(played.ends.problem != SOUND)
    if len(bad):
        raise InputError(f"hand {columns.numbers[bad[0]]} cannot be replayed; `luckless verify` says why")
    return played


def _ending(played: Replay) -> NDArray[np.int64]:
    """How each hand ended, a place in `_ENDINGS`."""
    return np.where(played.ends.showdown == 1, 4, played.ends.street)


def _words(numbers: NDArray[Any], words: tuple[str, ...]) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(numbers.astype(np.int32)), pa.array(words)).cast(pa.string())


def _card_texts(cards: NDArray[np.uint8], count: NDArray[np.int64] | int) -> Any:
    """Rows of cards as text, the first `count` of each."""
    width = cards.shape[1]
    texts = np.where(np.arange(width) < np.reshape(count, (-1, 1)), _CARD_TEXTS[cards], b"")
    return pa.array(np.ascontiguousarray(texts).view(f"S{2 * width}").ravel().astype(f"U{2 * width}"))


def _hand_rows(columns: HandColumns, played: Replay) -> Any:
    records, ends, game = columns.records, played.ends, columns.records.game
    seats, hands = game.seats, len(columns)
    return pa.table(
        {
            "hand": columns.keys,
            "number": columns.numbers,
            "deal": columns.deals,
            "seats": np.full(hands, seats, np.int8),
            "ending": _words(_ending(played), _ENDINGS),
            "board": _card_texts(records.decks[:, 2 * seats :], played.board_cards),
            "pot": ends.pot,
            "actions": np.diff(records.ends, prepend=0).astype(np.int32),
            "betting": _same(game.betting, hands),
            "stakes": _same(_stakes(game, columns.scale), hands),
            "big_blind": np.full(hands, game.big_blind, np.int32),
            "unit": np.full(hands, columns.scale, np.int32),
            "rake": -records.payoffs.sum(axis=1, dtype=np.int32),
            "settlement": _same(columns.settlement, hands),
            **_origin_columns(columns),
        }
    )


def _same(text: str, count: int) -> Any:
    return _words(np.zeros(count, np.int32), (text,))


def _stakes(game: Game, scale: int) -> str:
    """The stakes in units of the source: the bets of limit, else the blinds."""
    bets = (game.bet_sizes[0], game.bet_sizes[2]) if game.betting == "limit" else sorted(filter(None, game.blinds))
    return "/".join(unit_text(chips, scale) for chips in bets) or unit_text(game.big_blind, scale)


def _origin_columns(columns: HandColumns) -> dict[str, Any]:
    """Where hands come from; nothing for hands that were played here."""
    origin, hands = columns.origin, len(columns)
    if origin is None:
        nothing = [(key, pa.nulls(hands, kind)) for key, kind in _ORIGIN_TYPES.items()]
        return dict(nothing)
    line, seconds = pa.array(origin.line, mask=origin.line == 0), pa.array(origin.time, mask=origin.time == NO_TIME)
    tables = pa.array(origin.table.astype(np.int32), mask=origin.table < 0)
    return {
        "file": _words(origin.file, origin.files),
        "line": line,
        "table_name": pa.DictionaryArray.from_arrays(tables, pa.array(origin.tables, pa.string())).cast(pa.string()),
        "time": seconds.cast(pa.timestamp("s")),
    }


_ORIGIN_TYPES = {"file": pa.string(), "line": pa.int32(), "table_name": pa.string(), "time": pa.timestamp("s")}


def positions(game: Game) -> tuple[str, ...]:
    """What the seats are called, from the button back: BTN, CO, HJ, LJ, and UTG on from the first to act."""
    if game.seats == 2:
        return ("BB", "BTN")
    first = ["BB"] if game.blinds[0] == game.big_blind > game.blinds[1] else ["SB", "BB"]
    others = game.seats - len(first)
    late = ["LJ", "HJ", "CO", "BTN"] if others > 4 else ["HJ", "CO", "BTN"]
    late = late[-others:]
    early = ["UTG", *(f"UTG+{place}" for place in range(1, 8))][: others - len(late)]
    return (*first, *early, *late)


def _action_rows(columns: HandColumns, played: Replay) -> Any:
    records, steps = columns.records, played.steps
    counts = np.diff(records.ends, prepend=0)
    rows = np.repeat(np.arange(len(columns)), counts)
    actions = records.actions
    kind = np.select(
        [actions == FOLD, (actions == CALL) & (steps.to_call == 0), actions == CALL, steps.bet == 0], [0, 1, 2, 3], 4
    )
    players = columns.players[rows, steps.seat]
    return pa.table(
        {
            "hand": columns.keys[rows],
            "step": np.arange(len(actions)) - np.repeat(records.ends - counts, counts),
            "seat": steps.seat,
            "player": players,
            "name": _words(players, columns.names),
            "street": _words(steps.street, STREETS),
            "kind": _words(kind, _KINDS),
            "action": actions,
            "chips": steps.chips,
            "to_call": steps.to_call,
            "pot": steps.pot,
            "behind": steps.behind,
        }
    )


def _result_rows(columns: HandColumns, played: Replay) -> Any:
    """One row for each seat of each hand."""
    records = columns.records
    hands, seats = records.payoffs.shape
    seat = np.tile(np.arange(seats, dtype=np.int8), hands)
    players = columns.players.ravel()
    holes = records.decks[:, : 2 * seats].reshape(-1, 2)
    known = (holes != UNKNOWN).all(axis=1)
    values = columns.values().ravel()
    return pa.table(
        {
            "hand": np.repeat(columns.keys, seats),
            "deal": np.repeat(columns.deals, seats),
            "seat": seat,
            "seats": np.full(len(seat), seats, np.int8),
            "position": _words(seat, positions(records.game)),
            "player": players,
            "name": _words(players, columns.names),
            "hole": _card_texts(holes, np.where(known, 2, 0)),
            "stack": records.stacks.ravel(),
            "invested": played.ends.invested.ravel(),
            "payoff": records.payoffs.ravel(),
            "value": values,
            "payoff_bb": values / records.game.big_blind,
            "ending": _words(np.repeat(_ending(played), seats), _ENDINGS),
        }
    )


TABLES: dict[str, tuple[str, Callable[[HandColumns, Replay], Any]]] = {
    "hands": (
        "hand bigint, number bigint, deal bigint, seats tinyint, ending varchar, board varchar, pot integer, "
        "actions integer, betting varchar, stakes varchar, big_blind integer, unit integer, rake integer, "
        "settlement varchar, file varchar, line integer, table_name varchar, time timestamp",
        _hand_rows,
    ),
    "actions": (
        "hand bigint, step integer, seat tinyint, player integer, name varchar, street varchar, kind varchar, "
        "action integer, chips integer, to_call integer, pot integer, behind integer",
        _action_rows,
    ),
    "results": (
        "hand bigint, deal bigint, seat tinyint, seats tinyint, position varchar, player integer, name varchar, "
        "hole varchar, stack integer, invested integer, payoff integer, value double, payoff_bb double, "
        "ending varchar",
        _result_rows,
    ),
}
"""The tables: their columns in SQL, and what makes their rows of a batch of hands."""
SORTED_BY = {"hands": ("hand",), "actions": ("hand", "step"), "results": ("hand", "seat")}
"""The columns that tell the rows of a table apart, in their order."""
