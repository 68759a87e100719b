"""Sessions, evaluations and judgements: what their report says, as a page."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from markupsafe import Markup

from luckless.records import load
from luckless.report.page import Document
from luckless.report.record_page import record_document
from luckless.web.figures import Figures
from luckless.web.finding import Found
from luckless.web.kept import Kept
from luckless.web.rendering import json_answer, render

router = APIRouter()

KINDS = ("session", "evaluation", "judgement")
_DOCUMENTS: Kept[Document] = Kept(8)


@router.get("/session/{place:path}")
@router.get("/evaluation/{place:path}")
@router.get("/judgement/{place:path}")
def page(request: Request, place: str) -> Response:
    """The report of the run."""
    found = _found(request, place)
    document = _DOCUMENTS.get(found, lambda: record_document(found.path))
    figures = Figures()
    sections = [
        {
            "heading": section.heading,
            "body": Markup(section.body),
            "figures": [figures.add(figure) for figure in section.drawn()],
        }
        for section in document.sections
    ]
    return render(
        request, "record.html", title=document.title, found=found, document=document, sections=sections,
        figures=figures.data, has_hands=found.outline is not None and found.outline.kind == "session",
        checked=found.kind != "judgement",
    )  # fmt: skip


@router.get("/api/session/{place:path}")
@router.get("/api/evaluation/{place:path}")
@router.get("/api/judgement/{place:path}")
def api(request: Request, place: str) -> Response:
    """What `--json` of its command prints."""
    record: Any = load(_found(request, place).path)
    return json_answer(record.to_dict())


def _found(request: Request, place: str) -> Found:
    kind = request.url.path.removeprefix("/api").split("/")[1]
    found: Found = request.app.state.finder.run(place, kind)
    return found
