"""Never says a word."""

import time

import loop

loop.leave_trace()
time.sleep(1_000_000)
