"""Sleeps for ever at its first decision."""

import time

import loop

loop.play(lambda message: time.sleep(1_000_000))
