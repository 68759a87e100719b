"""Hands that others played and settled: competition logs and the Pluribus sessions, replayed to the printed values.

Their dealers split odd chips into halves, ours pays whole chips one by one: the exact value of a hand is had by
sharing each split pot evenly, and must equal what is printed; our whole chips may differ from it by odd chips alone.
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from engines import Engine, Hand
from even_shares import even_payoffs
from luckless.cards import parse_cards
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import Game
from luckless.rules.plain import PlainHand
from real_hands import acpc_game, originals

PLURIBUS = Game(name="pluribus", betting="no-limit", seats=6, blinds=(50, 100, 0, 0, 0, 0), stacks=(10_000,) * 6)


@dataclass(frozen=True)
class LoggedHand:
    """A hand as written: cards in deck order, actions by street, the value of each seat."""

    where: str
    game: Game
    cards: tuple[int, ...]
    streets: tuple[tuple[str, ...], ...]
    values: tuple[Fraction, ...]

    @property
    def deck(self) -> list[int]:
        """The known cards; cards that were never dealt are any others, for nobody sees them."""
        rest = [card for card in range(52) if card not in self.cards]
        return [*self.cards, *rest][: self.game.cards_in_deck]


def acpc_hands(name: str, text: str) -> Iterator[LoggedHand]:
    """`STATE:number:betting:cards:values:players` lines; raise amounts count from the start of the hand."""
    game = acpc_game(name)
    for line in text.splitlines():
        if not line.startswith("STATE:"):
            continue
        _, number, betting, cards, values, _ = line.split(":")
        yield LoggedHand(
            where=f"{name}, hand {number}",
            game=game,
            cards=tuple(parse_cards(cards.replace("|", "").replace("/", ""))),
            streets=tuple(tuple(_acpc_words(street)) for street in betting.split("/")),
            values=tuple(Fraction(value) for value in values.split("|")),
        )


def _acpc_words(street: str) -> list[str]:
    for letter in "fcr":
        street = street.replace(letter, " " + letter)
    return street.split()


def replay_acpc(hand: Hand, logged: LoggedHand) -> None:
    """Plays the logged actions; they do not say whose they are."""
    earlier = 0  # what every seat still in has put in on earlier streets
    for street, words in enumerate(logged.streets):
        for word in words:
            assert not hand.finished, logged.where
            assert hand.street == street, logged.where
            if word == "r":
                action = hand.legal().min_raise_to
            else:
                action = {"f": FOLD, "c": CALL}[word] if word in "fc" else int(word[1:]) - earlier
            highest = max(action, *hand.bets)
            hand.do(action)
        if words:
            earlier += highest
    assert hand.finished, logged.where


def pluribus_hands(name: str, text: str) -> Iterator[LoggedHand]:
    """Hands in PHH: `d dh p1 AcKc` deals, `d db ..` lays the board, `p3 cbr 225` bets or raises to on the street."""
    for number, hand in tomllib.loads(text, parse_float=Fraction).items():
        assert hand["blinds_or_straddles"] == list(PLURIBUS.blinds)
        assert hand["starting_stacks"] == list(PLURIBUS.stacks)
        deals = [action.split() for action in hand["actions"] if action.startswith("d ")]
        texts = [words[-1] for words in deals]
        moves: list[list[str]] = [[]]
        for action in hand["actions"]:
            if action.startswith("d db"):
                moves.append([])
            elif not action.startswith("d "):
                moves[-1].append(action)
        yield LoggedHand(
            where=f"{name}, hand {number}",
            game=PLURIBUS,
            cards=tuple(parse_cards("".join(texts))),
            streets=tuple(tuple(street) for street in moves),
            values=tuple(Fraction(end) - 10_000 for end in hand["finishing_stacks"]),
        )


def replay_pluribus(hand: Hand, logged: LoggedHand) -> None:
    """Plays the logged actions, checking whose turn each is; shown hands are no actions."""
    for street, moves in enumerate(logged.streets):
        for move in moves:
            player, what, *amount = move.split()
            if what == "sm":
                continue
            assert (hand.actor, hand.street) == (int(player[1:]) - 1, street), logged.where
            hand.do({"f": FOLD, "cc": CALL}[what] if not amount else int(amount[0]))
    assert hand.finished, logged.where


def check(engine: Engine, hands: Iterator[LoggedHand], replay: Callable[[Hand, LoggedHand], None]) -> int:
    """Replays hands to their printed values; returns how many there were."""
    played = 0
    for logged in hands:
        plain = PlainHand(logged.game, logged.deck)
        replay(plain, logged)
        assert even_payoffs(plain) == logged.values, logged.where
        hand = engine(logged.game, logged.deck, None)
        replay(hand, logged)
        assert hand.payoffs == plain.payoffs, logged.where
        played += 1
    return played


def test_competition_logs_settle_to_the_printed_values(engine: Engine) -> None:
    logs = originals("acpc")
    assert len(logs) == 4
    for name, text in logs.items():
        assert check(engine, acpc_hands(name, text), replay_acpc) == 1000


def test_pluribus_sessions_settle_to_the_finishing_stacks(engine: Engine) -> None:
    sessions = originals("pluribus").items()
    hands = sum(check(engine, pluribus_hands(name, text), replay_pluribus) for name, text in sessions)
    assert hands == 1389
