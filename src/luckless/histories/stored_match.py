"""The result of a stored match, read from its folder; no bot is needed."""

from pathlib import Path

from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.match_writer import match_settings, stored_chunks
from luckless.histories.store import StoredHands
from luckless.matches.result import MatchResult, count_again, largest_result_mbb
from luckless.matches.settings import MatchSettings
from luckless.stats.sequential import SequentialTest
from luckless.typed_values import check, number, table, text, whole

_SHOWN_TEST = table(
    {
        **{key: number() for key in ("at_most_mbb", "at_least_mbb", "alpha", "beta")},
        "decision": text,
        "sets": whole(0),
    }
)


def load_match_result(folder: Path) -> MatchResult:
    """The result of the match in a folder, as it was when the match ended or was interrupted.

    A match that is being played, was killed, or was stored by an older version has no tally of its hands: they are
    counted again.
    """
    stored = StoredHands.open(folder)
    if not stored.is_match:
        raise InputError(f"{folder} holds no stored match")
    if not stored.chunks:
        raise InputError(f"{folder} holds a match without any stored hand yet")
    record = stored.settings.get("record")
    if record is not None and record["tally"]["hands"] == stored.hands:
        return MatchResult.from_record(match_settings(stored.settings, stored.bots, folder), record)
    return count_match(stored)


def count_match(stored: StoredHands) -> MatchResult:
    """The result counted from the hands; time and test are as far as the catalogue knows them."""
    settings = match_settings(stored.settings, stored.bots, stored.folder)
    known = stored.settings.get("result", {})
    tally, test = count_again(settings, stored_chunks(stored), asked_test(stored, settings))
    interrupted = not stored.finished and stored.hands < settings.hands
    return MatchResult(settings, tally, known.get("seconds", 0.0), interrupted, test)


def asked_test(stored: StoredHands, settings: MatchSettings) -> SequentialTest | None:
    """The sequential test that a match was played with, from the beginning: what was asked, and nothing judged."""
    told = (stored.settings.get("record") or {}).get("sequential")
    if told is None:
        shown = stored.settings.get("result", {}).get("sequential")
        if shown is None:
            return None
        check(shown, _SHOWN_TEST, f"{stored.folder / FILE}, result")
        told = {**shown, "at_most": shown["at_most_mbb"], "at_least": shown["at_least_mbb"]}
    asked = {key: told[key] for key in ("at_most", "at_least", "alpha", "beta")}
    return SequentialTest(**asked, largest=largest_result_mbb(settings))
