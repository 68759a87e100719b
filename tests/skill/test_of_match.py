"""Luck taken out of a match whose bots are at hand, and matches that adjusted values end."""

from pathlib import Path

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.histories.match_writer import play_stored
from luckless.histories.session_writer import play_stored_sessions
from luckless.histories.store import StoredHands
from luckless.matches.match import Match
from luckless.matches.playing import Chunk
from luckless.matches.result import play_match
from luckless.matches.session import Sessions, play_sessions
from luckless.matches.session_result import SessionResult, session_rate
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.skill.of_match import AdjustedSets, adjust, adjust_sessions, policies_of
from luckless.skill.registry import judge_hands
from luckless.skill.stored_policies import stored_policies
from luckless.skill.verdict import Knowledge
from luckless.stats.asymptotic import AsymptoticTest
from luckless.stats.stopping import Decision

SECRETIVE = '''
class Secretive:
    """Rolls dice and does not say how."""

    def decide(self, view, dice):
        return 0 if dice.random() < 0.5 else 0
'''


def planned(*bots: str, hands: int = 40, game: str = "limit-hu") -> Match:
    return Match.plan(Game.load(game), [load_bot(bot) for bot in bots], hands=hands, seed=7)


def played(match: Match) -> list[Chunk]:
    chunks: list[Chunk] = []
    play_match(match, on_chunk=chunks.append)
    return chunks


def test_bots_that_can_state_their_policy_are_known(tmp_path: Path) -> None:
    file = tmp_path / "secretive.py"
    file.write_text(SECRETIVE)
    match = planned(f"{file}:Secretive", "call")
    chunk = played(match)[0]
    assert set(policies_of(match, chunk.hands)) == {"call"}
    twice = planned("call", "call")
    assert set(policies_of(twice, played(twice)[0].hands)) == {"call #1", "call #2"}


def test_heads_up_one_wins_what_the_other_loses() -> None:
    match = planned("uniform", "call", hands=20, game="nolimit-hu")
    verdict = adjust(match, [chunk.hands for chunk in played(match)])
    first, second = (player.adjusted for player in verdict.players)
    assert first.mean == pytest.approx(-second.mean)
    assert first.stderr == pytest.approx(second.stderr)
    assert first.samples == 10  # duplicate sets of two hands


def test_sets_are_what_a_verdict_is_made_of() -> None:
    match = planned("uniform", "call", hands=20, game="nolimit-hu")
    chunks = played(match)
    of_sets = AdjustedSets(match)
    by_set = np.concatenate([of_sets(chunk) for chunk in chunks])
    verdict = adjust(match, [chunk.hands for chunk in chunks])
    assert verdict.by == "aivat"
    assert len(by_set) == 10
    assert by_set.mean() == pytest.approx(verdict.players[0].adjusted.mean)


def test_a_match_ends_at_the_set_that_decides_whatever_is_judged(tmp_path: Path) -> None:
    """Values of our own stand for adjusted ones: the test needs 1,000 sets, and hands that cost nothing."""
    match = planned("fold", "call", hands=8_000)
    asked: list[int] = []

    def judged(chunk: Chunk) -> np.ndarray:
        asked.append(len(chunk))
        sets = np.arange(chunk.first // 2, (chunk.first + len(chunk)) // 2)
        return 100.0 + np.where(sets % 2, 50.0, -50.0)

    def test_of() -> AsymptoticTest:
        return AsymptoticTest(at_most=0, at_least=50)

    result = play_stored(match, tmp_path / "m", sequential=test_of(), judged_sets=judged)
    assert result.sequential is not None
    assert result.sequential.decision is Decision.AT_LEAST
    assert result.hands == 2 * result.sequential.sets == 2_000
    assert max(asked) <= 500
    assert result.to_dict()["sequential"]["kind"] == "asymptotic"
    stored = StoredHands.open(tmp_path / "m")
    assert (stored.hands, stored.finished) == (2_000, True)
    assert stored.settings["record"]["sequential"] is None
    again = play_stored(match, tmp_path / "m", sequential=test_of(), judged_sets=judged)
    assert (again.hands, again.tally.to_dict()) == (result.hands, result.tally.to_dict())


def played_sessions(*bots: str, games: int) -> tuple[Sessions, SessionResult, list[HandColumns]]:
    sessions = Sessions.plan([load_bot(bot) for bot in bots], games=games, rounds=8, stack=400, seed=3)
    hands: list[HandColumns] = []
    result = play_sessions(sessions, on_block=lambda block: hands.append(block.hands) if block.hands else None)
    return sessions, result, hands


def test_sessions_are_judged_hand_by_hand_and_summed_up() -> None:
    sessions, result, hands = played_sessions("value-bet", "uniform", games=25)
    verdict = adjust_sessions(sessions, result, hands)
    first, second = verdict.players
    assert verdict.by == "aivat"
    assert first.hands == result.rounds.sum() == sum(map(len, hands))
    assert (first.money.samples, first.money.hands) == (25, first.hands)
    won = result.chips[:, 0] - 400
    assert first.money.mean == pytest.approx(won.sum() / first.hands * 1000 / 10)
    assert first.adjusted.mean == pytest.approx(-second.adjusted.mean)
    judged = judge_hands(hands, "aivat", Knowledge(policies_of(sessions, hands[0])))
    assert first.adjusted.mean == pytest.approx(judged.players[0].adjusted.mean)


def test_sessions_of_three_are_judged_too() -> None:
    sessions, result, hands = played_sessions("pot-odds", "value-bet", "call", games=6)
    verdict = adjust_sessions(sessions, result, hands)
    assert [player.name for player in verdict.players] == ["pot-odds", "value-bet", "call"]
    assert sum(player.money.mean for player in verdict.players) == pytest.approx(0, abs=1e-9)


def test_the_rate_of_sessions_is_that_of_all_hands_and_its_interval_covers() -> None:
    """2,000 runs of 50 sessions with lengths that hang together with the results: 94 to 96 % of the intervals hold
    the true rate. A wrong share of 93 % would be found nine times of ten."""
    random = np.random.default_rng(5)
    game = Game.load("nolimit-hu")
    rounds = random.integers(2, 20, (2_000, 50))
    won = 300.0 * rounds + random.normal(0, 100, rounds.shape) * rounds
    covered = 0
    for chips, lengths in zip(won, rounds, strict=True):
        rate = session_rate(chips, lengths, game)
        assert rate.mean == pytest.approx(chips.sum() / lengths.sum() * 10)
        low, high = rate.ci95 or (0.0, 0.0)
        covered += low <= 3_000 <= high
    assert 0.94 <= covered / 2_000 <= 0.96


def test_bots_of_stored_sessions_are_known(tmp_path: Path) -> None:
    sessions = Sessions.plan([load_bot("call"), load_bot("uniform")], games=3, rounds=4, seed=3)
    play_stored_sessions(sessions, tmp_path / "sessions")
    assert set(stored_policies([tmp_path / "sessions"])) == {"call", "uniform"}
