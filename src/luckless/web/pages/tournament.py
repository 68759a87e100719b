"""A tournament: rankings side by side, cycles, and a crosstable whose cells lead to the hands of each pairing."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from markupsafe import Markup

from luckless.histories.catalogue import FILE
from luckless.report.page import contents_html, sections_html
from luckless.report.tournament_report import conclusion, report_sections, summary_text
from luckless.tournaments.result import TournamentResult, load_tournament
from luckless.tournaments.store import read_outline
from luckless.web.finding import Found
from luckless.web.kept import Kept
from luckless.web.rendering import address, json_answer, render

router = APIRouter()

MOST_TABLES = 500
"""Tables that a page lists."""

_RESULTS: Kept[TournamentResult] = Kept(8)


def _result(found: Found) -> TournamentResult:
    return _RESULTS.get(found, lambda: load_tournament(found.path))


@router.get("/tournament/{place:path}")
def page(request: Request, place: str) -> Response:
    """The page."""
    found = request.app.state.finder.run(place, "tournament")
    shared = {"title": found.outline.title, "found": found, "tables": _tables(found)}
    if not found.outline.done:
        lead = "The tournament was begun, and no hand of it is stored yet."
        return render(request, "tournament.html", **shared, lead=lead, body="", contents="", figures={}, summary="")
    result = _result(found)
    sections = report_sections(result, lambda row, column: _hands(found, result, row, column))
    body, figures = sections_html(sections)
    return render(
        request, "tournament.html", **shared, lead=conclusion(result), body=Markup(body),
        contents=Markup(contents_html(sections)), figures=figures, summary=summary_text(result),
    )  # fmt: skip


@router.get("/api/tournament/{place:path}")
def api(request: Request, place: str) -> Response:
    """The result as `luckless tournament --json` prints it, and where each table is stored."""
    found = request.app.state.finder.run(place, "tournament")
    return json_answer({**_result(found).to_dict(), "state": found.outline.state, "tables": _tables(found)})


def _hands(found: Found, result: TournamentResult, row: int, column: int) -> str | None:
    """Where the hands of two bots are: the match of their table; the list of tables if they met at several."""
    if row == column:
        return None
    numbers = [number for number, bots in enumerate(result.outline.tables) if row in bots and column in bots]
    if len(numbers) != 1:
        return "#tables" if numbers else None
    return _address(found, result.outline.folder(numbers[0]), result.outline.settings.is_session)


def _address(found: Found, folder: str, is_session: bool) -> str | None:
    if not (found.path / folder / FILE).is_file():
        return None
    place = f"{found.place}/{folder}" if found.place else folder
    return address("session" if is_session else "match", place)


def _tables(found: Found) -> list[dict[str, Any]]:
    """The tables, each with its bots and where it is stored."""
    outline = read_outline(found.path)
    return [
        {
            "number": number,
            "bots": [outline.names[bot] for bot in bots],
            "address": _address(found, outline.folder(number), outline.settings.is_session),
        }
        for number, bots in enumerate(outline.tables[:MOST_TABLES])
    ]
