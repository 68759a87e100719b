"""A hand as a row of pictures, one for each thing that happens: for stepping through it in a terminal or browser."""

from decimal import Decimal
from typing import NamedTuple

from luckless.cards import format_card
from luckless.hands.strength import describe
from luckless.histories.hand_detail import HandDetail, Step
from luckless.rules.actions import FOLD
from luckless.rules.columns import UNKNOWN
from luckless.rules.game import BOARD_CARDS, STREETS
from luckless.rules.plain_settlement import dead_antes, side_pots
from luckless.visible import visible_line

SHOWDOWN = "showdown"


class SeatState(NamedTuple):
    """A seat in one picture: chips behind and bet on the street; whether it is in; whether its cards lie open."""

    stack: int
    bet: int
    state: str
    """Empty, `folded` or `all-in`."""
    shows: bool


class Frame(NamedTuple):
    """One picture. `text` says what has just happened, `actor` who did it; `board` counts the cards that are out."""

    street: str
    board: int
    text: str
    actor: int | None
    pot: int
    """All chips in the middle, bets of the street included."""
    pots: list[int]
    """Main pot and side pots of earlier streets."""
    seats: list[SeatState]


def amount_text(chips: int, scale: int = 1) -> str:
    """Chips with separators, in units of the source."""
    return f"{chips:,}" if scale == 1 else f"{Decimal(chips) / scale:,.2f}"


def card_text(card: int) -> str:
    """A card, or `??` for one that the source does not show."""
    return "??" if card == UNKNOWN else format_card(card)


def frames_of(hand: HandDetail) -> list[Frame]:
    """All pictures of a hand, from the blinds to the money."""
    return _Pictures(hand).all()


class _Pictures:
    """Plays a hand again and takes the pictures."""

    def __init__(self, hand: HandDetail) -> None:
        self._hand = hand
        game = hand.game
        self._taken: list[Frame] = []
        paid_later = [0] * game.seats
        for step in hand.steps:
            paid_later[step.seat] += step.chips
        self._invested = [total - later for total, later in zip(hand.invested, paid_later, strict=True)]
        self._start = [stack + game.pot_share for stack in hand.stacks]
        self._dead = dead_antes(game, hand.stacks)
        self._bets = [self._first_bet(seat) for seat in range(game.seats)]
        self._live = set(range(game.seats))
        self._shows: set[int] = set()
        self._street = game.first_street
        self._board = BOARD_CARDS[self._street]

    def all(self) -> list[Frame]:
        """The pictures, in order."""
        self._take(self._opening())
        for step in self._hand.steps:
            self._open_streets(step.street)
            self._act(step)
        if self._hand.showdown:
            self._open_streets(len(STREETS) - 1)
        self._return()
        if self._hand.showdown:
            self._show()
        self._pay()
        return self._taken

    def _first_bet(self, seat: int) -> int:
        """What a seat has on the street before anybody acts: what it posted, less antes."""
        game, stack = self._hand.game, self._hand.stacks[seat]
        ante = self._dead[seat] if game.antes_are_dead else min(game.antes[seat], stack)
        return max(self._invested[seat] - game.pot_share - ante, 0)

    def _opening(self) -> str:
        posted = [f"{self._name(seat)} {self._amount(bet)}" for seat, bet in enumerate(self._bets) if bet]
        antes = sum(self._invested) - sum(self._bets) - self._hand.game.pot
        parts = ([f"blinds: {', '.join(posted)}"] if posted else []) + (
            [f"antes {self._amount(antes)}"] if antes > 0 else []
        )
        return "; ".join(parts) or "the cards are dealt"

    def _name(self, seat: int) -> str:
        return visible_line(self._hand.names[seat])

    def _amount(self, chips: int) -> str:
        return amount_text(chips, self._hand.scale)

    def _stack(self, seat: int) -> int:
        return self._start[seat] - self._invested[seat]

    def _open_streets(self, until: int) -> None:
        """Deals the board up to a street; the bets go into the pots."""
        while self._street < until:
            self._street += 1
            self._bets = [0] * len(self._bets)
            new = self._hand.board[self._board : BOARD_CARDS[self._street]]
            self._board = BOARD_CARDS[self._street]
            self._take(f"{STREETS[self._street]}: {' '.join(map(card_text, new))}")

    def _act(self, step: Step) -> None:
        self._invested[step.seat] += step.chips
        self._bets[step.seat] += step.chips
        if step.action == FOLD:
            self._live.discard(step.seat)
        self._take(f"{self._name(step.seat)} {step.text(self._amount)}", step.seat)

    def _return(self) -> None:
        seat, chips = self._hand.returned()
        if chips:
            self._invested[seat] -= chips
            self._bets[seat] = max(self._bets[seat] - chips, 0)
            self._take(f"{self._amount(chips)} that nobody called go back to {self._name(seat)}", seat)

    def _show(self) -> None:
        for turn in self._hand.show_order():
            hole, strength = self._hand.hole(turn.seat), self._hand.strengths[turn.seat]
            if not turn.shows or UNKNOWN in hole:
                self._take(f"{self._name(turn.seat)} does not show", turn.seat)
                continue
            self._shows.add(turn.seat)
            what = f": {describe(strength)}" if strength else ""
            self._take(f"{self._name(turn.seat)} shows {' '.join(map(card_text, hole))}{what}", turn.seat)

    def _pay(self) -> None:
        """The last picture: every pot has gone to its winners."""
        hand = self._hand
        won = [payoff + paid for payoff, paid in zip(hand.payoffs, self._invested, strict=True)]
        parts = [f"{self._name(seat)} wins {self._amount(chips)}" for seat, chips in enumerate(won) if chips > 0]
        rake = sum(self._invested) - sum(won)
        parts += [f"rake {self._amount(rake)}"] if rake > 0 else []
        self._invested = [-payoff for payoff in hand.payoffs]
        self._bets = [0] * len(self._bets)
        self._take(", ".join(parts) or "nobody wins anything", pot=0)

    def _take(self, text: str, actor: int | None = None, pot: int | None = None) -> None:
        seats = range(len(self._bets))
        middle = [self._invested[seat] - self._bets[seat] - self._dead[seat] for seat in seats]
        pots = side_pots(middle, sum(self._dead), sorted(self._live)) if pot is None else []
        states = [
            SeatState(self._stack(seat), self._bets[seat], self._state(seat), seat in self._shows) for seat in seats
        ]
        street = SHOWDOWN if self._shows or (pot is not None and self._hand.showdown) else STREETS[self._street]
        total = sum(self._invested) if pot is None else pot
        self._taken.append(Frame(street, self._board, text, actor, total, [one.chips for one in pots], states))

    def _state(self, seat: int) -> str:
        if seat not in self._live:
            return "folded"
        return "all-in" if self._stack(seat) == 0 else ""
