"""Hands of a run: filtered by an address that can be kept, sorted, exported; an index is read, never all hands."""

import itertools
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from luckless.cards import format_card, format_cards
from luckless.histories.hand_export import exported
from luckless.histories.hand_index import board_cards, combo_cards, index_files
from luckless.histories.hand_search import ENDINGS, HandFilter, HandSearch, seats_that_fit
from luckless.histories.rows import positions
from luckless.histories.store import StoredHands
from luckless.matches.settings import player_names
from luckless.rules.game import STREETS, Game
from luckless.sitting.open_hand import PERSON
from luckless.skill.hand_luck import luck_rows
from luckless.web.finding import Found
from luckless.web.jobs import Job
from luckless.web.kept import Kept
from luckless.web.rendering import address, json_answer, render
from luckless.web.secret_seeds import may_be_listed, refuse_open_cards

router = APIRouter()

KINDS = ("match", "session", "hands")
PAGE = 50
MOST_EXPORTED = 100_000
LUCK = "luck"

_STORES: Kept[StoredHands] = Kept(16)
_SEARCHES: Kept[HandSearch] = Kept(8)


def stored_of(found: Found) -> StoredHands:
    """The store of a run, kept until its files change."""
    return _STORES.get(found, lambda: StoredHands.open(found.path))


def search_of(found: Found) -> HandSearch:
    """The index of a run; made where it is missing."""
    stored = stored_of(found)
    luck = index_files(stored, kind=LUCK, make=False)
    known = luck if len(luck) == len(stored.chunks) else []
    return _SEARCHES.get(found, lambda: HandSearch(index_files(stored), known), len(known))


@router.get("/hands/{place:path}")
def page(request: Request, place: str) -> Response:
    """The list with its filter."""
    found = request.app.state.finder.run(place, *KINDS)
    stored = stored_of(found)
    values = _page(found, request)
    return render(
        request, "hands.html", title=f"Hands of {found.outline.title}", found=found, endings=ENDINGS, streets=STREETS,
        names=player_names(stored.names)[:MOST_NAMES], seats=_seat_names(stored), page=values,
        words=values["filter"], sorted_by=lambda sort: _sorted_by(found, values, sort),
    )  # fmt: skip


MOST_NAMES = 200
"""Players that the form offers by name; more are filtered by their numbers."""


@router.get("/api/hands/{place:path}")
def api(request: Request, place: str) -> Response:
    """The same as JSON."""
    return json_answer(_page(request.app.state.finder.run(place, *KINDS), request))


@router.post("/api/luck/{place:path}")
def work_out_luck(request: Request, place: str) -> Response:
    """Begins to work out the luck of every hand, which filters and sorting by luck need."""
    found = request.app.state.finder.run(place, *KINDS)
    stored = stored_of(found)

    def work(job: Job) -> dict[str, Any]:
        done = 0

        def told(hands: int) -> None:
            nonlocal done
            done += hands
            job.say(f"{done:,} of {stored.hands:,} hands")

        index_files(stored, kind=LUCK, rows=luck_rows, on_chunk=told)
        return {"hands": stored.hands}

    job = request.app.state.jobs.start(f"luck {place}", work)
    return json_answer({**job.to_dict(), "address": f"/api/jobs/{job.name}"}, 202)


@router.get("/export/{place:path}")
def export(request: Request, place: str, format: str = "phh") -> Response:
    """The hands that a filter leaves as a file, at most `MOST_EXPORTED`."""
    found = request.app.state.finder.run(place, *KINDS)
    refuse_open_cards(found, "hands are exported")
    keys = search_of(found).keys(HandFilter.read(dict(request.query_params)), MOST_EXPORTED)
    text = exported(stored_of(found), keys, format)
    first = next(text, "")  # what cannot be written is refused before anything is sent
    kind, end = ("text/csv", "csv") if format == "csv" else ("text/plain", "phhs")

    pieces = (piece.encode("utf-8", "replace") for piece in itertools.chain([first], text))
    headers = {"content-disposition": f'attachment; filename="hands.{end}"'}
    return StreamingResponse(pieces, headers=headers, media_type=kind)


def _page(found: Found, request: Request) -> dict[str, Any]:
    """A page of hands, what was asked for, and addresses of the pages around it."""
    words = dict(request.query_params)
    wanted = HandFilter.read(words)
    if wanted.cards is not None and wanted.player != PERSON:
        refuse_open_cards(found, "hands of all players are looked for by cards")
    first = _whole_or(words.get("first"), 0)
    sort = words.get("sort") or "hand"
    down = words.get("order") == "down"
    stored, search = stored_of(found), search_of(found)
    got = search.find(wanted, sort=sort, down=down, first=first, most=PAGE)
    names = player_names(stored.names)
    kept = {**wanted.words(), **({"sort": sort} if sort != "hand" else {}), **({"order": "down"} if down else {})}
    rows = [_row(found, row, names, wanted, search.seats) for row in got.rows]
    return {
        "filter": wanted.words(),
        "sort": sort,
        "order": "down" if down else "up",
        "first": first,
        "count": got.count,
        "hands": stored.hands,
        "won_bb": got.won,
        "luck_known": search.knows_luck,
        "rows": rows,
        "next": address("hands", found.place, **kept, first=first + PAGE) if first + PAGE < got.count else None,
        "before": address("hands", found.place, **kept, first=max(first - PAGE, 0)) if first else None,
        "export": {kind: f"{address('export', found.place)}?{urlencode({**wanted.words(), 'format': kind})}"
                   for kind in ("phh", "csv")},
    }  # fmt: skip


def _sorted_by(found: Found, page: dict[str, Any], sort: str) -> str:
    """The address of the list sorted by a column: the other way round if it is sorted so already."""
    down = page["order"] == "up" if page["sort"] == sort else sort != "hand"
    return address("hands", found.place, **page["filter"], sort=sort, order="down" if down else "up")


def _whole_or(text: str | None, otherwise: int) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 13 else otherwise


def _row(found: Found, row: dict[str, Any], names: Any, wanted: HandFilter, most: int) -> dict[str, Any]:
    """One hand as the list shows it: the seat that the filter speaks of, or that of the biggest winner."""
    seats = [seat for seat in range(most) if row.get(f"player_{seat}") is not None]
    chosen = seats_that_fit(row, wanted)
    seat = max(chosen or seats, key=lambda one: row[f"won_{one}"])
    cards = combo_cards(row[f"combo_{seat}"]) if may_be_listed(found, row[f"player_{seat}"]) else None
    return {
        "hand": row["hand"],
        "number": row["number"],
        "ending": ENDINGS[row["ending"]],
        "pot_bb": row["pot"],
        "line": row["line"],
        "board": format_cards(board_cards(row["board"])),
        "seat": seat,
        "player": names[row[f"player_{seat}"]],
        "cards": "".join(map(format_card, cards)) if cards else "",
        "won_bb": row[f"won_{seat}"],
        "luck_bb": row.get(f"luck_{seat}"),
        "address": address("replay", found.place, hand=row["hand"], **({"seat": seat} if chosen else {})),
    }


def _seat_names(stored: StoredHands) -> list[str]:
    """What the seats are called, where all hands are of one game."""
    game = stored.settings.get("game")
    return list(positions(Game.from_dict(game))) if isinstance(game, dict) else [str(seat) for seat in range(10)]
