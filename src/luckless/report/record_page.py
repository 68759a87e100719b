"""The page of anything that was stored."""

from pathlib import Path

from luckless.divat.judgement import Judgement
from luckless.errors import InputError
from luckless.histories.store import StoredHands
from luckless.league.season_record import SeasonRecord
from luckless.matches.evaluation import Evaluation
from luckless.matches.result import MatchResult
from luckless.matches.session_result import SessionResult
from luckless.records import load
from luckless.report.page import Document
from luckless.tournaments.result import TournamentResult


def record_page(path: Path) -> str:
    """The HTML page of whatever was stored: a match, sessions, an evaluation, a tournament, a season, a judgement, a
    solution, or hands of a log. No bot is needed.
    """
    from luckless.report.solution_page import is_solution, solution_page

    if is_solution(path):
        return solution_page(path)
    if path.is_dir() and isinstance(load(path), StoredHands):
        return _page_of_log(path)
    return record_document(path).html()


def _page_of_log(path: Path) -> str:
    """Hands of a log, judged by the estimator that suits what is known of them."""
    from luckless.histories.reading import read_hands
    from luckless.report.verdict_report import verdict_report
    from luckless.skill.registry import AUTO, judge_hands
    from luckless.skill.verdict import Knowledge

    verdict = judge_hands(read_hands(path).batches(), AUTO, Knowledge({}, lines=True))
    return verdict_report(verdict, verdict.players, [str(path)])


def record_document(path: Path) -> Document:
    """What that page says."""
    record = load(path)
    if isinstance(record, MatchResult):
        from luckless.report.match_report import match_document

        return match_document(record)
    if isinstance(record, SessionResult):
        from luckless.report.session_report import session_document

        return session_document(record)
    if isinstance(record, Evaluation):
        from luckless.report.evaluation_report import evaluation_document

        return evaluation_document(record)
    if isinstance(record, TournamentResult):
        from luckless.report.tournament_report import tournament_document

        return tournament_document(record)
    if isinstance(record, SeasonRecord):
        from luckless.report.league_report import league_document

        return league_document(record.run)
    if isinstance(record, Judgement):
        from luckless.report.divat_report import divat_document

        return divat_document(record, None)
    raise InputError(f"{path} holds hands of a log, which have no page; judge them with `luckless divat`")
