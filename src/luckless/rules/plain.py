"""One hand of hold'em, played slowly and written for reading: the executable statement of `docs/rules.md`.

Numbers in brackets name the rules there. The compiled engine plays the same hands in batches; tests compare the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index

from luckless.cards import format_card, format_cards
from luckless.errors import InputError
from luckless.hands.strength import strengths
from luckless.rules.actions import CALL, FOLD, IllegalAction, Legal
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.plain_events import Acted, Dealt, Event, Move, Posted, Returned, Won
from luckless.rules.plain_settlement import rake_of, side_pots, split, uncalled, winners


@dataclass(slots=True)
class Seat:
    """What a seat holds and has done."""

    cards: tuple[int, int]
    stack: int
    put_in: int
    """Chips put in during the hand; antes too, unless they are dead."""
    dead: int = 0
    """Dead ante."""
    street_bet: int = 0
    answered: int | None = None
    """The bet when the seat last acted on this street, or None if it has not."""
    folded: bool = False

    @property
    def able(self) -> bool:
        """Live, and with chips behind."""
        return not self.folded and self.stack > 0

    def pay(self, chips: int) -> int:
        """Moves chips from the stack to the middle, as far as there are any; returns how many."""
        paid = min(chips, self.stack)
        self.stack -= paid
        self.put_in += paid
        return paid


class PlainHand:
    """A hand in play.

    `deck` starts with two cards for each seat from seat 0 on, then the board in order (without the cards that the
    game fixes); cards beyond those are ignored. `stacks` replaces the starting stacks of the game.
    """

    def __init__(self, game: Game, deck: Sequence[int], stacks: Sequence[int] | None = None) -> None:
        deck = [int(card) for card in deck]
        stacks = [int(stack) for stack in (game.stacks if stacks is None else stacks)]
        _check_stacks(game, stacks)
        _check_deck(game, deck)
        self.game = game
        self.seats = [
            Seat((deck[2 * seat], deck[2 * seat + 1]), stacks[seat], game.pot_share) for seat in range(game.seats)
        ]
        self._whole_board = (*game.board, *deck[2 * game.seats : game.cards_in_deck])
        self._started_with = [stack + game.pot_share for stack in stacks]
        self._events: list[Event] = []
        self.street = game.first_street
        self.board: tuple[int, ...] = ()
        self.actor: int | None = None
        self.rake = 0
        self.bet = self.level = max(game.blinds)
        self.full_raise = game.big_blind
        self.bets_made = 1 if self.bet else 0
        if game.antes_are_dead:
            self._post_blinds()
            self._post_antes()
        else:
            self._post_antes()
            self._post_blinds()
        self._deal_board(self.street)
        self._find_actor((game.first_seat - 1) % game.seats)

    # What can be seen of the hand

    @property
    def finished(self) -> bool:
        """Whether the hand is over and paid out."""
        return self.actor is None

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order."""
        return tuple(self._events)

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, in seat order; winnings are in them once the hand is over."""
        return tuple(seat.stack for seat in self.seats)

    @property
    def bets(self) -> tuple[int, ...]:
        """What each seat has put in on this street, antes apart."""
        return tuple(seat.street_bet for seat in self.seats)

    @property
    def pot(self) -> int:
        """All chips in the middle; once the hand is over, those that were paid out."""
        return sum(seat.put_in + seat.dead for seat in self.seats)

    @property
    def payoffs(self) -> tuple[int, ...]:
        """Chips that each seat has won or lost, its share of a starting pot included (rule 23)."""
        if not self.finished:
            raise InputError(f"the hand is not over: seat {self.actor} is to act")
        return tuple(seat.stack - start for seat, start in zip(self.seats, self._started_with, strict=True))

    # What a seat may do

    def legal(self) -> Legal:
        """The legal actions of the seat to act."""
        seat = self._acting_seat()
        if self._why_no_raise(seat):
            return Legal(True, self._to_call(seat), 0, 0)
        least, most = self._raise_bounds(seat)
        return Legal(True, self._to_call(seat), least, most)

    def verify(self, action: int) -> None:
        """Raises IllegalAction with the reason unless the seat to act may do this."""
        seat = self._acting_seat()
        where = f"seat {self.actor}, {STREETS[self.street]}"
        try:
            index(action)
        except TypeError:
            raise IllegalAction(f"{where}: {action!r} is not a whole number; allowed is {self.legal()}") from None
        if action in (FOLD, CALL):
            return
        if action < FOLD:
            raise IllegalAction(f"{where}: {action} is not an action; allowed is {self.legal()}")
        reason = self._why_no_raise(seat)
        if reason:
            raise IllegalAction(f"{where}: a raise to {action} is not allowed: {reason}; allowed is {self.legal()}")
        least, most = self._raise_bounds(seat)
        if not least <= action <= most:
            bound = f"below the minimum of {least}" if action < least else f"above the maximum of {most}"
            raise IllegalAction(f"{where}: a raise to {action} is {bound}; allowed is {self.legal()}")

    def can(self, action: int) -> bool:
        """Whether the seat to act may do this."""
        try:
            self.verify(action)
        except IllegalAction:
            return False
        return True

    def do(self, action: int) -> Acted:
        """Acts for the seat to act, then deals and settles as far as the hand goes by itself."""
        self.verify(action)
        assert self.actor is not None
        number, seat = self.actor, self._acting_seat()
        what, chips = self._move(seat, action)
        seat.answered = self.bet
        event = Acted(number, self.street, action, what, chips, all_in=seat.stack == 0)
        self._events.append(event)
        self._find_actor(number)
        return event

    # Rules 9 to 11: the actions

    def _move(self, seat: Seat, action: int) -> tuple[Move, int]:
        if action == FOLD:
            seat.folded = True
            return "fold", 0
        if action == CALL:
            to_call = self._to_call(seat)
            self._bet_chips(seat, to_call)
            return ("call" if to_call else "check"), to_call
        what: Move = "raise" if self.bet else "bet"
        chips = action - seat.street_bet
        self._bet_chips(seat, chips)
        self._count_bet(action)
        return what, chips

    def _bet_chips(self, seat: Seat, chips: int) -> None:
        seat.street_bet += seat.pay(chips)

    def _count_bet(self, raise_to: int) -> None:
        """Notes a bet or raise: whether it counts (15, 17), and the last full raise that it makes (12)."""
        size = raise_to - self.bet
        if self.game.betting == "limit":
            counts = 2 * (raise_to - self.level) >= self.game.bet_sizes[self.street]
        else:
            counts = size >= self.full_raise
        if counts:
            self.bets_made += 1
            self.level = raise_to
            self.full_raise = size
        self.bet = raise_to

    def _to_call(self, seat: Seat) -> int:
        """Rules 6 and 10."""
        others = self._opponents(seat)
        bet = self.bet if any(other.able for other in others) else max(other.street_bet for other in others)
        return min(max(bet - seat.street_bet, 0), seat.stack)

    def _why_no_raise(self, seat: Seat) -> str:
        """Rule 11: the reason why the seat may not bet or raise, or nothing."""
        cap = self.game.max_bets[self.street]
        if not any(other.able for other in self._opponents(seat)):
            return "no other seat has chips left to answer it"
        if seat.stack <= self.bet - seat.street_bet:
            return f"the stack of {seat.stack} does not exceed the call"
        if cap and self.bets_made >= cap:
            return f"the cap of {cap} bets is reached"
        if not self._is_open_to(seat):
            return "the seat has acted, and the short all-in since does not open the betting again"
        return ""

    def _is_open_to(self, seat: Seat) -> bool:
        """Rules 14 and 16."""
        if seat.answered is None:
            return True
        grown = self.bet - seat.answered
        if self.game.betting == "limit":
            return 2 * grown >= self.game.bet_sizes[self.street]
        return grown >= self.full_raise

    def _raise_bounds(self, seat: Seat) -> tuple[int, int]:
        """Rules 12, 13 and 15, each bounded by all-in."""
        all_in = seat.street_bet + seat.stack
        if self.game.betting == "limit":
            least = most = self.level + self.game.bet_sizes[self.street]
        else:
            least = self.bet + self.full_raise
            most = all_in
            if self.game.betting == "pot-limit":
                call = self.bet - seat.street_bet
                most = max(least, self.bet + self.pot + self._short_blinds() + call)
        return min(least, all_in), min(most, all_in)

    def _short_blinds(self) -> int:
        """Chips that seats could not post of their blinds; they count in the first street's pot of pot-limit (13)."""
        if self.street != 0:
            return 0
        posted = sum(event.chips for event in self._events if isinstance(event, Posted) and event.what == "blind")
        return sum(self.game.forced_bets) - posted

    # Rules 1 to 8: how streets begin, and who is next

    def _post_antes(self) -> None:
        for number, seat in enumerate(self.seats):
            if self.game.antes[number]:
                chips = seat.pay(self.game.antes[number])
                self._events.append(Posted(number, "ante", chips))
                if self.game.antes_are_dead:
                    seat.put_in -= chips
                    seat.dead = chips

    def _post_blinds(self) -> None:
        for number, seat in enumerate(self.seats):
            if self.game.forced_bets[number]:
                chips = min(self.game.forced_bets[number], seat.stack)
                self._bet_chips(seat, chips)
                self._events.append(Posted(number, "blind", chips))

    def _begin_street(self, street: int) -> None:
        self.street = street
        self._deal_board(street)
        self.bet = self.level = 0
        self.full_raise = self.game.big_blind
        self.bets_made = 0
        for seat in self.seats:
            seat.street_bet = 0
            seat.answered = None

    def _deal_board(self, street: int) -> None:
        cards = self._whole_board[len(self.board) : BOARD_CARDS[street]]
        if cards:
            self.board += cards
            self._events.append(Dealt(street, cards))

    def _find_actor(self, after: int) -> None:
        """Finds the next seat that has a decision, going round from the seat after `after`, or ends the hand."""
        while True:
            for step in range(1, self.game.seats + 1):
                number = (after + step) % self.game.seats
                if len(self._live_seats()) > 1 and self._has_decision(self.seats[number]):
                    self.actor = number
                    return
            if len(self._live_seats()) == 1 or self.street == len(STREETS) - 1:
                break
            self._begin_street(self.street + 1)
            after = self.game.seats - 1
        self.actor = None
        self._settle()

    def _has_decision(self, seat: Seat) -> bool:
        """Rule 3."""
        if not seat.able:
            return False
        another_is_able = any(other.able for other in self._opponents(seat))
        return self._to_call(seat) > 0 or (seat.answered is None and another_is_able)

    def _acting_seat(self) -> Seat:
        if self.actor is None:
            raise IllegalAction("the hand is over: no seat is to act")
        return self.seats[self.actor]

    def _live_seats(self) -> list[Seat]:
        return [seat for seat in self.seats if not seat.folded]

    def _opponents(self, seat: Seat) -> list[Seat]:
        return [other for other in self._live_seats() if other is not seat]

    # Rules 18 to 23: the end

    def _settle(self) -> None:
        live = [number for number, seat in enumerate(self.seats) if not seat.folded]
        number, chips = uncalled([seat.put_in for seat in self.seats], live)
        if chips:
            self.seats[number].put_in -= chips
            self.seats[number].stack += chips
            self._events.append(Returned(number, chips))
        dead = sum(seat.dead for seat in self.seats)
        hand_strengths = self._strengths(live)
        for pot in side_pots([seat.put_in for seat in self.seats], dead, live):
            rake = rake_of(pot.chips, self.game.rake, self.rake, flop_seen=len(self.board) >= 3)
            shares = split(pot.chips - rake, winners(pot, hand_strengths))
            self.rake += rake
            for number, share in shares.items():
                self.seats[number].stack += share
            self._events.append(Won(pot, rake, tuple(shares.items())))

    def _strengths(self, live: list[int]) -> dict[int, int]:
        if len(live) == 1:
            return {}
        rows = [[*self.seats[number].cards, *self.board] for number in live]
        return dict(zip(live, strengths(rows).tolist(), strict=True))


def _check_stacks(game: Game, stacks: Sequence[int]) -> None:
    if len(stacks) != game.seats:
        raise InputError(f"{len(stacks)} stacks were given; game {game.name} has {game.seats} seats")
    for seat, stack in enumerate(stacks):
        if stack < 1:
            raise InputError(f"the stack of seat {seat} is {stack}; allowed is 1 chip or more")


def _check_deck(game: Game, deck: Sequence[int]) -> None:
    if len(deck) < game.cards_in_deck:
        raise InputError(f"the deck has {len(deck)} cards; game {game.name} needs {game.cards_in_deck}")
    seen = set(game.board)
    for place, card in enumerate(deck):
        if not 0 <= card < 52:
            raise InputError(f"card {place} of the deck is {card}; allowed is 0 to 51")
        if card in game.board:
            raise InputError(
                f"card {format_card(card)} of the deck is on the board {format_cards(game.board)} already"
            )
        if card in seen:
            raise InputError(f"card {format_card(card)} appears twice in the deck")
        seen.add(card)
