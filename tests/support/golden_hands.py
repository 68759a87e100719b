"""Hands as readable text, and back: the playthroughs in tests/rules/golden, one file for each named game.

`python tests/support/golden_hands.py` writes missing files; read a new one through before it is committed.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from engines import Engine, Hand
from luckless.cards import format_cards, parse_cards
from luckless.rules.actions import CALL, FOLD, Legal
from luckless.rules.game import STREETS, Game
from luckless.rules.game_files import game_names
from luckless.rules.plain import PlainHand

GOLDEN = Path(__file__).parents[1] / "rules" / "golden"
HANDS = 5


def playthrough(engine: Engine, game: Game, decks_and_actions: Iterable[tuple[Sequence[int], Iterator[int]]]) -> str:
    """The whole text of a game: its description, then each hand played on an engine."""
    described = "".join(f"# {line}\n" for line in game.to_toml().splitlines())
    hands = [
        f"\nhand {number}\n"
        + "".join(line + "\n" for line in hand_lines(engine(game, deck, None), game, deck, actions))
        for number, (deck, actions) in enumerate(decks_and_actions, start=1)
    ]
    return described + "".join(hands)


def hand_lines(hand: Hand, game: Game, deck: Sequence[int], actions: Iterator[int]) -> Iterator[str]:
    """One line for the deck, each street, each decision and each answer, and the result."""
    yield f"deck {format_cards(deck)}"
    for seat in range(game.seats):
        yield f"  seat {seat} holds {format_cards(deck[2 * seat : 2 * seat + 2])} and {game.stacks[seat]} chips"
    street = -1
    while not hand.finished:
        if hand.street != street:
            street = hand.street
            yield f"{STREETS[street]} [{format_cards(hand.board, ' ')}] pot {hand.pot}, bets {numbers(hand.bets)}"
        legal = hand.legal()
        action = next(actions)
        yield f"  seat {hand.actor} ({hand.stacks[hand.actor or 0]} behind) may {legal}"
        yield f"    > {spoken(action, legal)}"
        hand.do(action)
    yield f"end [{format_cards(hand.board, ' ')}]"
    yield f"  payoffs {numbers(hand.payoffs)}"
    yield f"  stacks {numbers(hand.stacks)}"


def numbers(values: Iterable[int]) -> str:
    """Chips in seat order."""
    return " ".join(map(str, values))


def spoken(action: int, legal: Legal) -> str:
    """An action in words."""
    if action == FOLD:
        return "fold"
    if action == CALL:
        return f"call {legal.call}" if legal.call else "check"
    return f"raise to {action}"


def understood(words: str) -> int:
    """The action that `spoken` wrote."""
    if words == "fold":
        return FOLD
    return int(words.removeprefix("raise to ")) if words.startswith("raise") else CALL


def recorded(text: str) -> list[tuple[list[int], Iterator[int]]]:
    """The decks and actions that a playthrough records."""
    hands: list[tuple[list[int], Iterator[int]]] = []
    for part in text.split("\nhand ")[1:]:
        deck = re.search(r"^deck (\S+)$", part, re.MULTILINE)
        assert deck is not None
        actions = re.findall(r"^    > (.*)$", part, re.MULTILINE)
        hands.append((parse_cards(deck[1]), map(understood, actions)))
    return hands


class Chooser:
    """Random actions for a new playthrough, asked of the hand that is being played."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.hand: Hand | None = None

    def start(self, game: Game, deck: Sequence[int], stacks: Sequence[int] | None) -> Hand:
        """Starts a hand and keeps it in sight."""
        self.hand = PlainHand(game, deck, stacks)
        return self.hand

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        assert self.hand is not None
        legal = self.hand.legal()
        luck = self.rng.random()
        if luck < (0.15 if legal.call else 0.03):
            return FOLD
        if luck < 0.7 or not legal.can_raise:
            return CALL
        return legal.min_raise_to + int((legal.max_raise_to - legal.min_raise_to) * self.rng.random() ** 4)


def new_playthrough(game: Game) -> str:
    """A playthrough of random hands."""
    rng = random.Random(game.name)
    chooser = Chooser(rng)
    decks = [rng.sample(range(52), game.cards_in_deck) for _ in range(HANDS)]
    return playthrough(chooser.start, game, [(deck, iter(chooser)) for deck in decks])


if __name__ == "__main__":
    for name in game_names():
        path = GOLDEN / f"{name}.txt"
        if not path.exists():
            path.write_text(new_playthrough(Game.load(name)), encoding="utf-8")
            print(f"wrote {path}: read it through")
