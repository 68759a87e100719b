"""What `import luckless as lk` offers beside the types: one function a job, with plain arguments.

Everything else in the package is private by convention and may change.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.rules.game import Game

if TYPE_CHECKING:
    from luckless.bots.bot import Bot
    from luckless.hands.rank import HandRank
    from luckless.histories.reading import Hands
    from luckless.league.season_record import SeasonRecord
    from luckless.matches.evaluation import Evaluation
    from luckless.matches.result import MatchResult
    from luckless.matches.seating import Decks
    from luckless.matches.session_result import SessionResult
    from luckless.skill.verdict import Verdict

BotLike = Any
"""A bot, a text that names one (`pot-odds:risk=0.05`), or an object or class with a method that decides."""


def bot(player: BotLike, name: str = "") -> "Bot":
    """A bot from a text (see `luckless bots`), or from an object or class with `decide`, `decide_batch` or
    `probabilities`; `name` is what results call it."""
    from luckless.bots.bot import Bot
    from luckless.bots.catalogue import load_bot
    from luckless.bots.python_bot import bot_of

    if isinstance(player, str):
        made = load_bot(player)
    elif isinstance(player, Bot):
        made = player
    else:
        made = bot_of(player() if isinstance(player, type) else player)
    if name:
        made.name = name
    return made


def _players(bots: Sequence[BotLike] | Mapping[str, BotLike]) -> "list[Bot]":
    if isinstance(bots, str):
        raise InputError(f"bots is the text {bots!r}: give a list of bots, such as ['call', 'raise']")
    if isinstance(bots, Mapping):
        return [bot(player, name) for name, player in bots.items()]
    return [bot(player) for player in bots]


def _game(game: str | Game) -> Game:
    return game if isinstance(game, Game) else Game.load(game)


def play(
    bots: Sequence[BotLike] | Mapping[str, BotLike],
    *,
    game: str | Game = "nolimit-hu",
    hands: int = 10_000,
    seed: int = 1,
    decks: "Decks | None" = None,
    save: str | Path | None = None,
    progress: bool = False,
) -> "MatchResult":
    """Plays bots against each other; a dictionary gives them names.

    Decks are duplicate unless a bot keeps memory. `save` stores the hands in a folder: an interrupted
    match is resumed there, a match with fewer hands is extended, and `load(save)` gives the result back.

    >>> play({"calm": "call", "wild": "raise"}, game="limit-hu", hands=2000)
    """
    from luckless.matches.match import Match
    from luckless.matches.result import play_match

    match = Match.plan(_game(game), _players(bots), hands=hands, seed=seed, decks=decks)
    if save is None:
        return play_match(match, show_progress=progress)
    from luckless.histories.match_writer import play_stored

    return play_stored(match, Path(save), show_progress=progress)


def play_sessions(
    bots: Sequence[BotLike] | Mapping[str, BotLike],
    *,
    rounds: int = 20,
    stack: int = 1000,
    blinds: tuple[int, int] = (5, 10),
    games: int = 10,
    seed: int = 1,
    save: str | Path | None = None,
    progress: bool = False,
) -> "SessionResult":
    """Plays short tournaments with carried stacks and counts how often each bot ends ahead of each other."""
    from luckless.matches import session

    sessions = session.Sessions.plan(
        _players(bots), rounds=rounds, stack=stack, blinds=blinds, games=games, seed=seed
    )
    if save is None:
        return session.play_sessions(sessions, show_progress=progress)
    from luckless.histories.session_writer import play_stored_sessions

    return play_stored_sessions(sessions, Path(save), show_progress=progress)


def evaluate(
    player: BotLike,
    *,
    against: Sequence[BotLike] = (),
    compare: BotLike | None = None,
    game: str | Game = "nolimit-hu",
    hands: int = 10_000,
    seed: int = 1,
    save: str | Path | None = None,
    progress: bool = False,
) -> "Evaluation":
    """Plays a bot against `random`, `call`, `fold` and any others on the same decks, and says what it means."""
    from luckless.histories.stored_evaluation import play_evaluation
    from luckless.matches.evaluation import STANDARD_OPPONENTS

    return play_evaluation(
        bot(player),
        [bot(opponent) for opponent in (*STANDARD_OPPONENTS, *against)],
        _game(game),
        compare=None if compare is None else bot(compare),
        folder=None if save is None else Path(save),
        hands=hands,
        seed=seed,
        show_progress=progress,
    )


def hand_rank(hand: str | Sequence[int], board: str | Sequence[int] = "") -> "HandRank":
    """IHR, 7cHR and EHR of two hole cards on a board, exactly: the share of all other hands that they beat.

    >>> float(hand_rank("AcKc", "Ks5h3d").ihr)
    0.9685476410730804
    """
    from luckless.hands import rank

    hole, dealt = (parse_cards(cards) if isinstance(cards, str) else list(cards) for cards in (hand, board))
    return rank.hand_rank(hole, dealt)


def judge(hands: "str | Path | Hands | Sequence[str | Path]", *, by: str = "auto") -> "Verdict":
    """How strong the players of some hands are: money and, where an estimator fits, the luck taken out.

    `hands` is what `read_hands` gives, or a place that it reads. `by` is money or divat; auto takes the least noisy
    estimator that is made for the hands.
    """
    from luckless.histories.reading import Hands, read_hands
    from luckless.skill.registry import judge_hands

    return judge_hands(hands if isinstance(hands, Hands) else read_hands(hands), by)


def league(
    season: str | Path, *, out: str | Path | None = None, workers: int | None = None, progress: bool = False
) -> "SeasonRecord":
    """Plays a season of learning bots from its TOML file, or one that is shipped (`quick`), to its board.

    If the folder holds the same season already, it is resumed. Needs the extra `learn`.
    """
    from luckless.league.season_record import play_season

    return play_season(season, None if out is None else Path(out), workers=workers, show_progress=progress)


def games() -> dict[str, Game]:
    """The named games."""
    from luckless.rules.game_files import game_names

    return {name: Game.load(name) for name in game_names()}


def shipped_bots() -> dict[str, str]:
    """The shipped bots by name, each with its rule in words."""
    from luckless.bots.registry import ENTRIES

    return {entry.name: entry.summary for entry in ENTRIES}
