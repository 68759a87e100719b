"""Hand rank against published numbers, plain enumeration, and its own identities; EHR at its thresholds."""

import itertools
import json
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.hands import preflop, tables_build
from luckless.hands.effective import EHR_SETTINGS, EHR_UNITS, THESIS_MAKE1, EffectiveRank, effective_count
from luckless.hands.ranges import class_name, parse_range
from luckless.hands.rank import HR7_UNITS, IHR_UNITS, STREET_OF_BOARD, hand_rank, ranks
from plain_ranks import pair_list, plain_counts, plain_pooled_counts


@pytest.fixture(autouse=True)
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUCKLESS_CACHE_DIR", str(tmp_path))


# Kan, Postgame Analysis of Poker Decisions (2007), chapter 3, and the hand of the Darmstadt slides, to four places;
# the river rank of Ts6s is printed as 0.9980 there and is 0.9753.
GOLDEN = [
    ("AcKc", "", 0.9376, 0.6704),
    ("7h6h", "", 0.1604, 0.4537),
    ("Ts6s", "", 0.3857, 0.4894),
    ("Jd5d", "", 0.4771, 0.4999),
    ("3c2c", "KsTh7d", 0.0042, 0.1507),
    ("AcKc", "Ks5h3d", 0.9685, 0.8687),
    ("7h6h", "Ks5h3d", 0.0634, 0.3798),
    ("AcKc", "Ks5h3dTc", 0.9411, 0.8902),
    ("7h6h", "Ks5h3dTc", 0.0662, 0.2146),
    ("AcKc", "Ks5h3dTc4h", 0.8576, 0.8576),
    ("7h6h", "Ks5h3dTc4h", 0.9955, 0.9955),
    ("Ts6s", "Td5hTh", 0.9672, 0.9273),
    ("Jd5d", "Td5hTh", 0.8483, 0.6767),
    ("Ts6s", "Td5hTh2d", 0.9599, 0.9378),
    ("Jd5d", "Td5hTh2d", 0.8406, 0.7827),
    ("Ts6s", "Td5hTh2d2h", 0.9753, 0.9753),
    ("Jd5d", "Td5hTh2d2h", 0.7091, 0.7091),
]


@pytest.mark.parametrize(("hole", "board", "ihr", "hr7"), GOLDEN)
def test_published_ranks(hole: str, board: str, ihr: float, hr7: float) -> None:
    found = hand_rank(parse_cards(hole), parse_cards(board))
    assert (round(float(found.ihr), 4), round(float(found.hr7), 4)) == (ihr, hr7)


def test_published_counts() -> None:
    """The thesis prints IHR 0.968548 (with 28 of the 31 better hands named) and a 7cHR of 0.884692.

    The latter has a wrong digit: plain enumeration with another evaluator gives the same counts as here.
    """
    found = hand_rank(parse_cards("AcKc"), parse_cards("Kd9s2h"))
    assert found.now == (1044, 6, 31)
    assert round(float(found.ihr), 6) == 0.968548
    assert found.completed == (944_463, 6_792, 118_935)
    assert round(float(found.hr7), 6) == 0.885692


def test_effective_rank_of_the_thesis_example() -> None:
    found = hand_rank(parse_cards("3c2c"), parse_cards("KsTh7d"))
    assert found.ehr == (found.ihr + found.hr7) / 2
    assert round(float(found.ehr), 3) == 0.077


@pytest.mark.parametrize(("hole", "board"), [("QhJh", "Th9h2c"), ("2c2d", "2h2sAc"), ("7h2c", "AsKsQsJs")])
def test_counts_equal_plain_enumeration(hole: str, board: str) -> None:
    own, table = parse_cards(hole), parse_cards(board)
    found = hand_rank(own, table)
    assert found.now == plain_counts(own, table)
    assert found.completed == plain_pooled_counts(own, table)


@pytest.mark.parametrize("board", ["Ks5h3d", "Ks5h3dTc", "Ks5h3dTc4h"])
def test_counts_against_a_range_equal_plain_enumeration(board: str) -> None:
    own, table = parse_cards("AcKc"), parse_cards(board)
    combos = parse_range("TT+, AQs, 76s, KhKd").combos
    opponents = [(low, high) for low, high in combos.tolist()]
    found = hand_rank(own, table, opponents=combos)
    assert found.now == plain_counts(own, table, opponents)
    assert found.completed == plain_pooled_counts(own, table, opponents)


@pytest.mark.parametrize("board", [pytest.param("", marks=pytest.mark.slow), "Ks5h3d"])
def test_a_range_of_all_hands_is_no_range(board: str) -> None:
    own, table = parse_cards("7h6h"), parse_cards(board)
    assert hand_rank(own, table, opponents=pair_list()) == hand_rank(own, table)


def test_against_one_hand_7cHR_is_its_equity() -> None:  # noqa: N802
    found = hand_rank(parse_cards("AcKc"), opponents=parse_range("7h6h").combos)
    assert found.completed == (1_029_832, 7_525, 674_947)
    assert found.now == (1, 0, 0)


class TestPreflop:
    def test_shipped_values_are_those_that_the_enumeration_gives(self) -> None:
        assert preflop.PREFLOP_FILE.read_text() == tables_build.preflop_text(tables_build.count_preflop())

    def test_known_counts(self) -> None:
        aces = json.loads(preflop.PREFLOP_FILE.read_text())["AA"]
        assert (aces["ahead"], aces["tied"]) == (1_781_508_418, 11_402_312)

    @pytest.mark.parametrize(
        ("hand", "rank"),
        [
            ("AA", 0.852037133),
            ("KK", 0.823956798),
            ("AKs", 0.670446323),
            ("22", 0.503340191),
            ("72o", 0.345836473),
            ("42o", 0.331998),
            ("32o", 0.323032281),
        ],
    )
    def test_known_ranks(self, hand: str, rank: float) -> None:
        found = hand_rank(parse_range(hand).combos[0].tolist())
        assert float(found.hr7) == pytest.approx(rank, abs=5e-7)

    def test_means_over_all_hands(self) -> None:
        """The mean rank is 1/2, and two random hands tie with probability 4.06741 %."""
        holes = np.array(pair_list())
        found = ranks(holes, np.empty((len(holes), 0), int))
        assert found.ihr.sum() == len(holes) * 1225
        assert found.hr7.sum() == len(holes) * 990 * 2_118_760
        ties = preflop.preflop_counts().tied[preflop.class_numbers(holes)].sum()
        assert float(Fraction(int(ties), len(holes) * 990 * 2_118_760)) == pytest.approx(0.0406741, abs=5e-8)

    def test_two_card_poker_by_plain_comparison(self) -> None:
        def strength(pair: tuple[int, int]) -> tuple[bool, list[int]]:
            found = sorted((card // 4 for card in pair), reverse=True)
            return found[0] == found[1], found

        for hole in itertools.islice(pair_list(), 0, None, 37):
            others = [strength(pair) for pair in pair_list(hole)]
            own = strength(hole)
            assert hand_rank(hole).now[:2] == (sum(own > other for other in others), others.count(own))

    def test_exactly_two_hands_are_below_one_third(self) -> None:
        counts = preflop.preflop_counts()
        weak = [
            preflop.class_label(number)
            for number in range(preflop.CLASSES)
            if Fraction(int(2 * counts.ahead[number] + counts.tied[number]), HR7_UNITS[0]) < Fraction(1, 3)
        ]
        assert sorted(weak) == ["32o", "42o"]

    def test_class_labels_are_the_names_of_ranges(self) -> None:
        holes = np.array(pair_list())
        labels = [preflop.class_label(number) for number in preflop.class_numbers(holes).tolist()]
        assert labels == [class_name(pair) for pair in pair_list()]


class TestEffectiveRank:
    def test_published_thresholds(self) -> None:
        assert [float(bar) for bar in THESIS_MAKE1] == [0.58, 0.58, 0.58, 0.64]

    @pytest.mark.parametrize("setting", ["thesis", "max"])
    @pytest.mark.parametrize("street", range(4))
    def test_compiled_counts_equal_fractions(self, setting: str, street: int) -> None:
        effective = EHR_SETTINGS[setting]
        random = np.random.default_rng(street)
        ihr_unit, hr7_unit, unit = IHR_UNITS[street], HR7_UNITS[street], EHR_UNITS[street]
        for _ in range(500):
            ihr, hr7 = int(random.integers(ihr_unit + 1)), int(random.integers(hr7_unit + 1))
            exact = effective.of(street, Fraction(ihr, ihr_unit), Fraction(hr7, hr7_unit))
            assert Fraction(int(effective_count(street, ihr, hr7, effective.bars())), unit) == exact

    @pytest.mark.parametrize(("street", "below"), [(0, "7cHR"), (1, "mean"), (2, "7cHR"), (3, "7cHR")])
    def test_a_rank_at_the_threshold_is_not_above_it(self, street: int, below: str) -> None:
        ihr_unit, hr7_unit = IHR_UNITS[street], HR7_UNITS[street]
        ihr, hr7 = ihr_unit // 2 + 1, hr7_unit // 3
        now, later = Fraction(ihr, ihr_unit), Fraction(hr7, hr7_unit)
        step = Fraction(1, 10**30)
        expected = (now + later) / 2 if below == "mean" else later
        for bar, wanted in ((now, expected), (now + step, expected), (now - step, now)):
            effective = EffectiveRank((bar, bar, bar, bar))
            assert effective.of(street, now, later) == wanted
            count = int(effective_count(street, ihr, hr7, effective.bars()))
            assert Fraction(count, EHR_UNITS[street]) == wanted

    def test_settings_of_the_command_line(self) -> None:
        hole, board = parse_cards("7h6h"), parse_cards("Ks5h3d")
        standard, larger = (hand_rank(hole, board, effective=EHR_SETTINGS[name]) for name in ("thesis", "max"))
        assert standard.ehr == (standard.ihr + standard.hr7) / 2
        assert larger.ehr == larger.hr7


class TestBatch:
    @pytest.mark.parametrize("board_cards", [0, 3, 4, 5])
    def test_each_row_is_the_rank_of_its_hand(self, board_cards: int) -> None:
        decks = np.random.default_rng(board_cards).permuted(np.tile(np.arange(52), (12, 1)), axis=1)
        holes, boards = decks[:, :2], decks[:, 2 : 2 + board_cards]
        found = ranks(holes, boards)
        number = STREET_OF_BOARD[board_cards]
        for row in range(len(decks)):
            one = hand_rank(holes[row].tolist(), boards[row].tolist())
            assert Fraction(int(found.ihr[row]), IHR_UNITS[number]) == one.ihr
            assert Fraction(int(found.hr7[row]), HR7_UNITS[number]) == one.hr7

    def test_no_rows_give_no_ranks(self) -> None:
        found = ranks(np.empty((0, 2), int), np.empty((0, 5), int))
        assert len(found.ihr) == len(found.hr7) == 0

    def test_long_work_without_tables_hints_at_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("luckless.hands.rank._LONG_WORK", 1)
        with pytest.warns(UserWarning, match="luckless tables build rank"):
            ranks([[0, 1], [2, 3]], [[4, 5, 6, 7, 8]] * 2)

    def test_short_work_without_tables_is_silent(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ranks([[0, 1]], [[4, 5, 6, 7, 8]])


@pytest.mark.parametrize(
    ("hole", "board", "part"),
    [
        ([0], [], "2 hole cards, not 1"),
        ([0, 1], [2], "not 1"),
        ([0, 1], [2, 3], "not 2"),
        ([0, 1], [2, 3, 4, 5, 6, 7], "not 6"),
        ([0, 0], [], "card 2c appears twice"),
        ([0, 1], [2, 3, 3], "card 2s appears twice"),
        ([0, 1], [1, 2, 3], "card 2d appears in the hand and on the board"),
        ([0, 52], [], "52 is not a card"),
        ([0, 1.5], [], "1.5 is not a card"),
        ([0, 1], [2, -1, 3], "-1 is not a card"),
    ],
)
def test_bad_situations_are_named(hole: list[int], board: list[int], part: str) -> None:
    with pytest.raises(InputError) as error:
        hand_rank(hole, board)
    assert part in str(error.value)


@pytest.mark.parametrize(
    ("opponents", "part"),
    [
        (np.empty((0, 2), int), "holds no hands"),
        ([[0, 9]], "no hand of the range is possible: each holds a card of 2d2c"),
        ([[12, 13]], "or the board 5c6c7c"),
        ([[7, 7]], "different numbers"),
        ([[7, 52]], "from 0 to 51"),
        ([[1, 2, 3]], "shape (n, 2)"),
        ([[0.5, 1.5]], "integers"),
    ],
)
def test_bad_ranges_are_named(opponents: list[list[int]], part: str) -> None:
    with pytest.raises(InputError) as error:
        hand_rank([1, 0], parse_cards("5c6c7c"), opponents=opponents)
    assert part in str(error.value)
