"""What a bot is, whatever stands behind it: compiled rules, a Python object, a program, a mix of bots.

A bot decides (`answers`), says whether it keeps memory between hands, can be told apart from other bots by its
`fingerprint`, and may know with which `probabilities` it acts. Matches, sessions and leagues know only this.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.clocks import Clocks, Timing
from luckless.bots.distribution import ActionDistribution
from luckless.errors import InputError
from luckless.rules.endings import Ending
from luckless.rules.game import Game
from luckless.rules.views import Views

ReportFault = Callable[[int, str, str], None]
"""Called with the row of the decision, the kind of the fault (see `matches.faults`) and the detail."""

NO_ANSWER = object()
"""The answer of a bot that gave no answer; the fault has been reported."""


class NoProbabilities(InputError):
    """A bot that cannot say with what probabilities it acts."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions that one bot makes together."""

    views: Views
    random_bits: NDArray[np.uint64]
    """The first four random words of each decision (see `bots.dice`)."""
    timing: Timing
    report_fault: ReportFault
    are_legal: Callable[[NDArray[np.int64]], bool]
    """Whether the table would take all of some actions, one for each decision."""

    def __len__(self) -> int:
        return len(self.views)


class Bot(ABC):
    """A bot. Only `answers` and `fingerprint` must be written; the rest describes a bot that is asked one by one,
    keeps no memory, needs no start and does not know its probabilities."""

    name: str
    """What it is called in results: the label it was given, else its `spec`."""
    spec: str
    """How it was named: `load_bot(spec)` loads it again."""
    memory: bool = False
    """Whether it keeps memory between hands: it is then played one hand at a time, in order."""
    batch: bool = False
    """Whether it decides for whole batches inside this process."""
    outside: bool = False
    """Whether it comes from outside: it must know only what it is told, so a match with it is sealed (see `keys`)."""
    own_clocks: Clocks | None = None
    """How long it may think, if that is not what the match says; of these, 0 is what the match says."""
    uses_cards: bool = False
    """Whether it is compiled and looks hand ranks up."""
    loop: Callable[..., Any] | None = None
    """Of a compiled bot that the common loop does not know: `loop(game, cast, setup)` gives what plays whole hands in
    which it sits (see `matches.compiled`)."""

    def __repr__(self) -> str:
        spec = "" if self.spec == self.name else f" ({self.spec})"
        return f"<{type(self).__name__} {self.name}{spec}>"

    @property
    def members(self) -> "tuple[Bot, ...]":
        """The bots that play for it; a mix sends one of several into each hand."""
        return (self,)

    @property
    def weights(self) -> tuple[float, ...]:
        """How often each member plays."""
        return (1.0,)

    @property
    def wants_results(self) -> bool:
        """Whether it hears how its hands end."""
        return False

    @property
    def parameters(self) -> Any:
        """Its parameters as plain values."""
        return []

    def record(self) -> NDArray[np.void] | None:
        """The bot as compiled loops take it; None if it is not compiled."""
        return None

    def trouble(self) -> str:
        """Why it cannot play at all, as far as that can be known before a match; empty if nothing is wrong."""
        return ""

    def limit_memory(self, megabytes: int) -> None:
        """Bounds the memory of a program; other bots share ours and cannot be bounded."""
        raise InputError(f"bot {self.name}: its memory cannot be bounded; only that of exec:COMMAND can")

    def keep_records(self, folder: Path, place: int) -> None:  # noqa: B027
        """A match is stored in a folder, and this is its player number `place`: what the bot keeps may lie there."""

    def count_spent(self, dollars: float) -> None:  # noqa: B027
        """So much was paid for it at other tables of the same tournament: it counts in its budget, if it has one."""

    def usage(self) -> dict[str, Any]:
        """What it cost to ask it, as plain values for JSON; empty for bots that cost nothing."""
        return {}

    def start(self, game: Game, clocks: Clocks) -> None:  # noqa: B027 - most bots need no start
        """A match begins: gets the bot ready to be asked."""

    def stop(self) -> None:  # noqa: B027
        """The match is over: nothing of the bot is left running."""

    def hand_over(self, ending: Ending) -> None:  # noqa: B027
        """A hand in which it played is over; raises `alarm.BotFailed` if it could not be told."""

    @abstractmethod
    def answers(self, decisions: Decisions) -> Sequence[Any] | NDArray[Any]:
        """The answer to each decision as the bot gives it, or `NO_ANSWER`; the table judges them."""

    @abstractmethod
    def fingerprint(self) -> str:
        """A checksum of all that decides how it plays; empty for a program that cannot be looked into."""

    def probabilities(self, views: Views) -> ActionDistribution:
        """What it does in each of some situations, and how often; raises `NoProbabilities` if it cannot say."""
        raise NoProbabilities(f"bot {self.name} does not give the probabilities of its actions")


def all_hands(bot: Bot, views: Views, row: int = 0) -> tuple[ActionDistribution, NDArray[np.int64]]:
    """What a bot does in one public situation with every hand it could hold; and the numbers of these hands."""
    situations, numbers = views.with_all_hands(row)
    return bot.probabilities(situations), numbers
