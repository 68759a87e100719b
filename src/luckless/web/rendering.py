"""Templates and JSON: the one way in which answers are made.

Texts are escaped by Jinja and made visible (`luckless.visible`) on their way out; data for scripts goes through
`script_json` into `<script type="application/json">`, or is fetched.
"""

import json
import math
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from luckless.report.escaping import script_json
from luckless.visible import visible

TEMPLATES = Path(__file__).with_name("templates")


def render(request: Request, template: str, /, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page; `values` are what the template names. Every page also knows the navigation and the server's key."""
    state = request.app.state
    shared = {"navigation": state.navigation, "key": state.settings.key, "here": request.url.path, "title": ""}
    return HTMLResponse(_environment().get_template(template).render({**shared, **values}), status)


def json_answer(values: Any, status: int = 200) -> Response:
    """Values as JSON: the twin of a page. Numbers that are not finite become null."""
    text = json.dumps(_plain(values), allow_nan=False, separators=(",", ":"))
    return Response(text, status, media_type="application/json")


def address(kind: str, place: str = "", /, **query: Any) -> str:
    """The address of a page: `address("hands", "runs/a", street="river")` is `/hands/runs/a?street=river`.

    Values that are None or empty are left out, so that an address says only what was chosen.
    """
    chosen = {key: value for key, value in query.items() if value not in (None, "")}
    return f"/{kind}/{quote(place)}" + (f"?{urlencode(chosen)}" if chosen else "")


def _plain(values: Any) -> Any:
    if isinstance(values, dict):
        return {str(key): _plain(value) for key, value in values.items()}
    if isinstance(values, list | tuple):
        return [_plain(value) for value in values]
    if hasattr(values, "item"):  # a number of NumPy
        return _plain(values.item())
    if isinstance(values, float) and not math.isfinite(values):
        return None
    return values


def _safe(value: Any) -> Any:
    """What stands in a page: texts with unseen signs written out; Jinja escapes them after this."""
    return visible(value) if type(value) is str else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_safe,
    )
    environment.filters["script_json"] = lambda values: Markup(script_json(_plain(values)))
    environment.globals["address"] = address
    return environment
