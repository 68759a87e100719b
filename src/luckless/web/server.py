"""Serves the dashboard until it is interrupted."""

import os
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path
from typing import Any

from luckless.errors import InputError
from luckless.web.optional import require_web
from luckless.web.settings import WebSettings

ENDING_SECONDS = 4.0
"""What requests that are being answered have left when the server is to end."""
TRIED_PORTS = 20
"""Ports after the wanted one that are tried if it is taken and was not asked for."""


def serve(folder: Path, host: str, port: int | None, *, browser: bool) -> None:
    """Serves a folder; prints the address as the first line."""
    require_web()
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    with listening(host, port) as listener:
        settings = WebSettings(host=host, port=listener.getsockname()[1])
        if not settings.is_loopback:
            print(
                f"warning: {host} can be reached from other machines, and the connection is not encrypted; "
                "whoever has the address with its token can read all stored runs and start work here",
                file=sys.stderr,
                flush=True,
            )
        print(settings.address, flush=True)
        if browser:
            threading.Timer(0.5, webbrowser.open, (settings.address,)).start()
        import uvicorn

        from luckless.web.app import create_app  # takes a while; whoever comes meanwhile waits

        app = create_app(folder, settings)
        threading.Thread(target=_warm, args=(app,), daemon=True).start()
        config = uvicorn.Config(app, log_level="warning", server_header=False, timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        threading.Thread(target=_end_in_time, args=(server,), daemon=True).start()
        server.run(sockets=[listener])


def _warm(app: Any) -> None:
    """Does before the first visit what it would wait for: looks for runs, and loads what draws figures."""
    app.state.finder.runs()
    import plotly.graph_objects  # noqa: F401


def _end_in_time(server: Any) -> None:
    """Ends the process soon after it was asked to, even if a request is still being worked on in a thread.

    Nothing is lost: whatever is stored is written whole or not at all.
    """
    while not server.should_exit:
        time.sleep(0.2)
    time.sleep(ENDING_SECONDS)
    os._exit(0)


def listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens at an address; without a port at 8765, or at the first free one after it."""
    wanted = WebSettings.port if port is None else port
    tried = range(wanted, wanted + (TRIED_PORTS if port is None else 1))
    for one in tried:
        try:
            kind = socket.AF_INET6 if ":" in host else socket.AF_INET
            listener = socket.socket(kind)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, one))
            listener.listen(128)
        except (OSError, OverflowError) as error:
            listener.close()
            reason = getattr(error, "strerror", None) or str(error)
            continue
        return listener
    raise InputError(f"{host}:{wanted} cannot be listened at: {reason}; choose another --port or --host")
