"""A client of the competition's protocol at the other end of a socket: its greeting, lines to it and from it."""

import re
import socket
import time
from collections import deque
from collections.abc import Sequence

LONGEST_LINE = 65_536
_GREETING = re.compile(rb"VERSION:(\d{1,9})\.(\d{1,9})\.(\d{1,9})\s*")
_READ_AT_ONCE = 65_536


class Lost(Exception):
    """There is no client, or it was lost; `kind` as in `matches.faults`."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class Client:
    """A connected client. A line that does not come within so many seconds raises TimeoutError; a broken connection,
    and one on which nothing can be sent any more, `Lost`."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lines: deque[bytes] = deque()
        self._partial = b""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @classmethod
    def accept(cls, listener: socket.socket, until: float) -> "Client":
        """The next client that speaks version 2, waited for until a moment of the monotonic clock."""
        try:
            listener.settimeout(max(0.0, until - time.monotonic()))
            client = cls(listener.accept()[0])
        except (TimeoutError, BlockingIOError):
            raise Lost("absent", "no client has connected") from None
        try:
            greeting = client.read_line(until - time.monotonic()).encode()
            version = _GREETING.fullmatch(greeting)
            if version is None:
                raise Lost("absent", f"the client did not begin with VERSION:2.0.0 but with {greeting[:40]!r}")
            if version[1] != b"2" or version[2] != b"0":
                raise Lost("absent", f"the client speaks {greeting.decode().strip()}; this is version 2.0.0")
        except (TimeoutError, Lost) as error:
            client.close()
            if isinstance(error, Lost):
                raise
            raise Lost("absent", "the client did not send its version in time") from None
        return client

    def send(self, lines: Sequence[str], seconds: float) -> None:
        """Sends lines."""
        try:
            self._connection.settimeout(max(0.001, seconds))
            self._connection.sendall("".join(f"{line}\r\n" for line in lines).encode())
        except TimeoutError:
            raise Lost("slow", "the client does not read what it is sent") from None
        except OSError:
            raise Lost("died", "the client closed the connection") from None

    def read_line(self, seconds: float) -> str:
        """The next line, without its end."""
        until = time.monotonic() + seconds
        while not self._lines:
            if len(self._partial) > LONGEST_LINE:
                raise Lost("flooded", "the client writes an endless line")
            try:
                self._connection.settimeout(max(0.0, min(until - time.monotonic(), 1e6)))
                chunk = self._connection.recv(_READ_AT_ONCE)
            except (TimeoutError, BlockingIOError):
                raise TimeoutError from None
            except OSError:
                chunk = b""
            if not chunk:
                raise Lost("died", "the client closed the connection")
            *lines, self._partial = (self._partial + chunk).split(b"\n")
            self._lines.extend(lines)
        return self._lines.popleft().decode("utf-8", "replace")

    def close(self) -> None:
        """Hangs up."""
        self._connection.close()
