"""Lower bounds of how exploitable a bot is: what a certain player wins from it, measured or worked out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.rules.game import Game
from luckless.solve.flat import FlatGame, flatten
from luckless.solve.lbr import LbrSettings, LocalBestResponse
from luckless.solve.named_policies import named_policy
from luckless.solve.sequences import Policy
from luckless.solve.small_bounds import learned_response, local_best_response
from luckless.solve.strategy_file import TREE_GAMES
from luckless.solve.tree_game import TreeGame
from luckless.stats.estimate import estimate
from luckless.stats.units import MILLI_BIG_BLINDS

HANDS = 1000
"""Hands against local best response unless another number is asked for."""
WAYS = {
    "exact": ("boards", "flops", "save", "on"),
    "lbr": ("hands", "start", "menu"),
    "learn": ("hands", "minutes"),
}
"""How a bot is measured, and the options that are for this way alone."""
LEARNED_HANDS = {"kuhn": 3_000, "leduc": 30_000}
"""Hands that a table of values learns from in small games, in each seat."""


@dataclass(frozen=True)
class Bound:
    """What a player wins from a bot when the seats alternate, in thousandths of a big blind a hand, in small games of
    an ante. A best response wins at least as much."""

    game: str
    bot: str
    by: str
    mbb: float
    ci95_mbb: tuple[float, float] | None
    """None where the player's win rate was worked out and not measured."""
    exploitability: float
    """The same in antes or in chips."""
    player: str
    """Who won it."""
    facts: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        ends = None if self.ci95_mbb is None else list(self.ci95_mbb)
        values: dict[str, Any] = {"game": self.game, "bot": self.bot, "by": self.by, "exact": False}
        values |= {"mbb": self.mbb, "ci95_mbb": ends, "exploitability": self.exploitability}
        return values | {"player": self.player, **self.facts}


def check_way(by: str, given: Mapping[str, Any], dashes: str = "") -> None:
    """Refuses an unknown way, and options that are given (not None) and for another way."""
    if by not in WAYS:
        raise InputError(f"{dashes}by is {by!r}; allowed is {', '.join(WAYS)}")
    for name, value in given.items():
        if value is not None and name not in WAYS[by]:
            ways = " and ".join(way for way, names in WAYS.items() if name in names)
            raise InputError(f"{dashes}{name} is for {dashes}by {ways}, not for {by}")


def lbr_bound(
    bot: str | Bot, game: str, settings: LbrSettings | None = None, hands: int = HANDS, seed: int = 1,
    show_progress: bool = False,
) -> Bound:  # fmt: skip
    """What local best response wins; in kuhn and leduc it is worked out, elsewhere measured over so many hands."""
    if game in TREE_GAMES:
        if settings is not None:
            raise InputError(f"--start and --menu are for hold'em; in {game} all moves are tried from the first on")
        return small_bound(bot, game, "lbr", "local best response", local_best_response)
    settings = settings or LbrSettings()
    if not 4 <= hands <= 10**9:
        raise InputError(f"--hands is {hands}; allowed is 4 to 1,000,000,000")
    played = Game.load(game)
    loaded = load_bot(bot) if isinstance(bot, str) else bot
    won = LocalBestResponse(loaded, played, settings).play(seed, -(-hands // 2), show_progress)
    facts = {"hands": 2 * len(won), "seed": seed, "start": settings.start, "menu": settings.menu}
    return measured(loaded.name, played, "lbr", "local best response", won, facts)


def measured(bot: str, game: Game, by: str, player: str, won: NDArray[np.float64], facts: dict[str, Any]) -> Bound:
    """The bound of a player who won so many chips in each of some deals, on average over both seats."""
    found = estimate(won, unit=MILLI_BIG_BLINDS, method=by, hands_per_sample=2, scale=1000 / game.big_blind)
    chips = found.mean * game.big_blind / 1000
    return Bound(game.name, bot, by, found.mean, found.ci95, chips, player, facts)


def learned_small_bound(bot: str | Bot, game: str, seed: int = 1) -> Bound:
    """What a table of values wins in kuhn or leduc after play against the bot."""
    hands = LEARNED_HANDS[game]

    def learned(rules: TreeGame, flat: FlatGame, policy: Policy) -> tuple[float, float]:
        return learned_response(rules, flat, policy, hands, seed)

    facts = {"seed": seed, "trained_hands": 2 * hands}
    return small_bound(bot, game, "learn", "a table of values", learned, facts)


def small_bound(
    bot: str | Bot, game: str, by: str, player: str,
    respond: Callable[[TreeGame, FlatGame, Policy], tuple[float, float]], facts: dict[str, Any] | None = None,
) -> Bound:  # fmt: skip
    """What a strategy wins from a bot of a small game, worked out."""
    if not isinstance(bot, str):
        raise InputError(f"in {game} a bot is given by its name, such as call or nash:FILE")
    rules = TREE_GAMES[game]()
    flat = flatten(rules)
    won = respond(rules, flat, named_policy(bot, flat))
    mean = sum(won) / 2
    return Bound(game, bot, by, 1000 * mean, None, mean, player, {"won_by_seat": list(won), **(facts or {})})
