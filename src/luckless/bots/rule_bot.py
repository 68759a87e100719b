"""A shipped bot: a compiled rule with numbers for parameters."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, Decisions
from luckless.bots.compiled import LAW_ENTRIES, decide_rows, law_rows
from luckless.bots.distribution import ActionDistribution
from luckless.bots.fingerprints import checksum, code_digest
from luckless.bots.parameters import BOT, Entry, parse_parameters
from luckless.bots.registry import ENTRIES, RULES
from luckless.hands.rank_source import RankSource, rank_source
from luckless.rules.state import encode
from luckless.rules.views import Views


@dataclass(eq=False, repr=False)
class RuleBot(Bot):
    """A bot that is a compiled rule; `entry` says which, `values` are its parameters in the entry's order."""

    entry: Entry
    values: tuple[float, ...]
    name: str = ""
    spec: str = ""
    batch = True

    def __post_init__(self) -> None:
        self.spec = self.spec or self.entry.name
        self.name = self.name or self.spec
        self.uses_cards = self.entry.uses_cards

    @classmethod
    def of(cls, spec: str) -> "RuleBot":
        """The bot that `name` or `name:parameter=value,...` names; the name must be in the registry."""
        name, _, rest = spec.partition(":")
        entry = ENTRIES[RULES[name]]
        return cls(entry, parse_parameters(name, entry.parameters, rest), spec, spec)

    @property
    def parameters(self) -> list[float]:
        """The values of its parameters, in order."""
        return list(self.values)

    def record(self) -> NDArray[np.void]:
        """The bot as the one-element record array that kernels take."""
        return self._record

    @cached_property
    def _record(self) -> NDArray[np.void]:
        record = np.zeros(1, BOT)
        record["rule"] = RULES[self.entry.name]
        record["variant"] = self.entry.variant
        record["uses_cards"] = self.entry.uses_cards
        record["uses_dice"] = self.entry.uses_dice
        record["parameters"][0, : len(self.values)] = self.values
        return record

    def answers(self, decisions: Decisions) -> NDArray[np.int64]:
        """The actions, all at once."""
        return self._decided(decisions.views, decisions.random_bits)

    def _decided(self, views: Views, random_bits: NDArray[np.uint64]) -> NDArray[np.int64]:
        out = np.empty(len(views), np.int64)
        cards = views.cards.copy()  # read-only arrays would be compiled for once more, which takes long
        decide_rows(self._record, encode(views.game), views.public, cards, random_bits, self._ranks(), out)
        return out

    def probabilities(self, views: Views) -> ActionDistribution:
        """The law of the rule, exactly; a rule without dice always does the same."""
        if not self.entry.uses_dice:
            return ActionDistribution.certain(self._decided(views, np.zeros((len(views), 4), np.uint64)))
        out = np.zeros((len(views), LAW_ENTRIES, 3))
        law_rows(self._record, encode(views.game), views.public, views.cards.copy(), self._ranks(), out)
        used = max(int((out[:, :, 2] > 0).sum(axis=1).max(initial=1)), 1)
        low, high = (out[:, :used, place].astype(np.int64) for place in (0, 1))
        return ActionDistribution(low, high, out[:, :used, 2].copy())

    def _ranks(self) -> RankSource | None:
        source = ranks_for([self])
        return None if source is None else source.keeping()

    def fingerprint(self) -> str:
        """A checksum of the code that the rule calls, and of its parameters."""
        return checksum([code_digest(self.entry.play), repr((self.entry.variant, *map(float, self.values)))])


def ranks_for(bots: Iterable[Bot]) -> RankSource | None:
    """What compiled bots look hand ranks up in; None when none of them looks at cards."""
    return rank_source() if any(bot.uses_cards for bot in bots) else None
