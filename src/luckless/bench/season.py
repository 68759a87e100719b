"""How long a whole season takes, extrapolated from a short one with the same divisions, learners and processes."""

import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from luckless.bench.timing import Row, once
from luckless.league.config import Season, read_config, season_of
from luckless.league.named_seasons import NAMED_SEASONS
from luckless.league.processes import share_out
from luckless.league.run import Run
from luckless.league.status import shared_out, style_decisions
from luckless.league.tasks import Task, evaluation_tasks, training_tasks
from luckless.threads import core_count

TENTH = NAMED_SEASONS / "tenth.toml"
SHORT_ROUNDS = 6
"""Students are cloned after each, so that clones soon teach, as they do for most of a long season."""
DIRECT_TASKS = 2
AIM_SECONDS = 90 * 60.0


@dataclass(frozen=True)
class Paces:
    """Mean seconds on one core: of a round with its lesson by type of student, of other rounds, of a decision."""

    lesson: dict[str, float]
    similar: float
    direct: float
    decision: float


def measure() -> Iterator[Row]:
    """`tenth.toml`; nothing without torch."""
    if importlib.util.find_spec("torch") is None:
        return
    season = season_of(read_config(TENTH), str(TENTH))
    with TemporaryDirectory() as folder:
        directory = Path(folder) / "short"
        played = once(lambda: _play_short(directory))
        whole = season_seconds(season, _paces(directory), core_count())
    work = f"tenth.toml, training and evaluation, EXTRAPOLATED from {SHORT_ROUNDS} rounds a division"
    note = f"{core_count()} processes; the short season took {played:.0f} s; saving and full memories are not counted"
    yield Row(work, whole, "the aim of 90 minutes", AIM_SECONDS, 1, note)


def season_seconds(season: Season, paces: Paces, processes: int) -> float:
    """The time of a season at some paces, shared out over processes as it would be."""
    training = []
    for division in season.division:
        share = division.six_teachers if division.matchup == "climbing" else 0.0
        lesson = sum(paces.lesson[student] for student in division.students) / len(division.students)
        training.append(season.training.rounds * ((1 - share) * lesson + share * paces.similar))
    similar = [one.rounds * paces.similar for one in season.evaluation if one.matchup == "similar"]
    meetings = sum(one.meetings for one in season.evaluation) * season.teachers * (season.teachers - 1) // 2
    styles = season.teachers * style_decisions(season.loaded_game().seats, season.style.hands) * paces.decision
    evaluation = shared_out(similar, meetings * paces.direct + styles, processes)
    return shared_out(training, 0.0, processes) + evaluation


def _play_short(directory: Path) -> None:
    """All divisions of `tenth.toml` for a few rounds, and of the direct meetings a few."""
    text = re.sub(r"(?m)^rounds = .*$", f"rounds = {SHORT_ROUNDS}", read_config(TENTH))
    config = directory.with_suffix(".toml")
    config.write_text(re.sub(r"(?m)^clone_every = .*$", "clone_every = 1", text))
    run = Run.begin(directory, config)
    _perform(directory, training_tasks(run))
    tasks = evaluation_tasks(run)
    direct = [task for task in tasks if task.work == "direct"][:DIRECT_TASKS]
    _perform(directory, [*(task for task in tasks if task.work == "similar"), *direct])
    run.store.close()


def _perform(directory: Path, tasks: list[Task]) -> None:
    share_out(directory, tasks, core_count(), lambda hands: None, lambda: False)


def _paces(directory: Path) -> Paces:
    """First rounds are left out: they load and compile."""
    run = Run.open(directory)
    lessons = run.store.rows(
        "select type, avg(rounds.seconds + lessons.seconds) from rounds join lessons using (division, number) "
        "join agents on agents.id = student where number > 0 group by type"
    )
    [(similar,)] = run.store.rows(
        "select avg(seconds) from rounds where kind in ('six teachers', 'similar') and number > 0"
    )
    [(direct,)] = run.store.rows("select avg(seconds) from rounds where kind = 'direct' and number > 0")
    [(seconds, decisions)] = run.store.rows(
        "select (select sum(seconds) from rounds), sum(folds + calls + checks + raises) from entrants"
    )
    run.store.close()
    return Paces(dict(lessons), similar, direct, seconds / decisions)
