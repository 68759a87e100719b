"""In hold'em the truth is not known, but estimators must agree with money: their difference has the mean zero."""

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

import luckless as lk
from luckless.bots.bot import Bot
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from luckless.rules.replaying import replay
from luckless.skill.all_in import all_ins
from luckless.skill.by_steps import Aivat, Chance, Imaginary, walk_hands
from luckless.skill.verdict import Knowledge

STEPS = {"chance": Chance(), "imaginary": Imaginary(), "aivat": Aivat()}
STAYS, GIVES_UP = "mix:call=9,fold=1", "mix:call=1,fold=3"


def play(game: str, bots: list[str], hands: int, seed: int = 9) -> tuple[list[Bot], HandColumns]:
    players = [lk.bot(spec, f"{place}") for place, spec in enumerate(bots)]
    match = Match.plan(Game.load(game), players, hands=hands, seed=seed, decks="fresh")
    return players, join([chunk.hands for chunk in match.chunks()])


def removed(hands: HandColumns, by: str, known: Mapping[str, Bot]) -> dict[str, NDArray[np.float64]]:
    """What an estimator takes out of the money of player 0, in chips a hand, by kind."""
    if by == "all-in":
        rows, seats = np.nonzero(hands.players == 0)
        return {by: (hands.values() - all_ins(hands, replay(hands.records)).expected)[rows, seats]}
    policies = {} if by == "chance" else known
    return STEPS[by].removed(walk_hands(hands, 0, Knowledge(policies), vary=bool(policies)).account)


def errors_off(taken: NDArray[np.float64]) -> float:
    """How many standard errors the mean is away from zero; 0 where nothing was taken out."""
    error = taken.std(ddof=1) / np.sqrt(len(taken))
    return float(abs(taken.mean()) / error) if error > 0 else 0.0


def check(game: str, bots: list[str], hands: int, ways: tuple[str, ...]) -> None:
    players, played = play(game, bots, hands)
    for by in ways:
        for known in ([players[0]], players):
            terms = removed(played, by, {bot.name: bot for bot in known})
            assert any(taken.any() for taken in terms.values()), (game, by)
            for kind, taken in (*terms.items(), ("all", np.sum(list(terms.values()), axis=0))):
                assert errors_off(taken) < 4, (game, by, len(known), kind)


def test_estimators_agree_with_money_term_by_term() -> None:
    check("limit-hu", [STAYS, GIVES_UP], 300, ("chance", "imaginary", "aivat"))


def test_the_wrong_policy_of_an_opponent_is_caught() -> None:
    """His actions corrected as if he were we: the same test finds the bias in as many hands."""
    players, played = play("limit-hu", [STAYS, GIVES_UP], 300)
    right = {bot.name: bot for bot in players}
    wrong = {bot.name: players[0] for bot in players}
    assert errors_off(removed(played, "aivat", right)["other actions"]) < 4
    assert errors_off(removed(played, "aivat", wrong)["other actions"]) > 4


PAIRINGS = [
    ("limit-hu", ["value-bet", "value-bet"]),
    ("limit-hu", [STAYS, "value-bet"]),
    ("nolimit-hu", ["value-bet", "value-bet"]),
    ("nolimit-hu", ["sklansky", "value-bet"]),
    ("nolimit-hu", ["blueprint", "value-bet"]),
    ("nolimit-6max", ["value-bet"] * 6),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "bots"), PAIRINGS)
@pytest.mark.parametrize("by", ["chance", "all-in"])
def test_what_needs_no_policy_agrees_with_money_over_a_million_hands(by: str, game: str, bots: list[str]) -> None:
    """In pieces, so that memory is flat."""
    sums = np.zeros(3)
    for piece in range(50):
        _, played = play(game, bots, 20_000, seed=1000 + piece)
        taken = np.sum(list(removed(played, by, {}).values()), axis=0)
        sums += [len(taken), taken.sum(), taken @ taken]
    count, won, squares = sums
    mean = won / count
    assert count == 1_000_000
    assert abs(mean) <= 4 * np.sqrt((squares / count - mean**2) / count)  # limit is too deep for all-ins: both are 0


@pytest.mark.slow
@pytest.mark.parametrize(("game", "bots"), PAIRINGS)
@pytest.mark.parametrize("by", ["imaginary", "aivat"])
def test_what_needs_policies_agrees_with_money_over_many_hands(by: str, game: str, bots: list[str]) -> None:
    """As many hands as a core judges in some minutes, by one policy and by all."""
    check(game, bots, 20_000 if game != "nolimit-6max" else 5_000, (by,))
