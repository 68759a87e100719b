"""What known policies do at the decisions of a batch of hands, as the arrays that `walking` takes.

A bot is asked for all hands that its seat might hold where that seat is varied, else for the hand that it held. It
sees what it would have seen at the table, and nothing of the others' cards.
"""

import itertools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.distribution import ActionDistribution, BadProbabilities
from luckless.cards import DECK_SIZE, format_cards
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.columns import HandColumns
from luckless.rules.game import BOARD_CARDS, STREETS
from luckless.rules.records import HandArrays
from luckless.rules.replaying import action_places
from luckless.rules.state import PUBLIC, encode
from luckless.rules.views import UNSEEN, Past, Views
from luckless.skill.walking import Known

ASKED_AT_ONCE = 48
"""Decisions with all their hands that a bot is asked together."""

_BOARD_CARDS = np.array(BOARD_CARDS)
_CARD_BITS = np.where(np.arange(256) < DECK_SIZE, np.uint64(1) << np.arange(256, dtype=np.uint64), np.uint64(0))
_PAIR_BITS = _CARD_BITS[PAIR_CARDS[:, 0]] | _CARD_BITS[PAIR_CARDS[:, 1]]


class Followed(NamedTuple):
    """Hands followed action by action: the hand and the public record before each action, and at the end of each."""

    rows: NDArray[np.int64]
    public: NDArray[np.void]
    begun: NDArray[np.void]
    ended: NDArray[np.void]
    ends: NDArray[np.int64]

    def places(self, row: int) -> tuple[int, int]:
        """The first action of a hand, and the first that is not of it any more."""
        return int(self.ends[row - 1]) if row else 0, int(self.ends[row])

    def after(self, row: int, at: int) -> np.void:
        """The public record after an action of a hand."""
        record: np.void = self.ended[row] if at + 1 == self.ends[row] else self.public[at + 1]
        return record


@njit(cache=True, nogil=True)
def _follow(
    rules: NDArray[np.void],
    hands: HandArrays,
    rows: NDArray[np.int64],
    public: NDArray[np.void],
    begun: Any,
    ended: Any,
) -> None:
    buffer = np.zeros(1, PUBLIC)
    for row in range(len(hands.ends)):
        engine.begin(rules[0], buffer[0], hands.stacks[row])
        begun[row] = buffer[0]
        first, end = action_places(hands, row)
        for at in range(first, end):
            rows[at] = row
            public[at] = buffer[0]
            engine.act(rules[0], buffer[0], hands.actions[at])
        ended[row] = buffer[0]


def follow(hands: HandColumns) -> Followed:
    """The public records of hands on the way."""
    records = hands.records
    rows, public = np.zeros(len(records.actions), np.int64), np.zeros(len(records.actions), PUBLIC)
    begun, ended = np.zeros(len(hands), PUBLIC), np.zeros(len(hands), PUBLIC)
    _follow(encode(records.game), records.arrays, rows, public, begun, ended)
    return Followed(rows, public, begun, ended, records.ends)


def known_policies(
    hands: HandColumns, varied: NDArray[np.int64], bots: Mapping[str, Bot], every_hand: bool = False
) -> Known:
    """The policies of all players of whom a bot is given, at their decisions in the hands.

    `varied` is the seat of each hand that is taken as unknown, or -1. It is asked about with all hands that it can
    still hold after what it did by its policy and the cards of others, or with `every_hand` that the board leaves.
    """
    followed = follow(hands)
    rows, public = followed.rows, followed.public
    actors = public["actor"].astype(np.int64)
    players = hands.players[rows, actors] if len(rows) else np.zeros(0, np.int64)
    laws: dict[int, _Law] = {}
    seen = _Decisions(hands, rows, public)
    for number, name in enumerate(hands.names):
        if name in bots:
            open_cards = np.flatnonzero((players == number) & (actors != varied[rows]))
            laws.update(_ask(bots[name], seen, open_cards))
            hidden = np.flatnonzero((players == number) & (actors == varied[rows]))
            laws.update(_ask_with_hands(bots[name], seen, hidden, every_hand))
    return _joined(laws, len(hands.records.actions))


class _Law(NamedTuple):
    """The alternatives of one decision: lowest and highest action, how many entries each has; and of each entry the
    hand of the seat (0 where it is not varied) and how often that takes it."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    counts: NDArray[np.int64]
    hands: NDArray[np.int64]
    chances: NDArray[np.float64]

    def takes(self, action: int) -> NDArray[np.bool_]:
        """Which hands ever take an action."""
        taken = np.repeat((self.low <= action) & (action <= self.high), self.counts)
        hands = np.zeros(PAIRS, np.bool_)
        hands[self.hands[taken]] = True
        return hands


class _Decisions:
    """The decisions of a batch of hands, as their seats saw them."""

    def __init__(self, hands: HandColumns, rows: NDArray[np.int64], public: NDArray[np.void]) -> None:
        self.hands, self.rows, self.public = hands, rows, public
        self.starts = np.concatenate([[0], hands.records.ends])[rows]
        self.streets = public["street"]
        self.seats = public["actor"]

    def words_of(self, place: int) -> str:
        """Where an action of the hands is, in words."""
        number = self.hands.numbers[self.rows[place]]
        return f"hand {number}, action {place - int(self.starts[place]) + 1} ({STREETS[int(self.streets[place])]})"

    def told_apart(self, places: NDArray[np.int64], own_cards: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """One of each kind of decisions that a seat cannot tell apart, and of which kind each decision is."""
        views = self.views(places)
        cards = views.cards if own_cards else views.cards[:, 2:]
        past = (views.past.actions, views.past.seats, views.past.streets)
        parts = [np.ascontiguousarray(part).view(np.uint8) for part in (cards, *past)]
        public = np.frombuffer(np.ascontiguousarray(views.public).tobytes(), np.uint8).reshape(len(places), -1)
        rows = np.hstack([public, *(part.reshape(len(places), -1) for part in parts)])
        kinds: dict[bytes, int] = {}
        first: list[int] = []
        which = np.zeros(len(places), np.int64)
        for place, row in enumerate(rows):
            kind = kinds.setdefault(row.tobytes(), len(kinds))
            which[place] = kind
            if kind == len(first):
                first.append(place)
        return np.array(first, np.int64), which

    def views(
        self, places: NDArray[np.int64], held: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
    ) -> Views:
        """The decisions at some places of the actions, with the cards of their seats.

        With `held` there is a row for each of the pairs that it lists, with the place (by its number here) where the
        seat is to hold it.
        """
        records = self.hands.records
        public, rows = self.public.take(places), self.rows[places]  # indexing would copy field by field
        cards = np.empty((len(places), 7), np.uint8)
        cards[:, :2] = records.decks[rows[:, None], 2 * public["actor"].astype(np.int64)[:, None] + np.arange(2)]
        cards[:, 2:] = records.decks[rows, 2 * records.game.seats :]
        cards[:, 2:][np.arange(5) >= _BOARD_CARDS[public["street"]][:, None]] = UNSEEN
        width = int(public["steps"].max(initial=0))
        steps = self.starts[places][:, None] + np.arange(width)
        made = np.arange(width) < public["steps"][:, None]
        steps = np.where(made, steps, 0)
        past = [np.where(made, part[steps], 0) for part in (records.actions, self.seats, self.streets)]
        if held is not None:
            owner, pairs = held
            public, cards, past = (
                public.take(owner),
                cards.take(owner, axis=0),
                [part.take(owner, 0) for part in past],
            )
            cards[:, :2] = PAIR_CARDS[pairs]
        kinds = (np.int32, np.int8, np.int8)
        typed = [part.astype(kind) for part, kind in zip(past, kinds, strict=True)]
        return Views(records.game, public, cards, Past.of(public["steps"], typed))

    def possible(self, places: NDArray[np.int64], alone: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which pairs the board leaves to the seats at some places, and where they are `alone` the others' cards."""
        records, rows = self.hands.records, self.rows[places]
        decks, seats = records.decks[rows], records.game.seats
        seen = np.arange(decks.shape[1]) - 2 * seats < _BOARD_CARDS[self.streets[places]][:, None]
        of_seat = np.arange(decks.shape[1]) // 2
        seen[:, : 2 * seats] = alone[:, None] & (of_seat[: 2 * seats] != self.seats[places][:, None])
        gone = np.bitwise_or.reduce(np.where(seen, _CARD_BITS[decks], np.uint64(0)), axis=1)
        free: NDArray[np.bool_] = (gone[:, None] & _PAIR_BITS) == 0
        return free


def _ask(bot: Bot, seen: _Decisions, places: NDArray[np.int64]) -> dict[int, _Law]:
    """The law of each decision with the cards of its seat. Decisions that look alike are asked once."""
    laws: dict[int, _Law] = {}
    for first in range(0, len(places), ASKED_AT_ONCE * PAIRS):
        some = places[first : first + ASKED_AT_ONCE * PAIRS]
        apart, which = seen.told_apart(some, own_cards=True)
        found = _laws_of(bot, seen, some[apart], (np.arange(len(apart)), np.zeros(len(apart), np.int64)), False)
        laws.update((int(place), found[int(one)]) for place, one in zip(some, which, strict=True))
    return laws


def _ask_with_hands(bot: Bot, seen: _Decisions, places: NDArray[np.int64], every_hand: bool) -> dict[int, _Law]:
    """The law of each decision with all hands that its seat can hold: the first decisions of all, then the second.

    Decisions that look alike are asked once: with all hands, every first decision of a match is the same one. What a
    seat can hold after its own actions is the same for them, too; others' cards are looked at only where a decision
    is alone of its kind.
    """
    laws: dict[int, _Law] = {}
    reach = np.ones((len(seen.hands), PAIRS), np.bool_)
    rows = seen.rows[places]
    turns = np.arange(len(places)) - np.searchsorted(rows, rows)
    for turn in range(int(turns.max(initial=-1)) + 1):
        some = places[turns == turn]
        apart, which = seen.told_apart(some, own_cards=False)
        asked, alone = some[apart], (np.bincount(which) == 1) & (not every_hand)
        can_hold = reach[seen.rows[asked]] & seen.possible(asked, alone)
        found: list[_Law] = []
        for first in range(0, len(asked), ASKED_AT_ONCE):
            part = slice(first, first + ASKED_AT_ONCE)
            found += _laws_of(bot, seen, asked[part], np.nonzero(can_hold[part]), True)
        for place, one in zip(some.tolist(), which.tolist(), strict=True):
            laws[place] = found[one]
            if not every_hand:
                reach[seen.rows[place]] &= found[one].takes(int(seen.hands.records.actions[place]))
    return laws


def _laws_of(
    bot: Bot, seen: _Decisions, places: NDArray[np.int64], held: tuple[NDArray[np.int64], ...], varied: bool
) -> list[_Law]:
    """The laws of decisions that all differ; `held` are places by their numbers, and pairs held there if `varied`."""
    owner, hand = held
    asked = seen.views(places, (owner, hand) if varied else None)
    try:
        law = bot.probabilities(asked).checked(asked)
    except BadProbabilities as error:
        if error.row < 0:
            raise
        where = seen.words_of(int(places[owner[error.row]]))
        cards = format_cards(asked.cards[error.row, :2].tolist())
        raise InputError(f"{where}: policy {bot.name} with {cards}: {error.reason}") from None
    bounds = np.searchsorted(owner, np.arange(len(places) + 1))
    parts = (slice(int(first), int(last)) for first, last in itertools.pairwise(bounds))
    return [_gathered(law, part, hand[part]) for part in parts]


def _gathered(law: ActionDistribution, part: slice, hand: NDArray[np.int64]) -> _Law:
    """The rows of one decision, gathered by their actions."""
    low, high, share = law.low[part], law.high[part], law.probability[part]
    row, entry = np.nonzero(share > 0)
    least, most = low[row, entry], high[row, entry]
    order = np.lexsort((row, most, least))
    least, most = least[order], most[order]
    new = np.flatnonzero((np.diff(least, prepend=least[:1] - 1) != 0) | (np.diff(most, prepend=most[:1] - 1) != 0))
    counts = np.diff(np.append(new, len(order)))
    return _Law(least[new], most[new], counts, hand[row[order]], share[row, entry][order])


def _joined(laws: Mapping[int, _Law], decisions: int) -> Known:
    alternatives = np.zeros(decisions + 1, np.int64)
    for place, law in laws.items():
        alternatives[place + 1] = len(law.low)
    order = [laws[place] for place in sorted(laws)]
    counts = _flat([law.counts for law in order], np.int64)
    return Known(
        np.cumsum(alternatives),
        _flat([law.low for law in order], np.int64),
        _flat([law.high for law in order], np.int64),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        _flat([law.hands for law in order], np.int64),
        _flat([law.chances for law in order], np.float64),
    )


def _flat(parts: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, kind), *parts], dtype=kind)
