"""A season in its directory: what was planned, what the catalogue knows, and the bots of its teachers."""

import json
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from luckless.bots.bot import Bot
from luckless.errors import InputError
from luckless.league.agents import Agent, roster
from luckless.league.config import Evaluation, Season, read_config, season_of, season_of_settings
from luckless.league.possible_rows import impossible
from luckless.league.store import AgentEntry, Store, versions
from luckless.league.students import baseline, frozen_clone
from luckless.plain_json import read_json
from luckless.rules.game import Game
from luckless.runs import CATALOGUE, RUNS
from luckless.typed_values import check, map_of, matching, table, text

FACTS = table(
    {"config": text, "settings": text, "game": text, "begun": matching(r"[0-9T:+.Z-]{10,40}", "a time")},
    {"source": text, "versions": text, "workers": matching("[1-9][0-9]{0,5}", "a number of processes")},
)
"""What the catalogue knows of the season beside its agents and rounds."""


@dataclass(frozen=True)
class Run:
    """An open season. Divisions are numbered through: those of training first, then those of evaluation."""

    directory: Path
    season: Season
    game: Game
    roster: list[Agent]
    store: Store
    _bots: dict[int, Bot] = field(default_factory=dict)

    @classmethod
    def begin(cls, directory: Path | None, config: Path) -> "Run":
        """A new season from its file; a directory that already holds one is refused.

        Without a directory it is the one of the season's name in `runs`.
        """
        text = read_config(config)
        season = season_of(text, str(config))
        directory = directory or RUNS / season.name
        if directory.exists() and not directory.is_dir():
            raise InputError(f"{directory} is a file: give the name of a directory for the season")
        if (directory / CATALOGUE).exists():
            raise InputError(_occupied(directory, season))
        agents = [AgentEntry(agent) for agent in roster(season) if not agent.is_clone]
        facts = {
            "config": text,
            "source": str(config),
            "settings": json.dumps(asdict(season)),
            "game": season.loaded_game().to_toml(),
            "versions": versions(),
            "begun": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        Store.create(directory, facts, agents).close()
        return cls.open(directory, trusted=True)

    @classmethod
    def open(cls, directory: Path, *, trusted: bool = False) -> "Run":
        """A season that was begun. Its catalogue is read through for damage, unless it is `trusted` (see `Store`)."""
        store, path = Store(directory, trusted=trusted), directory / CATALOGUE
        try:
            run = cls._of(directory, store)
            wrong = "" if trusted else impossible(run)
        except InputError as error:
            store.close()
            if str(error).startswith(f"{path} is damaged"):
                raise
            raise InputError(f"{path} is damaged: {error}") from None
        except ValueError as error:
            store.close()
            raise InputError(f"{path} is damaged: its settings cannot be read: {error}") from None
        if wrong:
            store.close()
            raise InputError(f"{path} is damaged: {wrong}")
        return run

    @classmethod
    def _of(cls, directory: Path, store: Store) -> "Run":
        """The season that a catalogue describes."""
        facts = dict(store.rows("select key, value from season"))
        for key in ("settings", "game", "config", "begun"):
            store.fact(key)  # refuses a catalogue that lacks it
        check(facts, FACTS, "season")
        check(read_json(facts.get("versions", "{}")), map_of(text), "versions")
        game = Game.from_toml(facts["game"])
        season = season_of_settings(read_json(facts["settings"]), game)
        return cls(directory, season, game, roster(season), store)

    @property
    def divisions(self) -> int:
        """How many divisions train."""
        return len(self.season.division)

    def evaluations(self, matchup: str) -> list[int]:
        """The numbers of the evaluation divisions of a kind."""
        numbered = enumerate(self.season.evaluation, start=self.divisions)
        return [number for number, evaluation in numbered if evaluation.matchup == matchup]

    def evaluation(self, number: int) -> Evaluation:
        """An evaluation division by its number."""
        return self.season.evaluation[number - self.divisions]

    def division_name(self, number: int) -> str:
        """What a division is called."""
        names = [division.name for division in self.season.division]
        return [*names, *(evaluation.name for evaluation in self.season.evaluation)][number]

    def matchup(self, number: int) -> str:
        """By which rule a division's line-ups are made."""
        if number < self.divisions:
            return self.season.division[number].matchup
        return self.evaluation(number).matchup

    @property
    def all_divisions(self) -> range:
        """The numbers of all divisions, of training and of evaluation."""
        return range(self.divisions + len(self.season.evaluation))

    def rounds(self, number: int) -> int:
        """How many rounds a division plays."""
        if number < self.divisions:
            return self.season.training.rounds
        evaluation = self.evaluation(number)
        pairs = len(self.teachers) * (len(self.teachers) - 1) // 2
        return evaluation.rounds if evaluation.matchup == "similar" else evaluation.meetings * pairs

    def hands(self, number: int) -> int:
        """How many hands a round of a division has."""
        return self.season.training.hands if number < self.divisions else self.evaluation(number).hands

    @property
    def teachers(self) -> list[int]:
        """All agents that do not learn, at the end of training."""
        return [agent.id for agent in self.roster if not agent.trainable]

    def bot(self, agent: int) -> Bot:
        """The bot of a teacher; a clone's weights are checked against what was frozen."""
        if agent not in self._bots:
            entry = self.store.entries()[agent]
            if entry.agent.is_clone:
                path = self.directory / entry.weights
                self._bots[agent] = frozen_clone(path, entry.agent.name, entry.sha256)
            else:
                self._bots[agent] = baseline(entry.agent.type)
        return self._bots[agent]


def _occupied(directory: Path, season: Season) -> str:
    held = Run.open(directory)
    if held.season == season:
        return f"{directory} holds this season already; continue it with `luckless league resume {directory}`"
    theirs, ours = asdict(held.season), asdict(season)
    differs = [key for key in ours if ours[key] != theirs[key]]
    return (
        f"{directory} holds another season ({held.season.name}; it differs in {', '.join(differs)}): "
        "choose another directory with --out"
    )
