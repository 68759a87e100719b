"""Opens logs, plain or gzip, as bounded lines or blocks of lines: memory never grows with the file.

A gzip file that unpacks to very much more than any log does is refused, so that time stays linear in its size.
"""

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from luckless.errors import InputError

Stream = IO[bytes] | io.BufferedReader

MARK = b"\xef\xbb\xbf"
"""The byte order mark that some editors put before a text; it is left out."""

LONGEST_LINE = 1 << 20
"""Longer lines do not occur in logs: they are cut here, and what is left is refused."""

BLOCK = 1 << 20

MOST_UNPACKED = 200
"""How many times its packed size a gzip file may have: logs pack five to thirty times..."""
ALWAYS_UNPACKED = 64 << 20
"""... but files that unpack to less than this are read whatever their ratio."""


class _Unpacked(io.RawIOBase):
    """The bytes of a gzip file, with an end to what a small one may unpack to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left = max(MOST_UNPACKED * os.path.getsize(path), ALWAYS_UNPACKED)
        self._file = gzip.open(path)  # noqa: SIM115 - `close` closes it

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        read = self._file.readinto(buffer)
        self._left -= read
        if self._left < 0:
            raise InputError(
                f"{self._path}: it unpacks to more than {MOST_UNPACKED} times its size, which no log does"
            )
        return read

    def close(self) -> None:
        self._file.close()
        super().close()


@contextmanager
def open_log(path: Path) -> Iterator[Stream]:
    """The bytes of a log, unpacked if its name ends in `.gz`; whatever goes wrong while reading names the file."""
    try:
        if path.suffix == ".gz":
            with io.BufferedReader(_Unpacked(path), BLOCK) as unpacked:
                yield unpacked
        else:
            with path.open("rb") as stream:
                yield stream
    except EOFError:
        raise InputError(f"{path}: the gzip file is incomplete: it is cut off or still being written") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: it is not a valid gzip file: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def text_lines(stream: Stream) -> Iterator[str]:
    """The lines of a text without their ends; bytes that are not UTF-8 stay recognisable as lone surrogates."""
    first = True
    while line := stream.readline(LONGEST_LINE):
        if first:
            line, first = line.removeprefix(MARK), False
        yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")


def line_blocks(stream: Stream) -> Iterator[bytes]:
    """The file in blocks of whole lines, each about a megabyte; the last line may lack its end."""
    rest, first = b"", True
    while block := stream.read(BLOCK):
        if first:
            block, first = block.removeprefix(MARK), False
        block = rest + block
        cut = block.rfind(b"\n") + 1
        if cut == 0 and len(block) > LONGEST_LINE:
            cut = len(block)
        if cut:
            yield block[:cut]
        rest = block[cut:]
    if rest:
        yield rest
