"""Files that are written whole or not at all: readers see the old file or the whole new one, whatever happens.

The bytes go to a temporary file with a name of its own beside the target, are synced and renamed into place. What a
killed process leaves is known by its name (`is_leftover`), which nothing else has: nobody else's file is removed.
"""

import contextlib
import errno
import fnmatch
import os
import re
import shutil
import stat
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from luckless.errors import InputError

FULL_DISK = (errno.ENOSPC, errno.EDQUOT)
"""The error numbers of a full disk."""

_NAME_LENGTH = 50  # of the target's name in a temporary one: with four bytes a letter it stays below a system's 255
_LEFTOVER = re.compile(r"\.(?P<target>.{1,50})\.[0-9a-f]{32}\.writing", re.DOTALL)
_CANNOT_SYNC_FOLDERS = (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM)


def check_writable(path: Path) -> None:
    """Refuses a place that cannot be written to, before any work is done for it."""
    target = _real(path)
    exists = _check_kind(path, target)
    if not target.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {_shown_folder(path, target)}")
    if not os.access(target.parent, os.W_OK | os.X_OK) or (exists and not os.access(target, os.W_OK)):
        raise InputError(f"{path} cannot be written: permission denied")


def write_bytes(path: Path, data: bytes | memoryview) -> None:
    """Writes a file whole or not at all."""
    with WholeFile(path) as file:
        file.write(data)


def write_text(path: Path, text: str) -> None:
    """Writes a text as UTF-8, whole or not at all; bytes that a log had instead of text are written as they were."""
    write_bytes(path, text.encode("utf-8", "surrogateescape"))


class WholeFile:
    """A file under way: its bytes go to a temporary file, which takes the target's name when all are on the disk.

    >>> with WholeFile(Path("numbers.bin")) as file:
    ...     file.write(b"1 2 3")

    An error inside leaves the target as it was and removes the temporary file. A symbolic link is followed and stays;
    an existing file keeps its permissions. Folders, devices and pipes raise `InputError`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._target = _real(path)
        exists = _check_kind(path, self._target)
        self._temporary = _temporary(self._target)
        with _naming(path):
            self.file: BinaryIO = _open_new(self._temporary)
            if exists:
                self._keep_permissions()

    def _keep_permissions(self) -> None:
        try:
            mode = stat.S_IMODE(self._target.stat().st_mode)
            self._temporary.chmod(mode)
        except FileNotFoundError:  # removed a moment ago: then it is a new file
            pass
        except BaseException:
            self.discard()
            raise

    def __enter__(self) -> BinaryIO:
        return self.file

    def finish(self) -> None:
        """Puts the file in its place."""
        try:
            with _naming(self._path):
                self.file.flush()
                os.fsync(self.file.fileno())
                self.file.close()
                os.replace(self._temporary, self._target)
        except BaseException:
            self.discard()
            raise
        with _naming(self._path):
            sync_folder(self._target.parent)

    def discard(self) -> None:
        """Leaves the target as it was."""
        with contextlib.suppress(OSError):  # what waits to be written does not fit on a full disk
            self.file.close()
        with contextlib.suppress(OSError):  # the error that led here says more
            self._temporary.unlink(missing_ok=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.finish()
            return
        self.discard()
        if isinstance(error, OSError) and error.errno is not None and error.filename is None:
            error.filename = str(self._path)  # a full disk does not say where


@contextlib.contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A new folder to fill, beside the target, which takes the target's name at the end.

    The target may be an empty folder; if anything is in it by then, `InputError` is raised and all of it stays.
    """
    target = _real(path)
    check_free_for_folder(path)
    temporary = _temporary(target)
    try:
        with _naming(path):
            temporary.mkdir()
        yield temporary
        _take_place(temporary, target, path)
    except OSError as error:
        if error.errno is not None and (error.filename is None or str(temporary) in str(error.filename)):
            _name(error, path)
        raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _take_place(temporary: Path, target: Path, path: Path) -> None:
    try:
        if os.name == "nt" and target.is_dir():  # no rename over a folder there, not even an empty one
            target.rmdir()
        temporary.rename(target)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise InputError(f"{path} was created by another process in the meantime; choose a new folder") from None
        raise
    sync_folder(target.parent)


def check_free_for_folder(path: Path) -> None:
    """Refuses a place where no new folder can be made: something is there, or the place cannot be written to."""
    target = _real(path)
    if target.is_dir():
        if any(target.iterdir()):
            raise InputError(f"{path} exists already and is not empty; choose a new folder")
    elif os.path.lexists(target):
        raise InputError(f"{path} is a file; give the name of a new folder")
    if not target.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {_shown_folder(path, target)}")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise InputError(f"{path} cannot be written: permission denied")


def sync(path: Path) -> None:
    """Waits until a file is on the disk; for a folder, see `sync_folder`."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Makes renames in a folder last through a power cut, where the system has a way to say so."""
    if os.name == "nt":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # one may write to a folder without reading it
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC_FOLDERS:
            raise
    finally:
        os.close(descriptor)


def is_leftover(name: str) -> bool:
    """Whether a name is that of an unfinished file of ours."""
    return _LEFTOVER.fullmatch(name) is not None


def remove_leftovers(folder: Path, targets: str = "*", older: tuple[str, ...] = ()) -> None:
    """Removes unfinished files of targets with such names (`rank-*`) that killed processes have left in a folder.

    `older` gives patterns of the names that earlier versions used there. Only for folders that are locked against a
    second writer: the files of one that is at work look the same.
    """
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        ours = _LEFTOVER.fullmatch(path.name)
        is_new = ours is not None and fnmatch.fnmatchcase(ours["target"], targets)
        if not path.is_dir() and (is_new or any(fnmatch.fnmatchcase(path.name, pattern) for pattern in older)):
            path.unlink(missing_ok=True)


def _real(path: Path) -> Path:
    """Where the bytes go: the end of a chain of symbolic links."""
    return Path(os.path.realpath(path))


def _check_kind(path: Path, target: Path) -> bool:
    """Whether there is a file at the target; anything else that may be there is refused."""
    try:
        mode = os.stat(target).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from None
    if stat.S_ISDIR(mode):
        raise InputError(f"{path} is a folder; give the name of a file to write")
    if not stat.S_ISREG(mode):
        raise InputError(f"{path} is not an ordinary file; give the name of a file to write")
    return True


def _shown_folder(path: Path, target: Path) -> Path:
    """The folder of a target as the user named it, unless a link leads elsewhere."""
    return target.parent if path.is_symlink() else path.parent


def _temporary(target: Path) -> Path:
    return target.with_name(f".{target.name[:_NAME_LENGTH]}.{uuid.uuid4().hex}.writing")


def _open_new(path: Path) -> BinaryIO:
    """A new file with the permissions that the umask gives."""
    return path.open("x+b")


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Lets system errors name the target and not the temporary file, which users do not know."""
    try:
        yield
    except OSError as error:
        _name(error, path)
        raise


def _name(error: OSError, path: Path) -> None:
    error.filename, error.filename2 = str(path), None
