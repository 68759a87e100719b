"""Estimators that walk through hands step by step (see `walking`): chance only, imaginary observations, AIVAT."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless import pieces
from luckless.errors import InputError
from luckless.progress import Progress
from luckless.rules.columns import HandColumns
from luckless.rules.game import STREETS
from luckless.rules.replaying import replay
from luckless.skill.all_in import all_ins
from luckless.skill.collecting import Collector, sets_of
from luckless.skill.hands_told_apart import groups_of, hidden_hand, some_of
from luckless.skill.policies import known_policies
from luckless.skill.shares import NOBODY
from luckless.skill.values import PLAIN
from luckless.skill.verdict import NOTHING, Knowledge, Verdict
from luckless.skill.walking import LUCKS, OTHER_ACTIONS, OWN_ACTIONS, Account, Question, new_account, part_of
from luckless.threads import core_count, run_chunks

AT_ONCE, OF_A_PIECE = 64, 512
"""Hands that one thread walks through before it takes the next, and hands that a crew is given at a time."""

DEALS = slice(0, 4)
"""The kinds of luck that lie in the cards."""


class Walked(NamedTuple):
    """Hands of one player, walked through: their rows in the batch, the player's seats, and the account in chips."""

    rows: NDArray[np.int64]
    seats: NDArray[np.int64]
    money: NDArray[np.float64]
    account: Account


@dataclass(frozen=True)
class WalkJob:
    """Hands of one player for a crew; a piece is hands and what is asked of them."""

    knowledge: Knowledge

    @contextmanager
    def opened(self) -> Iterator[pieces.Doer]:
        """Needs no more than what is known."""

        def walked(piece: tuple[HandColumns, Question]) -> Account:
            hands, question = piece
            account = new_account(len(hands))
            for first in range(0, len(hands), AT_ONCE):
                rows = slice(first, first + AT_ONCE)
                asked = Question(question.judged[rows], question.varied[rows], question.words[rows])
                _account(self.knowledge, hands.rows(rows), asked, part_of(account, rows))
            return account

        yield walked


def _account(knowledge: Knowledge, hands: HandColumns, question: Question, account: Account) -> None:
    known = known_policies(hands, question.varied, knowledge.policies)
    knowledge.values.account(hands, question, known, knowledge.policies, account)


def walk_hands(
    hands: HandColumns, player: int, knowledge: Knowledge, vary: bool, progress: Progress | None = None
) -> Walked:
    """The account of one player in all the hands of a batch in which he plays.

    With `vary`, values are means over what a player of known policy might hold: the judged one, or the opponent
    heads-up.
    """
    rows, seats = np.nonzero(hands.players == player)
    mine = hands.take(rows)
    varied = varied_seats(mine, player, seats, knowledge) if vary else np.full(len(rows), NOBODY)
    words = words_of(mine.keys)
    account = new_account(len(rows))

    def piece_of(first: int, last: int) -> tuple[HandColumns, Question]:
        question = Question(seats[first:last], varied[first:last], words[first:last])
        return mine.rows(slice(first, last)), question

    def work(first: int, last: int) -> int:
        _account(knowledge, *piece_of(first, last), part_of(account, slice(first, last)))
        return last - first

    compiled = all(bot.record() is not None for bot in knowledge.policies.values())
    shown = progress or Progress(None, "hands", show=False)
    if (crew := pieces.crew()) is None:
        run_chunks(len(rows), AT_ONCE, work, shown, core_count() if compiled else 1)
    else:
        parts = (piece_of(first, first + OF_A_PIECE) for first in range(0, len(rows), OF_A_PIECE))
        first = 0
        for (part, _), found in pieces.in_order(crew, WalkJob(replace(knowledge, show_progress=False)), parts):
            for column, values in zip(account, found, strict=True):
                column[first : first + len(part)] = values
            first += len(part)
            shown.advance(len(part))
    _refuse_forbidden(mine, account)
    money = mine.values()[np.arange(len(rows)), seats]
    account.rest[:] += money - mine.records.payoffs[np.arange(len(rows)), seats]
    return Walked(rows, seats, money, account)


def mirrored(hands: HandColumns, walked: Walked) -> Walked:
    """The same walk for the other of two players, with the same seat varied: every move has the other sign."""
    account, rows = walked.account, walked.rows
    seats = 1 - walked.seats
    money = hands.values()[rows, seats]
    luck = -account.luck
    luck[:, [OWN_ACTIONS, OTHER_ACTIONS]] = luck[:, [OTHER_ACTIONS, OWN_ACTIONS]]
    start, gains = -account.start, -account.gains
    rest = money - start - gains.sum(axis=(1, 2)) - luck.sum(axis=1)
    turned = account._replace(start=start, gains=gains, luck=luck, rest=rest, all_in=-account.all_in)
    return Walked(rows, seats, money, turned)


def halfway(hands: HandColumns, first: Walked, second: Walked) -> Walked:
    """The mean of two walks, the second of which is that of the other of two players: each alone is unbiased."""
    turned = mirrored(hands, second)
    names = ("start", "gains", "luck", "rest", "all_in")
    mean = {name: (getattr(first.account, name) + getattr(turned.account, name)) / 2 for name in names}
    return first._replace(account=first.account._replace(**mean))


def varied_seats(
    hands: HandColumns, player: int, seats: NDArray[np.int64], knowledge: Knowledge
) -> NDArray[np.int64]:
    """The seat whose cards are averaged over in each hand."""
    if hands.names[player] in knowledge.policies:
        return seats
    if hands.records.game.seats > 2:
        return np.full(len(seats), NOBODY)
    others = 1 - seats
    names = np.array(hands.names, object)[hands.players[np.arange(len(seats)), others]]
    return np.where(np.isin(names, list(knowledge.policies)), others, NOBODY)


def words_of(keys: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A random word for each hand that depends on nothing but its key."""
    mixed = (keys.astype(np.uint64) + np.uint64(1)) * np.uint64(0xD1342543DE82EF95)
    return mixed ^ (mixed >> np.uint64(32))


def _refuse_forbidden(hands: HandColumns, account: Account) -> None:
    bad = np.flatnonzero(account.forbidden >= 0)
    if not len(bad):
        return
    row = int(bad[0])
    # places count within the part of the hands that was walked at once
    first = row // AT_ONCE * AT_ONCE
    step = int(account.forbidden[row] - (hands.records.ends[row - 1] - _begin(hands, first) if row > first else 0))
    steps = replay(hands.take(np.array([row])).records).steps
    name = hands.names_of(row)[int(steps.seat[step])]
    raise InputError(
        f"hand {hands.numbers[row]}, action {step + 1} ({STREETS[int(steps.street[step])]}): the policy given for "
        f"{name} never does what {name} did there; is it the policy that played?"
    )


def _begin(hands: HandColumns, row: int) -> int:
    return int(hands.records.ends[row - 1]) if row else 0


class _ByStep:
    """What estimators share that walk through hands."""

    name: str
    needs: str
    method: str
    vary = False
    by_values = True
    """Whether what is taken out depends on the value function."""
    mirrors = True
    """Whether heads-up what one player gains is what the other loses, term by term."""

    def lacks(self, hands: HandColumns, knowledge: Knowledge) -> str:
        """All hole cards must be known."""
        return hidden_hand(hands)

    def removed(self, account: Account) -> dict[str, NDArray[np.float64]]:
        """The luck that is taken out, by kind."""
        raise NotImplementedError

    def reason(self, knowledge: Knowledge) -> str:
        """Why it can be trusted with these hands."""
        raise NotImplementedError

    def judge(self, batches: Iterable[HandColumns], knowledge: Knowledge = NOTHING) -> Verdict:
        """Every player's win rate by money and adjusted; the sample is the duplicate set, or the hand."""
        knowledge = knowledge if self.by_values else replace(knowledge, values=PLAIN)
        collector, hands = Collector(self.method, knowledge.lines), 0
        with Progress(None, "judging, by player and hand", show=knowledge.show_progress) as progress:
            for batch in _checked(batches, lambda batch: self.lacks(batch, knowledge), self.name):
                knowledge.values.seen.refuse(batch, knowledge.values.name)
                hands += len(batch)
                sets, played, unit = sets_of(batch), replay(batch.records), batch.records.game.big_blind
                expected = all_ins(batch, played).expected / unit if knowledge.lines else None
                for player, walked in self._walks(batch, knowledge, progress):
                    measures = self._measures(walked, unit)
                    if expected is not None:
                        measures["all-in", ""] = expected[walked.rows, walked.seats]
                    groups = groups_of(batch, played, walked.rows, walked.seats)
                    collector.add(batch.names[player], sets[walked.rows], measures, groups)
        reason = self.reason(knowledge)
        values = knowledge.values if self.by_values else None
        return Verdict(hands, self.name, collector.verdicts(), reason, values=values)

    def hand_values(self, batch: HandColumns, player: int, knowledge: Knowledge) -> NDArray[np.float64]:
        """What one player won in each hand of a batch, adjusted, in big blinds; he must play in all of them."""
        unit = batch.records.game.big_blind
        for of, walked in self._walks(batch, knowledge, Progress(None, "hands", show=False)):
            if of == player:
                return self._measures(walked, unit)["adjusted", ""]
        raise ValueError(f"player {player} is in none of the hands")

    def luck_of_players(
        self, batch: HandColumns, knowledge: Knowledge
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
        """For each player the rows and seats of his hands, and the luck in chips that is taken out of each."""
        for _, walked in self._walks(batch, knowledge, Progress(None, "hands", show=False)):
            yield walked.rows, walked.seats, np.sum(list(self.removed(walked.account).values()), axis=0)

    def _walks(self, batch: HandColumns, knowledge: Knowledge, progress: Progress) -> Iterator[tuple[int, Walked]]:
        """Each player's walk; heads-up the second is the first one seen from the other side."""
        players = np.unique(batch.players).tolist()
        first = walk_hands(batch, players[0], knowledge, self.vary, progress)
        if not (self.mirrors and batch.records.game.seats == len(players) == 2):
            yield players[0], first
            for player in players[1:]:
                yield player, walk_hands(batch, player, knowledge, self.vary, progress)
            return
        if self.vary and all(batch.names[player] in knowledge.policies for player in players):
            first = halfway(batch, first, walk_hands(batch, players[1], knowledge, self.vary, progress))
        yield players[0], first
        yield players[1], mirrored(batch, first)

    def _measures(self, walked: Walked, unit: float) -> dict[tuple[str, str], NDArray[np.float64]]:
        account = walked.account
        removed = self.removed(account)
        adjusted = walked.money - np.sum(list(removed.values()), axis=0)
        gains = account.gains.sum(axis=2)
        gains[:, 0] += account.start
        measures = {("money", ""): walked.money, ("adjusted", ""): adjusted}
        measures |= {("street", street): gains[:, place] for place, street in enumerate(STREETS)}
        measures |= {("term", kind): values for kind, values in removed.items()}
        measures["term", "rest"] = adjusted - gains.sum(axis=1)
        return {key: values / unit for key, values in measures.items()}


def _checked(batches: Iterable[HandColumns], lacks: Callable[[HandColumns], str], name: str) -> Iterator[HandColumns]:
    for batch in batches:
        if problem := lacks(batch):
            raise InputError(f"{name} cannot judge these hands: {problem}")
        yield batch


class Chance(_ByStep):
    """Takes the luck of the cards out, and nothing else. Needs no policy."""

    name = "chance"
    needs = "hands with all hole cards"
    method = "money without the luck of the cards"

    def removed(self, account: Account) -> dict[str, NDArray[np.float64]]:
        """The luck of hole cards and board."""
        return dict(zip(LUCKS[DEALS], account.luck.T[DEALS], strict=True))

    def reason(self, knowledge: Knowledge) -> str:
        """It needs no policy."""
        return "The luck of the cards is taken out; what players do is not judged against any policy."


class _WithPolicies(_ByStep):
    vary = True

    def lacks(self, hands: HandColumns, knowledge: Knowledge) -> str:
        """All hole cards must be known, and the policy of a player."""
        if not knowledge.policies:
            return f"the policy of no player is known; there is {some_of(hands.names)}"
        return super().lacks(hands, knowledge)


class Imaginary(_WithPolicies):
    """Averages results over all hands that a player of known policy would have played the same way."""

    name = "imaginary"
    by_values = False
    mirrors = False
    needs = "hands with all hole cards, and a policy"
    method = "money over imaginary observations"

    def removed(self, account: Account) -> dict[str, NDArray[np.float64]]:
        """What own cards, and folds that could have come earlier, change."""
        total = account.start + account.gains.sum(axis=(1, 2)) + account.luck.sum(axis=1) + account.rest
        return {"own cards and folds": total - account.imagined}

    def reason(self, knowledge: Knowledge) -> str:
        """Unbiased for the players whose policies are known."""
        return f"Results are means over the hands that {_names(knowledge)} could have held."


class Aivat(_WithPolicies):
    """Takes the luck of the cards out, of known players' coins, and of which hand they held."""

    name = "aivat"
    needs = "hands with all hole cards, and a policy"
    method = "AIVAT"

    def removed(self, account: Account) -> dict[str, NDArray[np.float64]]:
        """All of it."""
        return dict(zip(LUCKS, account.luck.T, strict=True))

    def reason(self, knowledge: Knowledge) -> str:
        """The more policies are known, the less luck is left."""
        return f"AIVAT is unbiased and takes most luck out where policies are known: {_names(knowledge)}."


def _names(knowledge: Knowledge) -> str:
    return ", ".join(sorted(knowledge.policies))
