"""Checks a stored tournament: every match, that it is the one of its table, and every number of the verdict."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.playing_again import foreign_bots
from luckless.histories.store import StoredHands
from luckless.histories.verifying import KEPT, Verification, verify
from luckless.keys import trial_seed
from luckless.matches.settings import is_sealed
from luckless.rules.game import Game
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
        for problem in _verdict_problems(folder):
            found.fail(problem)
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
    if outline.settings.is_session:
        return
    if Game.from_dict(stored.settings["game"]) != outline.game:
        yield "it was played with another game than that of the record"
    if stored.settings.get("decks") != outline.decks:
        yield f"its decks are {stored.settings.get('decks')}; those of the record are {outline.decks}"


def _verdict_problems(folder: Path) -> Iterator[str]:
    """The verdict is made again from the hands and compared, number by number."""
    if not (folder / VERDICT).is_file():
        return
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
    return [
        f"{', '.join(names)}: not shipped with luckless, so their decisions cannot be played again here; all numbers "
        f"follow from the stored hands ({RECORD} has the digests of the bots)"
    ]


def _is_foreign(spec: str) -> bool:
    from luckless.bots.catalogue import foreign_code

    return bool(foreign_code(spec))
