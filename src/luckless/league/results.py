"""Results of rounds into the catalogue and out of it; boards and ratings are computed from these alone."""

import hashlib
import json
import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from luckless.league.divisions import LineUp
from luckless.league.ratings import Ratings, Standings
from luckless.league.rounds import PlayedRound
from luckless.league.store import Store
from luckless.learn.learner import LessonResult

SEATS_MULTIPLE = 60
"""Divides by any number of seats from 1 to 6: so agents with different numbers of seats compare in whole numbers."""


@dataclass(frozen=True)
class Outcome:
    """One round of a division, ready to be saved; `lesson` is what its student made of it, in how many seconds."""

    division: int
    number: int
    line_up: LineUp
    played: PlayedRound
    lesson: LessonResult | None = None
    lesson_seconds: float = 0.0

    def standings(self) -> Standings:
        """The round alone, for ratings that are kept up while rounds are played."""
        entrants = self.played.entrants
        agents = np.array([entrant.agent for entrant in entrants])
        scores = [entrant.chips * SEATS_MULTIPLE // entrant.seats for entrant in entrants]
        return Standings(np.array([len(entrants)]), agents, np.array(scores))


def add_outcome(database: sqlite3.Connection, outcome: Outcome) -> None:
    """Saves a round within a step."""
    played, here = outcome.played, (outcome.division, outcome.number)
    line_up = outcome.line_up
    database.execute(
        "insert into rounds values (?, ?, ?, ?, ?, ?, ?)",
        (*here, line_up.kind, line_up.student, played.hands, played.seed, played.seconds),
    )
    database.executemany(
        "insert into entrants values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (*here, one.agent, one.seats, one.chips, one.squares, one.faults, *one.behaviour)
            for one in played.entrants
        ],
    )
    ids = [one.agent for one in played.entrants]
    flows = [(*here, ids[i], ids[j], float(chips)) for (i, j), chips in np.ndenumerate(played.flows) if chips]
    database.executemany("insert into flows values (?, ?, ?, ?, ?)", flows)
    if outcome.lesson is not None and line_up.student is not None:
        lesson = outcome.lesson
        finite = {name: loss for name, loss in lesson.losses.items() if math.isfinite(loss)}
        told = (lesson.decisions, lesson.steps, json.dumps(finite), lesson.fault)
        database.execute(
            "insert into lessons values (?, ?, ?, ?, ?, ?, ?, ?)",
            (*here, line_up.student, *told, outcome.lesson_seconds),
        )


def rounds_done(store: Store, division: int) -> list[int]:
    """The numbers of a division's rounds that are saved."""
    return [number for (number,) in store.rows("select number from rounds where division = ? order by 1", division)]


def standings_of(store: Store, divisions: Sequence[int]) -> Standings:
    """All rounds of some divisions in canonical order: by division, then by number."""
    marks = ", ".join("?" * len(divisions))
    rows = store.rows(
        f"select division, number, agent, chips * {SEATS_MULTIPLE} / seats from entrants "
        f"where division in ({marks}) order by division, number, agent",
        *divisions,
    )
    table = np.array(rows, np.int64).reshape(-1, 4)
    new = np.any(table[1:, :2] != table[:-1, :2], axis=1)
    ends = np.append(np.flatnonzero(new) + 1, len(table)) if len(table) else np.empty(0, np.int64)
    return Standings(ends, np.ascontiguousarray(table[:, 2]), np.ascontiguousarray(table[:, 3]))


@dataclass(frozen=True)
class RatingHistory:
    """Ratings after some divisions' rounds, and on the way: entrant i played round `rounds[i]` (counted through)."""

    final: Ratings
    rounds: NDArray[np.int64]
    agents: NDArray[np.int64]
    mu: NDArray[np.float64]
    sigma: NDArray[np.float64]


def rated(store: Store, divisions: Sequence[int], agents: int) -> RatingHistory:
    """TrueSkill over all rounds of some divisions, in canonical order, from the stored results alone."""
    standings, final = standings_of(store, divisions), Ratings.start(agents)
    history = final.update(standings)
    rounds = np.repeat(np.arange(len(standings.ends)), np.diff(standings.ends, prepend=0))
    return RatingHistory(final, rounds, standings.agents, history[:, 0], history[:, 1])


@dataclass(frozen=True)
class Meetings:
    """Direct meetings: sums over all hands of each pair, by agent number on both sides."""

    hands: NDArray[np.int64]
    chips: NDArray[np.int64]
    """Chips that the agent of the row won from the agent of the column, over all its seats."""
    squares: NDArray[np.int64]
    seats: int
    """Seats that each of the two had."""


def meetings_of(store: Store, divisions: Sequence[int], agents: int) -> Meetings:
    """All direct rounds of some divisions."""
    marks = ", ".join("?" * len(divisions))
    rows = store.rows(
        "select one.agent, other.agent, rounds.hands, one.chips, one.squares, one.seats from entrants one "
        "join entrants other using (division, number) join rounds using (division, number) "
        f"where one.agent != other.agent and one.division in ({marks})",
        *divisions,
    )
    sums = np.zeros((3, agents, agents), np.int64)
    for agent, opponent, *numbers in rows:
        sums[:, agent, opponent] += numbers[:3]
    return Meetings(sums[0], sums[1], sums[2], rows[0][5] if rows else 1)


def fingerprint(store: Store) -> str:
    """A SHA-256 of all results and frozen weights: equal seasons have equal ones, however often interrupted."""
    digest = hashlib.sha256()
    for query in (
        "select id, name, type, division, generation, sha256, status from agents order by id",
        "select division, number, kind, student, hands, seed from rounds order by 1, 2",
        "select * from entrants order by 1, 2, 3",
        "select division, number, giver, taker, chips from flows order by 1, 2, 3, 4",
        "select division, number, agent, decisions, steps, losses, fault from lessons order by 1, 2",
        "select agent, folds, calls, checks, raises from styles order by 1",
    ):
        for row in store.rows(query):
            digest.update(repr(row).encode())
    return digest.hexdigest()
