"""`luckless values`: value functions for `luckless judge`, fitted to hands."""

from pathlib import Path
from typing import Annotated

import typer

from luckless.cli.convert import GameOfLogs, LogFormat
from luckless.cli.output import JsonFlag, new_console, print_json
from luckless.cli.plain_help import PlainCommand, PlainGroup

app = typer.Typer(cls=PlainGroup, help="Fits value functions for `luckless judge`.", no_args_is_help=True)


@app.callback()
def _root() -> None:
    pass


@app.command("fit", cls=PlainCommand)
def fit(
    logs: Annotated[list[Path], typer.Argument(help="Stored matches, logs, folders of them; all hole cards known.")],
    out: Annotated[Path, typer.Option(help="The file for the value function.")],
    source_format: LogFormat = None,
    game: GameOfLogs = None,
    json: JsonFlag = False,
) -> None:
    """Fits a value function to hands. It must not judge the hands that it was fitted on, and refuses to."""
    from luckless.public import fit_values

    values = fit_values(logs, out=out, format=source_format, game=game)
    if json:
        hands = {"hands": len(values.seen.marks), "digest": values.seen.digest}
        print_json({"name": values.name, "digest": values.digest, "numbers": values.numbers, "fitted_on": hands})
        return
    console = new_console(markup=False)
    console.print(
        f"Value function {values.name} ({values.digest}), fitted on {len(values.seen.marks):,} deals: {out}"
    )
    console.print(f"Use it for other hands: luckless judge LOG --values {out}")
