"""What a bot is: a compiled rule, a Python object with one method, a program outside, or a mix of bots.

A Python bot is any object with `decide(view, dice)` for one decision (returns an action) or
`decide_batch(views, dice)` for a batch of them (returns an array of actions); see `rules.views` and `bots.dice`.
Actions are whole numbers: -1 folds, 0 checks or calls, x > 0 bets or raises to x chips on the street.
A bot that keeps memory between the hands of a match says so with a class attribute `memory = True`; it is then
played one hand at a time, in order. It may have `match_starts(game)`, called before the first hand, and
`hand_over(ending)`, called after each of its hands (see `rules.endings`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.clocks import Clocks, Timing
from luckless.bots.compiled import BOT, decide
from luckless.bots.dice import BatchDice, Dice
from luckless.errors import InputError
from luckless.hands.rank_source import RankSource, rank_source
from luckless.kernels import njit
from luckless.rules.endings import Ending
from luckless.rules.game import Game
from luckless.rules.views import Views

ReportFault = Callable[[int, str, str], None]
"""Called with the row of the decision, the kind of the fault (see `matches.faults`) and the detail."""

NO_ANSWER = object()
"""Stands for the answer of a bot that gave none; the fault has been complained of."""


@dataclass(frozen=True)
class RuleBot:
    """A bot that is a compiled rule with numbers for parameters."""

    name: str
    rule: int
    parameters: tuple[float, ...] = ()
    uses_cards: bool = False
    uses_dice: bool = False
    memory: bool = field(default=False, init=False)

    def record(self) -> NDArray[np.void]:
        """The bot as the one-element record array that kernels take."""
        record = np.zeros(1, BOT)
        record["rule"] = self.rule
        record["uses_cards"] = self.uses_cards
        record["uses_dice"] = self.uses_dice
        record["parameters"][0, : len(self.parameters)] = self.parameters
        return record


@dataclass(frozen=True)
class PythonBot:
    """A bot that is a Python object; `batch` says which of the two methods it has."""

    name: str
    player: Any
    batch: bool
    memory: bool

    def decide(self, views: Views, random_bits: NDArray[np.uint64]) -> Any:
        """The answer to a batch of decisions, exactly as the object gives it."""
        return self.player.decide_batch(views, BatchDice(random_bits))

    def decide_one(self, views: Views, random_bits: NDArray[np.uint64], row: int) -> Any:
        """The answer to one decision of the batch, exactly as the object gives it."""
        if self.batch:
            answers = np.asarray(
                self.player.decide_batch(views.rows(slice(row, row + 1)), BatchDice(random_bits[row : row + 1]))
            )
            return answers.item() if answers.size == 1 else answers
        return self.player.decide(views.one(row), Dice(random_bits[row]))

    @property
    def wants_results(self) -> bool:
        """Whether it wants to know how its hands end."""
        return self.memory and callable(getattr(self.player, "hand_over", None))

    def start(self, game: Game, clocks: Clocks) -> None:
        """A match begins."""
        if callable(hook := getattr(self.player, "match_starts", None)):
            try:
                hook(game)
            except InputError as error:  # it has said what is wrong
                raise InputError(f"bot {self.name}: {error}") from None
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"
                raise InputError(f"bot {self.name}: match_starts failed with {reason}") from error

    def hand_over(self, ending: Ending) -> None:
        """A hand in which it played is over."""
        self.player.hand_over(ending)

    def stop(self) -> None:
        """The match is over."""


class ExternalBot(ABC):
    """A bot outside this process, reached through pipes or a socket: asked in batches, watched by clocks.

    Nothing that it does raises an error: a fault is complained of, and `NO_ANSWER` stands for what it did not answer.
    """

    name: str

    @property
    @abstractmethod
    def memory(self) -> bool:
        """Whether it keeps memory between hands; asking may start it."""

    @property
    def wants_results(self) -> bool:
        """Whether it wants to know how its hands end."""
        return self.memory

    @abstractmethod
    def start(self, game: Game, clocks: Clocks) -> None:
        """A match begins: gets the bot ready to be asked."""

    @abstractmethod
    def answers(
        self, views: Views, random_bits: NDArray[np.uint64], timing: Timing, report_fault: ReportFault
    ) -> list[Any]:
        """The answer to each decision of a batch, exactly as the bot gives it, or `NO_ANSWER`."""

    @abstractmethod
    def hand_over(self, ending: Ending) -> None:
        """A hand in which it played is over."""

    @abstractmethod
    def stop(self) -> None:
        """The match is over: nothing of the bot is left running."""


Actor = RuleBot | PythonBot | ExternalBot
"""A bot that sits in a seat itself."""


@dataclass(frozen=True)
class MixBot:
    """A random choice among bots, made anew for each hand."""

    name: str
    members: tuple[Actor, ...]
    weights: tuple[float, ...]

    @property
    def memory(self) -> bool:
        """Whether any of the members keeps memory."""
        return any(member.memory for member in self.members)


Bot = Actor | MixBot


def bot_of(player: Any, name: str = "") -> PythonBot:
    """Wraps a Python object as a bot; refuses one without either method."""
    called = name or type(player).__name__
    batch = callable(getattr(player, "decide_batch", None))
    if not batch and not callable(getattr(player, "decide", None)):
        raise InputError(
            f"bot {called}: its class has neither `decide(self, view, dice)` nor `decide_batch(self, views, dice)`"
        )
    return PythonBot(called, player, batch, bool(getattr(player, "memory", False)))


def ranks_for(bots: Iterable[Actor]) -> RankSource | None:
    """What compiled bots look hand ranks up in; None when none of them looks at cards."""
    return rank_source() if any(isinstance(bot, RuleBot) and bot.uses_cards for bot in bots) else None


@njit(cache=True, nogil=True)
def _decide_rows(
    bot: Any, rules: Any, public: Any, cards: Any, random_bits: Any, source: Any, out: NDArray[np.int64]
) -> None:
    for row in range(len(public)):
        four = (random_bits[row, 0], random_bits[row, 1], random_bits[row, 2], random_bits[row, 3])
        out[row] = decide(bot[0], rules[0], public[row], cards[row], four, source)


def rule_actions(
    bot: RuleBot, rules: NDArray[np.void], views: Views, random_bits: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """The actions of a compiled rule for a batch of decisions."""
    out = np.empty(len(views), np.int64)
    _decide_rows(bot.record(), rules, views.public, views.cards, random_bits, ranks_for([bot]), out)
    return out
