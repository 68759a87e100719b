"""From hands that were read one by one to columns: replayed, checked against what the source says, and batched.

A reader makes a `Draft` of each hand. Hands that the rules do not allow, or that the source settles otherwise, are
handed to `on_reject`; the others come out in order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from luckless.cards import format_card
from luckless.errors import InputError
from luckless.histories.given_results import amounts, check_given
from luckless.histories.names import NameBook, clean
from luckless.histories.rejects import BadHand, OnReject, Reject
from luckless.rules.columns import UNKNOWN, HandColumns, Settlement
from luckless.rules.even_shares import SHARES, even_shares
from luckless.rules.game import MAX_CHIPS, STREETS, Game
from luckless.rules.plain import PlainHand
from luckless.rules.plain_settlement import dead_antes, returned_bet
from luckless.rules.records import Records
from luckless.rules.replaying import CARD_TWICE, ILLEGAL, SOUND, UNFINISHED, Replay, replay

BATCH = 2_048
MOST_LETTERS = 1 << 24
"""Texts of hands that are held until they are replayed: a batch ends when it has as many characters."""

PRECISION = Fraction(1, 1000)
"""How far a printed result may be off in chips: logs print a third of a chip with a few decimal places."""


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
    payoffs: list[Fraction | int] | None = None
    """What each seat won or lost in chips, if the source says."""
    collected: list[Fraction | int] | None = None
    """What each seat was paid, if the source says that instead."""
    scale: int = 1


@dataclass
class Batcher:
    """Collects drafts and gives them out as columns, whenever the game changes or a batch is full."""

    on_reject: OnReject
    names: NameBook = field(default_factory=NameBook)
    _waiting: list[Draft] = field(default_factory=list)
    _letters: int = 0

    def add(self, draft: Draft) -> Iterator[HandColumns]:
        """Takes a hand; gives out the batches that are complete."""
        reason = ""
        if min(draft.stacks) < 1 or sum(draft.stacks) + draft.game.pot >= MAX_CHIPS:
            reason = "stacks must be 1 chip or more, and together less than 2**31"
        elif len(set(map(clean, draft.players))) < len(draft.players):
            reason = f"two players have the same name: {', '.join(map(clean, draft.players))}"
        if reason:
            self.on_reject(Reject(f"line {draft.line}", reason, draft.text))
            return
        if self._waiting:
            last = self._waiting[-1]
            is_full = len(self._waiting) == BATCH or self._letters > MOST_LETTERS
            if is_full or last.game is not draft.game or last.scale != draft.scale:
                yield from self.flush()
        self._waiting.append(draft)
        self._letters += len(draft.text)

    def flush(self) -> Iterator[HandColumns]:
        """Gives out what is left."""
        if self._waiting:
            drafts, self._waiting, self._letters = self._waiting, [], 0
            yield from self._columns(drafts)

    def _columns(self, drafts: list[Draft]) -> Iterator[HandColumns]:
        records = _records(drafts)
        played = replay(records)
        shares = even_shares(records, played.ends)
        kept: list[int] = []
        kinds: list[Settlement | None] = []
        payoffs = played.ends.payoffs.copy()
        for row, draft in enumerate(drafts):
            problem = _problem(draft, played, row, int(records.ends[row - 1]) if row else 0)
            try:
                if problem:
                    raise InputError(problem)
                kind = _settlement(draft, played, row, shares[row].tolist(), payoffs[row])
            except InputError as error:
                self.on_reject(Reject(f"line {draft.line}", str(error), draft.text))
                continue
            kept.append(row)
            kinds.append(kind)
        for rows, settlement in runs(kept, kinds):
            yield self._batch([drafts[row] for row in rows], payoffs[rows], settlement)

    def _batch(self, drafts: list[Draft], payoffs: NDArray[np.int32], settlement: Settlement) -> HandColumns:
        records = _records(drafts)
        players = [[self.names.number(name) for name in draft.players] for draft in drafts]
        return HandColumns(
            Records(records.game, records.decks, records.stacks, records.ends, records.actions, payoffs),
            np.array([draft.number for draft in drafts], np.int64),
            np.array([draft.deal for draft in drafts], np.int64),
            np.array(players, np.int32),
            self.names.all(),
            settlement,
            drafts[0].scale,
        )


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
    for key in ("betting", "seats", "blinds", "antes", "bet_sizes", "big_blind"):
        if getattr(expected, key) != getattr(described, key):
            raise BadHand(
                f"its {key} is {getattr(described, key)}; game {expected.name} has {getattr(expected, key)}"
            )
    return expected


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


def _settlement(
    draft: Draft, played: Replay, row: int, shares: list[int], payoffs: NDArray[np.int32]
) -> Settlement | None:
    """How the source settled the hand (None if every way gives the same); fills in payoffs that it gives."""
    ends = played.ends
    put_in = ends.invested[row].tolist()
    live = [seat for seat in range(draft.game.seats) if ends.live[row] >> seat & 1]
    seat, returned = returned_bet(draft.game, draft.stacks, put_in, live)
    put_in[seat] -= returned
    given = draft.payoffs
    if draft.collected is not None:
        given = [paid - chips for paid, chips in zip(draft.collected, put_in, strict=True)]
    if not ends.settled[row]:
        if given is None:
            raise InputError("cards of the showdown are unknown, and the source does not give the winnings")
        check_given(draft.game, given, put_in, dead_antes(draft.game, draft.stacks), live)
        payoffs[:] = _whole_chips(given)
        return "given"
    ours, even = payoffs.tolist(), [Fraction(share, SHARES) for share in shares]
    if given is None or given == ours:
        return None if ours == even else "whole"
    if all(abs(told - won) < PRECISION for told, won in zip(given, even, strict=True)):
        return "shared"
    if _is_raked(given, even, put_in):
        check_given(draft.game, given, put_in, dead_antes(draft.game, draft.stacks), live)
        payoffs[:] = _whole_chips(given)
        return "given"
    raise InputError(f"the source says that the seats won {amounts(given)}; by the rules it is {amounts(ours)}")


def _is_raked(given: Sequence[Fraction | int], even: Sequence[Fraction], put_in: list[int]) -> bool:
    """Whether the house took a part: who was paid nothing lost what he put in, the others got no more than theirs."""
    seats = zip(given, even, put_in, strict=True)
    return sum(given) < 0 and all(told == won if won == -chips else told < won + 1 for told, won, chips in seats)


def _whole_chips(given: list[Fraction | int]) -> list[int]:
    if any(value.denominator != 1 for value in given):
        raise InputError(f"the seats won {amounts(given)}, which are not whole chips")
    return [int(value) for value in given]


def runs(rows: list[int], kinds: list[Settlement | None]) -> Iterator[tuple[list[int], Settlement]]:
    """Consecutive hands that agree on one settlement; a hand without a kind goes with any."""
    run: list[int] = []
    settlement: Settlement | None = None
    for row, kind in zip(rows, kinds, strict=True):
        if settlement is not None and kind is not None and kind != settlement:
            yield run, settlement
            run, settlement = [], None
        run.append(row)
        settlement = settlement or kind
    if run:
        yield run, settlement or "whole"
