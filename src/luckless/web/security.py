"""What stands before every page: who may ask, from where, how much; and what a browser may do with the answer.

- Host: only names of this server are answered, so that a foreign name that points here (DNS rebinding) gets nothing.
- Token: on any address but loopback the first visit needs it; a cookie keeps it.
- Changes (every method but GET and HEAD) need the key of this server in a header and no foreign Origin.
- Bodies are bounded; answers carry a content security policy without any inline script.
"""

import hmac
import ipaddress
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from luckless.web.settings import WebSettings, is_loopback

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Message, Receive, Send], Awaitable[None]]

KEY_HEADER = "x-luckless-key"
COOKIE = "luckless-token"
READING = ("GET", "HEAD")
LONGEST_TARGET = 16 * 1024
"""Characters of a path with its query."""

EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
"""A style element without any text, which Plotly fills rule by rule from its script."""

HEADERS = {
    "content-security-policy": (
        f"default-src 'none'; script-src 'self'; style-src 'self' {EMPTY_STYLE}; "
        "img-src 'self' data: blob:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class TooLarge(Exception):
    """A body that is larger than allowed."""


class Guard:
    """Checks every request before the application sees it."""

    def __init__(self, app: AsgiApp, settings: WebSettings) -> None:
        self._app = app
        self._settings = settings
        self._own_names = {settings.host, socket.gethostname().lower(), "localhost"}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        guarded = _with_headers(send)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await _answer(guarded, *refused)
            return
        if not self._settings.is_loopback and not self._knows_token(headers):
            await self._ask_token(scope, guarded)
            return
        started = [False]

        async def noted(message: Message) -> None:
            started[0] = True
            await guarded(message)

        try:
            await self._app(scope, _bounded(receive, self._settings.most_bytes), noted)
        except TooLarge:
            if started[0]:
                raise
            await _answer(guarded, 413, "the request is too large")

    def _refusal(self, scope: Message, headers: dict[str, str]) -> tuple[int, str] | None:
        """Why a request is not answered, if it is not."""
        if len(scope["path"]) + len(scope["query_string"]) > LONGEST_TARGET:
            return 414, "the address is too long"
        if not self._is_ours(headers.get("host", "")):
            return 421, "this server is not known by that name"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._settings.most_bytes:
            return 413, f"the request is too large; allowed is up to {self._settings.most_bytes:,} bytes"
        if scope["method"] in READING:
            return None
        origin = headers.get("origin")
        if origin is not None and origin != f"{scope['scheme']}://{headers['host']}":
            return 403, "requests that change something must come from a page of this server"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "requests that change something must come from a page of this server"
        if not _same(headers.get(KEY_HEADER, ""), self._settings.key):
            return 403, "the key of this server is missing: load the page again"
        return None

    def _is_ours(self, host: str) -> bool:
        """Whether the Host header names this server."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = (parts.hostname or "").lower(), parts.port or 80
        except ValueError:
            return False
        if not host or parts.username or parts.path or port != self._settings.port:
            return False
        if self._settings.is_loopback:
            return is_loopback(name)
        return name in self._own_names or _is_address(name)

    def _knows_token(self, headers: dict[str, str]) -> bool:
        given = headers.get("authorization", "").removeprefix("Bearer ")
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            cookies = SimpleCookie()
        kept = cookies[COOKIE].value if COOKIE in cookies else ""
        return _same(given, self._settings.token) or _same(kept, self._settings.token)

    async def _ask_token(self, scope: Message, send: Send) -> None:
        """Lets a visit with the token in, by a cookie and the same address without it; refuses others."""
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(pairs).get("token", "")
        if scope["method"] not in READING or not _same(given, self._settings.token):
            await _answer(send, 401, "this address needs the token that the server printed: open /?token=TOKEN")
            return
        rest = urlencode([pair for pair in pairs if pair[0] != "token"])
        place = "/" + quote(scope["path"].lstrip("/")) + (f"?{rest}" if rest else "")
        cookie = f"{COOKIE}={self._settings.token}; HttpOnly; SameSite=Strict; Path=/"
        await _answer(send, 303, "", [(b"location", place.encode()), (b"set-cookie", cookie.encode())])


def _same(given: str, secret: str) -> bool:
    """Whether two texts agree, in a time that does not tell where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _bounded(receive: Receive, most: int) -> Receive:
    """The body of a request, cut off with an error once it is too large."""
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise TooLarge
        return message

    return bounded


def _with_headers(send: Send) -> Send:
    """Adds what tells browsers how far to trust an answer."""
    ours = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", []))
            kept = {name.lower() for name, _ in given}
            stored = [] if b"cache-control" in kept else [(b"cache-control", b"no-store")]
            message = {**message, "headers": given + ours + stored}
        await send(message)

    return sending


async def _answer(send: Send, status: int, text: str, headers: list[tuple[bytes, bytes]] | None = None) -> None:
    kind = [(b"content-type", b"text/plain; charset=utf-8"), *(headers or [])]
    await send({"type": "http.response.start", "status": status, "headers": kind})
    await send({"type": "http.response.body", "body": f"{text}\n".encode() if text else b""})
