"""The compiled replay against a slow twin on the plain engine: every step, every end, every problem."""

import dataclasses

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.bots.lineup import Lineup
from luckless.matches.match import Match
from luckless.matches.playing import Playing
from luckless.rules.game import Game
from luckless.rules.plain import PlainHand
from luckless.rules.records import UNKNOWN, Records
from luckless.rules.replaying import CARD_TWICE, ILLEGAL, NO_CARD, SOUND, UNFINISHED, replay

HANDS = 300


def played(name: str) -> Records:
    game = Game.load(name)
    bots = [load_bot("random")] * game.seats
    match = Match.plan(game, bots, hands=HANDS, seed=3, decks="fresh")
    playing = Playing(game, Lineup.of(bots), match.keys)
    with playing:
        return playing.play(match.seated(0, HANDS)).records


@pytest.mark.parametrize("name", ["nolimit-6max", "limit-hu"])
def test_a_replay_is_what_the_plain_engine_plays(name: str) -> None:
    records = played(name)
    steps, ends = replay(records)
    at = 0
    for row in range(HANDS):
        hand = PlainHand(records.game, records.decks[row].tolist(), records.stacks[row].tolist())
        for action in records.actions_of(row).tolist():
            seat, pot = hand.actor, hand.pot
            assert seat is not None
            assert (steps.seat[at], steps.street[at], steps.pot[at]) == (seat, hand.street, pot)
            assert steps.to_call[at] == hand.legal().call
            behind = hand.stacks[seat]
            chips = hand.do(action).chips
            assert (steps.chips[at], steps.behind[at]) == (chips, behind - chips)
            at += 1
        assert (ends.problem[row], ends.settled[row]) == (SOUND, 1)
        assert tuple(ends.payoffs[row].tolist()) == hand.payoffs == tuple(records.payoffs[row].tolist())
    assert at == len(records.actions)


def test_every_problem_is_named_and_costs_its_own_hand_only() -> None:
    whole = played("nolimit-6max")
    long = np.flatnonzero(np.diff(whole.ends, prepend=0) >= 8)
    illegal, twice, no_card, hidden = long[1:5].tolist()  # not the first hand: another lies before it
    unfinished = HANDS - 1
    decks, actions, ends = whole.decks.copy(), whole.actions.copy(), whole.ends.copy()
    actions[ends[illegal - 1] + 2] = 10**6
    decks[twice, 1] = decks[twice, 0]
    decks[no_card, 0] = 52
    decks[hidden] = UNKNOWN
    ends[-1] -= 1
    records = dataclasses.replace(whole, decks=decks, actions=actions[:-1], ends=ends)
    found = replay(records).ends
    expected = np.full(HANDS, SOUND)
    expected[[illegal, twice, no_card, unfinished]] = ILLEGAL, CARD_TWICE, NO_CARD, UNFINISHED
    np.testing.assert_array_equal(found.problem, expected)
    assert found.at[illegal] == 2
    sound = (expected == SOUND) & (np.arange(HANDS) != hidden)
    np.testing.assert_array_equal(found.payoffs[sound], whole.payoffs[sound])
    np.testing.assert_array_equal(found.settled[sound], 1)
    assert found.settled[hidden] == (found.showdown[hidden] == 0)
