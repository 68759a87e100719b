"""Damaged input for every reader, by the thousand: `python tools/fuzz.py`, or `make fuzz`.

Each case is a sample with some damage. It must be refused with a declared error, or be read to what an independent
engine confirms; it may take ten seconds and two gigabytes. Cases follow from the seed and their numbers alone.
"""

import argparse
import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path[:0] = [str(TESTS / "fuzz"), str(TESTS / "support"), str(TESTS)]

from fuzz_runs import SECONDS, Tally, child, run  # noqa: E402 - found by the path above

COUNT = 3_000
SHOWN = 10


def main() -> int:
    """Runs the targets that are named, or all; 1 if any case fails."""
    asked = _arguments()
    if asked.child:
        child(asked.child, asked.seed, asked.first, asked.count, asked.seconds)
        return 0
    from fuzz_targets import TARGETS

    if unknown := [name for name in asked.targets if name not in TARGETS]:
        print(f"no target is called {unknown[0]}; allowed are {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    failed = 0
    for name in asked.targets or TARGETS:
        began = time.monotonic()
        tally = run([sys.executable, __file__], name, asked.seed, asked.first, asked.count, asked.seconds)
        _print(tally, time.monotonic() - began)
        failed += len(tally.failures)
    print("FAILED" if failed else "all is well")
    return 1 if failed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Gives damaged input to every reader.")
    parser.add_argument("targets", nargs="*", help="what to attack; everything if left out")
    parser.add_argument("--count", type=int, default=COUNT, help=f"cases of each target ({COUNT:,})")
    parser.add_argument("--first", type=int, default=1, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"what a case may take ({SECONDS:g})")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    return parser.parse_args()


def _print(tally: Tally, seconds: float) -> None:
    outcomes = ", ".join(f"{count:,} {what}" for what, count in tally.outcomes.most_common())
    used = f"slowest {tally.slowest:.2f} s, at most {tally.largest / 1e6:,.0f} MB, {seconds:,.0f} s in all"
    print(f"{tally.target:17} {tally.cases:>6,} cases: {outcomes}; {used}", flush=True)
    for failure in tally.failures[:SHOWN]:
        print(f"    {failure}", flush=True)
    if len(tally.failures) > SHOWN:
        print(f"    and {len(tally.failures) - SHOWN:,} more failures", flush=True)


if __name__ == "__main__":
    sys.exit(main())
