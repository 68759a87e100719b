"""Speaks another protocol."""

import sys

import loop

loop.leave_trace()
sys.stdin.readline()
loop.write({"type": "hello", "protocol": 99, "name": "from the future", "memory": False})
sys.stdin.read()
