"""A stand-in for a language model that plays: it reads the prompts of `chat:` and bets what its cards are worth.

It calls as the odds allow, bets and raises good hands, and bluffs a little. The same prompt gets the same answer.
"""

import hashlib
import json
import math
import re
from functools import lru_cache

import luckless as lk

CHARACTERS_A_TOKEN = 4
FRAME_TOKENS = 40
"""What a server adds to the texts of a request."""

SAMPLES = 400
STRONG, GOOD, BLUFFS = 0.78, 0.60, 0.12
RESPECT, MORE_RESPECT = 0.04, 0.045
"""By how much a hand must be better than the odds say against random cards, because whoever puts chips in has better
ones; the second number is added whenever the pot doubles."""

_FACTS = re.compile(
    r"Your cards: (?P<hole>.+?)\. Board: (?P<board>.+?) \(.*?Pot: (?P<pot>\d+)\. To call: (?P<call>\d+)\."
    r".*?Big blind: (?P<blind>\d+)",
    re.DOTALL,
)
_SIZES = re.compile(r"to any amount from (\d+) to (\d+)|(?:bet|raise) to (\d+)")


def answer_to(prompt: str) -> str:
    """The JSON object of an action."""
    facts = _FACTS.search(prompt)
    if facts is None:
        return '{"action": "check"}'
    pot, call = int(facts["pot"]), int(facts["call"])
    board = "" if facts["board"].startswith("none") else facts["board"].replace(" ", "")
    share, chance = _equity(facts["hole"].replace(" ", ""), board), _chance(prompt)
    doubled = max(0.0, math.log2(pot / (2 * int(facts["blind"]))))
    bluffs = chance < BLUFFS and not call
    good = min(0.97, (STRONG if call else GOOD) + doubled * MORE_RESPECT)
    if (share >= good or bluffs) and (raised := _size(prompt, pot, call, chance)):
        return json.dumps({"action": "raise", "amount": raised})
    if not call:
        return '{"action": "check"}'
    odds = call / (pot + call) + RESPECT + doubled * MORE_RESPECT
    return '{"action": "call"}' if share >= min(0.95, odds) else '{"action": "fold"}'


def tokens_of(texts: list[str], answer: str) -> tuple[int, int]:
    """About how many tokens a request and its answer have."""
    return FRAME_TOKENS + sum(map(len, texts)) // CHARACTERS_A_TOKEN, max(1, len(answer) // CHARACTERS_A_TOKEN)


@lru_cache(maxsize=100_000)
def _equity(hole: str, board: str) -> float:
    return lk.equity([hole, "random"], board, samples=SAMPLES, threads=1).equity[0]


def _chance(prompt: str) -> float:
    """A number from 0 to 1 that follows from the prompt."""
    return int.from_bytes(hashlib.sha256(prompt.encode()).digest()[:4], "big") / 2**32


def _size(prompt: str, pot: int, call: int, chance: float) -> int:
    """Half to a whole pot on top, as far as that is allowed; 0 if it may not raise."""
    sizes = _SIZES.search(prompt)
    if sizes is None:
        return 0
    low, high = (int(sizes[3]),) * 2 if sizes[3] else (int(sizes[1]), int(sizes[2]))
    return max(low, min(high, call + int((0.5 + chance / 2) * (pot + call))))
