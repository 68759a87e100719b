"""PHH, the Poker Hand History format (`.phh` for one hand, `.phhs` for many): reading.

The form: Kim, "Recording and describing poker hands", IEEE Conference on Games 2024. A hand is a TOML table; its
actions are short texts such as 'd dh p1 AcKc', 'p2 cbr 300', 'p1 cc', 'p1 f', 'd db Ks5h3d', 'p1 sm AcKc'. Players
p1, p2, ... are our seats 0, 1, ...; heads-up, blinds and antes are listed small blind first although p1 is the big
blind.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from luckless.cards import RANKS, SUITS
from luckless.errors import InputError
from luckless.histories.amounts import chips_of, fraction_of, kept_scale, places_of, scale_for
from luckless.histories.drafts import Batcher, Draft, agreed_game
from luckless.histories.names import Books
from luckless.histories.rejects import BadHand, OnReject, Reject
from luckless.histories.settling import Told
from luckless.histories.toml_hands import Block, hand_blocks, parse_table
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import NO_TIME, UNKNOWN, HandColumns
from luckless.rules.game import BOARD_CARDS, MAX_SEATS, MIN_SEATS, Game

_CARDS = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)} | {"??": UNKNOWN}
VARIANTS = {
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "limit Omaha hi-lo",
    "F7S": "limit seven card stud",
    "F7S/8": "limit seven card stud hi-lo",
    "FR": "limit razz",
    "N2L1D": "no-limit deuce-to-seven single draw",
    "F2L3D": "limit deuce-to-seven triple draw",
    "FB": "limit badugi",
}
"""The other variants that PHH names, which are not Texas hold'em."""

ENDLESS = 1_000
"""Big blinds that stand for an infinite stack, unless the hand bets more."""

_STREETS = {cards: street for street, cards in enumerate(BOARD_CARDS)}


class PhhReader:
    """Reads hands in PHH; what is not needed to replay them (times, places, comments, ...) is left out."""

    def __init__(
        self, on_reject: OnReject, game: Game | None = None, books: Books | None = None, source: str = ""
    ) -> None:
        """`game`, if given, is what every hand must be; it adds what PHH does not say: the name, caps on bets."""
        self._on_reject = on_reject
        books = books or Books()
        self._batcher = Batcher(on_reject, books, source)
        self._expected = game
        self._games = books.games
        self._scale = 1
        self._hands = 0

    def read(self, lines: Iterable[str]) -> Iterator[HandColumns]:
        """The hands of a file in batches, in order."""
        for block in hand_blocks(lines):
            try:
                draft = self._draft(block)
            except InputError as error:
                self._on_reject(Reject(f"line {block.line}", str(error), block.text))
                continue
            yield from self._batcher.add(draft)
        yield from self._batcher.flush()

    def _draft(self, block: Block) -> Draft:
        values = parse_table(block)
        limit = _is_limit(values)
        stacks = _list(values, "starting_stacks")
        if not MIN_SEATS <= len(stacks) <= MAX_SEATS:
            raise BadHand(f"it has {len(stacks)} players; allowed is {MIN_SEATS} to {MAX_SEATS}")
        endless = any(map(_is_infinite, stacks))
        finite = [stack for stack in stacks if not _is_infinite(stack)] if endless else stacks
        amounts = [*finite, *_list(values, "blinds_or_straddles"), *_list(values, "antes")]
        moves = _Moves(len(stacks))
        for action in _list(values, "actions"):
            moves.add(action)
        places = max(map(places_of, (*amounts, *moves.raises)))
        scale = max(self._scale, scale_for(places), _winnings_scale(values))
        chips = _endless_stacks(stacks, values, moves, scale) if endless else [chips_of(one, scale) for one in stacks]
        number = self._number(values)
        draft = Draft(
            line=block.line,
            text=block.text,
            game=self._game(values, limit, chips, scale),
            number=number,
            deal=_deal(values, number),
            players=_players(values, len(stacks)),
            deck=moves.deck(),
            stacks=chips,
            actions=moves.actions(scale),
            seats=moves.seats,
            streets=moves.streets,
            told=_told(values, chips, endless, scale),
            scale=scale,
            table=_table(values),
            time=_time(values),
        )
        self._scale = kept_scale(self._scale, scale)
        return draft

    def _number(self, values: Mapping[str, Any]) -> int:
        """The number that the hand gives itself, else its place in the file."""
        number = values.get("hand", self._hands)
        self._hands += 1
        return number if type(number) is int and 0 <= number < 2**63 else self._hands - 1

    def _game(self, values: Mapping[str, Any], limit: bool, stacks: list[int], scale: int) -> Game:
        forced, antes = (_per_seat(values, key, len(stacks), scale) for key in ("blinds_or_straddles", "antes"))
        if min(antes) < 0:
            raise BadHand(f"antes has {min(antes)}; allowed is 0 or more")
        sizes = tuple(_amount(values, key, scale) for key in (("small_bet", "big_bet") if limit else ("min_bet",)))
        max_bets = (
            tuple(chips_of(bets, 1) for bets in _list(values, "_max_bets")) if "_max_bets" in values else (0, 0, 0, 0)
        )
        key = ("phh", limit, forced, antes, max_bets, sizes, scale)
        if key not in self._games:
            made = _make_game(stacks, forced, antes, sizes, max_bets)
            self._games[key] = made if self._expected is None else agreed_game(self._expected, made)
        return self._games[key]


_HOLE, _BOARD, _ACT, _SHOW, _NOTHING = range(5)


class _Move(NamedTuple):
    """One action of the list, taken apart."""

    kind: int
    player: str = ""
    cards: tuple[int, ...] = ()
    action: int = 0
    """Fold, call, or 1 for a raise."""
    amount: int | Decimal = 0


@lru_cache(maxsize=1 << 14)  # most actions of a log are like others
def _move(action: str) -> _Move:
    words = action.split()
    if "#" in words:
        words = words[: words.index("#")]
    match words:
        case ["d", "dh", player, cards]:
            return _Move(_HOLE, player, _cards(cards, action))
        case ["d", "db", cards]:
            return _Move(_BOARD, "", _cards(cards, action))
        case [player, "f"]:
            return _Move(_ACT, player, action=FOLD)
        case [player, "cc"]:
            return _Move(_ACT, player, action=CALL)
        case [player, "cbr", amount]:
            return _Move(_ACT, player, action=1, amount=_number(amount, action))
        case [player, "sm", cards] if cards != "-":
            return _Move(_SHOW, player, _cards(cards, action))
        case [] | [_, "sm"] | [_, "sm", "-"]:
            return _Move(_NOTHING)
    raise BadHand(f"action {action!r} is not one of hold'em")


_PLAYERS = [{f"p{seat + 1}": seat for seat in range(seats)} for seats in range(MAX_SEATS + 1)]


class _Moves:
    """The actions of a hand, sorted out."""

    def __init__(self, seats: int) -> None:
        self.seats: list[int] = []
        self.streets: list[int] = []
        self.raises: list[int | Decimal] = []
        self._kinds: list[int] = []
        self._holes: list[list[int]] = [[] for _ in range(seats)]
        self._board: list[int] = []
        self._players = _PLAYERS[seats]

    def add(self, action: Any) -> None:
        """Takes one action of the list."""
        if type(action) is not str:
            raise BadHand(f"action {action!r} is not a text")
        kind, player, cards, made, amount = _move(action)
        if kind == _BOARD:
            self._board += cards
        elif kind != _NOTHING:
            seat = self._players.get(player)
            if seat is None:
                raise BadHand(f"action {action!r} names a player that the hand does not have")
            if kind == _ACT:
                self._act(seat, action, made, amount)
            elif kind == _HOLE:
                self._holes[seat] += cards
            else:
                self._show(seat, list(cards), action)

    def _act(self, seat: int, action: str, made: int, amount: int | Decimal) -> None:
        street = _STREETS.get(len(self._board))
        if street is None:
            raise BadHand(f"action {action!r} comes when the board has {len(self._board)} cards")
        self.seats.append(seat)
        self.streets.append(street)
        self._kinds.append(made)
        if made == 1:
            self.raises.append(amount)

    def _show(self, seat: int, cards: list[int], action: str) -> None:
        if all(card == UNKNOWN for card in cards):
            return
        known = [card for card in self._holes[seat] if card != UNKNOWN]
        if not set(known) <= set(cards):
            raise BadHand(f"action {action!r} shows cards that were not dealt")
        if len(known) < 2:
            self._holes[seat] = cards

    def deck(self) -> list[int]:
        """Hole cards by seat, then the board; what was not dealt or shown is unknown."""
        deck: list[int] = []
        for hole in self._holes:
            if len(hole) not in (0, 2):
                raise BadHand(f"a player was dealt {len(hole)} cards; allowed is 2")
            deck += hole or [UNKNOWN, UNKNOWN]
        if len(self._board) > 5:
            raise BadHand(f"the board has {len(self._board)} cards; allowed is 5")
        return deck + self._board + [UNKNOWN] * (5 - len(self._board))

    def actions(self, scale: int) -> list[int]:
        """The actions as numbers (see `rules.actions`)."""
        raises = iter(self.raises)
        return [kind if kind != 1 else _raise_to(next(raises), scale) for kind in self._kinds]


def _raise_to(amount: Any, scale: int) -> int:
    chips = chips_of(amount, scale)
    if chips < 1:
        raise BadHand(f"{amount} is not a valid raise")
    return chips


def _number(text: str, action: str) -> int | Decimal:
    """The amount of a raise: a whole number, or one with decimal places."""
    if text.isascii() and text.isdigit() and len(text) < 12:
        return int(text)
    whole, _, rest = text.partition(".")
    if not (text.isascii() and (whole or "0").isdigit() and rest.isdigit() and len(text) < 20):
        raise BadHand(f"action {action!r} has no amount")
    return Decimal(text)


def _cards(text: str, action: str) -> tuple[int, ...]:
    try:
        return tuple([_CARDS[text[place : place + 2]] for place in range(0, len(text), 2)])
    except KeyError:
        raise BadHand(f"action {action!r} has invalid cards") from None


def _list(values: Mapping[str, Any], key: str) -> list[Any]:
    listed = values.get(key)
    if not isinstance(listed, list):
        raise BadHand(f"{key} is {'missing' if listed is None else repr(listed)[:60]}; allowed is a list")
    return listed


def _per_seat(values: Mapping[str, Any], key: str, seats: int, scale: int) -> tuple[int, ...]:
    amounts = [chips_of(amount, scale) for amount in _list(values, key)]
    if len(amounts) != seats:
        raise BadHand(f"{key} has {len(amounts)} entries for {seats} players")
    return tuple(reversed(amounts)) if seats == 2 else tuple(amounts)


def _is_limit(values: Mapping[str, Any]) -> bool:
    variant = values.get("variant")
    if variant not in ("NT", "FT"):
        name = f", {VARIANTS[variant]}" if isinstance(variant, str) and variant in VARIANTS else ""
        raise BadHand(f"variant is {variant!r}{name}; only Texas hold'em is read: NT (no-limit) or FT (limit)")
    return bool(variant == "FT")


def _amount(values: Mapping[str, Any], key: str, scale: int) -> int:
    if key not in values:
        raise BadHand(f"{key} is missing")
    return chips_of(values[key], scale)


def _make_game(
    stacks: list[int],
    forced: tuple[int, ...],
    antes: tuple[int, ...],
    sizes: tuple[int, ...],
    max_bets: tuple[int, ...],
) -> Game:
    """The game of a hand. Bets below 0 in `forced` are posted out of turn; `sizes` are the small and the big bet of
    limit, or the smallest bet of no-limit."""
    limit = len(sizes) == 2
    blinds = tuple(max(bet, 0) for bet in forced)
    game: dict[str, Any] = {
        "name": f"phh-{'FT' if limit else 'NT'}-{len(stacks)}",
        "betting": "limit" if limit else "no-limit",
        "seats": len(stacks),
        "blinds": list(blinds),
        "antes": list(antes),
        "posts": [max(-bet, 0) for bet in forced],
        "stacks": stacks,
        "max_bets": list(max_bets),
    }
    if limit:
        game["bet_sizes"] = [sizes[0], sizes[0], sizes[1], sizes[1]]
    if not any(blinds):
        game["unit"] = sizes[0]
    elif not limit and sizes[0] != max(blinds):
        raise BadHand(f"min_bet is {sizes[0]} chips; allowed is the largest blind, {max(blinds)}")
    return Game.from_dict(game, "hand")


def _deal(values: Mapping[str, Any], number: int) -> int:
    deal = values.get("_deal", number)
    if not isinstance(deal, int) or not 0 <= deal < 2**63:
        raise BadHand(f"_deal is {deal!r}; allowed is a whole number")
    return deal


def _players(values: Mapping[str, Any], seats: int) -> list[str]:
    names = values.get("players")
    if names is None:
        return [f"p{seat + 1}" for seat in range(seats)]
    if not isinstance(names, list) or len(names) != seats or not all(isinstance(name, str) for name in names):
        raise BadHand(f"players is {repr(names)[:60]}; {seats} names are needed")
    return names


def _is_infinite(stack: Any) -> bool:
    return isinstance(stack, Decimal) and stack.is_infinite() and stack > 0


def _endless_stacks(stacks: list[Any], values: Mapping[str, Any], moves: "_Moves", scale: int) -> list[int]:
    """The stacks in chips; one that is infinite covers all that was bet, so that nobody is all-in."""
    unit = _amount(values, "min_bet" if "min_bet" in values else "small_bet", scale)
    bets = sum(chips_of(amount, scale) for amount in moves.raises)
    endless = max(ENDLESS * unit, 2 * (bets + unit))
    return [endless if _is_infinite(stack) else chips_of(stack, scale) for stack in stacks]


def _table(values: Mapping[str, Any]) -> str | None:
    name = values.get("table")
    return str(name) if isinstance(name, str | int) and name != "" else None


def _time(values: Mapping[str, Any]) -> int:
    """The time by the clock of the source, as seconds from 1970 on, if the hand gives at least its day."""
    parts = [values.get(key) for key in ("year", "month", "day")]
    if not all(type(part) is int for part in parts):
        return NO_TIME
    clock = values.get("time")
    clock = clock if isinstance(clock, datetime.time) else datetime.time()
    try:
        moment = datetime.datetime.combine(datetime.date(*parts), clock, datetime.UTC)  # type: ignore[arg-type]
    except ValueError:
        return NO_TIME
    return int(moment.timestamp())


def _winnings_scale(values: Mapping[str, Any]) -> int:
    """The scale that winnings need: after rake they may be finer than every bet."""
    winnings = values.get("winnings")
    places = [places_of(value) for value in winnings] if isinstance(winnings, list) else []
    return scale_for(min(max(places, default=0), 2))


def _told(values: Mapping[str, Any], stacks: list[int], endless: bool, scale: int) -> Told:
    """What each seat won or lost, and what it was paid, as far as the hand says."""
    winnings = _fractions(values, "winnings", len(stacks), scale)
    finishing = None if endless else _fractions(values, "finishing_stacks", len(stacks), scale)
    if finishing is None:
        return Told(None, winnings)
    return Told([end - stack for end, stack in zip(finishing, stacks, strict=True)], winnings)


def _fractions(values: Mapping[str, Any], key: str, seats: int, scale: int) -> list[Fraction | int] | None:
    if key not in values:
        return None
    results = [fraction_of(value, scale) for value in _list(values, key)]
    if len(results) != seats:
        raise BadHand(f"{key} has {len(results)} entries for {seats} players")
    return results
