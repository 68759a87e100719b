"""Single keys from the terminal, by name: arrows are `left`, `right`, `up` and `down`, others are themselves."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_ARROWS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left"}
END = "end"
"""The name of the end of input."""


def is_terminal() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def single_keys() -> Iterator[None]:
    """Inside, keys come at once and are not shown; Ctrl-C still interrupts."""
    try:
        import termios
        import tty
    except ImportError:  # Windows: msvcrt reads single keys anyway
        yield
        return
    stream = sys.stdin.fileno()
    before = termios.tcgetattr(stream)
    try:
        tty.setcbreak(stream)
        yield
    finally:
        termios.tcsetattr(stream, termios.TCSADRAIN, before)


def read_key() -> str:
    """Waits for a key and names it; to be called inside `single_keys`."""
    if sys.platform == "win32":
        return _windows_key()
    stream = sys.stdin.fileno()
    key = os.read(stream, 1)
    if key in (b"", b"\x04"):
        return END
    if key == b"\x1b":
        return _ARROWS.get(os.read(stream, 2)[-1:], "escape")
    return {b"\n": "enter", b"\r": "enter", b" ": "space"}.get(key, key.decode(errors="replace"))


def _windows_key() -> str:
    import msvcrt

    key = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
    if key in ("\x00", "\xe0"):
        code = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
        return {"H": "up", "P": "down", "M": "right", "K": "left"}.get(code, "escape")
    if key == "\x03":
        raise KeyboardInterrupt
    return {"\r": "enter", " ": "space", "\x1a": END}.get(key, str(key))
