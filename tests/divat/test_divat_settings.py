"""DIVAT's settings: the printed tables, exact thresholds, and classes as fractions and as whole counts."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from luckless.divat.classes import class_at, river_states, state_of
from luckless.divat.settings import (
    BET_STYLES,
    CLASSES,
    FLOP,
    FOLD_STYLES,
    MOST_INVESTED,
    PREFLOP,
    RIVER,
    SLIDES,
    STANDARD,
    TURN,
    DivatSettings,
    sweep,
)
from luckless.errors import InputError
from luckless.hands.effective import EHR_UNITS
from luckless.hands.rank import hand_rank

# Thesis, table 4.1, read by rows: Make1 to Make4 from Aggressive High to Conservative High.
TABLE_4_1 = """
0.4600 0.7750 0.9100 0.9550
0.4900 0.7875 0.9150 0.9575
0.5200 0.8000 0.9200 0.9600
0.5500 0.8125 0.9250 0.9625
0.5800 0.8250 0.9300 0.9650
0.6100 0.8375 0.9350 0.9650
0.6400 0.8500 0.9400 0.9700
0.6700 0.8625 0.9450 0.9725
0.7000 0.8750 0.9450 0.9750
"""
# Table 4.2: fold offsets of flop and turn, from Loose High to Tight High.
TABLE_4_2 = """
-0.025 0.000
0.000 0.025
0.025 0.050
0.050 0.075
0.075 0.100
0.100 0.125
0.125 0.150
0.150 0.175
0.175 0.200
"""


def _fractions(table: str) -> list[tuple[Fraction, ...]]:
    return [tuple(map(Fraction, row.split())) for row in table.strip().splitlines()]


def test_styles_are_the_printed_tables() -> None:
    assert list(BET_STYLES.values()) == _fractions(TABLE_4_1)
    assert list(FOLD_STYLES.values()) == _fractions(TABLE_4_2)
    assert BET_STYLES["moderate"] == STANDARD.makes[FLOP] == STANDARD.makes[TURN]
    assert FOLD_STYLES["normal"] == (STANDARD.fold_offsets[FLOP], STANDARD.fold_offsets[TURN])


def test_standard_settings_are_table_3_2() -> None:
    assert [float(offset) for offset in STANDARD.fold_offsets] == [0.0, 0.075, 0.1, 0.0]
    assert [[float(make) for make in row] for row in STANDARD.makes] == [
        [0.58, 0.825, 0.93, 0.965],
        [0.58, 0.825, 0.93, 0.965],
        [0.58, 0.825, 0.93, 0.965],
        [0.64, 0.85, 0.94, 0.97],
    ]
    assert SLIDES.makes == STANDARD.makes
    assert SLIDES.ehr == "max"


def test_the_thesis_example_of_a_fold_threshold() -> None:
    # A pot of 50 and a bet of 10 on the river: 0.167.
    assert STANDARD.fold_threshold(RIVER, 5) == Fraction(10, 60)


def test_two_starting_hands_fold() -> None:
    # 3-2 and 4-2 offsuit alone are below 1/3 (thesis, section 3.1.2; 43o there is a misprint).
    folded = set()
    for high in range(13):
        for low in range(high + 1):
            for suited in (False, True):
                if not (suited and high == low):
                    rank = hand_rank([4 * high, 4 * low + (not suited)])
                    if STANDARD.class_of(PREFLOP, 1, rank.ehr) == 0:
                        folded.add((high, low, suited))
    assert folded == {(1, 0, False), (2, 0, False)}


def test_a_hand_at_a_threshold_has_not_passed_it() -> None:
    assert CLASSES[STANDARD.class_of(RIVER, 8, Fraction(85, 100))] == "M1"
    assert CLASSES[STANDARD.class_of(RIVER, 8, Fraction(85, 100) + Fraction(1, 10**9))] == "M2"
    assert CLASSES[STANDARD.class_of(RIVER, 8, Fraction(1, 9))] == "C"
    assert CLASSES[STANDARD.class_of(RIVER, 8, Fraction(1, 9) - Fraction(1, 10**9))] == "F"
    # Counts have no room between: 0.85 of 3,960 is 3,366 = 2 x 1,683, and the next half-count is above.
    states = river_states(STANDARD.cutoffs())
    assert class_at(states[1683], 8) == CLASSES.index("M1")
    assert class_at(states[1684], 8) == CLASSES.index("M2")
    # And a ninth of it is 440 = 2 x 220: what calls a bet of 2 with 8 a player in the pot, just so.
    assert class_at(states[220], 8) == CLASSES.index("C")
    assert class_at(states[219], 8) == CLASSES.index("F")


def test_folding_is_decided_before_betting() -> None:
    # With one small bet a player in, the turn's fold threshold (0.6) is above its Make1 (0.58).
    assert CLASSES[STANDARD.class_of(TURN, 1, Fraction(59, 100))] == "F"
    assert CLASSES[STANDARD.class_of(TURN, 2, Fraction(59, 100))] == "M1"


STYLED = [
    STANDARD,
    SLIDES,
    STANDARD.with_bets("aggressive-high").with_folds("tight-high"),
    SLIDES.with_bets("conservative-high", streets=(PREFLOP, RIVER)).with_folds("loose-high", streets=(FLOP,)),
]


@pytest.mark.parametrize("settings", STYLED, ids=lambda settings: settings.name)
@pytest.mark.parametrize("number", range(4))
@given(data=st.data())
def test_whole_counts_give_the_classes_of_fractions(
    settings: DivatSettings, number: int, data: st.DataObject
) -> None:
    unit = EHR_UNITS[number]
    invested = data.draw(st.integers(1, MOST_INVESTED[number]))
    bars = [settings.fold_threshold(number, invested), *settings.makes[number]]
    near = [int(bar * unit) + step for bar in bars for step in (-1, 0, 1)]
    count = data.draw(st.sampled_from([n for n in near if 0 <= n <= unit]) | st.integers(0, unit))
    cutoffs = settings.cutoffs()
    bets = int((count > cutoffs.make_above[number]).sum())
    found = 0 if count < cutoffs.fold_below[number, invested] else 1 + bets
    assert found == settings.class_of(number, invested, Fraction(count, unit))


@given(ihr=st.integers(0, 2162), hr7=st.integers(0, 2162 * 990), invested=st.integers(1, 4))
def test_states_give_the_classes_of_fractions(ihr: int, hr7: int, invested: int) -> None:
    for settings in STYLED:
        ehr = settings.effective_rank.of(FLOP, Fraction(ihr, 2162), Fraction(hr7, 2162 * 990))
        state = state_of(FLOP, ihr, hr7, settings.cutoffs())
        assert class_at(state, invested) == settings.class_of(FLOP, invested, ehr)


def test_digest_goes_by_what_is_judged() -> None:
    assert STANDARD.digest() == DivatSettings(name="another name").digest()
    digests = {settings.digest() for settings in STYLED}
    digests |= {STANDARD.with_bets(style).digest() for style in BET_STYLES if style != "moderate"}
    digests |= {STANDARD.with_folds(style).digest() for style in FOLD_STYLES if style != "normal"}
    assert len(digests) == len(STYLED) + 8 + 8
    assert STANDARD.with_bets("moderate").with_folds("normal").digest() == STANDARD.digest()


def test_the_sweep_varies_one_street_at_a_time() -> None:
    settings = sweep()
    assert len(settings) == 1 + 2 * (8 + 8)
    assert len({each.digest() for each in settings}) == len(settings)
    for each in settings[1:]:
        changed = [n for n in range(4) if each.makes[n] != STANDARD.makes[n]]
        changed += [n for n in range(4) if each.fold_offsets[n] != STANDARD.fold_offsets[n]]
        assert changed in ([FLOP], [TURN])


def test_make1_of_the_settings_is_that_of_ehr() -> None:
    settings = STANDARD.with_bets("conservative-high", streets=(FLOP,))
    assert settings.effective_rank.of(FLOP, Fraction(69, 100), Fraction(3, 10)) == Fraction(99, 200)
    assert STANDARD.effective_rank.of(FLOP, Fraction(69, 100), Fraction(3, 10)) == Fraction(69, 100)


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(InputError, match="thesis or max"):
        DivatSettings(ehr="mean")
    with pytest.raises(InputError, match="aggressive-high"):
        STANDARD.with_bets("reckless")
    with pytest.raises(InputError, match="flop and the turn"):
        STANDARD.with_folds("normal", streets=(RIVER,))
    falling = (Fraction(9, 10), Fraction(8, 10), Fraction(95, 100), Fraction(1))
    with pytest.raises(InputError, match="river"):
        DivatSettings(makes=(*STANDARD.makes[:3], falling))


def test_fold_thresholds_fall_with_the_pot() -> None:
    cutoffs = STANDARD.cutoffs()
    for number, most in enumerate(MOST_INVESTED):
        assert (np.diff(cutoffs.fold_below[number, 1 : most + 1]) < 0).all()
