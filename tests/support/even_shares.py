"""What a hand is worth when split pots are shared to the last part of a chip, as other dealers do."""

from fractions import Fraction

from luckless.rules.plain import PlainHand
from luckless.rules.plain_events import Won


def even_payoffs(hand: PlainHand) -> tuple[Fraction, ...]:
    """The payoffs of a finished hand with even shares in place of whole chips."""
    values = [Fraction(payoff) for payoff in hand.payoffs]
    for event in hand.events:
        if isinstance(event, Won):
            even = Fraction(event.pot.chips - event.rake, len(event.shares))
            for seat, share in event.shares:
                values[seat] += even - share
    return tuple(values)
