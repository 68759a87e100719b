"""Answers decisions that nobody asked, before its own."""

import loop


def invent(message):
    loop.write({"id": 10**9 + message["id"], "action": 0})
    loop.answer(message)


loop.play(invent)
