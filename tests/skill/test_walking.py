"""The walk through a hand: its terms add up to the money, and each has the mean zero, counted to the last hand."""

from dataclasses import replace

import numpy as np
import pytest

import luckless as lk
from every_end import every_end, late_limit, total
from luckless.bots.bot import Bot
from luckless.bots.distribution import ActionDistribution
from luckless.bots.python_bot import bot_of
from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.hands.equity import equity
from luckless.hands.pairs import pair_numbers
from luckless.matches.match import Match
from luckless.rules.game import Game
from luckless.rules.views import Views
from luckless.skill.by_steps import walk_hands
from luckless.skill.outlooks import NUMBERS
from luckless.skill.run_outs import mean_shares, sampled_shares
from luckless.skill.shares import NOBODY, Deal, early_shares
from luckless.skill.values import PLAIN, EquityValues, preflop_equities
from luckless.skill.verdict import Knowledge
from luckless.skill.walking import LUCKS, OTHER_ACTIONS, OWN_ACTIONS, OWN_CARDS
from luckless.skill.walking import RIVER as RIVER_CARD

ABSURD = EquityValues(
    "absurd",
    (
        (0.3, -0.2, -2.0, 0.9, 1.5, 0.7),
        (2.5, 0.8, 3.0, -1.0, -1.0, 0.2),
        (-1.0, 0.4, 0.5, 0.4, 0.4, 2.0),
        (0.9, -0.9, -1.0, 2.0, 3.0, 1.0),
    ),
)
"""Values that no one would believe: what is left is noisy, but as right as before."""

MORE_ABSURD = replace(
    ABSURD, by_strength=tuple(map(tuple, np.random.default_rng(4).normal(0, 2, (4, NUMBERS)).tolist()))
)
"""The same, and by the strength of hands other ones for what players do."""

RIVER = late_limit(2, "Ks7d7c4s2h", 2)
VILLAIN = ("Ah7h",)


class ByStrength:
    """Bets good hands often and bad ones now and then; `twist` makes two of them differ."""

    def __init__(self, twist: float) -> None:
        self.twist = twist

    def probabilities_batch(self, views: Views) -> ActionDistribution:
        pairs = pair_numbers(views.hole)
        strong = (pairs * 7919 % 1000) / 1000  # any fixed number of the hand does
        bold = np.clip(0.2 + 0.6 * strong * self.twist, 0.05, 0.9)
        raise_to = views.min_raise_to.astype(np.int64)
        may_raise, to_call = raise_to > 0, views.to_call > 0
        fold = np.where(to_call, 0.5 * (1 - strong), 0.0)
        bet = np.where(may_raise, bold * (1 - fold), 0.0)
        actions = np.stack([np.full(len(pairs), -1), np.zeros(len(pairs), np.int64), raise_to], axis=1)
        return ActionDistribution(actions, actions, np.stack([fold, 1 - fold - bet, bet], axis=1))


def policy(twist: float) -> Bot:
    bot: Bot = bot_of(ByStrength(twist))
    return bot


@pytest.mark.parametrize(
    ("hero", "values"),
    [
        pytest.param(0, MORE_ABSURD, id="absurd by strength, 0"),
        pytest.param(1, MORE_ABSURD, marks=pytest.mark.slow, id="absurd by strength, 1"),
        pytest.param(0, ABSURD, marks=pytest.mark.slow, id="absurd, 0"),
        pytest.param(1, ABSURD, marks=pytest.mark.slow, id="absurd, 1"),
        pytest.param(0, PLAIN, marks=pytest.mark.slow, id="plain, 0"),
        pytest.param(1, PLAIN, marks=pytest.mark.slow, id="plain, 1"),
    ],
)
def test_every_term_has_the_mean_zero(hero: int, values: EquityValues) -> None:
    bots = (policy(1.0), policy(-0.7))
    hands, chance = every_end(RIVER, hero, VILLAIN, bots)
    assert chance.sum() == pytest.approx(1)
    named = dict(zip(("hero", "villain"), bots, strict=True))
    for known in (["hero"], ["villain"], ["hero", "villain"]):
        knowledge = Knowledge({name: named[name] for name in known}, values)
        walked = walk_hands(hands, 0, knowledge, vary=True)
        np.testing.assert_allclose(total(walked), walked.money, atol=1e-9)
        means = chance @ walked.account.luck
        if "hero" in known:  # else the villain's cards are averaged over, and here he holds two cards only
            assert means[OWN_ACTIONS] == pytest.approx(0, abs=1e-9)
            assert means[OTHER_ACTIONS] == pytest.approx(0, abs=1e-9)
            assert means[OWN_CARDS] == pytest.approx(0, abs=1e-9)
            assert chance @ walked.account.imagined == pytest.approx(chance @ walked.money, abs=1e-9)
            assert chance @ walked.account.luck[:, OWN_ACTIONS] ** 2 > 0.1


@pytest.mark.parametrize(
    "hero", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
def test_every_term_has_the_mean_zero_with_three_players(hero: int) -> None:
    bots = (policy(1.0), policy(-0.7), policy(0.4))
    hands, chance = every_end(late_limit(3, "Ks7d7c4s2h", 1), hero, ("Ah7h", "QsJs"), bots)
    assert chance.sum() == pytest.approx(1)
    named = dict(zip(hands.names, bots, strict=True))
    for known in (["hero"], ["hero", "villain", "third"]):
        walked = walk_hands(hands, 0, Knowledge({name: named[name] for name in known}, MORE_ABSURD), vary=True)
        np.testing.assert_allclose(total(walked), walked.money, atol=1e-9)
        np.testing.assert_allclose((chance @ walked.account.luck)[OWN_ACTIONS:], 0, atol=1e-9)
        assert chance @ walked.account.imagined == pytest.approx(chance @ walked.money, abs=1e-9)
        assert chance @ walked.account.luck[:, OWN_ACTIONS] ** 2 > 0.1


class Narrow(ByStrength):
    """Goes on with a few hands only, and gives all others up to the first bet."""

    def __init__(self, hands: tuple[str, ...]) -> None:
        super().__init__(1.0)
        self.pairs = pair_numbers(np.array([parse_cards(hand) for hand in hands]))

    def probabilities_batch(self, views: Views) -> ActionDistribution:
        law = super().probabilities_batch(views)
        given_up = ~np.isin(pair_numbers(views.hole), self.pairs)
        law.probability[given_up] = 0.0
        law.probability[given_up, np.where(views.to_call[given_up] > 0, 0, 1)] = 1.0
        return law


class Forces(ByStrength):
    """Bets whatever it holds on the turn, so that nobody sees the river for nothing."""

    def probabilities_batch(self, views: Views) -> ActionDistribution:
        law = super().probabilities_batch(views)
        forced = (views.street == 2) & (views.to_call == 0)
        law.probability[forced] = [0.0, 0.0, 1.0]
        return law


@pytest.mark.parametrize(
    ("hero", "values"),
    [
        pytest.param(0, MORE_ABSURD, id="absurd by strength, 0"),
        pytest.param(1, PLAIN, marks=pytest.mark.slow, id="plain, 1"),
    ],
)
def test_every_term_has_the_mean_zero_over_all_rivers_of_a_turn(hero: int, values: EquityValues) -> None:
    """What a river says of the hands that the judged player may hold counts, too: he holds some hands only."""
    few = ("AsKh", "9h8h", "7s7h", "QcJc", "4d4c")
    bots = (bot_of(Narrow(few)), bot_of(Forces(-0.7)))
    hands, chance = every_end(late_limit(2, "Ks7d7c4s", 1), hero, VILLAIN, bots, go_on=few)
    assert chance.sum() == pytest.approx(1)
    named = dict(zip(hands.names, bots, strict=True))
    for known in (["hero"], ["hero", "villain"]):
        walked = walk_hands(hands, 0, Knowledge({name: named[name] for name in known}, values), vary=True)
        np.testing.assert_allclose(total(walked), walked.money, atol=1e-9)
        np.testing.assert_allclose((chance @ walked.account.luck)[RIVER_CARD:], 0, atol=1e-9)
        assert chance @ walked.account.imagined == pytest.approx(chance @ walked.money, abs=1e-9)
        assert chance @ walked.account.luck[:, RIVER_CARD] ** 2 > 0.1


def test_a_wrong_policy_is_found_out() -> None:
    """Correcting the opponent's actions by another policy than his is biased, and the same count shows it."""
    bots = (policy(1.0), policy(-0.7))
    hands, chance = every_end(RIVER, 0, VILLAIN, bots)
    wrong = walk_hands(hands, 0, Knowledge({"hero": bots[0], "villain": bots[0]}, PLAIN), vary=True)
    assert abs(chance @ wrong.account.luck[:, OTHER_ACTIONS]) > 0.01


@pytest.mark.slow
def test_known_players_leave_less_noise() -> None:
    bots = (policy(1.0), policy(-0.7))
    hands, chance = every_end(RIVER, 0, VILLAIN, bots)
    named = dict(zip(("hero", "villain"), bots, strict=True))

    def spread(known: list[str]) -> float:
        walked = walk_hands(hands, 0, Knowledge({name: named[name] for name in known}, PLAIN), vary=bool(known))
        adjusted = walked.money - walked.account.luck.sum(axis=1)
        return float(np.sqrt(chance @ (adjusted - chance @ adjusted) ** 2))

    assert spread(["hero", "villain"]) < spread(["hero"]) < spread([])


@pytest.mark.parametrize(
    ("game", "bots"),
    [
        ("nolimit-hu", ["random", "uniform"]),
        pytest.param("limit-hu", ["value-bet", "random"], marks=pytest.mark.slow),
        ("nolimit-3max", ["random", "call", "uniform"]),
        ("river-hu", ["random", "uniform"]),
    ],
)
def test_terms_add_up_to_the_money_of_every_hand(game: str, bots: list[str]) -> None:
    players = [lk.bot(name, f"{name} {place}") for place, name in enumerate(bots)]
    match = Match.plan(Game.load(game), players, hands=12, seed=5, decks="fresh")
    hands = next(iter(match.chunks())).hands
    named = {player.name: player for player in players}
    for known in ({}, {players[0].name: players[0]}, named):
        for player in range(len(players)):
            walked = walk_hands(hands, player, Knowledge(known, MORE_ABSURD), vary=bool(known))
            np.testing.assert_allclose(total(walked), walked.money, atol=1e-7)
    open_cards = walk_hands(hands, 0, Knowledge(named, MORE_ABSURD), vary=False)
    assert not open_cards.account.luck[:, OWN_CARDS].any()


def test_luck_of_the_cards_has_the_mean_zero() -> None:
    """1,500 hands a game: a mean of a tenth of the spread would stand four standard errors off."""
    for game, count in (("nolimit-hu", 2), ("nolimit-6max", 6)):
        players = [lk.bot("random", str(place)) for place in range(count)]
        match = Match.plan(Game.load(game), players, hands=1500, seed=11, decks="fresh")
        luck = np.concatenate(
            [walk_hands(chunk.hands, 0, Knowledge({}, PLAIN), vary=False).account.luck for chunk in match.chunks()]
        )
        errors = luck.std(axis=0) / np.sqrt(len(luck))
        for kind in range(4):
            assert abs(luck[:, kind].mean()) < 4 * errors[kind], (game, LUCKS[kind])


def deal_of(text: str, varied: int, judged: int) -> Deal:
    deck = np.array(parse_cards(text), np.uint8)
    return Deal(deck, (len(deck) - 5) // 2, varied, judged, preflop_equities())


@pytest.mark.parametrize("board", [3, 4, 5])
def test_shares_are_equities(board: int) -> None:
    text = "AhKd7c7d QsJs".replace(" ", "") + "Ts9s2h3c7h"
    hands, dealt = ["AhKd", "7c7d", "QsJs"], "Ts9s2h3c7h"[: 2 * board]
    exact = equity(hands, dealt).equity
    for judged in range(3):
        out = np.zeros(1)
        mean_shares(deal_of(text, NOBODY, judged), board, 0b111, out)
        assert out[0] == pytest.approx(exact[judged])
    by_hand = np.zeros(1326)
    mean_shares(deal_of(text, 1, 1), board, 0b111, by_hand)
    assert by_hand[pair_numbers(parse_cards("7c7d"))] == pytest.approx(exact[1])
    other = equity(["AhKd", "AsAd", "QsJs"], dealt).equity
    assert by_hand[pair_numbers(parse_cards("AsAd"))] == pytest.approx(other[1])
    of_villain = np.zeros(1326)
    mean_shares(deal_of(text, 1, 0), board, 0b111, of_villain)
    assert of_villain[pair_numbers(parse_cards("AsAd"))] == pytest.approx(other[0])


def test_shares_before_the_flop() -> None:
    deal = deal_of("AhKd7c7dTs9s2h3c8h", NOBODY, 0)
    exact, drawn = np.zeros(1), np.zeros(1)
    early_shares(deal, 0b11, exact)
    assert exact[0] == pytest.approx(equity(["AhKd", "7c7d"]).equity[0], abs=1e-6)
    means = []
    for word in range(50):
        sampled_shares(deal, 0b11, np.array([word * 12345], np.uint64), drawn)
        means.append(drawn[0])
    assert np.mean(means) == pytest.approx(exact[0], abs=4 * np.std(means) / np.sqrt(50))


def test_a_policy_that_did_not_play_is_refused() -> None:
    match = Match.plan(Game.load("nolimit-hu"), [lk.bot("raise"), lk.bot("call")], hands=4, seed=1, decks="fresh")
    hands = next(iter(match.chunks())).hands
    with pytest.raises(InputError, match=r"hand 0, action \d+ \(preflop\): the policy given for raise never does"):
        walk_hands(hands, 0, Knowledge({"raise": lk.bot("call")}, PLAIN), vary=True)
