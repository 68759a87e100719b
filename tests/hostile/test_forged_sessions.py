"""A forger edits the catalogue of sessions, and seals it again. What contradicts the hands is found."""

from collections.abc import Callable
from pathlib import Path

import pytest

from forging import MATCH, change, reseal, result_row, set_setting, sql
from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.histories.session_writer import play_stored_sessions
from luckless.histories.verifying import verify
from luckless.matches.session import Sessions


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    """Stored sessions."""
    players = [load_bot(bot) for bot in ("random", "call")]
    play_stored_sessions(Sessions.plan(players, rounds=6, stack=100, games=20, seed=2), tmp_path / "s")
    return tmp_path / "s"


@pytest.mark.parametrize(
    "forge",
    [
        change("record", "chips", 3, 0),
        change("record", "rounds", 3),
        change("result", "games"),
        result_row("mean_chips"),
        result_row("busts"),
        lambda path: set_setting(path, "rounds", 7),
        lambda path: set_setting(path, "games", 21),
        sql(("update bots set name = 'raise' where player = 1",)),
    ],
)
def test_forged_sessions_are_found(sessions: Path, forge: Callable[[Path], None]) -> None:
    assert verify(sessions).failures == 0
    forge(sessions / MATCH)
    with pytest.raises(InputError, match="not what was sealed"):
        verify(sessions)
    reseal(sessions / MATCH)
    assert verify(sessions).failures
