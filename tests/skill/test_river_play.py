"""Rivers played on exactly: as a plain recursion finds them, and with terms whose mean is 0 to the last digit."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import luckless as lk
from every_end import every_end, late_limit, total
from luckless.bots.bot import Bot
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.rules.views import Past
from luckless.skill.by_steps import walk_hands
from luckless.skill.playing_out import FREE, Actions, Jobs, Players, past_of
from luckless.skill.policies import Followed, follow
from luckless.skill.river_play import river_values
from luckless.skill.roll_out_values import RollOutValues
from luckless.skill.shares import NOBODY
from luckless.skill.verdict import Knowledge
from luckless.skill.walking import OTHER_ACTIONS, OWN_ACTIONS, OWN_CARDS

RIVER = 3
HELD = 12
"""Hands that the varied seat may hold in these tests: the twin is slow."""


def played(game: str, bots: Sequence[str], count: int) -> tuple[list[Bot], HandColumns]:
    players = [lk.bot(spec, str(place)) for place, spec in enumerate(bots)]
    match = Match.plan(Game.load(game), players, hands=count, seed=4, decks="fresh")
    return players, join([chunk.hands for chunk in match.chunks()])


def late_jobs(hands: HandColumns, followed: Followed) -> tuple[list[int], list[np.void]]:
    """The hand and the public record of each situation on the river, and at the end of hands that got there."""
    whose, public = [], []
    for row in range(len(hands)):
        places = [at for at in range(*followed.places(row)) if followed.public["street"][at] == RIVER]
        situations = [followed.public[at] for at in places]
        for one in [*situations, followed.ended[row]] if places else []:
            whose.append(row)
            public.append(one)
    return whose, public


def asked(hands: HandColumns, varied: int, free: bool = True) -> tuple[Jobs, NDArray[np.float64], Actions]:
    """All situations on the river as jobs; with weights of a few hands for each if a seat is varied."""
    followed = follow(hands)
    whose, public = late_jobs(hands, followed)
    random = np.random.default_rng(8)
    weights = np.zeros((len(whose), PAIRS))
    for job, row in enumerate(whose):
        deck = np.delete(hands.records.decks[row], [2 * varied, 2 * varied + 1])
        possible = np.flatnonzero(~np.isin(PAIR_CARDS, deck).any(axis=1))
        first = np.random.default_rng(row).choice(possible, HELD, replace=False)
        weights[job, first] = random.random(HELD)
    count = len(whose)
    reach = np.arange(count) if varied != NOBODY else np.full(count, -1)
    forced = np.full(count, FREE)
    if not free:
        forced[:] = [0 if one["actor"] >= 0 else FREE for one in public]
    jobs = Jobs(
        np.array(public, followed.public.dtype), np.array(whose), np.full(count, 5), reach,
        np.arange(count).astype(np.uint64), forced, forced,
    )  # fmt: skip
    starts = np.concatenate([[0], hands.records.ends])[:-1].astype(np.int64)
    records = hands.records.actions.astype(np.int64)
    seen = followed.public
    made = Actions(records, seen["actor"].astype(np.int64), seen["street"].astype(np.int64), starts)
    return jobs, np.cumsum(weights, axis=1), made


def twin(table: Table, bots: Sequence[Bot], forced: int = FREE) -> float:
    """What the first seat wins from a situation of one hand on: every action by how likely it is."""
    if table.finished:
        return float(table.payoffs(np.array([0]))[0, 0])
    if forced != FREE:
        ways = {forced: 1.0}
    else:
        law = bots[int(table.public["actor"][0])].probabilities(table.views(np.array([0])))
        ways = dict.fromkeys(law.low[0].tolist(), 0.0)
        for action, share in zip(law.low[0].tolist(), law.probability[0].tolist(), strict=True):
            ways[action] += share
    value = 0.0
    for action, share in ways.items():
        if share > 0:
            after = table.copies(np.array([0]))
            after.act(np.array([0]), [action])
            value += share * twin(after, bots)
    return value


@pytest.mark.parametrize("free", [True, False])
@pytest.mark.parametrize("varied", [NOBODY, 0, 1])
@pytest.mark.parametrize(
    ("game", "bots"),
    [("limit-hu", ["uniform", "value-bet"]), ("nolimit-hu", ["mix:call=3,pot-odds=2,all-in=1", "value-bet"])],
)
def test_values_are_those_of_a_plain_recursion(game: str, bots: list[str], varied: int, free: bool) -> None:
    players, hands = played(game, bots, 14)
    jobs, sums, made = asked(hands, varied, free)
    assert len(jobs.hand) > 8
    who = Players(players, hands.players.astype(np.int64))
    found = river_values(hands, np.full(len(hands), varied), jobs, sums, made, who)
    past = past_of(jobs, made)
    assert free <= (not np.isnan(found).any())
    assert np.isnan(found).mean() < 0.5
    for job, row in enumerate(jobs.hand.tolist()):
        weights = np.diff(sums[job], prepend=0.0)
        pairs = np.flatnonzero(weights) if varied != NOBODY else np.array([-1])
        values = []
        for pair in pairs.tolist():
            deck = hands.records.decks[row : row + 1].copy()
            if pair >= 0:
                deck[0, 2 * varied : 2 * varied + 2] = PAIR_CARDS[pair]
            done = Past(past.actions[job : job + 1], past.seats[job : job + 1], past.streets[job : job + 1])
            table = Table.resumed(hands.records.game, deck, jobs.public.take(np.array([job])), done)
            seated = [players[number] for number in hands.players[row].tolist()]
            values.append(twin(table, seated, int(jobs.low[job])))
        expected = values[0] if varied == NOBODY else np.average(values, weights=weights[pairs])
        if not np.isnan(found[job]):  # somebody never calls there, so his call is not played on
            assert found[job] == pytest.approx(expected, abs=1e-7), job


def test_raises_of_any_size_are_left_to_drawing() -> None:
    players, hands = played("nolimit-hu", ["uniform", "call"], 30)
    jobs, sums, made = asked(hands, 0)
    who = Players(players, hands.players.astype(np.int64))
    found = river_values(hands, np.zeros(len(hands), np.int64), jobs, sums, made, who)
    assert np.isnan(found).any()


@pytest.mark.parametrize(
    ("known", "bets"),
    [
        (["hero", "villain"], 1),
        *(pytest.param(known, 2, marks=pytest.mark.slow) for known in (["hero"], ["villain"], ["hero", "villain"])),
    ],
)
def test_the_mean_of_every_term_is_zero_to_the_last_digit(known: list[str], bets: int) -> None:
    """On the river nothing is drawn: counted over all hands and lines, not even noise is left."""
    bots = [lk.bot("mix:call=2,raise=1", "hero"), lk.bot("mix:call=1,raise=3", "villain")]
    hands, chance = every_end(late_limit(2, "Ks7d7c4s2h", bets), 0, ("Ah7h",), bots)
    assert chance.sum() == pytest.approx(1)
    policies = {bot.name: bot for bot in bots if bot.name in known}
    walked = walk_hands(hands, 0, Knowledge(policies, RollOutValues("few", lk.bot("uniform"), 2)), vary=True)
    np.testing.assert_allclose(total(walked), walked.money, atol=1e-7)
    luck = walked.account.luck
    kinds = [OWN_ACTIONS, OTHER_ACTIONS, *([OWN_CARDS] if "hero" in known else [])]  # the villain has one hand only
    np.testing.assert_allclose((chance @ luck)[kinds], 0, atol=1e-7)
    assert chance @ luck[:, [OWN_ACTIONS, OTHER_ACTIONS]].sum(axis=1) ** 2 > 0.1
