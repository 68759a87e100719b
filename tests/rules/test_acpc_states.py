"""State lines of the competition's protocol: the real logs' strings, states seen by one seat, and what is refused."""

import contextlib
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.rules.acpc_states import (
    betting_text,
    check_carried,
    chips_before,
    folds_for_free,
    parse_action,
    parse_state,
    state_text,
    table_of,
)
from luckless.rules.endings import ending_of
from luckless.rules.game import BOARD_CARDS, Game
from luckless.rules.table import Table
from luckless.rules.views import PastAction
from real_hands import ACPC_GAMES, acpc_game, originals

LIMIT, NO_LIMIT = Game.load("limit-hu"), Game.load("nolimit-hu")


def test_the_strings_of_real_logs_are_read_and_written_back() -> None:
    """A log's line shows all cards; as a state of any seat it is read, replayed, and written to the same letters."""
    hands = 0
    for name, log in originals("acpc").items():
        game = acpc_game(name)
        for line in log.splitlines():
            if not line.startswith("STATE:"):
                continue
            _, number, betting, cards, _, _ = line.split(":")
            text = f"MATCHSTATE:{hands % game.seats}:{number}:{betting}:{cards}"
            state = parse_state(game, text)
            table = table_of(game, state)
            assert table.finished
            history = table.history(0)
            seen = (state.seat, state.number, history, len(state.streets) - 1, state.holes, state.board)
            assert state_text(game, *seen) == text
            hands += 1
    assert hands == 4000


def test_every_state_on_the_way_reads_back() -> None:
    """Random hands: after each action, what every seat sees is written, read and replayed to the same hand."""
    seed = 5
    random = np.random.default_rng(seed)
    for game in map(Game.load, ACPC_GAMES.values()):
        for deal in range(40):
            table = Table.dealt(game, seed, [deal])
            while not table.finished:
                _check_state(table, deal, [None] * game.seats)
                legal = table.legal(0)
                raises = [int(random.integers(legal.min_raise_to, legal.max_raise_to + 1))] if legal.can_raise else []
                table.act(np.array([0]), [int(random.choice([0, *raises, *([-1] if legal.call else [])]))])
            ending = ending_of(table, table.records(), 0, 0)
            _check_state(table, deal, ending.shown)


def _check_state(table: Table, deal: int, shown: Sequence[tuple[int, int] | None]) -> None:
    game, deck, public = table.game, table.decks[0].tolist(), table.public[0]
    street = 3 if public["showdown"] else int(public["street"])
    board = deck[2 * game.seats :]
    for seat in range(game.seats):
        holes = list(shown)
        holes[seat] = (deck[2 * seat], deck[2 * seat + 1])
        text = state_text(game, seat, deal, table.history(0), street, holes, board)
        again = parse_state(game, text)
        assert (again.seat, again.number, list(again.holes)) == (seat, deal, holes)
        assert list(again.board) == board[: BOARD_CARDS[street]]
        replayed = table_of(game, again)
        assert replayed.history(0) == table.history(0)
        assert replayed.public[0] == table.public[0]
        if all(holes):
            assert replayed.records().payoffs.tolist() == table.records().payoffs.tolist()


def test_raises_count_all_chips_of_the_player() -> None:
    """The example of the protocol's kind: 300 before the flop, then 500 more is r800."""
    history = (PastAction(0, 1, 300), PastAction(0, 0, 0), PastAction(1, 0, 0), PastAction(1, 1, 500))
    assert betting_text(NO_LIMIT, history, 1) == "r300c/cr800"
    assert chips_before(NO_LIMIT, history, 1) == 300
    assert parse_action(NO_LIMIT, "r1500", 300, 0) == 1200
    assert betting_text(LIMIT, (PastAction(0, 1, 20), PastAction(0, 0, 0)), 1) == "rc/"


def test_what_a_seat_sees() -> None:
    hole = parse_cards("5d5c")
    text = state_text(
        NO_LIMIT, 0, 30, [PastAction(0, 1, 0), PastAction(0, 0, 0)], 1, [(hole[0], hole[1]), None], [1] * 5
    )
    assert text == "MATCHSTATE:0:30:cc/:5d5c|/2d2d2d"
    three = Game.load("nolimit-3max")
    assert state_text(three, 2, 0, [], 0, [None, None, (hole[0], hole[1])], []) == "MATCHSTATE:2:0::||5d5c"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "STATE:0:cc/:AcKc|",
        "MATCHSTATE:2:0::AcKc|",  # no such seat
        "MATCHSTATE:0:0::|AcKc",  # own cards missing
        "MATCHSTATE:0:0::AcKc||",  # three seats
        "MATCHSTATE:0:0::Ac|",
        "MATCHSTATE:0:0::AcKx|",
        "MATCHSTATE:0:0:x:AcKc|",
        "MATCHSTATE:0:0:r:AcKc|",  # no amount
        "MATCHSTATE:0:0:cc:AcKc|",  # the flop has been reached
        "MATCHSTATE:0:0:c/:AcKc|/2c3c4c",  # it has not
        "MATCHSTATE:0:0:cc/:AcKc|/2c3c",
        "MATCHSTATE:0:0:cc/:AcKc|/AcTdTh",
        "MATCHSTATE:0:0:fc:AcKc|",  # over
        "MATCHSTATE:0:0:r50:AcKc|",  # below the minimum
        "MATCHSTATE:0:0:r0:AcKc|",
        "MATCHSTATE:0:0:r200c/r199:AcKc|/2c3c4c",  # would be a fold by arithmetic
        "MATCHSTATE:0:0:r99999:AcKc|",
        "MATCHSTATE:0:0:cc/cc/cc/cc/:AcKc|7h6h/2c3c4c/5c/6c/7c",
    ],
)
def test_states_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        table_of(NO_LIMIT, parse_state(NO_LIMIT, text))


@given(st.text(max_size=60) | st.text("MATCHSTE:0123456789fcr/|AcKdh", max_size=60).map("MATCHSTATE:0:".__add__))
def test_any_text_is_read_or_refused(text: str) -> None:
    for game in (LIMIT, NO_LIMIT):
        with contextlib.suppress(InputError):
            table_of(game, parse_state(game, text))


@pytest.mark.slow
def test_mutated_states_of_real_logs_are_read_or_refused() -> None:
    """A hundred thousand real lines with letters changed, cut, doubled or swapped."""
    random = np.random.default_rng(8)
    read = 0
    for name, log in originals("acpc").items():
        game = acpc_game(name)
        lines = [line.split(":") for line in log.splitlines() if line.startswith("STATE:")]
        for number in range(25_000):
            _, hand, betting, cards, *_ = lines[number % len(lines)]
            letters = list(f"MATCHSTATE:{number % game.seats}:{hand}:{betting}:{cards}")
            for _ in range(random.integers(1, 4)):
                place, other = random.integers(0, len(letters), 2)
                change = random.integers(4)
                if change == 0:
                    letters[place] = random.choice(list("fcr/:|AKh29"))
                elif change == 1:
                    del letters[place]
                elif change == 2:
                    letters.insert(place, letters[other])
                else:
                    letters[place], letters[other] = letters[other], letters[place]
            with contextlib.suppress(InputError):
                table_of(game, parse_state(game, "".join(letters)))
                read += 1
    assert read > 0


@pytest.mark.parametrize("name", ["potlimit-6max", "river-hu"])
def test_games_that_the_protocol_cannot_carry_are_named(name: str) -> None:
    with pytest.raises(InputError, match="cannot carry"):
        check_carried(Game.load(name))


def test_folding_for_free_is_noticed() -> None:
    limp, option = PastAction(0, 1, 0), PastAction(0, 0, -1)
    assert folds_for_free(NO_LIMIT, [limp, option])
    assert not folds_for_free(NO_LIMIT, [PastAction(0, 1, -1)])
    assert not folds_for_free(NO_LIMIT, [PastAction(0, 1, 300), PastAction(0, 0, -1)])
    checked = [limp, PastAction(0, 0, 0), PastAction(1, 0, 0)]
    assert folds_for_free(NO_LIMIT, [*checked, PastAction(1, 1, -1)])
    assert not folds_for_free(NO_LIMIT, [*checked, PastAction(1, 1, 100), PastAction(1, 0, -1)])
