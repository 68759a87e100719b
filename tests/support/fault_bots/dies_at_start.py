"""Ends before it has said hello."""

import sys

import loop

loop.leave_trace()
print("my model file is missing", file=sys.stderr)
sys.exit(1)
