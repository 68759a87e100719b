"""Style sheets, scripts and Plotly: everything that pages load comes from here, nothing from elsewhere."""

import gzip
import hashlib
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import Response

from luckless.report.page import ASSETS
from luckless.web.finding import NotThere

STATIC = Path(__file__).with_name("static")
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

router = APIRouter()


@router.get("/static/{name}")
def static_file(name: str, request: Request) -> Response:
    """One file by its name; browsers ask whether it has changed."""
    packed, digest, kind = _file(name)
    headers = {"etag": f'"{digest}"', "cache-control": "no-cache", "vary": "accept-encoding"}
    if digest in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, headers={**headers, "content-encoding": "gzip"}, media_type=kind)
    return Response(gzip.decompress(packed), headers=headers, media_type=kind)


@router.get("/favicon.ico")
def favicon() -> Response:
    """The icon, also where browsers look for it unasked."""
    return Response(gzip.decompress(_file("icon.svg")[0]), media_type=KINDS[".svg"])


@cache
def _file(name: str) -> tuple[bytes, str, str]:
    """A file packed, its digest and its type. Only files that lie in our own folders are there."""
    if name == "plotly.min.js":
        from plotly.offline import get_plotlyjs

        content = get_plotlyjs().encode()
    else:
        files = {file.name: file for folder in (ASSETS, STATIC) for file in folder.iterdir()}
        if name not in files or files[name].suffix not in KINDS:
            raise NotThere("there is no such file")
        content = files[name].read_bytes()
    kind = KINDS[Path(name).suffix]
    return gzip.compress(content, 6, mtime=0), hashlib.sha256(content).hexdigest()[:20], kind
