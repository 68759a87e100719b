"""Whole hands of every named game as text: replayed on each engine, the text must come out the same."""

import pytest

from engines import Engine
from golden_hands import GOLDEN, playthrough, recorded
from luckless.rules.game import Game
from luckless.rules.game_files import game_names

pytestmark = pytest.mark.interpreted


@pytest.mark.parametrize("name", game_names())
def test_golden_playthrough(engine: Engine, name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    assert path.exists(), f"game {name} has no playthrough: python tests/support/golden_hands.py writes it"
    text = path.read_text(encoding="utf-8")
    assert playthrough(engine, Game.load(name), recorded(text)) == text


def test_no_playthrough_is_left_of_a_game_that_is_gone() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == game_names()
