"""A forger edits the record of an evaluation. What contradicts its matches is found."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forging import MATCH, change, reseal
from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.histories.stored_evaluation import RECORD, play_evaluation
from luckless.rules.game import Game
from luckless.verification import verify_stored


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evaluation of `random`, beside `raise`, against two opponents; nobody changes it."""
    folder = tmp_path_factory.mktemp("evaluated") / "e"
    met = [load_bot("call"), load_bot("uniform")]
    play_evaluation(
        load_bot("random"), met, Game.load("limit-hu"), compare=load_bot("raise"), folder=folder, hands=120, seed=3
    )
    return folder


def put(*path: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    """A forgery of one value of the record, found by its path."""

    def forge(record: dict[str, Any]) -> None:
        inner: Any = record
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value

    return forge


def swap(*path: Any) -> Callable[[dict[str, Any]], None]:
    """A forgery that turns a list around."""

    def forge(record: dict[str, Any]) -> None:
        inner: Any = record
        for step in path:
            inner = inner[step]
        inner.reverse()

    return forge


FORGERIES = {
    "the bot": put("bot", value="raise"),
    "the other bot": put("compared_with", value="call"),
    "who is compared with whom": swap("matches"),
    "an opponent": put("opponents", 0, value="fold"),
    "opponents in another order": swap("opponents"),
    "matches in another order": swap("matches", 0),
    "one match for two": put("matches", 0, 1, value="1-call"),
    "a folder above": put("matches", 0, 0, value="../e/1-call"),
    "the seed": put("seed", value="4"),
    "the kind of keys": put("keys", value="sealed"),
    "the decks": put("decks", value="fresh"),
    "the stacks": put("game", "stacks", value=[240, 240]),
    "a difference": put("comparisons", 0, "difference", value=1e6),
    "an interval": put("comparisons", 1, "ci95", value=[1.0, 2.0]),
    "a probability": put("comparisons", 0, "p_value", value=1e-9),
    "comparisons in another order": swap("comparisons"),
    "a comparison less": lambda record: record["comparisons"].pop(),
    "an unknown fact": put("colour", value="red"),
    "a later version": put("format", value=9),
}


def found_wrong(folder: Path) -> bool:
    """Whether the folder is refused, or something in it is found to be wrong."""
    try:
        return bool(verify_stored(folder).failures)
    except InputError:
        return True


def test_an_honest_evaluation_is_well(evaluated: Path) -> None:
    found = verify_stored(evaluated)
    assert (found.failures, found.hands, found.reproduced) == (0, 480, True)


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_record_is_found(evaluated: Path, tmp_path: Path, forgery: str) -> None:
    shutil.copytree(evaluated, tmp_path / "e")
    record = json.loads((tmp_path / "e" / RECORD).read_text())
    FORGERIES[forgery](record)
    (tmp_path / "e" / RECORD).write_text(json.dumps(record))
    assert found_wrong(tmp_path / "e"), forgery


def test_a_forged_match_of_an_evaluation_is_found(evaluated: Path, tmp_path: Path) -> None:
    shutil.copytree(evaluated, tmp_path / "e")
    catalogue = tmp_path / "e" / "compared-2-uniform" / MATCH
    change("record", "tally", "net_chips", 0)(catalogue)
    reseal(catalogue)
    assert found_wrong(tmp_path / "e")
