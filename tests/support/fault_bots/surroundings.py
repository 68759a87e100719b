"""Plays well; says in its name which environment variables and open files it has."""

import json
import os
import sys

import loop

loop.leave_trace()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        files = sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1]  # the last is the listing itself
        name = json.dumps({"environment": sorted(os.environ), "files": files, "session": os.getsid(0) == os.getpid()})
        loop.write({"type": "hello", "protocol": 1, "name": name, "memory": False})
    elif message["type"] == "match":
        loop.write({"type": "ready"})
    elif message["type"] == "decide":
        loop.answer(message)
