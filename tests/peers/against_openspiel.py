"""The same hand through one of our engines and OpenSpiel's `universal_poker` (the competition's C rules).

Where the two play by different rules, docs/rules.md says which holds; here stands the exact condition under which a
difference is accepted. Any other difference fails.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pyspiel
import pytest
from random_hands import StreetWatch, random_action, random_deck, reported

from engines import Engine, Hand
from even_shares import even_payoffs
from luckless.rules.actions import CALL, FOLD, Legal
from luckless.rules.game import Game
from luckless.rules.plain import PlainHand

SPIEL_FOLD, SPIEL_CALL, SPIEL_LIMIT_RAISE = 0, 1, 2


def is_comparable(game: Game) -> bool:
    """OpenSpiel has no short big blind and no hand without a decision; in limit no all-in, and four seats at most."""
    posted = [min(blind, stack) for blind, stack in zip(game.blinds, game.stacks, strict=True)]
    able = sum(stack > blind for blind, stack in zip(posted, game.stacks, strict=True))
    if game.betting == "limit" and (min(game.stacks) <= 4 * sum(game.bet_sizes) or game.seats > 4):
        return False
    return max(posted) == game.big_blind and able > 0


def spiel_game(game: Game) -> Any:
    """The game as OpenSpiel's parameters; a short small blind is posted as the chips there are."""
    posted = [min(blind, stack) for blind, stack in zip(game.blinds, game.stacks, strict=True)]
    parameters = {
        "betting": "limit" if game.betting == "limit" else "nolimit",
        "numPlayers": game.seats,
        "numRounds": 4,
        "blind": " ".join(map(str, posted)),
        "firstPlayer": f"{game.first_seat + 1} 1 1 1",
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "stack": " ".join(map(str, game.stacks)),
        "bettingAbstraction": "fcpa" if game.betting == "limit" else "fullgame",
    }
    if game.betting == "limit":
        raises = (game.max_bets[0] - 1, *game.max_bets[1:])
        parameters["raiseSize"] = " ".join(map(str, game.bet_sizes))
        parameters["maxRaises"] = " ".join(map(str, raises))
    return pyspiel.load_game("universal_poker", parameters)


def compare_hand(engine: Engine, game: Game, their_game: Any, rng: random.Random, tally: Counter[str]) -> None:
    """Plays one random hand through both, comparing turn, bounds and payoffs; counts accepted differences."""
    deck, actions = random_deck(rng, game), list[int]()
    ours, theirs = engine(game, deck, None), their_game.new_initial_state()
    cards = iter(deck)
    with reported(game, deck, actions):
        _play(ours, theirs, cards, game, rng, actions, tally)
        _finish(theirs, cards, tally)
        _compare_payoffs(ours, PlainHand(game, deck), actions, theirs.returns(), tally)
    tally["hands"] += 1


def _play(
    ours: Hand,
    theirs: Any,
    cards: Iterator[int],
    game: Game,
    rng: random.Random,
    actions: list[int],
    tally: Counter[str],
) -> None:
    watch = StreetWatch(game)
    spent = [0] * game.seats  # on earlier streets
    while not ours.finished:
        _deal(theirs, cards)
        if ours.street != watch.street:
            spent = [start - stack for start, stack in zip(game.stacks, ours.stacks, strict=True)]
            watch.see_street(ours.street)
        actor, legal = theirs.current_player(), ours.legal()
        assert actor == ours.actor
        _compare_bounds(legal, theirs, spent[actor], watch, game, tally)
        action = random_action(rng, legal)
        theirs.apply_action(_their_action(action, spent[actor], game))
        watch.see_action(action)
        ours.do(action)
        actions.append(action)


def _deal(theirs: Any, cards: Iterator[int]) -> None:
    while theirs.is_chance_node():
        theirs.apply_action(next(cards))


def _their_action(action: int, spent: int, game: Game) -> int:
    if action in (FOLD, CALL):
        return SPIEL_FOLD if action == FOLD else SPIEL_CALL
    return SPIEL_LIMIT_RAISE if game.betting == "limit" else action + spent


def _compare_bounds(
    legal: Legal, theirs: Any, spent: int, watch: StreetWatch, game: Game, tally: Counter[str]
) -> None:
    offered = theirs.legal_actions()
    assert (SPIEL_FOLD in offered) == (legal.call > 0)
    assert SPIEL_CALL in offered
    raises = [amount - spent for amount in offered if amount > SPIEL_CALL]
    if game.betting == "limit":
        assert bool(raises) == legal.can_raise
        return
    bounds = (raises[0], raises[-1]) if raises else (0, 0)
    if bounds == (legal.min_raise_to, legal.max_raise_to):
        return
    assert watch.short_all_in
    assert bounds[0] == min(watch.competition_minimum, bounds[1])
    if legal.can_raise:
        assert bounds[0] < legal.min_raise_to
        assert bounds[1] == legal.max_raise_to
        tally["the minimum after a short all-in is smaller there"] += 1
    else:
        tally["a short all-in leaves the betting open there"] += 1


def _finish(theirs: Any, cards: Iterator[int], tally: Counter[str]) -> None:
    """Their hand must be over too, but for board cards and a seat that is asked though it has nothing to decide."""
    _deal(theirs, cards)
    while not theirs.is_terminal():
        assert theirs.legal_actions() == [SPIEL_CALL]
        theirs.apply_action(SPIEL_CALL)
        tally["a seat without a decision is asked there"] += 1
        _deal(theirs, cards)


def _compare_payoffs(
    ours: Hand, plain: PlainHand, actions: list[int], returns: list[float], tally: Counter[str]
) -> None:
    if list(ours.payoffs) == returns:
        return
    for action in actions:
        plain.do(action)
    assert plain.payoffs == ours.payoffs
    assert [float(value) for value in even_payoffs(plain)] == pytest.approx(returns, abs=1e-6)
    tally["odd chips are split into parts there"] += 1
