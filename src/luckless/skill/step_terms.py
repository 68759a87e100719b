"""One hand told step by step: what each action and each card moved, by the estimators that walk through hands.

The walk of `walking` gives sums for a whole hand. The same hand cut off after each of its actions, walked through as
so many hands, gives the steps as differences; and with another action at the end, what that would have been worth.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import HandColumns
from luckless.rules.records import Records
from luckless.rules.replaying import replay
from luckless.rules.state import FINISHED
from luckless.rules.table import Table
from luckless.skill.by_steps import varied_seats, words_of
from luckless.skill.policies import known_policies
from luckless.skill.shares import NOBODY
from luckless.skill.verdict import Knowledge
from luckless.skill.walking import DEAL, OTHER_ACTIONS, OWN_ACTIONS, Account, Question, new_account


class StepTerm(NamedTuple):
    """What one action moved for the judged player, in chips, and the cards that came right after it."""

    seat: int
    street: int
    action: int
    gain: float
    """What playing so was worth; of a player whose policy is known what that had to bring in the mean."""
    coin: float
    """The luck of what a known policy happened to do here."""
    cards: tuple[float, ...]
    """The luck of flop, turn and river dealt after this action; 0 where none was."""


class HandTerms(NamedTuple):
    """All steps of a hand: money = start + deal + gains + coins + cards + what is left over (see `walking`)."""

    start: float
    deal: float
    """The luck of the hole cards."""
    steps: tuple[StepTerm, ...]


def hand_terms(hand: HandColumns, player: int, knowledge: Knowledge) -> HandTerms:
    """The steps of the one hand of a batch, for a player who sits in it; all hole cards must be known."""
    actions = hand.records.actions.tolist()
    account = _walked(hand, player, knowledge, [actions[:many] for many in range(len(actions) + 1)])
    steps = replay(hand.records).steps
    gains = np.diff(account.gains.sum(axis=(1, 2)))
    luck = np.diff(account.luck, axis=0)
    coins = luck[:, OWN_ACTIONS] + luck[:, OTHER_ACTIONS]
    told = tuple(
        StepTerm(
            int(steps.seat[step]), int(steps.street[step]), action,
            float(gains[step]), float(coins[step]), tuple(luck[step, DEAL + 1 : OWN_ACTIONS].tolist()),
        )
        for step, action in enumerate(actions)
    )  # fmt: skip
    return HandTerms(float(account.start[0]), float(account.luck[0, DEAL]), told)


def tried(
    hand: HandColumns, player: int, knowledge: Knowledge, step: int, actions: Sequence[int]
) -> NDArray[np.float64]:
    """What actions of the player at one of his decisions are worth, in chips: how far they move what he can expect.

    Where the next player of the street states his probabilities, his answer is part of it, in the mean: a bet is
    worth what it brings against those who call it as often as they do.
    """
    before = hand.records.actions.tolist()[:step]
    answers = [_answers(hand, knowledge, [*before, action]) for action in actions]
    lines = [[*before, action, *answer] for action, some in zip(actions, answers, strict=True) for answer in some]
    account = _walked(hand, player, knowledge, [before, *lines])
    gains = account.gains.sum(axis=(1, 2))
    worths, at = np.zeros(len(actions)), 1
    for place, some in enumerate(answers):
        possible = [row for row in range(at, at + len(some)) if account.forbidden[row] < 0]
        worths[place] = gains[possible[0]] - gains[0]  # the mean over all answers, whichever of them is followed
        at += len(some)
    return worths


def _answers(hand: HandColumns, knowledge: Knowledge, line: Sequence[int]) -> list[list[int]]:
    """Lines of at most one action to follow others with; the last is empty: at that nobody answers."""
    records, row = hand.records, np.array([0])
    table = Table(records.game, records.decks, records.stacks)
    for action in line:
        street = int(table.public["street"][0])
        table.act(row, [action])
    actor = int(table.public["actor"][0])
    if actor == FINISHED or int(table.public["street"][0]) != street:
        return [[]]
    if hand.names[int(hand.players[0, actor])] not in knowledge.policies:
        return [[]]
    least, most = int(table.public["min_raise_to"][0]), int(table.public["max_raise_to"][0])
    raises = [[least], [most]] if most else []
    return [[CALL], *([[FOLD]] if table.public["to_call"][0] else []), *raises, []]


def _walked(hand: HandColumns, player: int, knowledge: Knowledge, lines: Sequence[Sequence[int]]) -> Account:
    """The account of a hand with other actions, one row for each line of them."""
    many, records = len(lines), hand.records
    rows = np.zeros(many, np.int64)
    ends = np.cumsum([len(line) for line in lines])
    flat = np.array([action for line in lines for action in line], np.int32)
    payoffs = np.zeros((many, records.game.seats), np.int32)
    changed = Records(records.game, records.decks[rows], records.stacks[rows], ends, flat, payoffs)
    hands = HandColumns(changed, hand.numbers[rows], hand.deals[rows], hand.players[rows], hand.names)
    seats = np.argmax(hands.players == player, axis=1)
    varied = varied_seats(hands, player, seats, knowledge) if knowledge.policies else np.full(many, NOBODY)
    known = known_policies(hands, varied, knowledge.policies)
    account = new_account(many)
    question = Question(seats, varied, words_of(hand.keys)[rows])
    knowledge.values.account(hands, question, known, knowledge.policies, account)
    return account
