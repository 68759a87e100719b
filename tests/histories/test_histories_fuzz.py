"""Readers against damaged input: whatever the bytes, hands that are refused are refused with a reason, no more."""

import contextlib
import functools
import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from luckless.errors import InputError
from luckless.histories.chunks import ChunkEncoder, decode_chunk
from luckless.histories.formats import FORMATS, read_hands
from luckless.histories.hand_detail import details
from luckless.histories.notation import parse_hand
from luckless.rules.game import Game
from luckless.rules.replaying import SOUND, replay
from stored_hands import played, read_text, written

MUTATED_SLOW = 20_000
"""Mutated inputs of the slow suite, shared out over the formats."""

GAMES = {"phh": "nolimit-6max", "acpc": "limit-3max", "lines": "limit-hu", "pokerstars": "potlimit-6max"}


@functools.cache
def sample(name: str) -> bytes:
    """A few hands in a format."""
    return written([played(Game.load(GAMES[name]), 6)], FORMATS[name].writer(Path("x"))).encode()


@st.composite
def mutated(draw: st.DrawFn, original: bytes) -> bytes:
    """The original with a few pieces cut out, doubled, moved, overwritten, or filled in from the text itself."""
    data = bytearray(original)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data)))
        length = draw(st.integers(0, 12))
        piece = bytes(data[place : place + length])
        kind = draw(st.integers(0, 4))
        if kind == 0:
            del data[place : place + length]
        elif kind == 1:
            data[place:place] = piece * draw(st.integers(1, 3))
        elif kind == 2:
            other = draw(st.integers(0, len(data)))
            data[other:other] = piece
        elif kind == 3:
            data[place : place + length] = draw(st.binary(max_size=8))
        else:
            signs = b"0123456789.-|/:[]'\"=,# \n\\rcfkbpdhsACKQT?xeinf\xff"
            data[place : place + 1] = bytes([draw(st.sampled_from(signs))])
    return bytes(data)


def check(name: str, data: bytes) -> None:
    """Reads damaged bytes; what is accepted must be sound hands that can be written again."""
    try:
        batches, rejects = read_text(name, data)
    except InputError:
        return
    assert all(reject.reason and reject.where for reject in rejects)
    for batch in batches:
        assert (replay(batch.records).ends.problem == SOUND).all()
        for hand in details(batch):
            for format in FORMATS.values():
                try:
                    format.writer(Path("x.phhs")).hand(hand)
                except InputError:
                    continue


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_logs_raise_nothing_but_declared_errors(name: str) -> None:
    run(name, 150)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_twenty_thousand_damaged_logs(name: str) -> None:
    run(name, MUTATED_SLOW // len(FORMATS))


def run(name: str, examples: int) -> None:
    quick = settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    quick(given(mutated(sample(name)))(lambda data: check(name, data)))()


ODD_VALUES = st.recursive(
    st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.booleans(),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(
        [
            "variant",
            "antes",
            "blinds_or_straddles",
            "min_bet",
            "starting_stacks",
            "actions",
            "hand",
            "players",
            "finishing_stacks",
            "winnings",
            "small_bet",
            "_deal",
            "_max_bets",
        ]
    ),
    ODD_VALUES,
)
def test_phh_fields_may_hold_anything(key: str, value: object) -> None:
    lines = [line for line in sample("phh").decode().split("[2]")[0].splitlines() if not line.startswith(key + " ")]
    check("phh", "\n".join([*lines, f"{key} = {json.dumps(value)}"]).encode())


@given(st.text(alphabet="AKQJT98765432cdhs|/SlLkbrfKCBRF ", max_size=60))
def test_any_text_as_a_one_liner(text: str) -> None:
    with contextlib.suppress(InputError):
        parse_hand(text)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_damaged_chunks_are_refused_or_read_right(data: st.DataObject) -> None:
    columns = played(Game.load("limit-hu"), 20)
    parts = [bytes(part.data) for part in ChunkEncoder().encode([columns], {"first": 0})]
    which = data.draw(st.integers(0, 1))
    parts[which] = data.draw(mutated(parts[which]))
    try:
        back, _ = decode_chunk(parts[0], parts[1], Path("chunk"))
    except InputError:
        return
    assert np.array_equal(back.records.decks, columns.records.decks)
    assert np.array_equal(back.records.actions, columns.records.actions)
    assert np.array_equal(back.records.payoffs, columns.records.payoffs)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_gzip_raises_nothing_but_declared_errors(tmp_path: Path, data: st.DataObject) -> None:
    packed = gzip.compress(sample("acpc"), mtime=0)
    path = tmp_path / "hands.log.gz"
    path.write_bytes(data.draw(mutated(packed)))
    with contextlib.suppress(InputError):
        for _ in read_hands(path, on_reject=lambda reject: None):
            pass


def test_a_cut_off_gzip_is_named(tmp_path: Path) -> None:
    path = tmp_path / "hands.log.gz"
    path.write_bytes(gzip.compress(sample("acpc"))[:-20])
    with pytest.raises(InputError, match=r"hands.log.gz: the gzip file is incomplete"):
        list(read_hands(path, on_reject=lambda reject: None))


def test_huge_lines_and_hands_without_end_stay_small(tmp_path: Path) -> None:
    for name, suffix, text in (
        ("phh", ".phhs", b"[1]\n" + b"x = 1\n" * 300_000),
        ("phh", ".phhs", b"[1]\nactions = ['" + b"p1 f" * 1_000_000 + b"']\n"),
        ("acpc", ".log", b"STATE:0:" + b"r" * 3_000_000),
        ("pokerstars", ".txt", b"PokerStars Hand #1: Hold'em No Limit (1/2)\n" + b"bob: folds\n" * 300_000),
        ("lines", ".lines", b"AcKc|7h6h||Sl" + b"R" * 3_000_000),
    ):
        path = tmp_path / f"huge{suffix}"
        path.write_bytes(text)
        rejects: list[object] = []
        game = Game.load("limit-hu") if name in ("acpc", "lines") else None
        assert not list(read_hands(path, on_reject=rejects.append, game=game))
        assert rejects
