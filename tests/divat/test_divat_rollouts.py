"""Roll-out equity on flop, turn and river against the papers' figures and against the plain twin."""

import random
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

import divat_twin as twin
from luckless.cards import parse_cards
from luckless.divat.analysis import analyse
from luckless.divat.classes import river_states
from luckless.divat.continuations import Valuation
from luckless.divat.flop_ranks import flop_states, rank_runouts, turn_states
from luckless.divat.flop_rollouts import find_runs, group_hands, outcome, roll_out_flop
from luckless.divat.lines import NO_LINE, line_number
from luckless.divat.postflop import roll_out
from luckless.divat.rollout_ranks import RolloutRanks, rollout_ranks
from luckless.divat.rollouts import roll_out_flops, roll_out_turns
from luckless.divat.settings import FLOP, RIVER, SLIDES, STANDARD, TURN, DivatSettings
from luckless.hands.isomorphism import layout, situation_numbers
from luckless.hands.pairs import pair_numbers
from luckless.hands.rank import ranks
from luckless.hands.tables import SITUATIONS

SETTINGS = {"thesis": STANDARD, "max": SLIDES}


def _values(holes: list[list[int]], board: list[int], pots: list[int], settings: DivatSettings) -> list[float]:
    """ROE at the pots and the all-in edge, counted on the boards even where tables are built."""
    cutoffs = settings.cutoffs()
    values = np.empty((1, len(pots) + 1))
    kernel = roll_out_flops if len(board) == 3 else roll_out_turns
    source = rollout_ranks(tables=False)
    kernel(
        np.array([holes]),
        np.array([board + [0] * 5]),
        np.array([pots]),
        source,
        cutoffs,
        river_states(cutoffs),
        values,
    )
    return list(values[0])


def test_the_slides_hand_on_flop_and_turn() -> None:
    holes = [parse_cards("AcKc"), parse_cards("7h6h")]
    flop = _values(holes, parse_cards("Ks5h3d"), [4, 5], SLIDES)
    assert flop == pytest.approx([2.2394, 2.7626, 2 * 0.7636 - 1], abs=1e-4)
    turn = _values(holes, parse_cards("Ks5h3dTc"), [7], SLIDES)
    assert turn == pytest.approx([5.6364, 2 * 0.9091 - 1], abs=1e-4)


def test_a_draw_is_worth_more_than_its_all_in_equity() -> None:
    # The slides' example of implied odds: 9 of 44 rivers make the flush, and only those cost more money.
    holes = [parse_cards("3h2h"), parse_cards("AsTs")]
    value, edge = _values(holes, parse_cards("KsTh7cAh"), [4], STANDARD)
    assert edge == pytest.approx(2 * 9 / 44 - 1)
    assert value > 4 * edge


def _deal(seed: int, board_cards: int) -> tuple[list[int], list[int], list[int]]:
    deck = random.Random(seed).sample(range(52), 4 + board_cards)
    return deck[:2], deck[2:4], deck[4:]


@pytest.mark.parametrize("ehr", ["thesis", "max"])
@pytest.mark.parametrize("seed", range(4))
def test_turn_against_the_twin(seed: int, ehr: str) -> None:
    first, second, board = _deal(seed, 4)
    pots = [1, 2, 3, 5, 8, 16]
    expected = [float(twin.value_after(first, second, board, pot, ehr)) for pot in pots]
    assert _values([first, second], board, pots, SETTINGS[ehr])[:-1] == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, *range(100, 110)])
def test_flops_against_the_twin(seed: int) -> None:
    for ehr in SETTINGS:
        _check_flop(seed, ehr)
    _check_overlap(seed)


def _check_flop(seed: int, ehr: str) -> None:
    """Two hands on a flop, in both seats: the roll-out of the pair, and that of all pairs at once."""
    first, second, flop = _deal(seed, 3)
    pots = [2, 7]
    for a, b in ((first, second), (second, first)):
        expected = [float(twin.value_after(a, b, flop, pot, ehr)) for pot in pots]
        assert _values([a, b], flop, pots, SETTINGS[ehr])[:-1] == pytest.approx(expected, abs=1e-12)
        whole = [1980 * twin.value_of_street(a, b, flop, pot, ehr) for pot in (1, 2, 3, 4)]
        assert _sums_of_pair(a, b, flop, SETTINGS[ehr]) == whole


def _sums_of_pair(first: list[int], second: list[int], flop: list[int], settings: DivatSettings) -> list[int]:
    """What `roll_out_flop` adds up for one pair of hands: the only one that has a class."""
    classes = np.full((1326, 1326), -1, np.int32)
    classes[_number(first), _number(second)] = 0
    totals = np.zeros((1, 4), np.int64)
    roll_out_flop(np.array(sorted(flop)), np.ones(50, np.int64), settings.cutoffs(), classes, totals)
    return list(totals[0])


def _number(hole: list[int]) -> int:
    low, high = sorted(hole)
    return high * (high - 1) // 2 + low


def _check_overlap(seed: int) -> None:
    """A river offset so large that hands fold in small pots and bet in large ones: the masks must go by pot."""
    offsets = (*STANDARD.fold_offsets[:3], Fraction(45, 100))
    settings = DivatSettings(name="overlap", fold_offsets=offsets)
    first, second, flop = _deal(seed, 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twin, "OFFSETS", list(offsets))
        for a, b in ((first, second), (second, first)):
            whole = [1980 * twin.value_of_street(a, b, flop, pot, "thesis") for pot in (1, 2, 3, 4)]
            assert _sums_of_pair(a, b, flop, settings) == whole


@pytest.mark.slow  # half a minute of compiling
@pytest.mark.parametrize("ehr", ["thesis", "max"])
def test_all_pairs_on_a_flop_are_the_pairs_one_by_one(ehr: str) -> None:
    """Random hands in many pairs meet all classes of the river; the twin is too slow for so many."""
    rng = np.random.default_rng(8)
    flop = np.sort(rng.permutation(52)[:3])
    live = np.setdiff1d(np.arange(52), flop)
    holes = np.array([rng.permutation(live)[:4] for _ in range(60)]).reshape(-1, 2, 2)
    classes = np.full((1326, 1326), -1, np.int32)
    classes[pair_numbers(holes[:, 0]), pair_numbers(holes[:, 1])] = np.arange(60)
    totals = np.zeros((60, 4), np.int64)
    roll_out_flop(flop, np.ones(50, np.int64), SETTINGS[ehr].cutoffs(), classes, totals)
    boards = np.tile([*flop, -1, -1], (60, 1))
    for pot, before in enumerate(("cc", "rc", "rrc", "rrrc")):
        lines = np.tile([line_number(0, before), line_number(1, "cc"), NO_LINE, NO_LINE], (60, 1))
        found = analyse(holes, boards, lines, Valuation(SETTINGS[ehr]))
        assert 1980 * found.baseline[:, FLOP] == pytest.approx(totals[:, pot], abs=1e-6)


def test_hands_of_one_stretch_play_alike() -> None:
    """Up to the river, at all four pots: the same pot, or the same money by a fold."""
    flop, cutoffs = np.array(parse_cards("3d5hKs")), STANDARD.cutoffs()
    ranks = rank_runouts(flop)
    for turn in (3, 40):
        masks = group_hands(flop_states(flop, ranks, cutoffs), turn_states(flop, turn, ranks, cutoffs))
        groups = range(len(masks.starts) - 1)
        for group in groups:
            runs = find_runs(group, masks)
            for other in groups:
                place = np.searchsorted(runs.starts, masks.starts[other], side="right") - 1
                found = list(zip(runs.pots[place].tolist(), runs.folded[place].tolist(), strict=True))
                assert found == [outcome(group, other, pot, masks) for pot in (1, 2, 3, 4)]


def test_nobody_bets_nobody_folds_is_all_in() -> None:
    never = (Fraction(2),) * 4
    settings = DivatSettings(name="check it down", fold_offsets=(Fraction(-2),) * 4, makes=(never,) * 4)
    first, second, flop = _deal(3, 3)
    *values, edge = _values([first, second], flop, [1, 5], settings)
    assert values == pytest.approx([edge, 5 * edge])


def test_river_is_the_showdown() -> None:
    holes, boards = np.array([[parse_cards("AcKc"), parse_cards("7h6h")]]), np.array([parse_cards("Ks5h3dTc4h")])
    after = roll_out(RIVER, holes, boards, np.array([[7, 11]]), STANDARD)
    assert after.values.tolist() == [[-7.0, -11.0]]
    assert after.edges.tolist() == [-1.0]


def _tables_for(holes: NDArray[np.int64], boards: NDArray[np.int64]) -> RolloutRanks:
    """Tables of full size in which only the situations that these hands can meet are filled; the rest is zero."""
    turn_ihr, river_ihr = np.zeros(SITUATIONS[4], np.uint16), np.zeros(SITUATIONS[5], np.uint16)
    turn_hr7 = np.zeros(SITUATIONS[4], np.uint32)
    for pair, board in zip(holes, boards, strict=True):
        live = np.setdiff1d(np.arange(52), [*pair.ravel(), *board])
        turns = [board] if len(board) == 4 else [np.append(board, card) for card in live]
        rivers = [np.append(turn, card) for turn in turns for card in np.setdiff1d(live, turn)]
        for hole in pair:
            own = np.tile(hole, (len(rivers), 1))
            on_turn, on_river = ranks(own[: len(turns)], turns), ranks(own, rivers)
            numbers = situation_numbers(own[: len(turns)], turns)
            turn_ihr[numbers], turn_hr7[numbers] = on_turn.ihr, on_turn.hr7
            river_ihr[situation_numbers(own, rivers)] = on_river.ihr
    for table in (turn_ihr, turn_hr7, river_ihr):
        table.flags.writeable = False  # as the tables on disk are
    return RolloutRanks(turn_ihr, turn_hr7, river_ihr, layout(2, 4), layout(2, 5))


@pytest.mark.filterwarnings("ignore:table rank-.* is not built")
@pytest.mark.parametrize(("number", "deals"), [(FLOP, 2), (TURN, 20)])
def test_tables_and_boards_agree(number: int, deals: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    cards = np.array([rng.permutation(52)[:9] for _ in range(deals)])
    holes, boards = cards[:, :4].reshape(-1, 2, 2), cards[:, 4:]
    pots = np.tile([2, 5], (deals, 1))
    source = _tables_for(holes, boards[:, : number + 2])
    monkeypatch.setattr("luckless.divat.postflop.rollout_ranks", lambda: source)
    after = roll_out(number, holes, boards, pots, STANDARD)
    for row in range(deals):
        board = boards[row, : number + 2].tolist()
        assert [*after.values[row], after.edges[row]] == _values(holes[row].tolist(), board, [2, 5], STANDARD)
