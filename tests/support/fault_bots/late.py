"""Answers every decision, each too late."""

import time

import loop


def dawdle(message):
    time.sleep(0.35)
    loop.answer(message)


loop.play(dawdle)
