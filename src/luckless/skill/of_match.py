"""The bots of a match or of sessions are at hand, so their policies are known wherever they can state them."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, NoProbabilities
from luckless.errors import InputError
from luckless.matches.match import Match
from luckless.matches.playing import Chunk
from luckless.matches.session import Sessions
from luckless.matches.session_result import SessionResult, session_rate
from luckless.matches.settings import player_names
from luckless.progress import Progress
from luckless.rules.columns import HandColumns
from luckless.skill.by_steps import Aivat, Chance
from luckless.skill.collecting import sets_of, variance_ratio
from luckless.skill.policies import known_policies
from luckless.skill.registry import judge_hands
from luckless.skill.shares import NOBODY
from luckless.skill.verdict import Knowledge, PlayerVerdict, Verdict
from luckless.stats.units import BIG_BLINDS, MILLI_BIG_BLINDS, unit_factor

ASKED_HANDS = 16
"""Hands on which a bot is asked whether it can state its probabilities."""


def policies_of(match: Match | Sessions, hands: HandColumns) -> dict[str, Bot]:
    """By name the bots that can state what they do; they are asked on the first hands."""
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


def adjust_sessions(sessions: Sessions, result: SessionResult, batches: Iterable[HandColumns]) -> Verdict:
    """The win rates of players over their sessions, with luck taken out hand by hand; the sample is the session.

    What is taken out of a hand has the mean 0 whatever was played before, so over a session it has, too: when a
    session ends depends on the true chips alone.
    """
    luck = np.zeros(result.chips.shape)
    knowledge: Knowledge | None = None
    with Progress(int(result.rounds.sum()), "hands judged", show=True) as progress:
        for hands in batches:
            knowledge = knowledge or Knowledge(policies_of(sessions, hands))
            estimator = Aivat() if knowledge.policies else Chance()
            games = hands.numbers // sessions.rounds
            for rows, seats, taken in estimator.luck_of_players(hands, knowledge):
                np.add.at(luck, (games[rows], hands.players[rows, seats]), taken)
            progress.advance(len(hands))
    if knowledge is None:
        raise InputError("there are no hands to judge")
    estimator = Aivat() if knowledge.policies else Chance()
    players = []
    for place, name in enumerate(player_names(result.sessions.names)):
        money, won = result.rate(place), result.chips[:, place] - sessions.game.stacks[0]
        adjusted = session_rate(won - luck[:, place], result.rounds, sessions.game, estimator.method)
        players.append(PlayerVerdict(name, money.hands, money, adjusted, variance_ratio(money, adjusted)))
    reason = estimator.reason(knowledge)
    return Verdict(int(result.rounds.sum()), estimator.name, tuple(players), reason, values=knowledge.values)


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
