"""docs/python.md is run from top to bottom in one namespace, and what it shows is what is printed."""

from pathlib import Path
from typing import Any

import pytest

from documents import Block, blocks_of, is_missing, matches, run_cell, write_named_file

PAGE = Path(__file__).parents[1] / "docs" / "python.md"
FEWEST_BLOCKS = 20


def run_page(blocks: list[Block], folder: Path) -> int:
    """Runs the Python blocks in order and compares what follows them; returns how many ran."""
    namespace: dict[str, Any] = {"__name__": "page"}
    printed, ran = "", 0
    for number, block in enumerate(blocks):
        if block.language == "toml":
            assert write_named_file(block.body, folder)
        elif block.language == "python" and not is_missing(block.needs):
            printed = run_cell(block.body, namespace, f"{PAGE.name}, block {number}")
            ran += 1
        elif block.language == "text":
            assert matches(block.body, printed), f"shown:\n{block.body}\nprinted:\n{printed}"
    return ran


def test_the_page_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of(PAGE.read_text())
    skipped = [block for block in blocks if is_missing(block.needs)]
    python = [block for block in blocks if block.language == "python"]
    assert run_page(blocks, tmp_path) == len(python) - len(skipped) >= FEWEST_BLOCKS - len(skipped)


def test_a_wrong_output_would_be_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="shown"):
        run_page([Block("python", "", "print(1 + 1)"), Block("text", "", "3")], tmp_path)
    assert run_page([Block("python", "", "print(1 + 1)"), Block("text", "", "2")], tmp_path) == 1


def test_every_block_has_a_known_language() -> None:
    assert {block.language for block in blocks_of(PAGE.read_text())} == {"python", "text", "toml"}
