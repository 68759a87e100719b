"""Results that a log gives and the cards alone do not: an unknown showdown, or a rake that the log does not describe.

They are taken as they are, within what is possible: who folded loses what he put in, nobody is paid less than nothing
or more than the pots that he contends for, and the house takes no more than `most_rake`.
"""

from collections.abc import Sequence
from fractions import Fraction

from luckless.errors import InputError
from luckless.rules.game import Game
from luckless.rules.plain_settlement import side_pots

RAKE_SHARE = Fraction(1, 10)
"""The largest part of a pot that a house takes, as far as we know of: most take 5 %, with a cap."""
RAKE_BLINDS = 3
"""A fixed drop may be more than that share of a small pot, but is no more than this many big blinds..."""
RAKE_OF_SMALL_POTS = Fraction(1, 2)
"""... and no more than this part of the pot."""

Amounts = Sequence[Fraction | int]


def most_rake(game: Game, pot: int) -> Fraction:
    """The largest rake of a pot that is believed: what the game says, or what is usual if it says nothing."""
    if game.rake is not None:
        rake = Fraction(pot * game.rake.per_mille, 1000)
        return min(rake, Fraction(game.rake.cap)) if game.rake.cap else rake
    return max(pot * RAKE_SHARE, min(Fraction(RAKE_BLINDS * game.big_blind), pot * RAKE_OF_SMALL_POTS))


def check_given(game: Game, given: Amounts, put_in: Sequence[int], dead: Sequence[int], live: Sequence[int]) -> None:
    """Refuses results that no hand can have; `put_in` is without what came back, `dead` is the part in dead antes."""
    bets = [chips - ante for chips, ante in zip(put_in, dead, strict=True)]
    pots = side_pots(bets, sum(dead), live)
    for seat, (told, chips) in enumerate(zip(given, put_in, strict=True)):
        paid = told + chips
        most = sum(pot.chips for pot in pots if seat in pot.contenders)
        if not 0 <= paid <= most:
            what = "and folded" if seat not in live else f"and can be paid 0 to {most}"
            raise InputError(f"the seats cannot have won {amounts(given)}: seat {seat} put in {chips} {what}")
    check_rake(game, given, put_in)


def check_rake(game: Game, given: Amounts, put_in: Sequence[int]) -> None:
    """Refuses results that leave the house more than `most_rake`, or less than nothing."""
    pot, rake = sum(put_in), -sum(given)
    if rake < 0:
        raise InputError(f"the seats cannot have won {amounts(given)}: they put in {amounts(put_in)}")
    allowed = most_rake(game, pot)
    if rake > allowed:
        raise InputError(
            f"the seats cannot have won {amounts(given)}: the house would have taken {amounts([rake])} of a pot of "
            f"{pot} chips; allowed is a rake of up to {amounts([allowed])}"
        )


def amounts(values: Amounts) -> str:
    """Chips as they are shown in errors."""
    return ", ".join(f"{float(value):.10g}" for value in values)
