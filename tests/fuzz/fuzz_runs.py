"""Runs cases in a child process with a limit on memory and on the time of each, and counts what came of them.

A case is made again from the seed, the target and its number: `tools/fuzz.py phh --first 17 --count 1` repeats one.
"""

import contextlib
import json
import resource
import select
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from limits import TooSlow, at_most

MEMORY = 2 << 30
SECONDS = 10.0
SLOW = "takes more than"
STARTING_SECONDS = 300.0
"""What the first case may take: kernels may have to be compiled."""
COMPILING_SECONDS = 60.0
GRACE = 20.0
"""A child that is silent for so much longer than a case may take hangs where no alarm reaches it."""


@dataclass
class Tally:
    """What came of the cases of a target."""

    target: str
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest: float = 0.0
    largest: int = 0
    """The most memory that the child ever had, in bytes."""

    @property
    def cases(self) -> int:
        """How many there were."""
        return sum(self.outcomes.values()) + len(self.failures)


def one_case(target: str, seed: int, number: int, seconds: float) -> tuple[str, str]:
    """Runs a case here: what came of it, and what went wrong ("" if nothing did)."""
    from fuzz_oracle import Wrong
    from fuzz_targets import REFUSED, TARGETS

    chosen = TARGETS[target]
    data = chosen.case(seed, number)
    try:
        with at_most(seconds), contextlib.redirect_stdout(sys.stderr):
            return chosen.check(data), ""
    except REFUSED as error:
        return ("refused", "") if str(error).strip() else ("", "an error without a word")
    except Wrong as error:
        return "", f"wrong: {error}"
    except TooSlow:
        return "", f"{SLOW} {seconds:g} s"
    except MemoryError:
        return "", "takes too much memory"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return "", f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"[:400]


def child(target: str, seed: int, first: int, count: int, seconds: float) -> None:
    """Runs cases under the limits, and writes a line of JSON for each."""
    import time

    what, problem = one_case(target, seed, 0, STARTING_SECONDS)  # loads and compiles, and must succeed
    one_case(target, seed, first, COMPILING_SECONDS)
    _say(first - 1, what, problem and f"the undamaged sample: {problem}", 0.0)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for number in range(first, first + count):
        began = time.monotonic()
        what, problem = one_case(target, seed, number, seconds)
        if problem.startswith(SLOW) and number > first:
            return  # it may have met a kernel that had to be compiled: a new child begins with this case
        _say(number, what, problem, time.monotonic() - began)


def _say(number: int, what: str, problem: str, seconds: float) -> None:
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    line = {"case": number, "what": what, "problem": problem, "seconds": seconds, "largest": largest}
    print(json.dumps(line), flush=True)


def run(command: Sequence[str], target: str, seed: int, first: int, count: int, seconds: float) -> Tally:
    """Runs the cases of a target in children; a child that dies is followed by one that goes on after its case."""
    tally, end = Tally(target), first + count
    while first < end:
        words = [*command, "--child", target, "--seed", str(seed), "--first", str(first)]
        done = first - 1
        for line in _lines([*words, "--count", str(end - first), "--seconds", str(seconds)], seconds):
            done = int(str(line["case"]))
            _count(tally, line, first)
        if done < first and done < end - 1:  # not even the case that a child begins with
            tally.failures.append(f"case {done + 1}: the process died or hung")
            done += 1
        first = done + 1
    return tally


def _count(tally: Tally, line: dict[str, object], first: int) -> None:
    if line["problem"]:
        tally.failures.append(f"case {line['case']}: {line['problem']}")
    elif int(str(line["case"])) >= first:
        tally.outcomes[str(line["what"])] += 1
    tally.slowest = max(tally.slowest, float(str(line["seconds"])))
    tally.largest = max(tally.largest, int(str(line["largest"])))


def _lines(words: Sequence[str], seconds: float) -> Iterator[dict[str, object]]:
    """The lines of a child, until it ends or is silent for too long; then it is killed."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1) as process:
        assert process.stdout is not None
        patience = STARTING_SECONDS + COMPILING_SECONDS + GRACE
        while select.select([process.stdout], [], [], patience)[0]:
            line = process.stdout.readline()
            if not line:
                return
            patience = seconds + GRACE
            yield json.loads(line)
        process.kill()
