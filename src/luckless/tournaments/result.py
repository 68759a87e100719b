"""The result of a tournament, as a record that needs no bot: the table of pairings and all rankings."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from luckless.bots.external.chat.ledger import Entry, ledger_name, read_ledger
from luckless.bots.external.chat.ledger import usage as usage_of
from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.session_writer import load_session_result
from luckless.histories.store import StoredHands
from luckless.histories.stored_match import load_match_result
from luckless.keys import seed_as_json, seed_warnings
from luckless.matches.faults import NOTABLE, FaultLog
from luckless.rankings.pair_values import PairValues
from luckless.rankings.ranking import RESAMPLES, Rankings, as_json, rank
from luckless.shown import Shown
from luckless.stats.proportion import WinProbability, win_probability
from luckless.tournaments.adjusting import Adjusted, adjusted_file, read_adjusted
from luckless.tournaments.allocation import UntilRanked
from luckless.tournaments.deal_values import deal_values, pair_values, session_values
from luckless.tournaments.settings import Printed
from luckless.tournaments.store import VERDICT, read_outline, read_record
from luckless.tournaments.tournament import Outline

Matrix = NDArray[np.float64]

MOST_RESAMPLES = 10_000
"""That a stored verdict may ask for when it is made again."""

SELDOM = 20
"""Deals below which resampled intervals say little."""


@dataclass(frozen=True)
class TableResult:
    """One table: what each of its bots won in each deal (mbb/h), hands, seconds, faults, and whether it is over."""

    money: Matrix
    hands: int
    planned: int
    faults: FaultLog
    finished: bool
    usage: tuple[tuple[Entry, ...], ...] = ()
    """The decisions of language models, by the place of the bot at the table."""
    adjusted: Adjusted | None = None

    @property
    def values(self) -> Matrix:
        """What each bot won in each deal, luck taken out where that was done."""
        return self.money if self.adjusted is None else self.adjusted.values[: len(self.money)]


@dataclass(frozen=True, repr=False)
class TournamentResult(Shown):
    """A tournament as far as it was played."""

    showing: ClassVar[str] = "tournament"

    outline: Outline
    tables: tuple[TableResult, ...]
    looks: int = 0
    """How often an adaptive rule looked at the results; 0 while it is not over."""
    resamples: int = RESAMPLES
    """Resamples behind the intervals of rankings."""

    @property
    def names(self) -> tuple[str, ...]:
        """The bots in their order."""
        return self.outline.names

    @property
    def interrupted(self) -> bool:
        """Whether hands are left to play."""
        return not self.looks

    @cached_property
    def money(self) -> PairValues:
        """Who won how much from whom, in mbb/h."""
        return self._pairs([table.money for table in self.tables])

    @cached_property
    def rates(self) -> PairValues:
        """The same with luck taken out where that was done: what the crosstable shows."""
        if not self.is_adjusted:
            return self.money
        money = self._pairs([table.money[: len(table.values)] for table in self.tables])
        rates = self._pairs([table.values for table in self.tables])
        return replace(rates, votes=money.values)

    def _pairs(self, values: Sequence[Matrix]) -> PairValues:
        return pair_values(len(self.names), self.outline.tables, values, shared=self.outline.shared)

    @property
    def is_adjusted(self) -> bool:
        """Whether luck was taken out at any table."""
        return any(table.adjusted is not None for table in self.tables)

    def adjusted_by(self, one: int, other: int) -> str:
        """How luck was taken out of what two bots won from each other; empty for money."""
        both = [
            table.adjusted
            for places, table in zip(self.outline.tables, self.tables, strict=True)
            if one != other and one in places and other in places
        ]
        words = dict.fromkeys("money" if found is None else found.words for found in both)
        return "" if list(words) in ([], ["money"]) else ", ".join(words)

    @cached_property
    def ranked(self) -> PairValues:
        """What rankings are made from: win rates, or sessions won minus sessions lost."""
        if not self.outline.settings.is_session:
            return self.rates
        money = self.money
        return PairValues(money.players, {pair: np.sign(won) for pair, won in money.values.items()}, money.shared)

    @property
    def unit(self) -> str:
        """The unit of mean, worst pairing and Nash rating."""
        return "sessions won minus lost" if self.outline.settings.is_session else "mbb/h"

    @cached_property
    def rankings(self) -> Rankings:
        """All rankings side by side."""
        return rank(self.ranked, resamples=self.resamples)

    @property
    def hands(self) -> NDArray[np.int64]:
        """Hands of each pair at common tables."""
        hands = np.zeros((len(self.names), len(self.names)), np.int64)
        for places, table in zip(self.outline.tables, self.tables, strict=True):
            for one in places:
                for other in places:
                    hands[one, other] += table.hands * (one != other)
        return hands

    def sessions(self, one: int, other: int) -> WinProbability | None:
        """Sessions that a bot won, lost and drew against another; None if they did not meet."""
        won = self.money.values.get((min(one, other), max(one, other)), np.zeros(0))
        if not len(won):
            return None
        ahead = won if one < other else -won
        return win_probability(int((ahead > 0).sum()), int((ahead < 0).sum()), int((ahead == 0).sum()))

    def faults(self, bot: int) -> dict[str, int]:
        """The faults of a bot at all its tables, by kind."""
        counts: dict[str, int] = {}
        for places, table in zip(self.outline.tables, self.tables, strict=True):
            if bot in places:
                for kind, count in table.faults.of_player(places.index(bot)).items():
                    counts[kind] = counts.get(kind, 0) + count
        return counts

    def answered_for(self, bot: int) -> float:
        """The share of a bot's decisions that was answered for it."""
        logs = [
            (table.faults, places.index(bot))
            for places, table in zip(self.outline.tables, self.tables, strict=True)
            if bot in places
        ]
        decisions = sum(log.decisions[place] for log, place in logs)
        return min(1.0, sum(log.answered_for(place) for log, place in logs) / decisions) if decisions else 0.0

    def usage(self, bot: int) -> dict[str, Any]:
        """What a language model took at all its tables; empty for other bots."""
        entries = [
            entry
            for places, table in zip(self.outline.tables, self.tables, strict=True)
            if bot in places and table.usage
            for entry in table.usage[places.index(bot)]
        ]
        return usage_of(entries)

    @property
    def unranked(self) -> list[tuple[int, int]]:
        """With `until_ranked`: neighbours of the order that hands did not suffice to tell apart."""
        if not self.outline.settings.until_ranked or not self.looks:
            return []
        return UntilRanked(0).unranked(self.rates, self.looks)

    @property
    def warnings(self) -> list[str]:
        """What the result takes for granted, and what is missing."""
        keys, found = self.outline.keys, []
        found += seed_warnings(keys.seed, keys.sealed)
        if self.interrupted:
            found.append("the tournament is not finished: these numbers will change")
        found += [f"{name} could not be started: fold played for it" for name in self.outline.absent]
        for bot, name in enumerate(self.names):
            if (share := self.answered_for(bot)) >= NOTABLE:
                found.append(
                    f"{name} hardly played itself: {100 * share:.3g} % of its decisions were answered for it"
                )
        if not self.ranked.complete:
            found.append("not every pair has met: Nash averaging, alpha-rank and the lottery need all pairs")
        fewest = min((len(won) for won in self.ranked.values.values()), default=0)
        if fewest < SELDOM:
            found.append(f"a pairing has only {fewest} independent results: its interval says little")
        found += [f"{self.names[a]} and {self.names[b]} could not be told apart" for a, b in self.unranked]
        return found

    def printed(self) -> list[tuple[Printed, WinProbability | None]]:
        """Counts that somebody else has printed, each with ours."""
        place = self.names.index
        return [(one, self.sessions(place(one.bot), place(one.opponent))) for one in self.outline.settings.printed]

    def verdict(self) -> dict[str, Any]:
        """Every number that follows from the hands, as plain values for JSON; the same for the same hands."""
        settings = self.outline.settings
        names = self.names
        everything: dict[str, Any] = {
            "game": "session" if settings.is_session else settings.game,
            "format": settings.format,
            "seed": seed_as_json(self.outline.keys.seed),
            "decks": self.outline.decks or None,
            "unit": self.unit,
            "mbb": as_json(self.rates.table.mean),
            "stderr_mbb": as_json(self.rates.stderr),
            "hands": self.hands.tolist(),
            "deals": self.rates.deals.tolist(),
            **self.rankings.to_dict(names),
            "resamples": self.resamples,
            "faults": [self.faults(bot) for bot in range(len(names))],
            "usage": [self.usage(bot) for bot in range(len(names))],
            "absent": list(self.outline.absent),
            "interrupted": self.interrupted,
            "warnings": self.warnings,
        }
        if self.is_adjusted:
            every = range(len(names))
            everything["adjusted_by"] = [[self.adjusted_by(one, other) or None for other in every] for one in every]
            everything["money_mbb"] = as_json(self.money.table.mean)
            everything["money_stderr_mbb"] = as_json(self.money.stderr)
        if settings.exploitability:
            known = {one.bot: one for one in settings.exploitability}
            told = [known.get(name) for name in names]
            everything["rankings"]["exploitability"] = [None if one is None else one.mbb for one in told]
            everything["ci95"]["exploitability"] = [None if one is None else [one.low, one.high] for one in told]
            everything["exploitability"] = [dataclasses.asdict(one) for one in settings.exploitability]
        if settings.is_session:
            counts = [[self.sessions(one, other) for other in range(len(names))] for one in range(len(names))]
            for key in ("wins", "losses", "draws"):
                everything[key] = [[None if one is None else getattr(one, key) for one in row] for row in counts]
        if settings.printed:
            everything["printed"] = [_printed_dict(*one) for one in self.printed()]
        return everything

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values for JSON."""
        return {**self.verdict(), "looks": self.looks}


def _printed_dict(printed: Printed, ours: WinProbability | None) -> dict[str, Any]:
    here = None if ours is None else {"won": ours.wins, "lost": ours.losses, "drawn": ours.draws}
    told = {"won": printed.won, "lost": printed.lost}
    return {"bot": printed.bot, "opponent": printed.opponent, "printed": told, "here": here}


def load_tournament(folder: Path, looks: int | None = None) -> TournamentResult:
    """The tournament in a folder as far as it is stored; no bot is needed."""
    outline = read_outline(folder)
    tables = tuple(_table(folder, number, outline) for number in range(len(outline.tables)))
    if not any(len(table.values) for table in tables):
        raise InputError(f"{folder} holds a tournament without any stored hand yet")
    resamples = RESAMPLES
    if looks is None:
        looks, resamples = _kept(folder / VERDICT)
    return TournamentResult(outline, tables, looks, resamples)


def _kept(file: Path) -> tuple[int, int]:
    """Looks and resamples behind a verdict that was stored."""
    if not file.is_file():
        return 0, RESAMPLES
    told = read_record(file, "verdict")
    looks, resamples = told.get("looks", 0), told.get("resamples", RESAMPLES)
    if not isinstance(looks, int) or not isinstance(resamples, int) or not 1 <= resamples <= MOST_RESAMPLES:
        raise InputError(f"{file}: not a valid record of a verdict: looks {looks!r}, resamples {resamples!r}")
    return looks, resamples


def _table(tournament: Path, number: int, outline: Outline) -> TableResult:
    """A table as far as it is stored."""
    folder = tournament / outline.folder(number)
    seats = len(outline.tables[0])
    settings = outline.settings
    planned = settings.games if settings.is_session else settings.hands
    if not (folder / FILE).is_file() or not StoredHands.open(folder).chunks:
        return TableResult(np.zeros((0, seats)), 0, planned, FaultLog(), False)
    if settings.is_session:
        sessions = load_session_result(folder)
        hands = int(sessions.rounds.sum())
        known = (sessions.faults, not sessions.interrupted, _ledgers(folder, seats))
        return TableResult(session_values(sessions), hands, planned, *known)
    result = load_match_result(folder)
    known = (result.tally.faults, not result.interrupted, _ledgers(folder, seats))
    adjusted = read_adjusted(adjusted_file(tournament, number), seats)
    return TableResult(deal_values(folder), result.hands, planned, *known, adjusted)


def _ledgers(folder: Path, seats: int) -> tuple[tuple[Entry, ...], ...]:
    """What language models were asked at a table, by place."""
    return tuple(tuple(read_ledger(folder / ledger_name(place))) for place in range(seats))


def status_lines(folder: Path) -> list[dict[str, Any]]:
    """How far each table is: its bots, what is stored, what is planned at least."""
    outline = read_outline(folder)
    rows = []
    for number, places in enumerate(outline.tables):
        one = _table(folder, number, outline)
        done = len(one.money) if outline.settings.is_session else one.hands
        rows.append({"bots": [outline.names[place] for place in places], "done": done, "planned": one.planned})
    return rows


def same_numbers(one: Any, other: Any) -> bool:
    """Whether two verdicts agree, numbers to nine digits."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_numbers(one[key], other[key]) for key in one)
    if isinstance(one, Sequence) and isinstance(other, Sequence) and not isinstance(one, str):
        return len(one) == len(other) and all(map(same_numbers, one, other))
    if isinstance(one, float) or isinstance(other, float):
        numbers = isinstance(one, int | float) and isinstance(other, int | float)
        return numbers and bool(np.isclose(one, other, rtol=1e-9, atol=1e-7))
    return bool(one == other)
