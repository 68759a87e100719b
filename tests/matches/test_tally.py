"""What a match counts as it goes and says at its end, against a plain count of its hands one by one."""

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.matches import match as matches
from luckless.matches import tally
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.rules.game import Game


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
