"""The estimators by name, and which of them `auto` takes."""

import itertools
from collections.abc import Iterable, Iterator

from luckless.errors import InputError
from luckless.rules.columns import HandColumns
from luckless.skill.by_divat import Divat
from luckless.skill.money import Money
from luckless.skill.verdict import Estimator, Verdict

ESTIMATORS: dict[str, Estimator] = {estimator.name: estimator for estimator in (Divat(), Money())}
"""The least noisy first: `auto` takes the first that can judge the hands."""

AUTO = "auto"


def check_name(by: str) -> None:
    """Refuses a text that names no estimator."""
    names = (AUTO, *ESTIMATORS)
    if by not in names:
        raise InputError(f"no estimator is called {by!r}; allowed is {', '.join(names)}")


def judge_hands(batches: Iterable[HandColumns], by: str = AUTO) -> Verdict:
    """The verdict of one estimator on hands, or of the least noisy one that is made for them."""
    check_name(by)
    first, hands = _with_first(batches)
    if by == AUTO:
        by = next(name for name, estimator in ESTIMATORS.items() if estimator.can_judge(first))
    return ESTIMATORS[by].judge(hands)


def _with_first(batches: Iterable[HandColumns]) -> tuple[HandColumns, Iterator[HandColumns]]:
    """The first batch, and all of them."""
    given = iter(batches)
    first = next(given, None)
    if first is None:
        raise InputError("there are no hands to judge")
    return first, itertools.chain([first], given)
