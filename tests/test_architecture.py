"""The map in docs/architecture.md: it names every part, and imports point up it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "luckless"
MAP = (ROOT / "docs" / "architecture.md").read_text().split("\n## ")[0]

ROWS = [re.findall(r"`([\w.]+)`", row.split("|")[1]) for row in MAP.splitlines() if row.startswith("| `")]
LEVELS = {part: level for level, row in enumerate(ROWS) for part in row}

DOWNWARDS = {
    ("bots.external.loading", "learn.agents"),
    ("bots.external.loading", "solve.nash_bot"),
    ("bots.external.loading", "solve.blueprint_bot"),
    ("callable_parts", "public"),
}
"""Imports against the order that the map names: each inside a function, made only when it is called."""


def name_of(file: Path) -> str:
    """A module without the name of the package: `hands.rank`, and for a package itself `hands`."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    name_of(file): file for file in sorted(PACKAGE.rglob("*.py")) if file.parent != PACKAGE or file.stem[0] != "_"
}


def level_of(module: str) -> int:
    """The row of the part that a module belongs to: the longest name in the map that its own begins with."""
    parts = module.split(".")
    return next(LEVELS[name] for end in range(len(parts), 0, -1) if (name := ".".join(parts[:end])) in LEVELS)


def imports_of(file: Path) -> Iterator[tuple[str, bool]]:
    """The modules of ours that a file imports anywhere, and whether that happens as soon as it is imported itself."""
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}: imports name the whole module"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            found = name.removeprefix("luckless.")
            if found != name:
                yield found if found in MODULES else found.rpartition(".")[0], node in tree.body


def test_every_part_stands_in_the_map_once() -> None:
    parts = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    named = [part for row in ROWS for part in row]
    assert len(named) == len(set(named))
    assert {part.split(".")[0] for part in named} == parts - {"__init__", "__main__"}


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_up_the_map(module: str) -> None:
    for found, at_once in imports_of(MODULES[module]):
        if found:  # the package itself knows nothing but its version
            up = level_of(found) <= level_of(module)
            assert up or ((module, found) in DOWNWARDS and not at_once), f"{module} imports {found}"


def test_the_exceptions_are_those_of_the_map_and_are_needed() -> None:
    assert {(one, other) for one, other in DOWNWARDS if other in dict(imports_of(MODULES[one]))} == DOWNWARDS
    for module, _ in DOWNWARDS:
        assert f"`{module}`" in MAP
