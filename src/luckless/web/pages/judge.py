"""A stored match with the luck taken out: money, all-in equity and skill, by street, position and kind of pot."""

import json
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from luckless.histories.reading import read_hands
from luckless.report.match_report import interval_text, signed
from luckless.report.page import without_title
from luckless.report.verdict_report import PLAYERS_HEADER, conclusion, player_rows, verdict_lines
from luckless.skill.registry import AUTO, check_name, judge_hands
from luckless.skill.stored_policies import stored_policies
from luckless.skill.verdict import Knowledge, PlayerVerdict, Verdict
from luckless.web.finding import Found
from luckless.web.jobs import Job
from luckless.web.kept import Kept
from luckless.web.pages.hands import KINDS, stored_of
from luckless.web.rendering import address, json_answer

router = APIRouter()

ESTIMATORS = (AUTO, "all-in", "chance", "aivat", "imaginary", "divat")
_VERDICTS: Kept[dict[str, Any]] = Kept(16)


@router.post("/api/judge/{place:path}")
def start(request: Request, place: str, by: str = AUTO) -> Response:
    """Begins to judge the hands of a run; the outcome of the job is what the page shows."""
    check_name(by)
    found = request.app.state.finder.run(place, *KINDS)

    def work(job: Job) -> dict[str, Any]:
        job.say(f"judging {stored_of(found).hands:,} hands")
        return _VERDICTS.get(found, lambda: _told(found, _judged(found, by)), by)

    job = request.app.state.jobs.start(f"judge {place} by {by}", work)
    return json_answer({**job.to_dict(), "address": f"/api/jobs/{job.name}"}, 202)


def _judged(found: Found, by: str) -> Verdict:
    """The verdict; only bots that came with the package are asked what they would do."""
    hands = read_hands(found.path)
    policies = {} if by in ("all-in", "chance", "divat") else stored_policies(hands.paths)
    return judge_hands(hands.batches(), by, Knowledge(policies, lines=True))


def _told(found: Found, verdict: Verdict) -> dict[str, Any]:
    """A verdict as the page shows it: words, tables whose cells lead to hands, figures."""
    figures = []
    for figure in verdict_lines(verdict, verdict.players):
        drawn, heading = without_title(json.loads(figure.to_json()))
        figures.append({"heading": heading, "figure": drawn})
    return {
        "conclusion": conclusion(verdict, verdict.players),
        "by": verdict.by,
        "notes": [verdict.reason, *verdict.notes],
        "header": PLAYERS_HEADER,
        "rows": player_rows(verdict.players),
        "players": [_parts(found, player) for player in verdict.players],
        "figures": figures,
        "verdict": verdict.to_dict(),
    }


def _parts(found: Found, player: PlayerVerdict) -> dict[str, Any]:
    """Where a player's rate comes from."""
    names = list(stored_of(found).names)
    number = names.index(player.name) if player.name in names else None
    streets = [
        {"name": street, "rate": signed(rate.mean), "interval": interval_text(rate),
         "address": address("hands", found.place, player=number, street=street)}
        for street, rate in player.by_street.items()
    ]  # fmt: skip
    groups = {
        kind: [
            {"name": word, "hands": f"{money.hands:,}", "money": signed(money.mean), "rate": signed(adjusted.mean),
             "interval": interval_text(adjusted)}
            for word, (money, adjusted) in words.items()
        ]
        for kind, words in player.groups.items()
    }  # fmt: skip
    return {"name": player.name, "streets": streets, "groups": groups}
