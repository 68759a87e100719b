"""DIVAT as an estimator: the thesis's for heads-up limit hold'em, and by sound play for all other games."""

import itertools
from collections.abc import Iterable

from luckless.divat.continuations import Valuation
from luckless.divat.gathering import Log, check_game, gather
from luckless.divat.judgement import Judgement, judge_hands
from luckless.divat.rank_preparation import prepare_ranks
from luckless.errors import InputError
from luckless.rules.columns import HandColumns
from luckless.rules.game import STREETS
from luckless.skill.by_baseline import judge_by_baseline, unknown_cards
from luckless.skill.hands_told_apart import hidden_hand
from luckless.skill.verdict import NOTHING, Knowledge, PlayerVerdict, Verdict
from luckless.stats.estimate import Estimate
from luckless.stats.units import MILLI_BIG_BLINDS

MILLI = 1000.0
"""A small bet is the big blind of the game that DIVAT judges."""


def is_heads_up_limit(hands: HandColumns) -> bool:
    """Whether it is the game of the thesis, with its blinds, bets and cap."""
    try:
        check_game(hands.records.game)
    except InputError:
        return False
    return True


class Divat:
    """Judges hands of which all cards are known, by the thesis's settings or by sound play."""

    name = "divat"
    needs = "hands with all hole cards"

    def lacks(self, hands: HandColumns, knowledge: Knowledge) -> str:
        """All hole cards must be known: hands shown down alone would be biased."""
        return hidden_hand(hands) if is_heads_up_limit(hands) else unknown_cards(hands)

    def judge(self, batches: Iterable[HandColumns], knowledge: Knowledge = NOTHING) -> Verdict:
        """Skill of all. In heads-up limit `detail` is the whole `divat.judgement.Judgement`, else the cross-table.

        Where rank tables are missing and would pay, they are built first, as `luckless divat` does.
        """
        given = iter(batches)
        first = next(given, None)
        if first is not None:
            given = itertools.chain([first], given)
            if not is_heads_up_limit(first):
                return judge_by_baseline(given, knowledge)
        hands = gather([Log("the hands", given)])
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
