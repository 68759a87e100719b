"""Intervals of adjusted win rates cover the true value as often as they say."""

import numpy as np
import pytest
from numpy.typing import NDArray

import luckless as lk
from luckless.matches.match import Match
from luckless.rules.game import Game
from luckless.skill.by_steps import Aivat, Chance, walk_hands
from luckless.skill.verdict import Knowledge
from luckless.stats.estimate import estimate


def misses(game: str, matches: int, hands: int, by: str = "chance") -> dict[str, NDArray[np.float64]]:
    """How far the truth is from the mean of each of so many matches, in halves of its interval: by money and by an
    estimator. The self-play of a bot is worth 0 to it, over both seats in turn."""
    players = [lk.bot("value-bet", str(place)) for place in range(2)]
    match = Match.plan(Game.load(game), players, hands=matches * hands, seed=31, decks="fresh")
    chips: dict[str, list[NDArray[np.float64]]] = {"money": [], by: []}
    estimator, policies = (Chance(), {}) if by == "chance" else (Aivat(), {"0": players[0]})
    for chunk in match.chunks():
        walked = walk_hands(chunk.hands, 0, Knowledge(policies), vary=bool(policies))
        taken = np.sum(list(estimator.removed(walked.account).values()), axis=0)
        chips["money"].append(walked.money)
        chips[by].append(walked.money - taken)
    found = {}
    for name, parts in chips.items():
        rates = [estimate(one, unit="chips/h", method=name) for one in np.split(np.concatenate(parts), matches)]
        ends = np.array([rate.ci95 or (0.0, 0.0) for rate in rates])
        found[name] = np.abs(ends.sum(axis=1)) / (ends[:, 1] - ends[:, 0])
    return found


def test_intervals_of_two_hundred_matches_cover_the_truth() -> None:
    """If 95 % hold the truth, fewer than 90.5 % or more than 98.5 % do so in one seed of 200. Intervals of three
    quarters of the width cover about 86 %: of those this finds 19 of 20, and these here."""
    off = misses("limit-hu", 200, 100)["chance"]
    assert 0.905 <= (off <= 1).mean() <= 0.985
    assert (off <= 0.75).mean() < 0.905


@pytest.mark.slow
@pytest.mark.parametrize(("game", "hands"), [("limit-hu", 250), ("nolimit-hu", 600)])
def test_intervals_of_two_thousand_matches_cover_the_truth(game: str, hands: int) -> None:
    """In no-limit few hands decide a short match: with 250 hands intervals cover more than they should."""
    off = misses(game, 2000, hands)
    assert 0.94 <= (off["chance"] <= 1).mean() <= 0.96
    assert 0.93 <= (off["money"] <= 1).mean() <= 0.97


@pytest.mark.slow
def test_intervals_of_aivat_cover_the_truth() -> None:
    """Of 500 matches 92 % to 98 % in all but one of 500 seeds, if 95 % cover the truth."""
    off = misses("limit-hu", 500, 60, "aivat")["aivat"]
    assert 0.92 <= (off <= 1).mean() <= 0.98
