"""`luckless bench`: the speed of luckless beside comparable packages that are installed."""

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli.output import JsonFlag, print_json
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.bench.timing import Row

PARTS = (
    "strength",
    "equity",
    "rank",
    "engine",
    "external",
    "histories",
    "divat",
    "learn",
    "league",
    "solve",
    "judge",
    "start",
    "web",
)
LONG = ("solve-flop", "tournament")
"""Benchmarks of minutes, measured only when they are named."""


def command(
    parts: Annotated[
        list[str] | None, typer.Argument(help=f"Any of {', '.join(PARTS)}; all by default. Long: {', '.join(LONG)}.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measures the speed of luckless and of comparable packages that are installed (`make bench` installs them)."""
    import importlib

    wanted = parts or list(PARTS)
    for part in wanted:
        if part not in PARTS + LONG:
            raise InputError(f"no benchmark is called {part!r}; allowed is {', '.join(PARTS + LONG)}")
    rows: list[dict[str, Any]] = []
    if not json:
        print(f"{'':4}{'ours':>11}{'peer':>12}{'times':>9}{'aim':>7}  work, peer")
    for part in wanted:
        for row in importlib.import_module(f"luckless.bench.{part.replace('-', '_')}").measure():
            rows.append({"part": part, **dataclasses.asdict(row), "ratio": row.ratio, "met": row.met})
            if not json:
                print(_line(row), flush=True)
    if json:
        print_json({"rows": rows})


def _line(row: "Row") -> str:
    mark = {True: "ok", False: "no", None: ""}[row.met]
    peer = "" if row.peer_seconds is None else _time(row.peer_seconds)
    ratio = "" if row.ratio is None else f"{row.ratio:,.1f}"
    aim = "" if row.target is None else f"{row.target:g}"
    names = row.work + (f", {row.peer}" if row.peer else "") + (f" ({row.note})" if row.note else "")
    return f"{mark:4}{_time(row.our_seconds):>11}{peer:>12}{ratio:>9}{aim:>7}  {names}"


def _time(seconds: float) -> str:
    for size, unit in ((60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
