"""Answers every decision twice."""

import loop


def repeat(message):
    loop.answer(message)
    loop.answer(message)


loop.play(repeat)
