"""What a match counts as it goes and says at its end, against a plain count of its hands one by one."""

import json
from typing import Any

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.matches import match as matches
from luckless.matches import tally
from luckless.matches.match import Match
from luckless.matches.parts import ending_rate, seat_rate
from luckless.matches.result import MatchResult, play_match
from luckless.rules.game import Game
from luckless.stats.estimate import estimate


def size_class(chips: int, big_blind: int) -> int:
    """The class of a result: nothing in the middle, then up to half a big blind, up to one, ...; losses mirrored."""
    edges = tally.RESULT_EDGES_BB
    size = next((place for place, edge in enumerate(edges) if abs(chips) <= edge * big_blind), len(edges))
    return len(edges) + (size if chips > 0 else -size)


def test_a_tally_is_the_plain_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """105 sets in chunks of seven, and a point of the line every ten: most lie inside a chunk."""
    monkeypatch.setattr(matches, "COMPILED_CHUNK", 42)
    monkeypatch.setattr(tally, "LINE_POINTS", 10)
    game = Game.load("nolimit-3max")
    match = Match.plan(game, [load_bot(name) for name in ("random", "all-in", "fold")], hands=630, seed=4)
    chunks = list(match.chunks(workers=2))
    assert [len(chunk.streets) for chunk in chunks] == [42] * 15
    found = play_match(match, workers=2).tally

    seat_chips, ending_chips, sizes = (
        np.zeros_like(part) for part in (found.seat_chips, found.ending_chips, found.result_hands)
    )
    seat_sets, ending_sets = np.zeros((105, 3, 3)), np.zeros((105, 3, 5))
    endings, totals = [0] * 5, [0, 0, 0]
    line: list[tuple[int, tuple[int, ...]]] = [(0, (0, 0, 0))]
    hands = 0
    for chunk in chunks:
        for row, ending in enumerate(chunk.streets.tolist()):
            hands += 1
            endings[ending] += 1
            for seat, player in enumerate(chunk.hands.players[row].tolist()):
                chips = int(chunk.records.payoffs[row, seat])
                totals[player] += chips
                seat_chips[player, seat] += chips
                ending_chips[player, ending] += chips
                seat_sets[(hands - 1) // 6, player, seat] += chips
                ending_sets[(hands - 1) // 6, player, ending] += chips
                sizes[player, size_class(chips, game.big_blind)] += 1
            if hands % 60 == 0:
                line.append((hands, tuple(totals)))
    assert found.line == line
    assert found.net_chips.tolist() == totals
    assert found.ending_hands.tolist() == endings
    np.testing.assert_array_equal(found.seat_chips, seat_chips)
    np.testing.assert_array_equal(found.seat_hands, 210)
    np.testing.assert_array_equal(found.ending_chips, ending_chips)
    np.testing.assert_array_equal(found.result_hands, sizes)
    np.testing.assert_array_equal(found.seat_squares, np.square(seat_sets).sum(axis=0))
    np.testing.assert_array_equal(found.ending_squares, np.square(ending_sets).sum(axis=0))
    assert sizes[2, len(tally.RESULT_EDGES_BB) - 2] > 0  # who folds loses a whole big blind, the end of a class


def test_a_result_says_what_its_hands_say() -> None:
    """The sample of the win rate is the duplicate set, and `sd_bb` is the spread of one hand."""
    match = Match.plan(Game.load("nolimit-hu"), [load_bot("random"), load_bot("call")], hands=600, seed=2)
    result = play_match(match)
    hands = np.concatenate([chunk.records.payoffs[chunk.hands.players == 0] for chunk in match.chunks()])
    sets_mbb = hands.reshape(300, 2).mean(axis=1) * 1000 / match.game.big_blind
    said = result.to_dict()["bots"][0]
    assert said["net_chips"] == hands.sum() != 0
    assert said["mbb"] == pytest.approx(sets_mbb.mean())
    assert said["bb100"] == pytest.approx(sets_mbb.mean() / 10)
    assert said["stderr_mbb"] == pytest.approx(sets_mbb.std(ddof=1) / np.sqrt(300))
    assert said["sd_bb"] == pytest.approx(hands.std(ddof=1) / match.game.big_blind)
    assert (said["samples"], result.estimate(0).hands, result.of_hands(0).hands) == (300, 600, 600)


@pytest.mark.parametrize("decks", ["duplicate", "fresh"])
def test_parts_of_a_win_rate_have_the_interval_of_their_samples(decks: Any) -> None:
    """By seat the sample is a set's hands in that seat, or the hand; by ending a set's hands that ended so."""
    match = Match.plan(Game.load("nolimit-3max"), [load_bot(name) for name in ("random", "call", "fold")],
                       hands=600, seed=2, decks=decks)  # fmt: skip
    result = play_match(match)
    chunks = list(match.chunks())
    players = np.concatenate([chunk.hands.players for chunk in chunks])
    payoffs = np.concatenate([chunk.records.payoffs for chunk in chunks]).astype(float)
    streets = np.concatenate([chunk.streets for chunk in chunks])
    size, scale = match.set_size, 1000 / match.game.big_blind
    for player in range(3):
        for seat in range(3):
            here = payoffs[players[:, seat] == player, seat] * scale
            samples = here.reshape(-1, 2).mean(axis=1) if decks == "duplicate" else here
            expected = estimate(samples, unit="mbb/h", method="money")
            found = seat_rate(result, player, seat)
            assert (found.samples, found.hands) == (len(samples), len(here))
            assert found.mean == pytest.approx(expected.mean)
            assert found.ci95 == pytest.approx(expected.ci95)
        won = payoffs[players == player] * scale
        for ending in range(5):
            expected = estimate(
                (won * (streets == ending)).reshape(-1, size).mean(axis=1), unit="mbb/h", method="money"
            )
            found = ending_rate(result, player, ending)
            assert found.mean == pytest.approx(expected.mean)
            assert found.ci95 == pytest.approx(expected.ci95)


def test_a_result_of_an_older_store_has_parts_without_intervals() -> None:
    match = Match.plan(Game.load("nolimit-hu"), [load_bot("random"), load_bot("call")], hands=200, seed=2)
    played = play_match(match)
    record = json.loads(json.dumps(played.to_record()))
    same = MatchResult.from_record(played.match, record)
    assert seat_rate(same, 0, 0) == seat_rate(played, 0, 0)
    del record["tally"]["seat_squares"], record["tally"]["ending_squares"]
    older = MatchResult.from_record(played.match, record)
    assert seat_rate(older, 0, 0).mean == seat_rate(played, 0, 0).mean
    assert seat_rate(older, 0, 0).ci95 is ending_rate(older, 1, 4).ci95 is None
    assert "seat_squares" not in older.to_record()["tally"]
