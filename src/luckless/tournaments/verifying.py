"""Checks a stored tournament: every match, that it is the one of its table, and every number of the verdict."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.playing_again import foreign_bots
from luckless.histories.store import StoredHands
from luckless.histories.verifying import KEPT, Verification, verify
from luckless.keys import trial_seed
from luckless.matches.settings import is_sealed
from luckless.rules.game import Game
from luckless.skill.stored_policies import stored_policies
from luckless.skill.verdict import Knowledge
from luckless.tournaments.adjusting import Adjusted, Judge, adjusted_file, read_adjusted, values_for
from luckless.tournaments.planned import planning_problems, session_problems
from luckless.tournaments.result import load_tournament, same_numbers
from luckless.tournaments.store import RECORD, VERDICT, read_outline, read_record
from luckless.tournaments.tournament import Outline


def verify_tournament(folder: Path, workers: int | None = None, *, bots: bool = False) -> Verification:
    """Checks everything that can be checked of a tournament."""
    outline, found = read_outline(folder), Verification()
    for number in range(len(outline.tables)):
        place = folder / outline.folder(number)
        if (place / FILE).is_file() or any(place.glob("hands-*.parquet")):
            _add(found, place, workers, bots)
            for problem in _table_problems(outline, number, StoredHands.open(place)):
                found.fail(f"{place.name}: {problem}")
        else:
            found.notes.append(f"{place.name}: no hand was played yet")
    if not found.failures:
        for number in range(len(outline.tables)):
            _check_adjusted(found, folder, outline, number, bots)
        if not (folder / VERDICT).is_file():
            found.notes.append("the tournament is not finished: there is no verdict to check")
        else:
            for problem in (*_verdict_problems(folder), *planning_problems(folder)):
                found.fail(problem)
    if not (bots and found.reproduced):
        found.notes += _missing_bots(folder, outline)
    return found


def _add(found: Verification, place: Path, workers: int | None, bots: bool) -> None:
    """Checks one match and adds what was found."""
    try:
        one = verify(place, workers, bots=bots)
    except InputError as error:
        found.fail(str(error))
        return
    found.chunks += one.chunks
    found.hands += one.hands
    found.failures += one.failures
    found.problems += [f"{place.name}: {problem}" for problem in one.problems][: KEPT - len(found.problems)]
    if one.reproduced is not None:
        found.reproduced = one.reproduced and found.reproduced in (None, True)


def _table_problems(outline: Outline, number: int, stored: StoredHands) -> Iterator[str]:
    """A match must be that of its table: its bots, its seed, its game."""
    names = [bot["name"] for bot in stored.bots]
    expected = [outline.names[place] for place in outline.tables[number]]
    if names != expected:
        yield f"{' v '.join(names)} played; the record names {' v '.join(expected)}"
    keys = outline.keys
    seed = trial_seed(keys.seed, number) if keys.sealed else keys.seed
    told = (int(stored.settings.get("seed", -1)), is_sealed(stored.settings, "settings"))
    if told != (seed, keys.sealed):
        yield "its seed is not the one that the record gives it"
    for bot, place in zip(stored.bots, outline.tables[number], strict=False):
        told_bot = (outline.specs[place], outline.digests[place])
        if (bot["parameters"]["spec"], bot["code_sha256"]) != told_bot:
            yield f"{bot['name']} was not the bot that the record names: its parameters or its code differ"
    if outline.settings.is_session:
        yield from session_problems(outline, stored)
        return
    if Game.from_dict(stored.settings["game"]) != outline.game:
        yield "it was played with another game than that of the record"
    if stored.settings.get("decks") != outline.decks:
        yield f"its decks are {stored.settings.get('decks')}; those of the record are {outline.decks}"


def _check_adjusted(found: Verification, folder: Path, outline: Outline, number: int, bots: bool) -> None:
    """Judges the hands of a table again, if luck was taken out of them and the policies are here."""
    file, place = adjusted_file(folder, number), folder / outline.folder(number)
    told, wish = read_adjusted(file, len(outline.tables[number])), outline.settings.adjust
    if told is None or wish == "never":
        if (told is None) == (wish == "always") and (place / FILE).is_file():
            found.fail(f"{file.name}: it is {'missing' if told is None else 'there'}; the record says adjust {wish}")
        return
    known = stored_policies([place])
    if bots:
        specs = {bot["name"]: bot["parameters"]["spec"] for bot in StoredHands.open(place).bots}
        known |= {name: load_bot(specs[name]) for name in told.policies if name in specs and name not in known}
    missing = [name for name in told.policies if name not in known]
    policies = {name: known[name] for name in told.policies if name not in missing}
    knowledge = Knowledge(policies, values_for(outline.settings.values, outline.game))
    if missing:
        found.notes.append(f"{file.name}: not judged again, because {' and '.join(missing)} cannot be asked here")
    elif told.function != knowledge.values.digest:
        found.notes.append(f"{file.name}: not judged again, because its value function is not here")
    elif not _same_values(told, Judge(place, knowledge).judged(None, lambda _: None)):
        found.fail(f"{file.name}: not what the hands and the policies give")


def _same_values(one: Adjusted, other: Adjusted) -> bool:
    alike = (one.by, one.values.shape) == (other.by, other.values.shape)
    return alike and bool(np.allclose(one.values, other.values, rtol=1e-9, atol=1e-6))


def _verdict_problems(folder: Path) -> Iterator[str]:
    """The verdict is made again from the hands and compared, number by number."""
    told = read_record(folder / VERDICT, "verdict")
    again: dict[str, Any] = load_tournament(folder).to_dict()
    for key in sorted(told.keys() | again.keys()):
        if key not in told or key not in again:
            yield f"{VERDICT}: {key} is missing, or does not belong there"
        elif not same_numbers(told[key], again[key]):
            yield f"{VERDICT}: {key} is not what the hands give"


def _missing_bots(folder: Path, outline: Outline) -> list[str]:
    """Which bots are not here, and what cannot be checked without them."""
    lines: dict[str, None] = {}
    for number in range(len(outline.tables)):
        place = folder / outline.folder(number)
        if (place / FILE).is_file():
            lines |= dict.fromkeys(foreign_bots(StoredHands.open(place)))
    if not lines:
        return []
    names = [name for name, spec in zip(outline.names, outline.specs, strict=True) if _is_foreign(spec)]
    they = "it is" if len(names) == 1 else "they are"
    return [
        f"decisions of {', '.join(names)} are not played again here: {they} not shipped with luckless ({RECORD} has "
        "the digests); the numbers follow from the stored hands"
    ]


def _is_foreign(spec: str) -> bool:
    from luckless.bots.catalogue import foreign_code

    return bool(foreign_code(spec))
