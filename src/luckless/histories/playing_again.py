"""Plays stored hands again with the bots that the store names, to hold the two against each other.

A store may come from anybody, and a bot that it names may be any program. Shipped bots run nothing foreign and are
loaded without asking. Programs, Python files and weights are loaded only if the caller says so.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.catalogue import foreign_code, load_bot, load_shipped
from luckless.bots.lineup import Lineup
from luckless.errors import InputError
from luckless.histories.match_writer import match_settings
from luckless.histories.session_writer import session_settings
from luckless.histories.store import StoredHands
from luckless.matches.match import Match
from luckless.matches.playing import Chunk, Playing
from luckless.matches.session import Sessions, play_block
from luckless.rules.columns import HandColumns, join
from luckless.runs import agents_folders

PlayAgain = Callable[[HandColumns], HandColumns]
"""The hands of some rows, in order, as the bots play them now; batches are asked for in the order they are stored."""


def foreign_bots(stored: StoredHands) -> list[str]:
    """The bots of a store that did not come with the package, each with what it would run; none is loaded."""
    named = dict.fromkeys(_specs(stored))
    return [f"{spec} {foreign}" for spec in named if (foreign := foreign_code(spec))]


def load_match(stored: StoredHands, load: Callable[[str], Bot] = load_shipped) -> Match:
    """The match that is stored, with its bots loaded again."""
    settings = match_settings(stored.settings, stored.bots, stored.folder)
    return Match.plan(
        settings.game,
        [load(spec) for spec in settings.specs],
        hands=settings.hands,
        seed=settings.seed,
        decks=settings.decks,
        sealed=settings.sealed,
        decision_seconds=settings.decision_seconds,
        hand_seconds=settings.hand_seconds,
        match_seconds=settings.match_seconds,
    )


def load_sessions(stored: StoredHands, load: Callable[[str], Bot] = load_shipped) -> Sessions:
    """The sessions that are stored, with their bots loaded again."""
    settings = session_settings(stored.settings, stored.bots, stored.folder)
    players = tuple(load(spec) for spec in settings.specs)
    lasting = (settings.seed, settings.decision_seconds, settings.match_seconds, settings.sealed)
    return Sessions(settings.game, players, settings.rounds, settings.games, *lasting)


@contextmanager
def playing_again(stored: StoredHands, *, bots: bool, workers: int | None = None) -> Iterator[PlayAgain]:
    """What plays the hands of a store again; `bots` allows those that did not come with the package.

    `InputError` says why the bots cannot be loaded, or that they are not those that played.
    """
    load = _load_stored if bots else load_shipped
    played = load_sessions(stored, load) if stored.is_session else load_match(stored, load)
    then, now = [bot["code_sha256"] for bot in stored.bots], [player.fingerprint() for player in played.players]
    if then != now:
        raise InputError("the code of the bots has changed since they played")
    with ExitStack() as stack:
        if isinstance(played, Sessions):
            yield _session_player(played, stack)
        else:
            again = _MatchAgain(played, workers)
            stack.callback(again.close)
            yield again.play


def _specs(stored: StoredHands) -> tuple[str, ...]:
    read = session_settings if stored.is_session else match_settings
    return read(stored.settings, stored.bots, stored.folder).specs


def _load_stored(spec: str) -> Bot:
    """A bot that a store names, which the caller allowed to run; weights only from where agents are kept."""
    if "agent:" in spec and foreign_code(spec).startswith("reads"):
        path = Path(spec.rpartition("agent:")[2])
        folders = [folder.resolve() for folder in agents_folders()]
        if path.is_file() and not any(folder in path.resolve().parents for folder in folders):
            places = " and ".join(map(str, agents_folders()))
            raise InputError(f"{path} lies outside {places}, where agents are kept")
    return load_bot(spec)


class _MatchAgain:
    """The hands of a match, played on from where the last batch ended: a bot may keep memory."""

    def __init__(self, match: Match, workers: int | None) -> None:
        self._match, self._workers = match, workers
        self._next = -1
        self._chunks: Iterator[Chunk] = iter(())
        self._held: list[HandColumns] = []

    def play(self, columns: HandColumns) -> HandColumns:
        """The same hands again."""
        first, count = int(columns.numbers[0]), len(columns)
        if first != self._next:
            self.close()
            self._chunks, self._held = self._match.chunks(first, self._workers), []
        while sum(map(len, self._held)) < count:
            self._held.append(next(self._chunks).hands)
        whole = join(self._held)
        self._held = [whole.rows(slice(count, None))]
        self._next = first + count
        return whole.rows(slice(0, count))

    def close(self) -> None:
        """Stops the bots."""
        close = getattr(self._chunks, "close", None)
        if close is not None:
            close()


def _session_player(sessions: Sessions, stack: ExitStack) -> PlayAgain:
    lineup = Lineup.of(sessions.players)
    playing = Playing(sessions.game, lineup, sessions.keys, sessions.decision_seconds)
    stack.enter_context(playing)
    at_once = 1 if lineup.memory else sessions.block_games()

    def play(columns: HandColumns) -> HandColumns:
        games = np.unique(columns.numbers // sessions.rounds)
        parts = [games[first : first + at_once] for first in range(0, len(games), at_once)]
        played = [play_block(sessions, playing, part).hands for part in parts]
        return join([hands for hands in played if hands is not None])

    return play


def different_rows(stored: HandColumns, again: HandColumns) -> NDArray[np.int64]:
    """The rows in which two batches of the same hands differ; beyond the first one, some more may be named."""
    if len(stored) != len(again):
        same = min(len(stored), len(again))
        rows = different_rows(stored.rows(slice(0, same)), again.rows(slice(0, same)))
        return rows if len(rows) else np.array([max(same - 1, 0)])
    differs = (stored.players != again.players).any(axis=1)
    differs |= (stored.records.decks != again.records.decks).any(axis=1)
    differs |= (stored.records.stacks != again.records.stacks).any(axis=1)
    differs |= (stored.records.payoffs != again.records.payoffs).any(axis=1)
    differs |= stored.records.ends != again.records.ends
    shared = min(len(stored.records.actions), len(again.records.actions))
    other = np.flatnonzero(stored.records.actions[:shared] != again.records.actions[:shared])
    if len(other):
        differs[np.searchsorted(stored.records.ends, other[0], side="right")] = True
    return np.flatnonzero(differs)
