"""Plays a tournament into its folder, from where it stands; whatever was played before is read, not played again."""

import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless import pieces
from luckless.bots.bot import Bot
from luckless.bots.catalogue import foreign_code
from luckless.bots.external.chat.ledger import ledger_name, read_ledger
from luckless.errors import InputError
from luckless.histories.match_writer import play_stored
from luckless.histories.session_writer import load_session_result, play_stored_sessions
from luckless.matches.match import Match
from luckless.matches.playing import Chunk
from luckless.progress import Progress
from luckless.rankings.pair_values import Pair
from luckless.skill.verdict import Knowledge
from luckless.threads import core_count
from luckless.tournaments.adjusting import Judge, adjusted_file, policies_at, read_adjusted, write_adjusted
from luckless.tournaments.allocation import Fixed, allocate
from luckless.tournaments.deal_values import deal_values, session_values, values_of_sets
from luckless.tournaments.result import TournamentResult, load_tournament
from luckless.tournaments.settings import Settings
from luckless.tournaments.store import VERDICT, opened, state_of, write_json
from luckless.tournaments.tournament import Tournament, deals_of, rule_of

Matrix = NDArray[np.float64]


class Stopped(Exception):
    """Somebody asked the tournament to stop; what was played is stored."""


@dataclass
class _Hall:
    """A tournament at play: its folder, and whether it is to stop."""

    tournament: Tournament
    folder: Path
    workers: int
    progress: Progress
    stop: threading.Event = field(default_factory=threading.Event)

    def each(self, play: Callable[[Any], Any], work: Iterable[Any]) -> list[Any]:
        """Plays tables, side by side where no bot has to be asked. Ctrl-C lets the hands under way be stored."""
        work, crew = list(work), pieces.crew()
        at_once = self.workers if crew is None else 2 * crew.slots  # tables that hand their pieces to a crew
        if (crew is None and not self.tournament.compiled) or at_once == 1 or len(work) == 1:
            done = []
            for one in work:
                done.append(play(one))
            return done
        with ThreadPoolExecutor(at_once) as pool:
            waiting = [pool.submit(play, one) for one in work]
            try:
                return [one.result() for one in waiting]
            except BaseException:
                self.stop.set()
                for one in waiting:
                    one.cancel()
                raise

    def play_match(self, table: int, hands: int, *, may_go_on: bool = False) -> Matrix:
        """Plays a table up to so many hands, and gives the values of its deals.

        A table that may go on later need not have a stored result yet: its hands are enough.
        """
        match = self.tournament.match(table, hands)
        place = self.folder / self.tournament.outline.folder(table)
        stored, finished = state_of(place)
        if stored > match.hands or (stored == match.hands and (finished or may_go_on)):
            self.progress.advance(match.hands)
            return self._values(table, match, deal_values(place, match.hands))
        won: list[NDArray[np.int64]] = []

        def watch(chunk: Chunk) -> None:
            self.progress.advance(len(chunk))
            if self.stop.is_set():
                raise KeyboardInterrupt

        self._count_spent(table)
        workers = 1 if self.tournament.compiled and self.workers > 1 else None
        result = play_stored(match, place, workers=workers, on_chunk=watch, on_sets=won.append)
        if result.interrupted:
            raise Stopped
        return self._values(table, match, values_of_sets(result, won))

    def _count_spent(self, table: int) -> None:
        """Tells each bot of a table what was paid for it at the others."""
        outline = self.tournament.outline
        for bot in () if self.tournament.compiled else outline.tables[table]:
            ledgers = [
                self.folder / outline.folder(number) / ledger_name(places.index(bot))
                for number, places in enumerate(outline.tables)
                if bot in places and number != table
            ]
            paid = sum(entry.cost for file in ledgers for entry in read_ledger(file))
            self.tournament.entrants.bots[bot].count_spent(paid)

    def _values(self, table: int, match: Match, money: Matrix) -> Matrix:
        """The values of the deals of a table: its money, or with luck taken out of it."""
        if not self.tournament.is_adjusted(table):
            return money
        place, file = self.folder / self.tournament.outline.folder(table), adjusted_file(self.folder, table)
        policies = policies_at(match, place)

        def goes_on(hands: int) -> None:
            self.progress.advance(hands)
            if self.stop.is_set():
                raise Stopped

        def judged(using: Mapping[str, Bot]) -> Matrix:
            known = read_adjusted(file, len(match.players))
            judge = Judge(place, Knowledge(using, self.tournament.values), goes_on)
            return judge.judged(known, lambda found: write_adjusted(file, found), match.hands).values[: len(money)]

        try:
            return judged(policies)
        except InputError as error:  # a policy that is not the one that played; those of shipped bots are
            shipped = {name: bot for name, bot in policies.items() if not foreign_code(bot.spec)}
            if len(shipped) == len(policies):
                raise
            warnings.warn(
                f"luck is taken out without the policies of bots that are not shipped: {error}", stacklevel=2
            )
            return judged(shipped)

    def play_sessions(self, table: int) -> Matrix:
        """Plays the sessions of a table."""
        if self.stop.is_set():
            raise Stopped
        sessions = self.tournament.sessions(table)
        place = self.folder / self.tournament.outline.folder(table)
        if state_of(place)[1]:
            self.progress.advance(sessions.games)
            return session_values(load_session_result(place))
        self._count_spent(table)
        result = play_stored_sessions(sessions, place)
        if result.interrupted:
            raise Stopped
        self.progress.advance(result.games)
        return session_values(result)


def play_tournament(
    folder: Path,
    settings: Settings | None = None,
    *,
    bots: Sequence[Bot] = (),
    workers: int | None = None,
    show_progress: bool = False,
) -> TournamentResult:
    """Plays a tournament, or goes on with the one that the folder holds. Ctrl-C ends it with what is stored.

    `bots` are those that the settings name, if they are loaded already.
    """
    with opened(folder, settings, bots) as tournament:
        total, unit = _work(tournament)
        with Progress(total, unit, show=show_progress) as progress:
            hall = _Hall(tournament, folder, workers or core_count(), progress)
            try:
                looks = _play_all(hall)
            except (Stopped, KeyboardInterrupt):
                (folder / VERDICT).unlink(missing_ok=True)
                return load_tournament(folder)
        result = load_tournament(folder, looks=looks)
        write_json(folder, VERDICT, {**result.verdict(), "looks": looks})
    return result


def _work(tournament: Tournament) -> tuple[int, str]:
    """What every table is sure to do, in words too."""
    settings, tables = tournament.outline.settings, len(tournament.outline.tables)
    if settings.is_session:
        return tables * settings.games, "sessions"
    judged = sum(map(tournament.is_adjusted, range(tables)))
    hands = tournament.match(0, settings.hands).hands
    return (tables + judged) * hands, "hands, played and judged" if judged else "hands"


def _play_all(hall: _Hall) -> int:
    """Plays every table as far as its rule says; how often the rule looked at results."""
    tournament = hall.tournament
    outline = tournament.outline
    numbers = range(len(outline.tables))
    if outline.settings.is_session:
        hall.each(hall.play_sessions, numbers)
        return 1
    size = tournament.set_size
    rule = rule_of(outline.settings, size)
    if isinstance(rule, Fixed):
        hall.each(lambda table: hall.play_match(table, outline.settings.hands) is not None, numbers)
        return 1
    place = {(table[0], table[1]): number for number, table in enumerate(outline.tables)}

    def play(wanted: dict[Pair, int]) -> dict[Pair, Matrix]:
        found = hall.each(
            lambda pair: hall.play_match(place[pair], wanted[pair] * size, may_go_on=True)[:, 0], wanted
        )
        return dict(zip(wanted, found, strict=True))

    first = deals_of(outline.settings.hands, size)
    values, looks = allocate(rule, len(outline.names), list(place), first, play, shared=outline.shared)
    hall.each(lambda pair: hall.play_match(place[pair], len(values.values[pair]) * size) is not None, values.pairs)
    return looks
