"""What writers of matches and sessions share: beginning a store, resuming one, taking back its last chunk."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from luckless.bots.bot import Bot
from luckless.errors import InputError
from luckless.histories.catalogue import FILE, Catalogue, ChunkRow
from luckless.histories.chunks import ChunkFile, Packed
from luckless.histories.fingerprints import describe_bot
from luckless.histories.store import (
    PART,
    TEMPORARY,
    StoredHands,
    chunk_names,
    find_chunks,
    make_folder,
    remove_other_forms,
    sole_writer,
    write_file,
)
from luckless.matches.faults import Case, FaultLog
from luckless.matches.playing import SHOWDOWN, Chunk
from luckless.matches.seating import Decks
from luckless.matches.settings import is_sealed
from luckless.rules.replaying import replay
from luckless.whole_files import sync_folder

JUDGEMENT_FILE = "judgement.parquet"
"""The file of a judgement in the folder of its hands; it is removed when hands are added."""


def begin(folder: Path, settings: Mapping[str, Any], players: Sequence[Bot], stack: ExitStack) -> Catalogue:
    """A new store in a folder that is empty or not there; the stack lets go of it."""
    make_folder(folder)
    stack.enter_context(sole_writer(folder))
    catalogue = Catalogue.create(folder, settings, [describe_bot(player) for player in players])
    stack.callback(catalogue.close)
    return catalogue


def go_on(folder: Path, stack: ExitStack) -> Catalogue:
    """The catalogue of a store to which hands may be added; the stack lets go of it."""
    stack.enter_context(sole_writer(folder))
    catalogue = Catalogue.open(folder)
    stack.callback(catalogue.close)
    return catalogue


def tidy(folder: Path, catalogue: Catalogue) -> None:
    """Clears up after a crash: half files go, finished chunks that the catalogue does not know are entered."""
    for leftover in folder.glob(f"*{TEMPORARY}"):
        leftover.unlink()
    for row, note in find_chunks(folder, {chunk.first: chunk for chunk in catalogue.chunks()}):
        catalogue.add_chunk(row, note["faults"])
    chunks = catalogue.chunks()
    for chunk in chunks:
        remove_other_forms(folder, (chunk.hands_file.name, chunk.actions_file.name), chunk.first)


class Choices(NamedTuple):
    """What a command may leave out, and a folder decides that holds the match or the sessions already."""

    seed: int | None
    decks: Decks | None
    sealed: bool | None


def choices(folder: Path | None, seed: int | None, decks: Decks | None = None) -> Choices:
    """What was asked for, and for the rest what the folder holds, so that the same command goes on with a match."""
    if folder is None or not (folder / FILE).is_file():
        return Choices(seed, decks, None)
    catalogue = Catalogue.read(folder)
    try:
        stored = catalogue.settings()
    finally:
        catalogue.close()
    if "seed" not in stored:
        return Choices(seed, decks, None)
    sealed = is_sealed(stored, f"{folder}, settings")
    return Choices(int(stored["seed"]) if seed is None else seed, decks or stored.get("decks"), sealed)


def check_settings(folder: Path, stored: Mapping[str, Any], asked: Mapping[str, Any], keys: Sequence[str]) -> None:
    """Refuses to mix two matches in one folder."""
    for key in keys:
        if stored.get(key) != asked.get(key):
            raise InputError(f"{folder} holds another match: its {key} is {stored.get(key)}, not {asked.get(key)}")


def check_bots(folder: Path, catalogue: Catalogue, players: Sequence[Bot], *, adds: bool) -> None:
    """Refuses other bots than those of the store; if hands are to be added, also bots whose code has changed, and
    bots that keep memory of hands that they have not played."""
    stored = catalogue.bots()
    if len(stored) != len(players):
        raise InputError(f"{folder} holds another match: it has {len(stored)} bots, not {len(players)}")
    for player, (then, now) in enumerate(zip(stored, map(describe_bot, players), strict=True)):
        if then["name"] not in (now["name"], players[player].spec):  # older stores know programs by their command
            raise InputError(
                f"{folder} holds another match: its bot {player + 1} is {then['name']}, not {now['name']}"
            )
        if {**then, "name": now["name"]} != now and adds:
            raise InputError(f"{folder}: the code of {now['name']} has changed since the match was begun")
    remembers = [player.name for player in players if player.memory]
    if remembers and adds and catalogue.chunks():
        raise InputError(
            f"{folder}: cannot resume: {remembers[0]} keeps memory between hands; remove the folder to play anew"
        )


def set_aside(folder: Path, row: ChunkRow) -> ChunkRow:
    """A copy of a short last chunk under the names of a part, so that a full one can take its place.

    The catalogue must name the copy before the files of the chunk are written anew: whatever happens between the two
    writes, the catalogue then knows files that belong together.
    """
    stored = StoredHands.open(folder)
    hands_name, actions_name = chunk_names(row.first, part=row.hands)

    def copy(file: ChunkFile, name: str) -> ChunkFile:
        data = stored.checked_bytes(file)
        return write_file(folder, name, Packed(memoryview(data), hashlib.sha256(data).hexdigest()))

    actions_file = copy(row.actions_file, actions_name)  # the hands file comes last, as in every chunk
    hands_file = copy(row.hands_file, hands_name)
    sync_folder(folder)
    return ChunkRow(row.first, row.hands, hands_file, actions_file)


def reopen(folder: Path, catalogue: Catalogue, *, last_is_short: bool, **length: Any) -> None:
    """Takes the result back, and the last chunk if it is short; `length` is the new one, with the clocks that go with
    it. A crash costs no hand."""
    last = catalogue.chunks()[-1] if last_is_short else None
    if last is not None and PART in last.hands_file.name:
        last = None
    aside = set_aside(folder, last) if last is not None else None
    catalogue.reopen(aside, **length)
    if last is not None:
        for file in (last.hands_file, last.actions_file):
            (folder / file.name).unlink()


def fault_note(cases: Sequence[Case]) -> dict[str, Any]:
    """Faults as a chunk keeps them: how many of each kind, and whole the first of each player and of each kind."""
    log = FaultLog()
    for case in cases:
        log.add(case)
    in_order = sorted(log.cases, key=lambda case: case.player)
    kept = [[case.player, case.kind, case.hand, case.detail] for case in in_order]
    return {"cases": kept, "counts": [[*key, count] for key, count in sorted(log.counts.items())]}


def noted_cases(faults: Mapping[str, Sequence[Sequence[Any]]]) -> tuple[Case, ...]:
    """The faults of a chunk again, those that were only counted without their details."""
    kept = [Case(*case) for case in faults["cases"]]
    whole = Counter((case.player, case.kind) for case in kept)
    counted = [
        Case(player, kind, 0, "", count - whole[player, kind])
        for player, kind, count in faults["counts"]
        if count > whole[player, kind]
    ]
    return (*kept, *counted)


def played_chunk(stored: StoredHands, row: ChunkRow) -> Chunk:
    """Stored hands as the chunk that was played."""
    columns = stored.read_chunk(row)
    ends = replay(columns.records).ends
    streets = np.where(ends.showdown == 1, SHOWDOWN, ends.street).astype(np.int8)
    hands = replace(columns, players=columns.players.astype(np.int8))
    asked = not stored.settings.get("compiled", True)
    return Chunk(hands, streets, noted_cases(stored.faults[row.first]), asked)
