"""What no season can have in its catalogue: checked whenever one is opened, before anything is computed from it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from luckless.league.agents import Agent

if TYPE_CHECKING:
    from luckless.league.run import Run


def impossible(run: "Run") -> str:
    """What no season of these settings can have in its catalogue, in a few words; "" if there is no such thing."""
    wrong = _strange_agent(run)
    if wrong:
        return wrong
    found = (said for said, query, *values in _conditions(run) if run.store.rows(f"{query} limit 1", *values))
    return next(found, "")


def _strange_agent(run: "Run") -> str:
    """Agents follow from the settings, and so do the names of their files."""
    for agent, entry in run.store.entries().items():
        if not 0 <= agent < len(run.roster) or entry.agent != run.roster[agent]:
            return f"its agent {agent} is not one of the season"
        if entry.weights != (_weights(entry.agent) if entry.agent.is_clone else ""):
            return f"the weights of agent {agent} are not where they belong"
        if entry.learner and not (
            entry.agent.trainable
            and entry.learner.removeprefix(f"learners/{entry.agent.name}-").removesuffix(".safetensors").isdecimal()
        ):
            return f"the learner of agent {agent} is not where it belongs"
    for agent, vector in run.store.rows("select agent, vector from styles"):
        if vector != f"styles/{run.roster[agent].name}.npz":
            return f"the style of agent {agent} is not where it belongs"
    return ""


def _weights(agent: Agent) -> str:
    return f"agents/{agent.name}.safetensors"


def _conditions(run: "Run") -> "Iterator[tuple[str, Any, *tuple[Any, ...]]]":
    """Sentences, each with a query that finds a row for which it is true."""
    last, seats = run.all_divisions[-1], run.game.seats
    yield "a round is of no division", f"select 1 from rounds where division not between 0 and {last}"
    for division in run.all_divisions:
        bounds = (division, run.rounds(division) - 1, run.hands(division))
        query = (
            "select 1 from rounds where division = ? and (number not between 0 and ? or hands <> ? or seconds < 0)"
        )
        yield f"division {division} has a round that it cannot have", query, *bounds
    for table in ("entrants", "flows", "lessons"):
        query = f"select 1 from {table} left join rounds using (division, number) where rounds.hands is null"
        yield f"a row of {table} is of no round", query
    counts = " or ".join(f"{name} < 0" for name in ("squares", "faults", "folds", "calls", "checks", "raises"))
    query = f"select 1 from entrants where seats not between 1 and {seats} or {counts}"
    yield "an entrant has impossible numbers", query
    balance = "sum(seats) <> ?" + ("" if run.game.rake is not None else " or sum(chips) <> 0")
    query = f"select 1 from entrants group by division, number having {balance}"
    yield "the entrants of a round do not fill the table, or their chips do not balance", query, seats
    query = (
        "select 1 from entrants join rounds using (division, number) "
        "where 1.0 * chips * chips > 1.000001 * squares * rounds.hands"
    )
    yield "an entrant won more than its hands can give", query
    played = "(flows.division, flows.number, {}) in (select division, number, agent from entrants)"
    both = f"{played.format('giver')} and {played.format('taker')}"
    query = f"select 1 from flows where chips < 0 or not ({both})"
    yield "chips flow to or from somebody who did not play", query
    query = (
        "select 1 from lessons join rounds using (division, number) "
        "where agent is not student or decisions < 0 or steps < 0 or lessons.seconds < 0"
    )
    yield "a lesson is not of the student who played", query
    yield "a style has impossible numbers", "select 1 from styles where min(folds, calls, checks, raises) < 0"
