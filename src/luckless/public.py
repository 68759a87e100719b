"""What `import luckless as lk` offers beside the types: one function a job, with plain arguments.

Everything else in the package is private by convention and may change.
"""

import copy
import inspect
import math
import operator
from collections.abc import Iterable, Mapping, Sequence
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
    from luckless.skill.values import EquityValues, ValueFunction
    from luckless.skill.verdict import Verdict
    from luckless.solve.bounds import Bound
    from luckless.solve.exploiting import Exploited
    from luckless.solve.solution import Solution
    from luckless.tournaments.result import TournamentResult

BotLike = Any
"""A bot, a text that names one (`pot-odds:risk=0.05`), or an object or class with a method that decides."""


def bot(player: BotLike, name: str = "") -> "Bot":
    """A bot from a text (see `luckless bots`), or from an object or class with `decide`, `decide_batch`,
    `probabilities` or `probabilities_batch`.

    `name` is what results call it. A bot that is given is not changed: with a name, a copy of it is made.

    >>> bot("pot-odds:risk=0.05", "careful").name
    'careful'
    """
    from luckless.bots.bot import Bot
    from luckless.bots.catalogue import load_bot
    from luckless.bots.python_bot import bot_of

    if isinstance(player, str):
        made = load_bot(player)
    elif isinstance(player, Bot):
        made = copy.copy(player) if name else player
    else:
        made = bot_of(_new(player) if isinstance(player, type) else player)
    if name:
        made.name = name
    return made


def _new(kind: type) -> Any:
    """An object of a class that needs no arguments."""
    try:
        inspect.signature(kind).bind()
    except TypeError as error:
        raise InputError(
            f"class {kind.__name__} needs arguments ({error}): give an object, {kind.__name__}(...)"
        ) from None
    return kind()


def _players(bots: Sequence[BotLike] | Mapping[str, BotLike]) -> "list[Bot]":
    if isinstance(bots, Mapping):
        if wrong := [name for name in bots if not isinstance(name, str) or not name]:
            raise InputError(f"the name {wrong[0]!r} of a bot is not a text of at least one character")
        return [bot(player, name) for name, player in bots.items()]
    if isinstance(bots, str) or not isinstance(bots, Iterable):
        raise InputError(f"bots is {bots!r}: a list of bots is needed, such as ['call', 'raise']")
    return [bot(player) for player in bots]


def _game(game: str | Path | Game) -> Game:
    if not isinstance(game, str | Path | Game):
        raise InputError(f"game is {game!r}: a name (see games()), a file or a Game is needed")
    return game if isinstance(game, Game) else Game.load(game)


def _whole(name: str, value: Any) -> int:
    """A whole number, of Python or NumPy; `name` is the argument's."""
    try:
        return operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}: a whole number is needed") from None


def _seed(value: Any) -> int | None:
    return None if value is None else _whole("seed", value)


def _folder(save: str | Path | None) -> Path | None:
    if save is not None and not isinstance(save, str | Path):
        raise InputError(f"save is {save!r}: the path of a folder is needed")
    return None if save is None else Path(save)


def play(
    bots: Sequence[BotLike] | Mapping[str, BotLike],
    *,
    game: str | Path | Game = "nolimit-hu",
    hands: int = 10_000,
    seed: int | None = None,
    decks: "Decks | None" = None,
    save: str | Path | None = None,
    progress: bool = False,
) -> "MatchResult":
    """Plays bots against each other and gives each one's win rate with its interval; a dictionary gives them names.

    `decks` are "duplicate" unless a bot keeps memory: then, or if you ask for it, they are "fresh". `hands` are
    rounded up to whole duplicate sets. `save` stores the hands in a folder. A match that is there already, but was
    broken off, is resumed; one with fewer hands is extended; `load(save)` gives the result back.

    >>> play({"calm": "call", "wild": "raise"}, game="limit-hu", hands=2000)
    """
    from luckless.histories.resuming import choices
    from luckless.matches.match import Match
    from luckless.matches.result import play_match

    folder = _folder(save)
    chosen = choices(folder, _seed(seed), decks)
    match = Match.plan(_game(game), _players(bots), hands=_whole("hands", hands), **chosen._asdict())
    if folder is None:
        return play_match(match, show_progress=progress)
    from luckless.histories.match_writer import play_stored

    return play_stored(match, folder, show_progress=progress)


def play_sessions(
    bots: Sequence[BotLike] | Mapping[str, BotLike],
    *,
    rounds: int = 20,
    stack: int = 1000,
    blinds: tuple[int, int] = (5, 10),
    games: int = 10,
    seed: int | None = None,
    save: str | Path | None = None,
    progress: bool = False,
) -> "SessionResult":
    """Plays short no-limit tournaments and counts who came out ahead of whom.

    A game has up to `rounds` hands. Everybody begins it with `stack` chips and keeps what is won and lost. `save`
    stores the hands; asking for more `games` there later plays only the new ones.

    >>> play_sessions(["call", "random"], games=200)
    """
    from luckless.histories.resuming import choices
    from luckless.matches import session

    if not isinstance(blinds, Sequence) or len(blinds) != 2:
        raise InputError(f"blinds is {blinds!r}: the small and the big blind are needed, such as (5, 10)")
    folder = _folder(save)
    chosen = choices(folder, _seed(seed))
    sessions = session.Sessions.plan(
        _players(bots),
        rounds=_whole("rounds", rounds),
        stack=_whole("stack", stack),
        blinds=(_whole("the small blind", blinds[0]), _whole("the big blind", blinds[1])),
        games=_whole("games", games),
        seed=chosen.seed,
        sealed=chosen.sealed,
    )
    if folder is None:
        return session.play_sessions(sessions, show_progress=progress)
    from luckless.histories.session_writer import play_stored_sessions

    return play_stored_sessions(sessions, folder, show_progress=progress)


def evaluate(
    player: BotLike,
    *,
    against: Sequence[BotLike] = (),
    compare: BotLike | None = None,
    game: str | Path | Game = "nolimit-hu",
    hands: int = 10_000,
    seed: int | None = None,
    save: str | Path | None = None,
    progress: bool = False,
) -> "Evaluation":
    """Plays a bot against `random`, `call`, `fold`, `pot-odds`, `value-bet` and any others on the same decks; in
    `river-hu` also against `nash`.

    `compare` is another bot that plays the same opponents on the same decks: the difference of the two is known far
    better than either win rate. `hands` are played against each opponent. The result says what the win rates mean.

    >>> evaluate("pot-odds", against=["value-bet"], compare="raise", game="limit-hu", hands=2000)
    """
    from luckless.histories.stored_evaluation import play_evaluation
    from luckless.matches.evaluation import standard_opponents

    judged = bot(player)
    kind = _game(game)
    standard = standard_opponents(judged.spec, kind.name)
    others = [one for one in _players(against) if one.name not in standard]
    return play_evaluation(
        judged,
        [*map(bot, standard), *others],
        kind,
        compare=None if compare is None else bot(compare),
        folder=_folder(save),
        hands=_whole("hands", hands),
        seed=_seed(seed),
        show_progress=progress,
    )


def tournament(
    bots: "Sequence[BotLike] | Mapping[str, BotLike] | str | Path",
    *,
    game: str | Path = "nolimit-hu",
    hands: int = 10_000,
    format: str = "round-robin",
    seed: int | None = None,
    precision: float = 0.0,
    until_ranked: bool = False,
    adjust: bool = False,
    save: str | Path | None = None,
    progress: bool = False,
    **options: Any,
) -> "TournamentResult":
    """Plays every bot against every other one and ranks them; `bots` may also be the TOML file of a tournament.

    `hands` are played by each pairing; with `precision` each goes on until its interval is ± so many mbb/h, with
    `until_ranked` until the order is sure. `adjust` takes luck out of the win rates. `format` may be "n-way",
    "sessions" or "freezeout"; `options` are further keys of the file, such as `seats=3` or `games=50`. `save` stores
    every hand; a tournament that is there already is continued, and `load(save)` gives the result back.

    >>> tournament(["call", "raise", "pot-odds"], game="limit-hu", hands=2000).to_dict()
    """
    import tempfile

    from luckless.tournaments.playing import play_tournament
    from luckless.tournaments.settings import BotEntry, read_settings, settings_from

    players: list[Bot] = []
    if isinstance(bots, str | Path):
        settings = read_settings(Path(bots))
    else:
        players = _players(bots)
        given = {
            **options, "game": str(game), "hands": _whole("hands", hands), "format": format,
            "seed": "" if seed is None else str(_whole("seed", seed)), "precision": float(precision),
            "until_ranked": bool(until_ranked), "adjust": "always" if adjust else "auto",
        }  # fmt: skip
        settings = settings_from(given, tuple(BotEntry(player.spec, player.name) for player in players))
    if save is not None:
        return play_tournament(Path(save), settings, bots=players, show_progress=progress)
    with tempfile.TemporaryDirectory(prefix="luckless-") as place:
        return play_tournament(Path(place) / "tournament", settings, bots=players, show_progress=progress)


def hand_rank(hand: str | Sequence[int], board: str | Sequence[int] = "") -> "HandRank":
    """IHR, 7cHR and EHR of two hole cards on a board, as exact fractions.

    IHR is the share of all other hands that the hand beats now, ties counted half; 7cHR the same when all cards are
    out; EHR joins both into one number.

    >>> float(hand_rank("AcKc", "Ks5h3d").ihr)
    0.9685476410730804
    """
    from luckless.hands import rank

    return rank.hand_rank(_cards("hand", hand), _cards("board", board))


def _cards(name: str, cards: str | Sequence[int]) -> list[int]:
    if isinstance(cards, str):
        return parse_cards(cards)
    if not isinstance(cards, Iterable):
        raise InputError(f"{name} is {cards!r}: a text such as 'AcKc' or a list of cards (0 to 51) is needed")
    return list(cards)


def judge(
    hands: "str | Path | Hands | Iterable[str | Path]",
    *,
    by: str = "auto",
    policies: "Mapping[str, BotLike | None] | None" = None,
    values: "str | Path | ValueFunction | None" = None,
    format: str | None = None,
    game: str | Path | Game | None = None,
    progress: bool = False,
    lines: bool = False,
) -> "Verdict":
    """How strong the players of some hands are: their money and, where an estimator fits, the luck taken out.

    `hands` is what `read_hands` gives, or a place that it reads: a log, a folder of logs, a stored match. `by` is the
    name of an estimator: "money", "all-in", "chance", "imaginary", "aivat" or "divat"; "auto" takes the least noisy
    one that is unbiased for what is known. `policies` are the bots that played under some names; those of a stored
    match are known if they came with the package, unless None is given for a name. `values` is a value function or
    its file, or the name of a shipped one: "equity" (the default), "roll-outs", "blueprint". With `lines` each player
    keeps what he won so far, hand by hand.

    >>> judge("a_stored_match").player("call").adjusted
    """
    from luckless.histories.reading import Hands, read_hands
    from luckless.skill.named_values import EQUITY, named_values
    from luckless.skill.registry import check_name, check_players, judge_hands
    from luckless.skill.stored_policies import stored_policies
    from luckless.skill.verdict import Knowledge

    check_name(by)  # before anything is read
    chosen = EQUITY if values is None else values
    if isinstance(chosen, str | Path):
        chosen = named_values(chosen)
    given = hands
    if not isinstance(given, Hands):
        given = read_hands(given, format=format, game=None if game is None else _game(game))
    check_players(given, policies or {})
    known = {} if by in ("money", "all-in", "chance", "divat") else stored_policies(given.paths)
    known |= {name: bot(player) for name, player in (policies or {}).items() if player is not None}
    hidden = tuple(name for name, player in (policies or {}).items() if player is None)
    known = {name: player for name, player in known.items() if name not in hidden}
    return judge_hands(given.batches(), by, Knowledge(known, chosen, progress, lines, hidden))


def fit_values(
    hands: "str | Path | Hands | Iterable[str | Path]",
    *,
    name: str | None = None,
    out: str | Path | None = None,
    format: str | None = None,
    game: str | Path | Game | None = None,
) -> "EquityValues":
    """A value function for `judge`, fitted by least squares to hands with all hole cards, and written to `out`.

    It is called `name`, or as its file. It refuses to judge the hands that it was fitted on, in whatever file.

    >>> judge("new_match", values=fit_values("old_match"))
    """
    from luckless.histories.reading import Hands, read_hands
    from luckless.skill.fitting import fit_values as fit

    given = hands
    if not isinstance(given, Hands):
        given = read_hands(given, format=format, game=None if game is None else _game(game))
    called = name or (Path(out).stem if out is not None else "fitted equity")
    values = fit(given.batches(), called)
    if out is not None:
        values.save(Path(out))
    return values


def league(
    season: str | Path, *, out: str | Path | None = None, workers: int | None = None, progress: bool = False
) -> "SeasonRecord":
    """Plays a season of learning bots to its end. It is a TOML file, or shipped with the package (`quick`).

    `out` is the folder of the season, `runs/NAME` by default. One that holds the same season already is continued.
    `workers` processes learn at once, one for each core by default; the result does not depend on them. Needs the
    extra `learn`.

    >>> league("quick").to_frame()
    """
    from luckless.league.season_record import play_season

    return play_season(
        season,
        None if out is None else Path(out),
        workers=None if workers is None else _whole("workers", workers),
        show_progress=progress,
    )


def solve(
    game: str | Path,
    *,
    board: str | None = None,
    ranges: Sequence[str] | None = None,
    pot: int | None = None,
    stack: int | None = None,
    sizes: str | Sequence[str] = (),
    algorithm: str | None = None,
    iterations: int | None = None,
    target: float | None = None,
    save: str | Path | None = None,
) -> "Solution":
    """Solves `kuhn`, `leduc`, a board of `river-hu` or the spot of a TOML file: the value and the exploitability.

    It stops after `iterations`, or when the exploitability is at most `target`: a share of the pot, or antes. `save`
    writes the strategy to a file, which plays as the bot `nash:FILE`.

    >>> solve("kuhn").measured.value
    -0.0555...
    """
    from luckless.solve.given_games import needed_memory, spot_values, tasks_of, usual_end
    from luckless.solve.schedules import DEEP
    from luckless.solve.solution import solve as run
    from luckless.solve.strategy_file import save_solution

    words = [sizes] if isinstance(sizes, str) else list(sizes)
    given = {"board": board, "ranges": ranges, "pot": pot, "stack": stack}
    spot = spot_values(str(game), given, words, algorithm == DEEP)
    if iterations is None and target is None:
        iterations, target = usual_end(spot, algorithm)
    elif iterations is not None and _whole("iterations", iterations) < 1:
        raise InputError(f"iterations is {iterations}; allowed is 1 or more")
    if target is not None and not 0 < target < math.inf:
        raise InputError(f"target is {target}; allowed is a share above 0, such as 0.001")
    if algorithm == "all":
        raise InputError("algorithm is 'all', which draws curves on the command line; name one algorithm")
    (task,) = tasks_of(str(game), spot, algorithm, 1)
    needed_memory([task])
    solver = task.solver()
    solution = run(solver, task.game, iterations, target)
    if save is not None:
        save_solution(Path(save), task, solver, solution.measured.exploitability, solution.steps)
    return solution


def exploit(
    player: BotLike,
    game: str | Path,
    *,
    by: str = "exact",
    boards: int | None = None,
    flops: int | None = None,
    save: str | Path | None = None,
    hands: int | None = None,
    start: str | None = None,
    menu: str | None = None,
    minutes: float | None = None,
    seed: int = 1,
    progress: bool = False,
) -> "Exploited | Bound":
    """What a best response wins from a bot when the seats alternate, or a lower bound of it.

    `by="exact"` works a best response out. In `kuhn` and `leduc` it is exact; `player` is `call`, `fold`, `raise`,
    `uniform` or `nash:FILE`. In `limit-hu` it is exact on all flops (hours; `save` keeps them), and a lower bound on
    some sampled `flops`. In `river-hu` it is worked out on sampled `boards`, and a lower bound, because the responder
    has a menu of sizes. `by="lbr"` plays `hands` of local best response, from the street `start` on with a `menu`.
    `by="learn"` trains learners against the bot for some `minutes` and measures the best one on fresh `hands`. Both
    are lower bounds.

    >>> exploit("uniform", "leduc").mbb
    2373.6...
    """
    from luckless.solve.bounds import HANDS, check_way, lbr_bound, learned_small_bound
    from luckless.solve.exploiting import BOARDS
    from luckless.solve.exploiting import exploit as respond
    from luckless.solve.lbr import LbrSettings
    from luckless.solve.strategy_file import TREE_GAMES

    given = {"boards": boards, "flops": flops, "save": save, "hands": hands, "start": start, "menu": menu}
    check_way(by, {**given, "minutes": minutes})
    small = str(game) in TREE_GAMES
    measured = player if isinstance(player, str) and small else bot(player)
    if by == "exact":
        file = None if save is None else Path(save)
        sampled = BOARDS if boards is None else _whole("boards", boards)
        return respond(measured, str(game), sampled, _whole("seed", seed), progress, flops, file)
    if by == "lbr":
        chosen = {key: text for key, text in (("start", start), ("menu", menu)) if text is not None}
        count = HANDS if hands is None else _whole("hands", hands)
        return lbr_bound(measured, str(game), LbrSettings(**chosen) if chosen else None, count, seed, progress)
    if small:
        if hands is not None or minutes is not None:
            raise InputError(f"hands and minutes are for hold'em; in {game} a table learns from a fixed number")
        return learned_small_bound(measured, str(game), seed)
    from luckless.learn.frozen_opponent import MEASURED_HANDS, Training, learned_bound

    training = Training() if minutes is None else Training(minutes)
    count = MEASURED_HANDS if hands is None else _whole("hands", hands)
    return learned_bound(bot(player), Game.load(str(game)), training, count, seed, progress)


def games() -> dict[str, Game]:
    """The named games, to play or to look at: `games()["limit-hu"].blinds`."""
    from luckless.rules.game_files import game_names

    return {name: Game.load(name) for name in game_names()}


def shipped_bots() -> dict[str, str]:
    """The shipped bots by name, each with its rule in words."""
    from luckless.bots.registry import ENTRIES

    return {entry.name: entry.summary for entry in ENTRIES}
