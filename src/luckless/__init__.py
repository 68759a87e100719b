"""Luckless: poker skill measured with the luck taken out.

    import luckless as lk

    lk.play(["value-bet", "pot-odds"], game="limit-hu", hands=600)

The names below are the interface; modules beside them are private by convention and may change. Each is loaded when
it is first used, so that importing the package costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from luckless.bots.bot import Bot, NoProbabilities
    from luckless.bots.distribution import ActionDistribution
    from luckless.cards import format_cards, parse_cards
    from luckless.divat.judgement import Judgement
    from luckless.errors import InputError
    from luckless.hands.equity import Equity, equity
    from luckless.hands.rank import HandRank
    from luckless.histories.reading import Hands, read_hands
    from luckless.league.season_record import SeasonRecord
    from luckless.matches.evaluation import Evaluation
    from luckless.matches.result import MatchResult
    from luckless.matches.session_result import SessionResult
    from luckless.public import (
        bot,
        evaluate,
        exploit,
        fit_values,
        games,
        hand_rank,
        judge,
        league,
        play,
        play_sessions,
        shipped_bots,
        solve,
        tournament,
    )
    from luckless.records import load
    from luckless.rules.game import Game
    from luckless.rules.table import Table
    from luckless.rules.views import View, Views
    from luckless.skill.verdict import PlayerVerdict, Verdict
    from luckless.solve.exploiting import Exploited
    from luckless.solve.solution import Solution
    from luckless.stats.compare import compare_paired
    from luckless.stats.estimate import Estimate, estimate
    from luckless.stats.planning import hands_needed
    from luckless.tournaments.result import TournamentResult

__version__ = "0.2.0"

__all__ = [
    "ActionDistribution",
    "Bot",
    "Equity",
    "Estimate",
    "Evaluation",
    "Exploited",
    "Game",
    "HandRank",
    "Hands",
    "InputError",
    "Judgement",
    "MatchResult",
    "NoProbabilities",
    "PlayerVerdict",
    "SeasonRecord",
    "SessionResult",
    "Solution",
    "Table",
    "TournamentResult",
    "Verdict",
    "View",
    "Views",
    "__version__",
    "bot",
    "compare_paired",
    "equity",
    "estimate",
    "evaluate",
    "exploit",
    "fit_values",
    "format_cards",
    "games",
    "hand_rank",
    "hands_needed",
    "judge",
    "league",
    "load",
    "parse_cards",
    "play",
    "play_sessions",
    "read_hands",
    "shipped_bots",
    "solve",
    "tournament",
]

_HOMES = {
    "bots.bot": ("Bot", "NoProbabilities"),
    "bots.distribution": ("ActionDistribution",),
    "cards": ("format_cards", "parse_cards"),
    "divat.judgement": ("Judgement",),
    "errors": ("InputError",),
    "hands.equity": ("Equity", "equity"),
    "hands.rank": ("HandRank",),
    "histories.reading": ("Hands", "read_hands"),
    "league.season_record": ("SeasonRecord",),
    "matches.evaluation": ("Evaluation",),
    "matches.result": ("MatchResult",),
    "matches.session_result": ("SessionResult",),
    "public": (
        "bot",
        "evaluate",
        "exploit",
        "fit_values",
        "games",
        "hand_rank",
        "judge",
        "play",
        "play_sessions",
        "shipped_bots",
        "tournament",
    ),
    "records": ("load",),
    "rules.game": ("Game",),
    "rules.table": ("Table",),
    "rules.views": ("View", "Views"),
    "solve.exploiting": ("Exploited",),
    "solve.solution": ("Solution",),
    "skill.verdict": ("PlayerVerdict", "Verdict"),
    "stats.compare": ("compare_paired",),
    "stats.estimate": ("Estimate", "estimate"),
    "stats.planning": ("hands_needed",),
    "tournaments.result": ("TournamentResult",),
}
"""Where each public name is defined."""

_MODULE_OF = {name: f"luckless.{module}" for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in ("league", "solve"):  # parts of the package that can be called
        return importlib.import_module(f"luckless.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'luckless' has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
