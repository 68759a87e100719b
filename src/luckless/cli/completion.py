"""Completion at the tab key: names of bots, games and seasons, without a heavy import.

`luckless --install-completion` sets it up. The names of bots are listed here because their own module loads NumPy and
Numba, for which nobody at a prompt waits; `tests/cli/test_cli_completion.py` holds both lists together.
"""

BOT_NAMES = (
    "all-in",
    "blueprint",
    "call",
    "fold",
    "nash",
    "pot-odds",
    "pot-odds-call",
    "pot-odds-mixed",
    "pot-odds-raise",
    "raise",
    "random",
    "sklansky",
    "threshold",
    "uniform",
    "value-bet",
)
BOT_FORMS = ("acpc:", "agent:", "blueprint:", "chat:", "exec:", "http:", "mix:", "nash:", "pypoker:")
"""How the names of other bots begin."""


def bots(incomplete: str) -> list[str]:
    """Shipped bots, then the beginnings of other bots."""
    return [name for name in (*BOT_NAMES, *BOT_FORMS) if name.startswith(incomplete)]


def games(incomplete: str) -> list[str]:
    """Named games."""
    from luckless.rules.game_files import game_names

    return [name for name in game_names() if name.startswith(incomplete)]


def solved_games(incomplete: str) -> list[str]:
    """Games that `luckless solve` and `luckless exploit` know."""
    return [name for name in ("kuhn", "leduc", "limit-hu", "nolimit-hu", "river-hu") if name.startswith(incomplete)]


def seasons(incomplete: str) -> list[str]:
    """Seasons of the package."""
    from luckless.league.named_seasons import season_names

    return [name for name in season_names() if name.startswith(incomplete)]
