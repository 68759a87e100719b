"""Money as an estimator: what each player won a hand, with nothing taken out. All others are held against it."""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from luckless.rules.columns import HandColumns
from luckless.skill.verdict import PlayerVerdict, Verdict
from luckless.stats.estimate import Accumulator, Estimate
from luckless.stats.units import BIG_BLINDS, MILLI_BIG_BLINDS, unit_factor


class Money:
    """Counts chips. Any game, any number of players."""

    name = "money"
    needs = "any hands"

    def can_judge(self, hands: HandColumns) -> bool:
        """It judges all of them."""
        return True

    def judge(self, batches: Iterable[HandColumns]) -> Verdict:
        """Every player's win rate; hands that were played with one deal in a row are one sample."""
        samples: defaultdict[str, Accumulator] = defaultdict(Accumulator)
        hands_of: defaultdict[str, int] = defaultdict(int)
        hands = 0
        for batch in batches:
            hands += len(batch)
            sets = np.cumsum(np.diff(batch.deals, prepend=batch.deals[:1] - 1) != 0) - 1
            won = batch.values() / batch.records.game.big_blind
            for player in np.unique(batch.players).tolist():
                mine = batch.players == player
                rows = mine.any(axis=1)
                chips = np.where(mine, won, 0.0).sum(axis=1)[rows]
                _, places = np.unique(sets[rows], return_inverse=True)
                counts = np.bincount(places)
                samples[batch.names[player]].update(np.bincount(places, chips) / counts)
                hands_of[batch.names[player]] += int(rows.sum())
        players = tuple(_verdict(name, samples[name], hands_of[name]) for name in samples)
        return Verdict(hands, self.name, players, "Money counts every chip, luck included.")


def _verdict(name: str, samples: Accumulator, hands: int) -> PlayerVerdict:
    rate = money_rate(samples, hands)
    return PlayerVerdict(name, hands, rate, rate)


def money_rate(samples: Accumulator, hands: int) -> Estimate:
    """The estimate of samples in big blinds a hand as mbb/h."""
    size = max(round(hands / max(samples.samples, 1)), 1)
    scale = unit_factor(BIG_BLINDS, MILLI_BIG_BLINDS)
    return samples.estimate(unit=MILLI_BIG_BLINDS, method="money", hands_per_sample=size, scale=scale)
