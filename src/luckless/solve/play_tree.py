"""The betting of a river as a player walks it: what each decision offers, and where each action leads."""

from dataclasses import dataclass

from luckless.solve.betting import Forest, Stakes, build_forests
from luckless.solve.menus import Menu, Trimming

FOLD, CALL = -1, 0
END = -1
"""Where an action leads that ends the betting."""


@dataclass(frozen=True)
class Point:
    """One decision: who acts, the bet that he faces, the pot if he calls, and his actions as the rules number them:
    -1 fold, 0 check or call, above 0 a bet or raise to that. `first` is the place of the first among all of his."""

    player: int
    faced: int
    pot: int
    first: int
    actions: tuple[int, ...]
    after: tuple[int, ...]
    """The decision that follows each action, or `END`."""

    def share(self, action: int) -> float:
        """How much a bet or raise is more than a call, as a share of the pot after the call."""
        return (action - self.faced) / self.pot


@dataclass(frozen=True)
class PlayTree:
    """The decisions of a river; the first one is the root."""

    points: tuple[Point, ...]
    slots: tuple[int, int]
    """How many actions each player has over all his decisions."""
    stack: int

    def starts(self, player: int) -> list[int]:
        """Where the actions of each of a player's decisions begin."""
        return [point.first for point in self.points if point.player == player]


def river_tree(stakes: Stakes, menu: Menu) -> PlayTree:
    """The betting that a menu allows."""
    return tree_of(build_forests(stakes, [menu], Trimming())[0], stakes)


def tree_of(forest: Forest, stakes: Stakes) -> PlayTree:
    """A forest of the river, which has one tree, with where its actions lead."""
    place = {decision.line: number for number, decision in enumerate(forest.decisions)}
    points = []
    for decision in forest.decisions:
        words = decision.line.split()
        faced = int(words[-1][1:]) if words and words[-1][0] in "br" else 0
        actions = tuple(_number(action) for action in decision.actions)
        after = tuple(
            place.get(f"{decision.line} {_letter(action, faced)}".strip(), END) if action != FOLD else END
            for action in actions
        )
        pot = stakes.pot + 2 * faced
        points.append(Point(decision.player, faced, pot, decision.first_row - forest.entries, actions, after))
    return PlayTree(tuple(points), (forest.slots(0), forest.slots(1)), stakes.stack)


def _number(action: str) -> int:
    word, _, amount = action.partition(" ")
    return int(amount) if amount else {"fold": FOLD}.get(word, CALL)


def _letter(action: int, faced: int) -> str:
    if action == CALL:
        return "c" if faced else "x"
    return f"{'r' if faced else 'b'}{action}"
