"""All runs below the folder, running ones first; the page asks for the list again every few seconds."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from luckless.web.finding import Found
from luckless.web.rendering import address, json_answer, render

router = APIRouter()
NAVIGATION = (("Runs", "/", 10),)

KINDS = ("match", "session", "evaluation", "tournament", "season", "solve", "judgement", "hands")
STATES = ("running", "finished", "stopped", "damaged")


@router.get("/")
def page(request: Request) -> Response:
    """The list."""
    finder = request.app.state.finder
    return render(
        request, "runs.html", title="Runs", folder=str(finder.root), kinds=KINDS, states=STATES, runs=_listed(request)
    )


@router.get("/api/runs")
def api(request: Request) -> Response:
    """The list as JSON."""
    return json_answer(_listed(request))


def _listed(request: Request) -> dict[str, Any]:
    state = request.app.state
    return {
        "runs": [
            {**found.to_dict(), "verdict": state.verdicts.of(found), "address": page_of(found)}
            for found in state.finder.runs()
        ]
    }


def page_of(found: Found) -> str:
    """The page of a run."""
    kind = found.outline.kind if found.outline is not None else found.kind
    return address("run", found.place) if found.outline is None else address(kind, found.place)


@router.get("/run/{place:path}")
def one(request: Request, place: str) -> Response:
    """Leads to the page of a run, whatever it is."""
    return RedirectResponse(page_of(request.app.state.finder.run(place)), 303)
