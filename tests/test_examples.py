"""The notebook and the script of public names run, and use nothing but what everybody can import."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import luckless as lk
from documents import blocks_of, run_cell

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "examples" / "luckless.ipynb"
SCRIPT = ROOT / "examples" / "public_names.py"
SHORT_MATCH = 12
LARGEST_OUTPUT = 2_000


def cells() -> list[dict[str, Any]]:
    notebook: dict[str, Any] = json.loads(NOTEBOOK.read_text())
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    return list(notebook["cells"])


def shown_value(code: str) -> tuple[str, str]:
    """A cell as statements, and the expression at its end that a notebook shows."""
    tree = ast.parse(code)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        return code, ""
    tree.body.pop()
    return ast.unparse(tree), ast.unparse(last)


def test_the_notebook_runs_cell_by_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("torch", "safetensors", "pandas"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    blocks = 0
    for number, cell in enumerate(cells()):
        if cell["cell_type"] != "code":
            continue
        statements, value = shown_value("".join(cell["source"]))
        run_cell(statements, namespace, f"cell {number}")
        if value:
            result = eval(value, namespace)
            if show := getattr(result, "_repr_html_", None):
                blocks += len(show()) > 100
    assert blocks >= 6
    assert {path.name for path in tmp_path.iterdir()} == {"notebook-runs"}


def test_the_notebook_is_stored_clean() -> None:
    text = NOTEBOOK.read_text()
    assert not re.search(r'["\s(](/home|/Users|/tmp|/work|[A-Z]:\\\\)', text)
    for cell in cells():
        assert len(json.dumps(cell.get("outputs", []))) < LARGEST_OUTPUT
        assert cell.get("execution_count") is None
    assert len({cell["id"] for cell in cells()}) == len(cells())


def sources() -> dict[str, str]:
    code = "\n".join("".join(cell["source"]) for cell in cells() if cell["cell_type"] == "code")
    return {SCRIPT.name: SCRIPT.read_text(), NOTEBOOK.name: code}


@pytest.mark.parametrize(("name", "others"), [(SCRIPT.name, {"numpy"}), (NOTEBOOK.name, {"numpy", "torch"})])
def test_only_public_names_are_used(name: str, others: set[str]) -> None:
    tree = ast.parse(sources()[name])
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                assert alias.name == "luckless" or alias.name in others | sys.stdlib_module_names, alias.name
                assert alias.name != "luckless" or alias.asname == "lk"
        elif isinstance(node, ast.ImportFrom):
            package = (node.module or "").split(".")[0]
            assert node.level == 0
            assert package in others | sys.stdlib_module_names, package
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "lk":
            assert node.attr in lk.__all__, node.attr


def run_script(folder: Path, *options: str) -> str:
    command = [sys.executable, str(SCRIPT), "--out", "out", *options]
    environment = {**os.environ, "PYTHONPATH": str(Path(lk.__file__).parents[1])}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_script_runs_by_public_names(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    printed = run_script(tmp_path, "--hands", str(SHORT_MATCH))
    assert f"limit-hu, {SHORT_MATCH} hands, fresh decks, seed 1" in printed
    money = lk.play(["value-bet", "pot-odds"], game="limit-hu", hands=SHORT_MATCH, decks="fresh").estimate(0).mean
    assert f"value-bet: {money:+.1f} mbb/h" in printed
    assert f"money: {money / 1000:+.3f} small bets a hand" in printed
    page = (ROOT / "docs" / "python.md").read_text()
    equity = next(line for line in printed.splitlines() if line.startswith("<Equity"))
    assert equity in page
    assert "0.9685" in printed
    rate = re.search(r"^\+.* mbb/h, 95 % interval .*", printed, re.MULTILINE)
    assert rate
    assert rate[0] in page
    raises = re.search(r"raises \d+ % of", printed)
    assert raises
    assert raises[0] in page
    assert "the same again: True" in printed
    assert re.search(r"^1\. \S+ \(", printed, re.MULTILINE)
    assert re.search(r"<MatchResult nolimit-hu-100bb, 200 hands", printed)


@pytest.mark.slow
def test_the_script_gives_the_readmes_numbers(tmp_path: Path) -> None:
    printed = run_script(tmp_path, "--no-season")
    shown = next(block.body for block in blocks_of((ROOT / "README.md").read_text()) if block.language == "console")
    for name in ("value-bet", "pot-odds"):
        rate = re.search(rf"^{name} +([-+\d.]+)  ", shown, re.MULTILINE)
        assert rate
        assert f"{name}: {rate[1]} mbb/h" in printed
    for label, measure in (("money", "money"), ("skill (DIVAT)", "divat"), ("luck of the cards (LFAT)", "lfat")):
        row = re.search(rf"^{re.escape(label)} +([-+\d.]+)  ([-+\d.]+ to [-+\d.]+)", shown, re.MULTILINE)
        assert row
        assert f"{measure}: {row[1]} small bets a hand, {row[2]}" in printed
    for street in ("preflop", "flop", "turn", "river"):
        row = re.search(rf"^{street} +([-+\d.]+)", shown, re.MULTILINE)
        assert row
        assert f"skill on the {street}: {row[1]}" in printed
    ratio = re.search(r"divides the variance by ([\d.]+):", shown)
    assert ratio
    assert f"DIVAT divides the variance by {ratio[1]}" in printed
