"""The value functions that come with the package: equity values fitted for limit and no-limit, heads-up and fuller.

`tools/fit_values.py` made their files; it names the matches that they were fitted on.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from luckless.bots.bot import Bot
from luckless.bots.fingerprints import checksum
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.skill.seen_hands import SeenHands
from luckless.skill.values import PLAIN, EquityValues
from luckless.skill.walking import Account, Known, Question

FOLDER = Path(__file__).with_name("fitted")
NAME = "shipped equity"


def game_kind(game: Game) -> str:
    """The kind of games that a fit is for: limit or not, two seats or more. It is the name of its file, too."""
    betting = "limit" if game.betting == "limit" else "nolimit"
    return f"{betting}-{'two' if game.seats == 2 else 'many'}"


@dataclass(frozen=True)
class ValuesByGame:
    """Equity values by the kind of game; games of another kind are judged by plain equity."""

    name: str
    parts: Mapping[str, EquityValues]

    @functools.cached_property
    def digest(self) -> str:
        """Sixteen characters that are equal exactly for equal values."""
        return checksum([text for kind in sorted(self.parts) for text in (kind, self.parts[kind].digest)])[:16]

    @functools.cached_property
    def seen(self) -> SeenHands:
        """The hands of all the fits."""
        marks = [np.zeros(0, np.uint64), *(part.seen.marks for part in self.parts.values())]
        return SeenHands(np.unique(np.concatenate(marks)))

    def account(
        self, hands: HandColumns, question: Question, known: Known, policies: Mapping[str, Bot], out: Account
    ) -> None:
        """Writes the account of hands by the values of their game."""
        self.parts.get(game_kind(hands.records.game), PLAIN).account(hands, question, known, policies, out)


@functools.cache
def shipped_values() -> ValuesByGame:
    """The shipped value function, read once."""
    return ValuesByGame(NAME, {path.stem: EquityValues.load(path) for path in sorted(FOLDER.glob("*.safetensors"))})
