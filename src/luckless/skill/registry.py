"""The estimators by name, and which of them `auto` takes."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from luckless.errors import InputError
from luckless.rules.columns import HandColumns
from luckless.skill.all_in import AllIn
from luckless.skill.by_divat import Divat, is_heads_up_limit
from luckless.skill.by_steps import Aivat, Chance, Imaginary
from luckless.skill.hands_told_apart import some_of
from luckless.skill.money import Money
from luckless.skill.verdict import NOTHING, Estimator, Knowledge, Verdict

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
    first, hands = _with_first(batches)
    _check_policies(first, knowledge)
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
    return replace(verdict, reason=" ".join([verdict.reason, *better]))


def _check_policies(hands: HandColumns, knowledge: Knowledge) -> None:
    """Refuses policies of players who are not there."""
    for name in (*knowledge.policies, *knowledge.hidden):
        if name not in hands.names:
            raise InputError(f"no player is called {name!r}; there is {some_of(hands.names)}")


def _with_first(batches: Iterable[HandColumns]) -> tuple[HandColumns, Iterator[HandColumns]]:
    """The first batch, and all of them."""
    given = iter(batches)
    first = next(given, None)
    if first is None:
        raise InputError("there are no hands to judge")
    return first, itertools.chain([first], given)
