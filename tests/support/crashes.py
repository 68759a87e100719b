"""Ends a writer at any step that changes its folder, as a crash would: nothing after that step is done."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from luckless.histories import resuming, store, stored_evaluation
from luckless.histories.catalogue import Catalogue
from luckless.tournaments import store as tournament_store

STEPS: tuple[tuple[Any, str], ...] = (
    (store, "write_file"),
    (resuming, "write_file"),
    (stored_evaluation, "write_file"),
    (tournament_store, "write_file"),
    (Catalogue, "create"),
    (Catalogue, "add_chunk"),
    (Catalogue, "reopen"),
    (Catalogue, "set_results"),
    (Path, "unlink"),
)


class Crash(BaseException):
    """The process has died."""


def crashes_at(step: int, work: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> bool:
    """Does some work, and lets it die before its step number `step`; whether it came so far."""
    left = step

    def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*values: Any, **named: Any) -> Any:
            nonlocal left
            if left == 0:
                raise Crash
            left -= 1
            return function(*values, **named)

        return call

    with monkeypatch.context() as patch:
        for owner, name in STEPS:
            patch.setattr(owner, name, guarded(getattr(owner, name)))
        try:
            work()
        except Crash:
            return True
    return False


def bytes_of(folder: Path) -> dict[str, bytes]:
    """The chunk files of a store."""
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


def without_seconds(result: dict[str, Any]) -> dict[str, Any]:
    """What JSON says of a result, but for the time that it took."""
    return {key: value for key, value in result.items() if key != "seconds"}
