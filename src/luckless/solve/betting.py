"""The betting of a spot as trees, a forest a street: cards play no part in it.

The trees of a street begin where the street before ended (its deals), so one forest serves every board. What a player
did on the way to a point is a row of his: rows 0 to entries - 1 are the beginnings of the trees, then each action of
each of his decisions has one. With rows, the other player's decisions vanish from a player's own sweep.
"""

import functools
from dataclasses import dataclass, field

from luckless.errors import InputError
from luckless.solve.menus import Faced, Menu, Trimming, amounts_of

FOLD, SHOWDOWN = "fold", "showdown"


@dataclass(frozen=True)
class Decision:
    """One point where a player acts: the row that leads there, his first action's row, and what he can do."""

    player: int
    parent: int
    first_row: int
    actions: tuple[str, ...]
    line: str
    """The betting that led here, streets parted by slashes, such as `x b120/x`."""


@dataclass(frozen=True)
class Ending:
    """Where money is settled: each player's row, the kind, and what player 0 wins there.

    At a showdown `stake` is what each player has put in, his half of the first pot included.
    """

    rows: tuple[int, int]
    kind: str
    stake: float
    rake: float = 0.0


@dataclass
class Forest:
    """The betting of one street: its decisions in order, its ends, and the deals that lead to the next street."""

    entries: int
    decisions: list[Decision] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)
    deals: list[tuple[int, int]] = field(default_factory=list)
    """The rows of both players at each deal."""
    next_row: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.next_row = [self.entries, self.entries]

    def slots(self, player: int) -> int:
        """Actions of a player over all his decisions."""
        return self.next_row[player] - self.entries


@dataclass(frozen=True)
class Stakes:
    """The chips of a spot: the pot at the start, what each player has behind, the smallest bet, the rake."""

    pot: int
    stack: int
    minimum: int = 1
    rake: float = 0.0
    rake_cap: float = float("inf")


@dataclass(frozen=True)
class _Entry:
    """A tree's beginning: chips that each player has put in since the start, and whether the second one bet last."""

    put_in: int
    second_bet_last: bool
    line: str


class _Street:
    """Builds the forest of one street."""

    def __init__(
        self, stakes: Stakes, menu: Menu, trimming: Trimming, left: int, entries: list[_Entry], room: int
    ) -> None:
        """`room` is how many decisions there may be."""
        self.stakes, self.menu, self.trimming, self.left, self.room = stakes, menu, trimming, left, room
        self.forest = Forest(len(entries))
        self.after: list[_Entry] = []
        for number, entry in enumerate(entries):
            self._begin(number, entry)

    def _begin(self, number: int, entry: _Entry) -> None:
        rows = (number, number)
        if entry.put_in == self.stakes.stack:  # both are all-in: no betting is left
            self._close(rows, entry, entry.put_in, "")
            return
        self._act(0, rows, (0, 0), 0, _Line(entry, "", 0))

    def _act(self, player: int, rows: tuple[int, int], bets: tuple[int, int], raised: int, line: "_Line") -> None:
        """One decision and all that follows; `bets` are those of this street."""
        if line.steps > MAX_STEPS:
            raise InputError(
                f"the menu of sizes allows more than {MAX_STEPS} actions on one street; take larger sizes"
            )
        if len(self.forest.decisions) >= self.room:
            raise InputError(f"the menu of sizes makes more than {MAX_DECISIONS:,} decisions; allow fewer sizes")
        faced = bets[1 - player]
        amounts = self._amounts(player, bets, raised, line)
        actions = (["fold", "call"] if faced > bets[player] else ["check"]) + [
            f"{'raise' if faced else 'bet'} {amount}" for amount in amounts
        ]
        first = self.forest.next_row[player]
        text = f"{line.entry.line}{line.text}".strip()
        self.forest.decisions.append(Decision(player, rows[player], first, tuple(actions), text))
        self.forest.next_row[player] += len(actions)
        place = 0
        if faced > bets[player]:
            self._end_by_fold(player, _put(rows, player, first), line.entry.put_in + bets[player])
            self._close(
                _put(rows, player, first + 1), line.entry, line.entry.put_in + faced, f"{line.text} c", 1 - player
            )
            place = 2
        else:
            checked = _put(rows, player, first)
            if player == 0:
                self._act(1, checked, bets, 0, line.then("x"))
            else:
                self._close(checked, line.entry, line.entry.put_in, f"{line.text} x")
            place = 1
        for step, amount in enumerate(amounts):
            letter = "r" if faced else "b"
            self._act(
                1 - player,
                _put(rows, player, first + place + step),
                _put(bets, player, amount),
                amount - faced,
                line.then(f"{letter}{amount}"),
            )

    def _amounts(self, player: int, bets: tuple[int, int], raised: int, line: "_Line") -> list[int]:
        faced, most = max(bets), self.stakes.stack - line.entry.put_in
        if faced >= most:
            return []
        seen = Faced(self.stakes.pot + 2 * (line.entry.put_in + faced), faced, raised, most, self.left)
        sizes = self.menu.raises if faced else self.menu.bets
        if not faced and player == 0 and line.entry.second_bet_last and self.menu.donk is not None:
            sizes = self.menu.donk
        return amounts_of(sizes, seen, self.trimming, self.stakes.minimum)

    def _end_by_fold(self, folder: int, rows: tuple[int, int], put_in: int) -> None:
        """The folder loses what he has put in; the winner pays the rake of the pot that was called."""
        lost = self.stakes.pot / 2 + put_in
        self.forest.endings.append(Ending(rows, FOLD, -lost if folder == 0 else lost, self._rake(put_in)))

    def _close(self, rows: tuple[int, int], entry: _Entry, put_in: int, line: str, bettor: int | None = None) -> None:
        """The betting of the street is over: a showdown on the river, else the next card."""
        if self.left == 1:
            stake = self.stakes.pot / 2 + put_in
            self.forest.endings.append(Ending(rows, SHOWDOWN, stake, self._rake(put_in)))
            return
        self.forest.deals.append(rows)
        self.after.append(_Entry(put_in, bettor == 1, f"{entry.line}{line} /"))

    def _rake(self, put_in: int) -> float:
        return min((self.stakes.pot + 2 * put_in) * self.stakes.rake, self.stakes.rake_cap)


@dataclass(frozen=True)
class _Line:
    """Where a tree began and what was done since."""

    entry: _Entry
    text: str
    steps: int

    def then(self, action: str) -> "_Line":
        """After one more action."""
        return _Line(self.entry, f"{self.text} {action}", self.steps + 1)


def _put(pair: tuple[int, int], player: int, value: int) -> tuple[int, int]:
    return (value, pair[1]) if player == 0 else (pair[0], value)


MAX_DECISIONS = 50_000
MAX_STEPS = 60
"""Actions of one street in a row."""


def build_forests(stakes: Stakes, menus: list[Menu], trimming: Trimming) -> list[Forest]:
    """A forest for each street of the menus, the last of which is the river; nobody may change them."""
    return _forests(stakes, tuple(menus), trimming)


@functools.lru_cache(maxsize=2)
def _forests(stakes: Stakes, menus: tuple[Menu, ...], trimming: Trimming) -> list[Forest]:
    """Kept, because many boards are solved with one betting."""
    forests: list[Forest] = []
    entries = [_Entry(0, False, "")]
    for place, menu in enumerate(menus):
        room = MAX_DECISIONS - sum(len(forest.decisions) for forest in forests)
        street = _Street(stakes, menu, trimming, len(menus) - place, entries, room)
        forests.append(street.forest)
        entries = street.after
    return forests
