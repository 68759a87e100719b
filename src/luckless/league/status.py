"""How far a season is: rounds, time, what is left, and students that have stopped learning."""

from dataclasses import dataclass
from typing import Any

from luckless.league.effort import effort_of_round
from luckless.league.run import Run
from luckless.style.situations import all_situations
from luckless.style.strategy import TENTHS
from luckless.threads import core_count


@dataclass(frozen=True)
class DivisionStatus:
    """Rounds of one division."""

    name: str
    matchup: str
    done: int
    rounds: int
    seconds: float
    """What its rounds have taken, lessons included."""


@dataclass(frozen=True)
class Status:
    """The state of a season."""

    name: str
    begun: str
    divisions: tuple[DivisionStatus, ...]
    styles: tuple[int, int]
    """Strategy vectors that are done, and all of them."""
    stopped: tuple[tuple[str, str], ...]
    """Students that have stopped learning, and why."""
    faults: tuple[tuple[str, int], ...]
    """Agents that have answered wrongly, and how often."""
    seconds_left: float | None
    """An estimate for everything that is left; None before the first rounds are saved."""

    @property
    def finished(self) -> bool:
        """Whether every round is played and every style judged."""
        played = all(division.done == division.rounds for division in self.divisions)
        return played and self.styles[0] == self.styles[1]

    def to_dict(self) -> dict[str, Any]:
        """The status as plain values for JSON."""
        return {
            "season": self.name,
            "begun": self.begun,
            "finished": self.finished,
            "seconds_left": self.seconds_left,
            "styles": {"done": self.styles[0], "agents": self.styles[1]},
            "divisions": [dict(vars(division)) for division in self.divisions],
            "stopped": [{"agent": agent, "reason": reason} for agent, reason in self.stopped],
            "faults": [{"agent": agent, "faults": count} for agent, count in self.faults],
        }


def status(run: Run) -> Status:
    """Reads the state of a season from its catalogue; it may be running."""
    rows = run.store.rows(
        "select division, count(*), sum(rounds.seconds) + total(lessons.seconds) "
        "from rounds left join lessons using (division, number) group by division"
    )
    spent = {division: (done, seconds) for division, done, seconds in rows}
    divisions = [
        DivisionStatus(name, run.matchup(number), done, run.rounds(number), seconds)
        for number in run.all_divisions
        for name, (done, seconds) in [(run.division_name(number), spent.get(number, (0, 0.0)))]
    ]
    judged = run.store.rows("select count(*) from styles")[0][0]
    faults = run.store.rows(
        "select name, sum(faults) from entrants join agents on agents.id = agent where faults > 0 group by agent"
    )
    return Status(
        name=run.season.name,
        begun=run.store.fact("begun"),
        divisions=tuple(divisions),
        styles=(judged, len(run.teachers)),
        stopped=_stopped(run),
        faults=tuple((name, count) for name, count in faults),
        seconds_left=_seconds_left(run, divisions, len(run.teachers) - judged),
    )


def _stopped(run: Run) -> tuple[tuple[str, str], ...]:
    """Students whose learning has stopped; rounds are counted from 1, as in the figures and curves."""
    first = run.store.rows(
        "select name, min(number) + 1, fault from lessons join agents on agents.id = agent "
        "where fault != '' group by agent order by agent"
    )
    return tuple((name, f"learning stopped in round {number}: {fault}") for name, number, fault in first)


def _seconds_left(run: Run, divisions: list[DivisionStatus], styles: int) -> float | None:
    """What is left of training, then of evaluation, each shared out over the processes of the last run.

    A division goes on at its own pace. One that has not played yet is taken to be like training so far: with lessons
    if it trains, as dear as its students' are; without them if it evaluates. A strategy vector takes as long as so
    many decisions in play.
    """
    [(hands, seconds, decisions)] = run.store.rows(
        "select total(hands), total(seconds), "
        "(select total(folds + calls + checks + raises) from entrants) from rounds"
    )
    if not hands:
        return None
    training = list(enumerate(divisions[: run.divisions]))

    def pace(number: int, one: DivisionStatus) -> float:
        if one.done:
            return one.seconds / one.done
        if number >= run.divisions:
            return run.hands(number) * float(seconds / hands)
        played = sum(other.done * effort_of_round(run, place) for place, other in training)
        return effort_of_round(run, number) * sum(other.seconds for _, other in training) / played

    left = [(one.rounds - one.done) * pace(number, one) for number, one in enumerate(divisions)]
    in_order = [left[number] for number in run.evaluations("similar")]
    at_will = sum(left[number] for number in run.evaluations("direct"))
    at_will += styles * style_decisions(run.game.seats, run.season.style.hands) * seconds / decisions
    workers = int(run.store.fact("workers", str(core_count())))
    return shared_out(left[: run.divisions], 0.0, workers) + shared_out(in_order, at_will, workers)


def style_decisions(seats: int, hands: int) -> int:
    """How often an agent is asked for its strategy vector, with so many hands of each tenth."""
    return sum(1 for _ in all_situations(seats)) * TENTHS * hands


def shared_out(in_order: list[float], at_will: float, workers: int) -> float:
    """The time of parts that one process does in order, and of others that any may do: no less than the longest."""
    return max([0.0, *in_order, (sum(in_order) + at_will) / workers])
