"""Hand histories as PokerStars writes them, in English: reading hold'em cash games and tournaments.

Names may hold anything, so a line is cut at the name of a player who was listed, never at a colon. What a hand says
beyond cards, seats, blinds, actions, who collected how much, the time and the table (chat, buy-ins) is left out.
"""

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.histories.amounts import chips_of, kept_scale, places_of, scale_for
from luckless.histories.drafts import Batcher, Draft, agreed_game
from luckless.histories.names import Books
from luckless.histories.rejects import BadHand, OnReject, Reject
from luckless.histories.settling import Told
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import NO_TIME, UNKNOWN, HandColumns
from luckless.rules.game import BOARD_CARDS, MAX_SEATS, MIN_SEATS, Game

MOST_LINES = 2_000
"""A hand with more lines is refused..."""
LONGEST_LINE = 2_000
"""... and so is one with a line of more characters; the patterns below are not made for such lines."""

STREET_CARDS = {"FLOP": 3, "TURN": 4, "RIVER": 5}
BETTING = {"No Limit": "no-limit", "Limit": "limit", "Pot Limit": "pot-limit"}

_AMOUNT = r"[^\d\s(),-]{0,3}(\d[\d,]*(?:\.\d+)?)"
_START = re.compile(r"PokerStars (?:Zoom |Home Game )?(?:Hand|Game) #(\d{1,18}):")
_STAKES = re.compile(rf"Hold'em (No Limit|Limit|Pot Limit)\b.*?\({_AMOUNT}/{_AMOUNT}")
_TOURNAMENT = re.compile(r"Tournament #\d")
_TIME = re.compile(r"(\d{4})/(\d\d?)/(\d\d?) (\d\d?):(\d\d):(\d\d)")
_TABLE = re.compile(r"Table '(.*)'")
_TWICE = re.compile(r"\*{3,} (?:FIRST|SECOND) (?:FLOP|TURN|RIVER)")
_BUTTON = re.compile(r"Seat #(\d{1,3}) is the button")
_SEAT = re.compile(rf"Seat (\d{{1,3}}): (.+) \({_AMOUNT} in chips(?:, .*)?\)(.*)")
_POST = re.compile(
    rf"posts (small blind|big blind|the ante|straddle|small & big blinds|dead blind) {_AMOUNT}( and is all-in)?"
)
_RAISE = re.compile(rf"raises {_AMOUNT} to {_AMOUNT}")
_BET = re.compile(rf"bets {_AMOUNT}")
_SHOWS = re.compile(r"shows \[([^\[\]]+)\]")
_COLLECTED = re.compile(rf" collected \(?{_AMOUNT}\)? from ")
_DEALT = re.compile(r"Dealt to (.+) \[([^\[\]]+)\]")
_BOARD = re.compile(r"\*{3,} (FLOP|TURN|RIVER) \*{3,} ((?:\[[^\[\]]*\] ?){1,3})")
_MUCKED = re.compile(r"Seat \d{1,3}: (.+) (?:mucked|showed) \[([^\[\]]+)\]")
_STREETS = {cards: street for street, cards in enumerate(BOARD_CARDS)}


def _number(text: str) -> int | Decimal:
    plain = text.replace(",", "")
    if len(plain) > 18:
        raise BadHand(f"{text} is too large for an amount")
    return Decimal(plain) if "." in plain else int(plain)


@dataclass
class _Told:
    """What the lines of a hand say; amounts are numbers in the money of the hand."""

    number: int = 0
    betting: str = ""
    stakes: list[Any] = field(default_factory=list)
    button: int = 0
    chairs: dict[str, int] = field(default_factory=dict)
    stacks: dict[str, Any] = field(default_factory=dict)
    tournament: bool = False
    table: str | None = None
    time: int = NO_TIME
    posts: list[tuple[str, str, Any]] = field(default_factory=list)
    """Blinds and bets posted out of turn in their order: who, what, and how much (in full, if it is short)."""
    antes: dict[str, Any] = field(default_factory=dict)
    holes: dict[str, list[int]] = field(default_factory=dict)
    board: list[int] = field(default_factory=list)
    moves: list[tuple[str, int, Any]] = field(default_factory=list)
    """Who, on which street, and what: `FOLD`, `CALL` or the amount raised to as a one-element list."""
    collected: dict[str, Fraction] = field(default_factory=dict)


class PokerStarsReader:
    """Reads hands; those of other games, with straddles or with two boards are refused."""

    def __init__(
        self, on_reject: OnReject, game: Game | None = None, books: Books | None = None, source: str = ""
    ) -> None:
        """`game`, if given, is what every hand must be; it adds what the text does not say: its name and caps."""
        self._on_reject = on_reject
        books = books or Books()
        self._batcher = Batcher(on_reject, books, source)
        self._expected = game
        self._games = books.games
        self._scales = {False: 1, True: 1}
        """Chips in a unit, of cash games and of tournaments: a file may hold both."""

    def read(self, lines: Iterable[str]) -> Iterator[HandColumns]:
        """The hands of a file in batches, in order."""
        for line, block in _blocks(lines):
            text = "\n".join(block)
            try:
                draft = self._draft(line, text, _tell(block))
            except InputError as error:
                self._on_reject(Reject(f"line {line}", str(error), text))
                continue
            yield from self._batcher.add(draft)
        yield from self._batcher.flush()

    def _draft(self, line: int, text: str, told: _Told) -> Draft:
        names = _in_seat_order(told)
        raises = [what[0] for _, _, what in told.moves if isinstance(what, list)]
        posts = [amount for _, _, amount in told.posts]
        amounts = [*told.stakes, *told.stacks.values(), *posts, *told.antes.values(), *raises]
        so_far = self._scales[told.tournament]
        scale = max(so_far, *(scale_for(places_of(amount)) for amount in amounts))
        self._scales[told.tournament] = kept_scale(so_far, scale)
        seats = {name: seat for seat, name in enumerate(names)}
        deck = [card for name in names for card in told.holes.get(name, [UNKNOWN, UNKNOWN])]
        for name, _, _ in told.moves:
            if name not in seats:
                raise BadHand(f"{name} acts but is not dealt in")
        stacks = [chips_of(told.stacks[name], scale) for name in names]
        return Draft(
            line=line,
            text=text,
            game=self._game(told, names, stacks, scale),
            number=told.number,
            deal=told.number,
            players=names,
            deck=deck + told.board + [UNKNOWN] * (5 - len(told.board)),
            stacks=stacks,
            actions=[chips_of(what[0], scale) if isinstance(what, list) else what for _, _, what in told.moves],
            seats=[seats[name] for name, _, _ in told.moves],
            streets=[street for _, street, _ in told.moves],
            told=_result(told, names, scale),
            scale=scale,
            table=told.table,
            time=told.time,
        )

    def _game(self, told: _Told, names: list[str], stacks: list[int], scale: int) -> Game:
        forced = _forced_bets(told, names, scale)
        stakes = tuple(chips_of(stake, scale) for stake in told.stakes)
        key = ("pokerstars", told.betting, *forced, stakes, scale)
        if key not in self._games:
            small, big = stakes
            made = Game.from_dict(
                {
                    "name": f"pokerstars-{told.betting}-{len(names)}",
                    "betting": told.betting,
                    "seats": len(names),
                    "blinds": list(forced.blinds),
                    "antes": list(forced.antes),
                    "posts": list(forced.posts),
                    "stacks": stacks,
                    "bet_sizes": [small, small, big, big] if told.betting == "limit" else 0,
                },
                "hand",
            )
            self._games[key] = made if self._expected is None else agreed_game(self._expected, made)
        return self._games[key]


class _Forced(NamedTuple):
    """What each seat puts in before the deal, in chips: blinds, bets posted out of turn, antes and dead blinds."""

    blinds: tuple[int, ...]
    posts: tuple[int, ...]
    antes: tuple[int, ...]


def _forced_bets(told: _Told, names: list[str], scale: int) -> _Forced:
    """Sorts out who posts what.

    The first big blind is the blind. The small blind is the one of the first seat left of the button, heads-up the
    button's; any other is dead money of a player who missed it. Who posts both blinds has the larger part as a bet.
    """
    big_blind = chips_of(told.stakes[0] if told.betting == "limit" else told.stakes[1], scale)
    small_seat = len(names) - 1 if len(names) == 2 else 0
    blinds, posts, dead = [0] * len(names), [0] * len(names), [0] * len(names)
    for name, kind, amount in told.posts:
        seat, chips = names.index(name), chips_of(amount, scale)
        is_small = kind == "small blind" and seat == small_seat and not blinds[seat]
        is_big = kind == "big blind" and not any(blind >= big_blind for blind in blinds)
        if is_small or is_big:
            blinds[seat] = chips
        elif kind == "big blind":
            posts[seat] += chips
        elif kind == "small & big blinds":
            posts[seat] += min(chips, big_blind)
            dead[seat] += max(chips - big_blind, 0)
        else:
            dead[seat] += chips
    return _Forced(tuple(blinds), tuple(posts), _antes(told, names, dead, scale))


def _antes(told: _Told, names: list[str], dead: list[int], scale: int) -> tuple[int, ...]:
    """Antes in full, and what is posted dead beside them."""
    full_ante = max(told.antes.values(), default=0)
    short = {name for name in told.antes if told.antes[name] == told.stacks[name]}
    if any(dead) and any(told.antes[name] < full_ante for name in short):
        raise BadHand("a player is all-in with the ante, and another posts a dead blind: that is not supported")
    antes = [chips_of(full_ante if name in short else told.antes.get(name, 0), scale) for name in names]
    return tuple(ante + chips for ante, chips in zip(antes, dead, strict=True))


def _result(told: _Told, names: list[str], scale: int) -> Told:
    """What each seat collected; pots are paid without what nobody called."""
    if not told.collected:
        return Told()
    return Told(None, [told.collected.get(name, Fraction(0)) * scale for name in names])


def _blocks(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines of each hand, with the number of the first; what stands before the first hand comes as one."""
    block: list[str] = []
    first = 1
    for number, line in enumerate(lines, start=1):
        line = line.strip()
        if line.startswith("PokerStars "):
            if block:
                yield first, block
            block, first = [], number
        if line and len(block) <= MOST_LINES:
            block.append(line[: LONGEST_LINE + 1])
    if block:
        yield first, block


def _tell(block: list[str]) -> _Told:
    """Goes through the lines of a hand."""
    if len(block) > MOST_LINES:
        raise BadHand(f"the hand has more than {MOST_LINES:,} lines")
    if any(len(line) > LONGEST_LINE for line in block):
        raise BadHand(f"the hand has a line of more than {LONGEST_LINE:,} characters")
    told = _Told()
    start, stakes = _START.match(block[0]), _STAKES.search(block[0])
    if start is None or stakes is None:
        raise BadHand("its first line is not that of a no-limit, limit or pot-limit hold'em hand")
    told.number, told.betting = int(start[1]), BETTING[stakes[1]]
    told.stakes = [_number(stakes[2]), _number(stakes[3])]
    button = next((match for line in block[:3] if (match := _BUTTON.search(line))), None)
    if button is None:
        raise BadHand("it does not name the seat of the button")
    told.button = int(button[1])
    told.tournament = _TOURNAMENT.search(block[0]) is not None
    told.time = _time(block[0])
    told.table = next((table[1] for line in block[1:3] if (table := _TABLE.match(line))), None)
    in_summary = False
    for line in block[1:]:
        in_summary = in_summary or line.startswith("*** SUMMARY")
        if in_summary:
            _summary_line(told, line)
        elif not _table_line(told, line):
            _player_line(told, line)
    return told


def _time(line: str) -> int:
    """The first time of a line, as seconds from 1970 on by the clock that it names."""
    found = _TIME.search(line)
    if found is None:
        return NO_TIME
    year, month, day, hour, minute, second = map(int, found.groups())
    try:
        return int(datetime.datetime(year, month, day, hour, minute, second, tzinfo=datetime.UTC).timestamp())
    except ValueError:
        return NO_TIME


def _table_line(told: _Told, line: str) -> bool:
    """A line about seats or cards; whether it was one."""
    if seat := _SEAT.fullmatch(line):
        told.chairs[seat[2]] = int(seat[1])  # also who sits out: he may post all the same
        told.stacks[seat[2]] = _number(seat[3])
    elif board := _BOARD.match(line):
        _deal(told, parse_cards(re.sub(r"[\[\]]", " ", board[2])), STREET_CARDS[board[1]], line)
    elif _TWICE.match(line):
        raise BadHand("the board was dealt twice: that is not supported")
    elif dealt := _DEALT.match(line):
        told.holes[dealt[1]] = _two_cards(dealt[2])
    else:
        return False
    return True


def _deal(told: _Told, cards: list[int], board_cards: int, line: str) -> None:
    """Lays new cards on the board; lines repeat the cards that lie there, or do not."""
    if len(cards) > len(told.board) and cards[: len(told.board)] == told.board:
        cards = cards[len(told.board) :]
    told.board += cards
    if len(told.board) != board_cards:
        raise BadHand(f"the board has {len(told.board)} cards after {line!r}")


def _player_line(told: _Told, line: str) -> None:
    """A line that begins with the name of a player: a post, an action, shown cards, or chips collected."""
    names = [name for name in told.chairs if line.startswith(name)]
    if not names:
        return
    name = max(names, key=len)
    rest = line[len(name) :]
    if paid := _COLLECTED.match(rest):
        told.collected[name] = told.collected.get(name, Fraction(0)) + Fraction(_number(paid[1]))
    elif rest.startswith(": "):
        _act(told, name, rest[2:])


def _act(told: _Told, name: str, text: str) -> None:
    street = _STREETS[len(told.board)]
    if post := _POST.match(text):
        _post(told, name, post)
    elif raised := (_RAISE.match(text) or _BET.match(text)):
        amount = _number(raised[raised.lastindex or 1])
        if amount <= 0:
            raise BadHand(f"{name}: {text}: a bet or raise must be more than 0")
        told.moves.append((name, street, [amount]))
    elif text.startswith(("calls", "checks")):
        told.moves.append((name, street, CALL))
    elif text.startswith("folds"):
        told.moves.append((name, street, FOLD))
    elif shown := _SHOWS.match(text):
        told.holes[name] = _two_cards(shown[1])


def _post(told: _Told, name: str, post: re.Match[str]) -> None:
    kind, amount, short = post[1], _number(post[2]), post[3] is not None
    if kind == "the ante":
        told.antes[name] = amount
        return
    if kind == "straddle":
        raise BadHand(f"{name} posts a straddle of {amount}: straddles are not supported")
    if short and kind in ("small blind", "big blind"):
        full = told.stakes if told.betting != "limit" else (Decimal(told.stakes[0]) / 2, told.stakes[0])
        amount = full[kind == "big blind"]
    told.posts.append((name, kind, amount))


def _summary_line(told: _Told, line: str) -> None:
    """Cards that are shown in the summary only."""
    mucked = _MUCKED.match(line)
    if mucked is None:
        return
    name = re.sub(r"( \((?:button|small blind|big blind)\))+$", "", mucked[1])
    if name in told.chairs and name not in told.holes:
        told.holes[name] = _two_cards(mucked[2])


def _two_cards(text: str) -> list[int]:
    cards = parse_cards(text)
    if len(cards) != 2:
        raise BadHand(f"[{text}] are not two cards")
    return cards


def _in_seat_order(told: _Told) -> list[str]:
    """Who was dealt in (who posted or acted), from the left of the button on."""
    active = {*told.antes, *(name for name, _, _ in (*told.posts, *told.moves))}
    names = [name for name in told.chairs if name in active]
    if not MIN_SEATS <= len(names) <= MAX_SEATS:
        raise BadHand(f"{len(names)} players are in the hand; allowed is {MIN_SEATS} to {MAX_SEATS}")
    return sorted(names, key=lambda name: (told.chairs[name] - told.button - 1) % 1000)
