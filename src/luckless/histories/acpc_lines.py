"""Lines of competition logs, parsed and played at once in compiled code.

A line is `STATE:number:betting:cards:values:players`, by seat from 0 on: `STATE:0:cc/r200c/r400f:AcKc|7h6h/Ks5h3d/Tc:
-200|200:a|b`. Betting is f, c and r; in no-limit r is followed by all that the player has then put in.
Values may be fractions, since the competition's dealer shares odd chips.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.cards import RANKS, SUITS
from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import UNKNOWN
from luckless.rules.even_shares import SHARES, WIDE_HAND, settle_shares
from luckless.rules.game import BOARD_CARDS
from luckless.rules.records import HandArrays
from luckless.rules.replaying import SOUND, check_cards, knows_showdown
from luckless.rules.state import FINISHED, LIMIT, PUBLIC

(GOOD, NO_STATE, NO_NUMBER, NO_ACTION, ILLEGAL, WRONG_STREET, UNFINISHED, NO_CARDS, TWICE, NO_VALUES, OTHER_VALUES,
 NO_PLAYERS, UNSETTLED) = range(13)  # fmt: skip
REASONS = (
    "",
    "it does not begin with STATE:",
    "its hand number is missing or too large",
    "its betting may have only f, c, r, amounts and /",
    "its betting is not allowed by the rules of the game",
    "its slashes are not where the streets end",
    "the hand is not over",
    "its cards do not fit the players and the board that was dealt",
    "a card appears twice",
    "its values are not one number for each player",
    "its values are not what the cards and the betting give",
    "it does not name one player for each seat",
    "cards of the showdown are unknown, and its values are not whole chips",
)
"""What can be wrong with a line, by number."""

WHOLE, SHARED, GIVEN, EXPECTED = range(4)
"""How the values of a line relate to ours: equal, equal but for shared odd chips, not to be settled again, or what an
all-in is worth before the board is dealt out (the kernel leaves that to be found out)."""

MILLIONTHS = 1_000_000

_STATE = np.frombuffer(b"STATE:", np.uint8)
_COLON, _SLASH, _BAR, _DOT, _MINUS, _ZERO, _NINE = (ord(sign) for sign in ":/|.-09")
_F, _C, _R = (ord(letter) for letter in "fcr")
_RANK_OF = np.full(256, UNKNOWN, np.uint8)
_SUIT_OF = np.full(256, UNKNOWN, np.uint8)
for _number, _sign in enumerate(RANKS):
    _RANK_OF[ord(_sign)] = _number
for _number, _sign in enumerate(SUITS):
    _SUIT_OF[ord(_sign)] = _number
_BOARD_CARDS = np.array(BOARD_CARDS)


class Hands(NamedTuple):
    """Room for the hands of a block of lines, and what else the lines say; row i is line i."""

    played: HandArrays
    problem: NDArray[np.int8]
    number: NDArray[np.int64]
    players_at: NDArray[np.int64]
    """Where the names of the players begin in the text."""
    settlement: NDArray[np.int8]
    values: NDArray[np.int64]
    """The values as printed, in millionths of a chip."""


class Rules(NamedTuple):
    """The game, as the engine takes it for playing and for even shares."""

    play: NDArray[np.void]
    share: NDArray[np.void]


@njit(cache=True, nogil=True)
def _digits(line: NDArray[np.uint8], at: int) -> Any:
    """The whole number that begins at a place, and the place after it; -1 if there is none or it is too large."""
    value, first = np.int64(0), at
    while at < len(line) and _ZERO <= line[at] <= _NINE:
        value = 10 * value + (line[at] - _ZERO)
        at += 1
        if at - first > 18:
            return np.int64(-1), at
    return (value if at > first else np.int64(-1)), at


@njit(cache=True, nogil=True)
def _play(rules: Any, hand: Any, line: NDArray[np.uint8], at: int, actions: NDArray[np.int32]) -> Any:
    """Plays the betting from a place on; returns a problem and the place after the colon that ends it."""
    slashes = 0
    while True:
        if at == len(line):
            return NO_ACTION, at
        sign = line[at]
        at += 1
        if sign == _COLON:
            break
        if sign == _SLASH:
            slashes += 1
            continue
        action: Any = np.int64(CALL)
        if sign == _F:
            action = np.int64(FOLD)
        elif sign == _R:
            action = np.int64(hand.min_raise_to)
            if at < len(line) and _ZERO <= line[at] <= _NINE:
                total, at = _digits(line, at)
                earlier = hand.invested[hand.actor] - hand.street_bet[hand.actor]
                action = total - earlier
            elif rules.betting != LIMIT:
                return NO_ACTION, at
            if action <= 0:
                return ILLEGAL, at
        elif sign != _C:
            return NO_ACTION, at
        if hand.actor == FINISHED or engine.check(hand, action) != engine.LEGAL:
            return ILLEGAL, at
        if slashes != hand.street:
            return WRONG_STREET, at
        actions[hand.steps] = action
        engine.act(rules, hand, action)
    if hand.actor != FINISHED:
        return UNFINISHED, at
    dealt_out = hand.showdown and slashes == 3  # of an all-in, the rest of the board may be left out
    return (GOOD if dealt_out or slashes == hand.street else WRONG_STREET), at


@njit(cache=True, nogil=True)
def _card(line: NDArray[np.uint8], at: int) -> int:
    if at + 1 >= len(line):
        return UNKNOWN
    rank, suit = _RANK_OF[line[at]], _SUIT_OF[line[at + 1]]
    return UNKNOWN if rank == UNKNOWN or suit == UNKNOWN else 4 * rank + suit


@njit(cache=True, nogil=True)
def _ends(line: NDArray[np.uint8], at: int) -> bool:
    """Whether nothing but slashes stands between a place and the next colon."""
    while at < len(line) and line[at] == _SLASH:
        at += 1
    return bool(at < len(line) and line[at] == _COLON)


@njit(cache=True, nogil=True)
def _read_cards(seats: int, hand: Any, line: NDArray[np.uint8], at: int, deck: NDArray[np.uint8]) -> int:
    """Fills the deck; returns the place after the colon that ends the cards, or -1.

    A hole may be empty, and after an all-in the rest of the board.
    """
    board = 5 if hand.showdown else _BOARD_CARDS[hand.street]
    deck[:] = UNKNOWN
    for seat in range(seats):
        if seat > 0:
            if at >= len(line) or line[at] != _BAR:
                return -1
            at += 1
        if at < len(line) and line[at] not in (_BAR, _SLASH, _COLON):
            deck[2 * seat], deck[2 * seat + 1] = _card(line, at), _card(line, at + 2)
            if deck[2 * seat] == UNKNOWN or deck[2 * seat + 1] == UNKNOWN:
                return -1
            at += 4
    for place in range(board):
        if place in (0, 3, 4):
            while place == _BOARD_CARDS[hand.street] and at < len(line) and line[at] == _SLASH and _ends(line, at):
                at += 1
            if at < len(line) and line[at] == _COLON and place == _BOARD_CARDS[hand.street]:
                return at + 1
            if at >= len(line) or line[at] != _SLASH:
                return -1
            at += 1
        deck[2 * seats + place] = _card(line, at)
        if deck[2 * seats + place] == UNKNOWN:
            return -1
        at += 2
    return at + 1 if at < len(line) and line[at] == _COLON else -1


@njit(cache=True, nogil=True)
def _read_values(line: NDArray[np.uint8], at: int, values: NDArray[np.int64]) -> int:
    """Fills the values, in millionths; returns the place after the colon that ends them, or -1."""
    for seat in range(len(values)):
        sign = 1
        if at < len(line) and line[at] == _MINUS:
            sign = -1
            at += 1
        whole, at = _digits(line, at)
        if not 0 <= whole < 1 << 31:
            return -1
        parts, unit = np.int64(0), MILLIONTHS
        if at < len(line) and line[at] == _DOT:
            at += 1
            while at < len(line) and _ZERO <= line[at] <= _NINE:
                unit //= 10
                parts += unit * (line[at] - _ZERO)
                at += 1
        values[seat] = sign * (whole * MILLIONTHS + parts)
        wanted = _BAR if seat + 1 < len(values) else _COLON
        if at >= len(line) or line[at] != wanted:
            return -1
        at += 1
    return at


@njit(cache=True, nogil=True)
def _can_win(rules: Any, hand: Any, seat: int, payoff: int) -> Any:
    """Whether a seat can have won so much: who folded lost what he put in, the others win what is matched at most."""
    if not hand.live >> seat & 1:
        return bool(payoff == -hand.invested[seat])
    most = np.int64(0)
    for other in range(rules.seats):
        if other != seat:
            most += hand.invested[other] if rules.dead_antes else min(hand.invested[other], hand.invested[seat])
    return bool(-hand.invested[seat] <= payoff <= most)


@njit(cache=True, nogil=True)
def _compare(rules: Rules, hand: Any, wide: Any, deck: Any, values: Any, payoffs: Any) -> Any:
    """A problem, and how the printed values relate to the payoffs, which are filled in."""
    if not knows_showdown(rules.play[0], hand, deck):
        for seat in range(len(values)):
            if values[seat] % MILLIONTHS != 0:
                return UNSETTLED, GIVEN
            payoffs[seat] = values[seat] // MILLIONTHS
            if not _can_win(rules.play[0], hand, seat, payoffs[seat]):
                return OTHER_VALUES, GIVEN
        return (GOOD if payoffs.sum() == 0 else OTHER_VALUES), GIVEN
    engine.settle(rules.play[0], hand, deck, payoffs)
    equal = True
    for seat in range(len(values)):
        equal &= values[seat] == np.int64(payoffs[seat]) * MILLIONTHS
    if equal:
        return GOOD, WHOLE
    shares = np.empty(len(values), np.int64)
    settle_shares(rules.share[0], hand, wide, deck, shares)
    for seat in range(len(values)):
        if abs(values[seat] * SHARES - shares[seat] * MILLIONTHS) > SHARES:
            return OTHER_VALUES, SHARED
    return GOOD, SHARED


@njit(cache=True, nogil=True)
def _read_line(rules: Rules, line: NDArray[np.uint8], records: Any, row: int, first: int, out: Hands) -> Any:
    """Reads one line into row `row`, its actions from place `first` on; returns a problem."""
    (hand, wide), played = records, out.played
    if len(line) < len(_STATE) or np.any(line[: len(_STATE)] != _STATE):
        return NO_STATE
    out.number[row], at = _digits(line, len(_STATE))
    if out.number[row] < 0 or at == len(line) or line[at] != _COLON:
        return NO_NUMBER
    engine.begin(rules.play[0], hand, played.stacks[row])
    problem, at = _play(rules.play[0], hand, line, at + 1, played.actions[first:])
    if problem != GOOD:
        return problem
    at = _read_cards(rules.play[0].seats, hand, line, at, played.decks[row])
    if at < 0:
        return NO_CARDS
    if check_cards(played.decks[row]) != SOUND:
        return TWICE
    at = _read_values(line, at, out.values[row])
    if at < 0:
        return NO_VALUES
    out.players_at[row] = at
    problem, out.settlement[row] = _compare(
        rules, hand, wide, played.decks[row], out.values[row], played.payoffs[row]
    )
    played.ends[row] = first + hand.steps
    return problem


@njit(cache=True, nogil=True)
def read_lines(rules: Rules, text: NDArray[np.uint8], starts: Any, stops: Any, out: Hands) -> None:
    """Reads the lines `text[starts[i] : stops[i]]`.

    A line with a problem has no actions, unless only its values are not ours.
    """
    # A record does not keep its array alive: it is taken anew inside the loop.
    buffer, wide_buffer = np.zeros(1, PUBLIC), np.zeros(1, WIDE_HAND)
    end = 0
    for row in range(len(starts)):
        line = text[starts[row] : stops[row]]
        out.problem[row] = _read_line(rules, line, (buffer[0], wide_buffer[0]), row, end, out)
        if out.problem[row] in (GOOD, OTHER_VALUES, UNSETTLED):
            end = out.played.ends[row]
        out.played.ends[row] = end
        out.players_at[row] += starts[row]
