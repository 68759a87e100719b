"""Clients of the dashboard, as one of its pages would ask."""

from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from luckless.web.app import create_app
from luckless.web.settings import WebSettings

KEY = "key-of-this-test"
ORIGIN = "http://127.0.0.1:8765"


def client_of(folder: Path, **settings: Any) -> TestClient:
    """A client of the dashboard of a folder; what a server would answer with 500 is answered so here too."""
    app = create_app(folder, WebSettings(key=KEY, **settings))
    headers = {"x-luckless-key": KEY, "origin": ORIGIN}
    return TestClient(app, base_url=ORIGIN, headers=headers, raise_server_exceptions=False)
