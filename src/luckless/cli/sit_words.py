"""What a person types at the table, and what it means."""

from luckless.errors import InputError
from luckless.histories.hand_frames import amount_text
from luckless.rules.actions import CALL, FOLD
from luckless.rules.views import View

HELP = """f          fold
c          check, or call what is to call
r AMOUNT   raise so that AMOUNT is what you have bet on this street; in limit games r alone
b AMOUNT   the same for a first bet
all-in     bet all you have (or a)
?          this help
q          leave the table: this hand is checked or folded, and everything is kept (also Ctrl-C and Ctrl-D)"""

_WORDS = {"fold": "f", "call": "c", "check": "c", "k": "c", "raise": "r", "bet": "r", "b": "r", "allin": "a",
          "all-in": "a", "all": "a", "quit": "q", "exit": "q", "help": "?", "h": "?"}  # fmt: skip


class NotUnderstood(InputError):
    """Something was typed that is no answer here; the message says what is."""


def prompt_text(view: View) -> str:
    """The choices of a decision, in one line."""
    if view.to_call:
        all_in = " (all-in)" if view.to_call == view.stacks[view.seat] else ""
        words = ["f fold", f"c call {amount_text(view.to_call)}{all_in}"]
    else:
        words = ["c check"]
    if view.can_raise:
        what = "raise to" if max(view.street_bets) else "bet"
        letter = "r" if max(view.street_bets) else "b"
        if view.min_raise_to == view.max_raise_to:
            words.append(f"{letter} {what} {amount_text(view.min_raise_to)}")
        else:
            bounds = f"{amount_text(view.min_raise_to)} to {amount_text(view.max_raise_to)}"
            words.append(f"{letter} AMOUNT {what} {bounds}")
    return f"{', '.join(words)}, ? help > "


def action_of(text: str, view: View) -> int | str:
    """The action that a text means, or `q` or `?`; raises `NotUnderstood` with what is allowed."""
    word, _, rest = text.strip().lower().partition(" ")
    letters, digits = word.rstrip("0123456789,."), word[len(word.rstrip("0123456789,.")) :]
    if letters in ("r", "b") and digits:  # r400
        word, rest = letters, digits
    word = _WORDS.get(word, word)
    if word in ("q", "?"):
        return word
    if word == "f":
        if view.to_call == 0:
            raise NotUnderstood("nothing is to call: c checks for nothing")
        return FOLD
    if word == "c":
        return CALL
    if word == "a":
        return _all_in(view)
    if word == "r":
        return _raise(rest.strip(), view)
    said = f"{text.strip()!r} is not an answer" if text.strip() else "nothing was typed"
    raise NotUnderstood(f"{said}; type f, c, r AMOUNT, all-in, ? for help or q to leave")


def _all_in(view: View) -> int:
    paid, behind = view.street_bets[view.seat], view.stacks[view.seat]
    if view.can_raise and view.max_raise_to == paid + behind:
        return view.max_raise_to
    if view.to_call == behind:
        return CALL
    raise NotUnderstood(f"you cannot go all-in here: {_bounds(view)}")


def _raise(amount: str, view: View) -> int:
    if not view.can_raise:
        raise NotUnderstood(_bounds(view))
    if not amount and view.min_raise_to == view.max_raise_to:
        return view.min_raise_to
    digits = amount.removeprefix("to ").replace(",", "")
    if not (digits.isascii() and digits.isdecimal()):
        said = f"{amount!r} is not a whole number of chips" if amount else "say how much"
        raise NotUnderstood(f"{said}: {_bounds(view)}")
    if not view.min_raise_to <= int(digits) <= view.max_raise_to:
        raise NotUnderstood(f"{amount_text(int(digits))} is not allowed: {_bounds(view)}")
    return int(digits)


def _bounds(view: View) -> str:
    if not view.can_raise:
        return "raising is closed; c calls, f folds" if view.to_call else "betting is closed; c checks"
    least, most = amount_text(view.min_raise_to), amount_text(view.max_raise_to)
    return f"r {least}" if least == most else f"r {least} to r {most}; the amount is all you have bet on this street"
