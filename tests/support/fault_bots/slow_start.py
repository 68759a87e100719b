"""Takes a second to start, then plays well."""

import time

import loop

time.sleep(1.0)
loop.play(loop.answer)
