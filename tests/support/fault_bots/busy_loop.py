"""Computes for ever at its first decision, deaf to signals that can be ignored."""

import itertools
import signal

import loop

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
loop.play(lambda message: sum(0 for _ in itertools.count()))
