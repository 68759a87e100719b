"""What is to be solved, from the words of a command line or the arguments of a function."""

from pathlib import Path
from typing import Any

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.rules.game import Game
from luckless.solve.deep.river import RIVER_GAME
from luckless.solve.holdem import bits_of
from luckless.solve.memory import check_memory
from luckless.solve.schedules import ALGORITHMS, DEEP, SAMPLERS, schedule_of
from luckless.solve.solution import DEEP_ITERATIONS, SPOT_TARGET, TREE_ITERATIONS
from luckless.solve.spot import STREETS
from luckless.solve.spot_file import make_spot, read_spot, sizes_of_words
from luckless.solve.strategy_file import TREE_GAMES, Task


def spot_values(game: str, given: dict[str, Any], sizes: list[str], deep: bool = False) -> dict[str, Any] | None:
    """The values of a spot, options over those of its file; None for a whole game, which takes no options."""
    options = {key: list(value) if key == "ranges" else value for key, value in given.items() if value is not None}
    options.update(sizes_of_words(sizes))
    if game in TREE_GAMES or (deep and game == RIVER_GAME and "board" not in options):
        if options:
            raise InputError(
                f"{game} is a whole game: --{next(iter(options))} is for river-hu with --board and files of spots"
            )
        return None
    if game == RIVER_GAME:
        river = Game.load(RIVER_GAME)
        values: dict[str, Any] = {"pot": river.pot, "stack": river.stacks[0], "minimum": river.big_blind}
        if "board" not in options or len(parse_cards(str(options["board"]))) != 5:
            raise InputError(
                "river-hu is solved board by board: give --board with five cards, such as KsTh7s4d2s, "
                "or --algorithm deep-pdcfr+ for all boards at once"
            )
    elif game.endswith(".toml"):
        values = read_spot(Path(game))
    else:
        raise InputError(
            f"unknown game {game!r}; allowed is {', '.join(TREE_GAMES)}, river-hu or a file of a spot (.toml)"
        )
    if "sizes" in options:  # a menu for all streets replaces the menus of the file
        values = {key: value for key, value in values.items() if key not in STREETS.values()}
    return values | options


def tasks_of(game: str, spot: dict[str, Any] | None, algorithm: str | None, seed: int) -> list[Task]:
    """What to run: one algorithm, or all of the family, the one that is reported first."""
    usual = "pdcfr+" if spot is None else "dcfr+"
    first = algorithm or usual
    names = [first] if first != "all" else [usual, *(name for name in ALGORITHMS if name != usual)]
    for name in names:
        if name not in (*SAMPLERS, DEEP):
            schedule_of(name)
        elif spot is not None:
            raise InputError(f"{name} samples whole games; for spots allowed is {', '.join(ALGORITHMS)}")
    return [Task(game, spot, name, seed) for name in names]


def usual_end(spot: dict[str, Any] | None, algorithm: str | None) -> tuple[int | None, float | None]:
    """Where a run ends that was given neither: iterations, or for a spot the exploitability to reach."""
    if spot is not None:
        return None, SPOT_TARGET
    return (DEEP_ITERATIONS if algorithm == DEEP else TREE_ITERATIONS), None


def needed_memory(tasks: list[Task], most: int | None = None) -> int:
    """The bytes that the largest of some runs needs, 0 for small games; what does not fit is refused."""
    if (values := tasks[0].spot) is None:
        return 0
    spot = make_spot(values)
    return max(check_memory(spot, bits_of(spot, schedule_of(task.algorithm)), most) for task in tasks)
