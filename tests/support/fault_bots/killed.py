"""Is killed at its first decision."""

import os
import signal

import loop

loop.play(lambda message: os.kill(os.getpid(), signal.SIGKILL))
