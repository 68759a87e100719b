"""With what probabilities bots act: as they state them, so they play."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from decisions import decisions_of, sampled_actions
from luckless.bots.bot import Bot, NoProbabilities, all_hands
from luckless.bots.catalogue import load_bot
from luckless.bots.dice import BatchDice
from luckless.bots.distribution import ActionDistribution, BadProbabilities
from luckless.bots.python_bot import bot_of
from luckless.bots.registry import ENTRIES
from luckless.hands.pairs import PAIR_CARDS
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.rules.views import Past, View, Views

FEW = ":samples=20"
SPECS = [entry.name + (FEW if entry.parameters else "") for entry in ENTRIES]
GAMES = ["nolimit-hu", "limit-hu", "nolimit-6max", "river-hu"]
MIXES = ["mix:call=2,raise=1", "mix:random=1,pot-odds-mixed=2:risk=0.3,fold=1"]


def situations(game: str, count: int) -> Views:
    """Situations of all streets, met by `uniform` against itself and `call`."""
    seats = Game.load(game).seats
    bots = [load_bot("uniform"), *[load_bot("call" if seat % 2 else "uniform") for seat in range(1, seats)]]
    table_views = [views for views, _ in decisions_of(game, bots, 400)]
    parts = [views.rows(np.arange(0, len(views), max(len(views) // 20, 1))) for views in table_views]
    return joined(parts).rows(slice(0, count))


def joined(parts: list[Views]) -> Views:
    width = max(int(part.public["steps"].max(initial=0)) for part in parts)
    log = [
        np.concatenate(
            [np.pad(getattr(part, name), ((0, 0), (0, width - getattr(part, name).shape[1]))) for part in parts]
        )
        for name in ("actions", "action_seats", "action_streets")
    ]
    public = np.concatenate([part.public for part in parts])
    past = Past.of(public["steps"], log)
    return Views(parts[0].game, public, np.concatenate([part.cards for part in parts]), past)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spec", [*SPECS, *MIXES])
def test_the_law_forbids_nothing_that_the_bot_does(spec: str, game: str) -> None:
    """Over whole matches: probabilities sum to 1, name only legal actions, and what was done had some of them."""
    others = [load_bot(("uniform", "call")[seat % 2]) for seat in range(Game.load(game).seats - 1)]
    bot, decisions = load_bot(spec), 0
    for views, actions in decisions_of(game, [bot, *others], 150):
        law = bot.probabilities(views).checked(views)
        assert (law.of(actions) > 0).all()
        decisions += len(actions)
    assert decisions > 100


@pytest.mark.parametrize("game", ["nolimit-hu", "nolimit-6max"])
@pytest.mark.parametrize("spec", [*SPECS, "pot-odds:win=simulate,samples=20"])
def test_the_order_of_the_own_cards_does_not_count(spec: str, game: str) -> None:
    """Who asks for all hands asks for each of them in one order only."""
    bot, views = load_bot(spec), situations(game, 60)
    turned = Views(views.game, views.public, views.cards[:, [1, 0, 2, 3, 4, 5, 6]], views.past)
    first, second = (bot.probabilities(rows).checked(rows) for rows in (views, turned))
    for part in ("low", "high", "probability"):
        np.testing.assert_array_equal(getattr(first, part), getattr(second, part))


@pytest.mark.parametrize("times", [700, pytest.param(7_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", ["nolimit-hu", "limit-hu", "nolimit-6max"])
@pytest.mark.parametrize("spec", SPECS)
def test_the_stated_law_is_the_law_of_the_decisions(spec: str, game: str, times: int) -> None:
    """Chi-square over the entries of the law in 50 situations; the slow test draws over a million decisions a bot.

    A wrong probability of 1/3 by one hundredth moves the statistic of a situation by 7,000 x 0.01^2 / 0.33 = 2, over
    50 situations by 100, ten of its standard deviations; with 700 decisions a wrong 1/3 by three hundredths does. A
    right law fails at p < 1e-5.
    """
    bot, rows = load_bot(spec), situations(game, 50)
    law = bot.probabilities(rows).checked(rows)
    statistic, freedom = 0.0, 0
    repeated = rows.rows(np.repeat(np.arange(len(rows)), times))
    drawn = sampled_actions(bot, repeated).reshape(len(rows), times)
    for row in range(len(rows)):
        entries = law.row(row)
        counts = np.array([((low <= drawn[row]) & (drawn[row] <= high)).sum() for low, high, _ in entries])
        assert counts.sum() == times
        expected = np.array([share for _, _, share in entries]) * times
        common = expected > 5
        statistic += (((counts - expected) ** 2 / expected)[common]).sum()
        freedom += int(common.sum()) - 1
        for low, high, share in entries:
            if share * times > 200 and high > low + 50:  # inside a range all raises are alike
                inside = drawn[row][(low <= drawn[row]) & (drawn[row] <= high)]
                assert abs(inside.mean() - (low + high) / 2) < 5 * (high - low + 1) / np.sqrt(12 * len(inside))
    if freedom:
        assert stats.chi2.sf(statistic, freedom) > 1e-5
    else:
        assert statistic == pytest.approx(0)


def test_a_wrong_law_is_found() -> None:
    """The test above has teeth: 1/3 stated as 0.32 in `random` is found."""
    rows = situations("limit-hu", 50)
    law = load_bot("random").probabilities(rows)
    drawn = sampled_actions(load_bot("random"), rows.rows(np.repeat(np.arange(50), 7_000))).reshape(50, -1)
    folds = (drawn == -1).sum(axis=1)
    right, wrong = (float(((folds - share * 7000) ** 2 / (share * 7000)).sum()) for share in (1 / 3, 0.32))
    assert stats.chi2.sf(right, 50) > 1e-5
    assert stats.chi2.sf(wrong, 50) < 1e-5
    assert law.of(np.full(50, -1)) == pytest.approx(1 / 3)


@pytest.mark.parametrize("spec", MIXES)
@pytest.mark.parametrize("game", ["limit-hu", "nolimit-6max"])
def test_a_mix_is_calibrated_given_its_own_past(spec: str, game: str) -> None:
    """Among all decisions of a mix, folds, calls and raises come as often as its law says: within 4 standard errors.

    Judged by its members' average alone, a mix of `call` and `raise` would be wrong at every second decision.
    """
    bot = load_bot(spec)
    others = [load_bot("uniform") for _ in range(Game.load(game).seats - 1)]
    later_misses, later_variance = np.zeros(3), np.zeros(3)
    for views, actions in decisions_of(game, [bot, *others], 3000):
        law = bot.probabilities(views).checked(views)
        assert (law.of(actions) > 0).all()
        kinds = law.kinds()
        done = np.stack([actions == -1, actions == 0, actions > 0], axis=1)
        later_misses += (done - kinds).sum(axis=0)
        later_variance += (kinds * (1 - kinds)).sum(axis=0)
    assert (np.abs(later_misses) <= 4 * np.sqrt(later_variance) + 1e-9).all()
    assert later_variance.sum() > 0


def test_the_past_of_a_mix_says_which_member_plays() -> None:
    """`mix:call=2,raise=1` that has raised once is surely `raise`; if it has called and could raise, it is `call`."""
    bot = load_bot("mix:call=2,raise=1")
    certain = 0
    for views, actions in decisions_of("limit-hu", [bot, load_bot("call")], 400):
        law = bot.probabilities(views)
        own_past = (views.action_seats == views.seat[:, None]) & (
            np.arange(views.actions.shape[1]) < views.public["steps"][:, None]
        )
        acted = own_past.any(axis=1)
        assert law.of(actions)[acted] == pytest.approx(1)
        certain += int(acted.sum())
        fresh = ~acted & (views.max_raise_to > 0)
        assert law.of(np.zeros(len(views)))[fresh] == pytest.approx(2 / 3)
    assert certain > 500


def test_all_hands_of_a_situation_at_once() -> None:
    views = situations("nolimit-hu", 400)
    flops = int(np.argmax(views.street == 1))
    for row, count in ((0, 1326), (flops, 1176)):
        bot = load_bot("pot-odds-mixed")
        law, numbers = all_hands(bot, views, row)
        assert len(law) == len(numbers) == count
        seen = np.flatnonzero((PAIR_CARDS[numbers] == np.sort(views.hole[row])).all(axis=1))
        assert len(seen) == 1
        alone = bot.probabilities(views.rows(slice(row, row + 1)))
        assert law.row(int(seen[0])) == alone.row(0)
        board = set(views.board[row].tolist())
        assert not any(board & set(hand) for hand in PAIR_CARDS[numbers].tolist())


class Third:
    """States its law, and nothing else."""

    def probabilities(self, view: View) -> dict[int, float]:
        if view.can_raise:
            return {-1: 0.2, 0: 0.5, view.max_raise_to: 0.3}
        return {0: 1.0}


class ThirdBatch:
    """The same for a batch."""

    def probabilities_batch(self, views: Views) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        opened = views.max_raise_to > 0
        actions = np.stack([np.full(len(views), -1), np.zeros(len(views), np.int64), views.max_raise_to], axis=1)
        weights = np.where(opened[:, None], [0.2, 0.5, 0.3], [0.0, 1.0, 0.0])
        return actions.astype(np.int64), weights


@pytest.mark.parametrize("player", [Third(), ThirdBatch()], ids=["one", "batch"])
def test_a_bot_that_only_states_its_law_plays_by_it(player: Any) -> None:
    bot, rows = bot_of(player), situations("nolimit-hu", 4)
    rows = rows.rows(np.flatnonzero(rows.max_raise_to > 0)[:1])
    law = bot.probabilities(rows)
    assert sorted(law.row(0)) == [(-1, -1, 0.2), (0, 0, 0.5), (rows.max_raise_to[0], rows.max_raise_to[0], 0.3)]
    times = 4000
    drawn = sampled_actions(bot, rows.rows(np.zeros(times, np.int64)))
    counts = [(drawn == -1).sum(), (drawn == 0).sum(), (drawn > 0).sum()]
    assert stats.chisquare(counts, [0.2 * times, 0.5 * times, 0.3 * times]).pvalue > 1e-4


class Steady:
    """Deterministic; wrong on the river, where the answer is made for it."""

    def decide(self, view: View, dice: object) -> Any:
        return "?" if view.street == 3 else view.min_raise_to


class SteadyBatch:
    def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
        return views.min_raise_to.astype(np.int64)


class Rolls:
    def decide(self, view: View, dice: Any) -> int:
        return -int(dice.random() < 0.5)


class RollsItsOwn:
    def __init__(self) -> None:
        self.numbers = np.random.default_rng(1)

    def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
        return -self.numbers.integers(0, 2, len(views))


class Remembers:
    memory = True

    def decide(self, view: View, dice: object) -> int:
        return 0


def test_a_deterministic_bot_is_simply_asked() -> None:
    rows = situations("nolimit-hu", 40)
    for player in (Steady(), SteadyBatch()):
        law = bot_of(player).probabilities(rows)
        wanted = rows.min_raise_to.astype(np.int64)
        if isinstance(player, Steady):
            wanted = np.where(rows.street == 3, np.where(rows.to_call == 0, 0, -1), wanted)
        assert law.of(wanted) == pytest.approx(1)


@pytest.mark.parametrize(
    ("player", "message"),
    [
        (Rolls(), "acts at random"),
        (RollsItsOwn(), "answers the same situation differently"),
        (Remembers(), "keeps memory between hands"),
    ],
)
def test_bots_whose_law_is_not_known_say_why(player: Any, message: str) -> None:
    with pytest.raises(NoProbabilities, match=message):
        bot_of(player, "own").probabilities(situations("nolimit-hu", 30))


def stated(law: Any) -> Bot:
    class States:
        def probabilities(self, view: View) -> Any:
            return law

    return bot_of(States(), "own")


@pytest.mark.parametrize(
    ("law", "message"),
    [
        ({0: 0.6, -1: 0.3}, "bot own: decision 0: the probabilities sum to 0.9, not 1"),
        ({0: 1.5, -1: -0.5}, "decision 0: a probability is -0.5"),
        ({0: float("nan")}, "decision 0: a probability is nan"),
        ({1: 1.0}, "decision 0: 1 is not a legal action"),
        ({-2: 1.0}, "-2 is not a legal action"),
        ([0.5], "gave a list"),
        ({}, "gave an empty dictionary"),
        ({0.5: 1.0}, "gave the action 0.5; actions are whole numbers"),
        ({0: float("inf")}, "decision 0: a probability is inf"),
    ],
)
def test_what_is_not_a_law_is_refused(law: Any, message: str) -> None:
    with pytest.raises((BadProbabilities, ValueError), match=message):
        stated(law).probabilities(situations("nolimit-hu", 3))


def test_a_distribution_of_broken_actions_is_refused() -> None:
    class Breaks:
        def probabilities_batch(self, views: Views) -> ActionDistribution:
            halves: Any = np.full((len(views), 1), 250.5)
            return ActionDistribution(halves, halves, np.ones((len(views), 1)))

    with pytest.raises(BadProbabilities, match="own: actions must be whole numbers"):
        bot_of(Breaks(), "own").probabilities(situations("nolimit-hu", 3))


def test_a_law_that_raises_is_refused_with_its_error() -> None:
    class Fails:
        def probabilities(self, view: View) -> dict[int, float]:
            raise RuntimeError("no weights")

    with pytest.raises(NoProbabilities, match="own: its probabilities failed with RuntimeError: no weights"):
        bot_of(Fails(), "own").probabilities(situations("nolimit-hu", 3))


def table_rows(views: Views) -> Iterator[list[tuple[int, int, float]]]:
    yield from (load_bot("random").probabilities(views).row(row) for row in range(len(views)))


def test_a_range_of_raises_is_one_entry() -> None:
    table = Table.dealt(Game.load("nolimit-hu"), 1, [0])
    views = table.views(np.array([0]))
    assert list(table_rows(views)) == [[(-1, -1, 1 / 3), (0, 0, 1 / 3), (200, 20_000, 1 / 3)]]
    law = load_bot("random").probabilities(views)
    assert law.of([5_000]) == pytest.approx(1 / 3 / 19_801)
    assert law.kinds() == pytest.approx(np.full((1, 3), 1 / 3))


def test_mixture_and_columns() -> None:
    one, two = ActionDistribution.certain([0, 0]), ActionDistribution.of_columns([-1, 0], [[0.5, 0.5], [1.0, 0.0]])
    mixed = ActionDistribution.mixture(np.array([[0.5, 0.5], [0.0, 1.0]]), [one, two])
    assert mixed.of([0, 0]) == pytest.approx([0.75, 0])
    assert mixed.of([-1, -1]) == pytest.approx([0.25, 1])
    with pytest.raises(BadProbabilities, match="shape"):
        ActionDistribution.of_columns([[0], [0], [0]], [[1.0, 0.0]])
