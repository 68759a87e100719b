"""What `blueprint:resolve=river` wins over the plain blueprint, and how long a river takes.

    python tools/resolving_gain.py limit-hu --hands 2000

Both play alike before the river. On the river the value of all hands of both players is known, so none of them is
drawn: where a hand of the blueprint against itself gets to the river, it counts what the solved river wins on average
beyond what the plain one wins, each against the plain one and from both seats. That is AIVAT with both policies known
and exact values of the river, for the difference of two bots that meet the same deals. Other hands count 0.
"""

import argparse
import math
from time import process_time

import numpy as np
from numpy.typing import NDArray

import luckless as lk
from luckless.matches.match import Match
from luckless.progress import Progress
from luckless.rules.game import Game
from luckless.rules.records import Records
from luckless.rules.table import Table
from luckless.solve.resolving_bot import ResolvingBot, River
from luckless.solve.river_game import RIVER
from luckless.solve.river_meeting import met
from luckless.solve.river_resolving import Play, RiverLines, find_values, normalised, spread
from luckless.stats.estimate import Estimate, estimate


def river_of(bot: ResolvingBot, records: Records, row: int) -> River | None:
    """The river of a hand; None if it ended before, or if nobody can act there."""
    table = Table(records.game, records.decks[row : row + 1])
    history: list[int] = []
    for action in records.actions_of(row).tolist():
        if table.public["actor"][0] < 0 or table.public["street"][0] == RIVER:
            break
        history.append(action)
        table.act(np.array([0]), [action])
    if table.public["actor"][0] < 0 or table.public["street"][0] != RIVER:
        return None
    return bot.river_of(records.game, tuple(records.decks[row, -5:].tolist()), history)


def value(river: River, strategy: NDArray[np.float64]) -> float:
    """Chips that seat 0 wins on average, if both seats act by a strategy (slot, hand)."""
    lines, ranges = RiverLines.of(river.tree), np.ascontiguousarray(river.ranges)
    play = Play.new(lines, len(river.hands.pairs))._replace(strategy=strategy)
    for seat in (0, 1):
        spread(lines, seat, ranges[seat], play)
    find_values(lines, river.hands, 0, False, play)
    meeting = np.empty(len(river.hands.pairs))
    met(river.hands, ranges[1], meeting)
    return float(ranges[0] @ play.value[0] / (ranges[0] @ meeting))


def gain(bot: ResolvingBot, river: River) -> tuple[float, float]:
    """Chips that solving wins on a river, on average over the seats; and the seconds that one seat takes."""
    slots = np.repeat(river.tree.player, river.tree.size)
    plain = [bot.plain(river, seat) for seat in (0, 1)]
    began = process_time()
    parts = [bot.solved(river, seat).astype(np.float64) for seat in (0, 1)]
    seconds = (process_time() - began) / 2
    solved = [normalised(river.tree, seat, part) for seat, part in enumerate(parts)]
    as_first, as_second = (
        value(river, np.where(slots[:, None] == 0, first, second))
        for first, second in ((solved[0], plain[1]), (plain[0], solved[1]))
    )
    return (as_first - as_second) / 2, seconds  # what the plain ones win from each other is lost by one, won by one


def measured(game: Game, hands: int, seed: int) -> tuple[Estimate, list[float]]:
    """The gain in mbb a hand, and the seconds of each river."""
    bot = ResolvingBot("blueprint:resolve=river")
    match = Match.plan(game, [lk.bot("blueprint", "one"), lk.bot("blueprint", "two")], hands=hands, seed=seed,
                       decks="fresh")  # fmt: skip
    values, seconds = [], []
    with Progress(hands, "hands") as progress:
        for chunk in match.chunks():
            records = chunk.hands.records
            for row in range(len(records)):
                river = river_of(bot, records, row)
                won, spent = (0.0, None) if river is None else gain(bot, river)
                values.append(1000 * won / game.big_blind)
                seconds += [] if spent is None else [spent]
                progress.advance(1)
    return estimate(values, unit="mbb/h", method="exact rivers"), seconds


def main() -> None:
    """Prints the gain and the time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("limit-hu", "nolimit-hu"))
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    won, seconds = measured(Game.load(given.game), given.hands, given.seed)
    low, high = won.ci95 or (math.nan, math.nan)
    print(f"{given.game}, {given.hands:,} hands, {len(seconds):,} of them with a river: solving it wins "
          f"{won.mean:+.1f} mbb/h (95 % interval {low:+.1f} to {high:+.1f})")  # fmt: skip
    print(f"a river takes {np.median(seconds):.2f} s of one core (median), {sum(seconds) / given.hands:.3f} s a hand")


if __name__ == "__main__":
    main()
