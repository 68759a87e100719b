"""What we use of Numba's insides: a version without it runs the same kernels, with the same numbers."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from luckless import kernels, numba_internals
from luckless.numba_internals import make_multiply_high, multiply_high_plainly
from luckless.randomness import key_of, random_bits_at

WORD = st.integers(0, 2**64 - 1)

PROGRAM = """
import sys, types, numba
numba.njit(lambda: 1)()  # what Numba itself imports late is there from now on
import numba.core.caching, numba.core.event, numba.core.compiler_lock, numba.core.runtime, numba.extending
{remove}
from luckless import kernels, numba_internals, randomness
assert numba_internals.is_compiling() is False
kernel = randomness.random_bits_at
is_intrinsic = type(randomness.multiply_high).__name__ == "_Intrinsic"
print(bool(kernels._NUMBA_LOCATORS), is_intrinsic, kernel._cache.cache_path is not None)
print(*kernel(randomness.key_of(3), 1, 2, 3, 4))
"""

REMOVALS = {
    "locators": "del numba.core.caching.CacheImpl._locator_classes",
    "locators of another kind": "numba.core.caching.CacheImpl._locator_classes = {'in-tree': object}",
    "cache": "sys.modules['numba.core.caching'] = None",
    "memory": "del numba.core.runtime.rtsys",
    "events": "sys.modules['numba.core.event'] = types.ModuleType('event')",
    "event module": "sys.modules['numba.core.event'] = None",
    "compiler lock": "sys.modules['numba.core.compiler_lock'] = None",
    "intrinsics": "del numba.extending.intrinsic",
}


def run_without(remove: str) -> tuple[dict[str, bool], list[int]]:
    """What is left of the comfort, and four random words, in a process whose Numba lacks something."""
    program = PROGRAM.format(remove=remove)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    comfort, words = done.stdout.splitlines()
    names = ("locators", "intrinsic", "cached")
    return dict(zip(names, (word == "True" for word in comfort.split()), strict=True)), [*map(int, words.split())]


def test_with_everything_kernels_are_cached_and_use_the_instruction() -> None:
    comfort, words = run_without("")
    assert comfort == {"locators": True, "intrinsic": True, "cached": True}
    assert words == [int(word) for word in random_bits_at(key_of(3), 1, 2, 3, 4)]


@pytest.mark.parametrize("removal", REMOVALS)
def test_a_numba_that_lacks_something_gives_the_same_words(removal: str) -> None:
    comfort, words = run_without(REMOVALS[removal])
    assert words == [int(word) for word in random_bits_at(key_of(3), 1, 2, 3, 4)]
    assert comfort["cached"] == comfort["locators"] == (removal.split()[0] not in ("locators", "cache"))
    assert comfort["intrinsic"] == (removal != "intrinsics")


LOAD = """
import sys
from luckless.randomness import key_of, random_bits_at
words = random_bits_at(key_of(3), 1, 2, 3, 4)
print(sum(random_bits_at.stats.cache_hits.values()), "numba.np.arraymath" in sys.modules, *words)
import numba
print(numba.njit(lambda a: a.sum())(key_of(3)))
"""


def test_a_kernel_is_loaded_before_the_compiler_is_set_up(tmp_path: Path) -> None:
    """The first run compiles; the second only loads, and can compile all the same."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (
        subprocess.run(
            [sys.executable, "-c", LOAD], env=environment, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for _ in range(2)
    )
    words = " ".join(str(int(word)) for word in random_bits_at(key_of(3), 1, 2, 3, 4))
    assert first == [f"0 True {words}", "3"]
    assert second == [f"1 False {words}", "3"]


@given(WORD, WORD)
def test_the_upper_half_of_a_product(a: int, b: int) -> None:
    """The plain way against whole numbers of Python."""
    assert int(multiply_high_plainly(np.uint64(a), np.uint64(b))) == a * b >> 64


@pytest.mark.parametrize("word", [0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1])
def test_the_upper_half_of_extreme_products(word: int) -> None:
    for other in (0, 1, 2**32 - 1, 2**32, 2**64 - 1):
        assert int(multiply_high_plainly(np.uint64(word), np.uint64(other))) == word * other >> 64


def test_a_substitute_multiplies_inside_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba_internals, "_attribute", lambda *names: None)
    multiply_high = make_multiply_high()

    @kernels.njit(nogil=True)
    def product(a: np.uint64, b: np.uint64) -> np.uint64:
        upper: np.uint64 = multiply_high(a, b)
        return upper

    a, b = 0xD2E7470EE14C6C93, 0xFEDCBA9876543210
    assert int(product(np.uint64(a), np.uint64(b))) == a * b >> 64
