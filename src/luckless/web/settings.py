"""How a dashboard is served: its address, and the secrets of this one server."""

import ipaddress
import secrets
from dataclasses import dataclass, field

LOOPBACK_NAMES = ("localhost",)


@dataclass(frozen=True)
class WebSettings:
    """Address and limits. `key` goes into pages and comes back with each change; `token` opens other addresses."""

    host: str = "127.0.0.1"
    port: int = 8765
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    most_bytes: int = 256 * 1024
    """The largest body of a request."""
    jobs: int = 2
    """Checks and solves that may run at once."""
    seats: int = 8
    """Tables of play that may be open at once."""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the address."""
        return is_loopback(self.host)

    @property
    def address(self) -> str:
        """The address for a browser; for other addresses than loopback with the token."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        place = f"[{host}]" if ":" in host else host
        return f"http://{place}:{self.port}/" + ("" if self.is_loopback else f"?token={self.token}")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself."""
    if host in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
