"""Checks all of a stored season that can be recomputed.

Who plays each round, and with which cards, follows from the season's seed and the rounds before. What a round among
teachers gave can be played again, because they are frozen. What students made of a round cannot: they have learned
since. That follows from their seed too, but only by playing the whole season again.
"""

import hashlib
import io
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from luckless.errors import InputError
from luckless.league.chance import HANDS, seed_at
from luckless.league.config import season_as_written
from luckless.league.divisions import LineUp
from luckless.league.ratings import Ratings, Standings
from luckless.league.results import SEATS_MULTIPLE
from luckless.league.run import Run
from luckless.plain_json import read_json
from luckless.progress import Progress
from luckless.typed_values import check, map_of, number

ROUNDING = 1e-6
"""Chips that flow are sums of fractions: they agree to this part of a chip."""


def season_problems(run: Run, *, bots: bool = False) -> Iterator[str]:
    """What is wrong with a season; with `bots` its rounds among teachers are played again."""
    yield from _settings_problems(run)
    yield from _file_problems(run)
    with Progress(_rounds(run), "rounds") as progress:
        for division in run.all_divisions:
            yield from _division_problems(run, division, bots, progress)


def _rounds(run: Run) -> int:
    return int(run.store.rows("select count(*) from rounds")[0][0])


def _settings_problems(run: Run) -> Iterator[str]:
    """The file that the season was begun with must say what its settings say."""
    try:
        told = season_as_written(run.store.fact("config"))
    except InputError as error:
        yield f"the file that it was begun with cannot be read: {error}"
        return
    if told != run.season:
        yield "its settings are not those of the file that it was begun with"
    with suppress(InputError):  # a file with a game may be gone
        if told.loaded_game() != run.game:
            yield f"its game is not {told.game}"
    for division, number_, losses in run.store.rows("select division, number, losses from lessons"):
        try:
            check(read_json(losses), map_of(number()), f"round {number_} of division {division}, losses")
        except ValueError as error:
            yield str(error)


def _file_problems(run: Run) -> Iterator[str]:
    """Weights must be those that were frozen, and styles those that the catalogue counts."""
    for entry in run.store.entries().values():
        if entry.agent.is_clone:
            try:
                data = (run.directory / entry.weights).read_bytes()
            except OSError as error:
                yield f"the weights of {entry.agent.name} cannot be read: {entry.weights}: {error.strerror}"
                continue
            if hashlib.sha256(data).hexdigest() != entry.sha256:
                yield f"the weights of {entry.agent.name} have changed since it was frozen"
    for agent, *counts, vector in run.store.rows("select * from styles order by agent"):
        yield from _style_problems(run, agent, counts, vector)


def _style_problems(run: Run, agent: int, counts: list[int], vector: str) -> Iterator[str]:
    from luckless.style.strategy import behaviour_in

    try:
        data = (run.directory / vector).read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            found = list(behaviour_in(file["vector"]))
    except (OSError, ValueError, KeyError, IndexError, EOFError) as error:
        yield f"the style of {run.roster[agent].name} cannot be read: {vector}: {error}"
        return
    if found != counts:
        yield f"the style of {run.roster[agent].name} is stored as {counts}; {vector} gives {found}"


def _division_problems(run: Run, division: int, bots: bool, progress: Progress) -> Iterator[str]:
    """The rounds of a division in order: seeds, line-ups, chips that flow, and what teachers played."""
    name, ratings = run.division_name(division), Ratings.start(len(run.roster))
    rows = run.store.rows(
        "select number, kind, student, seed, hands from rounds where division = ? order by number", division
    )
    line_ups = _line_ups(run, division, [row[0] for row in rows])
    for place, (number_, kind, student, seed, _) in enumerate(rows):
        where = f"division {name}, round {number_}"
        if number_ != place and run.matchup(division) != "direct":
            yield f"{where} comes where round {place} is due"
            return
        entrants = run.store.rows(
            "select agent, seats, chips, squares, faults, folds, calls, checks, raises from entrants "
            "where division = ? and number = ? order by agent",
            *(division, number_),
        )
        line_up = line_ups(number_, ratings)
        if seed != seed_at(run.season.seed, HANDS, division, number_):
            yield f"{where}: its seed is not the one that the season gives it"
        if (kind, student) != (line_up.kind, line_up.student) or _seats(entrants) != _seats_of(line_up):
            yield f"{where}: who played is not who the season lets play"
            return
        yield from _flow_problems(run, division, number_, entrants, where)
        if bots and not any(run.roster[agent].trainable for agent in line_up.agents):
            yield from _replay_problems(run, division, number_, line_up, entrants, where)
        ratings.update(_standings(entrants))
        progress.advance(1)


def _line_ups(run: Run, division: int, numbers: list[int]) -> Any:
    """What gives the line-up of a round from its number and the ratings before it."""
    from luckless.league.evaluation import direct_rounds, similar_round
    from luckless.league.training import training_line_up

    matchup = run.matchup(division)
    if matchup == "direct":
        direct = direct_rounds(run, division, numbers)
        return lambda number_, ratings: direct[number_]
    rule = similar_round if matchup == "similar" else training_line_up
    return lambda number_, ratings: rule(run, division, number_, ratings)


def _seats(entrants: list[tuple[Any, ...]]) -> dict[int, int]:
    return {agent: seats for agent, seats, *_ in entrants}


def _seats_of(line_up: LineUp) -> dict[int, int]:
    return {agent: line_up.agents.count(agent) for agent in line_up.agents}


def _standings(entrants: list[tuple[Any, ...]]) -> Standings:
    scores = [chips * SEATS_MULTIPLE // seats for _, seats, chips, *_ in entrants]
    return Standings(np.array([len(entrants)]), np.array([agent for agent, *_ in entrants]), np.array(scores))


def _flow_problems(
    run: Run, division: int, number_: int, entrants: list[tuple[Any, ...]], where: str
) -> Iterator[str]:
    """What an agent was given less what it gave is what it won."""
    if run.game.rake is not None:
        return
    won = {agent: float(chips) for agent, _, chips, *_ in entrants}
    flows = run.store.rows(
        "select giver, taker, chips from flows where division = ? and number = ?", *(division, number_)
    )
    for giver, taker, chips in flows:
        won[giver] += chips
        won[taker] -= chips
    for agent, left in won.items():
        if abs(left) > ROUNDING * max(1.0, sum(abs(chips) for *_, chips in flows)):
            yield f"{where}: the chips that {run.roster[agent].name} won are not those that flowed to it"


def _replay_problems(
    run: Run, division: int, number_: int, line_up: LineUp, entrants: list[tuple[Any, ...]], where: str
) -> Iterator[str]:
    from luckless.league.evaluation import play_evaluation_round

    try:
        played = play_evaluation_round(run, division, number_, line_up).played
    except InputError as error:
        yield f"{where} cannot be played again: {error}"
        return
    again = [(one.agent, one.seats, one.chips, one.squares, one.faults, *one.behaviour) for one in played.entrants]
    if again != entrants:
        yield f"{where}: its teachers play it otherwise than it is stored"
