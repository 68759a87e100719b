"""`luckless web`: the dashboard in the browser."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="The folder whose runs are shown.")] = Path(),
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="8765 by default, or the next free port.", show_default=False),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen at. Others than this machine itself need a token.")
    ] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page in a browser.")] = False,
) -> None:
    """Shows what is stored below a folder in the browser: runs, matches, hands, leagues; prints its address first.

    It runs until Ctrl-C. Nothing leaves this machine, and nothing is loaded from the internet.
    """
    from luckless.web.server import serve

    serve(folder, host, port, browser=not no_browser)
