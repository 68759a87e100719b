"""The batch engine as a batch: hidden cards, batch size, records, refusals, and what holds for every hand."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from luckless.bots.catalogue import load_bot
from luckless.bots.lineup import Lineup
from luckless.bots.python_bot import bot_of
from luckless.errors import InputError
from luckless.keys import Keys
from luckless.matches.match import Match
from luckless.matches.playing import Playing, Seated
from luckless.rules.actions import IllegalAction
from luckless.rules.game import Game
from luckless.rules.game_files import game_names
from luckless.rules.records import Records
from luckless.rules.state import PUBLIC
from luckless.rules.table import Table
from luckless.rules.views import Views

GAMES = ("nolimit-6max", "limit-hu", "nolimit-hu", "river-hu", "potlimit-6max", "limit-6max")


def play_out(table: Table, seed: int) -> Table:
    """Plays all hands with random legal actions."""
    random = np.random.default_rng(seed)
    while len(rows := table.waiting()):
        public = table.public[rows]
        amount = random.integers(public["min_raise_to"], public["max_raise_to"] + 1)
        kind = random.random(len(rows))
        raises = np.where((kind > 0.6) & (amount > 0), amount, 0)
        table.act(rows, np.where(kind < 0.1, -1, raises))
    return table


VARIANTS = ("as it is", "unequal stacks", "antes", "big-blind ante")
CASES = [(name, variant) for name in game_names() for variant in VARIANTS[: 2 if name == "river-hu" else 4]]
"""A game that starts on the river has no antes."""


def variant_of(name: str, variant: str) -> Game:
    """A named game, or the same with antes."""
    game = Game.load(name)
    if variant == "antes":
        return dataclasses.replace(game, antes=(game.big_blind // 2,) * game.seats)
    if variant == "big-blind ante":
        return dataclasses.replace(
            game, antes=tuple(game.big_blind * (blind == max(game.blinds)) for blind in game.blinds)
        )
    return game


def unequal_stacks(game: Game, hands: int, random: np.random.Generator) -> NDArray[np.int64]:
    """1 chip to 300 big blinds, uniform in the logarithm."""
    return np.exp(random.uniform(0, np.log(300 * game.big_blind), (hands, game.seats))).astype(np.int64)


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_views_of_hands_that_differ_only_in_hidden_cards_are_identical(name: str, variant: str) -> None:
    """At every decision of a batch: deal the hands anew, in about half of the rows with other cards wherever the seat
    to act cannot see them, and play the same actions. All that the seats see stays the same to the byte."""
    game, random = variant_of(name, variant), np.random.default_rng(5)
    stacks = None if variant == "as it is" else unequal_stacks(game, 30, random)
    table = Table.dealt(game, 3, np.arange(30), stacks)
    while len(rows := table.waiting()):
        seen = table.views(rows)
        decks = table.decks.copy()
        for place in range(len(rows)):
            if place == 0 or random.random() < 0.5:
                decks[rows[place]] = _with_other_hidden_cards(decks[rows[place]], seen.cards[place], random)
        assert (decks != table.decks).any()
        _assert_same_views(_played_again(table, decks).views(rows), seen)
        table.act(rows, np.where(random.random(len(rows)) < 0.4, seen.min_raise_to, 0))


def _assert_same_views(views: Views, seen: Views) -> None:
    assert views.to_bytes() == seen.to_bytes()
    for part in ("actions", "action_seats", "action_streets"):
        assert getattr(views, part).tobytes() == getattr(seen, part).tobytes()
    assert all(views.one(row) == seen.one(row) for row in range(len(seen)))


def _with_other_hidden_cards(
    deck: NDArray[np.uint8], seen: NDArray[np.uint8], random: np.random.Generator
) -> NDArray[np.uint8]:
    """A deck with every card that is not in `seen` replaced by any other unseen card."""
    changed = deck.copy()
    hidden = ~np.isin(deck, seen)
    changed[hidden] = random.choice(np.setdiff1d(np.arange(52), seen), hidden.sum(), replace=False)
    return changed


def _played_again(table: Table, decks: NDArray[np.uint8]) -> Table:
    """The hands of a table as far as they have come, with other decks."""
    again = Table(table.game, decks, table.stacks)
    past = [[action for _, _, action in table.history(row)] for row in range(len(table))]
    for step in range(max(map(len, past))):
        rows = np.array([row for row, actions in enumerate(past) if len(actions) > step])
        again.act(rows, [past[row][step] for row in rows])
    return again


@pytest.mark.interpreted
def test_views_of_hands_that_differ_in_a_card_that_is_seen_are_not_identical() -> None:
    table = Table.dealt(Game.load("nolimit-6max"), 3, np.arange(5))
    decks, rows = table.decks.copy(), table.waiting()
    seat = table.public["actor"][4]
    decks[4, 2 * seat] = np.setdiff1d(np.arange(52), decks[4])[0]
    assert _played_again(table, decks).views(rows).to_bytes() != table.views(rows).to_bytes()


@pytest.mark.interpreted
def test_writing_to_a_view_changes_nothing_at_the_table() -> None:
    table = Table.dealt(Game.load("nolimit-6max"), 1, np.arange(4))
    rows = table.waiting()
    before = table.public.tobytes(), table.decks.tobytes()
    for count in (1, len(rows)):  # one row is contiguous, and once was no copy
        views = table.views(rows[:count])
        for array in (views.public["pot"], views.cards, views.actions):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 5
        for copy in (views.pot, views.to_call, views.min_raise_to, views.hole, views.board):
            copy[:] = 5
        assert (views.pot == table.public["pot"][:count]).all()
        assert (views.hole != 5).any()
    assert (table.public.tobytes(), table.decks.tobytes()) == before


def test_a_public_record_has_no_gaps() -> None:
    """Bytes between fields would be copied along unseen, and could differ between equal records."""
    assert PUBLIC.itemsize == sum(PUBLIC[name].itemsize for name in PUBLIC.names or ())


def test_the_past_of_a_view_is_a_copy_of_its_own_hands() -> None:
    table = Table.dealt(Game.load("nolimit-6max"), 1, np.arange(4))
    for _ in range(3):
        table.act(table.waiting(), table.views(table.waiting()).min_raise_to)
    views = table.views(np.array([1, 3]))
    assert views.actions.shape == (2, 3)
    before = table.history(1)
    for part in views.past:
        with pytest.raises(ValueError, match="read-only"):
            part[:] = 7
    assert table.history(1) == before
    later = table.views(np.array([2]))
    table.act(np.array([2]), [0])
    assert later.actions.shape == (1, 3)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("rows", "actions", "message"),
    [
        ([0, 0], [-1, -1], "a row is given twice"),
        ([0, 1, 0], [-1, -1, -1], "a row is given twice"),
        ([0, 3], [0, 0], "rows run from 0 to 3; allowed is 0 to 2"),
        ([-1, 1], [0, 0], "rows run from -1 to 1; allowed is 0 to 2"),
        ([0, 1], [0, 250.9], "actions must be whole numbers that fit 64 bits; found float64"),
        ([0, 1], [0, 2**63], "actions must be whole numbers that fit 64 bits"),
        ([0, 1], [0], "2 rows need one action each; 1 were given"),
        ([0, 1], [[0, 0]], "actions must have at most 1 dimension; found 2"),
    ],
)
def test_rows_and_actions_that_do_not_fit_are_refused(rows: list[int], actions: Any, message: str) -> None:
    table = Table.dealt(Game.load("nolimit-hu"), 1, np.arange(3))
    before = table.public.tobytes()
    with pytest.raises(InputError, match=message):
        table.act(np.array(rows), actions)
    assert table.public.tobytes() == before


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("deck", "stacks", "message"),
    [
        ([0.2, 0.7, *range(2, 9)], None, "decks must be whole numbers"),
        (["2c"] * 9, None, "decks must be whole numbers"),
        ([[list(range(9))]], None, "decks must have at most 2 dimensions; found 3"),
        ([[0, 1], [2]], None, "decks must be rows of equal length"),
        (list(range(9)), [100.9, 100], "starting stacks must be whole numbers"),
        (list(range(9)), [100, 100, 100], r"starting stacks have the shape \(3,\); 1 hands of 2 seats need"),
    ],
)
def test_decks_and_stacks_that_do_not_fit_are_refused(deck: Any, stacks: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Table(Game.load("nolimit-hu"), deck, stacks)


@pytest.mark.interpreted
def test_stacks_and_the_pot_that_lies_there_fit_32_bits_together() -> None:
    game, deals = Game.load("river-hu"), np.arange(1)
    most = 2**31 - 1 - game.pot
    assert Table.dealt(game, 1, deals, [2**30, most - 2**30]).stacks.sum() == most
    with pytest.raises(InputError, match=r"together less than 2\*\*31"):
        Table.dealt(game, 1, deals, [2**30, most - 2**30 + 1])


class _Watcher:
    """A batch bot that notes whether it is ever shown two hands of one deal at once, by their equal boards."""

    shown_twice = 0

    def decide_batch(self, views: Views, dice: Any) -> NDArray[np.int64]:
        boards = views.board[views.street == 3]
        self.shown_twice += len(boards) - len(np.unique(boards, axis=0))
        return np.zeros(len(views), np.int64)


@pytest.mark.parametrize(("name", "others"), [("nolimit-hu", 1), ("nolimit-6max", 2), ("nolimit-6max", 5)])
def test_a_bot_is_never_shown_two_hands_of_one_deal_at_once(name: str, others: int) -> None:
    """It holds other cards in each of them, so together they would show what its opponents hold."""
    watcher = _Watcher()
    match = Match.plan(
        Game.load(name), [bot_of(watcher), *[load_bot("call")] * others], hands=600, seed=2, decks="duplicate"
    )
    assert sum(len(chunk.records) for chunk in match.chunks()) == 600
    assert watcher.shown_twice == 0


@pytest.mark.parametrize("name", GAMES)
def test_results_do_not_depend_on_the_batch(name: str) -> None:
    """Every hand of a batch equals the same hand played alone, and in any other batch."""
    game = Game.load(name)
    lineup = Lineup.of([load_bot("random")] * game.seats)
    playing = Playing(game, lineup, Keys(9))

    def play(numbers: NDArray[np.int64]) -> list[bytes]:
        players = np.tile(np.arange(game.seats, dtype=np.int8), (len(numbers), 1))
        records = playing.play(Seated(numbers, numbers, players)).records
        return [records.actions_of(i).tobytes() + records.payoffs[i].tobytes() for i in range(len(records))]

    numbers = np.arange(200)
    together = play(numbers)
    assert [play(numbers[i : i + 1])[0] for i in range(200)] == together
    assert play(numbers[::-1].copy())[::-1] == together


def test_worker_count_changes_nothing() -> None:
    match = Match.plan(Game.load("nolimit-6max"), [load_bot("random")] * 6, hands=60_000, seed=4)
    one, three = ([chunk.records for chunk in match.chunks(workers=workers)] for workers in (1, 3))
    assert len(one) > 2
    a, b = Records.joined(one), Records.joined(three)
    assert a.actions.tobytes() == b.actions.tobytes()
    assert a.ends.tobytes() == b.ends.tobytes()
    assert a.payoffs.tobytes() == b.payoffs.tobytes()


@pytest.mark.parametrize("name", GAMES)
def test_a_record_replays_and_settles_to_the_same_chips(name: str) -> None:
    game = Game.load(name)
    records = play_out(Table.dealt(game, 6, np.arange(500)), seed=6).records()
    again = Table(game, records.decks, records.stacks)
    place = np.zeros(500, np.int64)
    while len(rows := again.waiting()):
        starts = np.concatenate([[0], records.ends])[rows]
        again.act(rows, records.actions[starts + place[rows]])
        place[rows] += 1
    assert (again.records().payoffs == records.payoffs).all()
    assert again.records().actions.tobytes() == records.actions.tobytes()


@settings(deadline=None, max_examples=60)
@given(
    seats=st.integers(2, 10),
    big=st.integers(1, 100),
    seed=st.integers(0, 10**6),
    betting=st.sampled_from(["no-limit", "pot-limit", "limit"]),
    data=st.data(),
)
def test_what_holds_for_every_hand(seats: int, big: int, seed: int, betting: str, data: st.DataObject) -> None:
    """Chips are conserved, no stack is negative, every hand ends, the legal set is never empty."""
    stacks = data.draw(st.lists(st.integers(1, 300 * big), min_size=seats, max_size=seats))
    blinds = [big, big // 2] if seats == 2 else [big // 2, big] + [0] * (seats - 2)
    game = Game.from_dict(
        {
            "name": "any",
            "betting": betting,
            "seats": seats,
            "blinds": blinds,
            "stacks": [max(max(stacks), big)] * seats,
            **({"bet_sizes": [big, big, 2 * big, 2 * big], "max_bets": [4, 4, 4, 4]} if betting == "limit" else {}),
        }
    )
    check_invariants(Table.dealt(game, seed, np.arange(50), np.tile(stacks, (50, 1))), seed)


def check_invariants(table: Table, seed: int) -> None:
    random = np.random.default_rng(seed)
    seats = table.game.seats
    total = table.stacks.sum(axis=1) + table.game.pot
    for _ in range(100_000):
        rows = table.waiting()
        if len(rows) == 0:
            break
        public = table.public[rows]
        assert (public["stack"][:, :seats] >= 0).all()
        assert (public["stack"][:, :seats].sum(axis=1) + public["pot"] == total[rows]).all()
        assert (public["to_call"] >= 0).all()
        assert table.can(rows, np.full(len(rows), -1)).all()
        assert table.can(rows, np.zeros(len(rows), np.int64)).all()
        open_to = public["max_raise_to"] > 0
        assert (public["min_raise_to"][open_to] <= public["max_raise_to"][open_to]).all()
        assert table.can(rows[open_to], public["min_raise_to"][open_to]).all()
        assert table.can(rows[open_to], public["max_raise_to"][open_to]).all()
        amount = random.integers(public["min_raise_to"], public["max_raise_to"] + 1)
        table.act(rows, np.where(random.random(len(rows)) < 0.1, -1, amount * (random.random(len(rows)) < 0.5)))
    records = table.records()
    assert (records.payoffs.sum(axis=1) == 0).all()
    assert (table.stacks + table.game.pot_share + records.payoffs >= 0).all()


@pytest.mark.interpreted
def test_an_illegal_action_is_refused_and_nothing_is_done() -> None:
    table = Table.dealt(Game.load("nolimit-hu"), 1, np.arange(3))
    before = table.public.tobytes()
    with pytest.raises(
        IllegalAction, match=r"hand 2: seat 1 on the preflop: a raise to 150 is below the minimum of 200"
    ):
        table.act(np.arange(3), [0, 0, 150])
    assert table.public.tobytes() == before


def test_an_unfinished_hand_has_no_record() -> None:
    table = Table.dealt(Game.load("nolimit-hu"), 1, np.arange(3))
    with pytest.raises(InputError, match="hand 0 is not over"):
        table.records()


@pytest.mark.parametrize(
    ("deck", "complaint"),
    [
        ([0, 1, 2, 3, 4, 5, 6, 7, 0], "deck 0 has 2c twice"),
        ([0, 1, 2, 3, 4, 5, 6, 7], "has 9 cards, not 8"),
        ([0, 1, 2, 3, 4, 5, 6, 7, 52], "0 to 51"),
    ],
)
def test_a_wrong_deck_is_refused(deck: list[int], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Table(Game.load("nolimit-hu"), [deck])


@pytest.mark.parametrize("stacks", [[[0, 100]], [[100, -1]], [[2**30, 2**30]]])
def test_wrong_stacks_are_refused(stacks: list[list[int]]) -> None:
    game = Game.load("nolimit-hu")
    with pytest.raises(InputError, match="starting stacks"):
        Table.dealt(game, 1, [0], stacks)


@pytest.mark.interpreted
def test_one_view_says_the_same_as_the_arrays() -> None:
    table = Table.dealt(Game.load("nolimit-6max"), 8, np.arange(50))
    table.act(table.waiting(), np.full(50, 6))
    table.act(table.waiting(), np.zeros(50, np.int64))
    views = table.views(table.waiting())
    one = views.one(7)
    assert one.hole == tuple(views.hole[7].tolist())
    assert one.board == ()
    assert [(past.seat, past.action) for past in one.history] == [(2, 6), (3, 0)]
    assert (one.seat, one.pot, one.to_call) == (4, 15, 6)
    assert (one.min_raise_to, one.max_raise_to) == (10, 200)
    assert one.stacks == (199, 198, 194, 194, 200, 200)


def test_a_bot_object_needs_one_of_the_two_methods() -> None:
    with pytest.raises(InputError, match="needs one of `decide"):
        bot_of(object())
