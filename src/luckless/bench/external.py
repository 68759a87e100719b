"""Bots outside: decisions a second of a trivial Python program on pipes, with and without memory.

A figure counts everything: dealing, the program's own start, its Python, our writing and reading of JSON.
"""

import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from luckless.bench.timing import Row, once
from luckless.bots.catalogue import load_bot
from luckless.matches.match import Match
from luckless.rules.game import Game

AIM_PER_SECOND = 5_000

PROGRAM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "decide":
        answer = {"id": message["id"], "action": 0}
    elif message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "caller", "memory": len(sys.argv) > 1}
    elif message["type"] == "match":
        answer = {"type": "ready"}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""


def measure() -> Iterator[Row]:
    """All rows."""
    yield _decisions("without memory, many hands at once", 6_000, "", aim=True)
    yield _decisions("with memory, one hand at a time", 600, "memory", aim=False)


def _decisions(how: str, hands: int, argument: str, aim: bool) -> Row:
    """The program against five bots that call, so that every hand asks it four times or more."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "caller.py"
        program.write_text(PROGRAM)
        bot = load_bot(f"exec:{shlex.join([sys.executable, str(program), *argument.split()])}")
        players = [bot, *[load_bot("call")] * 5]
        match = Match.plan(Game.load("nolimit-6max"), players, hands=hands, seed=1, decks="fresh")
        asked = 4 * match.hands  # everybody checks and calls to the end: one decision a street
        seconds = once(lambda: list(match.chunks()))
    work, note = f"{asked:,} decisions of a Python program, {how}", f"{asked / seconds:,.0f} a second"
    if not aim:
        return Row(work, seconds, note=note)
    return Row(work, seconds, f"the aim of {AIM_PER_SECOND:,} a second", asked / AIM_PER_SECOND, 1.0, note)
