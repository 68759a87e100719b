"""The idea of DIVAT in a game without hidden opponents: score = EV of the action - EV of the baseline action.

In blackjack the expected value of every action is exact, so a player can be judged by decisions instead of by money:
a deviation from basic strategy is a mistake in one shoe and insight in another. The four expected values of chapter
2 of Kan's thesis (Postgame Analysis of Poker Decisions, 2007) come out to the digit; its second score, 0.0523, is
the difference of rounded ones. Its rules: four decks, the dealer hits soft 17 and has looked for blackjack, doubling
on any two cards.

    python examples/blackjack.py
"""

from collections.abc import Iterator
from functools import cache

ACE, TEN = 1, 10
BUST = 22

Shoe = tuple[int, ...]
"""Cards left by value: place 1 counts aces, place 10 tens and face cards, place 0 is empty."""


def shoe_of(each: int, tens: int) -> Shoe:
    """A shoe with so many cards of each value from ace to nine, and so many of value ten."""
    return (0, *[each] * 9, tens)


def without(shoe: Shoe, *values: int) -> Shoe:
    """The shoe after these cards were dealt from it."""
    left = list(shoe)
    for value in values:
        left[value] -= 1
    return tuple(left)


def add_card(total: int, soft: bool, value: int) -> tuple[int, bool]:
    """A hand after one more card: its total, and whether an ace counts as eleven in it."""
    total, soft = (total + 11, True) if value == ACE and total + 11 <= 21 else (total + value, soft)
    return (total - 10, False) if total > 21 and soft else (total, soft)


def draws(shoe: Shoe, excluded: int = 0) -> Iterator[tuple[int, float]]:
    """Every value that the next card can have, with its probability; one value may be known not to come."""
    count = sum(shoe) - shoe[excluded]
    for value, left in enumerate(shoe):
        if left and value != excluded:
            yield value, left / count


def blackjack_card(upcard: int) -> int:
    """The hole card that would give the dealer a blackjack, which he has looked for; 0 if none would."""
    return {ACE: TEN, TEN: ACE}.get(upcard, 0)


@cache
def dealer_totals(shoe: Shoe, upcard: int) -> dict[int, float]:
    """With which probability the dealer ends with each total, `BUST` for all above 21."""
    totals: dict[int, float] = {}

    def play(left: Shoe, total: int, soft: bool, chance: float) -> None:
        if total > 17 or (total == 17 and not soft):
            totals[min(total, BUST)] = totals.get(min(total, BUST), 0.0) + chance
            return
        for value, probability in draws(left):
            play(without(left, value), *add_card(total, soft, value), chance * probability)

    start = add_card(0, False, upcard)
    for hole_card, probability in draws(shoe, excluded=blackjack_card(upcard)):
        play(without(shoe, hole_card), *add_card(*start, hole_card), probability)
    return totals


def player_draws(shoe: Shoe, upcard: int) -> Iterator[tuple[int, float]]:
    """The player's next card: the dealer's hole card lies apart, and is known not to make a blackjack."""
    excluded = blackjack_card(upcard)
    for hole_card, chance in draws(shoe, excluded) if excluded else [(0, 1.0)]:
        left = without(shoe, hole_card) if hole_card else shoe
        for value, probability in draws(left):
            yield value, chance * probability


def ev_stand(shoe: Shoe, total: int, upcard: int) -> float:
    """The expected win of standing, in bets."""
    if total > 21:
        return -1.0
    outcomes = dealer_totals(shoe, upcard).items()
    return sum(p * (1 if end == BUST else (total > end) - (total < end)) for end, p in outcomes)


@cache
def ev_hit(shoe: Shoe, total: int, soft: bool, upcard: int) -> float:
    """The expected win of taking a card, and of playing on in the best way without doubling."""
    value = 0.0
    for card, probability in player_draws(shoe, upcard):
        left, (after, is_soft) = without(shoe, card), add_card(total, soft, card)
        if after > 21:
            value -= probability
        else:
            value += probability * max(ev_stand(left, after, upcard), ev_hit(left, after, is_soft, upcard))
    return value


def ev_double(shoe: Shoe, total: int, soft: bool, upcard: int) -> float:
    """The expected win of doubling the bet for exactly one card, in original bets."""
    chances = player_draws(shoe, upcard)
    return 2 * sum(p * ev_stand(without(shoe, card), add_card(total, soft, card)[0], upcard) for card, p in chances)


def main() -> None:
    """A player with 4 and 5 against a 7 doubles, where basic strategy hits."""
    shoes = {"fresh shoe of four decks": shoe_of(16, 64), "shoe rich in tens": shoe_of(10, 55)}
    print("4-5 against a 7: basic strategy hits, the player doubles.")
    for name, shoe in shoes.items():
        left = without(shoe, 4, 5, 7)
        hit, double = ev_hit(left, 9, False, 7), ev_double(left, 9, False, 7)
        print(f"{name:>25}: EV(double) {double:+.4f} - EV(hit) {hit:+.4f} = score {double - hit:+.4f} bets")


if __name__ == "__main__":
    main()
