"""Ranges: what each notation means, counted by hand or told by a slow twin, and what is refused."""

import contextlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from luckless.cards import RANKS, format_cards
from luckless.errors import InputError
from luckless.hands.pairs import pair_numbers
from luckless.hands.preflop import class_label, preflop_counts
from luckless.hands.ranges import COMBOS, Range, class_name, parse_range

CLASSES = [
    high + low if high == low else high + low + kind
    for first, high in enumerate(reversed(RANKS))
    for low in list(reversed(RANKS))[first:]
    for kind in ("so" if high != low else " ")
]


def classes_of(text: str) -> set[str]:
    """The classes of a range, after a check that it holds each of them whole."""
    hands = parse_range(text)
    names = [class_name((low, high)) for low, high in hands.combos.tolist()]
    sizes = {name: names.count(name) for name in names}
    assert sizes == {name: {"s": 4, "o": 12}.get(name[-1], 6) for name in sizes}
    return set(sizes)


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("QQ", "QQ"),
        ("TT+", "TT JJ QQ KK AA"),
        ("AA+", "AA"),
        ("QQ-99", "QQ JJ TT 99"),
        ("99-QQ", "QQ JJ TT 99"),
        ("AQs+", "AQs AKs"),
        ("KJo", "KJo"),
        ("JKo", "KJo"),
        ("KJ", "KJs KJo"),
        ("KT+", "KTs KJs KQs KTo KJo KQo"),
        ("76s+", "76s"),
        ("76s-54s", "76s 65s 54s"),
        ("54s-76s", "76s 65s 54s"),
        ("J9o-97o", "J9o T8o 97o"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("KQ-KT", "KQs KJs KTs KQo KJo KTo"),
        ("T9s-98s", "T9s 98s"),
        ("109s", "T9s"),
        ("tt+, aKS", "TT JJ QQ KK AA AKs"),
        ("AA,AA KK", "AA KK"),
        ("0.1%", "AA"),
        ("0.5%", "AA KK"),
        ("1.5%", "AA KK QQ JJ"),
    ],
)
def test_notation(text: str, classes: str) -> None:
    assert classes_of(text) == set(classes.split())


@pytest.mark.parametrize(
    "text", ["??", "random", "RANDOM", "100%", "22+, 32+,42+,52+,62+,72+,82+,92+,T2+,J2+,Q2+,K2+,A2+"]
)
def test_any_two_cards(text: str) -> None:
    hands = parse_range(text)
    assert hands.is_random
    assert [tuple(combo) for combo in hands.combos.tolist()] == sorted(COMBOS)


def test_two_cards_are_one_hand_in_either_order() -> None:
    assert parse_range("AcKd") == parse_range("kdac")
    assert parse_range("AcKd").combos.tolist() == [[45, 48]]
    assert parse_range("10c9c") == parse_range("Tc9c")
    assert parse_range("AcKd").is_one_hand


def test_a_range_is_a_sorted_read_only_set() -> None:
    hands = parse_range("AcKd, 22, 2c2d, AKo")
    rows = hands.combos.tolist()
    assert rows == sorted(rows)
    assert len(hands) == len({tuple(row) for row in rows}) == 6 + 12
    assert all(low < high for low, high in rows)
    assert hash(hands) == hash(parse_range("AKo 22"))
    assert hands != parse_range("AKo")
    with pytest.raises(ValueError, match="read-only"):
        hands.combos[0, 0] = 5


def test_numbers_of_combos_are_their_places() -> None:
    assert pair_numbers(COMBOS).tolist() == list(range(1326))


def test_the_classes_part_all_hands() -> None:
    assert len(CLASSES) == 169
    everything = [tuple(row) for name in CLASSES for row in parse_range(name.strip()).combos.tolist()]
    assert sorted(everything) == sorted(COMBOS)


def test_best_hands_grow_in_the_order_of_equity_against_a_random_hand() -> None:
    counts = preflop_counts()
    share = {class_label(n): int(2 * counts.ahead[n] + counts.tied[n]) for n in range(169)}
    for percent in (1, 5, 12.5, 33, 50, 75, 99):
        inside = classes_of(f"{percent}%")
        assert min(share[name] for name in inside) > max(share[n] for n in share if n not in inside)
        # The smallest such set: without its weakest class it would be too small.
        weakest = min(inside, key=share.__getitem__)
        size, last = len(parse_range(f"{percent}%")), len(parse_range(weakest))
        assert size >= percent * 13.26 > size - last


@given(st.lists(st.sampled_from([name.strip() for name in CLASSES]), min_size=1))
def test_a_list_is_the_union_of_its_tokens(names: list[str]) -> None:
    union = {tuple(row) for name in names for row in parse_range(name).combos.tolist()}
    for separator in (",", " ", ", "):
        assert {tuple(row) for row in parse_range(separator.join(names)).combos.tolist()} == union


@given(st.sampled_from(RANKS), st.sampled_from(RANKS), st.sampled_from(["", "s", "o"]))
def test_plus_is_a_span_up_to_the_top(first: str, second: str, kind: str) -> None:
    high, low = sorted((RANKS.index(first), RANKS.index(second)), reverse=True)
    if high == low:
        assert parse_range(first + second + "+") == parse_range(f"{first}{second}-AA")
    else:
        top = f"{RANKS[high]}{RANKS[high - 1]}{kind}"
        assert parse_range(f"{first}{second}{kind}+") == parse_range(f"{RANKS[high]}{RANKS[low]}{kind}-{top}")


@given(st.lists(st.sampled_from(COMBOS), min_size=1, unique=True))
def test_combos_come_back_as_written(combos: list[tuple[int, int]]) -> None:
    hands = parse_range(",".join(format_cards(combo) for combo in combos))
    assert [tuple(row) for row in hands.combos.tolist()] == sorted(combos)


def test_without_takes_the_hands_with_a_card_away() -> None:
    left = parse_range("AA").without({48, 3})
    assert left.combos.tolist() == [[49, 50], [49, 51], [50, 51]]
    assert left.text == "AA"


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("Ax", "'Ax'"),
        ("TT+,Ax,KK", "'Ax'"),
        ("AcAc", "Ac"),
        ("AcKx", "'Kx'"),
        ("Ac", "'Ac'"),
        ("AcKd+", "'AcKd+'"),
        ("AcKdQh", "'AcKdQh'"),
        ("AAs", "'AAs'"),
        ("TTo+", "'TTo+'"),
        ("AKs-AQo", "'AKs-AQo'"),
        ("76s-65o", "'76s-65o'"),
        ("KQ-98o", "'KQ-98o'"),
        ("QQ-98", "'QQ-98'"),
        ("AA-AK", "'AA-AK'"),
        ("AK-75", "'AK-75'"),
        ("A9s-76s", "'A9s-76s'"),
        ("AK-", "'AK-'"),
        ("0%", "'0%'"),
        ("101%", "'101%'"),
        ("-5%", "'-5%'"),
        ("x%", "'x%'"),
        ("?", "'?'"),
        ("1K", "'1K'"),
        ("AKx", "'AKx'"),
        ("AA:0.5", "'AA:0.5'"),
        ("AK++", "'AK++'"),
        ("ÄK", "'ÄK'"),
    ],
)
def test_a_wrong_token_is_named(text: str, token: str) -> None:
    with pytest.raises(InputError) as error:
        parse_range(text)
    assert token in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", " ", ",", " , "])
def test_an_empty_range_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is empty: a range is"):
        parse_range(text)


@given(st.text(alphabet="23456789TJQKAacdhsSOo+-%?.,1 0", max_size=12))
def test_any_text_is_a_range_or_a_clear_error(text: str) -> None:
    with contextlib.suppress(InputError):
        hands = parse_range(text)
        assert isinstance(hands, Range)
        assert 1 <= len(hands) <= 1326


def test_spans_of_equal_gap_are_what_stepping_down_gives() -> None:
    for gap, top in itertools.product(range(1, 5), range(6, 13)):
        bottom = gap + 1
        span = f"{RANKS[top]}{RANKS[top - gap]}s-{RANKS[bottom]}{RANKS[bottom - gap]}s"
        steps = ",".join(f"{RANKS[rank]}{RANKS[rank - gap]}s" for rank in range(bottom, top + 1))
        assert parse_range(span) == parse_range(steps)
