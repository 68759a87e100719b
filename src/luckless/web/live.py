"""Verdicts of running matches and of seasons, counted beside the requests: a list never waits for them."""

import sqlite3
import threading

from luckless.errors import InputError
from luckless.outlines import RUNNING, leader_text
from luckless.web.finding import Found


class LiveVerdicts:
    """The last verdict of each such run; a new one is counted, one at a time, when more is there."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, str]] = {}
        self._counting = threading.Lock()

    def of(self, found: Found) -> str:
        """What is known of a run: its stored verdict, or for others the last that was counted."""
        told = found.outline
        if told is None:
            return ""
        if told.kind != "season" and (told.state != RUNNING or told.kind != "match"):
            self._known.pop(found.place, None)
            return told.verdict
        changed, verdict = self._known.get(found.place, (0.0, ""))
        if changed != found.changed and self._counting.acquire(blocking=False):
            threading.Thread(target=self._count, args=(found,), daemon=True, name="verdict").start()
        return verdict

    def _count(self, found: Found) -> None:
        verdict = ""
        try:
            verdict = _leader(found) if found.kind == "season" else _match_leader(found)
        except (InputError, OSError, sqlite3.Error):  # no hand yet, or just deleted
            pass
        finally:
            self._known[found.place] = (found.changed, verdict)
            self._counting.release()


def _match_leader(found: Found) -> str:
    from luckless.web.pages.match import result_of

    return leader_text(result_of(found).to_dict()["bots"])


def _leader(found: Found) -> str:
    """Who leads the board of a season."""
    from luckless.league.boards import board
    from luckless.web.pages.season import opened

    with opened(found) as run:
        lines = board(run, "trueskill")
    if not lines:
        return ""
    half = lines[0].half_width("trueskill")
    return f"{lines[0].agent.name} TrueSkill {lines[0].trueskill:.1f}" + ("" if half is None else f" ± {half:.1f}")
