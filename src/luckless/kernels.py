"""Numba's `njit` with a disk cache that knows what a kernel is made of. Every compiled function of ours uses it.

Numba stamps a cached kernel with the file it stands in. But a kernel also contains the kernels, constants and record
types of the modules it imports: after an update of one of those, Numba alone would go on running the old rules. Here
the stamp covers every module of this package that the file imports, directly or not.

A machine's first run compiles, for up to half a minute: on a terminal it says so. Where no folder can be written,
every run compiles, and says so once.
"""

import contextlib
import functools
import hashlib
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import numba

from luckless import interpreted, work_clock
from luckless.numba_internals import (
    counting_options,
    listen_to_compiling,
    load_without_setting_up,
    put_locator_first,
)
from luckless.numba_linking import compile_inner_kernels_once
from luckless.numba_shortcuts import take_shortcuts
from luckless.progress import QUIET_SECONDS

_settings: Any = numba.config
INTERPRETED = bool(_settings.DISABLE_JIT)
"""Whether kernels run as plain Python (`NUMBA_DISABLE_JIT=1`), to be debugged."""

_PACKAGE = Path(__file__).parent
_FROZEN_TABLES = "strength.npz"
_IMPORT = re.compile(rb"^\s*(?:from|import) +(luckless[\w.]*)(?: +import +(\([^)]*\)|[^\n]*))?", re.MULTILINE)


@functools.cache
def _files_below(folder: str) -> frozenset[str]:
    """The modules of a package and the tables that its kernels hold as constants."""
    found: set[str] = set()
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found.update(os.path.join(place, name) for name in names if name.endswith(".py") or name == _FROZEN_TABLES)
    return frozenset(found)


@functools.cache
def _content_of(file: str) -> tuple[bytes, frozenset[str]]:
    """The hash of a file, and the modules of ours that it names in its import lines."""
    text = Path(file).read_bytes()
    named: set[str] = set()
    if file.endswith(".py"):
        for module, names in _IMPORT.findall(text):
            path = os.path.join(str(_PACKAGE.parent), *module.decode().split("."))
            if module != b"luckless":  # the package itself loads parts by name, and holds nothing that kernels use
                named.update((f"{path}.py", os.path.join(path, "__init__.py")))
            named.update(os.path.join(path, f"{name}.py") for name in re.findall(r"\w+", names.decode()))
    return hashlib.sha256(text).digest(), _files_below(str(_PACKAGE)) & named


@functools.cache
def stamp_of(file: Path) -> str:
    """A hash of a file, of every module of ours that it imports, and of tables that kernels hold as constants."""
    seen: set[str] = set()
    ahead = {str(file)}
    while ahead:
        seen |= ahead
        ahead = {part for seen_file in ahead for part in _content_of(seen_file)[1]} - seen
    tables = {os.path.join(folder, _FROZEN_TABLES) for folder in map(os.path.dirname, seen)}
    parts = seen | tables & _files_below(str(_PACKAGE))
    return hashlib.sha256(b"".join(_content_of(part)[0] for part in sorted(parts))).hexdigest()


class _PackageLocator:
    """Finds the cache where Numba would, and puts the stamp into the name of a kernel's files.

    So a stale kernel is not even opened: its index may name types that are no longer there.
    """

    @classmethod
    def from_function(cls, function: Any, file: str) -> Any:
        if not file.startswith(f"{_PACKAGE}{os.sep}"):
            return None
        locator = _numba_locator(function, file)
        if locator is not None:
            stamp, line = stamp_of(Path(file)), locator.get_disambiguator()
            ensure, folder = locator.ensure_cache_path, locator.get_cache_path()

            def ensure_cache_path() -> None:
                """Called before a kernel is kept: the files of earlier versions go."""
                ensure()
                _remove_stale(Path(folder), Path(file).stem, stamp[:16])

            locator.ensure_cache_path = ensure_cache_path
            locator.get_source_stamp = lambda: stamp
            locator.get_disambiguator = lambda: f"{line}-{stamp[:16]}"
        return locator


_LOCATOR_KINDS: dict[tuple[str, str], type] = {}
"""Which of Numba's locators serves a folder: asking each for every kernel writes a file each time."""


def _numba_locator(function: Any, file: str) -> Any:
    """What Numba itself would take; else, where that is set, a folder in LUCKLESS_CACHE_DIR; else None."""
    config: Any = numba.config
    place = os.path.dirname(file), str(config.CACHE_DIR)
    if place in _LOCATOR_KINDS:
        return _LOCATOR_KINDS[place](function, file)

    def first() -> Any:
        made = (locator_class.from_function(function, file) for locator_class in _NUMBA_LOCATORS)
        return next((locator for locator in made if locator is not None), None)

    locator, own_folder = first(), os.environ.get("LUCKLESS_CACHE_DIR")
    if locator is None and own_folder and not config.CACHE_DIR:
        config.CACHE_DIR = str(Path(own_folder) / "kernels")
        locator = first()
    if locator is not None:
        _LOCATOR_KINDS[place[0], str(config.CACHE_DIR)] = type(locator)
    return locator


@functools.cache
def _remove_stale(folder: Path, module: str, stamp: str) -> None:
    """Removes what is kept of kernels of a module's earlier versions, once one of the present version is kept."""
    for stale in folder.glob(f"{module}.*-[0-9]*-????????????????.*.nb[ci]"):
        if f"-{stamp}." not in stale.name:
            with contextlib.suppress(OSError):  # it is only dead weight
                stale.unlink()


_NUMBA_LOCATORS = put_locator_first(_PackageLocator)


def njit(borrows: bool = False, **options: Any) -> Any:
    """`numba.njit` with its options; without the cache where there is no folder for it or no way to stamp it.

    A kernel that `borrows` uses arrays that its caller holds: it makes none, calls nothing that gives one and returns
    none. It is compiled without counting who holds them: each count is a locked instruction, dozens of them a hand.
    """
    if INTERPRETED:
        return interpreted.njit(**options)
    options |= counting_options(not borrows)

    def compiled(function: Any) -> Any:
        if options.get("cache") and _NUMBA_LOCATORS:
            try:
                return numba.njit(**options)(function)
            except RuntimeError:  # Numba has found no folder that it can write
                _say_uncached()
            except (AttributeError, TypeError):  # the cache of this version of Numba works in another way
                pass
        return numba.njit(**{**options, "cache": False})(function)

    return compiled


@functools.cache
def _say_uncached() -> None:
    print(
        "note: no cache folder can be written, so compiled code is not kept and every run compiles for up to half a "
        "minute; set NUMBA_CACHE_DIR, XDG_CACHE_HOME or LUCKLESS_CACHE_DIR to a folder that can be written",
        file=sys.stderr,
    )


class CompilingNote:
    """Says once, on a terminal, why nothing happens while kernels are compiled; not within the first second."""

    def __init__(self) -> None:
        self._spent = self._began = 0.0
        self._depth = 0
        self._spoke = False

    def on_start(self, event: Any) -> None:
        """A kernel begins, on its own or because the one being compiled calls it."""
        now = time.monotonic()
        if self._depth == 0:
            self._began = now
        self._depth += 1
        if not self._spoke and self._spent + now - self._began > QUIET_SECONDS and sys.stderr.isatty():
            self._spoke = True
            print("compiling for this machine, up to half a minute; later runs start at once", file=sys.stderr)

    def on_end(self, event: Any) -> None:
        """A kernel is done."""
        self._depth -= 1
        if self._depth == 0:
            self._spent += time.monotonic() - self._began


class _ClockStop:
    """Lets the clock of the work stand still while code is compiled, or loaded from the cache."""

    def on_start(self, event: Any) -> None:
        """A thread takes Numba's lock, or waits for it."""
        work_clock.stop()

    def on_end(self, event: Any) -> None:
        """A thread gives the lock back."""
        work_clock.go_on()


compile_inner_kernels_once()
take_shortcuts()
load_without_setting_up()
listen_to_compiling(CompilingNote())
listen_to_compiling(_ClockStop(), "numba:compiler_lock")
