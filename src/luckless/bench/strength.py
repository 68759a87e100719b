"""Strength of seven random cards, from Python, on one core."""

from collections.abc import Iterator

import numpy as np

from luckless.bench.timing import CPU, Row, once, seconds_of
from luckless.cards import format_card
from luckless.hands.census import strength_census
from luckless.hands.strength import strengths

HANDS, PEER_HANDS = 2_000_000, 100_000


def measure() -> Iterator[Row]:
    """Our evaluator beside pkrbot, eval7 and phevaluator, and the count of all seven-card hands."""
    random = np.random.default_rng(1)
    deals = random.random((HANDS // 4, 52)).argpartition(7, axis=1)[:, :7].astype(np.uint8)
    hands = random.permutation(np.tile(deals, (4, 1)))
    ours = seconds_of(lambda: strengths(hands), clock=CPU) * PEER_HANDS / HANDS
    speed = f"{PEER_HANDS / ours / 1e6:,.0f} million a second"
    work = f"{PEER_HANDS:,} random seven-card hands"
    yield from _peers(hands[:PEER_HANDS].tolist(), work, ours, speed)
    census = seconds_of(lambda: strength_census(7), repeats=3, clock=CPU)
    yield Row("all 133,784,560 seven-card hands", census, "the aim of 5 s", 5.0, 1.0)


def _peers(hands: list[list[int]], work: str, ours: float, note: str) -> Iterator[Row]:
    texts = [[format_card(card) for card in hand] for hand in hands]
    try:
        import pkrbot

        cards = [[pkrbot.Card(text) for text in hand] for hand in texts]
        yield Row(work, ours, "pkrbot", once(lambda: [pkrbot.evaluate(hand) for hand in cards], clock=CPU), 10, note)
    except ImportError:
        pass
    try:
        import eval7

        hands7 = [[eval7.Card(text) for text in hand] for hand in texts]
        yield Row(work, ours, "eval7", once(lambda: [eval7.evaluate(hand) for hand in hands7], clock=CPU), 25, note)
    except ImportError:
        pass
    try:
        import phevaluator

        yield Row(
            work,
            ours,
            "phevaluator",
            once(lambda: [phevaluator.evaluate_cards(*hand) for hand in hands], clock=CPU),
            None,
        )
    except ImportError:
        pass
