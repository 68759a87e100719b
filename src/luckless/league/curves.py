"""Learning curves as files that grow with the season: one CSV a division, one line for each round with a student."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from luckless.league.results import rated
from luckless.league.run import Run
from luckless.league.store import saving
from luckless.stats.units import CHIPS, MILLI_BIG_BLINDS, unit_factor
from luckless.style.behaviour import Behaviour
from luckless.whole_files import write_bytes

COLUMNS = ("round", "agent", "mbb", "rating", "sigma", "aggression", "tightness", "decisions", "steps", "fault")


def write_curves(run: Run, division: int) -> None:
    """Writes the curves of a division anew from the catalogue, so that they always are what is saved."""
    lessons = list(_lessons(run, division))
    losses = sorted({name for lesson in lessons for name in lesson if name not in COLUMNS})
    text = io.StringIO()
    writer = csv.DictWriter(text, (*COLUMNS, *losses), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(lessons)
    folder = run.directory / "curves"
    folder.mkdir(exist_ok=True)
    write_bytes(folder / f"{run.division_name(division)}.csv", text.getvalue().encode())


def write_all_curves(run: Run) -> None:
    """Writes the curves of all divisions of a season: a run that was cut off may have left old ones."""
    with saving(run.directory):
        for division in range(run.divisions):
            write_curves(run, division)


def _lessons(run: Run, division: int) -> Iterator[dict[str, Any]]:
    """One line for each lesson of a division, by the names of the columns."""
    history = rated(run.store, [division], len(run.roster))
    places = zip(history.rounds.tolist(), history.agents.tolist(), strict=True)
    ratings = dict(zip(places, zip(history.mu.tolist(), history.sigma.tolist(), strict=True), strict=True))
    to_mbb = unit_factor(CHIPS, MILLI_BIG_BLINDS, big_blind=run.game.big_blind)
    for number, agent, decisions, steps, losses, fault, hands, chips, seats, *actions in run.store.rows(
        "select number, lessons.agent, decisions, steps, losses, fault, hands, chips, seats, folds, calls, checks, "
        "raises from lessons join rounds using (division, number) join entrants using (division, number, agent) "
        "where division = ? order by number",
        division,
    ):
        behaviour = Behaviour(*actions)
        mu, sigma = ratings[number, agent]
        yield {
            "round": number + 1,
            "agent": run.roster[agent].name,
            "mbb": round(chips / hands / seats * to_mbb, 1),
            "rating": round(mu, 3),
            "sigma": round(sigma, 3),
            "aggression": behaviour.aggression,
            "tightness": behaviour.tightness,
            "decisions": decisions,
            "steps": steps,
            "fault": fault,
            **json.loads(losses),
        }
