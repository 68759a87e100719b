"""Starts children that hold its pipes and outlive it, and stays after goodbye."""

import os
import subprocess
import sys
import time

import loop

child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1_000_000)", *sys.argv[1:]])
if len(sys.argv) > 1:
    with open(os.path.join(sys.argv[1], str(child.pid)), "w"):
        pass
loop.play(loop.answer)
time.sleep(1_000_000)
