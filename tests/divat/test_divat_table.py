"""The tables before the flop: classes of pairs of hands, the builder, and the shipped values."""

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from divat_preflop_twin import preflop_sums
from luckless.cards import parse_cards
from luckless.divat import roe_build
from luckless.divat.analysis import analyse
from luckless.divat.flop_rollouts import roll_out_flop
from luckless.divat.lines import NO_LINE, line_number
from luckless.divat.pairs import (
    PAIR_CLASSES,
    RUNOUTS,
    class_codes,
    class_matrix,
    class_sizes,
    pair_classes,
    renamed_hands,
)
from luckless.divat.roe_table import BOARDS, SHIPPED, RoeTable, all_in_edges, load_table, save_table, table_path
from luckless.divat.settings import SLIDES, STANDARD, DivatSettings
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_numbers


def _numbers(*hands: str) -> NDArray[np.int64]:
    return pair_numbers(np.array([parse_cards(hand) for hand in hands]))


def test_classes_of_pairs_are_counted_by_burnside() -> None:
    # A renaming of the suits keeps a pair of hands if it keeps both: count those for all 24.
    kept = 0
    cards = PAIR_CARDS
    for row in renamed_hands():
        fixed = np.flatnonzero(row == np.arange(PAIRS))
        first, second = np.meshgrid(fixed, fixed)
        apart = ~(cards[first][..., :, None] == cards[second][..., None, :]).any(axis=(2, 3))
        kept += int(apart.sum())
    assert kept % 24 == 0
    assert kept // 24 == PAIR_CLASSES == len(class_codes())
    assert class_sizes().sum() == 1326 * 1225


def test_47008_matchups_without_seats() -> None:
    codes = class_codes()
    mirrored = pair_classes(codes % PAIRS, codes // PAIRS)
    assert len({tuple(sorted(pair)) for pair in enumerate(mirrored)}) == 47_008
    assert (mirrored[mirrored] == np.arange(PAIR_CLASSES)).all()


def test_renaming_the_suits_keeps_the_class() -> None:
    first, second = _numbers("AcKc", "AcKc", "AcKc", "AhKh"), _numbers("7h6h", "7s6s", "7c6c", "7c6c")
    classes = pair_classes(first, second)
    assert classes[0] == classes[1] == classes[3] != classes[2]
    matrix = class_matrix()
    assert matrix[first, second].tolist() == classes.tolist()
    assert matrix[first[0], first[0]] == -1


def test_all_in_of_the_slides_hand() -> None:
    # 1,029,832 boards won, 674,947 lost.
    edges = all_in_edges(_numbers("AcKc", "7h6h"), _numbers("7h6h", "AcKc"))
    assert (edges * BOARDS).round().tolist() == [354_885, -354_885]


def test_all_in_is_the_same_from_both_sides() -> None:
    codes = class_codes()
    edges = all_in_edges(codes // PAIRS, codes % PAIRS)
    assert (edges == -all_in_edges(codes % PAIRS, codes // PAIRS)).all()
    # Two random hands tie with probability 4.06741 %, and AA has 0.852037133 against one.
    aces = class_matrix()[_numbers("AcAd")[0]]
    mean = np.mean(edges[aces[aces >= 0]])
    assert (1 + mean) / 2 == pytest.approx(0.852037133, abs=1e-9)


def test_all_in_sums_are_what_the_builder_counts() -> None:
    codes = class_codes()[::5000]
    holes = np.stack([PAIR_CARDS[codes // PAIRS], PAIR_CARDS[codes % PAIRS]], axis=1)
    sums = np.empty(len(codes), np.int32)
    roe_build._count_all_in(holes, sums)
    assert (sums / BOARDS == all_in_edges(codes // PAIRS, codes % PAIRS)).all()


@pytest.fixture
def few_flops() -> roe_build.Work:
    work = roe_build.all_work()
    return roe_build.Work(work.flops[:20], work.weights[:20])


def test_weights_count_every_flop_and_turn() -> None:
    work = roe_build.all_work()
    assert len(work.flops) == 1755
    assert work.weights[:, 0].sum() == 22_100
    assert (work.weights[:, 1:].sum(axis=1) == 49).all()
    # Flops with their turns up to a renaming of the suits, by Burnside's lemma: 24 renamings, of which so many keep
    # each card of 4, 2, 1 or no suits, and swap two suits, two pairs of suits or turn three or four around.
    kept = 0
    for names in itertools.permutations(range(4)):
        one = 13 * sum(suit == name for suit, name in enumerate(names))
        pairs = 13 * sum(names[names[suit]] == suit != names[suit] for suit in range(4)) // 2
        threes = 13 if one == 13 and not pairs else 0
        kept += math.comb(one, 3) * (one - 3) + pairs * one * (one - 1) + threes * one
    assert (work.weights[:, 1:] > 0).sum() == kept // 24 == 63_193


def test_a_build_that_stops_goes_on(
    few_flops: roe_build.Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roe_build, "FLOPS_A_BLOCK", 2)
    few = roe_build.Work(few_flops.flops[:6], few_flops.weights[:6])
    whole = roe_build.add_up(STANDARD, few, tmp_path / "whole.npz", threads=2, show=False)
    assert whole.done.all()

    calls = itertools.count()

    def interrupted(*arguments: Any) -> None:
        if next(calls) == 3:
            raise KeyboardInterrupt
        roll_out_flop(*arguments)

    path = tmp_path / "stopped.npz"
    monkeypatch.setattr(roe_build, "roll_out_flop", interrupted)
    with pytest.raises(KeyboardInterrupt):
        roe_build.add_up(STANDARD, few, path, threads=1, show=False)
    with np.load(path) as file:
        assert file["done"].tolist()[:2] == [True, False]
    monkeypatch.setattr(roe_build, "roll_out_flop", roll_out_flop)
    resumed = roe_build.add_up(STANDARD, few, path, threads=1, show=False)
    assert (resumed.totals == whole.totals).all()
    # Other settings do not go on from it, nor does anybody from a file that is cut short.
    assert not roe_build._read_checkpoint(path, SLIDES, 3).done.any()
    path.write_bytes(path.read_bytes()[:1000])
    assert not roe_build._read_checkpoint(path, STANDARD, 3).done.any()


def test_a_wrong_weight_or_a_missing_block_is_noticed(tmp_path: Path) -> None:
    work = roe_build.all_work()
    place = int(np.argmax(work.weights[:, 0] == 24))
    few = roe_build.Work(work.flops[place : place + 1], work.weights[place : place + 1].copy())
    sums = roe_build.add_up(STANDARD, few, tmp_path / "right.npz", threads=1, show=False)
    assert roe_build.finish(sums, STANDARD).sums.any()
    with pytest.raises(ArithmeticError, match="do not add up"):
        roe_build.finish(roe_build.Sums(sums.totals, np.array([True, False])), STANDARD)
    few.weights[0, 0] = 23
    sums = roe_build.add_up(STANDARD, few, tmp_path / "wrong.npz", threads=1, show=False)
    with pytest.raises(ArithmeticError, match="do not add up"):
        roe_build.finish(sums, STANDARD)


def test_one_flop_is_the_same_for_equal_turns(few_flops: roe_build.Work) -> None:
    # Leaving equal turn cards to one of them changes no sum of a class.
    classes, cutoffs = class_matrix(), STANDARD.cutoffs()
    place = int(np.argmax(few_flops.weights[:, 1:].max(axis=1)))
    found, plain = np.zeros((PAIR_CLASSES, 4), np.int64), np.zeros((PAIR_CLASSES, 4), np.int64)
    weights = few_flops.weights[place]
    roll_out_flop(few_flops.flops[place], weights, cutoffs, classes, found)
    each = np.ones(50, np.int64)
    each[0] = weights[0]
    roll_out_flop(few_flops.flops[place], each, cutoffs, classes, plain)
    assert weights[1:].max() > 1
    assert (found == plain).all()


@pytest.mark.parametrize("settings", [STANDARD, SLIDES], ids=["standard", "slides"])
def test_shipped_tables_hold_together(settings: DivatSettings) -> None:
    assert (SHIPPED / f"roe-{settings.digest()}.npz").exists()
    table = load_table(settings)
    assert table is not None
    assert table.sums.shape == (PAIR_CLASSES, 4)
    # Nobody can win more than the pot and four bets on each later street: 4 + 8 + 8.
    assert (np.abs(table.sums.astype(np.int64)) <= RUNOUTS * (np.arange(1, 5) + 20)).all()
    # Aces do well in both seats, and the button is worth something: the big blind's mean is below zero.
    values = table.values(_numbers("AcAd", "7h2d"), _numbers("7h2d", "AcAd"))
    assert (values[0] > 0).all()
    assert (values[1] < 0).all()
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 10e6


# What the plain roll-out of `divat_preflop_twin` adds up; the slow tests below compute it again.
KNOWN = {("AcKc", "7h6h", "thesis"): [3_367_178, 7_281_007, 14_199_678, 22_411_106]}


@pytest.mark.parametrize(("first", "second", "ehr"), KNOWN)
def test_shipped_values_of_known_pairs(first: str, second: str, ehr: str) -> None:
    table = load_table(STANDARD if ehr == "thesis" else SLIDES)
    assert table is not None
    assert table.sums[pair_classes(_numbers(first), _numbers(second))[0]].tolist() == KNOWN[first, second, ehr]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "ehr"),
    [("AcKc", "7h6h", "thesis"), ("7h6h", "AcKc", "max"), ("2c2d", "Ac3d", "thesis"), ("9s8d", "9c8s", "max")],
)
def test_shipped_values_against_the_plain_roll_out(first: str, second: str, ehr: str) -> None:
    table = load_table(STANDARD if ehr == "thesis" else SLIDES)
    assert table is not None
    found = table.sums[pair_classes(_numbers(first), _numbers(second))[0]].tolist()
    assert found == preflop_sums(parse_cards(first), parse_cards(second), ehr)


def test_position_is_the_mean_of_all_deals() -> None:
    # A sample of deals, each judged with the hand folded at once: the value after the deal is the baseline's.
    rng = np.random.default_rng(2)
    holes = np.array([rng.permutation(52)[:4] for _ in range(20_000)]).reshape(-1, 2, 2)
    lines = np.full((len(holes), 4), NO_LINE)
    lines[:, 0] = line_number(0, "f")
    found = analyse(holes, np.full((len(holes), 5), -1), lines)
    after_deal = found.baseline[:, 0]
    assert abs(after_deal.mean() - found.position) < 5 * after_deal.std() / np.sqrt(len(holes))
    assert -0.2 < found.position < 0.0


def test_a_damaged_table_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUCKLESS_CACHE_DIR", str(tmp_path))
    settings = STANDARD.with_folds("loose-high")
    assert load_table(settings) is None
    table_path(settings).write_bytes(b"not a table")
    with pytest.raises(InputError, match="delete it and build it again"):
        load_table(settings)
    save_table(table_path(settings), RoeTable(STANDARD, np.zeros((PAIR_CLASSES, 4), np.int32)))
    with pytest.raises(InputError, match="was built for other settings"):
        load_table(settings)


def test_a_saved_table_is_read_back(tmp_path: Path) -> None:
    sums = np.arange(PAIR_CLASSES * 4, dtype=np.int32).reshape(-1, 4)
    save_table(tmp_path / "roe-test.npz", RoeTable(STANDARD, sums))
    with np.load(tmp_path / "roe-test.npz") as file:
        assert (file["sums"] == sums).all()
        assert str(file["settings"]) == STANDARD.digest()
    assert [path.name for path in tmp_path.iterdir()] == ["roe-test.npz"]
