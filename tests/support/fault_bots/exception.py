"""Raises an error at its first decision."""

import loop

loop.play(lambda message: message["no such key"])
