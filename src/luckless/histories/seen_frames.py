"""What somebody may see at one step of a hand: the picture of that step, and nothing of what comes later.

A viewer sees the cards of his own seat and those that have been shown; an open view shows all cards. Cards of the
board that have not been dealt yet are in no view.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from luckless.errors import InputError
from luckless.histories.hand_detail import HandDetail, Step
from luckless.histories.hand_frames import Frame, amount_text, card_text, frames_of
from luckless.histories.rows import positions
from luckless.rules.columns import UNKNOWN
from luckless.visible import visible_line


class View(NamedTuple):
    """Whose eyes: all cards `open`, or those of a seat (None: only what is shown to everybody)."""

    open: bool = False
    seat: int | None = None


class SeenHand:
    """A hand to step through; every answer holds one step."""

    def __init__(self, hand: HandDetail) -> None:
        self.hand = hand
        self.frames: Sequence[Frame] = frames_of(hand)
        self._decisions = _decisions_of(self.frames, hand)

    def check(self, step: int, view: View) -> None:
        """Refuses steps and seats that are not there."""
        if not 0 <= step < len(self.frames):
            raise InputError(f"step is {step}; the hand has steps 0 to {len(self.frames) - 1}")
        if view.seat is not None and not 0 <= view.seat < self.hand.game.seats:
            raise InputError(f"seat is {view.seat}; the hand has seats 0 to {self.hand.game.seats - 1}")

    def action_of(self, step: int) -> int | None:
        """The number of the action that a step shows, counted from 0; None if it shows something else."""
        return self._decisions.get(step)

    def seen(self, step: int, view: View) -> dict[str, Any]:
        """The picture of a step as plain values; amounts are texts, as they are shown."""
        self.check(step, view)
        hand, frame = self.hand, self.frames[step]
        return {
            "hand": hand.key,
            "number": hand.number,
            "game": hand.game.name,
            "step": step,
            "steps": len(self.frames),
            "street": frame.street,
            "board": [card_text(card) for card in hand.board[: frame.board]],
            "text": frame.text,
            "story": [one.text for one in self.frames[: step + 1]],
            "actor": frame.actor,
            "pot": self._amount(frame.pot),
            "pots": [self._amount(chips) for chips in frame.pots] if len(frame.pots) > 1 else [],
            "seats": [self._seat(seat, frame, step, view) for seat in range(hand.game.seats)],
            "decision": self._decision(step),
        }

    def _seat(self, seat: int, frame: Frame, step: int, view: View) -> dict[str, Any]:
        hand, state = self.hand, frame.seats[seat]
        hole = hand.hole(seat)
        visible = (view.open or view.seat == seat or state.shows) and UNKNOWN not in hole
        last = step == len(self.frames) - 1
        won = hand.payoffs[seat]
        return {
            "name": visible_line(hand.names[seat]),
            "position": positions(hand.game)[seat],
            "button": seat == hand.game.seats - 1,
            "stack": self._amount(state.stack),
            "bet": self._amount(state.bet) if state.bet else "",
            "state": state.state,
            "cards": [card_text(card) for card in hole] if visible else None,
            "won": f"{'+' if won > 0 else ''}{self._amount(won)}" if last else None,
        }

    def _decision(self, step: int) -> dict[str, Any] | None:
        """What the action of a step was about: what a call costs and the pot before it."""
        number = self.action_of(step)
        if number is None:
            return None
        taken: Step = self.hand.steps[number]
        odds = taken.to_call / (taken.pot + taken.to_call) if taken.to_call else None
        return {
            "seat": taken.seat,
            "to_call": self._amount(taken.to_call),
            "pot": self._amount(taken.pot),
            "pot_odds": odds,
            "did": taken.text(self._amount),
        }

    def _amount(self, chips: int) -> str:
        return amount_text(chips, self.hand.scale)


def _decisions_of(frames: Sequence[Frame], hand: HandDetail) -> dict[int, int]:
    """Which step shows which action: steps with an actor before the last bet is returned and cards are shown."""
    found: dict[int, int] = {}
    for place, frame in enumerate(frames):
        if frame.actor is not None and len(found) < len(hand.steps):
            found[place] = len(found)
    return found
