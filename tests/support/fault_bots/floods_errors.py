"""Writes megabytes to its error output at each decision, and answers well."""

import sys

import loop


def chatter(message):
    sys.stderr.write("thinking\n" * 100_000)
    loop.answer(message)


loop.play(chatter)
