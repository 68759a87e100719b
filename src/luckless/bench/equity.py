"""Equity on one core, beside eval7 where it is installed."""

import functools
import importlib.util
import itertools
from collections.abc import Iterator

from luckless.bench.timing import CPU, Row, once, seconds_of
from luckless.cards import format_card, parse_cards
from luckless.hands.equity import equity

SAMPLES, LOOPED = 1_000_000, 50_000
NATIVE_MILLIONS = 32
"""Sampled deals a second, in millions, of the best C++ on one core: what is aimed at for two hands."""


def measure() -> Iterator[Row]:
    """All rows."""
    yield _exact_two_hands()
    yield from _samples()
    yield from _exact_ranges()


def _has_eval7() -> bool:
    return importlib.util.find_spec("eval7") is not None


def _eval7_wins(hands: list[list[int]]) -> int:
    """Boards that the first of two hands wins, by the plain loop over all of them."""
    import eval7

    cards = [eval7.Card(format_card(card)) for card in range(52)]
    first, second = ([cards[card] for card in hand] for hand in hands)
    deck = [card for number, card in enumerate(cards) if number not in hands[0] + hands[1]]
    evaluate = eval7.evaluate
    return sum(
        evaluate([*board, *first]) > evaluate([*board, *second])
        for board in map(list, itertools.combinations(deck, 5))
    )


def _exact_two_hands() -> Row:
    work = "AcKc v 7h6h before the flop, exact"
    ours = seconds_of(lambda: equity(["AcKc", "7h6h"], threads=1), repeats=25, clock=CPU)
    if not _has_eval7():
        return Row(work, ours)
    hands = [parse_cards("AcKc"), parse_cards("7h6h")]
    return Row(work, ours, "eval7 in a loop", once(lambda: _eval7_wins(hands), clock=CPU), 50)


def _samples() -> Iterator[Row]:
    def ours(*opponents: str) -> float:
        return seconds_of(lambda: equity(["AcKc", *opponents], samples=SAMPLES, threads=1), repeats=9, clock=CPU)

    aim = f"{NATIVE_MILLIONS} million a second", SAMPLES / (NATIVE_MILLIONS * 1e6), 1.0
    against_random, against_two = ours("random"), ours("random", "random")
    work = f"AcKc v a random hand, {SAMPLES:,} samples"
    if _has_eval7():
        import eval7

        hand = [eval7.Card("Ac"), eval7.Card("Kc")]
        everything = eval7.HandRange("22+,32+,42+,52+,62+,72+,82+,92+,T2+,J2+,Q2+,K2+,A2+")
        theirs = seconds_of(lambda: eval7.py_hand_vs_range_monte_carlo(hand, everything, [], SAMPLES), clock=CPU)
        yield Row(work, against_random, "eval7", theirs, 3)
        looped = once(lambda: _eval7_three_handed(LOOPED), clock=CPU) * SAMPLES / LOOPED
        yield Row(f"AcKc v two random hands, {SAMPLES:,} samples", against_two, "eval7 in a loop", looped, 3)
    yield Row(work, against_random, *aim)
    yield Row(f"AcKc v 7h6h, {SAMPLES:,} samples", ours("7h6h"), *aim)
    yield Row(f"AcKc v TT+,AQs+, {SAMPLES:,} samples", ours("TT+,AQs+"), *aim)
    yield Row(f"AcKc v two random hands, {SAMPLES:,} samples", against_two, *aim)
    yield Row(f"AcKc v five random hands, {SAMPLES:,} samples", ours(*["random"] * 5))


def _eval7_three_handed(samples: int) -> int:
    """Deals that AcKc wins against two random hands, by eval7's deck and evaluator: it samples two hands only."""
    import eval7

    hand, evaluate = [eval7.Card("Ac"), eval7.Card("Kc")], eval7.evaluate
    deck = eval7.Deck()
    for card in hand:
        deck.cards.remove(card)
    wins = 0
    for _ in range(samples):
        dealt = deck.sample(9)
        board = dealt[:5]
        own = evaluate([*board, *hand])
        wins += own > evaluate([*board, *dealt[5:7]]) and own > evaluate([*board, *dealt[7:]])
    return wins


def _exact_ranges() -> Iterator[Row]:
    spots = [
        (["AcKc", "random"], "", "AcKc v a random hand before the flop, exact"),
        (["20%", "50%"], "Ks5h3d", "20% v 50% on a flop, exact"),
        (["random", "random"], "", "two random hands before the flop, exact"),
    ]
    for hands, board, work in spots:
        yield Row(work, seconds_of(functools.partial(equity, hands, board, threads=1), repeats=3, clock=CPU))
