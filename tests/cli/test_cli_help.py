"""The help of every command is readable: switches show no type, and every option has a text."""

from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from luckless.cli import app


def _paths() -> list[tuple[str, ...]]:
    root: Any = get_command(app)
    paths: list[tuple[str, ...]] = [()]
    for name, command in root.commands.items():
        paths.append((name,))
        paths += [(name, inner) for inner in getattr(command, "commands", {})]
    return paths


@pytest.mark.parametrize("path", _paths(), ids=" ".join)
def test_help_shows_no_type_for_switches(path: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "160"})
    assert shown.exit_code == 0
    assert "--help" in shown.output
    assert "<bool>" not in shown.output
    assert "BOOLEAN" not in shown.output
