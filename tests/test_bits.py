"""Bits of a word: instruction and plain way against lists of places, and a machine without the instruction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from luckless import bits, numba_internals
from luckless.kernels import njit
from luckless.numba_internals import make_bit_count, make_nth_bit, make_place_of_bit

WORD = st.integers(1, 2**64 - 1)


@njit(nogil=True)
def of_all(word: np.uint64, n: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    bit = bits.nth_bit(word, n)
    return bits.bit_count(word), bit, bits.place_of_bit(bit)


@given(WORD, st.data())
def test_both_ways_find_the_same_bits(word: int, data: st.DataObject) -> None:
    places = [place for place in range(64) if word >> place & 1]
    n = data.draw(st.integers(0, len(places) - 1))
    expected = len(places), 1 << places[n], places[n]
    assert tuple(map(int, of_all(np.uint64(word), np.uint64(n)))) == expected
    count, bit = bits.bit_count_plainly(np.uint64(word)), bits.nth_bit_plainly(np.uint64(word), np.uint64(n))
    assert (int(count), int(bit), int(bits.place_of_bit_plainly(np.uint64(bit)))) == expected


def test_without_the_insides_of_numba_there_is_the_plain_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba_internals, "_attribute", lambda *names: None)
    assert make_bit_count() is make_nth_bit() is make_place_of_bit() is None


@pytest.mark.parametrize(
    ("name", "features"), [("znver2", {"bmi2": True}), ("generic", {"bmi2": False}), ("old", {})]
)
def test_a_processor_without_a_fast_instruction_goes_the_plain_way(
    monkeypatch: pytest.MonkeyPatch, name: str, features: dict[str, bool]
) -> None:
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: name)
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: features)
    assert make_nth_bit() is None
