"""A tournament as one file that others can check: a ZIP archive of its folder with a digest of every file.

The record in it names game, bots with versions and digests, seeds and settings; the matches hold every hand; the
verdict holds every number. The same tournament gives the same names and digests.
"""

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from luckless.errors import InputError
from luckless.plain_json import read_json
from luckless.tournaments.store import RECORD, VERDICT
from luckless.whole_files import check_writable, write_bytes

MANIFEST = "luckless-bundle.json"
MOST_FILES = 200_000
MOST_BYTES = 64 * 2**30
"""Unpacked, so that a small file cannot fill a disk."""

_LEFT_OUT = (".lock", "-wal", "-shm", ".part", ".tmp")


def write_bundle(folder: Path, file: Path) -> int:
    """Packs the tournament of a folder; the number of files in it."""
    if not (folder / VERDICT).is_file():
        raise InputError(f"{folder}: the tournament is not finished, so there is no verdict to pack")
    check_writable(file)
    names = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".") and not path.name.endswith(_LEFT_OUT)
    )
    digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    with tempfile.TemporaryDirectory(dir=file.resolve().parent, prefix=".bundle-") as place:
        draft = Path(place) / "bundle"
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED) as archive:
            _put(archive, MANIFEST, json.dumps({"format": 1, "files": digests}, indent=1).encode())
            for name in names:
                _put(archive, name, (folder / name).read_bytes())
        write_bytes(file, draft.read_bytes())
    return len(names)


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Adds a file without the time at which it was made."""
    archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)


def is_bundle(path: Path) -> bool:
    """Whether a path is a file that may be a bundle."""
    return path.is_file() and zipfile.is_zipfile(path)


@contextmanager
def unpacked(file: Path) -> Iterator[Path]:
    """The folder of a bundle, for as long as it is looked at; every file is held against its digest."""
    with tempfile.TemporaryDirectory(prefix="luckless-") as place:
        folder = Path(place)
        try:
            with zipfile.ZipFile(file) as archive:
                _unpack(archive, folder, file)
        except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
            raise InputError(f"{file}: cannot be unpacked: {error}") from None
        yield folder


def _unpack(archive: zipfile.ZipFile, folder: Path, file: Path) -> None:
    digests = _manifest(archive, file)
    entries = [entry for entry in archive.infolist() if entry.filename != MANIFEST]
    if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise InputError(f"{file}: it is too large; allowed are {MOST_FILES:,} files and {MOST_BYTES:,} bytes")
    if sorted(entry.filename for entry in entries) != sorted(digests):
        raise InputError(f"{file}: its files are not those that its manifest lists")
    for entry in entries:
        name = PurePosixPath(entry.filename)
        if name.is_absolute() or ".." in name.parts or "\\" in entry.filename or len(name.parts) > 3:
            raise InputError(f"{file}: it names a file outside of itself, {entry.filename!r}")
        data = archive.read(entry)
        if hashlib.sha256(data).hexdigest() != digests[entry.filename]:
            raise InputError(f"{file}: {entry.filename} is not what its digest says")
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _manifest(archive: zipfile.ZipFile, file: Path) -> dict[str, str]:
    try:
        values = read_json(archive.read(MANIFEST))
        digests = {str(name): str(digest) for name, digest in values["files"].items()}
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{file}: not a bundle of luckless: {error}") from None
    if RECORD not in digests:
        raise InputError(f"{file}: it holds no tournament")
    if VERDICT not in digests:
        raise InputError(f"{file}: it holds a tournament without a verdict")
    return digests
