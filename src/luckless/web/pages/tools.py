"""Small forms: equity and hand rank, and the planner of match lengths. An address holds what was asked."""

import math
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.hands.equity import equity
from luckless.hands.rank import hand_rank
from luckless.stats.planning import detectable_edge, hands_needed
from luckless.web.rendering import json_answer, render

router = APIRouter()
NAVIGATION = (("Equity and rank", "/tools", 40), ("Planner", "/plan", 50))

LONGEST = 400
MOST_SAMPLES = 2_000_000
SPREADS = (("no-limit, duplicate decks", 10_000), ("no-limit, fresh decks", 15_000), ("limit, fresh decks", 6_000))
"""Spreads of a hand in mbb that people may begin with; a stored match tells its own."""


@router.get("/tools")
def tools(request: Request, hands: str = "", board: str = "", hole: str = "") -> Response:
    """Both forms with their answers."""
    values: dict[str, Any] = {"shares": None, "ranks": None, "problem": "", "trouble": ""}
    if hands.strip():
        values["shares"], values["problem"] = _tried(lambda: _equity(hands, board))
    if hole.strip():
        values["ranks"], values["trouble"] = _tried(lambda: _rank(hole, board))
    status = 400 if values["problem"] or values["trouble"] else 200
    return render(
        request, "tools.html", status=status, title="Equity and rank", hands=hands[:LONGEST], board=board[:LONGEST],
        hole=hole[:LONGEST], **values,
    )  # fmt: skip


@router.get("/api/equity")
def equity_api(hands: str = "", board: str = "") -> Response:
    """Equity as `luckless equity --json` prints it; hands stand between spaces."""
    return json_answer(_equity(hands, board))


@router.get("/api/rank")
def rank_api(hole: str = "", board: str = "") -> Response:
    """Hand rank as `luckless rank --json` prints it."""
    return json_answer(_rank(hole, board))


@router.get("/plan")
def plan(request: Request, edge: str = "", sd: str = "", hands: str = "", set_size: str = "") -> Response:
    """How many hands an edge needs, and what a match of some length can show."""
    answer: dict[str, Any] | None = None
    problem = ""
    if edge.strip() or hands.strip():
        answer, problem = _tried(lambda: _plan(edge, sd, hands, set_size))
    return render(
        request, "plan.html", status=400 if problem else 200, title="Planner", edge=edge[:40], sd=sd[:40] or "10000",
        hands=hands[:40], set_size=set_size[:40], answer=answer, problem=problem, spreads=SPREADS,
    )  # fmt: skip


@router.get("/api/plan")
def plan_api(edge: str = "", sd: str = "", hands: str = "", set_size: str = "") -> Response:
    """The planner as JSON."""
    return json_answer(_plan(edge, sd, hands, set_size))


def _tried(work: Any) -> tuple[Any, str]:
    """What work gives, or why it does not."""
    try:
        return work(), ""
    except InputError as error:
        return None, str(error)


def _equity(hands: str, board: str) -> dict[str, Any]:
    words = _short(hands, "hands").replace(";", " ").split()
    found = equity(words, _short(board, "board").replace(" ", ""), samples=_samples(words, board), threads=1)
    return {**found.to_dict(), "named": words}


def _samples(words: list[str], board: str) -> int | None:
    """Sampled where counting all would keep the server busy for long: ranges, and three and more before the flop."""
    exact = all(len(word) == 4 and "?" not in word and "%" not in word for word in words)
    few = len(words) <= 2 or (board.strip() and len(words) <= 4)
    return None if exact and few else 400_000


def _rank(hole: str, board: str) -> dict[str, Any]:
    found = hand_rank(parse_cards(_short(hole, "hole")), parse_cards(_short(board, "board")))
    return {"ihr": float(found.ihr), "hr7": float(found.hr7), "ehr": float(found.ehr)}


def _short(text: str, name: str) -> str:
    if len(text) > LONGEST:
        raise InputError(f"{name} is longer than {LONGEST} characters")
    return text


def _plan(edge: str, sd: str, hands: str, set_size: str) -> dict[str, Any]:
    """Hands for an edge (mbb/h), the edge that some hands show, or both; `sd` is the spread of a sample in mbb."""
    spread, size = _number("sd", sd or "10000"), int(_number("set_size", set_size or "1"))
    if not 1 <= size <= 10_000:
        raise InputError(f"set_size is {size}; allowed is 1 to 10,000 hands")
    told: dict[str, Any] = {"sd_mbb": spread, "set_size": size}
    told |= {"hands": None, "detectable_mbb": None, "half_mbb": None}
    if edge.strip():
        told["edge_mbb"] = _number("edge", edge)
        told["hands"] = hands_needed(told["edge_mbb"], spread, hands_per_sample=size)
    if hands.strip():
        count = int(_number("hands", hands))
        if not size <= count <= 10**15:
            raise InputError(f"hands is {count}; allowed is {size} to 10^15")
        told["of_hands"] = count
        told["detectable_mbb"] = detectable_edge(count // size, spread)
        told["half_mbb"] = 1.96 * spread / math.sqrt(count // size)
    if told["hands"] is None and told["detectable_mbb"] is None:
        raise InputError("give an edge in mbb/h, or a number of hands")
    return told


def _number(name: str, text: str) -> float:
    try:
        number = float(text.replace(",", "").replace(" ", ""))
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or abs(number) > 1e18:
        raise InputError(f"{name} is {text[:40]!r}; a number is needed")
    return number
