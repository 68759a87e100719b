"""DIVAT of a whole match or log: every hand judged, and one estimate for money, skill, luck and each side line.

Values are in small bets and those of one player, the first that is named in the hands. The sample is the hand, or in
a duplicate match the set of hands played with one deal.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.histories.columns import UNKNOWN, HandColumns
from luckless.histories.rejects import Reject
from luckless.rules.game import Game
from luckless.skill.divat.analysis import PlayerView, analyse
from luckless.skill.divat.continuations import Valuation
from luckless.skill.divat.lines import NO_LINE, PROBLEMS, split_rounds
from luckless.skill.estimate import Estimate, estimate
from luckless.skill.units import SMALL_BETS

Unknown = Literal["leave", "money"]
"""Hands of which a player's cards are not known: left out of everything, or judged by their money."""

MEASURES = ("money", "divat", "luck", "lfat", "evat", "dcash", "money_minus_dcash", "redgreen")
BATCH = 4_096


@dataclass(frozen=True)
class Judgement:
    """Hands judged from the side of one player.

    `values[name]` holds a number a hand for each of `MEASURES`; `rounds[name]` a number a hand and round where the
    measure has rounds. `position` is what the seats were worth before any card, hand by hand.
    """

    player: str
    opponent: str
    valuation: Valuation
    values: dict[str, NDArray[np.float64]]
    rounds: dict[str, NDArray[np.float64]]
    position: NDArray[np.float64]
    deals: NDArray[np.int64]
    unknown: int
    """Hands of which not all cards were known."""
    unknown_as: Unknown

    @property
    def hands(self) -> int:
        """Hands that were judged."""
        return len(self.deals)

    @property
    def set_size(self) -> int:
        """Hands played with each deal when that is the same number, and more than one, for all of them; else 1."""
        _, counts = np.unique(self.deals, return_counts=True)
        return int(counts[0]) if len(counts) and (counts == counts[0]).all() else 1

    def estimate(self, measure: str, round_number: int | None = None, *, duplicate: bool | None = None) -> Estimate:
        """The mean of a measure a hand, with its interval.

        In a duplicate match the sample is the set, unless `duplicate` is False: then it is the hand, which overstates
        how uncertain a sum over the set is, but shows what the hands alone would have told.
        """
        values = self.values[measure] if round_number is None else self.rounds[measure][:, round_number]
        size = self.set_size if duplicate is not False else 1
        method = f"{measure}, {'duplicate sets' if size > 1 else 'hands'}"
        if size > 1:
            values = values[np.argsort(self.deals, kind="stable")].reshape(-1, size).mean(axis=1)
        return estimate(values, unit=SMALL_BETS, method=method, hands_per_sample=size)

    def variance_ratio(self) -> float | None:
        """By what factor DIVAT divides the variance of money, and so the hands needed; None if it has no spread."""
        money, skill = self.estimate("money").sd, self.estimate("divat").sd
        return money**2 / skill**2 if money and skill else None


def judge(
    batches: Iterable[HandColumns],
    valuation: Valuation | None = None,
    *,
    unknown: Unknown = "leave",
    on_reject: Callable[[Reject], None] | None = None,
    on_judged: Callable[[int], None] | None = None,
) -> Judgement:
    """Judges all hands. `on_reject` hears of hands that cannot be judged (without it the first one is an error),
    `on_judged` of the number of hands each time some more are done."""
    valuation = valuation or Valuation()
    parts: list[_Part] = []
    names: tuple[str, ...] = ()
    left_out = 0
    for columns in batches:
        game = check_game(columns.records.game)
        names = names or columns.names
        for first in range(0, len(columns), BATCH):
            some = columns.rows(slice(first, first + BATCH))
            part, missing = _judge_batch(some, game, valuation, unknown, on_reject)
            parts.append(part)
            left_out += missing
            if on_judged is not None:
                on_judged(len(some))
    if not parts or not sum(len(part.deals) for part in parts):
        raise InputError(
            "no hand could be judged: DIVAT needs finished heads-up limit hands with both players' cards"
        )
    if len(names) < 2:
        raise InputError(f"the hands name {len(names)} players: DIVAT judges two players against each other")
    return _joined(parts, names, valuation, left_out, unknown)


@dataclass(frozen=True)
class _Part:
    view: PlayerView
    deals: NDArray[np.int64]


def check_game(game: Game) -> Game:
    """DIVAT's thresholds and tables are made for one game: heads-up limit, reversed blinds, four bets a round."""
    if game.seats != 2:
        raise InputError(f"game {game.name} has {game.seats} players: DIVAT judges two")
    if game.betting != "limit":
        raise InputError(f"game {game.name} is {game.betting}: DIVAT judges heads-up limit hold'em")
    small = game.bet_sizes[0]
    right = (
        game.bet_sizes == (small, small, 2 * small, 2 * small)
        and game.blinds[0] == small == 2 * game.blinds[1]
        and game.max_bets == (4, 4, 4, 4)
        and game.first_street == 0
        and not any(game.antes)
    )
    if not right:
        raise InputError(
            f"game {game.name} has blinds {game.blinds}, bets {game.bet_sizes} and caps {game.max_bets}: DIVAT needs "
            "a big blind of one small bet, a small blind of half of it, bets of 1, 1, 2, 2 and four bets a round"
        )
    return game


def _judge_batch(
    columns: HandColumns,
    game: Game,
    valuation: Valuation,
    unknown: Unknown,
    on_reject: Callable[[Reject], None] | None,
) -> tuple[_Part, int]:
    """The judged hands of a batch, and the number of those whose cards are not all known."""
    lines, problems = split_rounds(*columns.padded_actions())
    for row in np.flatnonzero(problems):
        _reject(columns, int(row), PROBLEMS[problems[row]], on_reject)
    decks = columns.records.decks.astype(np.int64)
    rounds = (lines != NO_LINE).sum(axis=1)
    seen = np.arange(5) < np.array([0, 0, 3, 4, 5])[rounds, None]
    known = (decks[:, :4] != UNKNOWN).all(axis=1) & ((decks[:, 4:] != UNKNOWN) | ~seen).all(axis=1)
    known &= problems == 0
    seats = np.argmax(columns.players == 0, axis=1)
    money = columns.records.payoffs[np.arange(len(columns)), seats] / game.small_bet
    holes, boards = decks[known, :4].reshape(-1, 2, 2), decks[known, 4:]
    view = analyse(holes, boards, lines[known], valuation).seen_by(seats[known])
    shown = np.flatnonzero(known)
    off = np.flatnonzero(np.abs(view.money - money[known]) > 1 / game.small_bet)
    if len(off):
        first = int(off[0])
        raise InputError(
            f"hand {columns.numbers[shown[first]]}: the log says {money[shown[first]]:+g} small bets, its cards and "
            f"actions say {view.money[first]:+g}"
        )
    part = _Part(view, columns.deals[known])
    missing = ~known & (problems == 0)
    if unknown == "money" and missing.any():
        by_money = _by_money(money[missing], rounds[missing])
        part = _Part(
            PlayerView(*(np.concatenate(pair) for pair in zip(part.view, by_money, strict=True))),
            np.concatenate([part.deals, columns.deals[missing]]),
        )
    return part, int(missing.sum())


def _reject(columns: HandColumns, row: int, reason: str, on_reject: Callable[[Reject], None] | None) -> None:
    number = int(columns.numbers[row])
    if on_reject is None:
        raise InputError(f"hand {number}: {reason}")
    on_reject(Reject(f"hand {number}", reason, ""))


def _by_money(money: NDArray[np.float64], rounds: NDArray[np.int64]) -> PlayerView:
    """A hand whose cards were not shown counts for what it won, all of it as skill of the round it ended on."""
    nothing, no_rounds = np.zeros(len(money)), np.zeros((len(money), 4))
    skill = no_rounds.copy()
    skill[np.arange(len(money)), rounds - 1] = money
    return PlayerView(
        money=money,
        divat=skill,
        lfat=no_rounds,
        luck=no_rounds,
        evat=no_rounds,
        dcash=nothing,
        money_minus_dcash=money,
        redgreen=no_rounds,
        position=nothing,
    )


def _joined(
    parts: list[_Part], names: tuple[str, ...], valuation: Valuation, unknown: int, unknown_as: Unknown
) -> Judgement:
    columns = {name: np.concatenate([getattr(part.view, name) for part in parts]) for name in (*MEASURES, "position")}
    position = columns.pop("position")
    rounds = {name: column for name, column in columns.items() if column.ndim == 2}
    values = {name: column.sum(axis=1) if column.ndim == 2 else column for name, column in columns.items()}
    deals = np.concatenate([part.deals for part in parts])
    return Judgement(names[0], names[1], valuation, values, rounds, position, deals, unknown, unknown_as)
