"""Values by roll-outs: a situation is worth what is won from it on if the players go on by policies we can ask.

A player whose policy is known goes on by it, all others by one bot of reference. Such values have what had to be
expected before a card or before an action of a known policy in them already: it is the value before it. So an
estimate is the value at the start, plus what those players changed whose policies are not known:

    estimate = value(start) + sum of [value after his action - value before it]

Values are means of samples, and so only nearly those. That adds noise and no bias: what is drawn for a situation
depends on nothing that happens after it. Before an action of an
unknown player the value is the mean over what the reference would do there, and the action that was taken counts in
it by the very number that stands for it afterwards: where he does what the reference does, nothing changes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.fingerprints import checksum
from luckless.hands.pairs import PAIR_CARDS, PAIRS
from luckless.randomness import SPLITMIX_STEP
from luckless.rules.columns import HandColumns
from luckless.rules.game import BOARD_CARDS
from luckless.rules.state import FINISHED
from luckless.skill.playing_out import FREE, NOT_DEALT, Actions, Jobs, Players, play_out
from luckless.skill.policies import Followed, follow, known_policies
from luckless.skill.river_play import river_values
from luckless.skill.seen_hands import SeenHands
from luckless.skill.shares import NOBODY
from luckless.skill.walking import DEAL, OTHER_ACTIONS, OWN_ACTIONS, OWN_CARDS, Account, Known, Question

KIND = "roll-outs 2"
TIMES = {NOT_DEALT: 4, 0: 1, 3: 1, 4: 2, 5: 6}
"""How many times the samples are drawn of values that an estimate is made of, by the board cards that lie there: the
noise of the start is in every estimate, and on later streets pots are large and playing on is short. Of all other
values, which only tell one kind of luck from another, they are drawn once."""

_PAIR_BITS = (np.uint64(1) << PAIR_CARDS.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
GAIN = -1


@dataclass(frozen=True)
class RollOutValues:
    """Values by playing on, `samples` times from each situation; `reference` plays for players who are not known."""

    name: str
    reference: Bot
    samples: int = 48
    seen: SeenHands = field(default_factory=SeenHands, repr=False, compare=False)
    """Nothing was fitted, so no hands are refused."""

    @property
    def digest(self) -> str:
        """Sixteen characters that are equal exactly for equal values."""
        return checksum([KIND, self.reference.fingerprint(), f"{self.samples} {TIMES}"])[:16]

    def account(
        self, hands: HandColumns, question: Question, known: Known, policies: Mapping[str, Bot], out: Account
    ) -> None:
        """Writes the account of hands; all their hole cards are known."""
        unknown = {name: self.reference for name in hands.names if name not in policies}
        nobody = np.full(len(hands), NOBODY)
        laws = _Laws(known, known_policies(hands, nobody, unknown))
        walks = _Walks(hands, question, laws, out)
        found = walks.jobs.play(self._players(hands, policies), self.samples)
        for walk in walks.of_hands:
            walk.enter(found, question, out)

    def _players(self, hands: HandColumns, policies: Mapping[str, Bot]) -> Players:
        """Whoever plays each seat of each hand, the reference first."""
        names = [name for name in hands.names if name in policies]
        number = np.array([1 + names.index(name) if name in policies else 0 for name in hands.names])
        return Players([self.reference, *(policies[name] for name in names)], number[hands.players])


class _Laws:
    """What is done at each decision: by known policies, and by the reference for all others."""

    def __init__(self, known: Known, reference: Known) -> None:
        self._known, self._reference = known, reference

    def is_known(self, at: int) -> bool:
        return bool(self._known.first[at + 1] > self._known.first[at])

    def share(self, at: int, action: int, width: int) -> NDArray[np.float64]:
        """How often a known policy takes an action, by hand of its seat if that is varied."""
        law, share = self._known, np.zeros(width)
        for one in range(int(law.first[at]), int(law.first[at + 1])):
            if law.low[one] <= action <= law.high[one]:
                part = slice(int(law.at[one]), int(law.at[one + 1]))
                np.add.at(share, law.hands[part], law.chances[part] / (law.high[one] - law.low[one] + 1))
        return share

    def others(self, at: int, action: int) -> list[tuple[int, int, float]]:
        """What else the reference does at a decision: actions from lowest to highest, and how often."""
        law, found = self._reference, []
        for one in range(int(law.first[at]), int(law.first[at + 1])):
            low, high = int(law.low[one]), int(law.high[one])
            each = float(law.chances[law.at[one]]) / (high - low + 1)
            if low <= action <= high:
                found += [(low, action - 1, each * (action - low)), (action + 1, high, each * (high - action))]
            else:
                found.append((low, high, each * (high - low + 1)))
        return [(low, high, share) for low, high, share in found if share > 0]


class _Situation(NamedTuple):
    """What a value is asked for: the public record, the board cards that lie there, the row of the weights of the
    varied hand, and a random word that is this situation's own."""

    public: np.void
    board: int
    reach: int
    word: int


@dataclass
class _JobList:
    """Situations that are to be played out, as they come up."""

    hands: HandColumns
    varied: NDArray[np.int64]
    followed: Followed
    rows: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    public: list[np.void] = field(default_factory=list)
    sums: list[NDArray[np.float64]] = field(default_factory=list)

    def weigh(self, weights: NDArray[np.float64] | None) -> int:
        """Keeps the weights of a varied hand; gives their row."""
        if weights is None:
            return -1
        self.sums.append(np.cumsum(weights))
        return len(self.sums) - 1

    def add(self, hand: int, situation: _Situation, counts: bool, first: tuple[int, int] = (FREE, FREE)) -> list[int]:
        """One more, as often as it is to be drawn; gives the numbers. `counts` says whether estimates need it."""
        public, board, reach, word = situation
        over = public["actor"] == FINISHED and (reach < 0 or not public["showdown"])
        begin = len(self.rows)
        for _ in range(TIMES[board] if counts and not over else 1):
            word = (word * 0xD1342543DE82EF95 + int(SPLITMIX_STEP)) % 2**64
            self.public.append(public)
            self.rows.append((hand, board, reach, word, *first))
        return list(range(begin, len(self.rows)))

    def play(self, players: Players, samples: int) -> NDArray[np.float64]:
        """What each seat wins from each situation on."""
        hand, board, reach, word, low, high = (np.array(column) for column in zip(*self.rows, strict=True))
        public = np.array(self.public, self.followed.public.dtype)
        jobs = Jobs(public, hand, board, reach, word.astype(np.uint64), low, high)
        sums = np.stack(self.sums) if self.sums else np.zeros((0, PAIRS))
        ends, seen = self.hands.records.ends, self.followed.public
        made = Actions(
            self.hands.records.actions.astype(np.int64),
            seen["actor"].astype(np.int64),
            seen["street"].astype(np.int64),
            np.concatenate([[0], ends])[:-1].astype(np.int64),
        )
        exact = river_values(self.hands, self.varied, jobs, sums, made, players)
        found = np.empty((len(exact), self.hands.records.game.seats))
        found[:, :2] = np.stack([exact, -exact], axis=1)
        drawn = np.flatnonzero(np.isnan(exact))
        found[drawn] = play_out(self.hands, self.varied, jobs.take(drawn), sums, made, players, samples)
        return found


@dataclass
class _Step:
    """From one place of a hand to the next: what kind of luck it is, or a gain; where and by whom.

    `before` are the jobs whose mean is the value before the step. Where they are none, that value is what the others
    give, by their shares, and for the rest the value after the step.
    """

    kind: int
    street: int
    actor: int
    before: list[int]
    others: list[tuple[int, float]] = field(default_factory=list)


@dataclass
class _Walk:
    """One hand: its steps, the jobs of its end, and whether cards came when nobody could bet any more."""

    row: int
    steps: list[_Step] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    dealt_out: set[int] = field(default_factory=set)
    money: float = 0.0

    def moved(self) -> bool:
        """Whether an unknown player did something else than the reference since the last card or known action."""
        for step in reversed(self.steps):
            if step.kind != GAIN or step.others:
                return step.kind == GAIN
        return False

    def enter(self, found: NDArray[np.float64], question: Question, out: Account) -> None:
        """Writes the account of the hand."""
        if not self.end:
            return  # a policy never does what was done there
        judged, row = int(question.judged[self.row]), self.row
        value = float(found[self.end, judged].mean())
        out.luck[row, OWN_CARDS] += self.money - value
        for place in reversed(range(len(self.steps))):
            step, after = self.steps[place], value
            if step.before:
                value = float(found[step.before, judged].mean())
            else:
                moved = sum(share * (float(found[job, judged]) - after) for job, share in step.others)
                value = after + moved
            if step.kind == GAIN:
                out.gains[row, step.street, step.actor] += after - value
            else:
                out.luck[row, step.kind] += after - value
            if place in self.dealt_out:
                out.all_in[row] += after - value
        out.start[row] = value
        out.imagined[row] = np.nan


class _Walks:
    """All hands of a batch, walked through; what is to be played out for them stands in `jobs`."""

    def __init__(self, hands: HandColumns, question: Question, laws: _Laws, out: Account) -> None:
        self._hands, self._question, self._laws, self._out = hands, question, laws, out
        self._followed = follow(hands)
        self.jobs = _JobList(hands, question.varied, self._followed)
        self.of_hands = [self._walk(row) for row in range(len(hands))]

    def _walk(self, row: int) -> _Walk:
        hands, records, jobs = self._hands, self._hands.records, self.jobs
        judged, varied = int(self._question.judged[row]), int(self._question.varied[row])
        walk, words = _Walk(row, money=float(records.payoffs[row, judged])), _words(int(self._question.words[row]))
        public = self._followed.begun[row]
        street = int(public["street"])
        board = BOARD_CARDS[street]
        start = _Situation(public, NOT_DEALT, -1, next(words))
        walk.steps.append(_Step(DEAL, street, -1, jobs.add(row, start, counts=True)))
        weights = _weights(hands, row, varied, board)
        reach = jobs.weigh(weights)
        for at in range(*self._followed.places(row)):
            actor, action = int(public["actor"]), int(records.actions[at])
            now = _Situation(public, board, reach, next(words))
            if self._laws.is_known(at):
                share = self._laws.share(at, action, PAIRS if actor == varied else 1)
                weighed = share if weights is None or actor != varied else weights * share
                if weighed.sum() <= 0:
                    self._out.forbidden[row] = at
                    return walk
                kind = OWN_ACTIONS if actor == judged else OTHER_ACTIONS
                walk.steps.append(_Step(kind, street, actor, jobs.add(row, now, walk.moved())))
                if actor == varied:
                    weights = weighed
                    reach = jobs.weigh(weights)
            else:
                walk.steps.append(_Step(GAIN, street, actor, [], self._alternatives(row, at, now)))
            public = self._followed.after(row, at)
            reached = 3 if public["showdown"] else int(public["street"])
            while street < reached:
                street += 1
                if public["actor"] == FINISHED:
                    walk.dealt_out.add(len(walk.steps))
                before = jobs.add(row, _Situation(public, board, reach, next(words)), walk.moved())
                walk.steps.append(_Step(street, street, -1, before))
                board = BOARD_CARDS[street]
                weights = _weights(hands, row, varied, board, weights)
                reach = jobs.weigh(weights)
        walk.end = jobs.add(row, _Situation(public, board, reach, next(words)), walk.moved())
        return walk

    def _alternatives(self, row: int, at: int, now: _Situation) -> list[tuple[int, float]]:
        """What else the reference might do than was done: jobs and how often each."""
        found: list[tuple[int, float]] = []
        for low, high, often in self._laws.others(at, int(self._hands.records.actions[at])):
            numbers = self.jobs.add(row, now, True, (low, high))
            found += [(number, often / len(numbers)) for number in numbers]
        return found


def _words(word: int) -> Iterator[int]:
    """A random word for each situation of a hand."""
    while True:
        word = (word * 0x9E3779B97F4A7C15 + 0xD1342543DE82EF95) % 2**64
        yield word


def _weights(
    hands: HandColumns, row: int, varied: int, board: int, before: NDArray[np.float64] | None = None
) -> NDArray[np.float64] | None:
    """How likely each hand of the varied seat is once the others' cards and so many of the board are seen."""
    if varied == NOBODY:
        return None
    deck, seats = hands.records.decks[row], hands.records.game.seats
    cards: Sequence[int] = np.delete(deck[: 2 * seats + board], [2 * varied, 2 * varied + 1]).tolist()
    gone = np.uint64(sum(1 << card for card in cards))
    weights: NDArray[np.float64] = np.where(_PAIR_BITS & gone != 0, 0.0, 1.0 if before is None else before)
    return weights
