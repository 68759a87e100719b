"""Kernels with compilation off (`NUMBA_DISABLE_JIT=1`): the same hands, the same words, and small tests that pass."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from luckless import interpreted
from luckless.kernels import njit

ROOT = Path(__file__).parents[1]
FEW_TESTS = ("tests/rules/test_rules_golden.py", "tests/rules/test_table.py", "tests/bots/test_bots_odds.py")
WORD = st.integers(0, 2**64 - 1)
HAND = np.dtype([("actor", np.int8), ("pot", np.int32), ("stack", np.int32, (2,))])
TABLE = np.array([200, 100], np.uint8)

PLAY = """
from luckless.bots.catalogue import load_bot
from luckless.matches.match import Match
from luckless.rules.game import Game

def hands():
    players = [load_bot("pot-odds:win=simulate,samples=4"), load_bot("random"), load_bot("call")]
    match = Match.plan(Game.load("nolimit-3max"), players, hands=12, seed=3)
    records = [chunk.records for chunk in match.chunks(workers=1)]
    return [(part.actions.tolist(), part.payoffs.tolist(), part.decks.tolist()) for part in records]
"""


def run_interpreted(*arguments: str) -> str:
    """What Python prints with compilation off."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_same_hands_are_played() -> None:
    names: dict[str, object] = {}
    exec(PLAY + "played = hands()", names)
    program = PLAY + "from luckless.kernels import INTERPRETED\nprint(INTERPRETED, hands())"
    assert run_interpreted("-c", program) == f"True {names['played']}\n"


def test_small_tests_pass() -> None:
    """Some of those that `make test-interpreted` runs."""
    out = run_interpreted("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "interpreted", *FEW_TESTS)
    assert " passed" in out
    assert "failed" not in out


def _raise(hands: np.ndarray[tuple[int], np.dtype[np.void]], chips: int) -> int:
    hand = hands[0]
    hand.pot += chips
    hand.stack[1] -= chips
    hand.actor = 1 - hand.actor
    copies = np.zeros(2, HAND)
    copies[1] = hand
    return int(copies[1].pot + TABLE[0] + TABLE[1] + (1 << hand.actor + 8))


@pytest.mark.parametrize("decorate", [njit(), interpreted.njit], ids=["kernels", "interpreted"])
def test_records_alias_their_array_and_small_integers_are_wide(decorate: object) -> None:
    """One function under both decorators: attributes of records, copies of records, sums beyond 8 bits."""
    assert callable(decorate)
    hands = np.zeros(1, HAND)
    assert decorate(_raise)(hands, 30) == 30 + 300 + (1 << 9)
    assert hands[0].item()[:2] == (1, 30)
    assert hands["stack"].tolist() == [[0, -30]]


def test_words_wrap_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    def double(word: np.uint64) -> np.uint64:
        return word * np.uint64(2)

    assert interpreted.njit(double)(np.uint64(2**63 + 1)) == njit()(double)(np.uint64(2**63 + 1)) == 2
    assert not recwarn.list
