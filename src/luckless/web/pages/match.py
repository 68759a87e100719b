"""A stored match: the verdict as the terminal prints it, figures and tables whose bars and cells lead to hands."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from luckless.matches.parts import ending_rate, seat_rate
from luckless.matches.result import MatchResult
from luckless.matches.tally import ENDINGS
from luckless.records import load_match
from luckless.report import match_figures as drawing
from luckless.report.match_report import conclusion, interval_text, settings, signed
from luckless.report.result_text import result_text
from luckless.stats.estimate import Estimate
from luckless.web.figures import Figures
from luckless.web.finding import Found
from luckless.web.kept import Kept
from luckless.web.pages.judge import ESTIMATORS
from luckless.web.rendering import address, json_answer, render
from luckless.web.secret_seeds import is_played_now, without_seed

router = APIRouter()

_RESULTS: Kept[MatchResult] = Kept(16)


def result_of(found: Found) -> MatchResult:
    """The result of a stored match, kept until its files change."""
    return _RESULTS.get(found, lambda: load_match(found.path))


@router.get("/match/{place:path}")
def page(request: Request, place: str) -> Response:
    """The page."""
    found = request.app.state.finder.run(place, "match")
    return render(request, "match.html", title=found.outline.title, **_values(found))


@router.get("/api/match/{place:path}")
def api(request: Request, place: str) -> Response:
    """The result as `luckless match --json` prints it."""
    found = request.app.state.finder.run(place, "match")
    told = result_of(found).to_dict()
    return json_answer({**told, "seed": None if is_played_now(found) else told["seed"], "state": found.outline.state})


def _values(found: Found) -> dict[str, Any]:
    result = result_of(found)
    figures = Figures()
    winnings = figures.add(drawing.winnings_figure(result))
    spread = figures.add(drawing.distribution_figure(result), _result_links(found, result))
    seats = figures.add(drawing.seat_figure(result), _seat_links(found, result))
    endings = figures.add(drawing.ending_figure(result), _ending_links(found, result))
    return {
        "found": found,
        "hands": result.hands,
        "lead": conclusion(result),
        "block": without_seed(found, result.match.seed, result_text(result)),
        "facts": [(name, without_seed(found, result.match.seed, text)) for name, text in settings(result)],
        "winnings": winnings,
        "spread": spread,
        "seats": seats,
        "endings": endings,
        "seat_table": _seat_table(found, result),
        "ending_table": _ending_table(found, result),
        "faults": result.tally.faults.cases,
        "clocks": _clocks(result),
        "behaved": _behaved(result),
        "labels": result.match.labels,
        "figures": figures.data,
        "estimators": ESTIMATORS,
    }


def hands_address(found: Found, **filters: Any) -> str:
    """The hands of a run that a filter leaves."""
    return address("hands", found.place, **filters)


def _result_links(found: Found, result: MatchResult) -> list[list[str | None]]:
    """The hands behind each bar of the histogram: a player's results between two bounds."""
    bounds = [drawing.result_bounds(number) for number in drawing.result_classes(result)]
    return [
        [hands_address(found, player=player, **_between(*ends)) for ends in bounds]
        for player in range(len(result.match.names))
    ]


def _between(low: float | None, high: float | None) -> dict[str, float | None]:
    """Results between two bounds as a filter says it: the bound that is nearer to zero does not belong to them."""
    if low == high == 0:
        return {"won_from": 0.0, "won_to": 0.0}
    wins = low is not None and low >= 0
    return {"won_above": low, "won_to": high} if wins else {"won_from": low, "won_below": high}


def _seat_links(found: Found, result: MatchResult) -> list[list[str | None]]:
    seats = range(len(result.match.names))
    return [[hands_address(found, player=player, seat=seat) for seat in seats] for player in seats]


def _ending_links(found: Found, result: MatchResult) -> list[list[str | None]]:
    players = range(len(result.match.names))
    return [[hands_address(found, player=player, ending=ending) for ending in ENDINGS] for player in players]


def _seat_table(found: Found, result: MatchResult) -> dict[str, Any]:
    seats = len(result.match.names)
    links = _seat_links(found, result)
    rates = [[seat_rate(result, player, seat) for seat in range(seats)] for player in range(seats)]
    return _table(result, drawing.seat_names(seats), rates, links)


def _ending_table(found: Found, result: MatchResult) -> dict[str, Any]:
    players, endings = range(len(result.match.names)), range(len(ENDINGS))
    rates = [[ending_rate(result, player, ending) for ending in endings] for player in players]
    return _table(result, ENDINGS, rates, _ending_links(found, result))


def _table(result: MatchResult, header: Any, rates: list[list[Estimate]], links: Any) -> dict[str, Any]:
    """Rates with their intervals as cells with addresses: what a figure shows, for reading and by keyboard."""
    rows = [
        {
            "name": name,
            "cells": [
                {"text": signed(rate.mean), "half": _half(rate), "address": link,
                 "title": f"95 % interval {interval_text(rate)}"}
                for rate, link in zip(rates[player], links[player], strict=True)
            ],
        }
        for player, name in enumerate(result.match.labels)
    ]  # fmt: skip
    return {"header": header, "rows": rows}


def _half(rate: Estimate) -> str:
    """Half the interval, as it stands beside a number."""
    return "" if rate.ci95 is None else f"± {(rate.ci95[1] - rate.ci95[0]) / 2:,.0f}"


def _clocks(result: MatchResult) -> str:
    """How long bots might think, in words."""
    match = result.match
    limits = {"a decision": match.decision_seconds, "a hand": match.hand_seconds, "the match": match.match_seconds}
    return ", ".join(f"{seconds:,.0f} s for {what}" for what, seconds in limits.items() if seconds) or "no limit"


def _behaved(result: MatchResult) -> list[dict[str, Any]]:
    """What each bot was asked, and how often it failed to answer well and in time."""
    log = result.tally.faults
    rows = []
    for player, name in enumerate(result.match.labels):
        told = log.facts(player)
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in told["faults_by_kind"].items())
        asked = "by compiled rules" if told["decisions"] is None else f"{told['decisions']:,}"
        rows.append({"name": name, "asked": asked, "faults": told["faults"], "kinds": kinds or "–",
                     "answered": told["answered_for"]})  # fmt: skip
    return rows
