"""What a seat saw at its earlier decisions of a hand, worked out again from what it sees now."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.game import BOARD_CARDS
from luckless.rules.state import PUBLIC, encode
from luckless.rules.views import UNSEEN, Past, Views

_BOARD_CARDS = np.array(BOARD_CARDS)


@njit(cache=True, nogil=True)
def _replay_to(rules: Any, now: Any, actions: Any, step: int, stacks: Any, out: NDArray[np.void]) -> None:
    """Plays each hand again up to a step; `out` are the records as they were then."""
    seats = rules[0].seats
    for row in range(len(now)):
        hand, later = out[row], now[row]
        for seat in range(seats):
            stacks[seat] = later.stack[seat] + later.invested[seat] - rules[0].pot_share
        engine.begin(rules[0], hand, stacks)
        hand.rounds_left = later.rounds_left
        hand.session_stack = later.session_stack
        for place in range(step):
            engine.act(rules[0], hand, actions[row, place])


def earlier_decisions(views: Views) -> Iterator[tuple[NDArray[np.int64], Views, NDArray[np.int64]]]:
    """For each step of the hands so far: the rows whose seat acted there, what it saw, and what it did."""
    rules = encode(views.game)
    taken = views.public["steps"]
    for step in range(int(taken.max(initial=0))):
        own = (step < taken) & (views.action_seats[:, step] == views.public["actor"])
        rows = np.flatnonzero(own)
        if not len(rows):
            continue
        public = np.zeros(len(rows), PUBLIC)
        stacks = np.empty(views.seats, np.int32)
        _replay_to(rules, views.public.take(rows), views.actions[rows, :step], step, stacks, public)
        yield rows, _seen_then(views, rows, public, step), views.actions[rows, step].astype(np.int64)


def _seen_then(views: Views, rows: NDArray[np.int64], public: NDArray[np.void], step: int) -> Views:
    cards = views.cards[rows]
    dealt = _BOARD_CARDS[public["street"]]
    cards[:, 2:][np.arange(5) >= dealt[:, None]] = UNSEEN
    past = Past.of(public["steps"], (part[rows, :step] for part in views.past))
    return Views(views.game, public, cards, past)
