"""What is attacked: every reader of texts and files, and both catalogues, each with samples and with what must hold.

A check ends in `REFUSED` errors (the declared ones), or returns in a word what came of it; `Wrong` says that damage
was believed. Anything else that comes out of it is a fault of ours.
"""

import functools
import gzip
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import fuzz_binaries as binaries
import fuzz_logs as logs
import fuzz_settings as texts
from fuzz_mutations import Dice, damaged_bytes, damaged_database, damaged_text

from luckless.bots.external.messages import BadLine
from luckless.errors import InputError
from luckless.hands.table_file import TableError

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


CATALOGUE, SEASON, CHUNK = "catalogue.sqlite", "season.sqlite", "hands-000000000000.parquet"


def _log(name: str, samples: Callable[[], Sequence[bytes]], *words: str) -> Target:
    return Target(name, samples, functools.partial(logs.read_log, name), with_words(*words))


def _folder(
    name: str, folder: Callable[[], binaries.Folder], file: str, contents: Callable[[Path], str], damage: Damage
) -> Target:
    check = functools.partial(binaries.read_folder, folder, file, contents)
    return Target(name, lambda: [binaries.file_of(folder, file)], check, damage)


_RANGES = [b"TT+, AQs+, KJo, 76s-54s, AcKd, 50%", b"??", b"random", b"A5s-A2s,QQ-99 KJ", b"12.5%"]
_MESSAGES = [
    b'{"type": "hello", "protocol": 1, "name": "my bot", "memory": false, "processes": 2}\n',
    b'{"type": "ready"}\n',
    b'{"type": "action", "id": 17, "action": 300}\n',
]
_STATES = [
    b"MATCHSTATE:1:17:cr300c/cc:|AcKd|/2c3d4h",
    b"MATCHSTATE:0:0::AcKd||",
    b"MATCHSTATE:2:3:fc/r200:||7h6h/2c3d4h",
]
_BOTS = [b"pot-odds:risk=0.05,win=simulate", b"mix:call=2,raise=1", b"strong=value-bet", b"call"]

_ALL = (
    _log("phh", logs.phh_samples, *logs.PHH_WORDS),
    _log("acpc", logs.acpc_samples, "STATE:", "SCORE:", "|", "r200c"),
    _log("lines", logs.lines_samples),
    _log("pokerstars", logs.stars_samples, *logs.STARS_WORDS),
    Target(
        "gzip", lambda: [gzip.compress(data, mtime=0) for data in logs.acpc_samples()], logs.read_gzip, damaged_bytes
    ),
    Target("game-toml", lambda: [texts.ALL_OF_A_GAME, *texts.shipped("rules/games")], texts.read_game_toml),
    Target("game-definition", lambda: [texts.DEFINITION.encode()], texts.read_game_definition),
    Target("season-toml", lambda: texts.shipped("league/seasons"), texts.read_season),
    Target("divat-toml", lambda: [texts.DIVAT.encode()], texts.read_divat_settings),
    Target("range", lambda: _RANGES, texts.read_range),
    Target("cards", lambda: [b"AcKd 10h,2s", b"Ks5h3dTc4h"], texts.read_cards),
    Target("bot", lambda: _BOTS, texts.read_bot),
    Target("message", lambda: _MESSAGES, texts.read_message),
    Target("state", lambda: _STATES, texts.read_state, with_words("r20000", "/", "|", "fc", "7h6h")),
    Target("judgement", lambda: [binaries.judgement_file()], binaries.read_judgement, damaged_bytes),
    Target("weights", lambda: [binaries.weights_file()], binaries.read_weights, damaged_bytes),
    Target("table", lambda: [binaries.table_file()], binaries.read_table, damaged_bytes),
    _folder("chunk", binaries.stored_match, CHUNK, binaries.match_contents, damaged_bytes),
    _folder("match-catalogue", binaries.stored_match, CATALOGUE, binaries.match_contents, damaged_database),
    _folder("season-catalogue", binaries.stored_season, SEASON, binaries.season_contents, damaged_database),
)
TARGETS = {target.name: target for target in _ALL}
