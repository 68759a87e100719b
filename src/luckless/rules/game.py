"""What is being played: the frozen description of a hold'em game, its named games and its file forms.

A `Game` says nothing of who plays or what is dealt; `docs/rules.md` states the rules it is played by.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from luckless.cards import STREETS as STREETS
from luckless.cards import format_card, format_cards
from luckless.errors import InputError

Betting = Literal["no-limit", "pot-limit", "limit"]
BETTING: tuple[Betting, ...] = get_args(Betting)
BOARD_CARDS = (0, 3, 4, 5)
"""Board cards that lie on the table during each street."""
MIN_SEATS, MAX_SEATS = 2, 10
MAX_CHIPS = 2**31
"""All chips of a game together stay below this, so that every amount fits 32 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rake:
    """What the house takes of each pot: `per_mille` thousandths, rounded down, at most `cap` chips a hand.

    A cap of 0 is no cap. With `no_flop_no_drop` a hand that ends before the flop pays nothing.
    """

    per_mille: int
    cap: int = 0
    no_flop_no_drop: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.per_mille <= 1000:
            raise InputError(f"rake: per_mille is {self.per_mille}; allowed is 0 to 1000 (50 is 5 %)")
        if self.cap < 0:
            raise InputError(f"rake: cap is {self.cap}; allowed is 0 (no cap) or more chips")


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """An immutable description of a hold'em game; amounts are chips, tuples run in seat order.

    Seat 0 acts first after the flop and seat n-1 is the button; heads-up, seat 1 is the button and small blind.
    What does not apply is 0 or empty: `bet_sizes` outside limit, `max_bets` without a cap, `unit` with blinds.
    """

    name: str
    betting: Betting
    seats: int
    blinds: tuple[int, ...]
    stacks: tuple[int, ...]
    """Chips in front of each seat when the hand starts; a share of `pot` is no longer among them."""
    antes: tuple[int, ...] = ()
    """One a seat (empty is none). See `antes_are_dead` for antes that differ."""
    posts: tuple[int, ...] = ()
    """One a seat (empty is none): bets posted out of turn by seats without a blind, as late comers do. They are live,
    at most a big blind, and change nothing for who acts first."""
    bet_sizes: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Limit only: the size of a bet and of a raise on each street."""
    max_bets: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Bets and raises allowed on each street, 0 for no cap; a blind counts as the first of the first street."""
    first_street: int = 0
    """Street on which the hand starts, an index into `STREETS`."""
    pot: int = 0
    """Chips in the middle at the start of a later street; every seat has put in `pot_share` of them."""
    board: tuple[int, ...] = ()
    """Cards on the table at the start of a later street; empty is dealt with the hand."""
    unit: int = 0
    """The big blind of a game without blinds: its minimum bet and its unit of statistics."""
    rake: Rake | None = None

    def __post_init__(self) -> None:
        for key in ("antes", "posts"):
            if not getattr(self, key):
                object.__setattr__(self, key, (0,) * max(self.seats, 0))
        _check_seats(self)
        _check_betting(self)
        _check_start(self)
        _check_chips(self)

    def copy(self) -> Game:
        """The same game as another object, for those who might tamper with theirs; it is not checked again."""
        game = object.__new__(Game)
        for name in Game.__slots__:
            object.__setattr__(game, name, getattr(self, name))
        if self.rake is not None:
            object.__setattr__(game, "rake", dataclasses.replace(self.rake))
        return game

    @property
    def big_blind(self) -> int:
        """The largest blind, or `unit` in a game without blinds: the minimum bet and the unit of statistics."""
        return self.unit or max(self.blinds)

    @property
    def small_bet(self) -> int:
        """The bet of the first street in limit, the unit of its older literature."""
        if self.betting != "limit":
            raise InputError(f"game {self.name}: only limit has a small bet; this game is {self.betting}")
        return self.bet_sizes[0]

    @property
    def first_seat(self) -> int:
        """Seat that acts first on the first street: the one after the last of the largest blinds, or seat 0.

        Heads-up with two equal blinds it is the button.
        """
        if not any(self.blinds):
            return 0
        if self.seats == 2:
            return 1
        last_blind = max(seat for seat in range(self.seats) if self.blinds[seat] == max(self.blinds))
        return (last_blind + 1) % self.seats

    @property
    def forced_bets(self) -> tuple[int, ...]:
        """What each seat must have on the first street before anybody acts: its blind, or its post out of turn."""
        return tuple(blind + post for blind, post in zip(self.blinds, self.posts, strict=True))

    @property
    def pot_share(self) -> int:
        """Chips of `pot` that each seat had put in before the hand starts."""
        return self.pot // self.seats

    @property
    def antes_are_dead(self) -> bool:
        """Whether antes are posted for the whole table (a big-blind ante) and not by every seat alike.

        Equal antes are part of what a seat has put in: they count in the levels of side pots and in refunds.
        Unequal ones are not: they lie in the main pot for every seat that has not folded, whatever it put in.
        """
        return len(set(self.antes)) > 1

    @property
    def cards_in_deck(self) -> int:
        """Cards a hand can use: two for each seat, then the board cards that are not fixed."""
        return 2 * self.seats + 5 - len(self.board)

    def with_seats(self, seats: int) -> Game:
        """The same game for fewer seats: the seats farthest from the blinds stay empty."""
        if seats == self.seats:
            return self
        if not MIN_SEATS <= seats < self.seats:
            raise _refuse(self, f"it cannot be played with {seats} seats; allowed is {MIN_SEATS} to {self.seats}")
        if len(set(self.stacks)) > 1 or any(self.blinds[2:]) or any(self.antes) or any(self.posts) or self.pot:
            raise _refuse(self, f"it is made for {self.seats} seats; for {seats} write another game")
        small, big = self.blinds[:2]
        blinds = (big, small) if seats == 2 else (small, big) + (0,) * (seats - 2)
        return dataclasses.replace(self, seats=seats, blinds=blinds, stacks=self.stacks[:seats], antes=(), posts=())

    @classmethod
    def load(cls, name_or_path: str | Path) -> Game:
        """A game by its name, from a TOML file, or from a competition's game definition (`.game`)."""
        from luckless.rules.game_files import load_game

        return load_game(name_or_path)

    @classmethod
    def from_toml(cls, text: str, source: str = "TOML text") -> Game:
        """The game that a TOML text describes; `source` names it in errors."""
        from luckless.rules.game_files import game_of_toml

        return game_of_toml(text, source)

    def to_toml(self) -> str:
        """The game as TOML that `from_toml` reads back to an equal game."""
        from luckless.rules.game_files import toml_of_game

        return toml_of_game(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], source: str = "game") -> Game:
        """The game that a table of plain values (JSON, TOML) describes; `source` names it in errors."""
        from luckless.rules.game_files import game_of_values

        return game_of_values(values, source)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: what does not apply is left out, `from_dict` reads it back."""
        values: dict[str, Any] = {
            "name": self.name,
            "betting": self.betting,
            "seats": self.seats,
            "blinds": list(self.blinds),
            "antes": list(self.antes) if any(self.antes) else None,
            "posts": list(self.posts) if any(self.posts) else None,
            "stacks": list(self.stacks),
            "bet_sizes": list(self.bet_sizes) if any(self.bet_sizes) else None,
            "max_bets": list(self.max_bets) if any(self.max_bets) else None,
            "first_street": STREETS[self.first_street] if self.first_street else None,
            "pot": self.pot or None,
            "board": format_cards(self.board) or None,
            "unit": self.unit or None,
            "rake": dataclasses.asdict(self.rake) if self.rake else None,
        }
        return {key: value for key, value in values.items() if value is not None}


def _refuse(game: Game, problem: str) -> InputError:
    return InputError(f"game {game.name}: {problem}")


def _check_seats(game: Game) -> None:
    if not MIN_SEATS <= game.seats <= MAX_SEATS:
        raise _refuse(game, f"seats is {game.seats}; allowed is {MIN_SEATS} to {MAX_SEATS}")
    per_seat = {"blinds": game.blinds, "antes": game.antes, "posts": game.posts, "stacks": game.stacks}
    for key, amounts in per_seat.items():
        least = 1 if key == "stacks" else 0
        if len(amounts) != game.seats:
            raise _refuse(game, f"{key} has {len(amounts)} entries; {game.seats} seats need {game.seats}")
        for seat, amount in enumerate(amounts):
            if amount < least:
                raise _refuse(game, f"{key} of seat {seat} is {amount}; allowed is {least} or more chips")
    for key in ("blinds", "antes"):
        if max(per_seat[key]) > max(game.stacks):
            raise _refuse(
                game,
                f"{key} of {max(per_seat[key])} are more than every stack; the largest stack is {max(game.stacks)}",
            )
    for seat, (blind, post) in enumerate(zip(game.blinds, game.posts, strict=True)):
        if post and (blind or post > max(game.blinds)):
            raise _refuse(
                game,
                f"posts of seat {seat} is {post}; only a seat without a blind posts out of turn, at most "
                f"the largest blind, {max(game.blinds)}",
            )
    if game.seats == 2 and game.blinds[1] > game.blinds[0]:
        raise _refuse(
            game,
            f"blinds are {list(game.blinds)}; heads-up seat 1 is the button and posts the small blind: "
            f"{list(game.blinds[::-1])}",
        )


def _check_betting(game: Game) -> None:
    if game.betting not in BETTING:
        raise _refuse(game, f"betting is {game.betting!r}; allowed is {', '.join(BETTING)}")
    for key, amounts in (("bet_sizes", game.bet_sizes), ("max_bets", game.max_bets)):
        if len(amounts) != len(STREETS):
            raise _refuse(game, f"{key} has {len(amounts)} entries; the four streets need 4")
        for street, amount in zip(STREETS, amounts, strict=True):
            if amount < 0:
                raise _refuse(game, f"{key} of the {street} is {amount}; allowed is 0 or more")
            if key == "bet_sizes" and game.betting == "limit" and amount == 0:
                raise _refuse(
                    game, f"bet_sizes of the {street} is 0; limit needs a bet of 1 chip or more on each street"
                )
    if game.betting != "limit" and any(game.bet_sizes):
        raise _refuse(game, f"bet_sizes are for limit only, and betting is {game.betting}")
    if any(game.blinds) and game.unit:
        raise _refuse(game, "unit is for games without blinds; here the largest blind is the unit")
    if not any(game.blinds) and game.unit < 1:
        raise _refuse(
            game, f"unit is {game.unit}; a game without blinds needs its big blind as a unit of 1 chip or more"
        )


def _check_start(game: Game) -> None:
    if not 0 <= game.first_street < len(STREETS):
        raise _refuse(game, f"first_street is {game.first_street}; allowed is 0 (preflop) to 3 (river)")
    if game.pot < 0 or game.pot % game.seats:
        raise _refuse(game, f"pot is {game.pot}; it must divide evenly among the {game.seats} seats that made it")
    if game.first_street == 0 and (game.pot or game.board):
        raise _refuse(game, "a pot or a board is for hands that start on a later street; first_street is preflop")
    if game.first_street > 0 and (any(game.blinds) or any(game.antes)):  # posts need a blind
        raise _refuse(game, "blinds and antes are for hands that start preflop; give a pot and a unit instead")
    if len(game.board) not in (0, BOARD_CARDS[game.first_street]):
        street, cards = STREETS[game.first_street], BOARD_CARDS[game.first_street]
        raise _refuse(game, f"board has {len(game.board)} cards; on the {street} it must have {cards}, or none")
    for place, card in enumerate(game.board):
        if not 0 <= card < 52:
            raise _refuse(game, f"board has card number {card}; allowed is 0 to 51")
        if card in game.board[:place]:
            raise _refuse(game, f"card {format_card(card)} appears twice in board {format_cards(game.board)}")


def _check_chips(game: Game) -> None:
    total = sum(game.stacks) + game.pot
    if total >= MAX_CHIPS:
        raise _refuse(game, f"stacks and pot are {total} chips together; allowed is less than {MAX_CHIPS}")
    blinds = sum(game.forced_bets)
    if blinds >= MAX_CHIPS:
        raise _refuse(game, f"blinds are {blinds} chips together; allowed is less than {MAX_CHIPS}")
    largest = max(*game.bet_sizes, *game.max_bets, game.unit, game.rake.cap if game.rake else 0)
    if largest >= MAX_CHIPS:
        raise _refuse(game, f"bet_sizes, max_bets, unit and rake.cap must be less than {MAX_CHIPS}; one is {largest}")
