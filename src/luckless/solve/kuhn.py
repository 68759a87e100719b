"""Kuhn poker (1950): three cards, one chip ante, one bet of a chip. Its value is -1/18 for the first player."""

from collections.abc import Sequence
from typing import NamedTuple

from luckless.solve.tree_game import CHANCE, END

_CARDS = "JQK"
_ENDS = ("kk", "kbf", "kbc", "bf", "bc")


class KuhnState(NamedTuple):
    """The cards dealt so far, first player's first, and the line: k check, b bet, f fold, c call."""

    cards: str = ""
    line: str = ""


class Kuhn:
    """The game for `solve`."""

    name = "kuhn"

    def start(self) -> KuhnState:
        """No card is dealt."""
        return KuhnState()

    def actor(self, state: KuhnState) -> int:
        """The players take turns."""
        if len(state.cards) < 2:
            return CHANCE
        return END if state.line in _ENDS else len(state.line) % 2

    def moves(self, state: KuhnState) -> Sequence[tuple[str, float]]:
        """Cards that are left, check or bet, fold or call."""
        if len(state.cards) < 2:
            left = [card for card in _CARDS if card not in state.cards]
            return [(card, 1 / len(left)) for card in left]
        return [("f", 0.0), ("c", 0.0)] if state.line.endswith("b") else [("k", 0.0), ("b", 0.0)]

    def after(self, state: KuhnState, move: str) -> KuhnState:
        """A card dealt or an action made."""
        if len(state.cards) < 2:
            return KuhnState(state.cards + move, "")
        return KuhnState(state.cards, state.line + move)

    def infoset(self, state: KuhnState) -> str:
        """The own card and the line."""
        return f"{state.cards[len(state.line) % 2]} {state.line}".strip()

    def payoff(self, state: KuhnState) -> float:
        """One chip, or two after a called bet."""
        if state.line.endswith("f"):
            return 1.0 if state.line == "bf" else -1.0
        stake = 2.0 if state.line.endswith("c") else 1.0
        return stake if _CARDS.index(state.cards[0]) > _CARDS.index(state.cards[1]) else -stake
