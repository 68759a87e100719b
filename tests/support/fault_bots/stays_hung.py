"""Starts a child, then hangs at its first decision and pays heed to nothing: not to its input, not to signals."""

import os
import signal
import subprocess
import sys
import time

import loop

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1_000_000)", *sys.argv[1:]])


def hang(message):
    """Leaves its number and the child's, and never answers."""
    for process in (os.getpid(), child.pid):
        with open(os.path.join(sys.argv[1], str(process)), "w"):
            pass
    time.sleep(1_000_000)


loop.play(hang)
