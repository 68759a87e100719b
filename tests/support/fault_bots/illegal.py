"""Raises to amounts that are not allowed."""

import itertools

import loop

ACTIONS = itertools.cycle([-2, 1, 10**9, 10**30])
loop.play(lambda message: loop.answer(message, next(ACTIONS)))
