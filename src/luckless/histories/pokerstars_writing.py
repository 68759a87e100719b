"""Hands as PokerStars text. Every known hand is written as `Dealt to`, so that reading it back loses no card."""

from collections.abc import Iterator

from luckless.cards import format_card
from luckless.hands.strength import describe
from luckless.histories.amounts import unit_text
from luckless.histories.hand_detail import HandDetail, Step
from luckless.histories.rejects import BadHand
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import UNKNOWN
from luckless.rules.game import BOARD_CARDS, Game

BETTING = {"no-limit": "No Limit", "limit": "Limit", "pot-limit": "Pot Limit"}
STREET_HEADS = ("", "FLOP", "TURN", "RIVER")
FOLDED = ("before Flop", "on the Flop", "on the Turn", "on the River")

NO_TIME = "2000/01/01 00:00:00 ET"
"""The format needs a time, and our hands do not have one."""


class PokerStarsWriter:
    """Writes hands one after the other, empty lines between them."""

    def hand(self, hand: HandDetail) -> str:
        """The text of a hand."""
        _check(hand)
        return "\n".join(_Text(hand).lines()) + "\n\n\n"

    def closing(self) -> str:
        """The end of the file: nothing."""
        return ""


def _check(hand: HandDetail) -> None:
    """Refuses what the format cannot express."""
    game = hand.game
    if game.first_street:
        raise BadHand(f"PokerStars hands start before the flop; game {game.name} does not")
    small, big = _two_blinds(game)
    if not 0 < small <= big or any(game.blinds[2:]):
        raise BadHand(f"PokerStars has one small and one big blind; game {game.name} has {game.blinds}")
    if any(post not in (0, game.big_blind) for post in game.posts):
        raise BadHand(f"PokerStars has whole big blinds posted out of turn; game {game.name} has {game.posts}")
    if (game.bet_sizes[0], game.bet_sizes[2]) != (game.bet_sizes[1], game.bet_sizes[3]):
        raise BadHand(f"PokerStars has one small and one big bet; game {game.name} has {game.bet_sizes}")
    if len(set(hand.names)) < len(hand.names) or any(not name.strip() or "\n" in name for name in hand.names):
        raise BadHand(f"PokerStars players must have different names; here they are {', '.join(hand.names)}")
    if UNKNOWN in hand.board:
        raise BadHand("PokerStars hands show every board card that was dealt, but one is unknown")


def _two_blinds(game: Game) -> tuple[int, int]:
    """The small and the big blind; half of the big one where the seat of the small one is empty."""
    if game.seats > 2 and game.blinds[0] == game.big_blind and not game.blinds[1]:
        return max(game.big_blind // 2, 1), game.big_blind
    return (game.blinds[1], game.blinds[0]) if game.seats == 2 else (game.blinds[0], game.blinds[1])


class _Text:
    """One hand being written."""

    def __init__(self, hand: HandDetail) -> None:
        self._hand = hand
        self._returned = hand.returned()
        self._kept = list(hand.invested)
        self._kept[self._returned[0]] -= self._returned[1]
        self._paid = [payoff + put_in for payoff, put_in in zip(hand.payoffs, self._kept, strict=True)]

    def lines(self) -> Iterator[str]:
        """All lines."""
        yield from self._head()
        yield from self._posts()
        yield "*** HOLE CARDS ***"
        for seat, name in enumerate(self._hand.names):
            if UNKNOWN not in self._hand.hole(seat):
                yield f"Dealt to {name} {_cards(self._hand.hole(seat))}"
        street = 0
        for step in self._hand.steps:
            yield from self._streets(street, step.street)
            street = step.street
            yield f"{self._hand.names[step.seat]}: {self._move(step)}"
        yield from self._streets(street, 3 if self._hand.showdown else street)
        yield from self._end()
        yield from self._summary()

    def _head(self) -> Iterator[str]:
        hand, game = self._hand, self._hand.game
        stakes = (game.bet_sizes[0], game.bet_sizes[2]) if game.betting == "limit" else _two_blinds(game)
        money = "/".join(map(self._amount, stakes))
        yield f"PokerStars Hand #{hand.number}:  Hold'em {BETTING[game.betting]} ({money}) - {NO_TIME}"
        yield f"Table 'luckless' {game.seats}-max Seat #{game.seats} is the button"
        for seat, name in enumerate(hand.names):
            yield f"Seat {seat + 1}: {name} ({self._amount(hand.stacks[seat])} in chips)"

    def _posts(self) -> Iterator[str]:
        hand, game = self._hand, self._hand.game
        behind = list(hand.stacks)
        small = 1 if game.seats == 2 else 0
        antes = [(seat, "the ante", ante) for seat, ante in enumerate(game.antes) if ante]
        blinds = [(small, "small blind", game.blinds[small]), (1 - small, "big blind", game.blinds[1 - small])]
        if game.seats > 2 and not game.blinds[1]:
            blinds = [(0, "big blind", game.blinds[0])]
        late = [(seat, "big blind", post) for seat, post in enumerate(game.posts) if post]
        posts = blinds + late + antes if game.antes_are_dead else antes + blinds + late
        for seat, what, amount in posts:
            chips = min(amount, behind[seat])
            behind[seat] -= chips
            if chips:
                all_in = "" if behind[seat] else " and is all-in"
                yield f"{hand.names[seat]}: posts {what} {self._amount(chips)}{all_in}"

    def _streets(self, street: int, until: int) -> Iterator[str]:
        board = self._hand.board
        for number in range(street + 1, until + 1):
            before = board[: BOARD_CARDS[number - 1]]
            new = board[BOARD_CARDS[number - 1] : BOARD_CARDS[number]]
            yield f"*** {STREET_HEADS[number]} *** {_cards(before) + ' ' if before else ''}{_cards(new)}"

    def _move(self, step: Step) -> str:
        all_in = "" if step.behind else " and is all-in"
        if step.action == FOLD:
            return "folds"
        if step.action == CALL:
            return f"calls {self._amount(step.chips)}{all_in}" if step.to_call else "checks"
        if step.bet == 0:
            return f"bets {self._amount(step.action)}{all_in}"
        return f"raises {self._amount(step.action - step.bet)} to {self._amount(step.action)}{all_in}"

    def _end(self) -> Iterator[str]:
        hand = self._hand
        seat, chips = self._returned
        if chips:
            yield f"Uncalled bet ({self._amount(chips)}) returned to {hand.names[seat]}"
        if hand.showdown:
            yield "*** SHOW DOWN ***"
            for turn in hand.show_order():
                shows = turn.shows and UNKNOWN not in hand.hole(turn.seat)
                what = f"shows {_cards(hand.hole(turn.seat))} ({self._name(turn.seat)})" if shows else "mucks hand"
                yield f"{hand.names[turn.seat]}: {what}"
        for seat, paid in enumerate(self._paid):
            if paid:
                yield f"{hand.names[seat]} collected {self._amount(paid)} from pot"

    def _name(self, seat: int) -> str:
        strength = self._hand.strengths[seat]
        return describe(strength) if strength else "cards unknown"

    def _summary(self) -> Iterator[str]:
        hand = self._hand
        yield "*** SUMMARY ***"
        yield f"Total pot {self._amount(sum(self._kept))} | Rake {self._amount(-sum(hand.payoffs))}"
        if hand.board:
            yield f"Board {_cards(hand.board)}"
        folds = {step.seat: step.street for step in hand.steps if step.action == FOLD}
        for seat, name in enumerate(hand.names):
            button = " (button)" if seat == hand.game.seats - 1 else ""
            yield f"Seat {seat + 1}: {name}{button} {self._fate(seat, folds)}"

    def _fate(self, seat: int, folds: dict[int, int]) -> str:
        hand, paid = self._hand, self._paid[seat]
        if seat in folds:
            return f"folded {FOLDED[folds[seat]]}"
        if not hand.showdown:
            return f"collected ({self._amount(paid)})"
        if UNKNOWN in hand.hole(seat):
            return f"won ({self._amount(paid)})" if paid else "mucked"
        cards = _cards(hand.hole(seat))
        if paid:
            return f"showed {cards} and won ({self._amount(paid)})"
        shown = any(turn.shows for turn in hand.show_order() if turn.seat == seat)
        return f"showed {cards} and lost" if shown else f"mucked {cards}"

    def _amount(self, chips: int) -> str:
        return unit_text(chips, self._hand.scale)


def _cards(cards: list[int]) -> str:
    return f"[{' '.join(map(format_card, cards))}]"
