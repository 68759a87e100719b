"""Locks on open files, by which processes keep out of each other's way; a lock ends with its process."""

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
