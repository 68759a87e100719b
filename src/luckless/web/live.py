"""Verdicts of matches that are being played, counted beside the requests: a list never waits for them."""

import threading

from luckless.errors import InputError
from luckless.outlines import RUNNING, leader_text
from luckless.web.finding import Found


class LiveVerdicts:
    """The last verdict of each running match; a new one is counted, one at a time, when more hands are there."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, str]] = {}
        self._counting = threading.Lock()

    def of(self, found: Found) -> str:
        """What is known of a run: its stored verdict, or for a running match the last that was counted."""
        told = found.outline
        if told is None:
            return ""
        if told.state != RUNNING or told.kind != "match":
            self._known.pop(found.place, None)
            return told.verdict
        changed, verdict = self._known.get(found.place, (0.0, ""))
        if changed != found.changed and self._counting.acquire(blocking=False):
            threading.Thread(target=self._count, args=(found,), daemon=True, name="verdict").start()
        return verdict

    def _count(self, found: Found) -> None:
        from luckless.web.pages.match import result_of

        try:
            result = result_of(found)
            self._known[found.place] = (found.changed, leader_text(result.to_dict()["bots"]))
        except (InputError, OSError):  # no hand yet, or just deleted
            self._known[found.place] = (found.changed, "")
        finally:
            self._counting.release()
