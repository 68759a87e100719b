"""What a bot does at each decision of a batch, and how often: a short list of actions with probabilities a row.

An entry is one action, or a range of raises that are equally likely: a bot that raises to any amount between the
smallest and the largest needs one entry, not thousands.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.bots.dice import BatchDice
from luckless.errors import InputError
from luckless.rules.actions import CALL, FOLD
from luckless.rules.views import Views

SUM_TOLERANCE = 1e-6
"""How far the probabilities of a decision may be from 1 in sum."""


class BadProbabilities(InputError):
    """Invalid probabilities: they do not sum to 1, are negative or not finite, or name an illegal action."""

    row: int = -1
    """The decision that is wrong, -1 if it is no single one."""
    reason: str = ""
    """What is wrong there."""

    def told_by(self, bot: str) -> "BadProbabilities":
        """The same with the name of the bot in its text."""
        told = BadProbabilities(f"bot {bot}: {self}")
        told.row, told.reason = self.row, self.reason
        return told


@dataclass(frozen=True, slots=True)
class ActionDistribution:
    """For each decision (row) some actions and their probabilities; all arrays have the shape (n, k).

    Entry j of row i is the action `low[i, j]` if that equals `high[i, j]`; else it is every raise from `low` to
    `high`, both included, which share the probability equally. Places that are not used have the probability 0.
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    probability: NDArray[np.float64]

    @classmethod
    def certain(cls, actions: ArrayLike) -> "ActionDistribution":
        """One action a row, taken always."""
        column = np.asarray(actions, np.int64).reshape(-1, 1)
        return cls(column, column, np.ones(column.shape))

    @classmethod
    def of_columns(cls, actions: ArrayLike, probability: ArrayLike) -> "ActionDistribution":
        """From two arrays of the shape (n, k), or actions of the shape (k,) that all rows share."""
        weights = np.asarray(probability, np.float64)
        wanted = np.asarray(actions)
        if weights.ndim != 2 or wanted.dtype.kind not in "iu":
            raise BadProbabilities("actions must be whole numbers and probabilities an array (decisions x actions)")
        try:
            spread = np.array(np.broadcast_to(wanted, weights.shape), np.int64)
        except ValueError:
            raise BadProbabilities(
                f"actions have the shape {wanted.shape}, probabilities {weights.shape}; they must be equal"
            ) from None
        return cls(spread, spread, weights)

    @classmethod
    def of_rows(cls, rows: Sequence[Mapping[int, float]]) -> "ActionDistribution":
        """From one dictionary of actions and probabilities a row."""
        width = max((len(row) for row in rows), default=1)
        actions, weights = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width))
        for place, row in enumerate(rows):
            actions[place, : len(row)] = list(row.keys())
            weights[place, : len(row)] = list(row.values())
        return cls(actions, actions, weights)

    def __len__(self) -> int:
        return len(self.probability)

    def __repr__(self) -> str:
        return f"<ActionDistribution of {len(self):,} decisions, at most {self.probability.shape[1]} entries each>"

    def of(self, actions: ArrayLike) -> NDArray[np.float64]:
        """The probability of one action in each row."""
        wanted = np.asarray(actions, np.int64)[:, None]
        inside = (self.low <= wanted) & (wanted <= self.high)
        share: NDArray[np.float64] = np.where(inside, self.probability / (self.high - self.low + 1), 0.0).sum(axis=1)
        return share

    def kinds(self) -> NDArray[np.float64]:
        """How often each decision is a fold, a check or call, a bet or raise: shape (n, 3)."""
        tests = (self.low == FOLD, self.low == CALL, self.low > CALL)
        return np.stack([np.where(test, self.probability, 0.0).sum(axis=1) for test in tests], axis=1)

    def row(self, number: int) -> list[tuple[int, int, float]]:
        """The entries of one decision that have any probability: lowest and highest action, and how often."""
        entries = zip(self.low[number], self.high[number], self.probability[number], strict=True)
        return [(int(low), int(high), float(share)) for low, high, share in entries if share > 0]

    def draw(self, dice: BatchDice) -> NDArray[np.int64]:
        """An action for each row, drawn by two numbers of its dice: which entry, and which raise of a range."""
        shares = np.cumsum(self.probability, axis=1)
        entry = (dice.random()[:, None] * shares[:, -1:] >= shares).sum(axis=1)
        rows = np.arange(len(self))
        low, high = self.low[rows, entry], self.high[rows, entry]
        return low if (low == high).all() else dice.integer(low, high)

    def checked(self, views: Views) -> "ActionDistribution":
        """The same, refused with the first decision that is wrong: sums, signs, illegal actions."""
        if len(self) != len(views):
            raise BadProbabilities(
                f"{len(views)} decisions need one row of probabilities each; {len(self)} were given"
            )
        if self.low.dtype.kind not in "iu" or self.high.dtype.kind not in "iu":
            raise BadProbabilities("actions must be whole numbers")
        wrong: NDArray[np.bool_] = ~np.isfinite(self.probability) | (self.probability < 0)
        self._refuse(
            np.asarray(wrong.any(axis=1)), lambda row: f"a probability is {self.probability[row][wrong[row]][0]:g}"
        )
        total = self.probability.sum(axis=1)
        off: NDArray[np.bool_] = np.abs(total - 1) > SUM_TOLERANCE
        self._refuse(off, lambda row: f"the probabilities sum to {total[row]:.9g}, not 1")
        least, most = views.min_raise_to[:, None], views.max_raise_to[:, None]
        single = (self.low == self.high) & ((self.low == FOLD) | (self.low == CALL))
        legal = single | ((self.low > CALL) & (least <= self.low) & (self.low <= self.high) & (self.high <= most))
        bad = (self.probability > 0) & ~legal
        self._refuse(bad.any(axis=1), lambda row: f"{self.low[row][bad[row]][0]} is not a legal action there")
        return self

    @staticmethod
    def _refuse(bad: NDArray[np.bool_], reason: Callable[[int], str]) -> None:
        if bad.any():
            row = int(np.argmax(bad))
            error = BadProbabilities(f"decision {row}: {reason(row)}")
            error.row, error.reason = row, reason(row)
            raise error

    @classmethod
    def mixture(cls, weights: NDArray[np.float64], parts: "Sequence[ActionDistribution]") -> "ActionDistribution":
        """The law that first chooses one of several, part j with the probability `weights[i, j]` in row i."""
        columns = [(part.low, part.high, weights[:, [place]] * part.probability) for place, part in enumerate(parts)]
        low, high, probability = (np.concatenate(column, axis=1) for column in zip(*columns, strict=True))
        return cls(low, high, probability)
