"""What a finished season says about its own metrics and agents: the questions of the thesis's results (chapter 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.league.boards import METRICS, BoardRow, Winnings
from luckless.league.results import rated
from luckless.league.run import Run
from luckless.stats.units import CHIPS, MILLI_BIG_BLINDS, unit_factor
from luckless.style.behaviour import Behaviour


@dataclass(frozen=True)
class Prediction:
    """By metric, the share of direct meetings whose winner stands higher on its board, and of how many meetings."""

    shares: dict[str, float]
    meetings: dict[str, int]


def prediction(lines: Sequence[BoardRow], matrix: Winnings) -> Prediction:
    """How well each metric foretells who wins a direct meeting (figure 4.2).

    Meetings that ended even, and pairs that stand level, are left out.
    """
    found = Prediction({}, {})
    by_agent = {line.agent.id: line for line in lines}
    for metric in METRICS:
        values = np.array([getattr(by_agent[agent], metric) for agent in matrix.agents], np.float64)
        ahead = values[:, None] - values[None, :]
        counted = (ahead > 0) & ~np.isnan(matrix.mbb) & (matrix.mbb != 0)
        if counted.any():
            found.shares[metric] = float((matrix.mbb[counted] > 0).mean())
            found.meetings[metric] = int(counted.sum())
    return found


def ranks_of(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The rank of each value, 1 for the highest; equal ones in their order."""
    return np.argsort(np.argsort(-values, kind="stable")) + 1


def rank_correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """Spearman's correlation of two rankings, without ties; None for fewer than three."""
    if len(first) < 3:
        return None
    return float(np.corrcoef(ranks_of(first), ranks_of(second))[0, 1])


@dataclass(frozen=True)
class Coherence:
    """Ratings of the same agents in two divisions that know nothing of each other (figure 4.4)."""

    agents: tuple[int, ...]
    first: NDArray[np.float64]
    second: NDArray[np.float64]

    def correlation(self, agents: Sequence[int]) -> float | None:
        """Spearman's correlation of the two rankings among some of the agents; None for fewer than three."""
        rows = [place for place, agent in enumerate(self.agents) if agent in set(agents)]
        return rank_correlation(self.first[rows], self.second[rows])


def correlations(run: Run, divisions: Coherence) -> dict[str, float | None]:
    """The correlation of the two rankings among all agents, and among those of each type."""
    types = dict.fromkeys(run.roster[agent].type for agent in divisions.agents)
    members = {name: [agent for agent in divisions.agents if run.roster[agent].type == name] for name in types}
    return {
        "all": divisions.correlation(divisions.agents),
        **{name: divisions.correlation(of) for name, of in members.items()},
    }


def coherence(run: Run) -> Coherence | None:
    """The first two divisions of like rank, where a season has two and both have played."""
    divisions = run.evaluations("similar")[:2]
    if len(divisions) < 2:
        return None
    histories = [rated(run.store, [number], len(run.roster)) for number in divisions]
    both = sorted(set(histories[0].agents.tolist()) & set(histories[1].agents.tolist()))
    if not both:
        return None
    first, second = (history.final.mu[both] for history in histories)
    return Coherence(tuple(both), first, second)


@dataclass(frozen=True)
class InternalRanks:
    """Ranks of a division's teachers by its own rounds, and among all by rounds of like rank (figure 4.10)."""

    division: int
    agents: tuple[int, ...]
    internal: tuple[int, ...]
    overall: tuple[int, ...]
    correlation: float | None
    """Spearman's, among the agents of the division; low where they have learned to beat each other only."""


def internal_ranks(run: Run) -> list[InternalRanks]:
    """For each division of training; teachers that have not played on both sides are left out."""
    history = rated(run.store, run.evaluations("similar"), len(run.roster))
    everywhere = sorted(set(history.agents.tolist()))
    overall = dict(zip(everywhere, ranks_of(history.final.mu[everywhere]).tolist(), strict=True))
    found = []
    for number in range(run.divisions):
        home = rated(run.store, [number], len(run.roster))
        played = set(home.agents.tolist())
        agents = [agent for agent in everywhere if agent in played and run.roster[agent].division == number]
        at_home = home.final.mu[agents]
        correlation = rank_correlation(at_home, history.final.mu[agents])
        ranks = tuple(ranks_of(at_home).tolist()), tuple(overall[agent] for agent in agents)
        found.append(InternalRanks(number, tuple(agents), *ranks, correlation))
    return found


def compared_matchups(run: Run) -> list[int]:
    """Divisions that differ in the rule of their line-ups alone: same students, random and climbing (figure 4.9)."""
    rules: dict[tuple[str, ...], set[str]] = {}
    for division in run.season.division:
        rules.setdefault(tuple(sorted(division.students)), set()).add(division.matchup)
    students = [tuple(sorted(division.students)) for division in run.season.division]
    return [number for number, kinds in enumerate(students) if len(rules[kinds]) > 1]


def styles(run: Run) -> dict[int, Behaviour]:
    """What each judged agent does in the situations of the strategy vector, all together."""
    rows = run.store.rows("select agent, folds, calls, checks, raises from styles order by agent")
    return {agent: Behaviour(*actions) for agent, *actions in rows}


@dataclass(frozen=True)
class TypeCashflow:
    """Who takes from whom in rounds of like rank, by type of agent: mbb/h from each seat of the row's type."""

    types: tuple[str, ...]
    mbb: NDArray[np.float64]


def cashflow_by_type(run: Run) -> TypeCashflow | None:
    """The cashflow between types over all rounds of like rank (section 3.3.1): given less taken back."""
    divisions = run.evaluations("similar")
    marks = ", ".join("?" * len(divisions))
    rows = run.store.rows(
        "select giving.type, taking.type, sum(chips) from flows join agents giving on giving.id = giver "
        f"join agents taking on taking.id = taker where flows.division in ({marks}) group by 1, 2",
        *divisions,
    )
    seat_hands = dict(
        run.store.rows(
            "select type, sum(seats * hands) from entrants join rounds using (division, number) "
            f"join agents on agents.id = agent where entrants.division in ({marks}) group by 1",
            *divisions,
        )
    )
    if not rows:
        return None
    types = tuple(sorted(seat_hands))
    given = np.zeros((len(types), len(types)))
    for giver, taker, chips in rows:
        given[types.index(giver), types.index(taker)] += chips
    to_mbb = unit_factor(CHIPS, MILLI_BIG_BLINDS, big_blind=run.game.big_blind)
    return TypeCashflow(types, (given - given.T) / np.array([[seat_hands[name]] for name in types]) * to_mbb)
