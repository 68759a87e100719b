"""The hands of one or several logs as DIVAT takes them: between two players known by name, as arrays, in order.

A hand that cannot be judged (another game, other players, a result that is not that of its cards) is rejected by its
number with the reason; it costs only itself.
"""

import contextlib
import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.divat.lines import NO_LINE, PROBLEMS, split_streets
from luckless.errors import InputError
from luckless.histories.rejects import Reject, won_in
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.game import Game

OnLogReject = Callable[[str, Reject], None]
"""Hears the name of a log and one of its hands that is left out."""


class NothingToJudge(InputError):
    """There is no hand that could be judged."""

    def __init__(self) -> None:
        super().__init__(
            "no hand could be judged: DIVAT needs finished heads-up limit hands with both players' cards"
        )


class Log(NamedTuple):
    """One source of hands, and its name as errors give it."""

    name: str
    batches: Iterable[HandColumns]


@dataclass(frozen=True)
class PlayedHands:
    """Hands between two players, in the order of their logs; row i of every array is hand i.

    `seats` says where `player` sits, `decks` holds the hole cards of seat 0 and 1 and the board (`UNKNOWN` where the
    source does not show a card), `lines` the betting by street, `money` what `player` won in small bets; `logs` the
    place of the hand's log in `sources`, `deals` and `numbers` are as the log has them.
    """

    player: str
    opponent: str
    sources: tuple[str, ...]
    seats: NDArray[np.int64]
    decks: NDArray[np.uint8]
    lines: NDArray[np.uint8]
    money: NDArray[np.float64]
    logs: NDArray[np.int64]
    deals: NDArray[np.int64]
    numbers: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def holes_known(self) -> NDArray[np.bool_]:
        """The hands of which both players' hole cards are known."""
        known: NDArray[np.bool_] = (self.decks[:, :4] != UNKNOWN).all(axis=1)
        return known

    @property
    def known(self) -> NDArray[np.bool_]:
        """The hands of which every card that was dealt is known."""
        streets = (self.lines != NO_LINE).sum(axis=1)
        dealt = np.arange(5) < np.array([0, 0, 3, 4, 5])[streets, None]
        shown: NDArray[np.bool_] = ((self.decks[:, 4:] != UNKNOWN) | ~dealt).all(axis=1)
        return self.holes_known & shown


def check_game(game: Game) -> Game:
    """DIVAT's thresholds and tables are made for one game: heads-up limit, reversed blinds, four bets a street."""
    if game.seats != 2:
        raise InputError(f"game {game.name} has {game.seats} players: DIVAT judges two")
    if game.betting != "limit":
        raise InputError(f"game {game.name} is {game.betting}: DIVAT judges heads-up limit hold'em")
    small = game.bet_sizes[0]
    right = (
        game.bet_sizes == (small, small, 2 * small, 2 * small)
        and game.blinds[0] == small == 2 * game.blinds[1]
        and game.max_bets == (4, 4, 4, 4)
        and game.first_street == 0
        and not any(game.antes)
    )
    if not right:
        raise InputError(
            f"game {game.name} has blinds {game.blinds}, bets {game.bet_sizes} and caps {game.max_bets}: DIVAT needs "
            "a big blind of one small bet, a small blind of half of it, bets of 1, 1, 2, 2 and four bets a street"
        )
    return game


def _capped(game: Game) -> Game:
    """A format that names no cap (PokerStars text, most of PHH) is read as four bets; a fifth shows in the lines."""
    return game if any(game.max_bets) else dataclasses.replace(game, max_bets=(4, 4, 4, 4))


def gather(logs: Iterable[Log], on_reject: OnLogReject | None = None) -> PlayedHands:
    """All hands of some logs between the same two players; the first log's first player is `player`.

    `on_reject` hears of hands that cannot be judged; without it the first one is an error.
    """
    say = on_reject or _refuse
    parts: list[PlayedHands] = []
    for log in logs:
        part = _gather_log(log, say)
        if part is None:
            continue
        if parts and {part.player, part.opponent} != {parts[0].player, parts[0].opponent}:
            first = parts[0]
            raise InputError(
                f"{first.sources[0]} is between {first.player} and {first.opponent}, {log.name} between "
                f"{part.player} and {part.opponent}: judge logs of different players one by one"
            )
        parts.append(part)
    if not parts:
        raise NothingToJudge
    return _joined(parts)


def _refuse(log: str, reject: Reject) -> None:
    raise InputError(f"{log}, {reject.where}: {reject.reason}")


def _joined(parts: Sequence[PlayedHands]) -> PlayedHands:
    """The hands of all logs from the side of the first log's player."""
    first = parts[0]
    turned = [part.player != first.player for part in parts]
    sides = list(zip(parts, turned, strict=True))
    return PlayedHands(
        first.player,
        first.opponent,
        tuple(part.sources[0] for part in parts),
        np.concatenate([1 - part.seats if other else part.seats for part, other in sides]),
        np.concatenate([part.decks for part in parts]),
        np.concatenate([part.lines for part in parts]),
        np.concatenate([-part.money if other else part.money for part, other in sides]),
        np.repeat(np.arange(len(parts)), [len(part) for part in parts]),
        np.concatenate([part.deals for part in parts]),
        np.concatenate([part.numbers for part in parts]),
    )


class _Batch(NamedTuple):
    """A batch of a log, the lines of its hands, and which of them can be judged."""

    columns: HandColumns
    lines: NDArray[np.uint8]
    sound: NDArray[np.bool_]


def _gather_log(log: Log, on_reject: OnLogReject) -> PlayedHands | None:
    """The hands of a log between the two players who meet most often in it; None if there are none."""
    batches = [batch for columns in log.batches if (batch := _checked(columns, log.name, on_reject)) is not None]
    pairs: Counter[tuple[int, ...]] = Counter()
    for batch in batches:
        who, times = np.unique(np.sort(batch.columns.players[batch.sound], axis=1), axis=0, return_counts=True)
        pairs.update(dict(zip(map(tuple, who.tolist()), times.tolist(), strict=True)))
    if not pairs:
        return None
    player, opponent = pairs.most_common(1)[0][0]
    names = batches[-1].columns.names
    parts = []
    for batch in batches:
        columns = batch.columns
        ours = (np.sort(columns.players, axis=1) == (player, opponent)).all(axis=1)
        for row in np.flatnonzero(batch.sound & ~ours):
            reason = f"it is played by {' and '.join(columns.names_of(int(row)))}, the log by "
            _reject(columns, int(row), f"{reason}{names[player]} and {names[opponent]}", log.name, on_reject)
        rows = np.flatnonzero(batch.sound & ours)
        seats = np.argmax(columns.players[rows] == player, axis=1)
        money = columns.records.payoffs[rows, seats] / columns.records.game.small_bet
        parts.append((seats, columns.records.decks[rows], batch.lines[rows], money,
                      columns.deals[rows], columns.numbers[rows]))  # fmt: skip
    seats, decks, lines, money, deals, numbers = (np.concatenate(column) for column in zip(*parts, strict=True))
    logs = np.zeros(len(seats), np.int64)
    return PlayedHands(names[player], names[opponent], (log.name,), seats, decks, lines, money, logs, deals, numbers)


def _checked(columns: HandColumns, log: str, on_reject: OnLogReject) -> _Batch | None:
    """A batch with its lines; None if its game cannot be judged."""
    from luckless.rules.replaying import replay

    try:
        check_game(_capped(columns.records.game))
    except InputError as error:
        where = f"hands {columns.numbers[0]} to {columns.numbers[-1]}" if len(columns) else "no hands"
        on_reject(log, Reject(where, str(error), "", len(columns), won_in(columns)))
        return None
    records = columns.records
    lines, problems = split_streets(*columns.padded_actions())
    ends = replay(records).ends
    full = 24 * records.game.small_bet  # no hand costs more
    short: NDArray[np.bool_] = (ends.invested >= records.stacks) & (records.stacks < full)
    all_in = short[:, 0] | short[:, 1]
    furthest = np.abs(ends.payoffs - records.payoffs).max(axis=1, initial=0)
    off = (ends.settled == 1) & (furthest > 1)  # odd chips may be shared
    for row in np.flatnonzero((problems != 0) | all_in | off).tolist():
        reason = PROBLEMS[problems[row]]
        if not reason and all_in[row]:
            reason = "a player is all-in, which DIVAT does not support"
        elif not reason:
            given, right = records.payoffs[row].tolist(), ends.payoffs[row].tolist()
            reason = f"the log says that the seats won {given} chips, its cards and actions say {right}"
        _reject(columns, row, reason, log, on_reject)
    return _Batch(columns, lines, (problems == 0) & ~all_in & ~off)


def _reject(columns: HandColumns, row: int, reason: str, log: str, on_reject: OnLogReject) -> None:
    """Hands a hand over to `on_reject`, written as in a competition's log where that can be."""
    from luckless.histories.acpc import state_line
    from luckless.histories.hand_detail import details

    text = ""
    with contextlib.suppress(InputError):
        (hand,) = details(columns.rows(slice(row, row + 1)))
        text = state_line(hand, list(hand.names), hand.values())
    on_reject(log, Reject(f"hand {columns.numbers[row]}", reason, text, won=won_in(columns, row)))
