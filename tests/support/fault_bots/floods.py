"""Writes a gigabyte of lines instead of an answer."""

import sys

import loop


def flood(message):
    for _ in range(1_000):
        sys.stdout.write("spam and eggs\n" * 75_000)


loop.play(flood)
