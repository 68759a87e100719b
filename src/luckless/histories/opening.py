"""Opens logs, plain or gzip, as bounded lines or blocks of lines: memory never grows with the file."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from luckless.errors import InputError

Stream = IO[bytes] | gzip.GzipFile

LONGEST_LINE = 1 << 20
"""Longer lines do not occur in logs: they are cut here, and what is left is refused."""

BLOCK = 1 << 20


@contextmanager
def open_log(path: Path) -> Iterator[Stream]:
    """The bytes of a log, unpacked if its name ends in `.gz`; whatever goes wrong while reading names the file."""
    try:
        if path.suffix == ".gz":
            with gzip.open(path) as unpacked:
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
            line, first = line.removeprefix(b"\xef\xbb\xbf"), False
        yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")


def line_blocks(stream: Stream) -> Iterator[bytes]:
    """The file in blocks of whole lines, each about a megabyte; the last line may lack its end."""
    rest = b""
    while block := stream.read(BLOCK):
        block = rest + block
        cut = block.rfind(b"\n") + 1
        if cut == 0 and len(block) > LONGEST_LINE:
            cut = len(block)
        if cut:
            yield block[:cut]
        rest = block[cut:]
    if rest:
        yield rest
