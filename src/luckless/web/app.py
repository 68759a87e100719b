"""The application: pages found in `luckless.web.pages`, files, errors in words."""

import sqlite3
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from luckless.errors import InputError
from luckless.web import pages
from luckless.web.files import router as files
from luckless.web.finding import Finder, NotThere
from luckless.web.jobs import Jobs
from luckless.web.live import LiveVerdicts
from luckless.web.rendering import json_answer, render
from luckless.web.security import Guard
from luckless.web.settings import WebSettings


class Navigation(NamedTuple):
    """An entry of the navigation; `order` says where it stands."""

    title: str
    address: str
    order: int


def create_app(folder: Path, settings: WebSettings | None = None) -> FastAPI:
    """The dashboard of a folder. State: `app.state.finder`, `.settings`, `.jobs`, `.navigation`."""
    _load_shared()
    app = FastAPI(title="luckless", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    app.state.settings = settings or WebSettings()
    app.state.finder = Finder(folder)
    app.state.jobs = Jobs(app.state.settings.jobs)
    app.state.verdicts = LiveVerdicts()
    entries: list[Navigation] = []
    app.include_router(files)
    for name in sorted(module.name for module in iter_modules(pages.__path__)):
        page = import_module(f"{pages.__name__}.{name}")
        app.include_router(page.router)
        entries += [Navigation(*one) for one in getattr(page, "NAVIGATION", ())]
    app.state.navigation = sorted(entries, key=lambda entry: entry.order)
    for kind, answer in _ERRORS.items():
        app.add_exception_handler(kind, answer)
    app.add_middleware(Guard, settings=app.state.settings)
    return app


def _load_shared() -> None:
    """Loads pandas where it is installed, while no other thread is at work.

    PyArrow loads it on its first use, and Plotly fails if it finds it half loaded.
    """
    if find_spec("pandas") is not None:
        import_module("pandas")


def _said(request: Request, status: int, heading: str, text: str) -> Response:
    """An error as a page, or as JSON where JSON was asked for."""
    if request.url.path.startswith("/api/"):
        return json_answer({"error": text}, status)
    return render(request, "error.html", status=status, title=heading, text=text)


def _not_there(request: Request, error: Any) -> Response:
    return _said(request, 404, "Not found", str(error))


def _bad_input(request: Request, error: Any) -> Response:
    return _said(request, 400, "That does not work", str(error))


def _bad_values(request: Request, error: Any) -> Response:
    first = error.errors()[0]
    return _said(request, 400, "That does not work", f"{first['loc'][-1]}: {first['msg']}")


def _of_http(request: Request, error: Any) -> Response:
    words = {404: ("Not found", "There is no such page."), 405: ("Not allowed", "This page cannot do that.")}
    heading, text = words.get(error.status_code, ("That does not work", str(error.detail)))
    return _said(request, error.status_code, heading, text)


def _unreadable(request: Request, error: Any) -> Response:
    """A disk or a database that cannot be read now: the run was deleted meanwhile, or its writer holds it."""
    reason = getattr(error, "strerror", None) or str(error)
    return _said(request, 503, "It cannot be read now", f"{reason}. Load the page again in a moment.")


_ERRORS: dict[Any, Any] = {
    NotThere: _not_there,
    InputError: _bad_input,
    RequestValidationError: _bad_values,
    HTTPException: _of_http,
    OSError: _unreadable,
    sqlite3.Error: _unreadable,
}
