"""Grades each decision of a person: what it was worth by the estimator, what else could have been done, what bots do.

The worth of an action is how far it moves the value of the hand, with the mean answer of the next bot where that bot
states its probabilities (`skill.step_terms`). Heads-up against such a bot it is a mean over all hands which the bot
may hold after what it has done; else all cards are open, so that a grade also knows what nobody could know.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from luckless.bots.bot import Bot, NoProbabilities
from luckless.cards import format_card
from luckless.errors import InputError
from luckless.histories.hand_frames import amount_text
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import HandColumns
from luckless.rules.game import STREETS
from luckless.rules.table import Table
from luckless.rules.views import View, Views
from luckless.sitting.open_hand import PERSON
from luckless.skill.step_terms import hand_terms, tried
from luckless.skill.verdict import Knowledge

GRADES = ((0.02, "best"), (0.1, "good"), (0.3, "inaccurate"), (float("inf"), "mistake"))
"""The share of the pot that a decision gives away at most, and what it is then called."""

POT_SHARES = (0.5, 1.0)
"""Raises that are tried besides the largest, in pots."""


class Choice(NamedTuple):
    """An action in words, and what it was worth, in big blinds."""

    action: int
    text: str
    worth: float


class Advice(NamedTuple):
    """What a bot does in the person's place: its name, and actions in words with their probabilities."""

    bot: str
    actions: list[tuple[str, float]]


class Grade(NamedTuple):
    """One decision of the person."""

    step: int
    street: str
    board: list[str]
    pot: int
    to_call: int
    term: float
    """The estimator's own term of the action, in big blinds: what it adds to the result with luck removed."""
    made: Choice
    best: Choice
    loss: float
    """What the best of the tried actions is worth more, in big blinds."""
    grade: str
    advice: list[Advice]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        told = self._asdict()
        return {
            **told,
            "made": self.made._asdict(),
            "best": self.best._asdict(),
            "advice": [one._asdict() for one in self.advice],
        }


def pot_share_raise(view: View, share: float) -> int:
    """The raise by a share of the pot after the call, within what is allowed."""
    level = view.street_bets[view.seat] + view.to_call
    wanted = level + round(share * (view.pot + view.to_call))
    return min(max(wanted, view.min_raise_to), view.max_raise_to)


def menu(view: View) -> list[int]:
    """The actions that are held against each other at a decision."""
    actions = [FOLD] if view.to_call else []
    actions.append(CALL)
    if view.can_raise:
        sized = [pot_share_raise(view, share) for share in POT_SHARES]
        actions += sorted({*sized, view.max_raise_to})
    return actions


def action_text(view: View, action: int) -> str:
    """An action in words, as one would say it at the table."""
    if action == FOLD:
        return "fold"
    if action == CALL:
        return f"call {amount_text(view.to_call)}" if view.to_call else "check"
    return f"{'raise to' if max(view.street_bets) else 'bet'} {amount_text(action)}"


def grade_hand(hand: HandColumns, knowledge: Knowledge, advisers: Mapping[str, Bot]) -> list[Grade]:
    """The grades of the person's decisions in one hand, in order."""
    terms = hand_terms(hand, PERSON, knowledge)
    unit = hand.records.game.big_blind
    grades = []
    for step, (view, views) in _decisions(hand).items():
        made = hand.records.actions[step].item()
        actions = [made, *(action for action in menu(view) if action != made)]
        worths = (tried(hand, PERSON, knowledge, step, actions) / unit).tolist()
        own, *others = [Choice(a, action_text(view, a), worth) for a, worth in zip(actions, worths, strict=True)]
        best = max(own, *others, key=lambda choice: choice.worth) if others else own
        loss = best.worth - own.worth
        grade = next(word for bound, word in GRADES if loss <= bound * view.pot / unit)
        board = [format_card(card) for card in view.board]
        advice = advice_for(view, views, advisers)
        where = (step, STREETS[view.street], board, view.pot, view.to_call)
        grades.append(Grade(*where, terms.steps[step].gain / unit, own, best, loss, grade, advice))
    return grades


def advice_for(view: View, views: Views, advisers: Mapping[str, Bot]) -> list[Advice]:
    """What bots would do at a decision, as far as they can say."""
    told = []
    for name, bot in advisers.items():
        try:
            law = bot.probabilities(views).checked(views)
        except (NoProbabilities, InputError):
            continue
        told.append(Advice(name, _in_words(view, law.row(0))))
    return told


def _in_words(view: View, law: Sequence[tuple[int, int, float]]) -> list[tuple[str, float]]:
    rows = [
        (action_text(view, low) if low == high else f"{action_text(view, low)} to {amount_text(high)}", share)
        for low, high, share in law
    ]
    return sorted(rows, key=lambda row: -row[1])


def _decisions(hand: HandColumns) -> dict[int, tuple[View, Views]]:
    """The person's decisions by their step in the hand, as the person saw them."""
    records, row = hand.records, np.array([0])
    seat = hand.players[0].tolist().index(PERSON)
    table = Table(records.game, records.decks, records.stacks)
    found = {}
    for step, action in enumerate(records.actions.tolist()):
        if int(table.public["actor"][0]) == seat:
            views = table.views(row)
            found[step] = (views.one(0), views)
        table.act(row, [action])
    return found
