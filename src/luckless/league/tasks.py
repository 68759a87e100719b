"""What is left to do of a season, cut into tasks that one process each can do alone.

Divisions do not touch each other's agents, so tasks may run side by side and in any order; each keeps its own order.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from luckless.league.effort import effort_of_round
from luckless.league.evaluation import judge_styles, play_direct, play_similar
from luckless.league.results import rounds_done
from luckless.league.run import Run
from luckless.league.training import Report, Stopping, train

MEETINGS_OF_A_TASK = 50
STYLES_OF_A_TASK = 5


@dataclass(frozen=True)
class Task:
    """Work that one process does alone; `items` are rounds of direct meetings, or agents whose style is judged."""

    work: str
    division: int = 0
    items: tuple[int, ...] = ()
    hands: int = 0
    """Hands that are left to play, for the progress."""


def perform(run: Run, task: Task, report: Report, stopping: Stopping) -> None:
    """Does a task, or as much of it as `stopping` allows."""
    if task.work == "train":
        train(run, task.division, report, stopping)
    elif task.work == "similar":
        play_similar(run, task.division, report, stopping)
    elif task.work == "direct":
        play_direct(run, task.division, task.items, report, stopping)
    else:
        judge_styles(run, task.items, stopping)


def training_tasks(run: Run) -> list[Task]:
    """The divisions that have rounds left to train, those that take longest first: so all cores end together."""
    tasks = [task for number in range(run.divisions) if (task := _rest(run, "train", number)).hands]
    return sorted(tasks, key=lambda task: -task.hands * effort_of_round(run, task.division))


def evaluation_tasks(run: Run) -> list[Task]:
    """What is left of the evaluation; the divisions that must go round by round come first."""
    similar = [_rest(run, "similar", number) for number in run.evaluations("similar")]
    direct = [task for number in run.evaluations("direct") for task in _direct_tasks(run, number)]
    judged = {agent for (agent,) in run.store.rows("select agent from styles")}
    unknown = [agent for agent in run.teachers if agent not in judged]
    styles = [Task("style", items=part) for part in _parts(unknown, STYLES_OF_A_TASK)]
    return [task for task in similar if task.hands] + styles + direct


def _rest(run: Run, work: str, number: int) -> Task:
    left = run.rounds(number) - len(rounds_done(run.store, number))
    return Task(work, number, hands=left * run.hands(number))


def _direct_tasks(run: Run, number: int) -> Iterator[Task]:
    done = set(rounds_done(run.store, number))
    left = [meeting for meeting in range(run.rounds(number)) if meeting not in done]
    for part in _parts(left, MEETINGS_OF_A_TASK):
        yield Task("direct", number, part, len(part) * run.hands(number))


def _parts(items: list[int], size: int) -> Iterator[tuple[int, ...]]:
    return (tuple(items[first : first + size]) for first in range(0, len(items), size))
