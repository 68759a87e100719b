"""How far a season is: rounds, time, what is left, and students that have stopped learning."""

from dataclasses import dataclass
from typing import Any

from luckless.league.run import Run
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
    """Students that learn no more, and why."""
    faults: tuple[tuple[str, int], ...]
    """Agents that have answered wrongly, and how often."""
    seconds_left: float | None
    """About; None before any division of a phase has played."""

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
    entries = run.store.entries().values()
    faults = run.store.rows(
        "select name, sum(faults) from entrants join agents on agents.id = agent where faults > 0 group by agent"
    )
    return Status(
        name=run.season.name,
        begun=run.store.fact("begun"),
        divisions=tuple(divisions),
        styles=(run.store.rows("select count(*) from styles")[0][0], len(run.teachers)),
        stopped=tuple((entry.agent.name, entry.status) for entry in entries if entry.status),
        faults=tuple((name, count) for name, count in faults),
        seconds_left=_seconds_left(run, divisions),
    )


def _seconds_left(run: Run, divisions: list[DivisionStatus]) -> float | None:
    """Hands that are left at the pace of their phase so far, shared out over the cores."""
    left = 0.0
    phases = divisions[: run.divisions], divisions[run.divisions :]
    for first, phase in zip((0, run.divisions), phases, strict=True):
        hands = [run.hands(first + place) for place in range(len(phase))]
        waiting = sum((one.rounds - one.done) * size for one, size in zip(phase, hands, strict=True))
        played = sum(one.done * size for one, size in zip(phase, hands, strict=True))
        if waiting and not played:
            return None
        if waiting:
            left += waiting * sum(one.seconds for one in phase) / played / core_count()
    return left
