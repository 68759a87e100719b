"""Writes a gigabyte without an end of line instead of an answer."""

import sys

import loop


def flood(message):
    for _ in range(1_000):
        sys.stdout.write("x" * 1_000_000)


loop.play(flood)
