#!/usr/bin/env python3
"""A complete bot for Luckless in Python, without any package: it raises with a pair in its hand and calls otherwise.

Try it: luckless check "exec:python3 examples/pairs_bot.py"
"""

import json
import sys


def decide(view):
    """One decision: -1 folds, 0 checks or calls, x > 0 bets or raises to x chips on this street."""
    first, second = view["hole"]  # such as "Ac" and "Ad"
    if first[0] == second[0] and view["max_raise_to"] > 0:
        return view["min_raise_to"]
    return 0


def main():
    """Answers line by line until the input ends."""
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            answer = {"type": "hello", "protocol": 1, "name": "pairs raise", "memory": False}
        elif kind == "match":
            answer = {"type": "ready"}
        elif kind == "decide":
            answer = {"id": message["id"], "action": decide(message)}
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
