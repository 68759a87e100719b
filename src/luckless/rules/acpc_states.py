"""States of a hand as the Annual Computer Poker Competition writes them (protocol 2.0.0): `MATCHSTATE` lines.

    MATCHSTATE:<seat>:<hand>:<betting>:<hole cards><board>

Betting is f, c and r, streets apart by "/"; in no-limit r is followed by all the chips that the player will then have
in the pot, those of earlier streets included. Seats are positions, as ours; hole cards are apart by "|", those not
seen are left out; each street's board cards follow a "/". Once nobody can bet any more, the river has been reached.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from luckless.cards import DECK_SIZE, format_cards, parse_cards
from luckless.errors import InputError
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.table import Table
from luckless.rules.views import PastAction

VERSION = "VERSION:2.0.0"

Hole = tuple[int, int]

_STATE = re.compile(r"MATCHSTATE:(\d{1,3}):(\d{1,10}):([^:]*):([^:]*)")
_WORDS = {"limit": re.compile(r"[fcr]"), "no-limit": re.compile(r"[fc]|r\d{1,10}")}


def check_carried(game: Game) -> None:
    """Refuses a game that the protocol cannot express."""
    missing = {
        "pot-limit betting": game.betting == "pot-limit",
        "antes": any(game.antes),
        "posts out of turn": any(game.posts),
        "hands that start after the flop": game.first_street > 0,
    }
    for what, there in missing.items():
        if there:
            raise InputError(f"game {game.name}: the competition's protocol cannot carry {what}")


def chips_before(game: Game, history: Sequence[PastAction], street: int) -> int:
    """What a seat that is still betting on a street has put in on the streets before it."""
    return sum(_level(game, history, earlier) for earlier in range(street))


def _level(game: Game, history: Sequence[PastAction], street: int) -> int:
    """The highest bet of a street."""
    bets = [past.action for past in history if past.street == street]
    return max([0, *bets, *(game.blinds if street == 0 else ())])


def betting_text(game: Game, history: Sequence[PastAction], street: int) -> str:
    """The betting so far, when `street` has been reached."""
    texts = []
    for number in range(street + 1):
        before = chips_before(game, history, number)
        texts.append("".join(action_text(game, past.action, before) for past in history if past.street == number))
    return "/".join(texts)


def action_text(game: Game, action: int, before: int) -> str:
    """One action; `before` is what the seat has put in on earlier streets."""
    if action in (FOLD, CALL):
        return "f" if action == FOLD else "c"
    return "r" if game.betting == "limit" else f"r{before + action}"


@dataclass(frozen=True, slots=True)
class MatchState:
    """A state as one seat sees it."""

    seat: int
    number: int
    streets: tuple[tuple[str, ...], ...]
    """The words of the betting on each street that has been reached."""
    holes: tuple[Hole | None, ...]
    board: tuple[int, ...]

    @property
    def is_known(self) -> tuple[object, ...]:
        """What identifies a state; the cards of other seats do not count."""
        return self.seat, self.number, self.streets, self.holes[self.seat], self.board


def state_text(
    game: Game,
    seat: int,
    number: int,
    history: Sequence[PastAction],
    street: int,
    holes: Sequence[Hole | None],
    board: Sequence[int],
) -> str:
    """The line for a state in which `street` has been reached; `board` may be longer than that street's."""
    ends = BOARD_CARDS[: street + 1]
    cards = "|".join(format_cards(hole or ()) for hole in holes)
    cards += "".join(f"/{format_cards(board[first:last])}" for first, last in pairwise(ends))
    return f"MATCHSTATE:{seat}:{number}:{betting_text(game, history, street)}:{cards}"


def parse_state(game: Game, text: str) -> MatchState:
    """Reads a state; raises InputError for a text that is not a state of this game."""
    parts = _STATE.fullmatch(text.strip())
    if parts is None:
        raise InputError(f"{_shortened(text)} is not a state; allowed is MATCHSTATE:seat:hand:betting:cards")
    seat, number, betting, cards = parts.groups()
    holes_text, *board_texts = cards.split("/")
    holes = [tuple(parse_cards(hole)) for hole in holes_text.split("|")]
    if len(holes) != game.seats or int(seat) >= game.seats:
        raise InputError(f"{_shortened(text)} is not of a game with {game.seats} seats")
    if any(len(hole) not in (0, 2) for hole in holes) or not holes[int(seat)]:
        raise InputError(f"{_shortened(text)}: seat {seat} must hold two cards, and the others two or none")
    streets = tuple(_words(game, street, text) for street in betting.split("/"))
    board = tuple(card for street in board_texts for card in parse_cards(street))
    if len(streets) > len(STREETS) or len(board) != BOARD_CARDS[len(streets) - 1]:
        raise InputError(
            f"{_shortened(text)}: betting on {len(streets)} streets and {len(board)} board cards do not fit"
        )
    seen = tuple((hole[0], hole[1]) if hole else None for hole in holes)
    return MatchState(int(seat), int(number), streets, seen, board)


def _words(game: Game, betting: str, text: str) -> tuple[str, ...]:
    words = _WORDS[game.betting].findall(betting)
    if "".join(words) != betting:
        raise InputError(f"{_shortened(text)}: {betting!r} is not valid {game.betting} betting")
    return tuple(words)


def parse_action(game: Game, word: str, before: int, min_raise_to: int) -> int:
    """The action that a word stands for; `before` is what the seat has put in on earlier streets.

    In limit a raise is the one raise that is allowed, `min_raise_to`.
    """
    if _WORDS[game.betting].fullmatch(word) is None:
        raise InputError(f"{_shortened(word)!r} is not a valid {game.betting} action")
    if word in ("f", "c"):
        return FOLD if word == "f" else CALL
    raise_to = min_raise_to if game.betting == "limit" else int(word[1:]) - before
    if raise_to <= 0:
        raise InputError(f"{word} is not above what the seat has put in already")
    return raise_to


def table_of(game: Game, state: MatchState) -> Table:
    """The hand of a state, played as far as the state goes; cards that the state does not show are any others.

    Raises InputError when our rules do not allow the betting.
    """
    known = [*(card for hole in state.holes if hole for card in hole), *state.board]
    if len(set(known)) < len(known):
        raise InputError(f"hand {state.number}: a card appears twice in {format_cards(known, ' ')}")
    others = [card for card in range(DECK_SIZE) if card not in known]
    holes = [card for hole in state.holes for card in (hole or (others.pop(), others.pop()))]
    board = [*state.board, *others][:5]
    table, row = Table(game, [holes + board]), np.array([0])
    before = 0
    for street, words in enumerate(state.streets):
        level = max(game.blinds) if street == 0 else 0
        for word in words:
            if table.finished or table.public["street"][0] != street:
                raise InputError(
                    f"hand {state.number}: {word} comes after the betting on the {STREETS[street]} is over"
                )
            action = parse_action(game, word, before, int(table.public["min_raise_to"][0]))
            table.act(row, [action])
            level = max(level, action)
        before += level
    reached = len(STREETS) - 1 if table.public["showdown"][0] else int(table.public["street"][0])
    if reached != len(state.streets) - 1:
        raise InputError(
            f"hand {state.number}: the betting has reached the {STREETS[reached]}, but the board of the state has not"
        )
    return table


def folds_for_free(game: Game, history: Sequence[PastAction]) -> bool:
    """Whether anybody folded without a bet to call: our rules allow that, those of the competition do not."""
    for street, actions in groupby(history, key=lambda past: past.street):
        bets = dict(enumerate(game.blinds)) if street == 0 else dict.fromkeys(range(game.seats), 0)
        for past in actions:
            level = max(bets.values())
            if past.action != FOLD:
                bets[past.seat] = max(level, past.action)
            elif bets[past.seat] == level:
                return True
    return False


def _shortened(text: str) -> str:
    clean = "".join(letter if letter.isprintable() else "?" for letter in text.strip())
    return clean if len(clean) <= 80 else f"{clean[:77]}..."
