"""A tournament in its folder: the record that was fixed before play, a stored match for each table, the verdict."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from luckless.bots.bot import Bot
from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.chunks import Packed
from luckless.histories.store import StoredHands, make_folder, sole_writer, write_file
from luckless.plain_json import read_json
from luckless.rules.game import Game
from luckless.tournaments.settings import Settings
from luckless.tournaments.tournament import Outline, Tournament

RECORD = "tournament.json"
VERDICT = "verdict.json"


def read_outline(folder: Path) -> Outline:
    """The record of the tournament in a folder."""
    return Outline.from_dict(read_record(folder / RECORD, "tournament"), str(folder / RECORD))


def read_record(path: Path, what: str) -> dict[str, Any]:
    """A JSON file of a tournament."""
    try:
        values = read_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not a valid record of a {what}: {error}") from None
    if not isinstance(values, dict):
        raise InputError(f"{path}: not a valid record of a {what}: it is not a table of keys")
    return values


def holds_tournament(folder: Path) -> bool:
    """Whether a folder has the record of a tournament."""
    return (folder / RECORD).is_file()


@contextmanager
def opened(folder: Path, settings: Settings | None, bots: Sequence[Bot] = ()) -> Iterator[Tournament]:
    """The tournament of a folder, new with these settings or the one that is there, held against a second writer."""
    if holds_tournament(folder):
        known = read_outline(folder)
        if settings is not None and not _is_same(known, settings):
            raise InputError(
                f"{folder} holds another tournament; choose a new folder, or use `luckless tournament resume`"
            )
        with sole_writer(folder):
            planned = Tournament.plan(known.settings, known, bots)
            _check_same(folder, known, planned.outline)
            yield replace(planned, outline=known)
        return
    if settings is None:
        raise InputError(f"{folder} holds no tournament")
    planned = Tournament.plan(settings, bots=bots)
    make_folder(folder)
    with sole_writer(folder):
        write_json(folder, RECORD, planned.outline.to_dict())
        yield planned


def _is_same(known: Outline, settings: Settings) -> bool:
    """Whether these are the stored settings; the seed counts only if somebody asks for one, the game by its rules."""
    stored = known.settings if settings.seed else replace(known.settings, seed="")
    return settings == stored and (settings.is_session or Game.load(settings.game) == known.rules)


def _check_same(folder: Path, known: Outline, planned: Outline) -> None:
    """Refuses to go on with other bots than began."""
    for then, now in ((known.names, planned.names), (known.specs, planned.specs), (known.absent, planned.absent)):
        if then != now:
            raise InputError(
                f"{folder}: cannot resume: its bots are {', '.join(then)}; now they are {', '.join(now)}"
            )
    for name, then_digest, now_digest in zip(known.names, known.digests, planned.digests, strict=True):
        if then_digest != now_digest:
            raise InputError(
                f"{folder}: cannot resume: the code of {name} has changed since the tournament was begun"
            )


def write_json(folder: Path, name: str, values: dict[str, Any]) -> None:
    """Writes a record whole or not at all."""
    data = (json.dumps(values, indent=1, allow_nan=False) + "\n").encode()
    write_file(folder, name, Packed(memoryview(data), hashlib.sha256(data).hexdigest()))


def state_of(place: Path) -> tuple[int, bool]:
    """Hands that the folder of a table holds, and whether its result is stored too."""
    if not (place / FILE).is_file():
        return 0, False
    stored = StoredHands.open(place)
    return stored.hands, stored.finished
