"""Closes its input at its first decision and lives on."""

import os
import time

import loop


def stop_listening(message):
    os.close(0)
    time.sleep(1_000_000)


loop.play(stop_listening)
