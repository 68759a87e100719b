"""What a person's hands say of skill: win rates by money, and with as much luck removed as game and bots allow."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from luckless.bots.bot import Bot
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns
from luckless.sitting.open_hand import PERSON
from luckless.skill.by_steps import Aivat, Chance
from luckless.skill.of_match import policies_of
from luckless.skill.registry import AUTO, judge_hands
from luckless.skill.verdict import NOTHING, Knowledge
from luckless.stats.estimate import Estimate, estimate
from luckless.stats.units import BIG_BLINDS, MILLI_BIG_BLINDS, unit_factor

LUCK_WORDS = {
    "divat": "luck of the cards removed (DIVAT)",
    "chance": "luck of the cards removed",
    "all-in": "all-in pots at their equity",
    "aivat": "luck of the cards and of the bots' choices removed (AIVAT)",
}
"""What each estimator takes out, in words."""


def result_lines(
    batches: Sequence[HandColumns], name: str, knowledge: Knowledge = NOTHING, by: str = AUTO
) -> list[str]:
    """A player's win rate: by money, and with as much luck removed as the game and what is known allow."""
    judged = judge_hands(batches, by, knowledge)
    verdict = judged.player(name)
    lines = [f"money: {rate_text(verdict.money)}", f"{LUCK_WORDS[judged.by]}: {rate_text(verdict.adjusted)}"]
    if can_be_luck(verdict.adjusted):
        lines.append("That can still be luck alone: the interval has 0 in it.")
    return lines


def can_be_luck(rate: Estimate) -> bool:
    """Whether the interval of a rate has 0 in it."""
    return rate.ci95 is not None and rate.ci95[0] <= 0 <= rate.ci95[1]


def rate_text(rate: Estimate) -> str:
    """A win rate with its interval."""
    interval = f", 95 % interval {rate.ci95[0]:+,.0f} to {rate.ci95[1]:+,.0f}" if rate.ci95 is not None else ""
    return f"{rate.mean:+,.0f} mbb/h{interval}"


@dataclass
class RunningSkill:
    """The person's results hand by hand, in big blinds: as money, and with luck removed. `add` takes more hands."""

    match: Match
    money: list[float] = field(default_factory=list)
    adjusted: list[float] = field(default_factory=list)
    _knowledge: Knowledge | None = None

    def knowledge(self, hands: HandColumns) -> Knowledge:
        """What the bots at the table say of their play; they are asked once."""
        if self._knowledge is None:
            self._knowledge = Knowledge(policies_of(self.match, hands))
        return self._knowledge

    @property
    def by(self) -> str:
        """The estimator: AIVAT where a bot states its probabilities, else the luck of the cards alone."""
        return "aivat" if self._knowledge is not None and self._knowledge.policies else "chance"

    def add(self, hands: HandColumns) -> None:
        """Judges more hands."""
        knowledge = self.knowledge(hands)
        estimator = Aivat() if knowledge.policies else Chance()
        values = estimator.hand_values(hands, PERSON, knowledge)
        seats = (hands.players == PERSON).argmax(axis=1)
        money = hands.values()[range(len(hands)), seats] / self.match.game.big_blind
        self.money += money.tolist()
        self.adjusted += values.tolist()

    def to_dict(self) -> dict[str, Any]:
        """Both rates with their intervals in mbb/h, and both lines so far in big blinds."""
        money, adjusted = (_rate(values, "money") for values in (self.money, self.adjusted))
        return {
            "by": self.by,
            "words": LUCK_WORDS[self.by],
            "hands": len(self.money),
            "money": _told(money),
            "adjusted": _told(adjusted),
            "can_be_luck": adjusted.ci95 is None or can_be_luck(adjusted),
            "money_line": _line(self.money),
            "adjusted_line": _line(self.adjusted),
            "last": {"money": self.money[-1], "adjusted": self.adjusted[-1]} if self.money else None,
        }

    def bots(self) -> dict[str, Bot]:
        """The bots that state their probabilities, by their names in the hands."""
        return dict(self._knowledge.policies) if self._knowledge is not None else {}


def _rate(values: Sequence[float], method: str) -> Estimate:
    factor = unit_factor(BIG_BLINDS, MILLI_BIG_BLINDS)
    return estimate(values, unit=MILLI_BIG_BLINDS, method=method, scale=factor)


def _told(rate: Estimate) -> dict[str, Any]:
    return {"mean": rate.mean, "ci95": rate.ci95, "text": rate_text(rate)}


def _line(values: Sequence[float]) -> list[float]:
    total, line = 0.0, []
    for value in values:
        total += value
        line.append(round(total, 3))
    return line
