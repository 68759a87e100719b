"""docs/environments.md is run from top to bottom, and what it shows is what is printed."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="Gymnasium is not installed (extra env)")

from documents import blocks_of, is_missing, matches, run_cell, write_named_file

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def test_the_page_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "page"}
    printed, ran = "", 0
    for number, block in enumerate(blocks_of(PAGE.read_text())):
        if block.language == "text":
            assert matches(block.body, printed), printed
        elif not is_missing(block.needs) and not write_named_file(block.body, tmp_path):
            printed = run_cell(block.body, namespace, f"{PAGE.name}, block {number}")
            ran += 1
    assert ran >= 3
