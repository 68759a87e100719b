"""Values of deals with luck taken out of them, kept beside the hands: `adjusted-00000.safetensors` for table 0.

A table is adjusted if the settings ask for it, or by itself if a bot from outside sits there, whose hands are dear,
and hands are not too many. Nothing is asked of the bot from outside: the policy of the other one is enough. If there
is none, the luck of the cards is taken out alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.clocks import Clocks
from luckless.errors import InputError
from luckless.histories.match_writer import match_settings
from luckless.histories.store import StoredHands
from luckless.matches.match import Match, any_outside
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.skill.by_steps import Aivat, Chance
from luckless.skill.collecting import sets_of
from luckless.skill.named_values import named_values
from luckless.skill.of_match import policies_of
from luckless.skill.roll_out_values import RollOutValues
from luckless.skill.values import ValueFunction
from luckless.skill.verdict import Knowledge
from luckless.stats.units import BIG_BLINDS, MILLI_BIG_BLINDS, unit_factor
from luckless.tensors import as_safetensors, read_safetensors
from luckless.whole_files import write_bytes

Matrix = NDArray[np.float64]

JUDGED_AT_ONCE = 1_000
"""Hands after which what was judged is kept."""

MOST_BY_ITSELF = 10_000
"""Hands of a pairing at most for which luck is taken out by itself: judging takes some milliseconds a hand."""

WHAT = "table of adjusted values"


@dataclass(frozen=True)
class Adjusted:
    """What each player of a table won in each deal, luck taken out, in mbb/h; and by what."""

    values: Matrix
    by: str
    policies: tuple[str, ...]
    """The players whose policies were used."""
    function: str
    """The digest of the value function."""

    @property
    def words(self) -> str:
        """`aivat (policy of call)`, for people."""
        if not self.policies:
            return self.by
        return f"{self.by} ({'policy' if len(self.policies) == 1 else 'policies'} of {' and '.join(self.policies)})"


def is_adjusted(wish: str, players: Sequence[Bot], hands: int) -> bool:
    """Whether the values of a table are adjusted; `wish` and `hands` are those of the settings."""
    if wish == "auto":
        return any_outside(players) and hands <= MOST_BY_ITSELF
    return wish == "always"


def adjusted_file(folder: Path, table: int) -> Path:
    """Where the adjusted values of a table lie in the folder of its tournament."""
    return folder / f"adjusted-{table:05}.safetensors"


def read_adjusted(file: Path, players: int) -> Adjusted | None:
    """The adjusted values of a table; None if there are none."""
    if not file.is_file():
        return None
    arrays, facts = read_safetensors(file, WHAT)
    values = arrays.get("values")
    if (
        values is None
        or values.dtype != np.float64
        or values.shape[1:] != (players,)
        or not np.isfinite(values).all()
    ):
        raise InputError(f"{file}: not a {WHAT} for {players} players")
    policies = tuple(filter(None, facts.get("policies", "").split("\n")))
    return Adjusted(values, facts.get("by", ""), policies, facts.get("function", ""))


def write_adjusted(file: Path, adjusted: Adjusted) -> None:
    """Keeps adjusted values, whole or not at all."""
    facts = {"by": adjusted.by, "policies": "\n".join(adjusted.policies), "function": adjusted.function}
    write_bytes(file, as_safetensors({"values": adjusted.values}, facts))


@dataclass(frozen=True)
class Judge:
    """Judges the hands of a stored table; `goes_on` hears how many more were judged and may raise to stop."""

    place: Path
    knowledge: Knowledge
    goes_on: Callable[[int], None] = lambda _: None

    @property
    def by(self) -> str:
        """The name of the estimator: AIVAT if any policy is known, else the luck of the cards alone."""
        return (Aivat if self.knowledge.policies else Chance).name

    def judged(self, known: Adjusted | None, keep: Callable[[Adjusted], None], hands: int | None = None) -> Adjusted:
        """The values of all deals up to so many hands; what is known already is not judged again."""
        stored = StoredHands.open(self.place)
        match = match_settings(stored.settings, stored.bots, self.place)
        size = match.set_size
        wanted = (stored.hands if hands is None else min(hands, stored.hands)) // size
        function = self.knowledge.values.digest
        found = Adjusted(np.zeros((0, len(stored.bots))), self.by, tuple(sorted(self.knowledge.policies)), function)
        if known is not None and (known.by, known.policies, known.function) == (found.by, found.policies, function):
            found = known
        self.goes_on(min(len(found.values), wanted) * size)
        for row in stored.chunks:
            start, deals = row.first // size, row.hands // size
            if start + deals <= len(found.values) or start >= wanted:
                continue
            chunk = stored.read_chunk(row)
            while (done := len(found.values)) < min(start + deals, wanted):
                last = min(done + max(1, JUDGED_AT_ONCE // size), start + deals, wanted)
                part = chunk.rows(slice((done - start) * size, (last - start) * size))
                values = np.concatenate([found.values, deal_values_of(part, self.knowledge)])
                found = Adjusted(values, found.by, found.policies, function)
                keep(found)
                self.goes_on(len(part))
        return found


def deal_values_of(hands: HandColumns, knowledge: Knowledge) -> Matrix:
    """What each player won in each deal of some hands, luck taken out, in mbb/h; all of them play in every hand."""
    estimator = Aivat() if knowledge.policies else Chance()
    sets = sets_of(hands)
    counts = np.bincount(sets)
    scale = unit_factor(BIG_BLINDS, MILLI_BIG_BLINDS)

    def of(player: int) -> Matrix:
        return scale * np.bincount(sets, estimator.hand_values(hands, player, knowledge)) / counts

    if len(hands.names) == 2:  # what one wins the other loses, luck taken out or not
        first = of(0)
        return np.stack([first, -first], axis=1)
    return np.stack([of(player) for player in range(len(hands.names))], axis=1)


def values_for(name: str, game: Game) -> ValueFunction:
    """A value function by its name; refused for a game that its bot of reference does not play."""
    values = named_values(name)
    if isinstance(values, RollOutValues):
        values.reference.start(game, Clocks(0.0))
        values.reference.stop()
    return values


def policies_at(match: Match, place: Path) -> Mapping[str, Bot]:
    """The bots of a stored table that state what they do, asked on its first hands."""
    stored = StoredHands.open(place)
    return policies_of(match, stored.read_chunk(stored.chunks[0]))
