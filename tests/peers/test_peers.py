"""Random hands through our engines and other people's: the same turns, bounds and payoffs, or a listed difference.

`docs/rules.md` lists the differences of rules and says who is right; the harnesses accept nothing else.
"""

import dataclasses
import random
import warnings
from collections import Counter

import falsified
import pytest
from random_hands import random_game

from engines import ENGINES, Engine
from luckless.rules.game import Betting, Game
from spots import table

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

import against_openspiel
import against_pokerkit

HANDS_A_GAME = 5


def openspiel_hands(engine: Engine, betting: Betting, hands: int, seed: int) -> Counter[str]:
    """Compares this many random hands with OpenSpiel; returns how often each listed difference was met."""
    rng = random.Random(seed)
    tally: Counter[str] = Counter()
    while tally["hands"] < hands:
        game = random_game(rng, betting)
        if betting == "limit":
            deep = (100 * game.big_blind,) * game.seats
            game = dataclasses.replace(game, stacks=deep) if rng.random() < 0.5 else other_cap(rng, game)
        if against_openspiel.is_comparable(game):
            theirs = against_openspiel.spiel_game(game)
            for _ in range(HANDS_A_GAME):
                against_openspiel.compare_hand(engine, game, theirs, rng, tally)
    return tally


def other_cap(rng: random.Random, game: Game) -> Game:
    """Fewer bets a street than usual, or more: as many as stay below the 64 actions that OpenSpiel has room for."""
    return dataclasses.replace(game, max_bets=rng.choice(((4, 4, 4, 4), (2, 3, 1, 4), (6, 6, 6, 6))))


def pokerkit_hands(engine: Engine, betting: Betting, hands: int, seed: int) -> Counter[str]:
    """Compares this many random hands with PokerKit; returns how often each listed difference was met."""
    rng = random.Random(seed)
    tally: Counter[str] = Counter()
    while tally["hands"] < hands:
        game = pokerkit_cap(random_game(rng, betting, antes=True))
        if against_pokerkit.is_comparable(game):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # PokerKit warns of cards that it did not choose itself
                against_pokerkit.compare_hand(engine, game, rng, tally)
    return tally


def pokerkit_cap(game: Game) -> Game:
    """PokerKit's limit counts four raises on top of the blind before the flop; our description can say so."""
    return dataclasses.replace(game, max_bets=(5, 4, 4, 4)) if game.betting == "limit" else game


@pytest.mark.parametrize(("betting", "hands"), [("no-limit", 1500), ("limit", 300)])
def test_openspiel_plays_the_same_hands(engine: Engine, betting: Betting, hands: int) -> None:
    tally = openspiel_hands(engine, betting, hands, seed=1)
    assert tally["hands"] >= hands


@pytest.mark.parametrize("betting", ["no-limit", "pot-limit", "limit"])
def test_pokerkit_plays_the_same_hands(engine: Engine, betting: Betting) -> None:
    assert pokerkit_hands(engine, betting, 100, seed=2)["hands"] == 100


def test_pokerkit_forgets_short_all_ins_that_have_reopened_the_betting(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rarest listed difference, played on purpose: a bet of 100, all-ins to 160, 220 and 250."""
    actions = iter([*[0] * 5, 100, 160, 220, 250, *[0] * 6])
    monkeypatch.setattr(against_pokerkit, "random_action", lambda rng, legal: next(actions))
    tally: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = table("no-limit", [1000, 162, 222, 252, 1000])
        against_pokerkit.compare_hand(engine, game, random.Random(1), tally)
    assert tally["short all-ins that have reopened the betting once are forgotten when another follows there"] == 1


@pytest.mark.parametrize(
    ("betting", "falsify"),
    [
        ("limit", falsified.seven_bets_more),
        ("limit", falsified.no_completion),
        ("limit", falsified.never_reopened),
        ("limit", falsified.always_reopened),
        ("no-limit", falsified.never_reopened),
        ("no-limit", falsified.always_reopened),
        ("no-limit", falsified.larger_minimum),
        ("pot-limit", falsified.posted_pot),
    ],
)
def test_falsified_bounds_are_found(betting: Betting, falsify: falsified.Falsify) -> None:
    """Where a peer plays by other rules than ours, a wrong engine of ours must not pass either."""
    wrong = falsified.engine_offering(falsify)
    with pytest.raises(AssertionError, match="actions"):
        pokerkit_hands(wrong, betting, 1000, seed=5)
    if betting != "pot-limit":
        with pytest.raises(AssertionError, match="actions"):
            openspiel_hands(wrong, betting, 1000, seed=5)


@pytest.mark.slow
@pytest.mark.parametrize(("betting", "hands"), [("no-limit", 900_000), ("limit", 100_000)])
def test_openspiel_plays_the_same_million_hands(betting: Betting, hands: int) -> None:
    print(openspiel_hands(ENGINES["table"], betting, hands, seed=3))


@pytest.mark.slow
@pytest.mark.parametrize(("betting", "hands"), [("no-limit", 60_000), ("pot-limit", 20_000), ("limit", 20_000)])
def test_pokerkit_plays_the_same_hundred_thousand_hands(betting: Betting, hands: int) -> None:
    print(pokerkit_hands(ENGINES["table"], betting, hands, seed=4))
