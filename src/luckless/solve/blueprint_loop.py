"""Whole hands of a match with blueprints inside one compiled loop, beside compiled rules or each other.

Where a blueprint stands in its tree is kept from action to action, and its bucket from street to street. Only matches
in which a blueprint plays compile this. The hands are those that it plays when it is asked decision by decision.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.compiled import decide
from luckless.bots.dice import fraction
from luckless.kernels import njit
from luckless.matches.compiled import Setup, end_hand
from luckless.randomness import BOT, random_bits_at
from luckless.rules.dealing import deal_deck
from luckless.rules.engine import act, begin
from luckless.rules.records import HandArrays
from luckless.rules.state import PUBLIC
from luckless.rules.views import see_cards
from luckless.solve.blueprint_limit_loop import LimitPlayers, play_limit_hands
from luckless.solve.blueprint_paths import (
    MOST_ENTRIES,
    MOST_PATHS,
    Paths,
    PlayedBlueprint,
    begin_table,
    make_action,
    mixture,
    next_street,
    step_paths,
    walk_paths,
)
from luckless.solve.card_buckets import bucket_of

MOST_STEPS = 4096
"""Actions of a hand that are remembered for a blueprint that is lost: more than 400 big blinds allow."""


class Blueprints(NamedTuple):
    """The blueprints of a match (one may stand twice), and for each of its bots which of them it plays, or -1."""

    played: tuple[PlayedBlueprint, PlayedBlueprint]
    which: NDArray[np.int64]


class _Followed(NamedTuple):
    """Where both seats stand in their trees: paths in two halves, which half holds them and how many they are; the
    rows of the buckets and up to which street they are known; the real table; seats and streets of past actions."""

    node: NDArray[np.int64]
    weight: NDArray[np.float64]
    half: NDArray[np.int64]
    number: NDArray[np.int64]
    rows: NDArray[np.int64]
    known: NDArray[np.int64]
    real: NDArray[np.int64]
    seats: NDArray[np.int8]
    streets: NDArray[np.int8]


@njit(cache=True, nogil=True)
def _start(played: PlayedBlueprint, hand: Any, followed: _Followed) -> None:
    """A hand begins: both seats stand at the root."""
    begin_table(played, hand, followed.real)
    for seat in range(2):
        followed.node[seat, 0], followed.weight[seat, 0] = 0, 1.0
        followed.half[seat], followed.number[seat], followed.known[seat] = 0, 1, -1


@njit(cache=True, nogil=True)
def _follow(played: PlayedBlueprint, seat: Any, actor: Any, action: Any, followed: _Followed) -> None:
    """One seat takes note of an action, before it is made at the real table."""
    paths = Paths(followed.node[seat], followed.weight[seat])
    move = (action, actor, not played.limit and seat == actor)
    state = (followed.real, followed.rows[seat])
    followed.number[seat] = step_paths(played, paths, followed.half[seat], followed.number[seat], move, state)
    followed.half[seat] = 1 - followed.half[seat]


@njit(cache=True, nogil=True)
def _law(played: PlayedBlueprint, hand: Any, made: Any, cards: Any, followed: _Followed, out: Any) -> None:
    """Fills the law of the actor; `made` are the actions so far."""
    seat, street = hand.actor, hand.street
    rows, paths = followed.rows[seat], Paths(followed.node[seat], followed.weight[seat])
    if followed.known[seat] < street:
        rows[street] = played.start[street] + bucket_of(cards, street, played.buckets) * played.tree.width[street]
        followed.known[seat] = street
    half, count = followed.half[seat], followed.number[seat]
    work = (paths, rows, followed.real)
    if count == 0 and not played.limit:
        half, count = walk_paths(played, hand, (made, followed.seats, followed.streets), False, work)
    mixture(played, hand, half, count, work, out)


@njit(cache=True, nogil=True)
def draw_action(actions: NDArray[np.int64], chances: NDArray[np.float64], word: Any) -> Any:
    """The action that `ActionDistribution.draw` takes with this random word."""
    total = 0.0
    for chance in chances:
        total += chance
    drawn, running = fraction(word) * total, chances[0]
    entry = 0
    while drawn >= running and entry < len(chances) - 1:
        entry += 1
        running += chances[entry]
    return actions[entry]


@njit(cache=True, nogil=True)
def play_blueprint_hands(
    setup: Setup, blueprints: Blueprints, deals: Any, players: Any, first: int, out: HandArrays, streets: Any
) -> int:
    """`matches.compiled.play_hands` for matches in which blueprints play."""
    rules, source, session = setup.rules[0], setup.source, setup.session
    buffer = np.zeros(1, PUBLIC)
    pack, cards = np.empty(52, np.uint8), np.empty(7, np.uint8)
    law = (np.empty(MOST_ENTRIES, np.int64), np.empty(MOST_ENTRIES))
    followed = _Followed(
        np.empty((2, 2 * MOST_PATHS), np.int64), np.empty((2, 2 * MOST_PATHS)), np.zeros(2, np.int64),
        np.zeros(2, np.int64), np.zeros((2, 4), np.int64), np.zeros(2, np.int64), np.zeros(7, np.int64),
        np.zeros(MOST_STEPS, np.int8), np.zeros(MOST_STEPS, np.int8),
    )  # fmt: skip
    end = out.ends[first - 1] if first > 0 else 0
    for row in range(first, len(deals)):
        hand, deck = buffer[0], out.decks[row]
        deal_deck(pack, setup.fixed_board, setup.key, deals[row], deck)
        begin(rules, hand, out.stacks[row])
        hand.rounds_left, hand.session_stack = session.rounds_left, session.stack
        _start(blueprints.played[0], hand, followed)
        street = 0
        while hand.actor >= 0:
            step, seat = hand.steps, hand.actor
            if end + step == len(out.actions):
                return row
            while street < hand.street:
                next_street(blueprints.played[0], followed.real)
                street += 1
            role = players[row, seat]
            see_cards(hand, deck, seat, cards)
            words = random_bits_at(setup.key, 0, deals[row], BOT + seat, step)
            if blueprints.which[role] < 0:
                action = np.int64(decide(setup.bots[role], rules, hand, cards, words, source))
            else:
                played = blueprints.played[blueprints.which[role]]
                _law(played, hand, out.actions[end : end + step], cards, followed, law)
                action = np.int64(draw_action(law[0], law[1], words[0]))
            for other in range(2):
                number = blueprints.which[players[row, other]]
                if number >= 0:
                    _follow(blueprints.played[number], other, seat, action, followed)
            followed.seats[step], followed.streets[step] = seat, hand.street
            make_action(followed.real, seat, action)
            out.actions[end + step] = action
            act(rules, hand, action)
        end = end_hand(rules, hand, row, end, out, streets)
    return len(deals)


def blueprint_loop(played: Sequence[PlayedBlueprint | None], setup: Setup) -> Callable[..., int]:
    """What plays the hands of a match; `played` has the blueprint of each bot, None for compiled rules."""
    distinct: list[PlayedBlueprint] = []
    which = np.full(len(played), -1, np.int64)
    for place, one in enumerate(played):
        if one is not None:
            which[place] = len(distinct)
            distinct.append(one)
    first, last = distinct[0], distinct[-1]
    enough = _most_put_in(setup) if first.limit else 0

    def play(deals: Any, players: Any, row: int, out: HandArrays, streets: Any) -> int:
        if first.limit and out.stacks.min(initial=enough) >= enough:
            return int(play_limit_hands(setup, limit, deals, players, row, out, streets))
        return int(play_blueprint_hands(setup, any_stacks, deals, players, row, out, streets))

    limit, any_stacks = LimitPlayers.of(first, last, which), Blueprints((first, last), which)
    return play


def _most_put_in(setup: Setup) -> int:
    """The chips that a seat needs to make all bets that a limit game allows, and one more."""
    rules = setup.rules[0]
    return int((rules["bet_size"] * rules["max_bets"]).sum()) + 1
