"""A stand-in for a language model on the loopback, to try `chat:` without one: `python tools/stand_in_model.py`.

It has the chat-completions interface at http://127.0.0.1:8000/v1, plays by its cards and the odds, and counts tokens
at four characters each. `--manner well` always checks or calls; the other manners are those of the tests.
"""

import argparse
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from stand_in import ChatServer, served


def main() -> None:
    """Answers until Ctrl-C."""
    parser = argparse.ArgumentParser(description="A stand-in for a language model.")
    parser.add_argument("--port", type=int, default=8_000)
    parser.add_argument("--manner", default="plays", help="plays (by default), well, wordy, busy, garbage, slow, ...")
    asked = parser.parse_args()
    with served(ChatServer(asked.manner), asked.port) as address:
        print(f"{address}/v1 ({asked.manner})", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
