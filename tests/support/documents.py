"""Documents that are run: their fenced blocks in order, and whether what they show is what was printed."""

import contextlib
import importlib.util
import io
import re
from pathlib import Path
from typing import Any, NamedTuple

FENCE = re.compile(r"^```(\w*)(?: needs=(\w+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"^# (\S+\.(?:py|toml))\n")


class Block(NamedTuple):
    """A fenced block: its language, the package it cannot do without, and its text."""

    language: str
    needs: str
    body: str


def blocks_of(text: str) -> list[Block]:
    """The fenced blocks of a Markdown text, in order."""
    return [Block(*block) for block in FENCE.findall(text)]


def matches(shown: str, printed: str) -> bool:
    """Whether the output is what is shown; `…` stands for anything, as timings differ from run to run."""
    pattern = r".*?".join(re.escape(" ".join(part.split())) for part in shown.split("…"))
    return re.search(pattern, " ".join(printed.split()), re.DOTALL) is not None


def write_named_file(body: str, folder: Path) -> bool:
    """Writes a block that begins with a comment naming a file; whether it does."""
    name = FILE_NAME.match(body)
    if name:
        (folder / name[1]).write_text(body)
    return name is not None


def is_missing(package: str) -> bool:
    """Whether a package that a block needs is not installed."""
    return bool(package) and importlib.util.find_spec(package) is None


def run_cell(code: str, namespace: dict[str, Any], name: str) -> str:
    """Runs code in a namespace and gives what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, name, "exec"), namespace)
    return printed.getvalue()
