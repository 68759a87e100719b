"""Checks a stored evaluation: each of its matches, what its record says of them, and the comparisons of two bots."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.histories.counting_again import first_difference
from luckless.histories.stored_evaluation import RECORD, match_folders, read_record
from luckless.histories.stored_match import load_match_result
from luckless.histories.verifying import KEPT, Verification, verify
from luckless.keys import trial_seed
from luckless.matches.evaluation import Trial, compare_trials
from luckless.matches.result import set_scale
from luckless.matches.settings import is_sealed
from luckless.rules.game import Game


def verify_evaluation(folder: Path, workers: int | None = None, *, bots: bool = False) -> Verification:
    """Checks everything that can be checked of an evaluation."""
    record, found = read_record(folder), Verification()
    trials: dict[str, Trial] = {}
    begun = {place.name for place in match_folders(folder)}
    for bot, names in zip((record["bot"], record["compared_with"]), record["matches"], strict=False):
        for place, (opponent, name) in enumerate(zip(record["opponents"], names, strict=True)):
            if name not in begun:
                found.notes.append(f"{name}: no hand was played yet")
                continue
            trial = _verified(folder / name, opponent, workers, bots, found)
            if trial is not None:
                trials[name] = trial
                for problem in _record_problems(record, trial, bot, place):
                    found.fail(f"{name}: {problem}")
    if not found.failures:
        for problem in _comparison_problems(record, trials):
            found.fail(f"{RECORD}: {problem}")
    return found


def _verified(folder: Path, opponent: str, workers: int | None, bots: bool, found: Verification) -> Trial | None:
    """Checks one match and adds what was found; the trial as its hands give it."""
    won: list[NDArray[np.int64]] = []
    try:
        one = verify(folder, workers, bots=bots, on_sets=won.append)
    except InputError as error:
        found.fail(str(error))
        return None
    found.chunks += one.chunks
    found.hands += one.hands
    found.failures += one.failures
    found.problems += [f"{folder.name}: {problem}" for problem in one.problems][: KEPT - len(found.problems)]
    found.notes += [f"{folder.name}: {note}" for note in one.notes]
    found.reproduced = one.reproduced if found.reproduced is None else found.reproduced and one.reproduced
    if one.failures or not won:
        return None
    result = load_match_result(folder)
    samples = np.concatenate(won)[:, 0].astype(np.float64) * set_scale(result.match)
    return Trial(opponent, result, samples)


def _record_problems(record: dict[str, Any], trial: Trial, bot: str, place: int) -> Iterator[str]:
    """The record must say what the match against its opponent number `place` says."""
    match, opponent, seed = trial.result.match, trial.opponent, int(record["seed"])
    if match.names[0] != bot or set(match.names[1:]) != {opponent}:
        yield f"{' v '.join(dict.fromkeys(match.names))} played; the record names {bot} v {opponent}"
    if match.game != Game.from_dict(record["game"]).with_seats(len(match.names)):
        yield "it was played with another game than that of the record"
    sealed = is_sealed(record, RECORD)
    if (match.seed, match.sealed) != (trial_seed(seed, place) if sealed else seed, sealed):
        yield "its seed is not the one that the record gives it"
    if record["decks"] not in (None, match.decks):
        yield f"its decks are {match.decks}; those of the record are {record['decks']}"


def _comparison_problems(record: dict[str, Any], trials: dict[str, Trial]) -> Iterator[str]:
    """Comparisons are made again from the sets of the two matches of each."""
    told = record.get("comparisons")
    if told is None:
        return
    pairs = list(zip(*record["matches"], strict=True)) if len(record["matches"]) == 2 else []
    both = [(trials[ours], trials[theirs]) for ours, theirs in pairs if ours in trials and theirs in trials]
    again = [json.loads(json.dumps(dataclasses.asdict(compare_trials(*pair)))) for pair in both]
    difference = first_difference(told, again, "comparisons")
    if difference:
        yield difference
