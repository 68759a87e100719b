"""The command that makes a result again, whole and quoted: what a page shows to be copied.

A game that has no name among ours is shown as a file, which the command names.
"""

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from luckless.bots.clocks import default_match_seconds
from luckless.errors import InputError
from luckless.rules.game import Game

if TYPE_CHECKING:
    from luckless.matches.evaluation import Evaluation
    from luckless.matches.result import MatchResult
    from luckless.matches.session_result import SessionResult
    from luckless.stats.stopping import StoppingTest


def game_word(game: Game) -> str:
    """How the command line names a game: by its name, or by a file of its own."""
    return f"{file_name(game.name)}.toml" if file_of(game) else game.name


def file_of(game: Game) -> str:
    """The TOML text of a game that is not one of the named ones; empty for those."""
    try:
        if Game.load(game.name).with_seats(game.seats) == game:
            return ""
    except InputError:
        pass
    return game.to_toml()


def file_name(name: str) -> str:
    """A name that a file may have anywhere."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "game"


def bot_words(names: Sequence[str], specs: Sequence[str]) -> list[str]:
    """Bots as the command line takes them: with their labels, where they were given any."""
    return [spec if name == spec else f"{name}={spec}" for name, spec in zip(names, specs, strict=True)]


def match_command(result: "MatchResult") -> str:
    """The command that plays a match again."""
    match = result.match
    options: dict[str, Any] = {
        "--game": game_word(match.game),
        "--hands": match.hands,
        "--seed": match.seed,
        "--decks": match.decks,
        **_clocks(match.hands, match.decision_seconds, match.hand_seconds, match.match_seconds),
        **_stop(result.sequential),
    }
    switches = ["--divat"] if result.judgement is not None else []
    switches += ["--adjust"] if result.adjusted is not None else []
    return command_text("match", bot_words(match.names, match.specs), options, switches)


def session_command(result: "SessionResult") -> str:
    """The command that plays sessions again."""
    sessions = result.sessions
    small, big = sessions.blinds
    options = {
        "--rounds": sessions.rounds,
        "--stack": sessions.game.stacks[0],
        "--blinds": f"{small}/{big}",
        "--games": sessions.games,
        "--seed": sessions.seed,
        **_clocks(sessions.rounds * sessions.games, sessions.decision_seconds, 0.0, sessions.match_seconds),
    }
    switches = ["--adjust"] if result.adjusted is not None else []
    return command_text("session", bot_words(sessions.names, sessions.specs), options, switches)


def evaluation_command(evaluation: "Evaluation") -> str:
    """The command that plays an evaluation again."""
    from luckless.matches.evaluation import standard_opponents

    match = evaluation.trials[0].result.match
    (bot,) = bot_words(match.names[:1], match.specs[:1])
    met = [bot_words(trial.result.match.names[1:2], trial.result.match.specs[1:2])[0] for trial in evaluation.trials]
    words = [bot]
    usual = standard_opponents(match.specs[0], match.game.name)
    for opponent in met:
        words += ["--against", opponent] if opponent not in usual else []
    if evaluation.others:
        other = evaluation.others[0].result.match
        words += ["--compare", *bot_words(other.names[:1], other.specs[:1])]
    options = {
        "--game": game_word(match.game),
        "--hands": match.hands,
        "--seed": evaluation.seed,
        "--decks": match.decks,
    }
    return command_text("evaluate", words, options)


def _clocks(hands: int, decision: float, hand: float, match: float) -> dict[str, Any]:
    """The clocks that are not those of a plain command of so many hands."""
    given = {
        "--decision-seconds": (decision, 10.0),
        "--hand-seconds": (hand, 0.0),
        "--match-seconds": (match, default_match_seconds(hands)),
    }
    return {option: f"{value:.12g}" for option, (value, usual) in given.items() if value != usual}


def _stop(test: "StoppingTest | None") -> dict[str, Any]:
    if test is None:
        return {}
    errors = {"--alpha": test.alpha, "--beta": test.beta}
    return {"--stop": f"{test.at_most:g}:{test.at_least:g}"} | {
        option: f"{value:g}" for option, value in errors.items() if value != 0.05
    }


def command_text(name: str, words: Sequence[str], options: dict[str, Any], switches: Sequence[str] = ()) -> str:
    """A command of ours, quoted for a shell."""
    given = [text for option, value in options.items() for text in (option, str(value))]
    return shlex.join(["luckless", name, *words, *given, *switches])
