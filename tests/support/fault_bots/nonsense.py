"""Answers with JSON that is no action, each time another."""

import itertools

import loop

ACTIONS = itertools.cycle([None, "call", 0.5, True, [0], {"raise": 10}, 1e400])
loop.play(lambda message: loop.write({"id": message["id"], "action": next(ACTIONS)}))
