"""A season as a TOML file: its settings as typed dataclasses, read strictly. Every error names file and line.

`docs/league.md` explains each key; `seasons/` holds some to start from, by name (`named_seasons`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from luckless.errors import InputError
from luckless.rules.game import Game
from luckless.toml_lines import KeyPath
from luckless.typed_toml import TypedReader, parse_toml, read_text

TRAINING_MATCHUPS = ("random", "climbing")
EVALUATION_MATCHUPS = ("similar", "direct")

MOST_ROUNDS = 1_000_000
MOST_HANDS = 1_000_000
"""Hands of a round: they are in memory together."""
MOST_STYLE_HANDS = 1_000
MOST_AGENTS = 2_000
"""The winnings matrix grows with their square."""
NAME_BYTES = 100
"""A baseline's file is called after bot and division together, and file systems allow 255 bytes."""


@dataclass(frozen=True)
class Training:
    """`rounds` of `hands` in each division; every `clone_every` rounds, and at the end, each student is cloned."""

    rounds: int
    clone_every: int
    hands: int = 10_000

    @property
    def generations(self) -> int:
        """How many clones each student leaves."""
        return -(-self.rounds // self.clone_every)


@dataclass(frozen=True)
class Division:
    """Students and the baselines among their teachers; clones join the teachers as they are made.

    `six_teachers` is the share of a climbing division's rounds in which teachers alone play, so that ratings settle.
    """

    name: str
    matchup: str
    students: tuple[str, ...]
    teachers: tuple[str, ...]
    six_teachers: float = 0.2


@dataclass(frozen=True)
class Evaluation:
    """After training, among the teachers of all divisions: `rounds` of like rank, or `meetings` of every pair."""

    name: str
    matchup: str
    rounds: int = 0
    meetings: int = 0
    hands: int = 10_000


@dataclass(frozen=True)
class StyleSettings:
    """Hands of each tenth of the cards on which an agent is asked in each situation of the strategy vector."""

    hands: int = 10


@dataclass(frozen=True)
class Season:
    """Everything that decides how a season goes."""

    name: str
    seed: int
    training: Training
    division: tuple[Division, ...]
    evaluation: tuple[Evaluation, ...] = ()
    game: str = "nolimit-6max"
    style: StyleSettings = StyleSettings()
    learner: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Types of student by name: `kind` and settings that differ from the defaults of the kind."""

    @property
    def teachers(self) -> int:
        """How many teachers there are in the end."""
        clones = self.training.generations
        return sum(len(division.teachers) + clones * len(division.students) for division in self.division)

    def loaded_game(self) -> Game:
        """The game that is played."""
        return Game.load(self.game)

    def learner_of(self, student: str) -> tuple[str, dict[str, Any]]:
        """The kind of learner behind a type of student, and the settings that it is given."""
        settings = dict(self.learner.get(student, {}))
        return settings.pop("kind", student), settings


def read_config(path: Path) -> str:
    """The text of a season's file."""
    return read_text(path, "the season")


def season_of(text: str, source: str) -> Season:
    """The season that a TOML text describes; `source` names it in errors."""
    values, reader = parse_toml(text, source)
    season = reader.record(values, Season)
    _check_season(season, reader)
    _check_share_is_used(values["division"], reader)
    return season


def season_as_written(text: str) -> Season:
    """The season of a text that was checked before, by types alone: what it names may be gone by now."""
    values, reader = parse_toml(text, "the season's file")
    return reader.record(values, Season)


def season_of_settings(settings: Mapping[str, Any], game: Game) -> Season:
    """The season that `dataclasses.asdict` made these plain values of, and the game that it is played with."""
    reader = TypedReader("settings")
    season = reader.record(settings, Season)
    _check_bounds(season, reader, game)
    return season


def _check_season(season: Season, reader: TypedReader) -> None:
    try:
        game = season.loaded_game()
    except InputError as error:
        raise reader.refuse(("game",), str(error)) from None
    _check_bounds(season, reader, game)
    _check_learners(season, reader)


def _check_bounds(season: Season, reader: TypedReader, game: Game) -> None:
    _check_name(reader, ("name",), season.name)
    if not 0 <= season.seed < 2**63:
        raise reader.refuse_value(("seed",), season.seed, "0 to 2**63 - 1")
    if not season.division:
        raise reader.refuse((), "a season needs at least one [[division]]")
    _check_game(season, reader, game)
    for key, most in (("rounds", MOST_ROUNDS), ("clone_every", MOST_ROUNDS), ("hands", MOST_HANDS)):
        reader.whole(getattr(season.training, key), ("training", key), 1, most)
    reader.whole(season.style.hands, ("style", "hands"), 1, MOST_STYLE_HANDS)
    _check_agents(season, reader)
    names: set[str] = set()
    for place, division in enumerate(season.division):
        _new_name(reader, ("division", place, "name"), division.name, names)
        _check_division(division, game, reader, ("division", place))
    for place, evaluation in enumerate(season.evaluation):
        _new_name(reader, ("evaluation", place, "name"), evaluation.name, names)
        _check_evaluation(evaluation, season.teachers, reader, ("evaluation", place))


def _new_name(reader: TypedReader, path: KeyPath, name: str, names: set[str]) -> None:
    _check_name(reader, path, name)
    if name in names:
        raise reader.refuse(path, f"the name {name!r} appears twice; choose another")
    names.add(name)


def _check_name(reader: TypedReader, path: KeyPath, name: str) -> None:
    """Names of seasons, divisions and agents are names of files too."""
    if not name.isprintable() or "/" in name or name.startswith(".") or not 0 < len(name.encode()) <= NAME_BYTES:
        shown = name if len(name) <= NAME_BYTES else f"{name[:20]}..."
        needed = f"allowed are 1 to {NAME_BYTES} bytes of printable letters, without / and not beginning with a dot"
        raise reader.refuse(path, f"the name {shown!r} cannot be the name of a file; {needed}")


def _check_agents(season: Season, reader: TypedReader) -> None:
    """Refuses a population that is too large for any machine."""
    agents = season.teachers + sum(len(division.students) for division in season.division)
    if agents > MOST_AGENTS:
        problem = f"the season would have {agents:,} agents, clones included; allowed is at most {MOST_AGENTS:,}"
        raise reader.refuse(("training", "clone_every"), f"{problem}: clone less often")


def _check_game(season: Season, reader: TypedReader, game: Game) -> None:
    if game.betting != "no-limit" or not 2 <= game.seats <= 6:
        is_now = f"{game.betting} with {game.seats} seats"
        raise reader.refuse(("game",), f"game {game.name} is {is_now}; learning bots play no-limit with 2 to 6 seats")
    odd = [place for place, entry in enumerate(season.evaluation) if entry.matchup == "direct" and game.seats % 2]
    if odd:
        path = ("evaluation", odd[0], "matchup")
        raise reader.refuse(path, f"direct meetings share the seats evenly, and game {game.name} has {game.seats}")


def _check_learners(season: Season, reader: TypedReader) -> None:
    """Types of student that the file defines, and types that divisions ask for."""
    from luckless.league.students import check_learner

    for name, values in season.learner.items():
        if not isinstance(values, Mapping):
            raise reader.refuse_value(("learner", name), values, "a table of settings")
        _check_name(reader, ("learner", name), name)
    asked = {
        student: ("division", place, "students")
        for place, division in reversed(list(enumerate(season.division)))
        for student in division.students
    }
    for student, path in {**{name: ("learner", name) for name in season.learner}, **asked}.items():
        try:
            check_learner(*season.learner_of(student))
        except InputError as error:
            where: KeyPath = ("learner", student) if student in season.learner else path
            raise reader.refuse(_blamed(where, season, str(error)), f"student {student!r}: {error}") from None


def _blamed(path: KeyPath, season: Season, problem: str) -> KeyPath:
    """The setting that an error names, or else the table."""
    settings = season.learner.get(str(path[-1]), {})
    named = [key for key, value in settings.items() if repr(key) in problem or repr(value) in problem]
    return (*path, named[0]) if path[0] == "learner" and named else path


def _check_division(division: Division, game: Game, reader: TypedReader, path: KeyPath) -> None:
    reader.one_of(division.matchup, (*path, "matchup"), TRAINING_MATCHUPS)
    for key, members in (("student", division.students), ("teacher", division.teachers)):
        if not members:
            problem = f"division {division.name} has no {key}; it needs at least one student and one teacher"
            raise reader.refuse((*path, f"{key}s"), problem)
    if not 0 <= division.six_teachers < 1:
        raise reader.refuse_value((*path, "six_teachers"), division.six_teachers, "a share from 0 to less than 1")
    from luckless.league.students import baseline

    for place, teacher in enumerate(division.teachers):
        if teacher in division.teachers[:place]:
            raise reader.refuse((*path, "teachers"), f"teacher {teacher!r} appears twice")
        try:
            baseline(teacher, game)
        except InputError as error:
            raise reader.refuse((*path, "teachers"), f"teacher {teacher!r}: {error}") from None
        _check_name(reader, (*path, "teachers"), teacher)


def _check_share_is_used(divisions: Sequence[Mapping[str, Any]], reader: TypedReader) -> None:
    """Refuses a share of six-teacher rounds in a division where it would have no effect."""
    for place, given in enumerate(divisions):
        if given["matchup"] == "random" and "six_teachers" in given:
            problem = "six_teachers does not belong to a random division; only climbing ones have such rounds"
            raise reader.refuse(("division", place, "six_teachers"), problem)


def _check_evaluation(evaluation: Evaluation, teachers: int, reader: TypedReader, path: KeyPath) -> None:
    reader.one_of(evaluation.matchup, (*path, "matchup"), EVALUATION_MATCHUPS)
    counted, other = ("rounds", "meetings") if evaluation.matchup == "similar" else ("meetings", "rounds")
    reader.whole(getattr(evaluation, counted), (*path, counted), 1, MOST_ROUNDS)
    reader.whole(evaluation.hands, (*path, "hands"), 1, MOST_HANDS)
    if getattr(evaluation, other):
        problem = f"{other} does not belong to {evaluation.matchup} evaluation; it is counted in {counted}"
        raise reader.refuse((*path, other), problem)
    meetings = evaluation.meetings * teachers * (teachers - 1) // 2
    if meetings > MOST_ROUNDS:
        problem = f"every pair of {teachers:,} teachers is {meetings:,} rounds; allowed is at most {MOST_ROUNDS:,}"
        raise reader.refuse((*path, "meetings"), problem)
