"""Binary files that are attacked: judgements, weights and tables, and the folders of stored matches and seasons."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from fuzz_oracle import Wrong, check_columns
from fuzz_scratch import as_json, put, scratch

from luckless.rules.game import Game


@functools.cache
def judgement_file() -> bytes:
    """A judged match of 24 hands."""
    from luckless.bots.catalogue import load_bot
    from luckless.divat.continuations import Valuation
    from luckless.divat.judgement import judge
    from luckless.divat.judgement_file import save_judgement
    from luckless.divat.settings import STANDARD
    from luckless.matches.match import Match

    match = Match.plan(Game.load("limit-hu"), [load_bot("random"), load_bot("call")], hands=24, seed=2)
    path = scratch() / "made.parquet"
    save_judgement(judge([chunk.hands for chunk in match.chunks()], Valuation(STANDARD, "aie")), path)
    return path.read_bytes()


def read_judgement(data: bytes) -> str:
    """A judgement: refused, or the one that was made."""
    from luckless.divat.judgement_file import load_judgement

    read = load_judgement(put("judgement.parquet", data)).to_dict()
    if as_json(read) != as_json(_judgement_as_made()):
        raise Wrong("a judgement that is not the one that was stored")
    return "the same"


@functools.cache
def _judgement_as_made() -> dict[str, Any]:
    from luckless.divat.judgement_file import load_judgement

    return load_judgement(put("as_made.parquet", judgement_file())).to_dict()


@functools.cache
def weights_file() -> bytes:
    """A small frozen agent."""
    from luckless.learn.agents import settings_of
    from luckless.learn.networks import new_network
    from luckless.learn.weights import layer_arrays, write_file

    settings = settings_of("qlearn-8", {"hidden": [8, 8]})
    layers = new_network(settings.hidden, settings.outputs, np.random.default_rng(1))
    path = scratch() / "made.safetensors"
    write_file(path, "agent", settings, layer_arrays("network", layers), {})
    return path.read_bytes()


def read_weights(data: bytes) -> str:
    """A frozen agent: refused, or the one that was frozen."""
    from luckless.learn.agents import load_agent

    if load_agent(put("weights.safetensors", data)).fingerprint() != _frozen():
        raise Wrong("an agent that is not the one that was frozen")
    return "the same"


@functools.cache
def _frozen() -> str:
    from luckless.learn.agents import load_agent

    return load_agent(put("frozen.safetensors", weights_file())).fingerprint()


@functools.cache
def _table() -> Any:
    from luckless.hands.table_file import TableSpec

    return TableSpec("fuzz", 1, (("a", "<i4", 100), ("b", "<f8", 20)))


def table_file() -> bytes:
    """A small table as those of rank."""
    import os

    from luckless.hands.table_file import write_table

    os.environ["LUCKLESS_CACHE_DIR"] = str(scratch())
    write_table(_table(), {"a": np.arange(100, dtype=np.int32), "b": np.linspace(0, 1, 20)})
    return bytes(_table().path.read_bytes())


def read_table(data: bytes) -> str:
    """A built table: refused, or the arrays that were written."""
    import os

    from luckless.hands.table_file import open_table

    os.environ["LUCKLESS_CACHE_DIR"] = str(scratch())
    path = _table().path
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    arrays = open_table(_table())
    if arrays is None or not np.array_equal(arrays["a"], np.arange(100)):
        raise Wrong("a table that is not the one that was written")
    return "the same"


@dataclass
class Folder:
    """A stored thing: its folder, and all that can be read of it as it was made."""

    path: Path
    made: str


@functools.cache
def stored_match() -> Folder:
    """A match of two bots, with a fault-free end."""
    from luckless.bots.catalogue import load_bot
    from luckless.histories.match_writer import play_stored
    from luckless.matches.match import Match

    path = scratch() / "match"
    match = Match.plan(Game.load("limit-hu"), [load_bot("random"), load_bot("call")], hands=40, seed=2)
    play_stored(match, path)
    return Folder(path, match_contents(path))


def match_contents(path: Path) -> str:
    """All that can be read of a stored match without its bots."""
    from luckless import records
    from luckless.histories.store import StoredHands

    result, stored = records.load_match(path), StoredHands.open(path)
    batches = list(stored.columns())
    for columns in batches:
        check_columns(columns)
    arrays = [[part.tolist() for part in _arrays(columns)] for columns in batches]
    return as_json([result.to_dict(), stored.settings, stored.bots, arrays])


def _arrays(columns: Any) -> list[Any]:
    records = columns.records
    parts = [records.decks, records.stacks, records.ends, records.actions, records.payoffs]
    return [*parts, columns.numbers, columns.deals, columns.players, np.array(columns.names)]


@functools.cache
def stored_season() -> Folder:
    """A tiny season."""
    from league_season import play, use_fakes

    use_fakes()
    path = scratch() / "season"
    play(path)
    return Folder(path, season_contents(path))


def season_contents(path: Path) -> str:
    """All that the board and the page of a season say."""
    from luckless.league.season_record import SeasonRecord

    record = SeasonRecord.open(path)
    try:
        facts = [record.run.store.fact(key) for key in ("config", "settings", "game", "versions", "begun")]
        return as_json([record.to_dict(), facts, [str(entry) for entry in record.run.store.entries()]])
    finally:
        record.run.store.close()


def read_folder(folder: Callable[[], Folder], name: str, contents: Callable[[Path], str], data: bytes) -> str:
    """A folder with one damaged file: refused, or everything in it is read as it was made."""
    made = folder()
    path = made.path / name
    before = path.read_bytes()
    try:
        path.write_bytes(data)
        if contents(made.path) != made.made:
            raise Wrong(f"damaged {name} was read, and gave something else")
    finally:
        for beside in made.path.glob(f"{name}-*"):
            beside.unlink()
        path.write_bytes(before)
    return "the same"


def file_of(folder: Callable[[], Folder], name: str) -> bytes:
    """A file of a stored thing."""
    return (folder().path / name).read_bytes()
