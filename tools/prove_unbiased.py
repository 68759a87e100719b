"""Proves over millions of hands that estimators which need policies agree with money.

    python tools/prove_unbiased.py limit --hands 1000000 --out proof.jsonl

What an estimator takes out of the money must have the mean 0, in all and by kind of luck. Hands are played and judged
in parts of 5,000, on all cores, and the sums of each part are kept in the file as one line. Interrupt it when you
like: the same command goes on where it stopped, and more hands may be asked for later. With `--skip N` it looks at
other hands, those after the first N. It ends with code 1 if a mean is more than four standard errors from 0.
"""

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import luckless as lk
from luckless.bots.bot import Bot
from luckless.bots.fingerprints import checksum
from luckless.errors import InputError
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from luckless.skill.by_steps import Aivat, Imaginary, walk_hands
from luckless.skill.named_values import EQUITY, named_values
from luckless.skill.verdict import Knowledge
from luckless.threads import THREADS

STAYS = "mix:value-bet=3,call=1"
PAIRINGS = {
    "limit": ("limit-hu", ("value-bet", "pot-odds"), 1),
    "limit-mixed": ("limit-hu", (STAYS, "value-bet"), 1),
    "no-limit": ("nolimit-hu", ("value-bet", "value-bet"), 1),
    "no-limit-mixed": ("nolimit-hu", (STAYS, "value-bet"), 1),
    "no-limit-both": ("nolimit-hu", (STAYS, "sklansky"), 2),
    "blueprint": ("nolimit-hu", ("blueprint", "value-bet"), 1),
    "six-handed": ("nolimit-6max", ("value-bet",) * 6, 1),
    "six-handed-mixed": ("nolimit-6max", (STAYS, *("value-bet",) * 5), 6),
}
"""By name the game, the bots (the first is judged), and of how many of them the policy is known."""

PART, SEED = 5_000, 62_000
BOUND = 4.0
SURE = 1.282
"""Standard errors beyond the bound at which a bias is found nine times of ten."""

Sums = dict[str, list[float]]


class Work(NamedTuple):
    """One part of the hands of a pairing."""

    pairing: str
    part: int


def bots_of(pairing: str) -> list[Bot]:
    """The bots of a pairing, by name unlike each other."""
    return [lk.bot(spec, f"{place}") for place, spec in enumerate(PAIRINGS[pairing][1])]


def digest_of(pairing: str) -> str:
    """What tells sums of other bots or values from those of now."""
    bots = [bot.fingerprint() for bot in bots_of(pairing)]
    return checksum([repr(PAIRINGS[pairing]), named_values(EQUITY).digest, *bots])[:16]


def judged(work: Work) -> tuple[Work, float, Sums]:
    """The sums of one part: for each estimator and kind of luck how many hands, the sum and the sum of squares."""
    begun = time.process_time()
    game, _, many = PAIRINGS[work.pairing]
    bots = bots_of(work.pairing)
    match = Match.plan(Game.load(game), bots, hands=PART, seed=SEED + work.part, decks="fresh")
    hands: HandColumns = join([chunk.hands for chunk in match.chunks()])
    knowledge = Knowledge({bot.name: bot for bot in bots[:many]}, named_values(EQUITY))
    walked = walk_hands(hands, 0, knowledge, vary=True)
    sums: Sums = {"money": _sums(walked.money / hands.records.game.big_blind)}
    for estimator in (Aivat(), Imaginary()):  # what imaginary observations take out does not depend on values
        taken = {
            kind: part / hands.records.game.big_blind for kind, part in estimator.removed(walked.account).items()
        }
        taken = taken if len(taken) == 1 else {"all": np.sum(list(taken.values()), axis=0), **taken}
        sums |= {f"{estimator.name}, {kind}": _sums(part) for kind, part in taken.items()}
    return work, time.process_time() - begun, sums


def _sums(values: Any) -> list[float]:
    return [float(len(values)), float(values.sum()), float(values @ values)]


def stored(out: Path, pairing: str, digest: str) -> dict[int, Sums]:
    """The parts of a pairing that lie in the file; a line that was cut off is none."""
    found: dict[int, Sums] = {}
    for line in out.read_text().splitlines() if out.exists() else ():
        try:
            said = json.loads(line)
        except json.JSONDecodeError:
            continue
        if said["pairing"] == pairing:
            if said["digest"] != digest:
                raise InputError(f"{out} has sums of other bots or values for {pairing}; take another file")
            found[said["part"]] = said["sums"]
    return found


def missing(pairing: str, parts: range, out: Path, digest: str) -> Iterator[tuple[Work, float]]:
    """Judges the parts that the file lacks, and adds them to it; gives each with its processor time."""
    lacking = sorted(set(parts) - stored(out, pairing, digest).keys())
    os.environ[THREADS] = "1"  # a process each
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), get_context("spawn")) as pool, out.open("a") as file:
        if file.tell():
            file.write("\n")  # after a line that was cut off
        waiting = [pool.submit(judged, Work(pairing, part)) for part in lacking]
        try:
            for one in as_completed(waiting):
                work, seconds, sums = one.result()
                line = {"pairing": pairing, "digest": digest, "part": work.part, "sums": sums}
                file.write(json.dumps(line) + "\n")
                file.flush()
                yield work, seconds
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def told(pairing: str, parts: dict[int, Sums]) -> bool:
    """Prints the means and how small a bias they would show; whether all are within the bound."""
    fine = True
    totals = {kind: np.sum([part[kind] for part in parts.values()], axis=0) for kind in next(iter(parts.values()))}
    print(f"{pairing}: {int(totals['money'][0]):,} hands; mbb/h")
    for kind, (count, total, squares) in totals.items():
        mean = total / count
        error = math.sqrt(max(squares / count - mean**2, 0.0) / count)
        off = abs(mean) / error if error > 0 else 0.0
        least = (BOUND + SURE) * error
        verdict = "" if kind == "money" else f"{off:5.2f} errors, would find {1000 * least:7.2f} nine times of ten"
        print(f"  {kind:34} {1000 * mean:+9.2f} ± {1000 * error:6.2f}  {verdict}".rstrip())
        fine &= kind == "money" or off <= BOUND
    return fine


def main() -> int:
    """Judges what is missing, and prints what all parts say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairing", choices=PAIRINGS)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--skip", type=int, default=0, help="leave out so many hands, and look at those after them")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    first, last = given.skip // PART, math.ceil((given.skip + given.hands) / PART)
    digest, parts = digest_of(given.pairing), range(first, last)
    spent, done = 0.0, 0
    for _, seconds in missing(given.pairing, parts, given.out, digest):
        spent, done = spent + seconds, done + 1
        pace = done * PART / spent
        print(
            f"\r{done * PART:,} hands judged, {pace:,.0f} a second of one core", end="", file=sys.stderr, flush=True
        )
    print(file=sys.stderr)
    found = {part: sums for part, sums in stored(given.out, given.pairing, digest).items() if part in parts}
    return 0 if told(given.pairing, found) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\ninterrupted; what is judged so far lies in the file")
