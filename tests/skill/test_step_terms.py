"""One hand told step by step: its steps add up to the walk of the whole hand, and other actions have a worth."""

import pytest

from luckless.bots.catalogue import load_bot
from luckless.cards import format_cards
from luckless.hands.equity import equity
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.skill.by_steps import walk_hands
from luckless.skill.step_terms import hand_terms, tried
from luckless.skill.verdict import Knowledge
from luckless.skill.walking import DEAL, OTHER_ACTIONS, OWN_ACTIONS


def hands_of(game: str, *bots: str, hands: int = 3) -> list[HandColumns]:
    players = [load_bot(bot) for bot in bots]
    match = Match.plan(Game.load(game), players, hands=hands, seed=5, decks="fresh", sealed=True)
    chunks = [chunk.hands for chunk in match.chunks()]
    return [chunk.rows(slice(row, row + 1)) for chunk in chunks for row in range(len(chunk))]


@pytest.mark.parametrize(
    ("game", "bots", "known"),
    [("nolimit-hu", ("call", "uniform"), True), ("nolimit-3max", ("call", "uniform", "raise"), False)],
)
def test_steps_add_up_to_the_walk(game: str, bots: tuple[str, ...], known: bool) -> None:
    knowledge = Knowledge({"uniform": load_bot("uniform")} if known else {})
    for hand in hands_of(game, *bots):
        told, account = hand_terms(hand, 0, knowledge), walk_hands(hand, 0, knowledge, known).account
        assert told.start == pytest.approx(account.start[0])
        assert told.deal == pytest.approx(account.luck[0, DEAL])
        assert sum(step.gain for step in told.steps) == pytest.approx(account.gains.sum(), abs=1e-6)
        coins = account.luck[0, OWN_ACTIONS] + account.luck[0, OTHER_ACTIONS]
        assert sum(step.coin for step in told.steps) == pytest.approx(coins, abs=1e-6)
        for street in range(3):
            luck = sum(step.cards[street] for step in told.steps)
            assert luck == pytest.approx(account.luck[0, DEAL + 1 + street], abs=1e-6)


def test_a_fold_loses_what_was_paid_and_an_all_in_against_call_is_worth_its_equity() -> None:
    """Against a bot that always calls, the worth of an all-in follows from equities alone."""
    knowledge = Knowledge({"call": load_bot("call")})
    hand = next(one for one in hands_of("nolimit-hu", "raise", "call", hands=8) if one.players[0, 1] == 0)
    fold, shove = tried(hand, 0, knowledge, 0, [-1, 20_000])
    own = format_cards(hand.records.decks[0, 2:4].tolist())
    share = equity([own, "??"], samples=40_000).equity[0]
    terms = hand_terms(hand, 0, knowledge)
    now = terms.start + terms.deal
    assert now + fold == pytest.approx(-50, abs=1e-6)
    assert now + shove == pytest.approx(40_000 * share - 20_000, abs=400)
