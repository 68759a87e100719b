"""Sit down against bots: the form, the table, and what a person's hands came to.

A table is a stored match of a person (`luckless.sitting`) below the folder. Changes are POSTs that name the hand and
the step which they answer.
"""

import re
import threading
import time
from pathlib import Path
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field, StrictInt

from luckless.errors import InputError
from luckless.histories.match_writer import match_settings
from luckless.histories.store import StoredHands
from luckless.matches.settings import MatchSettings
from luckless.rules.game import Game
from luckless.rules.game_files import game_names
from luckless.sitting.sitting import OPEN_HAND, Sitting
from luckless.web.finding import Found
from luckless.web.opponents import opponents, seat_bot
from luckless.web.rendering import address, json_answer, render
from luckless.web.tables import OpenTable, Stale, Tables

router = APIRouter()
NAVIGATION = (("Play", "/play", 20),)

FOLDER = "played"
"""Where new tables are stored, below the folder that is served."""
SEATS = 6
"""Players at a table, the person included."""
MOST_HANDS = 100_000

_MAKING = threading.Lock()


class Sit(BaseModel):
    """A new table."""

    game: str = Field(max_length=60)
    bots: list[str] = Field(min_length=1, max_length=SEATS - 1)
    name: str = Field("Guest", min_length=1, max_length=40)
    hands: StrictInt = Field(100, ge=1, le=MOST_HANDS)


class Change(BaseModel):
    """Something that is done at a table: it answers `step` of `hand`."""

    do: Literal["act", "deal", "leave", "sit"]
    hand: StrictInt = -1
    step: StrictInt = -1
    action: StrictInt = Field(0, ge=-1, le=2**31)
    hands: StrictInt = Field(100, ge=1, le=MOST_HANDS)


def tables_of(request: Request) -> Tables:
    """The tables of this server."""
    state = request.app.state
    with _MAKING:
        if not hasattr(state, "tables"):
            state.tables = Tables(state.settings.seats)
        tables: Tables = state.tables
    return tables


@router.get("/play")
def page(request: Request) -> Response:
    """The form for a new table, and earlier ones."""
    return render(request, "play.html", title="Play", offered=_offered(request))


@router.get("/api/play")
def api(request: Request) -> Response:
    """What can be chosen, and the tables that are there."""
    return json_answer(_offered(request))


@router.post("/api/play")
def sit(request: Request, wanted: Sit) -> Response:
    """Opens a new table."""
    finder = request.app.state.finder
    if wanted.game not in game_names():
        raise InputError(f"no game of this list is called {wanted.game!r}: choose one that the page offers")
    game = Game.load(wanted.game)
    if len(wanted.bots) >= game.seats:
        raise InputError(f"{game.name} has {game.seats} seats: choose up to {game.seats - 1} opponents")
    bots = [seat_bot(finder, name) for name in wanted.bots]
    place = _new_place(finder.root, wanted.bots)
    folder = finder.root / place
    table = tables_of(request).open(place, lambda: Sitting.plan(game, bots, wanted.name, wanted.hands, None, folder))
    return json_answer({"place": table.place, "address": address("play", table.place)}, 201)


@router.get("/play/{place:path}")
def table_page(request: Request, place: str) -> Response:
    """A table; one that a person left open goes on where it was."""
    state = _state(request, place)
    title = f"{state['game']} against {', '.join(state['names'][1:])}"
    return render(request, "table.html", title=title, state=state, place=place)


@router.get("/api/play/{place:path}")
def table_api(request: Request, place: str) -> Response:
    """The table as the person sees it."""
    return json_answer(_state(request, place))


@router.post("/api/play/{place:path}")
def change(request: Request, place: str, wanted: Change) -> Response:
    """Acts, deals, leaves, or sits down again; 409 with the table as it is if that was done already."""
    tables = tables_of(request)
    if wanted.do == "sit":
        return json_answer(_again(request, place, wanted.hands).told())
    table = _table(request, place)
    if table is None:
        raise InputError("nobody sits at this table: sit down again to go on")
    if not (request.app.state.finder.root / place).is_dir():
        tables.forget(place)
        raise InputError("the folder of this table was deleted or moved; what was played here is not stored any more")
    try:
        return json_answer(table.change(wanted.do, wanted.hand, wanted.step, wanted.action))
    except Stale as stale:
        return json_answer({"error": str(stale), "now": table.told()}, 409)


def _offered(request: Request) -> dict[str, Any]:
    """Games, bots, and tables of persons below the folder."""
    finder, playing = request.app.state.finder, tables_of(request).places()
    sat = [run for run in finder.runs() if run.kind == "hands" and _is_persons(run, playing)]
    games = [Game.load(name) for name in game_names()]
    return {
        "games": [
            {"name": game.name, "betting": game.betting, "seats": min(game.seats, SEATS), "blinds": list(game.blinds),
             "stack": game.stacks[0], "big_blind": game.big_blind}
            for game in games
        ],
        "bots": [bot.to_dict() for bot in opponents(finder)],
        "tables": [
            {**run.to_dict(), "address": address("play", run.place), "match": address("match", run.place),
             "open": run.place in playing}
            for run in sat[:50]
        ],
        "limit": request.app.state.settings.seats,
        "playing": len(playing),
    }  # fmt: skip


def _is_persons(run: Found, playing: list[str]) -> bool:
    return run.place in playing or run.place.startswith(f"{FOLDER}/") or (run.path / OPEN_HAND).is_file()


def _state(request: Request, place: str) -> dict[str, Any]:
    table = _table(request, place)
    if table is not None:
        return table.told()
    found = request.app.state.finder.run(place, "match")
    settings = _settings(found)
    return {"place": place, "phase": "left", "game": settings.game.name, "names": list(settings.names),
            "hands": settings.hands, "match": address("match", place)}  # fmt: skip


def _table(request: Request, place: str) -> OpenTable | None:
    """The table of a place; opened where a person's match is not finished, None where it is."""
    tables = tables_of(request)
    if (table := tables.get(place)) is not None:
        return table
    found = request.app.state.finder.run(place, "match")
    settings = _settings(found)
    left = found.outline.state == "finished"
    return None if left else _open(request, found, settings, max(settings.hands - found.outline.done, 1))


def _again(request: Request, place: str, hands: int) -> OpenTable:
    """Sits down again at a table that was left, for so many more hands."""
    tables = tables_of(request)
    table = tables.get(place)
    if table is not None and not table.ended:
        return table
    tables.forget(place)
    found = request.app.state.finder.run(place, "match")
    return _open(request, found, _settings(found), hands)


def _open(request: Request, found: Found, settings: MatchSettings, hands: int) -> OpenTable:
    finder = request.app.state.finder
    bots = [seat_bot(finder, spec) for spec in settings.specs[1:]]
    for bot, name in zip(bots, settings.names[1:], strict=True):
        bot.name = name
    seconds = settings.decision_seconds

    def plan() -> Sitting:
        return Sitting.plan(settings.game, bots, settings.names[0], hands, None, found.path, seconds)

    return tables_of(request).open(found.place, plan)


def _settings(found: Found) -> MatchSettings:
    """The settings of a person's match; refuses matches without one."""
    stored = StoredHands.open(found.path)
    settings = match_settings(stored.settings, stored.bots, found.path)
    if not settings.specs or settings.specs[0] != "person":
        raise InputError(f"{found.place or 'the folder itself'} is a match of bots: no person sits at it")
    return settings


def _new_place(root: Path, bots: list[str]) -> str:
    """A folder that is not there yet, named by the time and the bots."""
    words = re.sub(r"[^a-z0-9]+", "-", " ".join(bots).lower()).strip("-")[:40]
    base = f"{FOLDER}/{time.strftime('%Y-%m-%d-%H%M%S')}-{words or 'bots'}"
    number, place = 1, base
    while (root / place).exists():
        number += 1
        place = f"{base}-{number}"
    return place
