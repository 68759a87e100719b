"""One JSON request over HTTP and its answer, with a time-out for the whole of it; the standard library alone."""

import http.client
import json
import socket
import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from luckless.errors import InputError

LONGEST_ANSWER = 4 * 2**20
"""Bytes of an answer at most."""

CONNECT_SECONDS = 5.0
BUSY = (408, 425, 429, 500, 502, 503, 504)
"""Statuses after which it makes sense to ask again."""


class Unreachable(Exception):
    """No answer came: the server is not there, hung up, or wrote something that is not HTTP."""


class Reply(NamedTuple):
    """What a server answered."""

    status: int
    body: bytes
    retry_after: float
    """Seconds that it asks us to wait; 0 if it does not say."""


def parsed_url(text: str, what: str) -> SplitResult:
    """A URL of a server; `what` names it in errors."""
    try:
        url = urlsplit(text)
        valid = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        valid = False
    if not valid or any(letter.isspace() for letter in text):
        raise InputError(f"{what}: {text!r} is not the address of a server; write http://HOST:PORT/PATH")
    return url


def check_there(url: SplitResult, what: str) -> None:
    """Refuses a server to which no connection can be made."""
    try:
        socket.create_connection((url.hostname or "", _port(url)), CONNECT_SECONDS).close()
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{what}: no server answers at {url.hostname}:{_port(url)} ({reason})") from None


def _port(url: SplitResult) -> int:
    return url.port or (443 if url.scheme == "https" else 80)


def post(url: SplitResult, message: Any, headers: Mapping[str, str], seconds: float) -> Reply:
    """Sends JSON and waits for the whole answer; raises `TimeoutError` or `Unreachable`."""
    until = time.monotonic() + seconds
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(url.hostname or "", _port(url), timeout=max(0.001, seconds))
    try:
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        body = json.dumps(message, separators=(",", ":")).encode()
        connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        data = _read(connection, answer, until)
        return Reply(answer.status, data, _seconds(answer.getheader("Retry-After", "")))
    except TimeoutError:
        raise TimeoutError(f"no answer within {seconds:.3g} s") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise Unreachable(f"the server cannot be reached: {reason or type(error).__name__}") from None
    finally:
        connection.close()


def _read(connection: http.client.HTTPConnection, answer: http.client.HTTPResponse, until: float) -> bytes:
    """The body of an answer, however slowly it trickles in, until the time is up."""
    data = b""
    while True:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if connection.sock is not None:
            connection.sock.settimeout(left)
        part = answer.read1(65_536)
        if not part:
            return data
        data += part
        if len(data) > LONGEST_ANSWER:
            raise Unreachable("the server does not stop writing")


def _seconds(text: str | None) -> float:
    try:
        return min(max(float(text or 0), 0.0), 3_600.0)
    except ValueError:
        return 0.0


def post_again(
    url: SplitResult, message: Any, headers: Mapping[str, str], seconds: float, retries: int
) -> tuple[Reply, int]:
    """As `post`, but asks again, so often at most, while the server is busy or not there and time is left.

    The second value is how often it was asked again.
    """
    until, pause = time.monotonic() + seconds, 0.1
    for again in range(retries + 1):
        left = until - time.monotonic()
        try:
            reply = post(url, message, headers, left)
            if reply.status not in BUSY or again == retries:
                return reply, again
            wait = max(pause, reply.retry_after)
        except Unreachable:
            if again == retries:
                raise
            wait = pause
        if time.monotonic() + wait >= until:
            raise TimeoutError(f"no answer within {seconds:.3g} s")
        time.sleep(wait)
        pause *= 2
    raise AssertionError("unreachable")
