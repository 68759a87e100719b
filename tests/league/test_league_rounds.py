"""One round of a season: the same however many hands are played side by side, and counted agent by agent."""

import numpy as np
import pytest

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.dice import Dice
from luckless.bots.mix_bot import MixBot
from luckless.bots.python_bot import bot_of
from luckless.league import rounds
from luckless.rules.game import Game
from luckless.rules.records import Records
from luckless.rules.views import View

GAME = Game.load("nolimit-6max")
RANDOM, CALL, WRONG = 3, 5, 9


class Wrong:
    """Never gives an answer that is an action."""

    def decide(self, view: View, dice: Dice) -> str:
        return "all of it"


def simple(name: str) -> Bot:
    bot = load_bot(name)
    assert not isinstance(bot, MixBot)
    return bot


BOTS: dict[int, Bot] = {RANDOM: simple("random"), CALL: simple("call"), WRONG: bot_of(Wrong())}


def test_hands_at_once_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    line_up = (CALL, RANDOM, RANDOM, CALL, RANDOM, RANDOM)
    whole = rounds.play_round(GAME, line_up, BOTS, 30, seed=8)
    monkeypatch.setattr(rounds, "HANDS_AT_ONCE", 7)
    pieces = rounds.play_round(GAME, line_up, BOTS, 30, seed=8)
    assert [len(chunk.streets) for chunk in pieces.chunks] == [7, 7, 7, 7, 2]
    assert pieces.entrants == whole.entrants
    np.testing.assert_allclose(pieces.flows, whole.flows)
    (chunk,) = whole.chunks
    together = Records.joined([piece.records for piece in pieces.chunks])
    assert together.decks.tobytes() == chunk.records.decks.tobytes()
    assert together.actions.tobytes() == chunk.records.actions.tobytes()
    assert len(np.unique(together.decks, axis=0)) == 30


def test_faults_belong_to_the_agent_that_made_them() -> None:
    called, wrong = rounds.play_round(GAME, (WRONG, CALL) * 3, BOTS, 20, seed=8).entrants
    assert (called.agent, called.seats, called.faults) == (CALL, 3, 0)
    assert (wrong.agent, wrong.seats, wrong.faults) == (WRONG, 3, sum(wrong.behaviour))
    assert wrong.faults > 20
