"""The result of sessions, as a record that needs no bot: final chips, and how often each player beat each other."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.keys import seed_as_json, seed_warnings
from luckless.matches.adjusted import Adjusted, adjusted_figures
from luckless.matches.faults import FaultLog
from luckless.matches.settings import is_sealed, kept_keys, labels_of, now, player_names, software_versions
from luckless.rules.game import Game
from luckless.shown import Shown
from luckless.stats.estimate import Estimate, estimate
from luckless.stats.proportion import WinProbability, win_probability
from luckless.stats.units import CHIPS, MILLI_BIG_BLINDS, unit_factor


@dataclass(frozen=True)
class SessionSettings:
    """Sessions without their bots: the game, who played, how many sessions and hands in each."""

    game: Game
    names: tuple[str, ...]
    specs: tuple[str, ...]
    """What each bot was loaded from, to load it again."""
    rounds: int
    games: int
    seed: int
    decision_seconds: float = 10.0
    match_seconds: float = 0.0
    """How long a bot may think in all the sessions together; 0, as in older stores, is without end."""
    sealed: bool = False
    """Whether their keys are sealed (see `keys`)."""
    versions: Mapping[str, str] = field(default_factory=software_versions, compare=False)
    """The software that played."""
    begun: str = field(default_factory=now, compare=False)
    """When they began; empty where a store does not say."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The players as tables and figures call them."""
        return labels_of(self.names, self.specs)

    @property
    def blinds(self) -> tuple[int, int]:
        """Small and big blind."""
        return min(filter(None, self.game.blinds)), self.game.big_blind

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON; the seed is text, for not every reader has 64 bits."""
        return {
            "game": self.game.to_dict(),
            "names": list(self.names),
            "specs": list(self.specs),
            "rounds": self.rounds,
            "games": self.games,
            "seed": str(self.seed),
            "clocks": [self.decision_seconds, 0.0, self.match_seconds],
            "versions": dict(self.versions),
            "begun": self.begun,
            **kept_keys(self.sealed),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], source: str = "session") -> "SessionSettings":
        """The settings that `to_dict` gave; `source` names them in errors."""
        clocks = values.get("clocks", (10.0,))  # chunks, from which a store is rebuilt, do not say them
        return cls(
            Game.from_dict(values["game"], source),
            tuple(values["names"]),
            tuple(values["specs"]),
            int(values["rounds"]),
            int(values["games"]),
            int(values["seed"]),
            decision_seconds=clocks[0],
            match_seconds=clocks[2] if len(clocks) > 1 else 0.0,  # earlier versions had none
            sealed=is_sealed(values, source),
            versions=values["versions"],
            begun=values.get("begun", ""),
        )


@dataclass(frozen=True, repr=False)
class SessionResult(Shown):
    """Final chips of every finished session (games x players), hands played in each, and faults."""

    showing: ClassVar[str] = "session"

    sessions: SessionSettings
    chips: NDArray[np.int64]
    rounds: NDArray[np.int64]
    faults: FaultLog
    seconds: float = 0.0
    interrupted: bool = False
    adjusted: Adjusted | None = None
    """Win rates with luck taken out, where that was asked for; no store keeps them."""

    @property
    def games(self) -> int:
        """Sessions that are finished."""
        return len(self.chips)

    def pairing(self, player: int, opponent: int) -> WinProbability:
        """How often a player ended with more chips than an opponent, with an exact interval."""
        ahead = self.chips[:, player] - self.chips[:, opponent]
        return win_probability(int((ahead > 0).sum()), int((ahead < 0).sum()), int((ahead == 0).sum()))

    def rate(self, player: int) -> Estimate:
        """What a player won by money, in mbb/h."""
        return session_rate(self.chips[:, player] - self.sessions.game.stacks[0], self.rounds, self.sessions.game)

    def pairings(self) -> list[tuple[int, int, WinProbability]]:
        """Every pair of players, the one named first on the left."""
        pairs = itertools.combinations(range(len(self.sessions.names)), 2)
        return [(player, opponent, self.pairing(player, opponent)) for player, opponent in pairs]

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values for JSON."""
        sessions = self.sessions
        return {
            "games": self.games,
            "rounds": sessions.rounds,
            "stack": sessions.game.stacks[0],
            "blinds": list(sessions.blinds),
            "seed": seed_as_json(sessions.seed),
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
            "warnings": seed_warnings(sessions.seed, sessions.sealed),
            "bots": [self._player_dict(player) for player in range(len(sessions.names))],
            "pairings": [self._pairing_dict(*pairing) for pairing in self.pairings()],
        }

    def _player_dict(self, player: int) -> dict[str, Any]:
        chips = self.chips[:, player]
        return {
            "name": self.sessions.names[player],
            "mean_chips": float(chips.mean()),
            "busts": int((chips == 0).sum()),
            **self.faults.facts(player),
            **self._adjusted_dict(player),
        }

    def _adjusted_dict(self, player: int) -> dict[str, Any]:
        if self.adjusted is None:
            return {}
        money, found = self.rate(player), self.adjusted.player(player_names(self.sessions.names)[player])
        return {
            "mbb": money.mean,
            "stderr_mbb": money.stderr,
            "ci95_mbb": money.ci95,
            **adjusted_figures(found, self.adjusted.by),
        }

    def _pairing_dict(self, player: int, opponent: int, tally: WinProbability) -> dict[str, Any]:
        names = self.sessions.names
        return {
            "bot": names[player],
            "opponent": names[opponent],
            "won": tally.wins,
            "lost": tally.losses,
            "drawn": tally.draws,
            "win_probability": tally.probability,
            "ci95": tally.ci95,
            "p_value": tally.p_value,
        }

    def to_record(self) -> dict[str, Any]:
        """What a store keeps beside the settings and the hands."""
        return {
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "chips": self.chips.tolist(),
            "rounds": self.rounds.tolist(),
            "faults": self.faults.to_dict(),
        }

    @classmethod
    def from_record(cls, sessions: SessionSettings, record: Mapping[str, Any]) -> "SessionResult":
        """The result that `to_record` described."""
        chips = np.array(record["chips"], np.int64).reshape(-1, len(sessions.names))
        rounds = np.array(record["rounds"], np.int64)
        faults = FaultLog.from_dict(record["faults"])
        return cls(sessions, chips, rounds, faults, record["seconds"], record["interrupted"])


def session_rate(won: ArrayLike, rounds: NDArray[np.int64], game: Game, method: str = "money") -> Estimate:
    """The win rate in mbb/h of a player who won so many chips in each session; the sample is the session.

    Sessions differ in length, so the rate is all chips over all hands. Its error is that of a ratio: what each
    session won beyond this rate times its hands (W. G. Cochran, Sampling Techniques, 3rd ed. 1977, section 6.4).
    """
    chips = np.asarray(won, np.float64)
    rate, mean_rounds = chips.sum() / rounds.sum(), rounds.mean()
    scale = unit_factor(CHIPS, MILLI_BIG_BLINDS, big_blind=game.big_blind)
    values = (rate + (chips - rate * rounds) / mean_rounds) * scale
    found = estimate(values, unit=MILLI_BIG_BLINDS, method=method)
    return replace(found, hands=int(rounds.sum()))
