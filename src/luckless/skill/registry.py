"""The estimators by name, and which of them `auto` takes."""

import itertools
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from luckless.errors import InputError
from luckless.rules.columns import HandColumns
from luckless.skill.all_in import AllIn
from luckless.skill.by_divat import Divat, is_heads_up_limit
from luckless.skill.by_steps import Aivat, Chance, Imaginary
from luckless.skill.hands_told_apart import some_of
from luckless.skill.money import Money
from luckless.skill.roll_out_values import RollOutValues
from luckless.skill.verdict import NOTHING, Estimator, Knowledge, Verdict

if TYPE_CHECKING:
    from luckless.histories.reading import Hands

ESTIMATORS: dict[str, Estimator] = {
    estimator.name: estimator for estimator in (Divat(), Aivat(), Imaginary(), Chance(), AllIn(), Money())
}

_AUTO = ("divat", "aivat", "chance", "all-in")
"""What `auto` takes: the first that lacks nothing; all of them are unbiased then. DIVAT knows heads-up limit better
than the value function of the others; in other games it is left to those who ask for it. Imaginary observations are
noisier than AIVAT, which needs no more than they do; all-in pots can always be counted so, or as money."""

AUTO = "auto"


def check_name(by: str) -> None:
    """Refuses a text that names no estimator."""
    names = (AUTO, *ESTIMATORS)
    if by not in names:
        raise InputError(f"no estimator is called {by!r}; allowed is {', '.join(names)}")


def judge_hands(batches: Iterable[HandColumns], by: str = AUTO, knowledge: Knowledge = NOTHING) -> Verdict:
    """The verdict of one estimator on hands, or of the least noisy one that is unbiased for what is known."""
    check_name(by)
    named = _Named((*knowledge.policies, *knowledge.hidden))
    first, hands = _with_first(named.watched(batches))
    verdict = _judged(first, hands, by, knowledge)
    named.refuse_strangers()
    return verdict


def _judged(first: HandColumns, hands: Iterator[HandColumns], by: str, knowledge: Knowledge) -> Verdict:
    if by != AUTO:
        return ESTIMATORS[by].judge(hands, knowledge)
    fitting = _AUTO if is_heads_up_limit(first) else [name for name in _AUTO if name != "divat"]
    lacking = {name: ESTIMATORS[name].lacks(first, knowledge) for name in fitting}
    by = next(name for name, lacks in lacking.items() if not lacks)
    verdict = ESTIMATORS[by].judge(hands, knowledge)
    better = [
        f"{name} would be less noisy, but cannot judge these hands: {lacks}."
        for name, lacks in itertools.takewhile(lambda one: one[0] != by, lacking.items())
    ]
    all_known = set(first.names) <= set(knowledge.policies)
    if by == "aivat" and all_known and not isinstance(knowledge.values, RollOutValues):
        better.append("All policies are known, so --values roll-outs would leave less noise; it takes longer.")
    return replace(verdict, reason=" ".join([verdict.reason, *better]))


class _Named:
    """Names that are said of players, of whom some may come late."""

    def __init__(self, names: Iterable[str]) -> None:
        self.missing = list(names)
        self._there: tuple[str, ...] = ()

    def watched(self, batches: Iterable[HandColumns]) -> Iterator[HandColumns]:
        """The batches; their players are noted."""
        for batch in batches:
            self._there = batch.names
            self.missing = [name for name in self.missing if name not in batch.names]
            yield batch

    def refuse_strangers(self) -> None:
        """Refuses a name that was in no batch."""
        if self.missing and self._there:
            raise InputError(f"no player is called {self.missing[0]!r}; there is {some_of(self._there)}")


def check_players(hands: "Hands", names: Iterable[str]) -> None:
    """Refuses names of nobody before anything is judged: reads hands until all names have come up."""
    named = _Named(names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # judging reads them again, and tells
        batches = named.watched(hands.batches())
        while named.missing and next(batches, None) is not None:
            pass
    named.refuse_strangers()


def _with_first(batches: Iterable[HandColumns]) -> tuple[HandColumns, Iterator[HandColumns]]:
    """The first batch, and all of them."""
    given = iter(batches)
    first = next(given, None)
    if first is None:
        raise InputError("there are no hands to judge")
    return first, itertools.chain([first], given)
