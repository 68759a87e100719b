"""Checks anything that was stored: hands, matches, sessions, evaluations, seasons and judgements.

What can be recomputed is recomputed and compared; nothing that a store names is run unless the caller allows it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.catalogue import foreign_code
from luckless.errors import InputError
from luckless.histories.playing_again import foreign_bots
from luckless.histories.resuming import JUDGEMENT_FILE
from luckless.histories.store import StoredHands
from luckless.histories.stored_evaluation import RECORD, match_folders
from luckless.histories.verifying import Verification, verify
from luckless.histories.verifying_evaluation import verify_evaluation
from luckless.league.run import Run
from luckless.league.season_checks import season_problems
from luckless.runs import CATALOGUE
from luckless.tournaments.bundle import is_bundle, unpacked
from luckless.tournaments.store import holds_tournament, read_outline
from luckless.tournaments.verifying import verify_tournament

if TYPE_CHECKING:
    from luckless.divat.judgement import Judgement


def verify_stored(folder: Path, workers: int | None = None, *, bots: bool = False) -> Verification:
    """Checks everything that can be checked of what a folder, or the file of a bundle, holds."""
    if is_bundle(folder):
        with unpacked(folder) as place:
            return verify_stored(place, workers, bots=bots)
    if folder.is_file():
        raise InputError(f"{folder}: not a bundle, or damaged; a folder of stored hands or a bundle is needed")
    if (folder / CATALOGUE).is_file():
        return _verify_season(folder, bots)
    if holds_tournament(folder):
        return verify_tournament(folder, workers, bots=bots)
    if (folder / RECORD).is_file():
        return verify_evaluation(folder, workers, bots=bots)
    found = verify(folder, workers, bots=bots)
    if (folder / JUDGEMENT_FILE).is_file():
        for problem in _judgement_problems(folder):
            found.fail(problem)
    return found


def what_runs(folder: Path) -> list[str]:
    """The bots that a folder names and that did not come with the package, each with what it would run."""
    if (folder / CATALOGUE).is_file():
        return []  # teachers are shipped bots and weights of the season itself
    if is_bundle(folder):
        with unpacked(folder) as place:
            return what_runs(place)
    if holds_tournament(folder):
        outline = read_outline(folder)
        told = zip(outline.specs, map(foreign_code, outline.specs), strict=True)
        return list(dict.fromkeys(f"{spec} {runs}" for spec, runs in told if runs))
    places = match_folders(folder) if (folder / RECORD).is_file() else [folder]
    return list(dict.fromkeys(line for place in places for line in foreign_bots(StoredHands.open(place))))


def _verify_season(folder: Path, bots: bool) -> Verification:
    run, found = Run.open(folder), Verification()
    if not run.store.sealed:
        found.notes.append("the catalogue carries no seal: an earlier version wrote it, and it was not resumed since")
    for problem in season_problems(run, bots=bots):
        found.fail(problem)
    [(found.rounds, found.hands)] = run.store.rows("select count(*), coalesce(sum(hands), 0) from rounds")
    if bots:
        found.reproduced = not found.failures
    else:
        found.notes.append("rounds among teachers were not played again: --bots does so")
    return found


def _judgement_problems(folder: Path) -> Iterator[str]:
    """A judgement beside a match is made again from its hands and compared, number by number."""
    from luckless.divat.judgement import judge
    from luckless.divat.judgement_file import load_judgement

    stored = StoredHands.open(folder)
    try:
        told = load_judgement(folder / JUDGEMENT_FILE, stored.digest)
        again = judge(stored.columns(), told.valuation, unknown=told.unknown_as)
    except InputError as error:
        yield str(error)
        return
    if (told.player, told.opponent) != (again.player, again.opponent):
        yield f"{JUDGEMENT_FILE}: it names other players than the hands"
    numbers, counted = _arrays_of(told), _arrays_of(again)
    for name in sorted(numbers.keys() ^ counted.keys()):
        yield f"{JUDGEMENT_FILE}: {name} is missing, or does not belong there"
    for name in numbers.keys() & counted.keys():
        if not _agree(numbers[name], counted[name]):
            yield f"{JUDGEMENT_FILE}: {name} is not what the hands give"


def _arrays_of(judgement: "Judgement") -> dict[str, NDArray[Any]]:
    """All numbers of a judgement by their names; values and streets may have one name for two things."""
    played = ("seats", "decks", "lines", "money", "deals", "numbers")
    return {
        **{f"the hands' {name}": getattr(judgement.played, name) for name in played},
        **judgement.values,
        **{f"{name} by street": matrix for name, matrix in judgement.streets.items()},
        "the pairs of hands": judgement.pairs,
    }


def _agree(told: NDArray[Any], again: NDArray[Any]) -> bool:
    close = told.shape == again.shape and np.allclose(told, again, rtol=1e-9, atol=1e-9, equal_nan=True)
    return bool(close)
