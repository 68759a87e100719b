"""Closes its output at its first decision and lives on."""

import os
import time

import loop


def hang_up(message):
    os.close(1)
    time.sleep(1_000_000)


loop.play(hang_up)
