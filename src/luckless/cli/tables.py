"""`luckless tables`: the precomputed tables, which are there and how to build them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless import work_clock
from luckless.cli.divat import chosen_settings
from luckless.cli.output import JsonFlag, OnOption, crew_on, fail, new_console, print_json, print_table
from luckless.cli.plain_help import PlainCommand, PlainGroup
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.divat.settings import DivatSettings
    from luckless.hands.table_file import TableSpec

app = typer.Typer(cls=PlainGroup, help="Builds and lists the precomputed tables.", no_args_is_help=True)


FAMILIES = ("rank", "roe")


@app.command("build", cls=PlainCommand)
def build(
    what: Annotated[
        str, typer.Argument(help="rank: hand ranks of flop, turn and river; roe: DIVAT's roll-outs before the flop.")
    ] = "rank",
    ehr: Annotated[
        str | None, typer.Option(help="roe: the formula of the effective hand rank, thesis (default) or max.")
    ] = None,
    bets: Annotated[str | None, typer.Option(help="roe: a betting style of the thesis, such as moderate.")] = None,
    folds: Annotated[str | None, typer.Option(help="roe: a folding style of the thesis, such as tight-low.")] = None,
    settings: Annotated[
        Path | None, typer.Option(help="roe: a TOML file of settings, as `luckless divat` takes it.")
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="roe: compute the table even if the package ships it.")
    ] = False,
    on: OnOption = None,
    json: JsonFlag = False,
) -> None:
    """Builds tables that are absent, damaged or of an old version, in the cache folder; ready ones are kept.

    The folder is LUCKLESS_CACHE_DIR if that is set, else "luckless" in XDG_CACHE_HOME or ~/.cache. A build that is
    interrupted leaves nothing half-written; that of roe goes on where it was.
    """
    if what not in FAMILIES:
        raise InputError(f"no tables are called {what!r}; allowed is {' or '.join(FAMILIES)}")
    for name, given in (("ehr", ehr), ("bets", bets), ("folds", folds), ("settings", settings), ("anew", anew)):
        if given and what != "roe":
            raise InputError(f"--{name} is for `luckless tables build roe`: the tables of {what} have no settings")
    rows: list[dict[str, Any]] = []
    with crew_on(on):
        for row in _build_rank() if what == "rank" else _build_roe(chosen_settings(ehr, bets, folds, settings), anew):
            rows.append(row)
            if not json:
                done = f"built in {row['seconds']:.1f} s" if row["built"] else "ready, kept"
                print(f"{row['name']}: {done} ({row['bytes'] / 1e6:,.1f} MB, {row['path']})", flush=True)
    if json:
        print_json({"tables": rows})


def _build_rank() -> Iterator[dict[str, Any]]:
    from luckless.hands.tables_build import build_tables

    for built in build_tables():
        yield {**_row(built.spec), "built": built.seconds is not None, "seconds": built.seconds}


def _build_roe(settings: "DivatSettings", anew: bool) -> Iterator[dict[str, Any]]:
    from luckless.divat.roe_build import build as build_roe
    from luckless.divat.roe_table import find_table

    path = None if anew else find_table(settings)
    started = work_clock.seconds()
    built = path is None
    try:
        path = path or build_roe(settings)
    except KeyboardInterrupt:
        fail("interrupted; finished parts are kept, and the same command continues from there", code=130)
    seconds = work_clock.seconds() - started if built else None
    size = path.stat().st_size
    yield {"name": f"roe, {settings.name}", "bytes": size, "path": str(path), "built": built, "seconds": seconds}


@app.command("list", cls=PlainCommand)
def list_tables(json: JsonFlag = False) -> None:
    """Lists the tables: size, whether they are ready, and where they are stored."""
    from luckless.hands.table_file import cache_folder, table_state
    from luckless.hands.tables import SPECS

    rows = [{**_row(spec), "state": table_state(spec)} for spec in SPECS.values()]
    rows += _roe_rows()
    if json:
        print_json({"folder": str(cache_folder()), "tables": rows})
        return
    from rich.table import Table

    table = Table(box=None)
    table.add_column("table", no_wrap=True)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("file", overflow="fold")
    for row in rows:
        table.add_row(row["name"], f"{row['bytes'] / 1e6:,.1f} MB", row["state"], row["path"])
    print_table(new_console(), table)


def _roe_rows() -> list[dict[str, Any]]:
    """The roll-out tables: those of the package, then those that were built here."""
    from luckless.divat.roe_table import SHIPPED, table_path
    from luckless.divat.settings import SLIDES, STANDARD
    from luckless.hands.table_file import cache_folder

    names = {table_path(settings).stem: f"roe, {settings.name}" for settings in (STANDARD, SLIDES)}
    files = [(path, "shipped") for path in sorted(SHIPPED.glob("roe-*.npz"))]
    for path in sorted(cache_folder().glob("roe-*.npz")):
        files.append((path, "begun" if path.stem.endswith(".part") else "ready"))
    rows = []
    for path, state in files:
        stem = path.stem.removesuffix(".part")
        rows.append({"name": names.get(stem, stem), "bytes": path.stat().st_size, "path": str(path), "state": state})
    return rows


def _row(spec: "TableSpec") -> dict[str, Any]:
    return {"name": spec.name, "bytes": spec.size, "path": str(spec.path)}
