"""Every number of the learners, as typed dataclasses; the defaults are those of the population thesis (Kaminsky and
Liebendörfer, Population-based Poker AI, FHNW 2020, sections 3.4.2 and 3.4.3) where it names them.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Settings of a learner (see the subclasses)."""

    kind: str
