"""A judgement as a file: it loads as it was made, and is refused when it is damaged or its hands have changed."""

from pathlib import Path

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.divat.continuations import Valuation
from luckless.divat.judgement import Judgement, judge
from luckless.divat.judgement_file import load_judgement, save_judgement
from luckless.divat.settings import BET_STYLES, STANDARD
from luckless.errors import InputError
from luckless.matches.match import Match
from luckless.report.divat_report import divat_report
from luckless.rules.game import Game


@pytest.fixture(scope="module")
def judged() -> Judgement:
    """A duplicate match judged by all-in equity, under settings of its own."""
    match = Match.plan(Game.load("limit-hu"), [load_bot("random"), load_bot("call")], hands=60, seed=2)
    settings = STANDARD.with_bets(next(iter(BET_STYLES)))
    return judge([chunk.hands for chunk in match.chunks()], Valuation(settings, "aie"))


def test_a_judgement_loads_as_it_was_made(judged: Judgement, tmp_path: Path) -> None:
    save_judgement(judged, tmp_path / "j.parquet", "digest")
    loaded = load_judgement(tmp_path / "j.parquet", "digest")
    assert loaded.valuation == judged.valuation
    assert (loaded.player, loaded.opponent, loaded.unknown_as) == (judged.player, judged.opponent, "leave")
    assert loaded.played.sources == judged.played.sources
    for name in ("seats", "decks", "lines", "money", "logs", "deals", "numbers"):
        ours, theirs = getattr(judged.played, name), getattr(loaded.played, name)
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs)
    for one, other in ((judged.values, loaded.values), (judged.streets, loaded.streets)):
        assert list(one) == list(other)
        assert all(np.array_equal(one[name], other[name], equal_nan=True) for name in one)
    assert np.array_equal(judged.pairs, loaded.pairs)
    assert len(judged.pairs) == 30
    assert loaded.to_dict() == judged.to_dict()
    assert divat_report(loaded, None) == divat_report(judged, None)
    assert [path.name for path in tmp_path.iterdir()] == ["j.parquet"]


def test_other_hands_and_damage_are_refused(judged: Judgement, tmp_path: Path) -> None:
    path = tmp_path / "j.parquet"
    save_judgement(judged, path, "digest")
    with pytest.raises(InputError, match="the hands have changed since they were judged"):
        load_judgement(path, "another")
    sound = path.read_bytes()
    for place in (10, len(sound) // 3, len(sound) // 2):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 4]) + sound[place + 1 :])
        with pytest.raises(InputError, match=r"j\.parquet: (the judgement is damaged|not a judgement)"):
            load_judgement(path)
    path.write_bytes(b"no Parquet")
    with pytest.raises(InputError, match="the judgement is damaged"):
        load_judgement(path)
