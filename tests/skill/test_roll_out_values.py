"""Values by roll-outs: terms add up, what is drawn knows nothing of what came, what is taken out is not biased."""

import numpy as np
import pytest
from numpy.typing import NDArray

import luckless as lk
from luckless.bots.bot import Bot
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from luckless.rules.state import PUBLIC
from luckless.skill.by_steps import Aivat, Chance, Walked, walk_hands
from luckless.skill.named_values import named_values
from luckless.skill.playing_out import FREE, NOT_DEALT, Jobs, draw_decks
from luckless.skill.registry import judge_hands
from luckless.skill.roll_out_values import RollOutValues
from luckless.skill.verdict import Knowledge
from luckless.skill.walking import LUCKS, OTHER_ACTIONS, OWN_ACTIONS, OWN_CARDS

STAYS, GIVES_UP = "mix:call=9,fold=1", "mix:call=1,fold=9"


def play(game: str, bots: list[str], hands: int) -> tuple[list[Bot], HandColumns]:
    players = [lk.bot(spec, str(place)) for place, spec in enumerate(bots)]
    match = Match.plan(Game.load(game), players, hands=hands, seed=9, decks="fresh")
    return players, join([chunk.hands for chunk in match.chunks()])


def total(walked: Walked) -> NDArray[np.float64]:
    account = walked.account
    parts = (account.start, account.gains.sum(axis=(1, 2)), account.luck.sum(axis=1), account.rest)
    sums: NDArray[np.float64] = np.sum(parts, axis=0)
    return sums


def few(reference: str, samples: int = 6) -> RollOutValues:
    return RollOutValues("few", lk.bot(reference), samples)


@pytest.mark.parametrize(("game", "bots"), [("nolimit-hu", ["random", "call"]), ("nolimit-3max", ["random"] * 3)])
def test_terms_add_up_to_the_money_of_every_hand(game: str, bots: list[str]) -> None:
    players, hands = play(game, bots, 20)
    for known in (players[:0], players[:1], players):
        knowledge = Knowledge({bot.name: bot for bot in known}, few("uniform"))
        walked = walk_hands(hands, 0, knowledge, vary=bool(known))
        np.testing.assert_allclose(total(walked), walked.money, atol=1e-7)


def test_results_do_not_depend_on_the_chunks() -> None:
    players, hands = play("limit-hu", ["random", "call"], 80)
    knowledge = Knowledge({"0": players[0]}, few("call"))
    whole = walk_hands(hands, 0, knowledge, vary=True).account
    late = walk_hands(hands.rows(slice(70, 80)), 0, knowledge, vary=True).account
    np.testing.assert_array_equal(whole.luck[70:], late.luck)
    np.testing.assert_array_equal(whole.start[70:], late.start)


def test_who_plays_like_the_reference_changes_nothing() -> None:
    """Always-call in both seats: nothing is won by playing, and with one policy known only the start is left."""
    players, hands = play("limit-hu", ["call", "call"], 40)
    for known in ({}, {"0": players[0]}):
        account = walk_hands(hands, 0, Knowledge(known, few("call")), vary=bool(known)).account
        assert not account.gains.any()
        assert account.luck.any()


def test_what_is_taken_out_has_the_mean_zero() -> None:
    """The opponent is none of whom the values know; the same test finds a wrong policy out."""
    players, hands = play("limit-hu", [STAYS, GIVES_UP], 400)
    values = few("uniform", 4)
    right, wrong = {bot.name: bot for bot in players}, {bot.name: players[0] for bot in players}
    for known in ({}, {"0": players[0]}, {"1": players[1]}, right):
        luck = walk_hands(hands, 0, Knowledge(known, values), vary=bool(known)).account.luck
        for kind, taken in zip(LUCKS, luck.T, strict=True):
            assert abs(taken.mean()) <= 4 * taken.std() / np.sqrt(len(taken)), (kind, list(known))
        assert luck[:, OTHER_ACTIONS].any() == ("1" in known)
        assert luck[:, OWN_ACTIONS].any() == ("0" in known)
        assert luck[:, OWN_CARDS].any() == bool(known)
    exact = few("uniform", 48)  # with less noise the bias stands out in as many hands
    taken = walk_hands(hands, 0, Knowledge(wrong, exact), vary=True).account.luck[:, OTHER_ACTIONS]
    assert abs(taken.mean()) > 4 * taken.std() / np.sqrt(len(taken))


def test_decks_keep_what_lies_there_and_draw_the_rest() -> None:
    base = np.arange(9, dtype=np.uint8)[None]
    weights = np.where((PAIR_CARDS < 9).any(axis=1), 0.0, 1.0 + (PAIR_CARDS[:, 0] % 2))
    jobs = Jobs(
        np.zeros(3, PUBLIC),
        np.zeros(3, np.int64),
        np.array([3, 3, NOT_DEALT]),
        np.array([-1, 0, -1]),
        np.array([5, 6, 7], np.uint64),
        np.full(3, FREE),
        np.full(3, FREE),
    )
    samples = 3000
    decks, words = np.empty((3 * samples, 9), np.uint8), np.empty(3 * samples, np.uint64)
    draw_decks(base, np.array([1]), jobs, np.cumsum(weights)[None], decks, words)
    assert all(len(set(row)) == 9 for row in decks.tolist())
    assert decks.max() < 52
    plain, varied, fresh = decks.reshape(3, samples, 9)
    assert (plain[:, :7] == base[0, :7]).all()
    assert (varied[:, [0, 1, 4, 5, 6]] == base[0, [0, 1, 4, 5, 6]]).all()
    odd = (varied[:, 2:4].min(axis=1) % 2).mean()
    expected = weights[PAIR_CARDS[:, 0] % 2 == 1].sum() / weights.sum()
    assert odd == pytest.approx(expected, abs=2 / samples + 1e-3)  # even steps of weight: far closer than chance
    counts = np.bincount(fresh.reshape(-1), minlength=52)
    assert abs(counts - 9 * samples / 52).max() < 5 * np.sqrt(9 * samples / 52)
    assert len(np.unique(words)) == len(words)
    assert len(weights) == PAIRS


def test_values_are_named_and_told_apart() -> None:
    by_rules, by_blueprint = named_values("roll-outs"), named_values("blueprint")
    digests = {by_rules.digest, by_blueprint.digest, few("value-bet").digest, named_values("equity").digest}
    assert len(digests) == 4
    players, hands = play("limit-hu", ["call", "random"], 6)
    for by, known in (("chance", {}), ("aivat", {"0": players[0]})):
        verdict = judge_hands([hands], by, Knowledge(known, few("call")))
        assert verdict.to_dict()["values"] == {"name": "few", "digest": few("call").digest}
    assert judge_hands([hands], "imaginary", Knowledge({"0": players[0]}, few("call"))).values is None


@pytest.mark.slow
@pytest.mark.parametrize("game", ["limit-hu", "nolimit-hu"])
def test_adjusted_values_agree_with_money_over_many_hands(game: str) -> None:
    players, hands = play(game, ["value-bet", "pot-odds"], 2000)
    for estimator, known in ((Chance(), {}), (Aivat(), {"0": players[0]}), (Aivat(), {"1": players[1]})):
        account = walk_hands(hands, 0, Knowledge(known, few("value-bet", 24)), vary=bool(known)).account
        taken = np.sum(list(estimator.removed(account).values()), axis=0)
        assert abs(taken.mean()) < 4 * taken.std() / np.sqrt(len(taken))
