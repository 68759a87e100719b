"""Keeps memory; writes every message that it gets to a file, and calls."""

import json
import os
import sys

import loop

with open(os.path.join(sys.argv[1], "messages"), "a") as record:
    for line in sys.stdin:
        record.write(line)
        record.flush()
        message = json.loads(line)
        if message["type"] == "hello":
            loop.write({"type": "hello", "protocol": 1, "name": "records", "memory": True})
        elif message["type"] == "match":
            loop.write({"type": "ready"})
        elif message["type"] == "decide":
            loop.answer(message)
