"""One hand looked into: at each decision hand rank, equity and what a sound player would do; at each deal the luck.

Everything is taken from parts that judge many hands; here they are asked about a single one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_shipped
from luckless.cards import format_cards
from luckless.divat.hand import HandReport
from luckless.errors import InputError
from luckless.hands.equity import equity
from luckless.hands.pairs import PAIR_CARDS
from luckless.hands.preflop import class_label, class_numbers
from luckless.hands.rank import hand_rank
from luckless.histories.hand_detail import HandDetail, details
from luckless.histories.hand_frames import amount_text
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.game import BOARD_CARDS, STREETS
from luckless.skill.by_steps import Chance, walk_hands
from luckless.skill.hand_divat import hand_divat, street_divat
from luckless.skill.policies import known_policies
from luckless.skill.shares import NOBODY
from luckless.skill.step_terms import hand_terms
from luckless.skill.verdict import NOTHING, Knowledge
from luckless.skill.walking import DEAL, Known

BASELINE = "value-bet"
"""The sound player that decisions are held against."""
SAMPLES = 40_000
"""Deals for an equity that is not counted exactly within a moment: three hands and more before the flop."""
RANKS_DOWN = "AKQJT98765432"


@dataclass(frozen=True)
class HandAnalysis:
    """One hand (a batch of one) and what is known of its players' policies."""

    columns: HandColumns
    policies: Mapping[str, Bot]

    @cached_property
    def hand(self) -> HandDetail:
        """The hand for reading."""
        return next(details(self.columns))

    def rank(self, action: int) -> dict[str, float] | None:
        """The hand ranks of whoever acts, on the board that he saw; None if his cards are not known."""
        seat, board = self._situation(action)
        hole = self.hand.hole(seat)
        if UNKNOWN in hole or UNKNOWN in board:
            return None
        found = hand_rank(hole, board)
        return {"ihr": float(found.ihr), "hr7": float(found.hr7), "ehr": float(found.ehr)}

    def equities(self, action: int) -> list[float | None]:
        """The share of the pot of each seat that is in, over all boards to come; None for others.

        It knows the cards of everybody, so it is for eyes that may see them.
        """
        hand = self.hand
        _, board = self._situation(action)
        folded = {step.seat for step in hand.steps[:action] if step.action == FOLD}
        live = [seat for seat in range(hand.game.seats) if seat not in folded]
        known = [card for seat in range(hand.game.seats) for card in hand.hole(seat)]
        if len(live) < 2 or UNKNOWN in known or UNKNOWN in board:
            return [None] * hand.game.seats
        dead = [card for seat in sorted(folded) for card in hand.hole(seat)]
        texts = [format_cards(hand.hole(seat)) for seat in live]
        samples = SAMPLES if len(live) > 2 and not board else None
        found = equity(texts, format_cards(board), format_cards(dead), samples=samples)
        shares: list[float | None] = [None] * hand.game.seats
        for seat, share in zip(live, found.equity, strict=True):
            shares[seat] = float(share)
        return shares

    def baseline(self, action: int) -> list[dict[str, Any]]:
        """What the sound player would do in the place of whoever acts, each action with its probability."""
        law = self._baseline
        return [] if law is None else _entries(law, action, self.hand.scale)

    @cached_property
    def _baseline(self) -> Known | None:
        try:
            bot = load_shipped(BASELINE)
            return known_policies(self.columns, np.array([NOBODY]), dict.fromkeys(self.columns.names, bot))
        except InputError:
            return None

    def grid(self, action: int) -> dict[str, Any] | None:
        """What whoever acts would do there with every hand, if his bot says so: a square of 13 by 13 classes.

        Suited hands lie above the diagonal. Each cell has the chance to fold, to check or call, and to raise, as the
        mean over the hands of the class that the board leaves.
        """
        seat, board = self._situation(action)
        name = self.hand.names[seat]
        if name not in self.policies:
            return None
        bots = {name: self.policies[name]}
        law = known_policies(self.columns, np.array([seat]), bots, every_hand=True)
        if law.first[action + 1] <= law.first[action]:
            return None
        free: NDArray[np.bool_] = np.all(~np.isin(PAIR_CARDS, board), axis=1)
        return {"ranks": list(RANKS_DOWN), "cells": _cells(_by_kind(law, action), free)}

    @cached_property
    def terms(self) -> dict[str, Any] | None:
        """What each seat gained by playing and had by luck, in big blinds by street; None if cards are hidden.

        `luck` begins with the hole cards ("deal"), then the cards of each street.
        """
        if Chance().lacks(self.columns, NOTHING):
            return None
        unit, seats = self.hand.game.big_blind, self.hand.game.seats
        luck, played = np.zeros((seats, len(STREETS))), np.zeros((seats, len(STREETS), seats))
        for seat in range(seats):
            walked = walk_hands(self.columns, int(self.columns.players[0, seat]), NOTHING, vary=False)
            luck[seat] = walked.account.luck[0, DEAL : DEAL + len(STREETS)] / unit
            played[seat] = walked.account.gains[0, :, :seats] / unit
        return {"luck": luck.tolist(), "played": played.tolist(), "by": Chance().name}

    @property
    def unit(self) -> str:
        """What luck and skill of this game are counted in, in words: one big blind."""
        return "small bets" if self.hand.game.bet_sizes[0] == self.hand.game.big_blind else "big blinds"

    @cached_property
    def _moves(self) -> list[list[float]] | None:
        """How far each action moved what each seat could expect by the chance-only estimator: action, then seat."""
        if self.terms is None:
            return None
        told = [hand_terms(self.columns, int(player), NOTHING) for player in self.columns.players[0]]
        unit = self.hand.game.big_blind
        return [[mine.steps[action].gain / unit for mine in told] for action in range(len(self.hand.steps))]

    def moved(self, action: int) -> list[float] | None:
        """How far an action moved what each seat could expect, in big blinds; None if cards are hidden."""
        self._situation(action)
        return None if self._moves is None else self._moves[action]

    def choice(self, action: int) -> dict[str, float] | None:
        """AIVAT's two terms of an action for who made it, where his bot states its probabilities.

        `mean` is what his policy had to bring there, `luck` what the action it happened to take brought beyond.
        """
        seat, _ = self._situation(action)
        name = self.hand.names[seat]
        if self.terms is None or name not in self.policies:
            return None
        told = hand_terms(self.columns, int(self.columns.players[0, seat]), Knowledge({name: self.policies[name]}))
        unit = self.hand.game.big_blind
        return {"mean": told.steps[action].gain / unit, "luck": told.steps[action].coin / unit}

    @cached_property
    def _divat(self) -> HandReport | None:
        return hand_divat(self.columns, self.hand)

    def divat(self, street: int) -> dict[str, Any] | None:
        """What DIVAT says of a street in heads-up limit, in small bets; None elsewhere."""
        return None if self._divat is None else street_divat(self._divat, street)

    def _situation(self, action: int) -> tuple[int, list[int]]:
        """Who acts, and the board that lay there."""
        if not 0 <= action < len(self.hand.steps):
            raise InputError(f"the hand has no action {action}; it has {len(self.hand.steps)}")
        step = self.hand.steps[action]
        return step.seat, self.hand.board[: BOARD_CARDS[step.street]]


def _kind(action: int) -> str:
    return "fold" if action == FOLD else "call" if action == CALL else "raise"


def _entries(law: Known, action: int, scale: int) -> list[dict[str, Any]]:
    """The alternatives of a decision with their chances, the likeliest first."""
    found = []
    for place in range(int(law.first[action]), int(law.first[action + 1])):
        chance = float(law.chances[law.at[place] : law.at[place + 1]].sum())
        low, high = int(law.low[place]), int(law.high[place])
        if chance > 0:
            amount = amount_text(low, scale) + ("" if low == high else f" to {amount_text(high, scale)}")
            found.append({"kind": _kind(low), "to": amount if low > 0 else "", "chance": chance})
    return sorted(found, key=lambda one: -one["chance"])


def _by_kind(law: Known, action: int) -> NDArray[np.float64]:
    """The chances to fold, call and raise of every hand: shape (3, 1326)."""
    chances = np.zeros((3, len(PAIR_CARDS)))
    for place in range(int(law.first[action]), int(law.first[action + 1])):
        entries = slice(int(law.at[place]), int(law.at[place + 1]))
        kind = ("fold", "call", "raise").index(_kind(int(law.low[place])))
        np.add.at(chances[kind], law.hands[entries], law.chances[entries])
    return chances


def _cells(chances: NDArray[np.float64], free: NDArray[np.bool_]) -> list[list[dict[str, Any] | None]]:
    """The mean over the hands of each class, row by row from the aces down."""
    classes = class_numbers(PAIR_CARDS)
    rows: list[list[dict[str, Any] | None]] = [[None] * 13 for _ in range(13)]
    for number in np.unique(classes).tolist():
        label = class_label(number)
        high, low = RANKS_DOWN.index(label[0]), RANKS_DOWN.index(label[1])
        row, column = (high, low) if label[2:] == "s" or high == low else (low, high)
        mine = free & (classes == number)
        if mine.any():
            fold, call, bet = chances[:, mine].mean(axis=1).tolist()
            rows[row][column] = {"hand": label, "fold": fold, "call": call, "raise": bet}
        else:
            rows[row][column] = {"hand": label, "fold": None, "call": None, "raise": None}
    return rows
