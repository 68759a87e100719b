"""Whole hands of heads-up limit with blueprints inside one compiled loop: the fast twin of `blueprint_loop`.

In limit every action is one of the tree, so one node stands for the whole betting, and a decision is one look-up.
That holds while no stack runs out; hands in which one may are played by `blueprint_loop`. The hands are the same.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.compiled import decide
from luckless.bots.dice import fraction
from luckless.kernels import njit
from luckless.matches.compiled import Setup, end_hand
from luckless.randomness import BOT, random_bits_at
from luckless.rules.actions import CALL
from luckless.rules.dealing import deal_deck
from luckless.rules.engine import act, begin
from luckless.rules.records import HandArrays
from luckless.rules.state import PUBLIC
from luckless.rules.views import see_cards
from luckless.solve.betting_tree import BettingTree
from luckless.solve.blueprint_paths import PlayedBlueprint
from luckless.solve.card_buckets import CardBuckets, bucket_of

FIRST, SIZE, PLACE = range(3)


class LimitPlayers(NamedTuple):
    """The betting tree (a row a decision: first slot, number of slots, place in the row of a bucket; and of each slot
    -1 fold, 0 call or 1 raise and the decision that follows), and what two blueprints play, one may be both. `which`
    says for each bot of the match which of them it plays, -1 for a compiled rule."""

    nodes: NDArray[np.int32]
    slots: NDArray[np.int32]
    chances: tuple[NDArray[np.uint8], NDArray[np.uint8]]
    start: NDArray[np.int64]
    width: NDArray[np.int64]
    first: CardBuckets
    second: CardBuckets
    which: NDArray[np.int64]

    @classmethod
    def of(cls, first: PlayedBlueprint, second: PlayedBlueprint, which: NDArray[np.int64]) -> "LimitPlayers":
        """Two blueprints of limit, whose trees are the same."""
        tree: BettingTree = first.tree
        nodes = np.stack([tree.first, tree.size, tree.place], axis=1).astype(np.int32)
        slots = np.stack([np.sign(tree.action), tree.after], axis=1).astype(np.int32)
        start = np.stack([first.start, second.start])
        chances = (first.chances, second.chances)
        return cls(nodes, slots, chances, start, tree.width, first.buckets, second.buckets, which)


@njit(cache=True, nogil=True)
def drawn_slot(chances: NDArray[np.uint8], row: Any, size: Any, word: Any) -> Any:
    """The slot, counted from 0, that `ActionDistribution.draw` takes of a decision whose parts of 255 begin at
    `row`: slots that are never taken do not count."""
    total = 0.0
    for slot in range(size):
        total += chances[row + slot] / 255.0
    drawn, running, last = fraction(word) * total, 0.0, 0
    for slot in range(size):
        if chances[row + slot] > 0:
            last = slot
            running += chances[row + slot] / 255.0
            if drawn < running:
                return slot
    return last


@njit(cache=True, nogil=True)
def _slot_of(nodes: NDArray[np.int32], slots: NDArray[np.int32], node: Any, action: Any) -> Any:
    """The slot of an action; a fold without need is a check."""
    first = np.int64(nodes[node, FIRST])
    end = first + nodes[node, SIZE]
    kind = np.int64(1) if action > CALL else np.int64(action)
    for slot in range(first, end):
        if slots[slot, 0] == kind:
            return slot
    return first


@njit(cache=True, nogil=True)
def play_limit_hands(
    setup: Setup, limit: LimitPlayers, deals: Any, players: Any, first: int, out: HandArrays, streets: Any
) -> int:
    """`matches.compiled.play_hands` for limit matches in which blueprints play and no stack runs out."""
    rules, source, session = setup.rules[0], setup.source, setup.session
    nodes, slots, start, width, which = limit.nodes, limit.slots, limit.start, limit.width, limit.which
    one, two = limit.chances
    buffer = np.zeros(1, PUBLIC)
    pack, cards = np.empty(52, np.uint8), np.empty(7, np.uint8)
    rows, known = np.zeros(2, np.int64), np.zeros(2, np.int64)
    end = out.ends[first - 1] if first > 0 else 0
    for row in range(first, len(deals)):
        hand, deck = buffer[0], out.decks[row]
        deal_deck(pack, setup.fixed_board, setup.key, deals[row], deck)
        begin(rules, hand, out.stacks[row])
        hand.rounds_left, hand.session_stack = session.rounds_left, session.stack
        node = np.int64(0)
        known[0] = known[1] = -1
        while hand.actor >= 0:
            step, seat, street = hand.steps, hand.actor, hand.street
            if end + step == len(out.actions):
                return row
            role = players[row, seat]
            number = which[role]
            words = random_bits_at(setup.key, 0, deals[row], BOT + seat, step)
            if number < 0:
                see_cards(hand, deck, seat, cards)
                action = np.int64(decide(setup.bots[role], rules, hand, cards, words, source))
                slot = _slot_of(nodes, slots, node, action)
            else:
                if known[seat] < street:
                    see_cards(hand, deck, seat, cards)
                    if number == 0:
                        bucket = bucket_of(cards, street, limit.first)
                    else:
                        bucket = bucket_of(cards, street, limit.second)
                    rows[seat] = start[number, street] + bucket * width[street]
                    known[seat] = street
                place, size = rows[seat] + nodes[node, PLACE], nodes[node, SIZE]
                slot = np.int64(nodes[node, FIRST])
                if number == 0:
                    slot += drawn_slot(one, place, size, words[0])
                else:
                    slot += drawn_slot(two, place, size, words[0])
                action = np.int64(slots[slot, 0])
                if action > CALL:
                    action = np.int64(hand.min_raise_to)
            node = np.int64(slots[slot, 1])
            out.actions[end + step] = action
            act(rules, hand, action)
        end = end_hand(rules, hand, row, end, out, streets)
    return len(deals)
