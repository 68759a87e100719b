"""The players of a match and the bots that play for them: a mix sends one of its members into each hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.dice import fraction
from luckless.bots.parameters import BOT
from luckless.kernels import njit
from luckless.keys import Keys
from luckless.randomness import MIX, random_bits_at


@dataclass(frozen=True)
class Lineup:
    """`players` as they were named; `cast`, the bots that play; `first_role[i]`, where the bots of player i begin."""

    players: tuple[Bot, ...]
    cast: tuple[Bot, ...]
    first_role: tuple[int, ...]

    @classmethod
    def of(cls, players: Sequence[Bot]) -> "Lineup":
        """The line-up of the players, in their order. A bot that sits several times is asked once for all its seats,
        unless it keeps memory."""
        cast: list[Bot] = []
        roles: dict[int, int] = {}
        first_role = []
        for player in players:
            role = len(cast) if player.memory else roles.setdefault(id(player), len(cast))
            first_role.append(role)
            if role == len(cast):
                cast.extend(player.members)
        return cls(tuple(players), tuple(cast), tuple(first_role))

    @property
    def compiled(self) -> bool:
        """Whether every bot is compiled, and no more than two need a loop of their own kind."""
        loops = [bot.loop for bot in self.cast if bot.loop is not None]
        return all(bot.record() is not None for bot in self.cast) and len(loops) <= 2 and len(set(loops)) <= 1

    @property
    def loop(self) -> Callable[..., Any] | None:
        """What gives the compiled loop, where that is not the common one."""
        return next((bot.loop for bot in self.cast if bot.loop is not None), None)

    @property
    def memory(self) -> bool:
        """Whether any bot keeps memory between hands."""
        return any(bot.memory for bot in self.cast)

    @property
    def batch(self) -> bool:
        """Whether every bot decides for whole batches inside this process."""
        return all(bot.batch for bot in self.cast)

    def records(self) -> NDArray[np.void]:
        """The cast as kernels take it; any other bot has an empty record."""
        records = (bot.record() for bot in self.cast)
        return np.concatenate([np.zeros(1, BOT) if record is None else record for record in records])

    def roles(self, keys: Keys, deals: NDArray[np.int64], players: NDArray[np.int8]) -> NDArray[np.int16]:
        """Which of the cast plays in each seat of each hand. A mix chooses by deal and seat."""
        roles = np.array(self.first_role, np.int16)[players]
        for number, player in enumerate(self.players):
            if len(player.members) > 1:
                rows, seats = np.nonzero(players == number)
                own = keys.rows("mix", number, deals[rows], seats)
                roles[rows, seats] += _choose(own, deals[rows], seats, np.cumsum(player.weights))
        return roles


@njit(cache=True, nogil=True)
def _choose(
    keys: NDArray[np.uint64], deals: NDArray[np.int64], seats: NDArray[np.int64], shares: NDArray[np.float64]
) -> NDArray[np.int16]:
    """The member of a mix that plays in each of some seats."""
    members = np.zeros(len(deals), np.int16)
    for row in range(len(deals)):
        drawn = fraction(random_bits_at(keys[row], 0, deals[row], MIX + seats[row], 0)[0])
        while members[row] < len(shares) - 1 and drawn >= shares[members[row]]:
            members[row] += 1
    return members
