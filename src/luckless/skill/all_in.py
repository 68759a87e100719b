"""Money with all-in pots at their equity: the luck of the cards that came after the last bet is taken out.

Where no bet is possible any more before the river, and hands are shown down, each seat's result is what it can expect
over all boards to come, pot by pot, with everybody's cards known. That is the mean of the result given all cards that
were dealt and all actions, so the estimate is unbiased; all other luck stays in.
"""

from collections import defaultdict
from collections.abc import Iterable

from luckless.histories.all_in_values import all_in_values
from luckless.histories.hand_detail import HandDetail, details
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.game import STREETS
from luckless.rules.plain_settlement import dead_antes
from luckless.skill.verdict import PlayerVerdict, Verdict
from luckless.stats.estimate import Accumulator, Estimate
from luckless.stats.units import BIG_BLINDS, MILLI_BIG_BLINDS, unit_factor


class AllIn:
    """Judges hands of any game and number of players, if all hole cards are known and no rake is taken."""

    name = "all-in"
    needs = "hands with all hole cards, without rake"

    def can_judge(self, hands: HandColumns) -> bool:
        """Whether all hole cards are known and nothing was taken from the pots."""
        game = hands.records.game
        known = (hands.records.decks[:, : 2 * game.seats] != UNKNOWN).all()
        return bool(known) and game.rake is None and hands.settlement != "given"

    def judge(self, batches: Iterable[HandColumns]) -> Verdict:
        """Every player's win rate by money, and with all-in pots at their equity."""
        money: defaultdict[str, Accumulator] = defaultdict(Accumulator)
        adjusted: defaultdict[str, Accumulator] = defaultdict(Accumulator)
        hands = 0
        for batch in batches:
            for hand in details(batch):
                hands += 1
                expected = expected_payoffs(hand)
                for seat, name in enumerate(hand.names):
                    money[name].update([hand.payoffs[seat] / hand.game.big_blind])
                    adjusted[name].update([expected[seat] / hand.game.big_blind])
        players = tuple(_verdict(name, money[name], adjusted[name]) for name in money)
        return Verdict(hands, self.name, players, "Pots of players who are all-in count as what they can expect.")


def expected_payoffs(hand: HandDetail) -> list[float]:
    """What each seat could expect when the last bet was made; its result where no card came after that."""
    if not hand.showdown or hand.street == len(STREETS) - 1:
        return [float(chips) for chips in hand.payoffs]
    dead = dead_antes(hand.game, hand.stacks)
    put_in = [chips - ante for chips, ante in zip(hand.invested, dead, strict=True)]
    seat, chips = hand.returned()
    put_in[seat] -= chips
    *_, values = all_in_values(hand.deck, hand.street, put_in, dead, hand.live)  # the last: no folded card can come
    return [float(value) for value in values]


def _verdict(name: str, money: Accumulator, adjusted: Accumulator) -> PlayerVerdict:
    rates = [_rate(money, "money"), _rate(adjusted, "money, all-in pots at their equity")]
    spreads = [rate.sd for rate in rates]
    ratio = None if not spreads[0] or not spreads[1] else (spreads[0] / spreads[1]) ** 2
    return PlayerVerdict(name, money.samples, rates[0], rates[1], ratio)


def _rate(samples: Accumulator, method: str) -> Estimate:
    scale = unit_factor(BIG_BLINDS, MILLI_BIG_BLINDS)
    return samples.estimate(unit=MILLI_BIG_BLINDS, method=method, hands_per_sample=1, scale=scale)
