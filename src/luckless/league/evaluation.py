"""After training, the teachers of all divisions: rounds of like rank, direct meetings of every pair, their style."""

import io
from collections.abc import Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from luckless.league.chance import HANDS, LINE_UP, PAIRS, dice_at, seed_at
from luckless.league.divisions import LineUp, direct_line_ups, similar_line_up
from luckless.league.ratings import Ratings
from luckless.league.results import Outcome, add_outcome, rounds_done, standings_of
from luckless.league.rounds import play_round
from luckless.league.run import Run
from luckless.league.store import saving
from luckless.league.training import Report, Stopping
from luckless.style.strategy import behaviour_in, strategy_vector
from luckless.whole_files import write_bytes

SAVE_SECONDS = 2.0
STYLE_SEED = 1
"""All agents of all seasons are asked about the same hands, so that their styles compare."""


class _Ledger:
    """Rounds that wait to be saved together."""

    def __init__(self, run: Run) -> None:
        self._run, self._outcomes, self._saved_at = run, list[Outcome](), perf_counter()

    def add(self, outcome: Outcome) -> None:
        """Takes a round; saves all when the last save is some seconds ago."""
        self._outcomes.append(outcome)
        if perf_counter() - self._saved_at >= SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Saves what waits."""
        with self._run.store.step() as database:
            for outcome in self._outcomes:
                add_outcome(database, outcome)
        self._outcomes.clear()
        self._saved_at = perf_counter()


def similar_round(run: Run, division: int, number: int, ratings: Ratings) -> LineUp:
    """Who plays a round of like rank, given the ratings before it."""
    dice = dice_at(run.season.seed, LINE_UP, division, number)
    return similar_line_up(dice, run.teachers, ratings, run.game.seats)


def direct_rounds(run: Run, division: int, numbers: Sequence[int]) -> dict[int, LineUp]:
    """Who plays each of some direct meetings."""
    teachers = run.teachers
    pairs = len(teachers) * (len(teachers) - 1) // 2
    passes = {
        turn: direct_line_ups(dice_at(run.season.seed, PAIRS, division, turn), teachers, run.game.seats)
        for turn in {number // pairs for number in numbers}
    }
    return {number: passes[number // pairs][number % pairs] for number in numbers}


def play_evaluation_round(run: Run, division: int, number: int, line_up: LineUp) -> Outcome:
    """Plays a round among teachers, whose bots are all known."""
    seed = seed_at(run.season.seed, HANDS, division, number)
    bots = {agent: run.bot(agent) for agent in line_up.agents}
    played = play_round(run.game, line_up.agents, bots, run.hands(division), seed)
    return Outcome(division, number, line_up, played.without_hands())


def play_similar(run: Run, division: int, report: Report, stopping: Stopping) -> None:
    """The rounds of a division of like rank that are not played yet, one after the other."""
    ratings, ledger = Ratings.start(len(run.roster)), _Ledger(run)
    ratings.update(standings_of(run.store, [division]))
    for number in range(len(rounds_done(run.store, division)), run.rounds(division)):
        if stopping():
            break
        outcome = play_evaluation_round(run, division, number, similar_round(run, division, number, ratings))
        ratings.update(outcome.standings())
        ledger.add(outcome)
        report(outcome.played.hands)
    ledger.save()


def play_direct(run: Run, division: int, numbers: Sequence[int], report: Report, stopping: Stopping) -> None:
    """Some of the direct meetings of a division; none depends on another."""
    ledger, line_ups = _Ledger(run), direct_rounds(run, division, numbers)
    for number in numbers:
        if stopping():
            break
        outcome = play_evaluation_round(run, division, number, line_ups[number])
        ledger.add(outcome)
        report(outcome.played.hands)
    ledger.save()


def _packed(vector: NDArray[np.int32]) -> bytes:
    content = io.BytesIO()
    np.savez_compressed(content, vector=vector)
    return content.getvalue()


def judge_styles(run: Run, agents: Sequence[int], stopping: Stopping) -> None:
    """The strategy vectors of some agents; what they do in all situations together goes to the catalogue."""
    folder = run.directory / "styles"
    with saving(run.directory):
        folder.mkdir(exist_ok=True)
    for agent in agents:
        if stopping():
            break
        vector = strategy_vector(run.bot(agent), run.game, run.season.style.hands, STYLE_SEED)
        path = folder / f"{run.roster[agent].name}.npz"
        with saving(run.directory):
            write_bytes(path, _packed(vector))
        with run.store.step() as database:
            values = (agent, *behaviour_in(vector), str(path.relative_to(run.directory)))
            database.execute("insert or replace into styles values (?, ?, ?, ?, ?, ?)", values)
