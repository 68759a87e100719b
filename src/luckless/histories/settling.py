"""How a source settled a hand: by the rules, in fractions, after rake, in expectation, by what was shown."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from luckless.errors import InputError
from luckless.hands.strength import strengths
from luckless.histories.all_in_values import all_in_values
from luckless.histories.given_results import Amounts, amounts, check_given
from luckless.rules.columns import MILLION, UNKNOWN, Settlement
from luckless.rules.even_shares import SHARES
from luckless.rules.game import Game
from luckless.rules.plain_settlement import Pot, dead_antes, side_pots, split, uncalled, winners
from luckless.rules.replaying import Ends

PRECISION = Fraction(1, 1000)
"""How far a printed result may be off in chips: logs print a third of a chip with a few decimal places."""
EXPECTED_PRECISION, ROUNDED = Fraction(1, 100), Fraction(51, 100)
"""The same for all-in expectations, which logs print with two decimal places or more, or round to whole chips."""


class Told(NamedTuple):
    """What a source says of the result of a hand, as far as it does: lists in seat order, in chips."""

    payoffs: Amounts | None = None
    """What each seat won or lost."""
    collected: Amounts | None = None
    """What each seat was paid."""


class Outcome(NamedTuple):
    """How a hand was settled (None if every way gives the same), and what each seat has won by that."""

    settlement: Settlement | None
    payoffs: list[int]
    printed: list[int] | None = None
    """What the source prints, in millionths, if that is no whole number of chips."""


class Ending(NamedTuple):
    """The end of a hand that was played again; lists in seat order."""

    game: Game
    deck: Sequence[int]
    street: int
    showdown: bool
    live: list[int]
    put_in: list[int]
    """What each seat has put in for good, dead antes apart."""
    dead: list[int]
    returned: tuple[int, int]
    """The seat that got an uncalled bet back, and the chips."""
    ours: list[int] | None
    """What each seat won by our rules, if the cards are known."""
    shares: Sequence[int]
    """The same with split pots shared to fractions of a chip, in parts of one (`SHARES`)."""

    @classmethod
    def of(
        cls,
        game: Game,
        deck: Sequence[int],
        stacks: Sequence[int],
        ends: Ends,
        row: int,
        shares: Sequence[int] = (),
    ) -> "Ending":
        """The end of hand `row` of a replay; `shares` are what even shares give."""
        live = [seat for seat in range(game.seats) if ends.live[row] >> seat & 1]
        dead = dead_antes(game, stacks)
        put_in = [chips - ante for chips, ante in zip(ends.invested[row].tolist(), dead, strict=True)]
        returned = uncalled(put_in, live)
        put_in[returned[0]] -= returned[1]
        ours = ends.payoffs[row].tolist() if ends.settled[row] else None
        return cls(
            game, deck, int(ends.street[row]), bool(ends.showdown[row]), live, put_in, dead, returned, ours, shares
        )

    @property
    def even(self) -> list[Fraction]:
        """What even shares of the pots give, in chips."""
        return [Fraction(share, SHARES) for share in self.shares]

    @property
    def splits_odd_chips(self) -> bool:
        """Whether even shares are not what our rules pay."""
        return self.ours is not None and [SHARES * chips for chips in self.ours] != list(self.shares)

    @property
    def lost(self) -> list[int]:
        """What each seat has lost if it won nothing."""
        return [chips + ante for chips, ante in zip(self.put_in, self.dead, strict=True)]


def settle_as_told(end: Ending, told: Told) -> Outcome:
    """The outcome that agrees with what the source says; raises InputError if none does."""
    readings = list(_readings(end, told))
    if end.ours is None:
        return _unsettled(end, readings)
    if not readings or end.ours in readings:
        return Outcome("whole" if end.splits_odd_chips else None, end.ours)
    for given in readings:
        if _close(given, end.even, PRECISION):
            return Outcome("shared", end.ours)
    for given in readings:
        if is_expected(end, given):
            return Outcome("expected", end.ours, _millionths(given))
    raked = [given for given in readings if _is_raked(given, end)]
    try:
        return Outcome("given", _most_likely(end, raked))
    except InputError:
        if raked and raked[0] is readings[0]:
            raise
    raise InputError(
        f"the source says that the seats won {amounts(readings[0])}; by the rules it is {amounts(end.ours)}"
    )


def _readings(end: Ending, told: Told) -> Iterator[Amounts]:
    """What the source can mean: payments with or without an uncalled bet; all zeros say nothing."""
    if told.payoffs is not None:
        yield told.payoffs
    if told.collected is None or not any(told.collected):
        return
    yield [paid - lost for paid, lost in zip(told.collected, end.lost, strict=True)]
    seat, chips = end.returned
    if chips and told.collected[seat] >= chips:
        yield [
            paid - lost - (chips if number == seat else 0)
            for number, (paid, lost) in enumerate(zip(told.collected, end.lost, strict=True))
        ]


def _unsettled(end: Ending, readings: list[Amounts]) -> Outcome:
    """The outcome of a showdown of which cards are unknown: as the source says, else by the cards that were shown."""
    if not readings:
        return Outcome("shown", _by_shown_cards(end))
    for given in readings:
        if is_expected(end, given):
            return Outcome("expected", rounded_payoffs(given), _millionths(given))
    return Outcome("given", _most_likely(end, readings))


def _most_likely(end: Ending, readings: list[Amounts]) -> list[int]:
    """The possible result with the smallest rake, in whole chips; raises InputError if none is possible."""
    possible, first_error = [], None
    for given in readings:
        try:
            check_given(end.game, given, end.lost, end.dead, end.live)
            possible.append(given)
        except InputError as error:
            first_error = first_error or error
    if not possible:
        raise first_error or InputError("nothing is said of the result")
    return _whole_chips(max(possible, key=sum))


def _by_shown_cards(end: Ending) -> list[int]:
    """What the seats won if whoever did not show lost."""
    seats = end.game.seats
    shown = [seat for seat in end.live if UNKNOWN not in end.deck[2 * seat : 2 * seat + 2]]
    board = end.deck[2 * seats :]
    pots = side_pots(end.put_in, sum(end.dead), end.live)
    if UNKNOWN in board or any(not set(pot.contenders) & set(shown) for pot in pots):
        raise InputError("cards of the showdown are unknown, and the source does not give the winnings")
    rows = [[*end.deck[2 * seat : 2 * seat + 2], *board] for seat in shown]
    strength = dict(zip(shown, strengths(rows).tolist(), strict=True))
    payoffs = [-chips for chips in end.lost]
    for pot in pots:
        contenders = Pot(pot.chips, tuple(seat for seat in pot.contenders if seat in strength))
        for seat, share in split(pot.chips, winners(contenders, strength)).items():
            payoffs[seat] += share
    return payoffs


def is_expected(end: Ending, given: Amounts) -> bool:
    """Whether these are exact all-in expectations: the betting ended before the river, and all cards lie open."""
    if not end.showdown or end.street == 3 or abs(Fraction(sum(given))) > 1:
        return False
    near = ROUNDED if all(value.denominator == 1 for value in given) else EXPECTED_PRECISION
    values = all_in_values(end.deck, end.street, end.put_in, end.dead, end.live)
    return any(_close(given, expected, near) for expected in values)


def _close(given: Amounts, values: Amounts, precision: Fraction) -> bool:
    return all(abs(Fraction(told) - value) < precision for told, value in zip(given, values, strict=True))


def _is_raked(given: Amounts, end: Ending) -> bool:
    """Whether the house took a part: who was paid nothing lost what he put in, the others got no more than theirs."""
    seats = zip(map(Fraction, given), end.even, end.lost, strict=True)
    return Fraction(sum(given)) < 0 and all(
        told == won if won == -lost else told < won + 1 for told, won, lost in seats
    )


def rounded_payoffs(given: Amounts) -> list[int]:
    """Whole chips nearest to values that add up to nothing, and which do so too."""
    whole = [math.floor(value) for value in given]
    order = sorted(range(len(whole)), key=lambda seat: Fraction(whole[seat]) - given[seat])
    for seat in order[: -sum(whole)]:
        whole[seat] += 1
    return whole


def _millionths(given: Amounts) -> list[int]:
    return [round(value * MILLION) for value in given]


def _whole_chips(given: Amounts) -> list[int]:
    if any(value.denominator != 1 for value in given):
        raise InputError(f"the seats won {amounts(given)}, which are not whole chips")
    return [int(value) for value in given]
