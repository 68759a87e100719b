"""Answers with what is not JSON."""

import loop

loop.play(lambda message: print("\x00\xff call, I think", flush=True))
