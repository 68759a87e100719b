"""The bots of a match are at hand, so their policies are known without asking, wherever they can state them."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, NoProbabilities
from luckless.matches.match import Match
from luckless.matches.playing import Chunk
from luckless.matches.settings import player_names
from luckless.rules.columns import HandColumns
from luckless.skill.by_steps import Aivat, Chance
from luckless.skill.collecting import sets_of
from luckless.skill.policies import known_policies
from luckless.skill.registry import judge_hands
from luckless.skill.shares import NOBODY
from luckless.skill.verdict import Knowledge, Verdict
from luckless.stats.units import BIG_BLINDS, MILLI_BIG_BLINDS, unit_factor

ASKED_HANDS = 16
"""Hands on which a bot is asked whether it can state its probabilities."""


def policies_of(match: Match, hands: HandColumns) -> dict[str, Bot]:
    """By name the bots of a match that can state what they do; they are asked on the first hands."""
    asked = hands.rows(slice(0, ASKED_HANDS))
    known: dict[str, Bot] = {}
    for name, bot in zip(player_names(match.settings.names), match.players, strict=True):
        try:
            known_policies(asked, np.full(len(asked), NOBODY), {name: bot})
        except NoProbabilities:
            continue
        known[name] = bot
    return known


def adjust(match: Match, batches: Iterable[HandColumns], *, lines: bool = False) -> Verdict:
    """The hands of a match judged by the least noisy estimator that is unbiased for what its bots can state."""
    hands = list(batches)
    return judge_hands(hands, knowledge=Knowledge(policies_of(match, hands[0]), show_progress=True, lines=lines))


class AdjustedSets:
    """For a test that ends a match: the first player's result in each set of a chunk, luck taken out, in mbb/h."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._knowledge: Knowledge | None = None

    def __call__(self, chunk: Chunk) -> NDArray[np.float64]:
        """One value a set, in order."""
        hands = chunk.hands
        if self._knowledge is None:
            self._knowledge = Knowledge(policies_of(self._match, hands))
        estimator = Aivat() if self._knowledge.policies else Chance()
        values = estimator.hand_values(hands, 0, self._knowledge)
        sets = sets_of(hands)
        scale = unit_factor(BIG_BLINDS, MILLI_BIG_BLINDS)
        return scale * np.bincount(sets, values) / np.bincount(sets)
