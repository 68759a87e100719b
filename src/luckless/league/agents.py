"""Who takes part in a season: every agent with its number, its name and where it comes from.

The whole roster follows from the season's file, clones to come included. So numbers and names do not depend on which
division is faster, and a season that was interrupted gives its later clones the same names.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from luckless.league.config import Season
from luckless.league.names import names_of


@dataclass(frozen=True)
class Agent:
    """One agent. Students are trainable; baselines and clones are teachers. Baselines are of generation 0."""

    id: int
    name: str
    type: str
    """The type of student, or the baseline as it is written: `qlearn-8`, `call`."""
    division: int
    """Where it comes from: the number of the division in the season."""
    generation: int
    """0 for baselines and students; the first clones are generation 1."""
    trainable: bool
    parent: int | None = None
    """The student that a clone was made of."""

    @property
    def is_clone(self) -> bool:
        """Whether it is a frozen snapshot of a student."""
        return self.parent is not None


def roster(season: Season) -> list[Agent]:
    """All agents that the season will have, by number: of each division its baselines, students, then clones."""
    agents: list[Agent] = []
    for number in range(len(season.division)):
        agents.extend(_of_division(season, number, len(agents)))
    words = iter(names_of(season.seed, sum(agent.generation > 0 or agent.trainable for agent in agents)))
    return [_named(agent, season, words) for agent in agents]


def _of_division(season: Season, number: int, first: int) -> Iterator[Agent]:
    division = season.division[number]
    students = first + len(division.teachers)
    for place, kind in enumerate(division.teachers):
        yield Agent(first + place, "", kind, number, 0, False)
    for place, kind in enumerate(division.students):
        yield Agent(students + place, "", kind, number, 0, True)
    for generation in range(1, season.training.generations + 1):
        for place, kind in enumerate(division.students):
            id = students + generation * len(division.students) + place
            yield Agent(id, "", kind, number, generation, False, students + place)


def _named(agent: Agent, season: Season, words: Iterator[str]) -> Agent:
    """Students and clones are called by a word, baselines by what they do and where."""
    own_word = agent.trainable or agent.is_clone
    name = next(words) if own_word else f"{agent.type}@{season.division[agent.division].name}"
    return Agent(agent.id, name, agent.type, agent.division, agent.generation, agent.trainable, agent.parent)
