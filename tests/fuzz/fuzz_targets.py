"""What is attacked: every reader of texts and files, and both catalogues, each with samples and with what must hold.

A check ends in `Refused` errors (the declared ones), or returns what was read; `Wrong` says that something damaged
was believed. Anything else that comes out of it is a fault of ours.
"""

import functools
import gzip
import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fuzz_mutations import Dice, damaged_bytes, damaged_database, damaged_text
from fuzz_oracle import Wrong, agrees_with_pokerkit, check_columns
from luckless.bots.external.messages import BadLine
from luckless.errors import InputError
from luckless.hands.table_file import TableError
from luckless.rules.game import Game
from real_hands import originals
from stored_hands import played, read_text, written

REFUSED = (InputError, BadLine, TableError)
"""The errors that are declared for bad input."""

Damage = Callable[[Sequence[bytes], Dice], bytes]


@dataclass(frozen=True)
class Target:
    """A reader: `check` takes damaged bytes, and says in a word what came of it."""

    name: str
    samples: Callable[[], Sequence[bytes]]
    check: Callable[[bytes], str]
    damage: Damage = field(default=damaged_text)

    def case(self, seed: int, number: int) -> bytes:
        """The damaged bytes of a case; case 0 is the first sample as it is."""
        samples = self.samples()
        return samples[0] if number == 0 else self.damage(samples, Dice(f"{seed}/{self.name}/{number}"))


def with_words(*words: str) -> Damage:
    """Damage of texts that also puts words of the format in."""
    return functools.partial(_with, [word.encode() for word in words])


def _with(words: list[bytes], samples: Sequence[bytes], dice: Dice) -> bytes:
    return damaged_text(samples, dice, words)


@functools.cache
def scratch() -> Path:
    """A folder of this process, which is removed at its end."""
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="luckless-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def put(name: str, data: bytes) -> Path:
    """The bytes as a file of the scratch folder."""
    path = scratch() / name
    path.write_bytes(data)
    return path


# Logs


def written_hands(format: str, *games: str) -> list[bytes]:
    """Hands of random bots in a format."""
    from luckless.histories.formats import FORMATS

    hands = [played(Game.load(game), 6) for game in games]
    return [written([columns], FORMATS[format].writer(Path("x.phhs"))).encode() for columns in hands]


@functools.cache
def phh_samples() -> list[bytes]:
    """Real hands one by one, ours, and one with a rake and unknown cards."""
    real = [text for source in ("pluribus", "handhq") for text in originals(source).values()]
    single = ["\n".join(part.split("\n")[1:40]) for text in real for part in text.split("\n[")[1:4]]
    single = [part.split("\n\n")[0] + "\n" for part in single]
    ours = written_hands("phh", "nolimit-6max", "limit-hu", "nolimit-hu")
    return [*ours * 5, *(part.encode() for part in single)]


@functools.cache
def acpc_samples() -> list[bytes]:
    """The beginnings of real logs, and ours."""
    real = ["\n".join(text.split("\n")[:9]) + "\n" for text in originals("acpc").values()]
    return [*written_hands("acpc", "limit-3max", "nolimit-hu"), *(text.encode() for text in real)]


def read_log(name: str, data: bytes) -> str:
    """Reads a log; every hand that is accepted goes to the other engines."""
    game = Game.load("limit-hu") if name == "lines" else None
    batches, rejects = read_text(name, data, game)
    if any(not reject.reason or not reject.where for reject in rejects):
        raise Wrong("a hand was left out without a reason")
    hands = [hand for columns in batches for hand in check_columns(columns)]
    agreed = 0
    if name == "phh" and len(hands) == 1 and not rejects:
        agreed = agrees_with_pokerkit(data.decode("utf-8-sig", "replace"), batches[0], hands[0])
    return "agreed with PokerKit" if agreed else "read" if hands else "no hands"


def read_gzip(data: bytes) -> str:
    """Reads a packed log from a file."""
    from luckless.histories.formats import read_hands

    path = put("hands.log.gz", data)
    batches = list(read_hands(path, on_reject=lambda reject: None))
    for columns in batches:
        check_columns(columns)
    return "read" if batches else "no hands"


PHH_WORDS = with_words(
    "winnings = [0, 0]", "finishing_stacks = [1, 2, 3]", "variant = 'FT'", "'p1 cc'", "'p2 cbr 300'", "'p1 f'",
    "'d db AcKd2h'", "'d dh p1 ????'", "'p1 sm AcKc'", "antes = [0, 0]", "small_bet = 10", "_max_bets = [4, 4, 4, 4]",
    "players = ['a', 'b']", "1.25", "time = 12:00:00",
)  # fmt: skip
STARS_WORDS = with_words(
    "Seat 1: a ($1 in chips)", "posts small blind $1", "posts the ante $1", "raises $2 to $4", "bets $3", "calls $1",
    "collected $5 from pot", "*** FLOP *** [2c 3c 4c]", "*** SUMMARY ***", "shows [Ac Kd]", "and is all-in",
    "Dealt to a [Ac Kc]", "Uncalled bet ($2) returned to a", "mucked [2c 2d]", "PokerStars Hand #3: ",
)  # fmt: skip


# Files of settings


def read_game(suffix: str, data: bytes) -> str:
    """A game file; a game that is accepted must survive being written."""
    game = Game.load(str(put(f"game{suffix}", data)))
    again = Game.from_toml(game.to_toml())
    if again != game:
        raise Wrong(f"the game comes back as {again}, not {game}")
    if sum(game.stacks) <= 0 or not 2 <= game.seats <= 10:
        raise Wrong(f"an impossible game was accepted: {game}")
    return "read"


def read_season(data: bytes) -> str:
    """A season's file."""
    from luckless.league.config import MOST_AGENTS, read_config, season_of

    season = season_of(read_config(put("season.toml", data)), "season.toml")
    if season.teachers > MOST_AGENTS:
        raise Wrong(f"a season of {season.teachers} teachers was accepted")
    return "read"


def read_divat_settings(data: bytes) -> str:
    """Settings of DIVAT: thresholds that do not fall, within 0 and 1."""
    from luckless.divat.settings_file import read_settings

    settings = read_settings(put("settings.toml", data))
    if any(not 0 <= low <= high <= 1 for row in settings.makes for low, high in zip(row, row[1:], strict=False)):
        raise Wrong(f"thresholds {settings.makes} were accepted")
    return "read"


DEFINITION = """GAMEDEF
nolimit
numPlayers = 3
numRounds = 4
stack = 20000 20000 20000
blind = 50 100 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
DIVAT = "name = 'mine'\nehr = 'max'\n[fold_offsets]\nflop = 0.05\n[makes]\nriver = [0.64, 0.85, 0.94, 0.97]\n"
ALL_OF_A_GAME = b"""name = "all"
betting = "limit"
seats = 3
blinds = [5, 10, 0]
antes = 1
stacks = [200, 300, 400]
bet_sizes = [10, 10, 20, 20]
max_bets = [4, 4, 4, 4]
[rake]
per_mille = 50
cap = 30
"""


def shipped(folder: str) -> list[bytes]:
    """The TOML files that come with the package."""
    import luckless

    return [path.read_bytes() for path in sorted((Path(luckless.__file__).parent / folder).glob("*.toml"))]


# Words of the command line, and lines of programs


def read_range(data: bytes) -> str:
    """A range of hands: pairs of two different cards, each once."""
    from luckless.hands.ranges import parse_range

    combos = parse_range(data.decode("utf-8", "replace")).combos
    if not ((combos[:, 0] < combos[:, 1]).all() and combos.min() >= 0 and combos.max() < 52):
        raise Wrong(f"not hands: {combos}")
    if len(np.unique(combos, axis=0)) != len(combos):
        raise Wrong("a hand counts twice")
    return "read"


def read_cards(data: bytes) -> str:
    """Cards one after the other: they print as they were read."""
    from luckless.cards import format_cards, parse_cards

    cards = parse_cards(data.decode("utf-8", "replace"))
    if parse_cards(format_cards(cards)) != cards or len(set(cards)) != len(cards):
        raise Wrong(f"{cards} do not come back")
    return "read"


def read_bot(data: bytes) -> str:
    """The name of a shipped bot with its parameters; untrusted names must not run anything."""
    from luckless.bots.catalogue import load_shipped

    bot = load_shipped(data.decode("utf-8", "replace"))
    if not bot.name:
        raise Wrong("a bot without a name")
    return "read"


def read_message(data: bytes) -> str:
    """A line of a program that speaks our protocol, as each kind of answer."""
    from luckless.bots.external import messages

    done = 0
    for parse in (messages.parse_hello, messages.parse_ready, messages.parse_answer):
        try:
            parse(data)
            done += 1
        except BadLine:
            pass
    if not messages.shown(data).isprintable():
        raise Wrong("a line is shown with letters that cannot be printed")
    return "read" if done else "refused"


def read_state(data: bytes) -> str:
    """A state of the competition's protocol, and the table that it describes."""
    from luckless.rules.acpc_states import parse_state, table_of

    game = Game.load("nolimit-3max")
    table_of(game, parse_state(game, data.decode("utf-8", "replace")))
    return "read"


# Binary files


@functools.cache
def judgement_file() -> bytes:
    """A judged match of 24 hands."""
    from luckless.bots.catalogue import load_bot
    from luckless.divat.continuations import Valuation
    from luckless.divat.judgement import judge
    from luckless.divat.judgement_file import save_judgement
    from luckless.divat.settings import STANDARD
    from luckless.matches.match import Match

    match = Match.plan(Game.load("limit-hu"), [load_bot("random"), load_bot("call")], hands=24, seed=2)
    path = scratch() / "made.parquet"
    save_judgement(judge([chunk.hands for chunk in match.chunks()], Valuation(STANDARD, "aie")), path)
    return path.read_bytes()


def read_judgement(data: bytes) -> str:
    """A judgement: refused, or the one that was made."""
    from luckless.divat.judgement_file import load_judgement

    read = load_judgement(put("judgement.parquet", data)).to_dict()
    if _json(read) != _json(_judgement_as_made()):
        raise Wrong("a judgement that is not the one that was stored")
    return "the same"


@functools.cache
def _judgement_as_made() -> dict[str, Any]:
    from luckless.divat.judgement_file import load_judgement

    return load_judgement(put("as_made.parquet", judgement_file())).to_dict()


@functools.cache
def weights_file() -> bytes:
    """A small frozen agent."""
    from luckless.learn.agents import settings_of
    from luckless.learn.networks import new_network
    from luckless.learn.weights import layer_arrays, write_file

    settings = settings_of("qlearn-8", {"hidden": [8, 8]})
    layers = new_network(settings.hidden, settings.outputs, np.random.default_rng(1))
    path = scratch() / "made.safetensors"
    write_file(path, "agent", settings, layer_arrays("network", layers), {})
    return path.read_bytes()


def read_weights(data: bytes) -> str:
    """A frozen agent: refused, or one with a network of finite weights."""
    from luckless.learn.agents import load_agent

    load_agent(put("weights.safetensors", data))
    return "read"


@functools.cache
def _table() -> Any:
    from luckless.hands.table_file import TableSpec

    return TableSpec("fuzz", 1, (("a", "<i4", 100), ("b", "<f8", 20)))


def table_file() -> bytes:
    """A small table as those of rank."""
    import os

    from luckless.hands.table_file import write_table

    os.environ["LUCKLESS_CACHE_DIR"] = str(scratch())
    write_table(_table(), {"a": np.arange(100, dtype=np.int32), "b": np.linspace(0, 1, 20)})
    return bytes(_table().path.read_bytes())


def read_table(data: bytes) -> str:
    """A built table: refused, or the arrays that were written."""
    import os

    from luckless.hands.table_file import open_table

    os.environ["LUCKLESS_CACHE_DIR"] = str(scratch())
    path = _table().path
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    arrays = open_table(_table())
    if arrays is None or not np.array_equal(arrays["a"], np.arange(100)):
        raise Wrong("a table that is not the one that was written")
    return "the same"


# Stored matches and seasons


@dataclass
class Folder:
    """A stored thing: its folder, and all that can be read of it as it was made."""

    path: Path
    made: str


@functools.cache
def stored_match() -> Folder:
    """A match of two bots, with a fault-free end."""
    from luckless.bots.catalogue import load_bot
    from luckless.histories.match_writer import play_stored
    from luckless.matches.match import Match

    path = scratch() / "match"
    match = Match.plan(Game.load("limit-hu"), [load_bot("random"), load_bot("call")], hands=40, seed=2)
    play_stored(match, path)
    return Folder(path, match_contents(path))


def match_contents(path: Path) -> str:
    """All that can be read of a stored match without its bots."""
    from luckless import records
    from luckless.histories.store import StoredHands

    result, stored = records.load(path), StoredHands.open(path)
    batches = list(stored.columns())
    for columns in batches:
        check_columns(columns)
    arrays = [[part.tolist() for part in _arrays(columns)] for columns in batches]
    return _json([result.to_dict(), stored.settings, stored.bots, arrays])


def _arrays(columns: Any) -> list[Any]:
    records = columns.records
    parts = [records.decks, records.stacks, records.ends, records.actions, records.payoffs]
    return [*parts, columns.numbers, columns.deals, columns.players, np.array(columns.names)]


@functools.cache
def stored_season() -> Folder:
    """A tiny season."""
    from league_season import play, use_fakes

    use_fakes()
    path = scratch() / "season"
    play(path)
    return Folder(path, season_contents(path))


def season_contents(path: Path) -> str:
    """All that the board and the page of a season say."""
    from luckless.league.season_record import SeasonRecord

    record = SeasonRecord.open(path)
    try:
        facts = [record.run.store.fact(key) for key in ("config", "settings", "game", "versions", "begun")]
        return _json([record.to_dict(), facts, [str(entry) for entry in record.run.store.entries()]])
    finally:
        record.run.store.close()


def read_folder(folder: Callable[[], Folder], name: str, contents: Callable[[Path], str], data: bytes) -> str:
    """A folder with one damaged file: refused, or everything in it is read as it was made."""
    made = folder()
    path = made.path / name
    before = path.read_bytes()
    try:
        path.write_bytes(data)
        if contents(made.path) != made.made:
            raise Wrong(f"damaged {name} was read, and gave something else")
    finally:
        for beside in made.path.glob(f"{name}-*"):
            beside.unlink()
        path.write_bytes(before)
    return "the same"


def file_of(folder: Callable[[], Folder], name: str) -> bytes:
    """A file of a stored thing."""
    return (folder().path / name).read_bytes()


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


CATALOGUE, SEASON, CHUNK = "catalogue.sqlite", "season.sqlite", "hands-000000000000.parquet"


def _folder_target(
    name: str, folder: Callable[[], Folder], file: str, contents: Callable[[Path], str], damage: Damage
) -> Target:
    return Target(
        name, lambda: [file_of(folder, file)], functools.partial(read_folder, folder, file, contents), damage
    )


def _range_samples() -> list[bytes]:
    return [b"TT+, AQs+, KJo, 76s-54s, AcKd, 50%", b"??", b"random", b"A5s-A2s,QQ-99 KJ", b"12.5%"]


def _hello_samples() -> list[bytes]:
    return [
        b'{"type": "hello", "protocol": 1, "name": "my bot", "memory": false, "processes": 2}\n',
        b'{"type": "ready"}\n',
        b'{"type": "action", "id": 17, "action": 300}\n',
    ]


_STATES = [b"MATCHSTATE:1:17:cr300c/cc:|AcKd|/2c3d4h", b"MATCHSTATE:0:0::AcKd||", b"MATCHSTATE:2:3:fc/r200:||7h6h/2c3d4h"]
_BOTS = [b"pot-odds:risk=0.05,win=simulate", b"mix:call=2,raise=1", b"threshold:fold=free", b"strong=value-bet", b"call"]

TARGETS = {
    target.name: target
    for target in (
        Target("phh", phh_samples, functools.partial(read_log, "phh"), PHH_WORDS),
        Target("acpc", acpc_samples, functools.partial(read_log, "acpc"), with_words("STATE:", "SCORE:", "|", "r200c")),
        Target("lines", lambda: written_hands("lines", "limit-hu"), functools.partial(read_log, "lines")),
        Target(
            "pokerstars",
            lambda: written_hands("pokerstars", "potlimit-6max", "nolimit-hu", "limit-3max"),
            functools.partial(read_log, "pokerstars"),
            STARS_WORDS,
        ),
        Target("gzip", lambda: [gzip.compress(data, mtime=0) for data in acpc_samples()], read_gzip, damaged_bytes),
        Target("game-toml", lambda: [ALL_OF_A_GAME, *shipped("rules/games")], functools.partial(read_game, ".toml")),
        Target("game-definition", lambda: [DEFINITION.encode()], functools.partial(read_game, ".game")),
        Target("season-toml", lambda: shipped("league/seasons"), read_season),
        Target("divat-toml", lambda: [DIVAT.encode()], read_divat_settings),
        Target("range", _range_samples, read_range),
        Target("cards", lambda: [b"AcKd 10h,2s", b"Ks5h3dTc4h"], read_cards),
        Target("bot", lambda: _BOTS, read_bot),
        Target("message", _hello_samples, read_message),
        Target("state", lambda: _STATES, read_state, with_words("r20000", "/", "|", "fc", "7h6h")),
        Target("judgement", lambda: [judgement_file()], read_judgement, damaged_bytes),
        Target("weights", lambda: [weights_file()], read_weights, damaged_bytes),
        Target("table", lambda: [table_file()], read_table, damaged_bytes),
        _folder_target("chunk", stored_match, CHUNK, match_contents, damaged_bytes),
        _folder_target("match-catalogue", stored_match, CATALOGUE, match_contents, damaged_database),
        _folder_target("season-catalogue", stored_season, SEASON, season_contents, damaged_database),
    )
}
