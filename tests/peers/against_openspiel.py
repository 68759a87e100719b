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
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import Game
from luckless.rules.plain import PlainHand

SPIEL_FOLD, SPIEL_CALL, SPIEL_LIMIT_RAISE = 0, 1, 2


def is_comparable(game: Game) -> bool:
    """OpenSpiel has no short big blind and no hand without a decision; its limit games have four seats at most."""
    posted = [min(blind, stack) for blind, stack in zip(game.blinds, game.stacks, strict=True)]
    able = sum(stack > blind for blind, stack in zip(posted, game.stacks, strict=True))
    if _is_their_limit(game) and game.seats > 4:
        return False
    return max(posted) == game.big_blind and able > 0


def _is_their_limit(game: Game) -> bool:
    """Whether a game is played as limit there, too.

    OpenSpiel's limit does not look at stacks: nobody is ever all-in. So limit hands in which somebody can be are
    played there as no-limit hands. What limit offers is then compared with the rules alone; turns, calls and payoffs
    are compared with OpenSpiel, and our one raise must be legal there.
    """
    return game.betting == "limit" and min(game.stacks) > 4 * sum(game.bet_sizes)


def spiel_game(game: Game) -> Any:
    """The game as OpenSpiel's parameters; a short small blind is posted as the chips there are."""
    posted = [min(blind, stack) for blind, stack in zip(game.blinds, game.stacks, strict=True)]
    is_limit = _is_their_limit(game)
    parameters = {
        "betting": "limit" if is_limit else "nolimit",
        "numPlayers": game.seats,
        "numRounds": 4,
        "blind": " ".join(map(str, posted)),
        "firstPlayer": f"{game.first_seat + 1} 1 1 1",
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "stack": " ".join(map(str, game.stacks)),
        "bettingAbstraction": "fcpa" if is_limit else "fullgame",
    }
    if is_limit:
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
        actor = theirs.current_player()
        assert actor == ours.actor
        _compare_bounds(ours, theirs, spent[actor], watch, tally)
        action = random_action(rng, ours.legal())
        theirs.apply_action(_their_action(action, spent[actor], game))
        watch.see_action(actor, action)
        ours.do(action)
        actions.append(action)


def _deal(theirs: Any, cards: Iterator[int]) -> None:
    while theirs.is_chance_node():
        theirs.apply_action(next(cards))


def _their_action(action: int, spent: int, game: Game) -> int:
    if action in (FOLD, CALL):
        return SPIEL_FOLD if action == FOLD else SPIEL_CALL
    return SPIEL_LIMIT_RAISE if _is_their_limit(game) else action + spent


def _compare_bounds(ours: Hand, theirs: Any, spent: int, watch: StreetWatch, tally: Counter[str]) -> None:
    """Ours must offer exactly what its rules say, and theirs the same or what a listed difference makes of it."""
    seat, legal, offered = theirs.current_player(), ours.legal(), theirs.legal_actions()
    here = watch.bounds(seat, ours)
    assert (legal.min_raise_to, legal.max_raise_to) == here, (legal, here, watch)
    assert (SPIEL_FOLD in offered) == (legal.call > 0)
    assert SPIEL_CALL in offered
    raises = [amount - spent for amount in offered if amount > SPIEL_CALL]
    if _is_their_limit(watch.game):
        assert bool(raises) == legal.can_raise
        return
    there = (raises[0], raises[-1]) if raises else (0, 0)
    if watch.game.betting == "limit":
        _compare_limit(here, there, watch, tally)
        return
    if there == here:
        return
    assert watch.short_all_in
    all_in = ours.bets[seat] + ours.stacks[seat]
    assert there == (min(watch.competition_minimum, all_in), all_in), (legal, there, watch)
    if legal.can_raise:
        tally["the minimum after a short all-in is smaller there"] += 1
    else:
        tally["a short all-in leaves the betting open there"] += 1


def _compare_limit(here: tuple[int, int], there: tuple[int, int], watch: StreetWatch, tally: Counter[str]) -> None:
    """Limit with short stacks is played as no-limit there: its one raise must be among theirs."""
    if here == (0, 0):
        return
    assert there[0] <= here[0] == here[1] <= there[1], (here, there, watch)
    if watch.short_all_in:
        completes = watch.level < watch.bet
        tally["limit: completions compared" if completes else "limit: raises after a short all-in compared"] += 1


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
