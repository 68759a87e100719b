"""Locks on open files, by which processes keep out of each other's way; a lock ends with its process."""

import os
from pathlib import Path
from typing import IO, Any

from luckless.errors import InputError

try:
    import fcntl
except ImportError:  # Windows
    SYSTEM_HAS_LOCKS = False
else:
    SYSTEM_HAS_LOCKS = True


def lock(file: IO[Any], *, shared: bool = False, wait: bool = True) -> bool:
    """Locks an open file, for this process alone or shared; False if another process has it and we do not wait."""
    require_locks("locking a file")
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def require_locks(what: str) -> None:
    """Refuses `what` in one sentence on a system that has no such locks."""
    if not SYSTEM_HAS_LOCKS:
        raise InputError(f"{what} needs locks on files, which this system does not have; use Linux, macOS or WSL")


def held_files() -> set[tuple[int, int]] | None:
    """The files (device and inode) that some process holds locked; None where the system does not tell.

    Nothing is locked to find out: a writer that begins at this moment must not find its file taken.
    """
    try:
        lines = Path("/proc/locks").read_text().splitlines()
    except OSError:
        return None
    held = set()
    for words in map(str.split, lines):
        place = words[-3].split(":")
        if "->" not in words and len(place) == 3:
            held.add((os.makedev(int(place[0], 16), int(place[1], 16)), int(place[2])))
    return held


def is_held(path: Path, held: set[tuple[int, int]] | None) -> bool | None:
    """Whether a file is among those held; None where the system does not tell."""
    try:
        state = path.stat()
    except OSError:
        return False
    return None if held is None else (state.st_dev, state.st_ino) in held
