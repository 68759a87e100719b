"""Logs that are attacked: real hands and ours in every format. Hands that are read go to the other engines."""

import functools
from pathlib import Path

from fuzz_oracle import Wrong, agrees_with_pokerkit, check_columns
from fuzz_scratch import put

from luckless.rules.game import Game
from real_hands import originals
from stored_hands import played, read_text, written


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


@functools.cache
def lines_samples() -> list[bytes]:
    """Our hands, one a line."""
    return written_hands("lines", "limit-hu")


@functools.cache
def stars_samples() -> list[bytes]:
    """Our hands of each kind of betting."""
    return written_hands("pokerstars", "potlimit-6max", "nolimit-hu", "limit-3max")


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


PHH_WORDS = (
    "winnings = [0, 0]", "finishing_stacks = [1, 2, 3]", "variant = 'FT'", "'p1 cc'", "'p2 cbr 300'", "'p1 f'",
    "'d db AcKd2h'", "'d dh p1 ????'", "'p1 sm AcKc'", "antes = [0, 0]", "small_bet = 10", "_max_bets = [4, 4, 4, 4]",
    "players = ['a', 'b']", "1.25", "time = 12:00:00",
)  # fmt: skip
STARS_WORDS = (
    "Seat 1: a ($1 in chips)", "posts small blind $1", "posts the ante $1", "raises $2 to $4", "bets $3", "calls $1",
    "collected $5 from pot", "*** FLOP *** [2c 3c 4c]", "*** SUMMARY ***", "shows [Ac Kd]", "and is all-in",
    "Dealt to a [Ac Kc]", "Uncalled bet ($2) returned to a", "mucked [2c 2d]", "PokerStars Hand #3: ",
)  # fmt: skip
