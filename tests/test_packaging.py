"""What the package says of itself: its requirements are what it imports, and its wheel holds what it needs."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import luckless
from luckless.league.named_seasons import season_names
from luckless.rules.game_files import game_names

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "luckless"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
FOR_USERS = ("learn", "frames", "web", "scale", "env")
"""Extras that add a feature; the others serve the work on the project."""
IMPORTED_AS = {"open-spiel": ("pyspiel", "open_spiel"), "pypokerengine": ("pypokerengine",)}


def modules_of(requirements: list[str]) -> set[str]:
    """The modules that one imports from required distributions."""
    names = [re.split(r"[\[<>=~! ]", text)[0].lower().replace("_", "-") for text in requirements]
    return {module for name in names for module in IMPORTED_AS.get(name, (name,))}


CORE = modules_of(PROJECT["dependencies"])


def imports_in(files: list[Path]) -> set[str]:
    """Modules from elsewhere that files import anywhere, also inside functions."""
    names: set[str] = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add((node.module or "").partition(".")[0])
    return names - sys.stdlib_module_names - {"luckless", "__future__"}


FILES = sorted(PACKAGE.rglob("*.py"))
USED = imports_in([file for file in FILES if file.parent.name != "bench"])


def test_core_requirements_are_what_the_package_imports() -> None:
    """And no more: what only an extra brings is not in the core."""
    assert USED >= CORE
    assert {module for extra in FOR_USERS for module in modules_of(EXTRAS[extra])} >= USED - CORE


def test_an_import_that_nothing_requires_would_be_noticed(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text("import os\n\ndef draw():\n    from matplotlib import pyplot\n    import luckless.cards\n")
    assert imports_in([file]) == {"matplotlib"}


def test_optional_imports_do_not_happen_with_the_core() -> None:
    """Every module but those of the extras' own parts is imported where nothing optional is installed."""
    optional = sorted(USED - CORE)
    parts = ("bench", "environments", "learn", "league", "web")
    modules = [
        ".".join(("luckless", *file.relative_to(PACKAGE).with_suffix("").parts))
        for file in FILES
        if file.stem not in ("__init__", "__main__") and file.relative_to(PACKAGE).parts[0] not in parts
    ]
    program = (
        f"import importlib, sys; sys.modules.update(dict.fromkeys({optional!r}));"
        f"[importlib.import_module(name) for name in {modules!r}]"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_comparisons_need_only_the_peers() -> None:
    bench = imports_in(sorted((PACKAGE / "bench").glob("*.py")))
    assert bench <= CORE | modules_of(EXTRAS["peers"]) | modules_of(EXTRAS["learn"])


def test_tests_need_only_what_make_test_installs() -> None:
    files = [file for file in (ROOT / "tests").rglob("*.py") if "fault_bots" not in file.parts]
    own = {file.stem for file in files}
    extras = {module for extra in ("dev", "docs", "frames", "learn", "web") for module in modules_of(EXTRAS[extra])}
    peers = modules_of(EXTRAS["peers"])  # compared with where they are installed
    assert imports_in(files) - own <= CORE | extras | peers


def test_ranges_of_versions_are_open_and_make_pins_each() -> None:
    pins = [line.split("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line]
    pinned = {name.lower().replace("_", "-") for name in pins}
    for text in (*PROJECT["dependencies"], *(one for extra in EXTRAS.values() for one in extra)):
        assert ">=" in text, text
    for extra in ("dev", "docs", "frames", "learn", "peers"):
        names = {re.split(r"[\[<>=]", text)[0].lower().replace("_", "-") for text in EXTRAS[extra]}
        assert names <= pinned


def test_pythons_are_those_that_make_tests() -> None:
    classified = {text.split(" :: ")[2] for text in PROJECT["classifiers"] if text.startswith("Programming Language")}
    versions = {version for version in classified if "." in version}
    assert versions == set(re.findall(r"python(3\.\d+)", (ROOT / "Makefile").read_text()))
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    assert versions == set(re.findall(r'"(3\.\d+)"', workflow))
    assert min(versions, key=lambda version: int(version[2:])) == PROJECT["requires-python"].removeprefix(">=")


def test_the_changelog_tells_of_this_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == luckless.__version__


@pytest.mark.slow
def test_the_wheel_holds_games_seasons_and_tables(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob(f"luckless-{luckless.__version__}-*.whl")
    assert wheel.stat().st_size < 40_000_000
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"luckless/solve/blueprints/{game}-hu.safetensors" for game in ("limit", "nolimit")} <= names
    assert {f"luckless/league/seasons/{name}.toml" for name in season_names()} <= names
    assert {f"luckless/rules/games/{name}.toml" for name in game_names()} <= names
    assert {"luckless/py.typed", "luckless/hands/strength.npz", "luckless/divat/tables/all-in.npz"} <= names
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    program = "from luckless.league.named_seasons import season_path; print(season_path('quick').read_text()[:1])"
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True, text=True,
    )  # fmt: skip
    assert found.stdout == "#\n", found.stderr
