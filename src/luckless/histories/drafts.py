"""From hands that were read one by one to columns: replayed, checked against what the source says, and batched.

A reader makes a `Draft` of each hand. Hands that the rules do not allow, or that the source settles otherwise, are
handed to `on_reject`; the others come out in order.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.cards import format_card
from luckless.errors import InputError
from luckless.histories.names import Books, clean
from luckless.histories.rejects import BadHand, OnReject, Reject
from luckless.histories.settling import Ending, Outcome, Told, settle_as_told
from luckless.rules.columns import MILLION, NO_TIME, UNKNOWN, HandColumns, Origin, Settlement
from luckless.rules.even_shares import even_shares
from luckless.rules.game import MAX_CHIPS, STREETS, Game
from luckless.rules.plain import PlainHand
from luckless.rules.records import Records
from luckless.rules.replaying import CARD_TWICE, ILLEGAL, SOUND, UNFINISHED, Replay, replay

BATCH = 2_048
NOTHING_TOLD = Told()
MOST_LETTERS = 1 << 24
"""Texts of hands that are held until they are replayed: a batch ends when it has as many characters."""


@dataclass(slots=True)
class Draft:
    """One hand as a reader found it; lists run in seat order or action by action."""

    line: int
    text: str
    game: Game
    number: int
    deal: int
    players: list[str]
    deck: list[int]
    """Hole cards of seat 0, 1, ..., then five board cards; `UNKNOWN` for what is not shown."""
    stacks: list[int]
    actions: list[int]
    seats: list[int]
    """Whose each action is, as far as the source says; empty if it does not."""
    streets: list[int]
    """The street of each action, likewise."""
    told: Told = NOTHING_TOLD
    """What the source says of the result."""
    scale: int = 1
    table: str | None = None
    time: int = NO_TIME


@dataclass
class Batcher:
    """Collects drafts and gives them out as columns of one game each, in order.

    Hands of many games may alternate, as at tables where players come and go; a full batch is replayed game by game.
    """

    on_reject: OnReject
    books: Books = field(default_factory=Books)
    source: str = ""
    _waiting: list[Draft] = field(default_factory=list)
    _letters: int = 0

    def add(self, draft: Draft) -> Iterator[HandColumns]:
        """Takes a hand; gives out batches when enough hands wait."""
        reason = ""
        if min(draft.stacks) < 1 or sum(draft.stacks) + draft.game.pot >= MAX_CHIPS:
            reason = "stacks must be 1 chip or more, and together less than 2**31"
        elif len(set(map(clean, draft.players))) < len(draft.players):
            reason = f"two players have the same name: {', '.join(map(clean, draft.players))}"
        if reason:
            self._refuse(draft, reason)
            return
        self._waiting.append(draft)
        self._letters += len(draft.text)
        if len(self._waiting) == BATCH or self._letters > MOST_LETTERS:
            yield from self.flush()

    def flush(self) -> Iterator[HandColumns]:
        """Gives out what is left."""
        drafts, self._waiting, self._letters = self._waiting, [], 0
        groups: dict[tuple[int, int], list[int]] = {}
        for place, draft in enumerate(drafts):
            groups.setdefault((id(draft.game), draft.scale), []).append(place)
        settled = [(place, hand) for places in groups.values() for place, hand in self._settled(drafts, places)]
        settled.sort(key=itemgetter(0))
        for _, hands in itertools.groupby(settled, key=lambda hand: (id(hand[1].draft.game), hand[1].draft.scale)):
            listed = [hand for _, hand in hands]
            rows = list(range(len(listed)))
            for run, settlement in runs(rows, [hand.outcome.settlement for hand in listed]):
                yield self._batch([listed[row] for row in run], settlement)

    def _settled(self, drafts: list[Draft], places: list[int]) -> Iterator[tuple[int, "_Settled"]]:
        """The hands at these places, which are of one game, each with its outcome; refuses those that have none."""
        records = _records([drafts[place] for place in places])
        played = replay(records)
        shared = even_shares(records, played.ends).tolist()
        for row, place in enumerate(places):
            draft = drafts[place]
            end = Ending.of(draft.game, draft.deck, draft.stacks, played.ends, row, shared[row])
            try:
                if problem := _problem(draft, played, row, int(records.ends[row - 1]) if row else 0):
                    raise InputError(problem)
                outcome = settle_as_told(end, draft.told)
            except InputError as error:
                self._refuse(draft, str(error), end.lost if played.ends.problem[row] == SOUND else None)
                continue
            yield place, _Settled(draft, outcome)

    def _refuse(self, draft: Draft, reason: str, lost: list[int] | None = None) -> None:
        won = _won(draft.told, lost, draft.scale)
        self.on_reject(Reject(f"line {draft.line}", reason, draft.text, won=won))

    def _batch(self, hands: list["_Settled"], settlement: Settlement) -> HandColumns:
        drafts = [hand.draft for hand in hands]
        records = replace(_records(drafts), payoffs=np.array([hand.outcome.payoffs for hand in hands], np.int32))
        number = self.books.players.number
        players = [[number(name) for name in draft.players] for draft in drafts]
        return HandColumns(
            records,
            np.array([draft.number for draft in drafts], np.int64),
            np.array([draft.deal for draft in drafts], np.int64),
            np.array(players, np.int32),
            self.books.players.all(),
            settlement,
            drafts[0].scale,
            _printed(hands) if settlement == "expected" else None,
            self._origin(drafts),
        )

    def _origin(self, drafts: list[Draft]) -> Origin:
        file = self.books.files.number(self.source)
        table = [self.books.table(draft.table) for draft in drafts]
        return Origin(
            self.books.files.all(),
            np.full(len(drafts), file, np.int32),
            np.array([draft.line for draft in drafts], np.int32),
            self.books.tables.all(),
            np.array(table, np.int32),
            np.array([draft.time for draft in drafts], np.int64),
        )


class _Settled(NamedTuple):
    """A hand and how it ended."""

    draft: Draft
    outcome: Outcome


def _printed(hands: list[_Settled]) -> NDArray[np.int64]:
    """What the source prints, in millionths of a chip."""
    return np.array(
        [hand.outcome.printed or [MILLION * won for won in hand.outcome.payoffs] for hand in hands], np.int64
    )


def _won(told: Told, lost: Sequence[int] | None, scale: int) -> float | None:
    """What the winners of a hand won, as far as its source says; `lost` is what each seat put in, if it is known."""
    given = told.payoffs
    if given is None and lost is not None and told.collected is not None and any(told.collected):
        given = [paid - chips for paid, chips in zip(told.collected, lost, strict=True)]
    if given is None:
        return None
    return float(sum(value for value in given if value > 0)) / scale


def _records(drafts: Sequence[Draft]) -> Records:
    game = drafts[0].game
    actions = [action for draft in drafts for action in draft.actions]
    return Records(
        game,
        np.array([draft.deck for draft in drafts], np.uint8),
        np.array([draft.stacks for draft in drafts], np.int32),
        np.cumsum([len(draft.actions) for draft in drafts], dtype=np.int64),
        np.array(actions, np.int32),
        np.zeros((len(drafts), game.seats), np.int32),
    )


def agreed_game(expected: Game, described: Game) -> Game:
    """The game that the caller names, if what a hand says of its own agrees with it."""
    for key in ("betting", "seats", "blinds", "bet_sizes", "big_blind"):
        if getattr(expected, key) != getattr(described, key):
            raise BadHand(
                f"its {key} is {getattr(described, key)}; game {expected.name} has {getattr(expected, key)}"
            )
    late = any(described.posts) or any(described.antes)
    if any(mine > ante for mine, ante in zip(expected.antes, described.antes, strict=True)) or (
        not any(described.posts) and not described.antes_are_dead and expected.antes != described.antes
    ):
        raise BadHand(f"its antes is {described.antes}; game {expected.name} has {expected.antes}")
    return replace(expected, antes=described.antes, posts=described.posts) if late else expected


def _problem(draft: Draft, played: Replay, row: int, first: int) -> str:
    """Why the hand cannot have been played like this, or nothing."""
    problem = int(played.ends.problem[row])
    steps = played.steps
    made = int(played.ends.at[row]) if problem == ILLEGAL else len(draft.actions)
    for place, (seat, street) in enumerate(zip(draft.seats[:made], draft.streets[:made], strict=False)):
        if steps.seat[first + place] != seat:
            return f"action {place + 1} is by seat {seat}, but it is the turn of seat {steps.seat[first + place]}"
        if steps.street[first + place] != street:
            there = STREETS[steps.street[first + place]]
            return f"action {place + 1} is on the {STREETS[street]}, but the betting is on the {there}"
    return "" if problem == SOUND else problem_text(draft.game, draft.deck, draft.stacks, draft.actions, problem)


def problem_text(game: Game, deck: Sequence[int], stacks: Sequence[int], actions: Sequence[int], problem: int) -> str:
    """What is wrong with a hand, in words: it is played again by the plain engine, which gives reasons."""
    if problem == CARD_TWICE:
        twice = next(card for place, card in enumerate(deck) if card in deck[:place] and card != UNKNOWN)
        return f"card {format_card(twice)} appears twice"
    if problem not in (ILLEGAL, UNFINISHED):
        return "a number is not a card"
    places = [place for place in range(52) if place not in game.board]
    hand = PlainHand(game, places[: game.cards_in_deck], list(stacks))
    for place, action in enumerate(actions):
        try:
            hand.do(action)
        except InputError as error:
            return f"action {place + 1}: {error}"
    return f"the hand is not over: seat {hand.actor} is to act on the {STREETS[hand.street]}"


def runs(rows: list[int], kinds: list[Settlement | None]) -> Iterator[tuple[list[int], Settlement]]:
    """Consecutive hands that agree on one settlement; a hand without a kind is whole, and as good as shared."""
    run: list[int] = []
    settlement: Settlement | None = None
    for row, kind in zip(rows, kinds, strict=True):
        fits = kind == settlement or (kind in _EITHER and settlement in _EITHER and None in (kind, settlement))
        if run and not fits:
            yield run, settlement or "whole"
            run, settlement = [], None
        run.append(row)
        settlement = settlement or kind
    if run:
        yield run, settlement or "whole"


_EITHER = (None, "whole", "shared")
