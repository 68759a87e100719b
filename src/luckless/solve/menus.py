"""Menus of bet sizes as people write them: `50%,100%,all-in` for bets, `2.5x` for raises, `e` for geometric growth.

A share is of the pot, for a raise of the pot after the call. `2.5x` raises to 2.5 times the bet faced. `e` is the
share that, bet on every street that is left, ends all-in on the river; `2e` spreads it over two streets. A plain
number is chips.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from luckless.errors import InputError

ALLOWED = "allowed are shares of the pot (50%), multiples of a bet (2.5x, raises only), chips (120), e, 2e and all-in"

_SIZE = re.compile(r"(\d+(?:\.\d+)?|\.\d+)?(%|x|e)?")


@dataclass(frozen=True)
class Size:
    """One size: an amount and what it counts (`%`, `x`, `e`, `chips` or `all-in`)."""

    kind: str
    amount: float = 0.0


@dataclass(frozen=True)
class Faced:
    """What a bettor sees: the pot if he calls, the bet he faces, the one before it, and how far he can go."""

    pot: int
    bet: int
    """The highest bet of the street, 0 if none."""
    raised: int
    """By how much that was more than the one before."""
    most: int
    """All-in, as a bet of this street."""
    streets: int
    """Streets that are left, this one included."""


@dataclass(frozen=True)
class Menu:
    """What may be bet and raised on one street; `donk` replaces `bets` for the first player who called before it."""

    bets: tuple[Size, ...]
    raises: tuple[Size, ...]
    donk: tuple[Size, ...] | None = None


@dataclass(frozen=True)
class Trimming:
    """How a menu is trimmed, as shares: all-in is added where it is at most `add` pots; a bet that leaves at most
    `force` pots behind becomes all-in; sizes closer than `merge` are merged into the larger one. 0 is never."""

    add: float = 0.0
    force: float = 0.0
    merge: float = 0.0


def parse_sizes(text: str, where: str, raises: bool = False) -> tuple[Size, ...]:
    """The sizes of a menu; `where` names it in errors. An empty text is no bet at all."""
    return tuple(_size_of(token, where, raises) for token in text.replace(",", " ").split())


def _size_of(token: str, where: str, raises: bool) -> Size:
    spelled = token.lower()
    if spelled in ("all-in", "allin", "a"):
        return Size("all-in")
    match = _SIZE.fullmatch(spelled)
    if match is None or not spelled:
        raise InputError(f"{where}: {token!r} is not a size; {ALLOWED}")
    number, kind = match.groups()
    amount = float(number) if number else 0.0
    if kind == "x" and not raises:
        raise InputError(f"{where}: {token!r} multiplies the bet that is faced, so it is for raises only; {ALLOWED}")
    if kind == "x" and amount < 2:
        raise InputError(f"{where}: {token!r} is below the minimum raise; allowed is 2x or more")
    if kind == "e" and number is not None and (amount != int(amount) or amount < 1):
        raise InputError(f"{where}: {token!r} must spread over a whole number of streets; allowed is e, 1e, 2e, 3e")
    if kind != "e" and amount <= 0:
        raise InputError(f"{where}: {token!r} must be more than 0; {ALLOWED}")
    if kind is None and amount != int(amount):
        raise InputError(f"{where}: {token!r} is not a whole number of chips; {ALLOWED}")
    return Size(kind or "chips", amount)


def raise_to(size: Size, faced: Faced) -> int:
    """The bet of this street that a size means, before it is held to the rules."""
    if size.kind == "all-in":
        return faced.most
    if size.kind == "x":
        return round(faced.bet * size.amount)
    if size.kind == "chips":
        return int(size.amount)
    share = size.amount / 100 if size.kind == "%" else _geometric(size, faced)
    return faced.bet + round(faced.pot * share)


def _geometric(size: Size, faced: Faced) -> float:
    """The share of the pot that, bet and called on each of some streets, leaves nothing behind."""
    streets = int(size.amount) or faced.streets
    behind = (faced.most - faced.bet) / faced.pot if faced.pot else 0.0
    return float(((2 * behind + 1) ** (1 / streets) - 1) / 2)


def check_bets(menu: Menu, pot: int, stack: int, minimum: int, where: str) -> None:
    """Refuses first bets that would be below the smallest bet even in the first pot; raises grow with what they meet,
    and those below the minimum raise become it."""
    faced = Faced(pot, 0, 0, stack, 1)
    for size in (*menu.bets, *(menu.donk or ())):
        chips = raise_to(size, faced)
        if size.kind in ("%", "chips") and chips < min(minimum, stack):
            name = f"{size.amount:g}%" if size.kind == "%" else f"{size.amount:g}"
            raise InputError(f"{where}: a bet of {name} is {chips} chips; the smallest bet is {minimum}")


def amounts_of(sizes: Iterable[Size], faced: Faced, trimming: Trimming, minimum: int) -> list[int]:
    """The bets that a menu offers, ascending, legal and trimmed; `minimum` is the smallest first bet."""
    least = min(faced.bet + max(faced.raised, minimum), faced.most)
    wanted = {min(max(raise_to(size, faced), least), faced.most) for size in sizes}
    if trimming.add > 0 and wanted and faced.most <= faced.bet + round(faced.pot * trimming.add):
        wanted.add(faced.most)
    forced = {_forced(amount, faced, trimming.force) for amount in wanted}
    return _merged(sorted(forced), faced, trimming.merge)


def _forced(amount: int, faced: Faced, share: float) -> int:
    pot = faced.pot + 2 * (amount - faced.bet)
    return faced.most if share > 0 and faced.most <= amount + round(pot * share) else amount


def _merged(amounts: list[int], faced: Faced, share: float) -> list[int]:
    """From the largest down, drops sizes that are close to the last one kept."""
    kept: list[int] = []
    for amount in reversed(amounts):
        ratio = (amount - faced.bet) / faced.pot if faced.pot else 0.0
        last = (kept[-1] - faced.bet) / faced.pot if kept and faced.pot else float("inf")
        if not kept or share <= 0 or ratio < (last - share) / (1 + share):
            kept.append(amount)
    return kept[::-1]
