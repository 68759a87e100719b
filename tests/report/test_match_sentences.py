"""The sentences under a match: empty seats, the best of several, and what a test that ended it leaves to say."""

import pytest

from luckless.bots.catalogue import load_bot
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.matches.settings import MatchSettings
from luckless.report.match_report import conclusion, notes, settings
from luckless.rules.game import Game
from luckless.stats.sequential import SequentialTest

SIX = Game.load("nolimit-6max")


@pytest.mark.parametrize(
    ("seed", "alone", "corrected", "words"),
    [
        (1, False, False, "but the interval holds zero: it may be luck."),
        (15, True, False, "but the best of 6 often is: with the bound corrected for that, it may be luck."),
        (16, True, True, "luck alone does not explain it, even for the best of 6 (95 % bound corrected for that: +"),
    ],
)
def test_the_leader_of_six_equal_bots(seed: int, alone: bool, corrected: bool, words: str) -> None:
    """Seed 16 is one of the few matches in twenty where the corrected bound errs too."""
    result = play_match(Match.plan(SIX, [load_bot("call")] * 6, hands=300, seed=seed, decks="fresh"))
    rate, low = result.estimate(result.leader), result.leader_low
    assert rate.ci95 is not None
    assert low is not None
    assert (rate.ci95[0] > 0, low > 0) == (alone, corrected)
    assert words in conclusion(result)
    assert result.to_dict()["leader"] == {"name": "call", "low95_mbb": low}


def test_empty_seats_are_told() -> None:
    result = play_match(Match.plan(SIX, [load_bot("call"), load_bot("fold")], hands=20, seed=1))
    assert (result.to_dict()["seats"], result.to_dict()["table_seats"]) == (2, 6)
    assert "2 of 6 seats" in dict(settings(result))["game"]
    again = MatchSettings.from_dict(result.match.to_dict())
    assert again.seats_text == "2 of 6 seats"
    full = play_match(Match.plan(SIX, [load_bot("call")] * 6, hands=6, seed=1))
    assert (full.to_dict()["seats"], full.match.seats_text) == (6, "6 seats")
    assert "table_seats" not in full.match.to_dict()


@pytest.mark.parametrize(("hands", "decided"), [(40_000, True), (200, False)])
def test_a_match_that_a_test_ended_gives_the_decision_and_a_warning(hands: int, decided: bool) -> None:
    match = Match.plan(Game.load("nolimit-hu"), [load_bot("call"), load_bot("random")], hands=hands, seed=1)
    result = play_match(match, sequential=SequentialTest(at_most=0, at_least=500, largest=400_000))
    assert result.decided == decided
    said = "rather than at most 0 (sequential test, error rates 5 % and 5 %)." in conclusion(result)
    warned = ["of fixed length" in " ".join(lines) for lines in (result.to_dict()["warnings"], notes(result))]
    assert (said, *warned) == (decided,) * 3
