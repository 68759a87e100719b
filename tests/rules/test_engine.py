"""The compiled engine against the plain one on random games, and what must hold for every hand it plays."""

from random import Random

import numpy as np
import pytest

from luckless.rules.game import BETTING, Betting, Game, Rake
from luckless.rules.plain import PlainHand
from luckless.rules.table import Table
from luckless.rules.views import PastAction
from table_hand import TableHand


def random_game(random: Random) -> Game:
    """2 to 10 seats, any betting, stacks from 1 chip to 300 big blinds, antes, caps, rake, late starts."""
    seats, big = random.randint(2, 10), random.choice([2, 3, 10, 100])
    betting: Betting = random.choice(BETTING)
    small = random.randint(0, big)
    late = random.random() < 0.15
    blinds = [big, small] if seats == 2 else [small, big] + [0] * (seats - 2)
    if seats > 3 and random.random() < 0.1:
        blinds[2] = random.choice([big, 2 * big])
    stacks = [random.choice([1, 2, big, 5 * big, 40 * big, random.randint(1, 300 * big)]) for _ in range(seats)]
    if random.random() < 0.2:  # blinds that cannot be posted in full
        stacks = [random.randint(1, blind) if blind else stack for blind, stack in zip(blinds, stacks, strict=True)]
    stacks[random.randrange(seats)] = 300 * big
    ante = random.choice([0, 0, 1, big])
    antes = [ante] * seats
    if random.random() < 0.3:
        antes = [ante if blind == max(blinds) else 0 for blind in blinds]
    rake = Rake(per_mille=random.randint(0, 100), cap=random.choice([0, 3]), no_flop_no_drop=random.random() < 0.5)
    return Game(
        name="random",
        betting=betting,
        seats=seats,
        blinds=(0,) * seats if late else tuple(blinds),
        antes=() if late else tuple(antes),
        stacks=tuple(stacks),
        bet_sizes=(big, big, 2 * big, 2 * big) if betting == "limit" else (0, 0, 0, 0),
        max_bets=random.choice([(0, 0, 0, 0), (4, 4, 4, 4), (2, 3, 1, 4), (130, 200, 1000, 128)]),
        first_street=random.randint(1, 3) if late else 0,
        pot=seats * random.randint(0, 3) * big if late else 0,
        unit=big if late else 0,
        rake=rake if random.random() < 0.2 else None,
    )


def random_action(random: Random, legal_call: int, least: int, most: int) -> int:
    kind = random.random()
    if kind < (0.15 if legal_call else 0.03):
        return -1
    if kind < 0.6 or most == 0:
        return 0
    return random.choice([least, least, most, random.randint(least, most)])


def compare_hand(seed: int) -> int:
    """Plays one random hand on both engines, step by step; returns the number of actions."""
    random = Random(seed)
    game = random_game(random)
    deck = random.sample(range(52), 2 * game.seats + 5)
    plain, fast = PlainHand(game, deck), TableHand(game, deck)
    steps = 0
    while not plain.finished:
        assert plain.actor == fast.actor, seed
        assert plain.legal() == fast.legal(), (seed, steps)
        assert (plain.street, plain.bets, plain.stacks, plain.pot) == (fast.street, fast.bets, fast.stacks, fast.pot)
        legal = plain.legal()
        for tried in (-2, legal.min_raise_to - 1, legal.max_raise_to + 1, 1):
            assert plain.can(tried) == fast.can(tried), (seed, steps, tried)
        action = random_action(random, legal.call, legal.min_raise_to, legal.max_raise_to)
        plain.do(action)
        fast.do(action)
        steps += 1
    assert fast.finished
    assert plain.board == fast.board, seed
    assert plain.payoffs == fast.payoffs, seed
    assert sum(plain.payoffs) == -plain.rake
    return steps


def test_long_streets_of_small_raises_agree() -> None:
    """Where hardly anybody does anything but raise by the minimum, caps far above the usual four are reached."""
    most = 0
    for seed in range(30):
        random = Random(seed)
        game = deep_game(random)
        deck = random.sample(range(52), 2 * game.seats + 5)
        plain, fast = PlainHand(game, deck), TableHand(game, deck)
        while not plain.finished:
            legal = plain.legal()
            assert (plain.actor, legal) == (fast.actor, fast.legal()), (seed, plain.bets_made)
            most = max(most, plain.bets_made)
            action = legal.min_raise_to if random.random() < 0.999 else 0
            plain.do(action)
            fast.do(action)
        assert plain.payoffs == fast.payoffs, seed
    assert most > 300


def deep_game(random: Random) -> Game:
    """2 to 4 seats with 500 to 5000 big blinds and a cap of 127 to 400 bets, or none."""
    seats, betting = random.randint(2, 4), random.choice(BETTING)
    return Game(
        name="deep",
        betting=betting,
        seats=seats,
        blinds=(2, 1) if seats == 2 else (1, 2, 0, 0)[:seats],
        stacks=tuple(2 * random.choice([500, 1000, 5000]) for _ in range(seats)),
        bet_sizes=(2, 2, 4, 4) if betting == "limit" else (0, 0, 0, 0),
        max_bets=random.choice([(127, 128, 129, 130), (130, 130, 130, 130), (400, 300, 256, 255), (0, 0, 0, 0)]),
    )


@pytest.mark.parametrize("block", range(8))
def test_the_plain_engine_agrees_step_by_step(block: int) -> None:
    assert sum(compare_hand(seed) for seed in range(250 * block, 250 * (block + 1))) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_the_plain_engine_agrees_on_many_hands(block: int) -> None:
    first = 100_000 + 12_500 * block
    assert np.sum([compare_hand(seed) for seed in range(first, first + 12_500)]) > 50_000


def test_a_long_hand_keeps_its_whole_past() -> None:
    """Nine seats that stay to the end act more often than a table has room for at first."""
    table = Table.dealt(Game.load("nolimit-9max"), 1, [0])
    past: list[PastAction] = []
    while not table.finished:
        hand = table.public[0]
        action = 0 if len(past) % 12 else int(hand["min_raise_to"])
        past.append(PastAction(int(hand["street"]), int(hand["actor"]), action))
        table.act(np.array([0]), [action])
        assert table.history(0) == tuple(past)
    assert past[20].street > 0
    assert len(past) > 40
    assert table.records().actions.tolist() == [step.action for step in past]
