"""Every shipped bot with eyes for its cards plays the same hands in the loop, asked in batches, and as its twin."""

from typing import Any

import numpy as np
import pytest

from bot_twins import Deciding, OddsTwin, SklanskyTwin, ValueBetTwin, random_action
from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.python_bot import bot_of
from luckless.bots.registry import ENTRIES
from luckless.matches.match import Match
from luckless.rules.game import Game
from luckless.rules.records import Records

SAMPLES = 15
SIMULATED = f"win=simulate,samples={SAMPLES}"
LIMIT_BETS = (10, 10, 20, 20)


def play(game: str, players: list[Bot], hands: int) -> Records:
    match = Match.plan(Game.load(game), players, hands=hands, seed=11)
    return Records.joined([chunk.records for chunk in match.chunks()])


def assert_same(first: Records, second: Records) -> None:
    np.testing.assert_array_equal(first.ends, second.ends)
    np.testing.assert_array_equal(first.actions, second.actions)
    np.testing.assert_array_equal(first.payoffs, second.payoffs)


HEADS_UP: list[tuple[str, Any]] = [
    ("threshold", OddsTwin("threshold")),
    ("threshold:at=0.35", OddsTwin("threshold", at=0.35)),
    ("threshold:fold=free", OddsTwin("threshold", folds_free=True)),
    ("pot-odds-call", OddsTwin("call")),
    ("pot-odds-raise", OddsTwin("raise")),
    ("pot-odds", OddsTwin("above")),
    ("pot-odds:risk=0.3", OddsTwin("above", risk=0.3)),
    ("pot-odds-mixed", OddsTwin("mixed", risk=0.05)),
    (f"pot-odds-mixed:{SIMULATED}", OddsTwin("mixed", risk=0.05, simulate=True, samples=SAMPLES)),
    ("sklansky", SklanskyTwin()),
    ("sklansky:group=9,raised=9", SklanskyTwin(9, 9)),
]


@pytest.mark.parametrize("game", ["nolimit-hu", "limit-hu"])
@pytest.mark.parametrize(("text", "twin"), HEADS_UP, ids=[text for text, _ in HEADS_UP])
def test_heads_up_twins(text: str, twin: Any, game: str) -> None:
    alone = play(game, [load_bot(text), load_bot("random")], 240)
    assert_same(alone, play(game, [load_bot(text), bot_of(Deciding(random_action))], 240))
    assert_same(alone, play(game, [bot_of(twin), load_bot("random")], 240))
    to_the_end = play(game, [load_bot(text), load_bot("call")], 60)
    assert_same(to_the_end, play(game, [bot_of(twin), load_bot("call")], 60))


@pytest.mark.parametrize(("game", "bets"), [("nolimit-hu", ()), ("limit-hu", LIMIT_BETS), ("river-hu", ())])
def test_value_bet_twin(game: str, bets: tuple[int, ...]) -> None:
    """Against `raise` too, so that the later bets of a street come up."""
    for opponent in ("random", "raise", "value-bet"):
        alone = play(game, [load_bot("value-bet"), load_bot(opponent)], 200)
        assert_same(alone, play(game, [bot_of(ValueBetTwin(bets)), load_bot(opponent)], 200))


FEW: list[tuple[str, str, Any]] = [
    ("nolimit-hu", f"threshold:{SIMULATED}", OddsTwin("threshold", simulate=True, samples=SAMPLES)),
    ("limit-hu", f"pot-odds:{SIMULATED}", OddsTwin("above", simulate=True, samples=SAMPLES)),
    ("nolimit-hu", f"pot-odds-mixed:{SIMULATED}", OddsTwin("mixed", risk=0.05, simulate=True, samples=SAMPLES)),
    ("nolimit-3max", f"sklansky:samples={SAMPLES}", SklanskyTwin(samples=SAMPLES)),
    ("river-hu", "value-bet", ValueBetTwin()),
]


@pytest.mark.interpreted
@pytest.mark.parametrize(("game", "text", "twin"), FEW, ids=[text for _, text, _ in FEW])
def test_twins_in_a_few_hands(game: str, text: str, twin: Any) -> None:
    """So few that they are also played without compilation."""
    others = [load_bot("random")] * (Game.load(game).seats - 1)
    assert_same(play(game, [load_bot(text), *others], 12), play(game, [bot_of(twin), *others], 12))


SEVERAL: list[tuple[str, Any]] = [
    (f"threshold:samples={SAMPLES},at=0.2", OddsTwin("threshold", at=0.2, samples=SAMPLES)),
    (f"pot-odds:samples={SAMPLES}", OddsTwin("above", samples=SAMPLES)),
    (f"pot-odds-mixed:samples={SAMPLES}", OddsTwin("mixed", risk=0.05, samples=SAMPLES)),
    (f"sklansky:samples={SAMPLES}", SklanskyTwin(samples=SAMPLES)),
    ("value-bet", ValueBetTwin()),
]


@pytest.mark.parametrize(("text", "twin"), SEVERAL, ids=[text for text, _ in SEVERAL])
def test_twins_among_several(text: str, twin: Any) -> None:
    others = [load_bot("call"), load_bot("random"), load_bot("call")]
    alone = play("nolimit-6max", [load_bot(text), *others], 120)
    asked = [bot_of(Deciding(random_action)) if bot.name == "random" else bot for bot in others]
    assert_same(alone, play("nolimit-6max", [load_bot(text), *asked], 120))
    assert_same(alone, play("nolimit-6max", [bot_of(twin), *others], 120))


def test_every_bot_with_cards_has_a_twin() -> None:
    tested = {text.partition(":")[0] for text, _ in (*HEADS_UP, *SEVERAL)}
    assert {entry.name for entry in ENTRIES if entry.uses_cards} == tested
