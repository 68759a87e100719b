"""Equity: published counts, a brute-force twin on every street, symmetries, and sampling within its stated error."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest

from luckless.cards import format_cards, parse_cards
from luckless.errors import InputError
from luckless.hands import equity as equity_module
from luckless.hands.equity import Equity, equity
from luckless.hands.equity_boards import count_boards, two_ranges_of
from luckless.hands.equity_matchups import count_matchups, matchups_of
from luckless.hands.equity_sampling import _draw_cards, _draw_hands, choices_of, sample
from luckless.hands.equity_spot import read_spot
from luckless.hands.preflop import class_label, preflop_counts
from luckless.hands.ranges import parse_range
from luckless.randomness import SPLITMIX_STEP, splitmix
from plain_equity import plain_counts, plain_samples


def rows(result: Equity) -> list[list[int]]:
    return [list(row) for row in result.counts]


def random_hands(rng: random.Random, deck: list[int], players: int) -> list[list[int]]:
    cards = rng.sample(deck, 2 * players)
    return [cards[2 * player : 2 * player + 2] for player in range(players)]


def texts(hands: Sequence[Sequence[int]]) -> list[str]:
    return [format_cards(hand) for hand in hands]


# Published and exact numbers


def test_suited_ace_king_against_suited_connectors() -> None:
    result = equity(["AcKc", "7h6h"])
    assert result.exact
    assert result.deals == 1_712_304
    assert result.counts == ((1_029_832, 7_525), (674_947, 7_525))
    assert result.equity[0] == pytest.approx(0.603628, abs=5e-7)


@pytest.mark.parametrize(
    ("hand", "share"),
    [("KdKs", 0.823956798), ("AhKh", 0.670446323), ("7d2c", 0.345836473), ("4d2c", 0.331998), ("3d2c", 0.323032281)],
)
def test_a_hand_against_a_random_hand(hand: str, share: float) -> None:
    result = equity([hand, "??"])
    assert result.deals == 1225 * 1_712_304
    assert result.equity[0] == pytest.approx(share, abs=1e-6 if share == 0.331998 else 5e-10)


def test_aces_against_a_random_hand() -> None:
    result = equity(["AcAd", "random"])
    assert (result.wins[0], result.ties[0], result.deals) == (1_781_508_418, 11_402_312, 2_097_572_400)
    assert equity(["AA", "??"]).equity == result.equity


def test_a_small_pair_against_a_random_hand() -> None:
    assert equity(["22", "??"]).equity[0] == pytest.approx(0.503340191, abs=5e-10)


@pytest.mark.parametrize(
    ("hands", "board", "share"),
    [
        (["AcKc", "7h6h"], "Ks5h3d", 0.7636),
        (["AcKc", "7h6h"], "Ks5h3dTc", 0.9091),
        (["AcKc", "7h6h"], "Ks5h3dTc4h", 0.0),
        (["Ts6s", "Jd5d"], "", 0.4256),
        (["Ts6s", "Jd5d"], "Td5hTh", 0.9596),
        (["Ts6s", "Jd5d"], "Td5hTh2d", 0.8182),
        (["Ts6s", "Jd5d"], "Td5hTh2d2h", 1.0),
    ],
)
def test_all_in_equity_of_worked_hands(hands: list[str], board: str, share: float) -> None:
    assert equity(hands, board).equity[0] == pytest.approx(share, abs=5e-5)


@pytest.mark.slow
def test_two_random_hands() -> None:
    result = equity(["??", "??"])
    assert result.deals == 1326 * 1225 * 1_712_304
    assert result.equity == [0.5, 0.5]
    assert result.wins[0] == result.wins[1]
    assert result.tie[0] == pytest.approx(0.0406741, abs=5e-8)


@pytest.mark.slow
def test_all_classes_against_a_random_hand_equal_the_shipped_counts() -> None:
    counts = preflop_counts()
    for number in range(169):
        low, high = parse_range(class_label(number)).combos[0]
        result = equity([format_cards([low, high]), "??"])
        assert (result.wins[0], result.ties[0]) == (counts.ahead[number], counts.tied[number])


# The brute-force twin


def kept_decks(rng: random.Random) -> list[int]:
    """Few cards, so that the twin is fast: of a kind that makes flushes, or full houses and quads, common."""
    kind = rng.randrange(3)
    if kind == 0:
        suit = rng.randrange(4)
        deck = [card for card in range(52) if card & 3 == suit]
        return deck + rng.sample([card for card in range(52) if card & 3 != suit], 16)
    if kind == 1:
        ranks = rng.sample(range(13), 7)
        return [4 * rank + suit for rank in ranks for suit in range(4)]
    return rng.sample(range(52), 28)


@pytest.mark.parametrize("seed", range(40))
def test_before_the_flop_as_by_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    kept = kept_decks(rng)
    hands = random_hands(rng, kept, 2 + seed % 9 if seed % 9 < 7 else 10)
    dead = [card for card in range(52) if card not in kept]
    result = equity(texts(hands), dead=format_cards(dead))
    assert result.exact
    assert rows(result) == plain_counts([[hand] for hand in hands], dead=dead)


def test_before_the_flop_with_a_whole_deck_as_by_brute_force() -> None:
    hands = [parse_cards(hand) for hand in ("9c8c", "9h9d", "Tc7d")]
    assert rows(equity(texts(hands))) == plain_counts([[hand] for hand in hands])


@pytest.mark.parametrize("seed", range(60))
def test_after_the_flop_as_by_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    players, board_size = 2 + seed % 9, 3 + seed % 3
    cards = rng.sample(range(52), 2 * players + board_size + 7)
    board, dead = cards[:board_size], cards[board_size : board_size + seed % 8]
    hands = random_hands(rng, cards[board_size + 7 :], players)
    result = equity(texts(hands), format_cards(board), format_cards(dead))
    assert result.deals == math.comb(52 - 2 * players - len(board) - len(dead), 5 - board_size)
    assert rows(result) == plain_counts([[hand] for hand in hands], board, dead)


RANGE_SPOTS = [
    (["AA,AcKc,KK", "AKs,AcAd,77"], "AhKd7c2s", ""),
    (["TT+,AcKd", "AKo,TT"], "Ad7c2s9h", "Ts"),
    (["TT+", "AcAd,KK,QhQd", "AKs"], "2c2d2h3s", "Ac"),
    (["KQs", "KQs", "KQs", "AcAd"], "KcQc2h3s", ""),
    (["JcTc,9c8c", "QQ-JJ"], "9d8d2c", "Qc"),
    (["random", "AcKc"], "QcJcTc9d9h", ""),
    (["22,33", "32o"], "2c3d5h", ""),
]


@pytest.mark.parametrize(("hands", "board", "dead"), RANGE_SPOTS)
def test_ranges_as_by_brute_force(hands: list[str], board: str, dead: str) -> None:
    ranges = [parse_range(hand).combos.tolist() for hand in hands]
    expected = plain_counts(ranges, parse_cards(board), parse_cards(dead))
    assert rows(equity(hands, board, dead)) == expected


@pytest.mark.parametrize("hands", [["AA,KQs", "AcKc,JJ"], ["87s", "QQ", "87s"]])
def test_ranges_before_the_flop_as_by_brute_force(hands: list[str]) -> None:
    kept = parse_cards("AcAdAhAsKcKdKhKsQcQdQhQsJcJdJhJs8c8d8h8s7c7d7h7s")
    dead = [card for card in range(52) if card not in kept]
    ranges = [parse_range(hand).combos.tolist() for hand in hands]
    assert rows(equity(hands, dead=format_cards(dead))) == plain_counts(ranges, dead=dead)


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (["TT+,AQs+", "AA,KQ,98s"], "Ks5h3d", "2c"),
        (["50%", "20%"], "Ks5h3d4d", ""),
        (["??", "??"], "Ks5h3d4d2c", "As"),
        (["AcKc,22", "AcKd,22,76s"], "", "8c8d8h8s5c5d5h5s"),
        (["KK,AKs", "AKs,AKo,KK"], "", ""),
    ],
)
def test_the_two_exact_methods_agree(hands: list[str], board: str, dead: str) -> None:
    spot = read_spot(hands, board, dead)
    by_matchups = count_matchups(matchups_of(spot), 0, math.prod(len(hand) for hand in spot.ranges))
    ranges = two_ranges_of(spot)
    wins, ties = count_boards(ranges, 0, math.comb(len(ranges.deck), spot.to_come)).tolist()
    assert by_matchups[0].tolist() == [wins, ties]
    assert by_matchups[1, 1] == ties


def test_chunks_change_nothing() -> None:
    spot = read_spot(["AA,KQs", "KK,QJs"], "KhJh2c")
    matchups, ranges = matchups_of(spot), two_ranges_of(spot)
    choices, boards = math.prod(len(hand) for hand in spot.ranges), math.comb(len(ranges.deck), 2)
    rng = np.random.default_rng(5)
    by_matchups, by_boards = partial(count_matchups, matchups), partial(count_boards, ranges)
    for kernel, end in ((by_matchups, choices), (by_boards, boards)):
        cuts = [0, *sorted(rng.integers(0, end, 20).tolist()), end]
        parts = [kernel(first, last) for first, last in itertools.pairwise(cuts)]
        assert np.array_equal(sum(parts), kernel(0, end))


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equity_module, "_CHUNK_SECONDS", 1e-4)
    for hands, board in ((["TT+", "AKs", "QQ"], ""), (["40%", "30%"], "Ks5h3d")):
        assert equity(hands, board, threads=1).counts == equity(hands, board, threads=3).counts


# Identities


@pytest.mark.parametrize("seed", range(10))
def test_suits_and_seats_can_be_renamed(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.randint(2, 5)
    cards = rng.sample(range(52), 2 * players + 3)
    board = cards[2 * players :] if seed % 2 else []
    hands = [cards[2 * player : 2 * player + 2] for player in range(players)]
    result = equity(texts(hands), format_cards(board))
    suits, seats = rng.sample(range(4), 4), rng.sample(range(players), players)

    def renamed(some: Sequence[int]) -> list[int]:
        return [card & ~3 | suits[card & 3] for card in some]

    other = equity(texts([renamed(hands[seat]) for seat in seats]), format_cards(renamed(board)))
    assert [result.counts[seat] for seat in seats] == list(other.counts)
    assert sum(result.equity) == pytest.approx(1, abs=1e-12)


def test_equities_of_ranges_add_up_to_one() -> None:
    for result in (equity(["TT+", "AK", "QJs"], "Qc5d2h"), equity(["??"] * 9, samples=10_000)):
        assert sum(result.equity) == pytest.approx(1, abs=1e-12)
        shares = [sum(row[n] for row in result.counts) / (n + 1) for n in range(len(result.counts))]
        assert sum(shares) == result.deals


def test_a_range_is_the_mean_of_its_hands() -> None:
    parts = [equity([format_cards(combo), "KK"], "Kc5d2h7s") for combo in parse_range("QQ,A4s").combos.tolist()]
    whole = equity(["QQ,A4s", "KK"], "Kc5d2h7s")
    assert whole.deals == sum(part.deals for part in parts)
    assert whole.wins[0] == sum(part.wins[0] for part in parts)


def test_json_has_the_fixed_keys() -> None:
    exact = equity(["AcKc", "7h6h"], "Ks5h3d", "2c").to_dict()
    assert {"hands", "board", "exact", "boards", "equity", "win", "tie", "wins", "ties"} <= exact.keys()
    assert (exact["hands"], exact["board"], exact["dead"], exact["exact"]) == (["AcKc", "7h6h"], "Ks5h3d", "2c", True)
    assert "stderr" not in exact
    sampled = equity(["AcKc", "7h6h"], samples=100).to_dict()
    assert (sampled["exact"], sampled["samples"], sampled["boards"], len(sampled["stderr"])) == (False, 100, 100, 2)


# Sampling

SAMPLED = [
    (["AcKc", "7h6h"], ""),
    (["AcKc", "??"], "Ks5h3d"),
    # Heavy conflicts: drawing only the clashing hand again would be off by many errors.
    (["AA,KcQc", "AcKc,AKs,QQ"], "Ah5d2h"),
    (["AK,AA", "AK", "KK,A5s"], "Kh5d2h9s"),
    (["??", "TT+", "AcKc"], "Tc9c2d"),
]


@pytest.mark.parametrize(("hands", "board"), SAMPLED)
def test_samples_lie_within_their_standard_error(hands: list[str], board: str) -> None:
    """400,000 deals: an equity wrong by 0.005 would be off by 6 errors; five errors by chance: 6 in ten million."""
    exact, sampled = equity(hands, board), equity(hands, board, samples=400_000, seed=11)
    assert exact.exact
    assert not sampled.exact
    for truth, value, error in zip(exact.equity, sampled.equity, sampled.stderr, strict=True):
        assert 1e-5 < error < 9e-4
        assert abs(value - truth) < 5 * error
    for truth, value in zip(exact.tie, sampled.tie, strict=True):
        assert abs(value - truth) < 5 * math.sqrt(max(truth * (1 - truth), 1e-6) / 400_000)


def test_standard_error_is_that_of_the_spread_between_seeds() -> None:
    """Over 400 seeds the spread of the values is known to 3.5 %: 15 % is beyond four errors."""
    results = [equity(["AcKc", "AdKd", "??"], "Ah5d2h", samples=2_000, seed=seed) for seed in range(400)]
    values = np.array([result.equity for result in results])
    stated = np.array([result.stderr for result in results]).mean(axis=0)
    assert values.std(axis=0, ddof=1) == pytest.approx(stated, rel=0.15)


def test_samples_depend_on_the_seed_alone() -> None:
    one, other = (equity(["TT+", "??"], samples=300_000, seed=3, threads=threads) for threads in (1, 4))
    assert one.counts == other.counts
    assert equity(["TT+", "??"], samples=300_000, seed=4).counts != one.counts


TWINS = [
    (["AcKc", "7h6h"], "", ""),
    (["AcKc", "??"], "", "2c2d"),
    (["AcKc", "??"], "Ks5h3d", ""),
    (["Ah5h", "??", "TT+,AhKh"], "Kh9h2h", ""),
    (["AK,AA", "AK", "??", "KK,A5s"], "Kh5d2h9s", "7c"),
    (["AhTh", "KhQd"], "2h5h9h", "Tc"),
    (["??"] * 10, "", format_cards(range(27))),
]


@pytest.mark.parametrize(("hands", "board", "dead"), TWINS)
def test_samples_are_those_of_the_twin(hands: list[str], board: str, dead: str) -> None:
    spot = read_spot(hands, board, dead)
    for start in (3, 2**63 + 11):
        assert sample(choices_of(spot), 400, np.uint64(start)).tolist() == plain_samples(spot, 400, start)


def chi_square_of(seen: Counter[object]) -> float:
    """How far the counts are from equal, in squares of their errors."""
    expected = seen.total() / len(seen)
    return sum((count - expected) ** 2 / expected for count in seen.values())


def test_every_board_is_drawn_equally_often() -> None:
    """A hundred draws a board: a board drawn 30 % too often in half of the cases would add 45 errors."""
    choices, counter, seen = choices_of(read_spot(["AcKc", "7h6h"], "Ks5h3d")), 9, Counter[object]()
    left, none = choices.deck & ~np.bitwise_or.reduce(np.uint64(1) << choices.cards.ravel()), np.uint64(0)
    for _ in range(99_000):
        counter = (counter + int(SPLITMIX_STEP)) % 2**64
        _, after, rest = _draw_cards(
            left, none, np.uint64(2), choices.bounds, np.uint64(splitmix(np.uint64(counter)))
        )
        seen[after] += rest >= choices.rejected[0]
    assert len(seen) == 990
    assert abs(chi_square_of(seen) - 989) < 5 * math.sqrt(2 * 989)


def test_every_choice_of_hands_is_drawn_equally_often() -> None:
    """AcKc fits three of the six aces, the other hands all: drawing only the clashing hand again would show."""
    choices, counter, seen = choices_of(read_spot(["AA", "AcKc,QQ"], "2c3d4h")), np.uint64(9), Counter[object]()
    keys, bits = np.empty(2, np.uint64), np.empty(2, np.uint64)
    while seen.total() < 40_000:
        fits, _, counter = _draw_hands(choices.cards, choices.starts, np.uint64(counter), keys, bits)
        seen[bits.tobytes()] += fits
    assert len(+seen) == 3 + 6 * 6
    assert abs(chi_square_of(+seen) - 38) < 5 * math.sqrt(2 * 38)


def test_work_beyond_the_bound_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equity_module, "DEFAULT_SAMPLES", 1_000)
    result = equity(["??", "??", "??"])
    assert (result.exact, result.deals) == (False, 1_000)
    assert equity(["AcKc"] + ["??"] * 9).deals == 1_000
    assert equity(["??", "TT+"], "2c3d4h").exact


def test_tight_ranges_can_still_be_sampled() -> None:
    result = equity(["JJ+"] * 6, samples=200)
    assert result.deals == 200
    assert sum(result.equity) == pytest.approx(1)


# Another program


def test_as_eval7_counts() -> None:
    eval7 = pytest.importorskip("eval7")
    rng = random.Random(7)
    for size in (3, 3, 4, 4, 4):
        cards = rng.sample(range(52), 4 + size)
        hands, board = [cards[:2], cards[2:4]], cards[4:]
        made = [[eval7.Card(format_cards([card])) for card in hand] for hand in hands]
        deck = [eval7.Card(format_cards([card])) for card in range(52) if card not in cards]
        known = [eval7.Card(format_cards([card])) for card in board]
        wins = ties = 0
        for dealt in itertools.combinations(deck, 5 - size):
            one, other = (eval7.evaluate([*hand, *known, *dealt]) for hand in made)
            wins += one > other
            ties += one == other
        assert equity(texts(hands), format_cards(board)).counts[0] == (wins, ties)


# Wrong input


@pytest.mark.parametrize(
    ("hands", "board", "dead", "message"),
    [
        (["AcAc", "KdKh"], "", "", "card Ac appears twice"),
        (["Ax", "KdKh"], "", "", "'Ax' is not a hand or range"),
        (["AcKc", "AcQd"], "", "", "card Ac is in hand 1 and in hand 2"),
        (["AcKc", "QdQh"], "2c3cKc", "", "card Kc is on the board and in hand 1"),
        (["AcKc", "QdQh"], "", "Qh", "card Qh is among the dead cards and in hand 2"),
        (["AcKc", "QdQh"], "2c3c4c", "4c", "card 4c is on the board and among the dead cards"),
        (["AcKc", "QdQh"], "2c3c2c", "", "card 2c appears twice"),
        (["AcKc", "QdQh"], "2c", "", "has 1 card; a board has 0, 3, 4 or 5"),
        (["AcKc", "QdQh"], "2c3c", "", "has 2 cards"),
        (["AcKc", "QdQh"], "2c3c4c5c6c7c", "", "has 6 cards"),
        (["AcKc", "QdQh"], "2c3c4", "", "'4' is not a card"),
        (["AcKc", ""], "", "", "is empty"),
        (["AcKc", "QQ"], "QcQdQh", "", "hand 2, 'QQ', has no possible hand"),
        (["AcKc", "AK"], "AdAhAs", "", "hand 2, 'AK', has no possible hand"),
        (["AA", "AA", "AA"], "", "", "cannot be dealt together"),
        (["AcKc"], "", "", "2 to 10 hands, not 1"),
        ([], "", "", "2 to 10 hands, not 0"),
        (["??"] * 11, "", "", "2 to 10 hands, not 11"),
        (["??"] * 10, "", format_cards(range(28)), "28 dead cards leave too few"),
    ],
)
def test_wrong_input_is_named(hands: list[str], board: str, dead: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        equity(hands, board, dead)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_ranges_that_never_fit_are_refused_when_sampled() -> None:
    with pytest.raises(InputError, match="cannot be dealt together"):
        equity(["AA", "AA", "AA"], samples=100)


@pytest.mark.parametrize(("name", "least"), [("samples", 2), ("threads", 1), ("seed", 0)])
def test_wrong_numbers_are_named(name: str, least: int) -> None:
    with pytest.raises(InputError, match=f"{name} must be {least} or more, not {least - 1}"):
        equity(["AcKc", "QQ"], **{name: least - 1})  # type: ignore[arg-type]


def test_the_fullest_table_can_be_dealt() -> None:
    assert equity(["??"] * 10, dead=format_cards(range(27)), samples=100).deals == 100
