"""Commands run inside the test's own process, as `luckless` on the command line would run them."""

import json
import sys
from typing import Any

import pytest

from luckless import cli


class Shell:
    """Runs commands and gives back what they said; `first` words stand before those of every call."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *first: str) -> None:
        self._monkeypatch, self._capsys, self._first = monkeypatch, capsys, first
        monkeypatch.setenv("COLUMNS", "200")

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error."""
        self._monkeypatch.setattr(sys, "argv", ["luckless", *self._first, *arguments])
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = self._capsys.readouterr()
        return int(end.value.code or 0), out, err

    def json(self, *arguments: str) -> dict[str, Any]:
        """What a command prints with `--json`; it must succeed."""
        code, out, err = self.run(*arguments, "--json")
        assert code == 0, err
        result: dict[str, Any] = json.loads(out)
        return result

    def refused(self, *arguments: str) -> str:
        """The one line that a command says before it ends with exit code 2."""
        code, out, err = self.run(*arguments)
        assert (code, out) == (2, ""), err
        assert len(err.strip().splitlines()) == 1
        assert "Traceback" not in err
        return err
