"""Money as an estimator: what each player won a hand, with nothing taken out. All others are held against it."""

from collections.abc import Iterable

import numpy as np

from luckless.rules.columns import HandColumns
from luckless.rules.replaying import replay
from luckless.skill.collecting import Collector, sets_of
from luckless.skill.hands_told_apart import groups_of
from luckless.skill.verdict import NOTHING, Knowledge, Verdict


class Money:
    """Counts chips. Any game, any number of players."""

    name = "money"
    needs = "any hands"

    def lacks(self, hands: HandColumns, knowledge: Knowledge) -> str:
        """It judges all of them."""
        return ""

    def judge(self, batches: Iterable[HandColumns], knowledge: Knowledge = NOTHING) -> Verdict:
        """Every player's win rate; hands that were played with one deal in a row are one sample."""
        collector = Collector("money", knowledge.lines)
        hands = 0
        for batch in batches:
            hands += len(batch)
            sets, played = sets_of(batch), replay(batch.records)
            won = batch.values() / batch.records.game.big_blind
            for player in np.unique(batch.players).tolist():
                rows, seats = np.nonzero(batch.players == player)
                chips = won[rows, seats]
                measures = {("money", ""): chips, ("adjusted", ""): chips}
                collector.add(batch.names[player], sets[rows], measures, groups_of(batch, played, rows, seats))
        return Verdict(hands, self.name, collector.verdicts(), "Money counts every chip, luck included.")
