"""Plays well, but dies at every fortieth decision."""

import itertools
import os

import loop

COUNT = itertools.count(1)


def decide(message):
    if next(COUNT) % 40 == 0:
        os._exit(7)
    loop.answer(message)


loop.play(decide)
