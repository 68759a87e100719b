"""DIVAT as an estimator: skill in heads-up limit hold'em, with the luck of the cards taken out."""

from collections.abc import Iterable

from luckless.divat.continuations import Valuation
from luckless.divat.gathering import Log, check_game, gather
from luckless.divat.judgement import Judgement, judge_hands
from luckless.divat.rank_preparation import prepare_ranks
from luckless.errors import InputError
from luckless.rules.columns import HandColumns
from luckless.rules.game import STREETS
from luckless.skill.hands_told_apart import hidden_hand
from luckless.skill.verdict import NOTHING, Knowledge, PlayerVerdict, Verdict
from luckless.stats.estimate import Estimate
from luckless.stats.units import MILLI_BIG_BLINDS

MILLI = 1000.0
"""A small bet is the big blind of the game that DIVAT judges."""


class Divat:
    """Judges heads-up limit hands of which both players' cards are known, by the thesis's settings."""

    name = "divat"
    needs = "heads-up limit hands with both players' cards"

    def lacks(self, hands: HandColumns, knowledge: Knowledge) -> str:
        """The game must be heads-up limit and all hole cards known: hands shown down alone would be biased."""
        try:
            check_game(hands.records.game)
        except InputError as error:
            return str(error)
        return hidden_hand(hands)

    def judge(self, batches: Iterable[HandColumns], knowledge: Knowledge = NOTHING) -> Verdict:
        """Both players' skill; `detail` is the whole `divat.judgement.Judgement`.

        Where rank tables are missing and would pay, they are built first, as `luckless divat` does.
        """
        hands = gather([Log("the hands", batches)])
        prepare_ranks(hands, Valuation())
        return verdict_of(judge_hands(hands))


def verdict_of(judgement: Judgement) -> Verdict:
    """A judgement of DIVAT as the common verdict."""
    saving = judgement.saving()
    players = tuple(
        PlayerVerdict(
            name,
            judgement.hands,
            _mbb(judgement.estimate("money_judged"), sign),
            _mbb(judgement.estimate("divat"), sign),
            None if saving is None else saving.variance_ratio,
            {street: _mbb(judgement.estimate("divat", place), sign) for place, street in enumerate(STREETS)},
        )
        for name, sign in ((judgement.player, 1), (judgement.opponent, -1))
    )
    reason = "DIVAT is unbiased for heads-up limit and needs no policy: cards and betting are enough."
    return Verdict(judgement.hands, Divat.name, players, reason, judgement)


def _mbb(rate: Estimate, sign: int) -> Estimate:
    return rate.scaled(sign * MILLI, MILLI_BIG_BLINDS)
