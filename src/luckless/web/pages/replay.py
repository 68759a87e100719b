"""One hand at a table, step by step. The server sends one step at a time, with the cards that may be seen there."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from luckless.errors import InputError
from luckless.histories.hand_detail import details
from luckless.histories.seen_frames import SeenHand, View
from luckless.sitting.open_hand import PERSON
from luckless.skill.hand_analysis import BASELINE, HandAnalysis
from luckless.skill.stored_policies import stored_policies
from luckless.web.finding import Found, NotThere
from luckless.web.kept import Kept
from luckless.web.pages.hands import KINDS, stored_of
from luckless.web.rendering import address, json_answer, render
from luckless.web.secret_seeds import refuse_open_cards

router = APIRouter()

_HANDS: Kept[tuple[SeenHand, HandAnalysis]] = Kept(64)
LARGEST_KEY = 2**62


@router.get("/replay/{place:path}")
def page(
    request: Request, place: str, hand: int = 0, step: int = 0, view: str = "hidden", seat: str = ""
) -> Response:
    """The table with the wanted step."""
    found = request.app.state.finder.run(place, *KINDS)
    values = _step(found, hand, step, _view(found, hand, view, seat))
    stored = stored_of(found)
    return render(
        request, "replay.html", title=f"Hand {values['number']}", found=found, values=values, view=view, seat=seat,
        hands=stored.hands, api="/api" + address("replay", place), look="/api" + address("look", place),
    )  # fmt: skip


@router.get("/api/replay/{place:path}")
def api(request: Request, place: str, hand: int = 0, step: int = 0, view: str = "hidden", seat: str = "") -> Response:
    """One step: only what may be seen there by this view."""
    found = request.app.state.finder.run(place, *KINDS)
    return json_answer(_step(found, hand, step, _view(found, hand, view, seat)))


@router.get("/api/look/{place:path}")
def look(
    request: Request, place: str, hand: int = 0, step: int = 0, view: str = "hidden", seat: str = ""
) -> Response:
    """What can be said of the step's decision or deal, as far as this view may know: ranks, equity, baseline, luck.

    Equities and luck are worked out from everybody's cards, so only an open view gets them.
    """
    found = request.app.state.finder.run(place, *KINDS)
    seen, analysis = _hand(found, hand)
    eyes = _view(found, hand, view, seat)
    seen.check(step, eyes)
    return json_answer(_look(seen, analysis, step, eyes))


def _step(found: Found, hand: int, step: int, view: View) -> dict[str, Any]:
    seen, _ = _hand(found, hand)
    return seen.seen(len(seen.frames) - 1 if step < 0 else step, view)


def _view(found: Found, hand: int, view: str, seat: str) -> View:
    """Whose eyes are asked for; at a table that is being played only the person's own, or those of everybody."""
    if view not in ("hidden", "open"):
        raise InputError(f"view is {view[:40]!r}; allowed is hidden or open")
    if seat and not (seat.isdecimal() and len(seat) < 4):
        raise InputError(f"seat is {seat[:40]!r}; a number is needed")
    asked = View(view == "open", int(seat) if seat else None)
    if asked.open or (asked.seat is not None and asked.seat != _seat_of_person(found, hand)):
        refuse_open_cards(found, "all cards are opened")
    return asked


def _seat_of_person(found: Found, hand: int) -> int | None:
    order = list(_hand(found, hand)[0].hand.order)
    return order.index(PERSON) if PERSON in order else None


def _hand(found: Found, key: int) -> tuple[SeenHand, HandAnalysis]:
    if not 0 <= key < LARGEST_KEY:
        raise NotThere(f"there is no hand {key}")

    def load() -> tuple[SeenHand, HandAnalysis]:
        try:
            columns = stored_of(found).hand(key)
        except InputError as error:
            raise NotThere(str(error)) from None
        return SeenHand(next(details(columns))), HandAnalysis(columns, stored_policies([found.path]))

    return _HANDS.get(found, load, key)


def _look(seen: SeenHand, analysis: HandAnalysis, step: int, view: View) -> dict[str, Any]:
    """The analysis of a step: of its decision for who acts, or of the cards that were dealt in it."""
    action = seen.action_of(step)
    hand = seen.hand
    if action is None:
        return {"deal": _deal(seen, analysis, step) if view.open else None}
    actor = hand.steps[action].seat
    knows_actor = view.open or view.seat == actor
    told: dict[str, Any] = {"actor": actor, "rank": None, "baseline": None, "equity": None}
    told |= {"unit": analysis.unit, "moved": None, "choice": None, "played": None, "divat": None}
    told["grid"] = analysis.grid(action)  # what a bot would do with any hand tells nothing of the one it holds
    if knows_actor:
        told["rank"] = analysis.rank(action)
        told["baseline"] = {"bot": BASELINE, "actions": analysis.baseline(action)}
    if view.open:
        told["equity"] = analysis.equities(action)
        terms = analysis.terms
        street = hand.steps[action].street
        told["played"] = None if terms is None else [mine[street][actor] for mine in terms["played"]]
        told["moved"], told["choice"] = analysis.moved(action), analysis.choice(action)
        told["divat"] = analysis.divat(street)
    return told


def _deal(seen: SeenHand, analysis: HandAnalysis, step: int) -> dict[str, Any] | None:
    """The luck that the cards of a step were for each seat, in big blinds, and by DIVAT where it is its game."""
    frame = seen.frames[step]
    before = seen.frames[step - 1].board if step else -1
    if frame.board == before and step:
        return None
    terms = analysis.terms
    if terms is None:
        return None
    street = {0: 0, 3: 1, 4: 2, 5: 3}.get(frame.board, 0)
    luck = [mine[street] for mine in terms["luck"]]
    divat = analysis.divat(street)
    return {"street": street, "luck": luck, "by": terms["by"], "unit": analysis.unit, "divat": divat}
