"""`luckless tables`: the precomputed tables, which are there and how to build them."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from luckless.cli.output import JsonFlag, print_json
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.hands.table_file import Built, TableSpec

app = typer.Typer(help="The precomputed tables.", no_args_is_help=True)


class _Family(NamedTuple):
    """Tables that are built together: what they are, and a generator that builds those that are not ready."""

    specs: Callable[[], "Iterable[TableSpec]"]
    build: Callable[[], "Iterator[Built]"]


def _rank_specs() -> "Iterable[TableSpec]":
    from luckless.hands.tables import SPECS

    return SPECS.values()


def _build_rank() -> "Iterator[Built]":
    from luckless.hands.tables_build import build_tables

    return build_tables()


_FAMILIES = {"rank": _Family(_rank_specs, _build_rank)}


@app.command("build")
def build(
    what: Annotated[
        str | None, typer.Argument(help=f"Which: {', '.join(_FAMILIES)}; all without it.", show_default=False)
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Builds the tables that are absent, damaged or of an old version, in the cache folder; ready ones are kept.

    The folder is LUCKLESS_CACHE_DIR if that is set, else "luckless" in XDG_CACHE_HOME or ~/.cache.
    """
    if what is not None and what not in _FAMILIES:
        raise InputError(f"there are no tables {what!r}: choose {' or '.join(_FAMILIES)}")
    rows: list[dict[str, Any]] = []
    for family in _FAMILIES if what is None else (what,):
        for built in _FAMILIES[family].build():
            rows.append({**_row(built.spec), "built": built.seconds is not None, "seconds": built.seconds})
            if not json:
                done = "ready, kept" if built.seconds is None else f"built in {built.seconds:.1f} s"
                print(f"{built.spec.name}: {done} ({_megabytes(built.spec)}, {built.spec.path})", flush=True)
    if json:
        print_json({"tables": rows})


@app.command("list")
def list_tables(json: JsonFlag = False) -> None:
    """Which tables there are, their size, whether they are ready, and where they are kept."""
    from luckless.hands.table_file import cache_folder, table_state

    specs = [spec for family in _FAMILIES.values() for spec in family.specs()]
    states = [table_state(spec) for spec in specs]
    if json:
        rows = [{**_row(spec), "state": state} for spec, state in zip(specs, states, strict=True)]
        print_json({"folder": str(cache_folder()), "tables": rows})
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None)
    table.add_column("table")
    table.add_column("size", justify="right")
    table.add_column("state")
    table.add_column("file", overflow="fold")
    for spec, state in zip(specs, states, strict=True):
        table.add_row(spec.name, _megabytes(spec), state, str(spec.path))
    Console(highlight=False).print(table)


def _row(spec: "TableSpec") -> dict[str, Any]:
    return {"name": spec.name, "bytes": spec.size, "path": str(spec.path)}


def _megabytes(spec: "TableSpec") -> str:
    return f"{spec.size / 1e6:,.1f} MB"
