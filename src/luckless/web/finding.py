"""What is stored below the folder that is served: runs by their place, read again only when they have changed.

A place is a path below the folder, with `/` between its parts; the folder itself is the empty place. Links are not
followed and nothing outside can be named.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from luckless.errors import InputError
from luckless.file_locks import held_files, is_held
from luckless.outlines import FILES, MARKS, RUNNING, Held, Outline, files_of, kind_of, outline

DEEPEST = 8
MOST_FOLDERS = 20_000
MOST_PLACE = 1_000
"""Characters of a place."""


class NotThere(InputError):
    """What was asked for is not there: an unknown place, or one that may not be named."""


@dataclass(frozen=True)
class Found:
    """A run at its place. Without an outline it cannot be read, and `problem` says why."""

    place: str
    path: Path
    kind: str
    changed: float
    outline: Outline | None
    problem: str = ""
    seconds_left: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        told = self.outline.to_dict() if self.outline else {"kind": self.kind, "state": "damaged", "title": ""}
        return {**told, "place": self.place, "changed": self.changed, "problem": self.problem,
                "seconds_left": self.seconds_left}  # fmt: skip


@dataclass
class _Folder:
    """What lay in a folder when it was last looked into."""

    changed: int
    runs: list[tuple[str, str]]
    folders: list[str]


class Finder:
    """Looks for runs, and keeps what it has found."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._folders: dict[str, _Folder] = {}
        self._known: dict[str, tuple[Any, Found]] = {}
        self._paces: dict[str, list[tuple[float, int]]] = {}
        self._lock = threading.Lock()

    def path(self, place: str) -> Path:
        """The path of a place; refuses what leads outside, links, and what is not there."""
        if len(place) > MOST_PLACE or "\0" in place or "\\" in place:
            raise NotThere("there is no such run")
        path = self.root
        try:
            for part in place.split("/") if place else ():
                path = path / part
                if part in ("", ".", "..") or part.startswith(".") or path.is_symlink():
                    raise NotThere("there is no such run")
            there = path.exists()
        except (OSError, ValueError):  # a name that no system of files can have
            there = False
        if not there:
            raise NotThere(f"there is no run {place}; it may have been deleted or moved")
        return path

    def run(self, place: str, *kinds: str) -> Found:
        """The run at a place, if it is one of these kinds (of `Outline`); any kind if none is named."""
        path = self.path(place)
        kind = kind_of(path)
        if kind is None:
            raise NotThere(f"there is no stored run at {place or 'the folder itself'}")
        found = self._seen(place, path, kind, held_files())
        if found.outline is None:
            raise InputError(found.problem)
        if kinds and found.outline.kind not in kinds:
            raise NotThere(f"{place or 'the folder itself'} holds {found.outline.kind}, not {' or '.join(kinds)}")
        return found

    def runs(self) -> list[Found]:
        """All runs, those that are running first, then the newest."""
        held = held_files()
        found = []
        with self._lock:
            places = list(self._places())
        for place, kind in places:
            path = self.root / place
            found.append(self._seen(place, path, kind, held))
        return sorted(found, key=lambda one: (not is_running(one), -one.changed, one.place))

    def _places(self) -> Iterator[tuple[str, str]]:
        """Places of runs with their kinds; folders that have not changed are not listed again."""
        kind = kind_of(self.root)
        if kind is not None:
            yield "", kind
        waiting, looked = [("", 0)], 0
        while waiting and looked < MOST_FOLDERS:
            place, depth = waiting.pop()
            looked += 1
            folder = self._look(place)
            if folder is None:
                continue
            for name, of_kind in folder.runs:
                yield _joined(place, name), of_kind
            if depth < DEEPEST:
                waiting += [(_joined(place, name), depth + 1) for name in folder.folders]

    def _look(self, place: str) -> _Folder | None:
        path = self.root / place
        try:
            changed = path.stat().st_mtime_ns
            known = self._folders.get(place)
            if known is not None and known.changed == changed:
                return self._looked_again(known, place)
            with os.scandir(path) as entries:
                listed = [
                    (entry.name, entry.is_dir(follow_symlinks=False))
                    for entry in entries
                    if not entry.is_symlink() and not entry.name.startswith(".")
                ]
        except OSError:
            return None
        own = any((path / mark).is_file() for mark in MARKS)
        folder = _Folder(changed, [], [])
        for name, is_folder in listed:
            if is_folder and not own:
                self._add(folder, place, name)
            elif name.endswith(FILES) and not own:
                kind = kind_of(path / name)
                folder.runs += [(name, kind)] if kind else []
        self._folders[place] = folder
        return folder

    def _add(self, folder: _Folder, place: str, name: str) -> None:
        kind = kind_of(self.root / place / name)
        if kind:
            folder.runs.append((name, kind))
        else:
            folder.folders.append(name)

    def _looked_again(self, known: _Folder, place: str) -> _Folder:
        """A folder with the same entries; one of its folders may have become a run, or none."""
        names = known.folders
        known.folders = []
        for name in names:
            self._add(known, place, name)
        return known

    def _seen(self, place: str, path: Path, kind: str, held: Held) -> Found:
        """What is known of a run, read again if its files have changed or while it runs."""
        files = files_of(path, kind)
        stamps = [_stamp(file) for file in files]
        seal = (kind, stamps, [is_held(file, held) for file in files])
        known = self._known.get(place)
        if known is not None and known[0] == seal:
            return known[1]
        changed = max((stamp[0] for stamp in stamps if stamp), default=0) / 1e9
        try:
            told = outline(path, kind, held)
            found = Found(place, path, kind, changed, told, "", self._seconds_left(place, told))
        except (InputError, OSError, sqlite3.Error, ValueError, KeyError, TypeError, AttributeError) as error:
            found = Found(place, path, kind, changed, None, str(error) or type(error).__name__)
        self._known[place] = (seal, found)
        return found

    def _seconds_left(self, place: str, told: Outline) -> float | None:
        """The time left at the pace that was seen, or that of the whole run."""
        if told.state != RUNNING or not told.total or told.done >= told.total:
            self._paces.pop(place, None)
            return None
        seen = self._paces.setdefault(place, [])
        if not seen or seen[-1][1] != told.done:
            seen.append((time.time(), told.done))
            del seen[:-20]
        (since, first), (now, done) = seen[0], seen[-1]
        return None if done <= first else (now - since) * (told.total - done) / (done - first)


def is_running(found: Found) -> bool:
    """Whether a run is under way."""
    return found.outline is not None and found.outline.state == RUNNING


def _joined(place: str, name: str) -> str:
    return f"{place}/{name}" if place else name


def _stamp(file: Path) -> tuple[int, int] | None:
    """When a file was written and its size; None for none, or an empty one: reading makes empty logs of databases."""
    try:
        state = file.stat()
    except OSError:
        return None
    return (state.st_mtime_ns, state.st_size) if state.st_size else None
