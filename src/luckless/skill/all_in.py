"""Money with all-in pots at their equity: the luck of the cards that came after the last bet is taken out.

Where no bet is possible any more before the river, and hands are shown down, each seat's result is what it can expect
over all boards to come, pot by pot. With everybody's cards known that is the mean of the result given all cards that
were dealt and all actions, so the estimate is unbiased; all other luck stays in. Folded cards that are not known
count as if they were still in the deck.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.counted import counted
from luckless.histories.all_in_values import all_in_values
from luckless.histories.hand_detail import HandDetail, details
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.game import STREETS
from luckless.rules.plain_settlement import dead_antes
from luckless.rules.replaying import Replay, replay
from luckless.skill.collecting import Collector, sets_of
from luckless.skill.hands_told_apart import groups_of
from luckless.skill.verdict import NOTHING, Knowledge, Verdict

FOLDED = "Folded cards are not known in all hands: there, boards are dealt from all cards that are not seen."


class AllIn:
    """Judges hands of any game and number of players."""

    name = "all-in"
    needs = "hands whose all-ins show their cards"

    def lacks(self, hands: HandColumns, knowledge: Knowledge) -> str:
        """It needs the cards of those who are all-in; where they are hidden it leaves the money as it is."""
        return ""

    def judge(self, batches: Iterable[HandColumns], knowledge: Knowledge = NOTHING) -> Verdict:
        """Every player's win rate by money, and with all-in pots at their equity."""
        collector = Collector("money, all-in pots at their equity", knowledge.lines)
        hands, changed, hidden, folded = 0, 0, 0, False
        for batch in batches:
            hands += len(batch)
            played = replay(batch.records)
            found = all_ins(batch, played)
            changed += len(found.rows)
            hidden += found.hidden
            folded |= found.folded
            _collect(collector, batch, played, found.expected)
        notes = [FOLDED] if folded else []
        if hidden:
            notes.append(
                f"Counted as money, because cards of the players are not known: {counted(hidden, 'all-in')}."
            )
        reason = (
            f"Pots of players who are all-in count as what they can expect: {changed:,} of {counted(hands, 'hand')}."
        )
        return Verdict(hands, self.name, collector.verdicts(), reason, notes=tuple(notes))


class AllIns(NamedTuple):
    """All-in hands of a batch: their rows, what each seat of all hands can expect in chips, how many all-ins hide
    cards, and whether folded cards are unknown."""

    rows: NDArray[np.int64]
    expected: NDArray[np.float64]
    hidden: int
    folded: bool


def all_ins(hands: HandColumns, played: Replay) -> AllIns:
    """What seats can expect where all-in pots count as their equity; money elsewhere."""
    rows = all_in_rows(hands, played)
    known = rows[_knows_cards(hands, played, rows)]
    expected = hands.values().copy()
    for row, hand in zip(known.tolist(), details(hands.take(known)), strict=True):
        expected[row] = expected_payoffs(hand)
    folded = bool((hands.records.decks[known, : 2 * hands.records.game.seats] == UNKNOWN).any())
    return AllIns(known, expected, len(rows) - len(known), folded)


def all_in_rows(hands: HandColumns, played: Replay) -> NDArray[np.int64]:
    """The hands that were shown down and whose betting ended before the river."""
    last = len(STREETS) - 1
    rows: NDArray[np.int64] = np.flatnonzero((played.ends.showdown == 1) & (_last_street(hands, played) < last))
    return rows


def _last_street(hands: HandColumns, played: Replay) -> NDArray[np.int64]:
    """The street of the last action of each hand."""
    ends, game = hands.records.ends, hands.records.game
    acted = np.diff(ends, prepend=0) > 0
    streets = np.full(len(hands), game.first_street)
    streets[acted] = played.steps.street[ends[acted] - 1]
    return streets


def _knows_cards(hands: HandColumns, played: Replay, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the cards of all live seats and the board are known."""
    seats, decks = hands.records.game.seats, hands.records.decks[rows]
    live = played.ends.live[rows][:, None] >> np.arange(seats) & 1
    needed = np.hstack([np.repeat(live == 1, 2, axis=1), np.ones((len(rows), 5), np.bool_)])
    known: NDArray[np.bool_] = ~((decks == UNKNOWN) & needed).any(axis=1)
    return known


def _collect(collector: Collector, batch: HandColumns, played: Replay, expected: NDArray[np.float64]) -> None:
    sets, unit, values = sets_of(batch), batch.records.game.big_blind, batch.values()
    for player in np.unique(batch.players).tolist():
        rows, seats = np.nonzero(batch.players == player)
        money, adjusted = values[rows, seats] / unit, expected[rows, seats] / unit
        measures = {("money", ""): money, ("adjusted", ""): adjusted, ("term", "all-in"): money - adjusted}
        collector.add(batch.names[player], sets[rows], measures, groups_of(batch, played, rows, seats))


def expected_payoffs(hand: HandDetail) -> list[float]:
    """What each seat could expect when the last bet was made; its result where no card came after that."""
    if not hand.showdown or hand.street == len(STREETS) - 1:
        return [float(chips) for chips in hand.payoffs]
    dead = dead_antes(hand.game, hand.stacks)
    put_in = [chips - ante for chips, ante in zip(hand.invested, dead, strict=True)]
    seat, chips = hand.returned()
    put_in[seat] -= chips
    *_, values = all_in_values(hand.deck, hand.street, put_in, dead, hand.live)  # the last: no folded card can come
    pot = sum(put_in) + sum(dead)
    wins = [float(value) + chips + ante for value, chips, ante in zip(values, put_in, dead, strict=True)]
    return [float(value) - hand.rake * won / pot for value, won in zip(values, wins, strict=True)]
