"""What must hold for hands that a reader accepts, found by engines that no reader uses.

The plain engine plays every hand again (the readers use the compiled one), and its payoffs must be those that were
read. Results that a log gives are held to bounds that are written here once more. Hands in PHH are also given to
PokerKit, which has a reader and an engine of its own.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from even_shares import even_payoffs
from luckless.errors import InputError
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.game import Game
from luckless.rules.plain import PlainHand


class Wrong(Exception):
    """A reader accepted what it must not accept."""


def check_columns(columns: HandColumns) -> list[PlainHand]:
    """Plays all hands of a batch again; raises `Wrong` at the first difference."""
    records, hands, first = columns.records, [], 0
    for row in range(len(columns)):
        end = int(records.ends[row])
        actions = [int(action) for action in records.actions[first:end]]
        deck, stacks = records.decks[row].tolist(), records.stacks[row].tolist()
        hand = _played(records.game, deck, stacks, actions)
        _check_payoffs(hand, deck, records.payoffs[row].tolist(), columns.settlement)
        hands.append(hand)
        first = end
    if first != len(records.actions):
        raise Wrong(f"{len(records.actions) - first} actions belong to no hand")
    if (columns.players >= len(columns.names)).any() or (columns.players < 0).any():
        raise Wrong("a player has no name")
    return hands


def _played(game: Game, deck: list[int], stacks: list[int], actions: list[int]) -> PlainHand:
    known = [card for card in deck if card != UNKNOWN]
    if len(set(known)) < len(known):
        raise Wrong(f"a card appears twice in {deck}")
    spare = iter([card for card in range(52) if card not in known and card not in game.board])
    try:
        hand = PlainHand(game, [next(spare) if card == UNKNOWN else card for card in deck], stacks)
        for action in actions:
            hand.do(action)
    except InputError as error:
        raise Wrong(f"the plain engine refuses the hand: {error}") from None
    if not hand.finished:
        raise Wrong("the hand is not over")
    return hand


def _check_payoffs(hand: PlainHand, deck: list[int], payoffs: list[int], settlement: str) -> None:
    live = [seat for seat, one in enumerate(hand.seats) if not one.folded]
    if settlement not in ("given", "shown"):  # by the cards alone
        if len(live) > 1 and UNKNOWN in [card for seat in live for card in deck[2 * seat : 2 * seat + 2]]:
            raise Wrong("a showdown of unknown cards was settled")
        if payoffs != list(hand.payoffs):
            raise Wrong(f"payoffs {payoffs} are {list(hand.payoffs)} by the plain engine")
        if sum(payoffs) != -hand.rake:
            raise Wrong(f"payoffs {payoffs} with a rake of {hand.rake} do not conserve chips")
        return
    put_in = [one.put_in + one.dead for one in hand.seats]  # what nobody called went back before the pots were formed
    pot, rake = sum(put_in), -sum(payoffs)
    blind = hand.game.big_blind
    if not 0 <= rake <= max(Fraction(pot, 10), min(Fraction(3 * blind), Fraction(pot, 2))):
        raise Wrong(f"a rake of {rake} chips from a pot of {pot} was believed")
    for seat, (won, chips) in enumerate(zip(payoffs, put_in, strict=True)):
        if won < -chips or (seat not in live and won != -chips):
            raise Wrong(f"seat {seat} put in {chips} and won {won}")


def agrees_with_pokerkit(text: str, columns: HandColumns, hand: PlainHand) -> bool:
    """Whether PokerKit reads one PHH hand to the same stacks; False if it does not read it, or shares odd chips."""
    from pokerkit import HandHistory

    exact: tuple[Fraction, ...] = even_payoffs(hand)
    if columns.settlement == "shown":  # the plain engine knows only cards that are shown
        exact = tuple(map(Fraction, columns.records.payoffs[0].tolist()))
    if columns.settlement == "given" or any(value.denominator != 1 for value in exact):
        return False
    try:
        *_, state = HandHistory.loads(text)
    except Exception:
        return False
    theirs: list[Any] = list(state.payoffs)
    if state.status:  # it waits for a step that the hand does not write down, such as showing a hand
        return False
    ours = (np.array([int(value) for value in exact]) / columns.scale).tolist()
    if any(abs(float(their) - our) > 1e-6 for their, our in zip(theirs, ours, strict=True)):
        raise Wrong(f"PokerKit says {theirs}, we say {ours}")
    return True
