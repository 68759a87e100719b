"""Bots that are Python objects: a class with `decide`, `decide_batch`, `probabilities` or `probabilities_batch`.

`decide(view, dice)` gives one action, `decide_batch(views, dice)` an array of actions for a batch. See
`rules.views`, `bots.dice`. Actions are whole numbers: -1 folds, 0 checks or calls, x > 0 bets or raises to x chips on
the street. `probabilities(view)` gives a dictionary of actions and probabilities, `probabilities_batch(views)` an
`ActionDistribution` or two arrays, actions and probabilities. A class with nothing else plays by drawing from them.

A bot that keeps memory between the hands of a match says so with a class attribute `memory = True`; it is then played
one hand at a time, in order. It may have `match_starts(game)`, called before the first hand, and `hand_over(ending)`,
called after each of its hands (see `rules.endings`).
"""

import math
from collections.abc import Mapping, Sequence
from numbers import Integral
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.alarm import BotFailed, call_bot
from luckless.bots.answers import NotAnAction, as_action
from luckless.bots.bot import NO_ANSWER, Bot, Decisions, NoProbabilities
from luckless.bots.clocks import Clocks
from luckless.bots.dice import BatchDice, Dice
from luckless.bots.distribution import ActionDistribution, BadProbabilities
from luckless.bots.fingerprints import checksum, file_digest, named_files, object_digest
from luckless.errors import InputError
from luckless.rules.actions import LegalBatch
from luckless.rules.endings import Ending
from luckless.rules.game import Game
from luckless.rules.views import View, Views

TIMEOUTS = 5
"""A bot that lets so many clocks run out one after the other is taken to hang, and not asked again in the match."""

START_SECONDS = 300.0
"""How long `match_starts` may take: to load a model, say."""


class PythonBot(Bot):
    """A bot that is a Python object. `given` are the parameters that its class was called with."""

    def __init__(self, name: str, player: Any, given: Mapping[str, Any] | None = None) -> None:
        self.name = self.spec = name
        self.player = player
        self.given = dict(given or {})
        self.memory = bool(getattr(player, "memory", False))
        self._decider = _decider_of(player, name)
        self.batch = _has(self._decider, "decide_batch")
        self._listens = self.memory and _has(player, "hand_over")
        self._clocks = Clocks()
        self._timeouts = 0
        """Clocks that ran out since its last answer."""
        self._untold = 0
        """Clocks that ran out, one after the other, when it was told of a hand."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that its class was called with."""
        return self.given

    @property
    def wants_results(self) -> bool:
        """Whether it keeps memory and has a method `hand_over`."""
        return self._listens

    def start(self, game: Game, clocks: Clocks) -> None:
        """Calls `match_starts` if the object has it."""
        self._clocks = clocks
        self._timeouts = self._untold = 0
        try:
            call_bot(lambda: self._match_starts(game.copy()), START_SECONDS, passing=(InputError,))
        except InputError as error:  # it has said what is wrong
            raise InputError(f"bot {self.name}: {error}") from None
        except BotFailed as failed:
            what = f"took more than {START_SECONDS:g} s" if failed.kind == "slow" else f"failed with {failed}"
            raise InputError(f"bot {self.name}: match_starts {what}") from failed

    def _match_starts(self, game: Game) -> None:
        if _has(self.player, "match_starts"):
            self.player.match_starts(game)

    def hand_over(self, ending: Ending) -> None:
        """Calls `hand_over` of the object."""
        if self._given_up or self._untold >= TIMEOUTS:
            return
        seconds = self._clocks.decision or math.inf
        try:
            call_bot(lambda: self.player.hand_over(ending), seconds)
        except BotFailed as failed:
            if failed.kind != "slow":
                raise BotFailed(failed.kind, f"hand_over: {failed}") from failed
            self._untold += 1
            last = f", {TIMEOUTS} times in a row: it is told no more" if self._untold == TIMEOUTS else ""
            raise BotFailed("slow", f"hand_over took more than {seconds:g} s{last}") from failed
        self._untold = 0

    @property
    def _given_up(self) -> str:
        """Why it is not asked any more, or nothing."""
        return f"it ran out of time {TIMEOUTS} times in a row and was given up" if self._timeouts >= TIMEOUTS else ""

    def answers(self, decisions: Decisions) -> Sequence[Any] | NDArray[np.int64]:
        """The answers of the whole batch at once; one by one if the object cannot, or if anything is wrong."""
        if self.batch and not self._given_up:
            actions = self._whole_batch(decisions)
            if actions is not None:
                return actions
        return [self._one(decisions, row) for row in range(len(decisions))]

    def _whole_batch(self, decisions: Decisions) -> NDArray[np.int64] | None:
        """The actions of a batch, or None when anything is wrong: then each decision is asked for alone, so that
        which decisions are faults does not depend on how they were batched."""
        timing = decisions.timing
        # Without a clock for hands all hands are alike: one stands for the batch.
        hands = timing.hands if timing.watch.clocks.hand else timing.hands[:1]
        if any(map(timing.watch.run_out, hands)):
            return None
        started = perf_counter()
        actions = None
        try:
            seconds = min(map(timing.watch.allowance, hands))
            actions = call_bot(lambda: self._asked(decisions.views, BatchDice(decisions.random_bits)), seconds)
        except BotFailed:
            pass
        thought = perf_counter() - started
        if actions is None or not decisions.are_legal(actions):
            timing.watch.charge_match(thought)
            return None
        self._timeouts = 0
        for hand in hands:
            timing.watch.charge(hand, thought / len(hands))
        return actions

    def _asked(self, views: Views, dice: BatchDice) -> NDArray[np.int64] | None:
        """What `decide_batch` gives, if it is one whole number for each decision."""
        answers = np.asarray(self._decider.decide_batch(views, dice))
        if answers.shape != (len(dice),) or answers.dtype.kind not in "iu":
            return None
        if answers.dtype == np.uint64 and (answers >= 2**63).any():
            return None  # it would wrap around to a negative number
        return answers.astype(np.int64)

    def _one(self, decisions: Decisions, row: int) -> Any:
        watch, hand = decisions.timing.watch, decisions.timing.hands[row]
        for kind, trouble in (("overtime", watch.run_out(hand)), ("absent", self._given_up)):
            if trouble:
                decisions.report_fault(row, kind, trouble)
                return NO_ANSWER
        started = perf_counter()
        answer: Any = NO_ANSWER
        try:
            dice = BatchDice(decisions.random_bits[row : row + 1])
            answer = call_bot(lambda: as_action(self._asked_alone(decisions.views, row, dice)), watch.allowance(hand))
            self._timeouts = 0
        except BotFailed as failed:
            self._timeouts = self._timeouts + 1 if failed.kind == "slow" else 0
            decisions.report_fault(row, failed.kind, str(failed))
        watch.charge(hand, perf_counter() - started)
        return answer

    def _asked_alone(self, views: Views, row: int, dice: BatchDice) -> Any:
        """The answer to one decision of a batch, exactly as the object gives it."""
        if not self.batch:
            return self._decider.decide(views.one(row), Dice(dice))
        answers = np.asarray(self._decider.decide_batch(views.rows(slice(row, row + 1)), dice))
        return answers.item() if answers.size == 1 else answers

    def fingerprint(self) -> str:
        """A checksum of its class and files, its parameters, the files these name, and the weights it holds."""
        files = [path for value in self.given.values() for path in named_files(str(value))]
        given = repr(sorted(self.given.items()))
        try:
            digest = call_bot(lambda: object_digest(self.player), passing=(InputError,))
        except BotFailed as failed:
            raise InputError(f"bot {self.name}: it cannot be looked into: {failed}") from failed
        return checksum([digest, given, *map(file_digest, files)])

    def probabilities(self, views: Views) -> ActionDistribution:
        """As the object states them; a bot without memory that rolls no dice is simply asked."""
        try:
            return call_bot(lambda: self._stated(views).checked(views), passing=(InputError,))
        except BadProbabilities as error:
            raise error.told_by(self.name) from None
        except InputError as error:
            raise type(error)(f"bot {self.name}: {error}") from None
        except BotFailed as failed:
            raise NoProbabilities(f"bot {self.name}: its probabilities failed with {failed}") from failed

    def _stated(self, views: Views) -> ActionDistribution:
        if _has(self.player, "probabilities_batch"):
            return _as_distribution(self.player.probabilities_batch(views))
        if _has(self.player, "probabilities"):
            return ActionDistribution.of_rows(
                [_as_law(self.player.probabilities(views.one(row))) for row in range(len(views))]
            )
        if self.memory:
            raise NoProbabilities(
                "it keeps memory between hands, so its action does not depend on the situation alone"
            )
        actions = self._without_dice(views)
        if not np.array_equal(actions, self._without_dice(views)):
            raise NoProbabilities("it answers the same situation differently when asked again")
        return ActionDistribution.certain(actions)

    def _without_dice(self, views: Views) -> NDArray[np.int64]:
        """Its legal actions, the answer for a fault included; refused as soon as it rolls dice."""
        legal, dice = LegalBatch.of(views.public), _NoDice(len(views))
        actions = self._asked(views, dice) if self.batch else None
        if actions is not None and legal.allows(actions).all():
            return actions
        return np.array([self._legal_alone(views, row, legal) for row in range(len(views))], np.int64)

    def _legal_alone(self, views: Views, row: int, legal: LegalBatch) -> int:
        try:
            action = call_bot(
                lambda: as_action(self._asked_alone(views, row, _NoDice(1))), passing=(NoProbabilities,)
            )
        except BotFailed:
            return legal.check_or_fold(row)
        if isinstance(action, NotAnAction) or not legal.allows_one(row, action):
            return legal.check_or_fold(row)
        return action


class _NoDice(BatchDice):
    """Dice that must not be rolled."""

    def __init__(self, rows: int) -> None:
        super().__init__(np.zeros((rows, 4), np.uint64))

    def _draw(self) -> NDArray[np.uint64]:
        raise NoProbabilities(
            "it acts at random; give it a method `probabilities(view)` or `probabilities_batch(views)`"
        )


class _DrawsBatches:
    """Decides for a batch by drawing from the probabilities that an object states."""

    def __init__(self, player: Any) -> None:
        self._player = player

    def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
        """Actions drawn with the dice."""
        return _as_distribution(self._player.probabilities_batch(views)).checked(views).draw(dice)


class _Draws:
    """Decides one by one by drawing from the probabilities that an object states."""

    def __init__(self, player: Any) -> None:
        self._player = player

    def decide(self, view: View, dice: Dice) -> int:
        """An action drawn with the dice."""
        return dice.weighted(_as_law(self._player.probabilities(view)))


def _decider_of(player: Any, name: str) -> Any:
    """What decides: the object itself, or a draw from the probabilities that it states."""
    if _has(player, "decide_batch") or _has(player, "decide"):
        return player
    if _has(player, "probabilities_batch"):
        return _DrawsBatches(player)
    if _has(player, "probabilities"):
        return _Draws(player)
    raise InputError(
        f"bot {name}: its class needs one of `decide(self, view, dice)`, `decide_batch(self, views, dice)`, "
        "`probabilities(self, view)` and `probabilities_batch(self, views)`"
    )


def _has(player: Any, method: str) -> bool:
    return callable(getattr(player, method, None))


def _as_law(stated: Any) -> Mapping[int, float]:
    if not isinstance(stated, Mapping) or not stated:
        what = f"a {type(stated).__name__}" if not isinstance(stated, Mapping) else "an empty dictionary"
        raise InputError(f"`probabilities` gave {what}; a dictionary {{action: probability}} is needed")
    strange = [action for action in stated if not isinstance(action, Integral)]
    if strange:
        raise InputError(f"`probabilities` gave the action {strange[0]!r}; actions are whole numbers")
    return stated


def _as_distribution(stated: Any) -> ActionDistribution:
    if isinstance(stated, ActionDistribution):
        return stated
    if isinstance(stated, tuple) and len(stated) == 2:
        return ActionDistribution.of_columns(*stated)
    raise InputError(
        f"`probabilities_batch` gave a {type(stated).__name__}; an ActionDistribution or two arrays (actions, "
        "probabilities) are needed"
    )


def bot_of(player: Any, name: str = "", given: Mapping[str, Any] | None = None) -> PythonBot:
    """Wraps a Python object as a bot; refuses one without any of the methods that decide."""
    name = name or type(player).__name__
    try:
        return call_bot(lambda: PythonBot(name, player, given), passing=(InputError,))
    except BotFailed as failed:
        raise InputError(f"bot {name}: it cannot be used: {failed}") from failed
