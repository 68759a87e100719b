"""`luckless report`: the page of anything that was stored."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN",
            help="A stored match, sessions, evaluation, tournament, season, judgement, solution or log.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="The HTML file to write; RUN.html beside RUN by default.", show_default=False)
    ] = None,
) -> None:
    """Writes the HTML page of a stored run. No bot is loaded: everything on the page is in the folder."""
    from luckless.report.record_page import record_page
    from luckless.whole_files import check_writable, write_text

    target = out or _beside(run)
    check_writable(target)
    write_text(target, record_page(run))
    print(f"report: {target}")


def _beside(run: Path) -> Path:
    """The name of the page when none is given."""
    place = run if run.name not in ("", "..") else run.resolve()
    return place.with_name(f"{place.name}.html")
