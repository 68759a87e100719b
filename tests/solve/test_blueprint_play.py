"""How the shipped blueprints play: whole hands in compiled loops are those of single decisions; bets of any size."""

from dataclasses import replace

import numpy as np
import pytest

from luckless.bots.bot import all_hands
from luckless.bots.catalogue import load_bot
from luckless.bots.dice import BatchDice
from luckless.bots.distribution import ActionDistribution
from luckless.bots.lineup import Lineup
from luckless.matches.match import Match
from luckless.matches.playing import Chunk
from luckless.randomness import key_of, random_bits_at
from luckless.rules.game import Game
from luckless.rules.replaying import replay
from luckless.rules.table import Table
from luckless.solve.blueprint_bot import BlueprintBot
from luckless.solve.blueprint_limit_loop import drawn_slot
from luckless.solve.blueprint_loop import draw_action


def both_ways(bots: list[str], game: str, hands: int, stack: int | None = None) -> tuple[Chunk, Chunk]:
    """Hands played inside the loop, and the same hands decision by decision."""
    match = Match.plan(Game.load(game), [load_bot(bot) for bot in bots], hands=hands, seed=4)
    playing, seated = replace(match.playing(), own_loops=True), match.seated(0, hands)
    assert playing.compiled
    stacks = np.full((hands, 2), stack or match.game.stacks[0], np.int32)
    with playing:
        return playing.play(seated, stacks), match.playing().play(seated, stacks)


def assert_same(compiled: Chunk, asked: Chunk) -> None:
    for name in ("decks", "ends", "actions", "payoffs"):
        assert np.array_equal(getattr(compiled.records, name), getattr(asked.records, name)), name
    assert np.array_equal(compiled.streets, asked.streets)
    assert not asked.faults


@pytest.mark.parametrize("bots", [["blueprint", "call"], ["one=blueprint", "two=blueprint"]])
def test_the_loop_of_limit_plays_the_hands_of_single_decisions(bots: list[str]) -> None:
    assert_same(*both_ways(bots, "limit-hu", 400))


@pytest.mark.parametrize("game", ["limit-hu", "nolimit-hu"])
def test_all_hands_of_a_situation_do_what_each_does_alone(game: str) -> None:
    bots = [load_bot("blueprint"), load_bot("threshold")]
    table = Table.dealt(Game.load(game), 12, np.arange(6))
    for _ in range(9):
        rows = table.waiting()
        views = table.views(rows)
        for row in range(0, len(rows), 2):
            law, _ = all_hands(bots[0], views, row)
            every = views.with_all_hands(row)[0]
            for one in range(0, len(every), 97):
                alone = bots[0].probabilities(every.rows(slice(one, one + 1)))
                assert law.row(one) == alone.row(0)
        table.act(rows, bots[1].probabilities(views).low[:, 0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bots", "game", "stack"),
    [
        (["uniform", "blueprint"], "limit-hu", 90),
        (["value-bet", "blueprint"], "limit-hu", None),
        (["one=blueprint", "two=blueprint"], "nolimit-hu", None),
        (["blueprint", "random"], "nolimit-hu", None),
        (["blueprint", "uniform"], "nolimit-hu", 3000),
    ],
)
def test_the_loop_of_any_stacks_plays_the_hands_of_single_decisions(
    bots: list[str], game: str, stack: int | None
) -> None:
    assert_same(*both_ways(bots, game, 2000, stack))


def test_three_blueprints_are_asked() -> None:
    bots = [load_bot(f"{name}=blueprint") for name in ("one", "two", "three")]
    assert Lineup.of(bots[:2]).compiled
    assert not Lineup.of(bots).compiled


def test_actions_are_drawn_as_from_a_distribution() -> None:
    dice = np.random.default_rng(1)
    bits = dice.integers(0, 2**64, (300, 4), np.uint64)
    for row in range(300):
        size = int(dice.integers(1, 4))
        parts = dice.multinomial(255, dice.dirichlet(np.full(size, 0.3))).astype(np.uint8)
        law = ActionDistribution.of_columns(np.arange(size), parts[None] / 255.0)
        used = law.probability[0] > 0
        kept = ActionDistribution(law.low[:, used], law.high[:, used], law.probability[:, used])
        wanted = int(kept.draw(BatchDice(bits[row : row + 1]))[0])
        assert drawn_slot(parts, 0, size, bits[row, 0]) == wanted
        assert draw_action(law.low[0], law.probability[0], bits[row, 0]) == wanted


def at(bets: list[int]) -> Table:
    """A hand of nolimit-hu after some actions."""
    table = Table.dealt(Game.load("nolimit-hu"), 2, np.array([0]))
    for action in bets:
        table.act(np.array([0]), [action])
    return table


OPENINGS = {
    "below the menu": [0, 0, 100],
    "between two sizes": [0, 0, 205],
    "above the menu": [0, 0, 15_000],
    "all-in before the flop": [20_000],
    "all-in after a raise": [300, 900, 20_000],
    "all-in on the flop": [0, 0, 19_900],
    "all-in on the river": [0, 0, 0, 0, 0, 0, 19_900],
    "a minimum raise of a raise": [200, 300, 400, 500],
}


@pytest.mark.parametrize("name", OPENINGS)
def test_any_bet_is_answered_by_legal_actions_with_known_probabilities(name: str) -> None:
    """The dice follow the law: a chi-square test at one in ten thousand."""
    views = at(OPENINGS[name]).views(np.array([0]))
    bot = BlueprintBot()
    for row in (views, views.with_all_hands(0)[0]):
        bot.probabilities(row).checked(row)
    law = bot.probabilities(views)
    key = key_of(7)
    bits = np.array([random_bits_at(key, 0, number, 40, 0) for number in range(4000)], np.uint64)
    low, high = (np.repeat(part, 4000, axis=0) for part in (law.low, law.high))
    many = ActionDistribution(low, high, np.repeat(law.probability, 4000, axis=0))
    drawn = many.draw(BatchDice(bits))
    entries = law.row(0)
    expected = np.array([4000 * share for _, _, share in entries])
    observed = np.array([(drawn == action).sum() for action, _, _ in entries])
    assert observed.sum() == 4000
    large = expected > 5
    bounds = {1: 15.2, 2: 18.5, 3: 21.2, 4: 23.6, 5: 25.8, 6: 27.9}  # chi-square, one in ten thousand
    if large.sum() > 1:
        assert ((observed - expected)[large] ** 2 / expected[large]).sum() < bounds[min(int(large.sum()) - 1, 6)]


def test_all_in_is_read_as_all_in_and_answered_by_fold_or_call() -> None:
    for name in ("all-in before the flop", "all-in on the flop", "all-in on the river"):
        law = BlueprintBot().probabilities(at(OPENINGS[name]).views(np.array([0])))
        assert {action for action, _, _ in law.row(0)} <= {-1, 0}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "opponent"), [("nolimit-hu", "random"), ("nolimit-hu", "uniform"), ("limit-hu", "random")]
)
def test_a_million_random_hands_without_an_illegal_action(game: str, opponent: str) -> None:
    hands = 400_000
    match = Match.plan(Game.load(game), [load_bot("blueprint"), load_bot(opponent)], hands=hands, seed=8)
    for chunk in match.chunks():
        found = replay(chunk.records)
        assert (found.ends.problem == 0).all()
        assert np.array_equal(found.ends.payoffs, chunk.records.payoffs)
