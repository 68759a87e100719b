"""Texts that people write: game files, seasons, settings, ranges, cards, names of bots; and lines of programs."""

import itertools
from pathlib import Path

import numpy as np
from fuzz_oracle import Wrong
from fuzz_scratch import put

from luckless.bots.external.messages import BadLine
from luckless.rules.game import Game


def read_game_toml(data: bytes) -> str:
    """A game file of ours."""
    return _read_game(".toml", data)


def read_game_definition(data: bytes) -> str:
    """A game file of the competition."""
    return _read_game(".game", data)


def _read_game(suffix: str, data: bytes) -> str:
    """A game that is accepted must survive being written."""
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
    if any(not 0 <= low <= high <= 1 for row in settings.makes for low, high in itertools.pairwise(row)):
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
