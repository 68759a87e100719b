"""Completion at the tab key: the names that fit, quickly, and the same names as in the modules that own them."""

import os
import subprocess
import sys

import pytest

from luckless.bots.catalogue import FORMS
from luckless.bots.registry import ENTRIES
from luckless.cli import completion
from luckless.league.named_seasons import season_names
from luckless.rules.game_files import game_names

PROGRAM = """
import atexit, sys
from luckless.cli import main
heavy = ("numpy", "numba", "scipy", "pyarrow", "duckdb", "plotly", "torch", "rich")
atexit.register(lambda: print("loaded:", *(name for name in heavy if name in sys.modules), file=sys.stderr))
sys.argv = ["luckless"]
main()
"""


def offered(words: str) -> list[str]:
    """What bash is offered for the last word; loads nothing heavy."""
    environment = {
        **os.environ,
        "_LUCKLESS_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.split() == ["loaded:"]
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("luckless match pot", ["pot-odds", "pot-odds-call", "pot-odds-mixed", "pot-odds-raise"]),
        ("luckless match call va", ["value-bet"]),
        ("luckless match call random --game nolimit-h", ["nolimit-hu", "nolimit-hu-100bb"]),
        ("luckless evaluate raise --against sk", ["sklansky"]),
        ("luckless check --game river", ["river-hu"]),
        ("luckless league run t", ["tenth", "thesis"]),
        ("luckless gam", ["games"]),
    ],
)
def test_names_that_fit_are_offered(words: str, names: list[str]) -> None:
    assert offered(words) == names


def test_the_light_list_of_bots_is_that_of_the_catalogue() -> None:
    assert list(completion.BOT_NAMES) == sorted([*(entry.name for entry in ENTRIES), "blueprint", "nash"])
    prefixes = {form.partition(":")[0] + ":" for form in FORMS if not form.startswith(("FILE", "LABEL"))}
    assert list(completion.BOT_FORMS) == sorted(prefixes)


def test_without_a_letter_everything_is_offered() -> None:
    assert completion.bots("") == [*completion.BOT_NAMES, *completion.BOT_FORMS]
    assert completion.games("") == game_names()
    assert completion.seasons("") == season_names()
