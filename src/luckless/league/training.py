"""A division in training: students play rounds, learn from them, and leave clones behind.

Rounds are saved together with the students as they are after them, in one step of the catalogue. Whatever stops the
season, it resumes from the last step, and the rounds after it are the same again.
"""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from luckless import work_clock
from luckless.bots.bot import Bot
from luckless.league.agents import Agent
from luckless.league.chance import HANDS, LINE_UP, STUDENT, dice_at, seed_at
from luckless.league.curves import write_curves
from luckless.league.divisions import LineUp, climbing_line_up, random_line_up
from luckless.league.ratings import Ratings
from luckless.league.results import Outcome, add_outcome, rounds_done, standings_of
from luckless.league.rounds import play_round
from luckless.league.run import Run
from luckless.league.store import AgentEntry, saving
from luckless.league.students import continue_learner, start_learner
from luckless.learn.learner import Learner
from luckless.whole_files import sync, sync_folder

SAVE_SECONDS = 20.0
"""Rounds are saved when the last save is so long ago: a student with its memory is too big for every round."""

Report = Callable[[int], None]
Stopping = Callable[[], bool]


def training_line_up(run: Run, division: int, number: int, ratings: Ratings) -> LineUp:
    """Who plays a round of a training division, given the ratings before it."""
    rules, seats = run.season.division[division], run.game.seats
    generations = number // run.season.training.clone_every
    members = [agent for agent in run.roster if agent.division == division and agent.generation <= generations]
    students, teachers = ([one.id for one in members if one.trainable is learns] for learns in (True, False))
    dice = dice_at(run.season.seed, LINE_UP, division, number)
    if rules.matchup == "random":
        return random_line_up(dice, students, teachers, seats)
    return climbing_line_up(dice, students, teachers, ratings, rules.six_teachers, seats)


class TrainingDivision:
    """The state of one division between two rounds."""

    def __init__(self, run: Run, number: int) -> None:
        self.run, self.number = run, number
        self.training = run.season.training
        self.done = len(rounds_done(run.store, number))
        self.ratings = Ratings.start(len(run.roster))
        self.ratings.update(standings_of(run.store, [number]))
        self.members = [agent for agent in run.roster if agent.division == number]
        self.students = [agent for agent in self.members if agent.trainable]
        self._entries = run.store.entries()
        self._remove_leftovers()
        self.learners = {student.id: self._learner(student) for student in self.students}
        self._outcomes: list[Outcome] = []
        self._clones: list[AgentEntry] = []
        self._saved_at = perf_counter()

    def _learner(self, student: Agent) -> Learner:
        path = self._entries[student.id].learner
        if path:
            return continue_learner(self.run.directory / path)
        kind, settings = self.run.season.learner_of(student.type)
        return start_learner(kind, settings, seed_at(self.run.season.seed, STUDENT, self.number, student.id))

    def _remove_leftovers(self) -> None:
        """Deletes files of this division's students that belong to a step that was never finished."""
        for student in self.students:
            kept = self.run.directory / self._entries[student.id].learner
            for path in self._folder("learners").glob(f"{student.name}-*"):
                if path != kept:
                    path.unlink()

    def _folder(self, name: str) -> Path:
        folder = self.run.directory / name
        with saving(self.run.directory):
            folder.mkdir(exist_ok=True)
        return folder

    def play(self) -> int:
        """Plays the next round and lets its student learn; returns the hands that were played."""
        line_up = training_line_up(self.run, self.number, self.done, self.ratings)
        bots = {agent: self._bot(agent) for agent in line_up.agents}
        seed = seed_at(self.run.season.seed, HANDS, self.number, self.done)
        played = play_round(self.run.game, line_up.agents, bots, self.training.hands, seed)
        lesson, started = None, work_clock.seconds()
        if line_up.student is not None:
            lesson = self.learners[line_up.student].learn(played.lesson_of(line_up.student))
        outcome = Outcome(
            self.number, self.done, line_up, played.without_hands(), lesson, work_clock.seconds() - started
        )
        self._outcomes.append(outcome)
        self.ratings.update(outcome.standings())
        self.done += 1
        if self.done % self.training.clone_every == 0 or self.done == self.training.rounds:
            self._clone()
        return played.hands

    def _bot(self, agent: int) -> Bot:
        if agent in self.learners:
            return self.learners[agent].bot(self.run.roster[agent].name, explore=True)
        return self.run.bot(agent)

    def _clone(self) -> None:
        """Freezes every student as it is now; the clones join the teachers."""
        generation = -(-self.done // self.training.clone_every)
        for agent in self.members:
            if agent.parent is not None and agent.generation == generation:
                path = self._folder("agents") / f"{agent.name}.safetensors"
                with saving(self.run.directory):
                    sha256 = self.learners[agent.parent].freeze(path)
                    sync(path)
                self._clones.append(AgentEntry(agent, str(path.relative_to(self.run.directory)), sha256))
        self.save()

    def save_if_due(self, seconds: float) -> None:
        """Saves when the last save is at least so long ago."""
        if self._outcomes and perf_counter() - self._saved_at >= seconds:
            self.save()

    def save(self) -> None:
        """Saves the rounds since the last save and the students as they are now, in one step."""
        if not self._outcomes:
            return
        students = {outcome.line_up.student for outcome in self._outcomes}
        written = {student: self._write(student) for student in self.learners if student in students}
        with saving(self.run.directory):
            sync_folder(self._folder("learners"))
            sync_folder(self._folder("agents"))
        with self.run.store.step() as database:
            for outcome in self._outcomes:
                add_outcome(database, outcome)
            for clone in self._clones:
                self.run.store.add_agent(database, clone)
            for student, path in written.items():
                values = (path, self._status(student), student)
                database.execute("update agents set learner = ?, status = ? where id = ?", values)
        self._entries = self.run.store.entries()
        self._remove_leftovers()
        self._outcomes.clear()
        self._clones.clear()
        self._saved_at = perf_counter()
        with saving(self.run.directory):
            write_curves(self.run, self.number)

    def _write(self, student: int) -> str:
        path = self._folder("learners") / f"{self.run.roster[student].name}-{self.done}.safetensors"
        with saving(self.run.directory):
            self.learners[student].write(path)
            sync(path)
        return str(path.relative_to(self.run.directory))

    def _status(self, student: int) -> str:
        """Why a student has stopped learning, and since when."""
        fault, before = self.learners[student].fault, self._entries[student].status
        if before or not fault:
            return before
        lessons = [one for one in self._outcomes if one.line_up.student == student]
        first = next((one.number for one in lessons if one.lesson and one.lesson.fault), self.done - 1)
        return f"learning stopped in round {first}: {fault}"


def train(run: Run, number: int, report: Report, stopping: Stopping) -> None:
    """Trains a division to its last round, or until `stopping` says so; `report` is told the hands of each round."""
    division = TrainingDivision(run, number)
    while division.done < division.training.rounds and not stopping():
        report(division.play())
        division.save_if_due(SAVE_SECONDS)
    division.save()
