"""The well-behaved part of the fault bots: the handshake, and a loop that leaves every decision to a function."""

import json
import os
import sys


def write(message):
    """One line of JSON."""
    print(json.dumps(message), flush=True)


def leave_trace():
    """Writes the number of this process to the folder that was given as an argument."""
    if len(sys.argv) > 1:
        with open(os.path.join(sys.argv[1], str(os.getpid())), "w"):
            pass


def play(decide, memory=False):
    """`decide(message)` answers a decision by writing to the output, or does what it likes."""
    leave_trace()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            write({"type": "hello", "protocol": 1, "name": "fault", "memory": memory})
        elif message["type"] == "match":
            write({"type": "ready"})
        elif message["type"] == "decide":
            decide(message)


def answer(message, action=0):
    """A proper answer."""
    write({"id": message["id"], "action": action})
