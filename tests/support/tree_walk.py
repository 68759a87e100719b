"""AIVAT in a small game, written for reading: every way the game can end, with its chance and its estimate.

It follows the same steps as `luckless.skill.walking`, over whatever part of the private cards is taken as unknown,
and in games (Kuhn, Leduc) whose ends can be counted one by one.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from luckless.solve.tree_game import CHANCE, END

Policy = Mapping[str, Mapping[str, float]]
"""By infoset: the chance of each action."""
Profile = tuple[Policy, Policy]
Weights = dict[tuple[str, str], float]
Terms = dict[str, float]
"""Luck by kind: "deal", "board", and "player 0" or "player 1" with the round."""


class Ended(NamedTuple):
    """One way the game ends: how likely it is, what player 0 wins, the estimate, and the luck that was taken out."""

    chance: float
    money: float
    estimate: float
    terms: Terms


class Walk:
    """A game played by one profile and judged with the values of another.

    `corrected` are the players whose actions are corrected, by the laws of `believed` (by default those that play).
    With `seen_by` values know the cards of one player only, until the game is over: they are means over what the
    other may hold by the profile of the values.
    """

    def __init__(
        self,
        game: Any,
        played: Profile,
        valued: Profile,
        corrected: set[int],
        vary: set[int],
        believed: Profile | None = None,
        seen_by: int | None = None,
    ) -> None:
        self.game, self.played, self.valued = game, played, valued
        self.believed = believed or played
        self.corrected, self.vary = corrected, vary
        self._values: dict[Any, float] = {}
        self.seen_by = seen_by
        self._seen: dict[Any, list[float]] = defaultdict(lambda: [0.0, 0.0])
        if seen_by is not None:
            self._look(game.start(), 1.0)

    def value(self, state: Any) -> float:
        """What player 0 wins on average from a state on, by the profile of the values."""
        if state not in self._values:
            if self.game.actor(state) == END:
                self._values[state] = self.game.payoff(state)
            else:
                law = self.law(state, self.valued)
                moves = ((p, self.game.after(state, move)) for move, p in law.items() if p)
                self._values[state] = sum(p * self.value(after) for p, after in moves)
        return self._values[state]

    def worth(self, state: Any) -> float:
        """The value that corrections are made with."""
        if self.seen_by is None or self.game.actor(state) == END:
            return self.value(state)
        total, weight = self._seen.get(self._sight(state), (0.0, 0.0))
        return total / weight if weight else self.value(state)

    def _sight(self, state: Any) -> Any:
        """A state without the cards of the other player."""
        seen = self.seen_by or 0
        cards = tuple(card if place in (seen, 2) else "?" for place, card in enumerate(state.cards))
        return state._replace(cards=cards)

    def _look(self, state: Any, reach: float) -> None:
        """Adds up values by how likely chance and the other player lead there."""
        actor = self.game.actor(state)
        if len(state.cards) >= 2:
            sums = self._seen[self._sight(state)]
            sums[0] += reach * self.value(state)
            sums[1] += reach
        if actor == END:
            return
        for move, p in self.law(state, self.valued).items():
            share = 1.0 if actor == self.seen_by else p
            if share:
                self._look(self.game.after(state, move), reach * share)

    def law(self, state: Any, profile: Profile) -> Mapping[str, float]:
        """How likely each move is."""
        actor = self.game.actor(state)
        if actor == CHANCE:
            return dict(self.game.moves(state))
        return profile[actor][self.game.infoset(state)]

    def ends(self) -> Iterator[Ended]:
        """All of them."""
        start = self.game.start()
        deals = {
            (first, second): p * q
            for first, p in self.game.moves(start)
            for second, q in self.game.moves(self.game.after(start, first))
        }
        for dealt, chance in deals.items():
            weights = {
                cards: deals[cards]
                for cards in deals
                if (0 in self.vary or cards[0] == dealt[0]) and (1 in self.vary or cards[1] == dealt[1])
            }
            state = self.game.after(self.game.after(start, dealt[0]), dealt[1])
            before = self._mean(state, deals)
            luck = {"deal": self._mean(state, weights) - before}
            yield from self._follow(state, weights, chance, luck)

    def _mean(self, public: Any, weights: Weights) -> float:
        """The mean value over the cards that are taken as unknown; `public` has any cards in the first two places."""
        total = sum(weights.values())
        return sum(w * self.worth(self._with(public, cards)) for cards, w in weights.items()) / total

    @staticmethod
    def _with(public: Any, cards: tuple[str, str]) -> Any:
        whole = (*cards, *public.cards[2:])
        return public._replace(cards="".join(whole) if isinstance(public.cards, str) else whole)

    def _follow(self, state: Any, weights: Weights, chance: float, luck: Terms) -> Iterator[Ended]:
        actor = self.game.actor(state)
        if actor == END:
            mean = self._mean(state, weights)
            yield Ended(chance, self.game.payoff(state), mean - sum(luck.values()), luck)
            return
        laws = {cards: self.law(self._with(state, cards), self.believed) for cards in weights}
        total = sum(weights.values())
        expected = sum(
            w * p * self.worth(self._with(self.game.after(state, move), cards))
            for cards, w in weights.items()
            for move, p in laws[cards].items()
            if p
        )
        kind = "board" if actor == CHANCE else f"player {actor}, round {len(getattr(state, 'rounds', '1'))}"
        for move, share in self.law(state, self.played).items():
            if not share:
                continue
            after = self.game.after(state, move)
            moved = {cards: w * self._factor(actor, laws[cards].get(move, 0.0)) for cards, w in weights.items()}
            moved = {cards: w for cards, w in moved.items() if w > 0}
            more = dict(luck)
            if actor == CHANCE or actor in self.corrected:
                more[kind] = more.get(kind, 0.0) + self._mean(after, moved) - expected / total
            yield from self._follow(after, moved, chance * share, more)

    def _factor(self, actor: int, share: float) -> float:
        """What a move tells of the cards that are taken as unknown: nothing if somebody else made it."""
        return share if actor == CHANCE or actor in self.vary else 1.0


def spread(ends: list[Ended]) -> Any:
    """The mean and the standard deviation of the estimate, and the mean of the money."""
    mean = sum(end.chance * end.estimate for end in ends)
    money = sum(end.chance * end.money for end in ends)
    variance = sum(end.chance * (end.estimate - mean) ** 2 for end in ends)
    return mean, variance**0.5, money


def term_means(ends: list[Ended]) -> Terms:
    """The mean of each kind of luck."""
    means: Terms = defaultdict(float)
    for end in ends:
        for kind, luck in end.terms.items():
            means[kind] += end.chance * luck
    return dict(means)
