"""The family of CFR: each variant says what an iteration does to regrets and averages, in a few lines.

One loop does all of them. At iteration t it takes the regrets r of the iteration and makes

    R = R * (positive or negative, by the sign of R) + weight * r, not below 0 with `clip`
    next strategy = in proportion to the positive part of R * ahead + predict * r
    average = average * forget + gain * strategy of this iteration (weighted by the player's own reach)

Sources: CFR (Zinkevich et al. 2007); CFR+ (Tammelin 2014); linear CFR and DCFR (Brown and Sandholm, "Solving
imperfect-information games via discounted regret minimization", 2019); PCFR+ (Farina, Kroer and Sandholm, "Faster
game solving via predictive Blackwell approachability", 2021); DCFR+ (Xu et al., "Dynamic discounted CFR", 2024);
PDCFR+ (Xu et al., "Minimizing weighted counterfactual regret with optimistic online mirror descent", 2024).
"""

import difflib
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError


class Step(NamedTuple):
    """What one iteration does; the defaults are plain CFR."""

    positive: float = 1.0
    negative: float = 1.0
    weight: float = 1.0
    clip: float = 0.0
    ahead: float = 1.0
    predict: float = 0.0
    forget: float = 1.0
    gain: float = 1.0


Schedule = Callable[[int], Step]
"""From the iteration, counted from 1, to what it does."""


def cfr(t: int) -> Step:
    """Regrets and strategies are summed."""
    return Step()


def cfr_plus(t: int) -> Step:
    """Regrets never fall below zero; later strategies count more."""
    return Step(clip=1.0, gain=t)


def linear(t: int) -> Step:
    """Iteration t counts t times."""
    return Step(weight=t, gain=t)


def dcfr(t: int, alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0) -> Step:
    """Old regrets are forgotten, good and bad ones at their own pace."""
    return Step(positive=_kept(t - 1, alpha), negative=_kept(t - 1, beta), forget=_faded(t, gamma))


def pcfr_plus(t: int) -> Step:
    """CFR+ that expects the last regrets to come again."""
    return Step(clip=1.0, predict=1.0, forget=_faded(t, 2.0))


def dcfr_plus(t: int, alpha: float = 1.5, gamma: float = 4.0) -> Step:
    """CFR+ that forgets old regrets."""
    return Step(positive=_kept(t - 1, alpha, 1.5), clip=1.0, forget=_faded(t, gamma))


def pdcfr_plus(t: int, alpha: float = 2.3, gamma: float = 5.0) -> Step:
    """CFR+ that forgets and predicts."""
    kept, ahead = _kept(t - 1, alpha), _kept(t, alpha)
    return Step(positive=kept, clip=1.0, ahead=ahead, predict=1.0, forget=_faded(t, gamma))


def restarted(t: int) -> Step:
    """DCFR with alpha 1.5 and gamma 3 that halves negative regrets and throws the average away at powers of 4."""
    start = 4 ** ((t.bit_length() - 1) // 2)
    return Step(_kept(t - 1, 1.5), 0.5 if t > 1 else 0.0, forget=_faded(t - start + 1, 3.0))


def _kept(t: int, power: float, plus: float = 1.0) -> float:
    """What is left of a sum after iteration t; nothing before the first."""
    return float(t**power / (t**power + plus)) if t else 0.0


def _faded(t: int, gamma: float) -> float:
    """What is left of the average at iteration t, so that iteration s ends with the weight s ** gamma."""
    return float(((t - 1) / t) ** gamma)


ALGORITHMS: dict[str, Schedule] = {
    "cfr": cfr,
    "cfr+": cfr_plus,
    "linear": linear,
    "dcfr": dcfr,
    "pcfr+": pcfr_plus,
    "dcfr+": dcfr_plus,
    "pdcfr+": pdcfr_plus,
    "dcfr-restarted": restarted,
}
SAMPLERS = ("external", "outcome")
"""Algorithms that sample the game instead of sweeping over it."""
DEEP = "deep-pdcfr+"
"""The algorithm that samples and keeps what it learns in networks."""


def schedule_of(name: str, parameters: dict[str, float] | None = None) -> Schedule:
    """The schedule of an algorithm, with other parameters (alpha, beta, gamma) where it has them."""
    if name not in ALGORITHMS:
        names = [*ALGORITHMS, *SAMPLERS, DEEP]
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InputError(f"unknown algorithm {name!r}: {hint}allowed is {', '.join(names)}")
    return partial(ALGORITHMS[name], **parameters) if parameters else ALGORITHMS[name]


def steps_from(schedule: Schedule, first: int, count: int) -> NDArray[np.float64]:
    """The steps of `count` iterations, the first of which is iteration `first`: a row each."""
    return np.array([schedule(first + place) for place in range(count)]).reshape(count, len(Step._fields))
