"""AIVAT in a small game, written for reading: every way the game can end, with its chance and its estimate.

It follows the same steps as `luckless.skill.walking`, over whatever part of the private cards is taken as unknown,
and in a game whose ends can be counted one by one.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from luckless.solve.leduc import CARDS, Leduc, LeducState
from luckless.solve.tree_game import CHANCE, END

Policy = Mapping[str, Mapping[str, float]]
"""By infoset: the chance of each action."""
Profile = tuple[Policy, Policy]
Weights = dict[tuple[str, str], float]

GAME = Leduc()


class Ended(NamedTuple):
    """One way the game ends: how likely it is, what player 0 wins, and the estimate."""

    chance: float
    money: float
    estimate: float


class Walk:
    """Leduc played by one profile and judged with the values of another."""

    def __init__(
        self, played: Profile, valued: Profile, known: set[int], vary: set[int], chance: bool = True
    ) -> None:
        self.played, self.valued = played, valued
        self.known, self.vary, self.chance = known, vary, chance
        self._values: dict[LeducState, float] = {}

    def value(self, state: LeducState) -> float:
        """What player 0 wins on average from a state on, by the profile of the values."""
        if state not in self._values:
            actor = GAME.actor(state)
            if actor == END:
                self._values[state] = GAME.payoff(state)
            else:
                law = self.law(state, self.valued)
                self._values[state] = sum(p * self.value(GAME.after(state, move)) for move, p in law.items() if p)
        return self._values[state]

    @staticmethod
    def law(state: LeducState, profile: Profile) -> Mapping[str, float]:
        """How likely each move is."""
        actor = GAME.actor(state)
        if actor == CHANCE:
            return dict(GAME.moves(state))
        return profile[actor][GAME.infoset(state)]

    def ends(self) -> Iterator[Ended]:
        """All of them."""
        for first in CARDS:
            for second in CARDS:
                if first != second:
                    yield from self._dealt(first, second)

    def _dealt(self, first: str, second: str) -> Iterator[Ended]:
        weights = {
            (a, b): 1.0
            for a in CARDS
            for b in CARDS
            if a != b and (0 in self.vary or a == first) and (1 in self.vary or b == second)
        }
        start = self.value(GAME.start())
        dealt = self._mean(LeducState(), weights)
        luck = dealt - start if self.chance else 0.0
        yield from self._follow(LeducState((first, second)), weights, 1 / 30, luck)

    def _mean(self, public: LeducState, weights: Weights) -> float:
        """The mean value over the cards that are taken as unknown; `public` has any cards in the first two places."""
        total = sum(weights.values())
        return sum(w * self.value(self._with(public, cards)) for cards, w in weights.items()) / total

    @staticmethod
    def _with(public: LeducState, cards: tuple[str, str]) -> LeducState:
        return LeducState((*cards, *public.cards[2:]), public.rounds)

    def _follow(self, state: LeducState, weights: Weights, chance: float, luck: float) -> Iterator[Ended]:
        actor = GAME.actor(state)
        if actor == END:
            money = GAME.payoff(state)
            yield Ended(chance, money, self._mean(state, weights) - luck)
            return
        laws = {cards: self.law(self._with(state, cards), self.played) for cards in weights}
        total = sum(weights.values())
        corrected = self.chance if actor == CHANCE else actor in self.known
        expected = sum(
            w * p * self.value(self._with(GAME.after(state, move), cards))
            for cards, w in weights.items()
            for move, p in laws[cards].items()
            if p
        )
        for move, share in self.law(state, self.played).items():
            if not share:
                continue
            after = GAME.after(state, move)
            moved = {cards: w * self._factor(actor, laws[cards].get(move, 0.0)) for cards, w in weights.items()}
            moved = {cards: w for cards, w in moved.items() if w > 0}
            more = self._mean(after, moved) - expected / total if corrected else 0.0
            yield from self._follow(after, moved, chance * share, luck + more)

    def _factor(self, actor: int, share: float) -> float:
        """What a move tells of the cards that are taken as unknown: nothing if somebody else made it."""
        return share if actor == CHANCE or actor in self.vary else 1.0


def spread(ends: list[Ended]) -> Any:
    """The mean and the standard deviation of the estimate, and the mean of the money."""
    mean = sum(end.chance * end.estimate for end in ends)
    money = sum(end.chance * end.money for end in ends)
    variance = sum(end.chance * (end.estimate - mean) ** 2 for end in ends)
    return mean, variance**0.5, money
