"""What one seat may see when a hand is over: what was played, what was shown, what everybody won or lost."""

from dataclasses import dataclass

from luckless.rules.game import BOARD_CARDS, STREETS
from luckless.rules.records import Records
from luckless.rules.table import Table
from luckless.rules.views import PastAction


@dataclass(frozen=True, slots=True)
class Ending:
    """A finished hand as one seat sees it. Names are those of `View`; tuples run in seat order."""

    seat: int
    seats: int
    street: int
    """The street that was reached: the river after a showdown."""
    showdown: bool
    hole: tuple[int, int]
    board: tuple[int, ...]
    big_blind: int
    pot: int
    """All chips put in, before anything uncalled went back."""
    stacks: tuple[int, ...]
    """Chips at the start of the hand."""
    invested: tuple[int, ...]
    live: tuple[bool, ...]
    shown: tuple[tuple[int, int] | None, ...]
    """The cards of the seats that went to showdown; None for those that folded, or when all others did."""
    payoffs: tuple[int, ...]
    history: tuple[PastAction, ...]
    rounds_left: int = -1
    """In a session: hands to come after this one; -1 outside of sessions."""
    session_stack: int = 0
    """In a session: the chips that each player began it with; 0 outside of sessions."""


def ending_of(table: Table, records: Records, row: int, seat: int) -> Ending:
    """What a seat sees of a hand that is over and settled (`Table.records`)."""
    count, public, deck = table.game.seats, table.public[row], table.decks[row].tolist()
    showdown = bool(public["showdown"])
    street = len(STREETS) - 1 if showdown else int(public["street"])
    live = tuple(bool(public["live"] >> seat & 1) for seat in range(count))
    holes = [(deck[2 * seat], deck[2 * seat + 1]) for seat in range(count)]
    return Ending(
        seat=seat,
        seats=count,
        street=street,
        showdown=showdown,
        hole=holes[seat],
        board=tuple(deck[2 * count : 2 * count + BOARD_CARDS[street]]),
        big_blind=table.game.big_blind,
        pot=int(public["pot"]),
        stacks=tuple(table.stacks[row].tolist()),
        invested=tuple(public["invested"].tolist()[:count]),
        live=live,
        shown=tuple(hole if showdown and lives else None for hole, lives in zip(holes, live, strict=True)),
        payoffs=tuple(records.payoffs[row].tolist()),
        history=table.history(row),
        rounds_left=int(public["rounds_left"]),
        session_stack=int(public["session_stack"]),
    )
