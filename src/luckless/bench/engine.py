"""Hands played: our engine beside OpenSpiel and PyPokerEngine, on one core, and how it scales."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any, get_args

import numpy as np

from luckless.bench.timing import CPU, Row, once, seconds_of
from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.python_bot import bot_of
from luckless.matches.match import Match
from luckless.matches.seating import Decks
from luckless.matches.tally import Tally
from luckless.rules.game import Game

HANDS = 10_000
SIX_MAX = {
    "betting": "nolimit", "numPlayers": 6, "numRounds": 4, "blind": "1 2 0 0 0 0", "firstPlayer": "3 1 1 1",
    "numSuits": 4, "numRanks": 13, "numHoleCards": 2, "numBoardCards": "0 3 1 1",
    "stack": "200 200 200 200 200 200", "bettingAbstraction": "fullgame",
}  # fmt: skip
LIMIT = {
    "betting": "limit", "numPlayers": 2, "numRounds": 4, "blind": "10 5", "firstPlayer": "2 1 1 1",
    "numSuits": 4, "numRanks": 13, "numHoleCards": 2, "numBoardCards": "0 3 1 1",
    "raiseSize": "10 10 20 20", "maxRaises": "3 4 4 4", "bettingAbstraction": "fullgame",
}  # fmt: skip


class _BatchCall:
    """`call` as a NumPy bot."""

    def decide_batch(self, views: Any, dice: Any) -> Any:
        return np.zeros(len(views), np.int64)


class _BatchRandom:
    """`random` as a NumPy bot."""

    def decide_batch(self, views: Any, dice: Any) -> Any:
        kind, least, most = dice.integer(0, 2), views.min_raise_to, views.max_raise_to
        raises = np.where(most > 0, dice.integer(least, most), 0)
        return np.where(kind == 0, -1, np.where(kind == 1, 0, raises))


def measure() -> Iterator[Row]:
    """All rows."""
    call, rand, raiser = load_bot("call"), load_bot("random"), load_bot("raise")
    six_max, limit = Game.load("nolimit-6max"), Game.load("limit-hu")
    mixed = [call, rand] * 3
    compiled = seconds_of(lambda: _play(six_max, mixed, HANDS), clock=CPU)
    arrays: list[Bot] = [bot_of(_BatchCall()), bot_of(_BatchRandom())] * 3
    numpy_bots = {
        decks: seconds_of(partial(_play, six_max, arrays, HANDS, decks=decks), clock=CPU) for decks in get_args(Decks)
    }
    raised = seconds_of(lambda: _play(limit, [call, raiser], 10 * HANDS), clock=CPU) / 10
    work = f"{HANDS:,} six-handed no-limit hands, 3 call + 3 random"
    duel = f"{HANDS:,} heads-up limit hands, call v raise"
    peers = _openspiel_seconds()
    if peers:
        yield Row(f"{work}, compiled", compiled, "OpenSpiel from Python", peers["six"], 40)
        note = "its own loop and bots; its random bot is uniform over all amounts"
        yield Row(f"{work}, compiled", compiled, "OpenSpiel in C++", peers["six C++"], 15, note)
        for decks, seconds in numpy_bots.items():
            note = (
                "as OpenSpiel deals them"
                if decks == "fresh"
                else "the hands of a deal are asked about one after the other"
            )
            yield Row(f"{work}, NumPy bots, {decks} decks", seconds, "OpenSpiel from Python", peers["six"], 15, note)
        yield Row(duel, raised, "OpenSpiel from Python", peers["limit"], 40)
    yield Row(duel, raised, "3.35 million a second (bare C rules)", HANDS / 3.35e6, 1, "figure of another run")
    slow = _pypokerengine_seconds()
    if slow:
        yield Row(f"{work}, compiled", compiled, "PyPokerEngine", slow, 2000)
    yield _counting(six_max, mixed, 10 * compiled)
    yield from _scaling(six_max, mixed)


def _counting(game: Game, bots: list[Bot], played: float) -> Row:
    """What the results of a match cost beside its hands."""
    match = Match.plan(game, bots, hands=10 * HANDS, seed=1)
    chunks = list(match.chunks(workers=1))

    def count() -> None:
        tally = Tally(len(bots), match.set_size, match.hands, game.big_blind)
        for chunk in chunks:
            tally.add(chunk)

    return Row(f"counting {10 * HANDS:,} six-handed hands", seconds_of(count, clock=CPU), "playing them", played, 2)


def _play(game: Game, bots: list[Bot], hands: int, workers: int = 1, decks: Decks | None = None) -> None:
    for _ in Match.plan(game, bots, hands=hands, seed=1, decks=decks).chunks(workers=workers):
        pass


def _scaling(game: Game, bots: list[Bot]) -> Iterator[Row]:
    """Two cores beside one, and ten million hands beside ten thousand (per hand)."""
    hands = 1_000_000
    one, two = (seconds_of(partial(_play, game, bots, hands, workers), repeats=3) for workers in (1, 2))
    yield Row(f"{hands:,} six-handed hands on two cores", two, "on one core", one, 1.7)
    many = 10 * hands
    few = seconds_of(lambda: _play(game, bots, HANDS), clock=CPU) * many / HANDS
    long = once(lambda: _play(game, bots, many), CPU)
    yield Row(f"{many:,} six-handed hands", long, f"the same, {HANDS:,} at a time", few, 0.9)


def _openspiel_seconds() -> dict[str, float] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    six, limit = (pyspiel.load_game("universal_poker", settings) for settings in (SIX_MAX, LIMIT))
    bots = [
        pyspiel.load_bot("fixed_action_preference", six, seat, {"actions": "1:0"})
        if seat % 2 == 0
        else pyspiel.make_uniform_random_bot(seat, seat)
        for seat in range(6)
    ]

    def in_cpp() -> None:
        for deal in range(HANDS // 10):
            pyspiel.evaluate_bots(six.new_initial_state(), bots, deal)

    return {
        "six": 10 * once(lambda: _openspiel_hands(six, HANDS // 10, _mixed_action), CPU),
        "six C++": 10 * once(in_cpp, CPU),
        "limit": 10 * once(lambda: _openspiel_hands(limit, HANDS // 10, _duel_action), CPU),
    }


def _openspiel_hands(game: Any, hands: int, choose: Any) -> None:
    dice = random.Random(1)
    for _ in range(hands):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(dice.choice(state.legal_actions()))
            else:
                state.apply_action(choose(state, dice))
        state.returns()


def _mixed_action(state: Any, dice: random.Random) -> int:
    """Even seats call; odd seats fold, call or raise with 1/3 each."""
    if state.current_player() % 2 == 0:
        return 1
    legal, kind = state.legal_actions(), dice.randrange(3)
    if kind == 0 and legal[0] == 0:
        return 0
    if kind == 2 and len(legal) > 2:
        return int(legal[dice.randrange(2, len(legal))])
    return 1


def _duel_action(state: Any, dice: random.Random) -> int:
    return 1 if state.current_player() == 0 else int(state.legal_actions()[-1])


def _pypokerengine_seconds(hands: int = 60) -> float | None:
    """PyPokerEngine's time for `HANDS` hands, from a few of them."""
    try:
        from pypokerengine.api.game import setup_config, start_poker
        from pypokerengine.players import BasePokerPlayer
    except ImportError:
        return None

    class Player(BasePokerPlayer):  # type: ignore[misc]
        def __init__(self, dice: random.Random | None) -> None:
            self.dice = dice

        def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> Any:
            kind = 1 if self.dice is None else self.dice.randrange(3)
            action = valid_actions[kind]
            if kind < 2 or action["amount"]["max"] < 0:
                action = valid_actions[min(kind, 1)]
                return action["action"], action["amount"]
            assert self.dice is not None
            return "raise", self.dice.randint(action["amount"]["min"], action["amount"]["max"])

        receive_game_start_message = receive_round_start_message = lambda *_: None
        receive_street_start_message = receive_game_update_message = receive_round_result_message = lambda *_: None

    def play() -> None:
        for game in range(hands):
            config = setup_config(max_round=1, initial_stack=200, small_blind_amount=1)
            for seat in range(6):
                config.register_player(name=str(seat), algorithm=Player(random.Random(game) if seat % 2 else None))
            start_poker(config, verbose=0)

    return once(play, CPU) * HANDS / hands
