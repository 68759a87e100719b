"""Installed where nothing can be written: commands run, and one sentence says what would make them faster."""

from pathlib import Path

import pytest

from sealed_install import SealedInstall

SENTENCE = "note: no cache folder can be written"
WORDS = "from luckless.randomness import key_of, random_bits_at; print(*random_bits_at(key_of(3), 1, 2, 3, 4))"


@pytest.fixture
def install(tmp_path: Path) -> SealedInstall:
    return SealedInstall.make(tmp_path)


def test_a_command_runs_without_any_cache_and_says_so_once(install: SealedInstall) -> None:
    done = install.run("-m", "luckless", "rank", "AcKc", "--board", "Ks5h3d", "--json")
    assert done.returncode == 0, done.stderr
    assert '"ihr": 0.9685' in done.stdout
    assert done.stderr.startswith(SENTENCE)
    assert done.stderr.count("\n") == 1
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LUCKLESS_CACHE_DIR"):
        assert name in done.stderr


@pytest.mark.parametrize("name", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LUCKLESS_CACHE_DIR"])
def test_each_folder_that_the_sentence_names_is_used(install: SealedInstall, name: str) -> None:
    folder = install.root / "cache"
    done = install.run("-c", WORDS, **{name: str(folder)})
    assert (done.returncode, done.stderr) == (0, "")
    assert list(folder.rglob("randomness.*.nbc"))


def test_tables_are_absent_there_and_cannot_be_built(install: SealedInstall) -> None:
    listed = install.run("-m", "luckless", "tables", "list", "--json")
    assert listed.returncode == 0, listed.stderr
    assert '"state": "absent"' in listed.stdout
    refused = install.run("-m", "luckless", "tables", "build")
    assert refused.returncode == 1
    note, error = refused.stderr.splitlines()
    assert note.startswith(SENTENCE)
    assert error.startswith(f"error: tables cannot be stored in {install.root / 'home' / 'user'}")
    assert "set LUCKLESS_CACHE_DIR or XDG_CACHE_HOME" in error
