"""An action from what a model has written: a JSON object if there is one, else a plain statement of one action."""

import json
import re
from typing import Any

from luckless.rules.views import View


class Unusable(Exception):
    """An answer that cannot be read, or an action that is not allowed; the message is for the model."""


_OBJECT = re.compile(r"\{[^{}]*\}")
_WORDS = re.compile(
    r"\b(?P<word>fold|check|call|bet|raise|all[- ]?in)(?:s|ed|es|ing)?\b"
    r"(?:\s*(?:to|of|:|=)?\s*\$?(?P<amount>\d[\d,]*))?",
    re.IGNORECASE,
)
_STATED = re.compile(r"(?:action|answer|decision|move)\W{1,5}(?:is\W+)?(?=\w)", re.IGNORECASE)


def parse_action(text: str, view: View) -> int:
    """The action that an answer names: -1 fold, 0 check or call, x raise to x; raises `Unusable`."""
    word, amount = _from_json(text) or _from_words(text)
    return _checked(word, amount, view)


def _from_json(text: str) -> tuple[str, int | None] | None:
    """The last JSON object with an action; models like to think before they answer."""
    for found in reversed(_OBJECT.findall(text)):
        try:
            message: Any = json.loads(found)
        except (ValueError, RecursionError):
            continue
        if isinstance(message, dict) and isinstance(message.get("action"), str):
            word = message["action"].strip().lower().replace("_", "-")
            amount = next((message[key] for key in ("amount", "to", "raise_to", "size") if key in message), None)
            if match := _WORDS.fullmatch(word):
                given = _number(amount)
                return match["word"].lower(), given if given is not None else _number(match["amount"])
    return None


def _from_words(text: str) -> tuple[str, int | None]:
    """What stands after the last "Action:"; else the one action that the whole text names."""
    stated = list(_STATED.finditer(text))
    for place in reversed(stated):
        if match := _WORDS.match(text, place.end()):
            return match["word"].lower(), _number(match["amount"])
    named = {(match["word"].lower(), match["amount"]) for match in _WORDS.finditer(text)}
    if len(named) != 1:
        what = "no action" if not named else "several actions"
        raise Unusable(f"it names {what}")
    [(word, amount)] = named
    return word, _number(amount)


def _number(value: Any) -> int | None:
    """A whole number of chips, however it is written."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        digits = value.replace(",", "").replace("$", "").strip()
        value = float(digits) if re.fullmatch(r"\d{1,15}(\.\d+)?", digits) else None
    if isinstance(value, int | float) and value == value and abs(value) < 1e15 and int(value) == value:
        return int(value)
    return None


def _checked(word: str, amount: int | None, view: View) -> int:
    if word == "fold":
        return 0 if view.to_call == 0 else -1  # nobody means to fold for nothing
    if word in ("check", "call"):
        return 0
    if not view.max_raise_to:
        if word.startswith("all"):
            return 0
        raise Unusable("raising is not allowed now")
    if word.startswith("all"):
        return view.max_raise_to
    if amount is None:
        if view.min_raise_to == view.max_raise_to:
            return view.min_raise_to
        raise Unusable("a raise needs a whole number of chips as its amount")
    if not view.min_raise_to <= amount <= view.max_raise_to:
        raise Unusable(f"a raise to {amount} is not allowed; from {view.min_raise_to} to {view.max_raise_to} is")
    return amount
