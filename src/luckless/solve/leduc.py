"""Leduc hold'em (Southey et al., "Bayes' bluff", 2005): six cards, two rounds, one card on the board.

Jack, queen and king, two of each; one chip ante; bets of 2 in the first round and 4 in the second, at most a bet and
a raise a round. A pair with the board wins, else the higher card. The value is -0.085606424078 for the first player.
"""

from collections.abc import Sequence
from typing import NamedTuple

from luckless.solve.tree_game import CHANCE, END

CARDS = ("J1", "J2", "Q1", "Q2", "K1", "K2")
_RANKS = "JQK"
_BETS = (2, 4)
_MAX_BETS = 2


class LeducState(NamedTuple):
    """Cards dealt (first player, second player, board), and a line a round: f fold, c check or call, r bet, raise."""

    cards: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ("",)


def _is_over(line: str) -> bool:
    """Whether a round of betting has ended: a fold, or a call that is not the first action."""
    return line.endswith("f") or (len(line) > 1 and line.endswith("c"))


class Leduc:
    """The game for `solve`."""

    name = "leduc"

    def start(self) -> LeducState:
        """No card is dealt."""
        return LeducState()

    def actor(self, state: LeducState) -> int:
        """The first player begins each round."""
        line = state.rounds[-1]
        if len(state.cards) < 2:
            return CHANCE
        if line.endswith("f") or (len(state.rounds) == 2 and _is_over(line)):
            return END
        return CHANCE if _is_over(line) else len(line) % 2

    def moves(self, state: LeducState) -> Sequence[tuple[str, float]]:
        """Cards that are left, or fold (to a bet), check or call, bet or raise (twice a round)."""
        line = state.rounds[-1]
        if len(state.cards) < 2 or _is_over(line):
            left = [card for card in CARDS if card not in state.cards]
            return [(card, 1 / len(left)) for card in left]
        fold = [("f", 0.0)] if line.endswith("r") else []
        bet = [("r", 0.0)] if line.count("r") < _MAX_BETS else []
        return [*fold, ("c", 0.0), *bet]

    def after(self, state: LeducState, move: str) -> LeducState:
        """A card dealt or an action made."""
        if move in CARDS:
            return LeducState((*state.cards, move), state.rounds if len(state.cards) < 2 else (*state.rounds, ""))
        return LeducState(state.cards, (*state.rounds[:-1], state.rounds[-1] + move))

    def infoset(self, state: LeducState) -> str:
        """The own card, the board and the lines."""
        own = state.cards[len(state.rounds[-1]) % 2]
        return " ".join([own, *state.cards[2:], "/".join(state.rounds)])

    def payoff(self, state: LeducState) -> float:
        """What the loser has put in."""
        put_in = _put_in(state)
        if state.rounds[-1].endswith("f"):
            folder = (len(state.rounds[-1]) - 1) % 2
            return -put_in[0] if folder == 0 else put_in[1]
        mine, theirs, board = (_RANKS.index(card[0]) for card in state.cards)
        ranks = [rank + 3 * (rank == board) for rank in (mine, theirs)]
        return put_in[0] * ((ranks[0] > ranks[1]) - (ranks[0] < ranks[1]))


def _put_in(state: LeducState) -> list[float]:
    """The chips of both players, antes included."""
    chips = [1.0, 1.0]
    for line, bet in zip(state.rounds, _BETS, strict=False):
        for place, action in enumerate(line):
            if action != "f":
                chips[place % 2] = max(chips) + (bet if action == "r" else 0)
    return chips
