"""The one-line notation of heads-up limit hands: `AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc`.

From Kan, Postgame Analysis of Poker Decisions (MSc thesis, University of Alberta, 2007), section 1.1: s small blind,
l big blind, k check, c call, b bet, r raise, f fold; the second player's letters are capitals; the first player's
cards stand first. Blinds are reversed: the small blind is the button and acts last after the flop.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from luckless.cards import format_cards, parse_cards
from luckless.errors import InputError
from luckless.histories.columns import UNKNOWN, HandColumns
from luckless.histories.drafts import Batcher, Draft
from luckless.histories.rejects import BadHand, OnReject, Reject
from luckless.histories.telling import ToldHand
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import BOARD_CARDS, STREETS, Game

NAMES = ("P1", "P2")
"""The players of a line: the one in small letters, whose cards stand first, and the one in capitals."""

FORM = "cards|cards|flop/turn/river|betting, such as AcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc"

_CODES = {"k": "c", "c": "c", "b": "r", "r": "r", "f": "f"}


@dataclass(frozen=True)
class OneLine:
    """A hand in the notation; players are 0 (small letters) and 1 (capitals)."""

    holes: tuple[list[int], list[int]]
    board: list[int]
    small_blind: int
    """The player who posts it: he is the button, our seat 1."""
    rounds: tuple[str, ...]
    """The betting of each round that was played in f (fold), c (check or call) and r (bet or raise)."""

    @property
    def holes_by_seat(self) -> tuple[list[int], list[int]]:
        """The cards of seat 0 (big blind) and seat 1 (small blind, button)."""
        return self.holes[1 - self.small_blind], self.holes[self.small_blind]


def parse_one_line(text: str) -> OneLine:
    """The hand that a line describes; refuses letters that do not fit what they stand for."""
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != 4:
        raise BadHand(f"{text[:80]!r} has {len(parts)} parts between its bars; the form is {FORM}")
    board = _board(parts[2])
    cards = parse_cards(parts[0] + parts[1] + format_cards(board))
    holes = (cards[:2], cards[2:4])
    if len(parse_cards(parts[0])) != 2 or len(parse_cards(parts[1])) != 2:
        raise BadHand(f"{parts[0]!r} and {parts[1]!r} are not two cards for each player")
    small_blind, rounds = _betting(parts[3])
    if len(board) < BOARD_CARDS[len(rounds) - 1]:
        raise BadHand(f"the betting goes to the {STREETS[len(rounds) - 1]}, and the board has {len(board)} cards")
    return OneLine(holes, board, small_blind, rounds)


def _board(text: str) -> list[int]:
    streets = [parse_cards(street) for street in text.split("/")] if text else []
    if [len(street) for street in streets] != [3, 1, 1][: len(streets)]:
        raise BadHand(f"board {text!r} is not a flop of three cards, then turn and river of one")
    return [card for street in streets for card in street]


def _betting(text: str) -> tuple[int, tuple[str, ...]]:
    """Who posts the small blind, and the rounds in f, c and r."""
    letters = text.replace(" ", "")
    if not re.fullmatch(r"(sL|Sl)[kcbrfKCBRF]*(/[kcbrfKCBRF]+){0,3}", letters):
        raise BadHand(f"betting {text!r} does not begin with the blinds (Sl or sL) and go on in k, c, b, r, f and /")
    small_blind = int(letters[0].isupper())
    first, *later = letters[2:].split("/")
    rounds = [_round(first, small_blind, blinds=True)]
    rounds += [_round(street, 1 - small_blind, blinds=False) for street in later]
    return small_blind, tuple(rounds)


def _round(letters: str, player: int, blinds: bool) -> str:
    """One round in f, c and r; each letter must be of the player whose turn it is, and fit what lies before him."""
    owes, bets, out = blinds, int(blinds), ""
    for place, letter in enumerate(letters):
        kind = letter.lower()
        if int(letter.isupper()) != player:
            raise BadHand(f"letter {letter!r} of {letters!r} is out of turn: capitals are the second player's")
        wanted = ("c" if owes else "k", "r" if bets else "b", "f")
        if kind not in wanted:
            raise BadHand(f"letter {letter!r} of {letters!r} does not fit: here {', '.join(wanted)} are possible")
        out += _CODES[kind]
        bets += kind in "br"
        owes = kind in "br"
        player = 1 - player
        if kind == "f" and place + 1 < len(letters):
            raise BadHand(f"betting {letters!r} goes on after a fold")
    return out


class OneLineReader:
    """Reads a file with a hand a line; empty lines and lines that begin with # are left out."""

    def __init__(self, on_reject: OnReject, game: Game | None = None) -> None:
        self._game = Game.load("limit-hu") if game is None else game
        _check_game(self._game)
        self._on_reject = on_reject

    def read(self, lines: Iterable[str]) -> Iterator[HandColumns]:
        """The hands in batches, in order; they are numbered from 0."""
        batcher = Batcher(self._on_reject)
        for name in NAMES:
            batcher.names.number(name)
        hands = 0
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.startswith("#"):
                continue
            try:
                draft = self._draft(line, number, hands)
            except InputError as error:
                self._on_reject(Reject(number, str(error), line))
                continue
            hands += 1
            yield from batcher.add(draft)
        yield from batcher.flush()

    def _draft(self, line: str, number: int, hand: int) -> Draft:
        parsed = parse_one_line(line)
        big, small = parsed.holes_by_seat
        board = parsed.board + [UNKNOWN] * (5 - len(parsed.board))
        actions, streets = _actions(parsed.rounds, self._game)
        return Draft(
            line=number,
            text=line,
            game=self._game,
            number=hand,
            deal=hand,
            players=[NAMES[1 - parsed.small_blind], NAMES[parsed.small_blind]],
            deck=[*big, *small, *board],
            stacks=list(self._game.stacks),
            actions=actions,
            seats=[],
            streets=streets,
        )


def _actions(rounds: tuple[str, ...], game: Game) -> tuple[list[int], list[int]]:
    """The actions as numbers, and the street of each."""
    actions, streets = [], []
    for street, letters in enumerate(rounds):
        level = max(game.blinds) if street == 0 else 0
        for letter in letters:
            if letter == "r":
                level += game.bet_sizes[street]
            actions.append({"f": FOLD, "c": CALL, "r": level}[letter])
            streets.append(street)
    return actions, streets


def _check_game(game: Game) -> None:
    if game.seats != 2 or game.betting != "limit" or game.first_street or game.first_seat != 1:
        raise InputError(f"the one-line notation is for heads-up limit with reversed blinds; game {game.name} is not")


class OneLineWriter:
    """Writes a hand a line; small letters are the player who comes first in the source."""

    def hand(self, hand: ToldHand) -> str:
        """The line of a hand."""
        try:
            _check_game(hand.game)
        except InputError as error:
            raise BadHand(str(error)) from None
        if UNKNOWN in hand.deck[:4]:
            raise BadHand("the one-line notation needs the cards of both players")
        capital = [hand.order[seat] > hand.order[1 - seat] for seat in (0, 1)]
        holes = "|".join(format_cards(hand.hole(seat)) for seat in sorted((0, 1), key=lambda seat: capital[seat]))
        streets = [hand.board[BOARD_CARDS[number - 1] : BOARD_CARDS[number]] for number in range(1, 4)]
        if any(UNKNOWN in cards for cards in streets):
            raise BadHand("the one-line notation needs every board card that was dealt")
        board = "/".join(format_cards(cards) for cards in streets if cards)
        rounds = ["Sl" if capital[1] else "sL"]
        street = 0
        for step in hand.steps:
            if step.street != street:
                rounds.append("")
                street = step.street
            letter = _letter(step.action, step.to_call, step.bet)
            rounds[-1] += letter.upper() if capital[step.seat] else letter
        return f"{holes}|{board}|{'/'.join(rounds)}\n"

    def closing(self) -> str:
        """What ends the file: nothing."""
        return ""


def _letter(action: int, to_call: int, bet: int) -> str:
    if action == FOLD:
        return "f"
    if action == CALL:
        return "c" if to_call else "k"
    return "r" if bet else "b"
