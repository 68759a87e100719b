"""`luckless games`: every named game, and values that make the game again."""

import pytest

from luckless.rules.game import Game
from luckless.rules.game_files import game_names
from shell import Shell


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys, "games")


def test_json_describes_each_game_whole(shell: Shell) -> None:
    games = shell.json()["games"]
    assert [game["name"] for game in games] == game_names()
    for values in games:
        game = Game.load(values["name"])
        assert values.pop("big_blind") == game.big_blind
        assert Game.from_dict(values) == game


def test_the_table_shows_what_is_played(shell: Shell) -> None:
    code, out, err = shell.run()
    assert (code, err) == (0, "")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.strip()}
    assert set(game_names()) <= set(rows)
    assert rows["limit-hu"] == ["limit", "2", "10/5", "480", "(48", "bb)", "10/10/20/20", "4", "preflop"]
    assert rows["nolimit-3max"] == ["no-limit", "3", "50/100", "20,000", "(200", "bb)", "-", "-", "preflop"]
    assert " ".join(rows["river-hu"][2:]) == "none, unit 100 9,900 (99 bb) - - river, pot 200, board dealt"
