"""`luckless verify`: whatever is stored, recomputed and compared."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from luckless.cli.output import JsonFlag, print_json


def command(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="A stored match, sessions, evaluation, tournament or season, hands of a log, or a bundle.",
        ),
    ],
    rebuild: Annotated[bool, typer.Option("--rebuild", help="First make a new catalogue from the chunks.")] = False,
    bots: Annotated[
        bool,
        typer.Option(
            "--bots",
            help="Also load and run the bots that the folder names, which may be programs and Python files. Only for "
            "folders that you trust; it says first what it runs.",
        ),
    ] = False,
    workers: Annotated[int | None, typer.Option(help="Number of threads; one a core by default.")] = None,
    json: JsonFlag = False,
) -> None:
    """Checks what is stored: checksums, every hand by the rules, all results counted again, and the seed.

    Shipped bots play their hands again. Nothing else that the folder names is run, unless --bots is given.

    Exit code 0 if all is well, 1 if anything is wrong, 2 if the folder holds no stored hands.
    """
    from luckless.histories.store import rebuild as make_catalogue
    from luckless.histories.verifying import restore_result
    from luckless.verification import verify_stored, what_runs

    if rebuild:
        chunks = make_catalogue(folder)
        counted = " and the result" if restore_result(folder) else ""
        if not json:
            print(f"{folder}: new catalogue of {chunks:,} chunks{counted}")
    if bots:
        for line in what_runs(folder):
            print(f"bot {line}", file=sys.stderr)
    verification = verify_stored(folder, workers, bots=bots)
    if json:
        print_json(verification.to_dict())
    else:
        if verification.rounds:
            print(f"{folder}: {verification.rounds:,} rounds checked, of {verification.hands:,} hands")
            if verification.reproduced:
                print("the teachers play their rounds again as they are stored")
        else:
            print(f"{folder}: {verification.hands:,} hands in {verification.chunks:,} chunks replayed")
            if verification.reproduced:
                print("the seed reproduces every one of them")
        for note in verification.notes:
            print(note)
        for problem in verification.problems:
            print(f"wrong: {problem}")
        if verification.failures > len(verification.problems):
            print(f"and {verification.failures - len(verification.problems):,} more")
        print("FAILED" if verification.failures else "all is well")
    if verification.failures:
        raise typer.Exit(1)
