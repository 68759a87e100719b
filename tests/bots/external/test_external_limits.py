"""A bound on the memory of a program: within it the program plays, beyond it it cannot start."""

import shlex
import sys
from pathlib import Path

import pytest

from luckless.bots.catalogue import load_bot
from luckless.errors import InputError

HUNGRY = """
import json, sys
held = bytearray({megabytes} * 2**20)
for line in sys.stdin:
    if json.loads(line)["type"] == "hello":
        print(json.dumps({{"type": "hello", "protocol": 1, "name": "hungry"}}), flush=True)
"""


@pytest.mark.parametrize(("megabytes", "plays"), [(10, True), (600, False)])
def test_a_program_gets_no_more_memory_than_it_is_allowed(tmp_path: Path, megabytes: int, plays: bool) -> None:
    program = tmp_path / "hungry.py"
    program.write_text(HUNGRY.format(megabytes=megabytes))
    bot = load_bot(f"exec:{shlex.quote(sys.executable)} {program}")
    bot.limit_memory(400)
    try:
        assert (bot.trouble() == "") == plays
    finally:
        bot.stop()


def test_other_bots_cannot_be_bounded() -> None:
    with pytest.raises(InputError, match="call: its memory cannot be bounded"):
        load_bot("call").limit_memory(400)
