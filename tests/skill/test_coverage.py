"""Intervals of adjusted win rates cover the true value as often as they say."""

import numpy as np
import pytest

import luckless as lk
from luckless.matches.match import Match
from luckless.rules.game import Game
from luckless.skill.by_steps import Chance, walk_hands
from luckless.skill.verdict import Knowledge
from luckless.stats.estimate import estimate

MATCHES, HANDS = 2000, 250


@pytest.mark.slow
@pytest.mark.parametrize("game", ["limit-hu", "nolimit-hu"])
def test_intervals_of_two_thousand_matches_cover_the_truth(game: str) -> None:
    """Self-play of a bot is worth 0 to it, over both seats in turn; 95 % of the intervals must hold that."""
    players = [lk.bot("value-bet", str(place)) for place in range(2)]
    match = Match.plan(Game.load(game), players, hands=MATCHES * HANDS, seed=31, decks="fresh")
    covered = {"money": 0, "chance": 0}
    chips: list[list[np.ndarray]] = [[], []]
    for chunk in match.chunks():
        walked = walk_hands(chunk.hands, 0, Knowledge(), vary=False)
        taken = np.sum(list(Chance().removed(walked.account).values()), axis=0)
        chips[0].append(walked.money)
        chips[1].append(walked.money - taken)
    for name, parts in zip(covered, chips, strict=True):
        for values in np.split(np.concatenate(parts), MATCHES):
            low, high = estimate(values, unit="chips/h", method=name).ci95 or (0.0, 0.0)
            covered[name] += low <= 0 <= high
    assert 0.94 <= covered["chance"] / MATCHES <= 0.96
    assert 0.93 <= covered["money"] / MATCHES <= 0.97
