"""What known policies do is asked only for hands that can still be held, and nothing is lost by it."""

from typing import Any

import numpy as np
import pytest

import luckless as lk
from luckless.bots.bot import Bot
from luckless.matches.match import Match
from luckless.rules.columns import join
from luckless.rules.game import Game
from luckless.rules.views import Views
from luckless.skill.by_steps import words_of
from luckless.skill.policies import known_policies
from luckless.skill.shipped_values import shipped_values
from luckless.skill.walking import Question, new_account


@pytest.mark.parametrize(
    ("game", "specs", "decks"),
    [
        ("limit-hu", ["mix:value-bet=3,call=1", "threshold"], "duplicate"),
        ("nolimit-hu", ["blueprint", "value-bet"], "fresh"),
        ("nolimit-6max", ["value-bet"] * 6, "fresh"),
    ],
)
def test_hands_that_cannot_be_held_change_nothing(game: str, specs: list[str], decks: Any) -> None:
    bots = [lk.bot(spec, str(place)) for place, spec in enumerate(specs)]
    match = Match.plan(Game.load(game), bots, hands=24, seed=3, decks=decks)
    hands = join([chunk.hands for chunk in match.chunks()])
    seats = np.argmax(hands.players == 0, axis=1)
    accounts = []
    for every_hand in (False, True):
        known = known_policies(hands, seats, {"0": bots[0]}, every_hand)
        account = new_account(len(hands))
        question = Question(seats, seats, words_of(hands.keys))
        shipped_values().account(hands, question, known, {"0": bots[0]}, account)
        accounts.append(account)
    for column, same in zip(*accounts, strict=True):
        assert column == pytest.approx(same, abs=1e-9)
    assert (accounts[0].forbidden == -1).all()


def test_few_hands_are_asked_about_after_bets(monkeypatch: pytest.MonkeyPatch) -> None:
    bots: list[Bot] = [lk.bot("value-bet", str(place)) for place in range(2)]
    match = Match.plan(Game.load("nolimit-hu"), bots, hands=40, seed=3, decks="fresh")
    hands = join([chunk.hands for chunk in match.chunks()])
    seats = np.argmax(hands.players == 0, axis=1)
    asked: list[int] = []
    answer = type(bots[0]).probabilities

    def counted(bot: Bot, views: Views) -> object:
        asked.append(len(views))
        return answer(bot, views)

    monkeypatch.setattr(type(bots[0]), "probabilities", counted)
    totals = []
    for every_hand in (True, False):
        asked.clear()
        known_policies(hands, seats, {"0": bots[0]}, every_hand)
        totals.append(sum(asked))
    assert totals[1] < totals[0] / 2
