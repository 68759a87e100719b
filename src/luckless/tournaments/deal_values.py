"""What every bot won in every deal of a table, as money in mbb/h; `adjusting` takes luck out of it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from luckless.histories.match_writer import match_settings
from luckless.histories.store import StoredHands
from luckless.matches.result import MatchResult, set_scale
from luckless.matches.session_result import SessionResult
from luckless.rankings.pair_values import Pair, PairValues
from luckless.rules.columns import HandColumns
from luckless.tournaments.tables import Table

Matrix = NDArray[np.float64]


def deal_values(folder: Path, hands: int | None = None) -> Matrix:
    """What each player of a stored match won in each of its deals, shape (deals, players), in mbb/h.

    `hands` cuts the match off after so many.
    """
    stored = StoredHands.open(folder)
    match = match_settings(stored.settings, stored.bots, folder)
    won = [_chips_of_sets(stored.read_chunk(row), match.set_size) for row in stored.chunks]
    values: Matrix = np.concatenate(won).astype(np.float64) * set_scale(match)
    return values if hands is None else values[: hands // match.set_size]


def _chips_of_sets(hands: HandColumns, set_size: int) -> NDArray[np.int64]:
    """The chips that each player won in each set of some hands, shape (sets, players)."""
    won = np.zeros(hands.players.shape, np.int64)
    np.put_along_axis(won, hands.players.astype(np.int64), hands.records.payoffs, axis=1)
    of_sets: NDArray[np.int64] = won.reshape(-1, set_size, len(hands.names)).sum(axis=1)
    return of_sets


def values_of_sets(result: MatchResult, won: Sequence[NDArray[np.int64]]) -> Matrix:
    """The same for a match that has just been played, from the chips of its sets."""
    return np.concatenate(won).astype(np.float64) * set_scale(result.match)


def session_values(result: SessionResult) -> Matrix:
    """What each player won in each session, in mbb for each hand of an average session."""
    game = result.sessions.game
    hands = max(1.0, float(result.rounds.mean()))
    values: Matrix = (result.chips - np.array(game.stacks)) * (1_000 / game.big_blind / hands)
    return values


def pair_values(bots: int, tables: Sequence[Table], won: Sequence[Matrix], *, shared: bool) -> PairValues:
    """Who beats whom, from what every player of every table won in every deal.

    Heads-up it is what the first won. With n players at a table it is the difference of two of them times
    (n - 1) / n, averaged over the tables at which both sit: so a bot's mean over its opponents is its win rate.
    """
    found: dict[Pair, list[Matrix]] = {}
    for table, values in zip(tables, won, strict=True):
        share = (len(table) - 1) / len(table)
        for first, one in enumerate(table):
            for second in range(first + 1, len(table)):
                difference = (values[:, first] - values[:, second]) * share
                found.setdefault((one, table[second]), []).append(difference)
    return PairValues(bots, {pair: _averaged(several) for pair, several in found.items()}, shared)


def _averaged(several: list[Matrix]) -> Matrix:
    """The mean of several tables, deal by deal, as far as all have played."""
    if len(several) == 1:
        return several[0]
    shortest = min(map(len, several))
    mean: Matrix = np.mean([one[:shortest] for one in several], axis=0)
    return mean
