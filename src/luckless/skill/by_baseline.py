"""DIVAT at any table and any limit: skill against sound play, with the luck of the cards taken out.

See `crediting` for what is counted and `sound_play` for the baseline. For two players in limit, what all actions of a
street changed is the DIVAT difference of that street.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from luckless.errors import InputError
from luckless.hands.rank_source import rank_source
from luckless.progress import Progress
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.game import STREETS
from luckless.rules.replaying import Replay, replay
from luckless.rules.state import encode
from luckless.skill.collecting import Collector, sets_of
from luckless.skill.crediting import LUCKS, Credits, credit, new_credits
from luckless.skill.cross_table import CrossCollector
from luckless.skill.hands_told_apart import groups_of, hidden_hand
from luckless.skill.roll_outs import Ground
from luckless.skill.sound_play import SOUND, Baseline
from luckless.skill.verdict import NOTHING, Knowledge, Verdict
from luckless.threads import run_chunks

SAMPLES, FLOP_SAMPLES = 100, 100
"""Boards that are drawn before the flop and on the flop."""

AT_ONCE, IN_MEMORY = 64, 4_096
"""Hands that one thread credits before it takes the next, and hands whose credits are kept at a time."""

METHOD = "DIVAT by sound play"


def ground_of(baseline: Baseline = SOUND, samples: int = SAMPLES, flop_samples: int = FLOP_SAMPLES) -> Ground:
    """What roll-outs of a baseline stand on."""
    return Ground(baseline.numbers(), rank_source(), samples, flop_samples)


def credit_hands(hands: HandColumns, ground: Ground, progress: Progress | None = None) -> Credits:
    """The credits of all hands of a batch; all hole cards must be known."""
    credits, rules = new_credits(len(hands)), encode(hands.records.game)

    def work(first: int, last: int) -> int:
        part = Credits(*(column[first:last] for column in credits))
        credit(rules, hands.records.arrays, ground, first, last, part)
        return last - first

    run_chunks(len(hands), AT_ONCE, work, progress or Progress(None, "hands", show=False))
    return credits


def unknown_cards(hands: HandColumns) -> str:
    """A hand of which a card that was in play is unknown, in words; empty if there is none."""
    if hidden := hidden_hand(hands):
        return hidden
    cards = replay(hands.records).board_cards
    board = hands.records.decks[:, 2 * hands.records.game.seats :]
    missing = ((board == UNKNOWN) & (np.arange(5) < cards[:, None])).any(axis=1)
    if not missing.any():
        return ""
    return f"hand {int(hands.numbers[int(np.argmax(missing))])}: not all board cards are known"


def judge_by_baseline(
    batches: Iterable[HandColumns], knowledge: Knowledge = NOTHING, ground: Ground | None = None
) -> Verdict:
    """Every player's money and skill; `detail` is the cross-table of who gained from whom."""
    ground = ground or ground_of()
    collector, crosses, hands = Collector(METHOD, knowledge.lines), CrossCollector(), 0
    with Progress(None, "judging, hands", show=knowledge.show_progress) as progress:
        for whole in batches:
            if problem := unknown_cards(whole):
                raise InputError(f"divat cannot judge these hands: {problem}")
            hands += len(whole)
            for batch in _pieces(whole):
                credits = credit_hands(batch, ground, progress)
                moved = _in_blinds(batch, credits.moved.sum(axis=1))
                crosses.add(batch.names, batch.players, sets_of(batch), moved)
                _collect(collector, batch, replay(batch.records), credits)
    reason = "Cards are luck; actions count by what they change if all play soundly from there on."
    return Verdict(hands, "divat", collector.verdicts(), reason, crosses.table(), values=SOUND)


def _pieces(hands: HandColumns) -> Iterable[HandColumns]:
    """The hands some thousands at a time, never in the middle of a duplicate set."""
    sets, first = sets_of(hands), 0
    while first < len(hands):
        last = int(np.searchsorted(sets, sets[min(first + IN_MEMORY, len(hands)) - 1], side="right"))
        yield hands.rows(slice(first, last))
        first = last


def _in_blinds(hands: HandColumns, chips: NDArray[np.float64]) -> NDArray[np.float64]:
    return chips / hands.records.game.big_blind


def _collect(collector: Collector, batch: HandColumns, played: Replay, credits: Credits) -> None:
    sets, values = sets_of(batch), batch.values()
    for player in np.unique(batch.players).tolist():
        rows, seats = np.nonzero(batch.players == player)
        money, luck = values[rows, seats], credits.luck[rows, :, seats]
        skill = credits.moved.sum(axis=2)[rows, :, seats]
        adjusted = money - luck.sum(axis=1)
        measures = {("money", ""): money, ("adjusted", ""): adjusted}
        measures |= {("street", street): skill[:, place] for place, street in enumerate(STREETS)}
        measures |= {("term", kind): luck[:, place] for place, kind in enumerate(LUCKS)}
        # The position, and what the source counts in another way than the rules do.
        measures["term", "rest"] = adjusted - skill.sum(axis=1)
        groups = groups_of(batch, played, rows, seats)
        in_blinds = {key: _in_blinds(batch, chips) for key, chips in measures.items()}
        collector.add(batch.names[player], sets[rows], in_blinds, groups)
