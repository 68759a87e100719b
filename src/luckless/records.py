"""Everything that was stored, loaded from its place: matches, sessions, evaluations, seasons, judgements, hands.

A record needs no bot: it has the numbers, and what its page shows.
"""

from dataclasses import replace
from pathlib import Path

from luckless.divat.judgement import Judgement
from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.resuming import JUDGEMENT_FILE
from luckless.histories.store import StoredHands
from luckless.league.season_record import SeasonRecord
from luckless.matches.evaluation import Evaluation
from luckless.matches.result import MatchResult
from luckless.matches.session_result import SessionResult
from luckless.runs import CATALOGUE
from luckless.tournaments.result import TournamentResult, load_tournament
from luckless.tournaments.store import holds_tournament

Record = MatchResult | SessionResult | Evaluation | TournamentResult | SeasonRecord | Judgement | StoredHands


def load(path: str | Path) -> Record:
    """What a folder (or the file of a judgement) holds, without loading any bot.

    A match gives a `MatchResult`, sessions a `SessionResult`, an evaluation an `Evaluation`, a tournament a
    `TournamentResult`, a season a `SeasonRecord`, a judgement a `Judgement`, and hands of a foreign log are
    `StoredHands`.
    """
    from luckless.divat.judgement_file import load_judgement
    from luckless.histories.session_writer import load_session_result
    from luckless.histories.stored_evaluation import RECORD, load_evaluation

    if not isinstance(path, str | Path):
        raise InputError(f"path is {path!r}: the path of a folder is needed")
    place = Path(path)
    if place.is_file():
        return load_judgement(place)
    if not place.is_dir():
        raise InputError(f"there is no folder {place}")
    if (place / RECORD).is_file():
        return load_evaluation(place)
    if holds_tournament(place):
        return load_tournament(place)
    if (place / CATALOGUE).is_file():
        return SeasonRecord.open(place)
    if not (place / FILE).is_file() and not any(place.glob("hands-*.parquet")):
        raise InputError(f"{place} holds no stored match, sessions, evaluation, tournament or season")
    stored = StoredHands.open(place)
    if stored.is_session:
        return load_session_result(place)
    return load_match(place) if stored.is_match else stored


def load_match(folder: Path) -> MatchResult:
    """The result of a stored match, with the judgement that was saved beside it."""
    from luckless.divat.judgement_file import load_judgement
    from luckless.histories.stored_match import load_match_result

    result = load_match_result(folder)
    file = folder / JUDGEMENT_FILE
    if not file.is_file():
        return result
    return replace(result, judgement=load_judgement(file, StoredHands.open(folder).digest))
