"""Looking hands up in their index, beside a slow twin that replays and asks hand by hand."""

import fnmatch
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import luckless as lk
from luckless.errors import InputError
from luckless.hands.ranges import parse_range
from luckless.histories.biggest import contested
from luckless.histories.hand_detail import HandDetail, details
from luckless.histories.hand_export import exported
from luckless.histories.hand_index import board_cards, combo_cards, combo_numbers, index_files
from luckless.histories.hand_search import HandFilter, HandSearch, seats_that_fit
from luckless.histories.reading import read_hands
from luckless.histories.store import StoredHands
from luckless.rules.actions import CALL, FOLD


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("searched")
    lk.play(["value-bet", "pot-odds"], game="limit-hu", hands=400, seed=3, save=place / "two")
    lk.play(["call", "pot-odds", "value-bet", "call", "fold", "pot-odds"], game="nolimit-6max", hands=240, seed=4,
            save=place / "six")  # fmt: skip
    return place


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    place = tmp_path_factory.mktemp("index")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("luckless.histories.hand_index.index_folder", lambda: place)
        yield


def opened(folder: Path) -> tuple[StoredHands, HandSearch]:
    stored = StoredHands.open(folder)
    return stored, HandSearch(index_files(stored))


def line_of(hand: HandDetail) -> str:
    """The actions of a hand as letters, one by one."""
    text, street = "", hand.steps[0].street if hand.steps else 0
    for step in hand.steps:
        text += "/" * (step.street - street)
        street = step.street
        if step.action == FOLD:
            text += "f"
        elif step.action == CALL:
            text += "c" if step.to_call else "k"
        else:
            text += "r" if step.bet else "b"
    return text


def all_details(stored: StoredHands) -> list[HandDetail]:
    return [hand for hand, _ in all_hands(stored.folder)]


@functools.cache
def all_hands(folder: Path) -> list[tuple[HandDetail, int]]:
    """Every hand with its contested pot."""
    batches = list(StoredHands.open(folder).columns())
    pots = [pot for columns in batches for pot in contested(columns).tolist()]
    return list(zip((hand for columns in batches for hand in details(columns)), pots, strict=True))


@pytest.mark.parametrize("name", ["two", "six"])
def test_the_index_says_what_the_hands_say(folder: Path, name: str) -> None:
    stored, search = opened(folder / name)
    rows: list[dict[str, Any]] = []
    while len(rows) < stored.hands:
        rows += search.find(HandFilter(), first=len(rows), most=200).rows
    for row, (hand, pot) in zip(rows, all_hands(folder / name), strict=True):
        big = hand.game.big_blind
        assert row["hand"] == hand.key
        assert row["line"] == line_of(hand)
        assert row["pot"] == pytest.approx(pot / big)
        assert row["ending"] == (4 if hand.showdown else hand.street)
        assert board_cards(row["board"]) == hand.board
        for seat in range(hand.game.seats):
            assert row[f"player_{seat}"] == hand.order[seat]
            assert row[f"won_{seat}"] == pytest.approx(hand.payoffs[seat] / big)
            assert set(combo_cards(row[f"combo_{seat}"]) or ()) == set(hand.hole(seat))


def test_numbers_of_combos_are_different_and_come_back() -> None:
    pairs = np.array([(high, low) for high in range(52) for low in range(high)])
    numbers = combo_numbers(pairs)
    assert sorted(numbers.tolist()) == list(range(1326))
    assert [combo_cards(number) for number in numbers.tolist()] == [(high, low) for high, low in pairs.tolist()]
    assert combo_numbers(np.array([[255, 3], [3, 255]])).tolist() == [-1, -1]
    assert combo_cards(-1) is None


WORDS: list[dict[str, str]] = [
    {},
    {"player": "1"},
    {"player": "0", "seat": "1"},
    {"ending": "showdown"},
    {"street": "turn"},
    {"pot_from": "6", "pot_to": "12"},
    {"player": "0", "won_from": "0.5"},
    {"player": "0", "won_above": "1", "won_to": "4"},
    {"won_from": "-4", "won_below": "-1", "player": "1"},
    {"cards": "TT+,AQs+"},
    {"player": "1", "cards": "22+,A2s+,KT+", "ending": "showdown"},
    {"line": "*/k*"},
    {"line": "rc/*"},
    {"line": "?k*"},
    {"deal": "7"},
]


@pytest.mark.parametrize("name", ["two", "six"])
@pytest.mark.parametrize("words", WORDS)
def test_filters_leave_the_hands_that_the_twin_leaves(folder: Path, name: str, words: dict[str, str]) -> None:
    _, search = opened(folder / name)
    wanted = HandFilter.read(words)
    expected = [hand.key for hand, pot in all_hands(folder / name) if fits(hand, pot, wanted)]
    assert search.keys(wanted, 10_000) == expected
    found = search.find(wanted, most=500)
    assert found.count == len(expected)
    by_key = {hand.key: hand for hand, _ in all_hands(folder / name)}
    for row in found.rows:
        hand = by_key[row["hand"]]
        fitting = [seat for seat in range(hand.game.seats) if seat_fits(hand, seat, wanted)]
        assert seats_that_fit(row, wanted) in ([], fitting)
        assert seats_that_fit(row, wanted) or len(fitting) == hand.game.seats


def fits(hand: HandDetail, pot: int, wanted: HandFilter) -> bool:
    """The slow twin of a filter."""
    big, names = hand.game.big_blind, ("preflop", "flop", "turn", "river", "showdown")
    ending = names[4 if hand.showdown else hand.street]
    dealt = {0: 0, 3: 1, 4: 2, 5: 3}[len(hand.board)]
    whole = [
        wanted.ending in (None, ending),
        wanted.street is None or dealt >= names.index(wanted.street),
        wanted.pot_from is None or pot / big >= wanted.pot_from,
        wanted.pot_to is None or pot / big <= wanted.pot_to,
        wanted.line is None or fnmatch.fnmatchcase(line_of(hand), wanted.line),
        wanted.deal in (None, hand.deal),
    ]
    return all(whole) and any(seat_fits(hand, seat, wanted) for seat in range(hand.game.seats))


def seat_fits(hand: HandDetail, seat: int, wanted: HandFilter) -> bool:
    won = hand.payoffs[seat] / hand.game.big_blind
    combos = None if wanted.cards is None else combos_of(wanted.cards)
    return (
        wanted.player in (None, hand.order[seat])
        and wanted.seat in (None, seat)
        and (wanted.won_from is None or won >= wanted.won_from)
        and (wanted.won_to is None or won <= wanted.won_to)
        and (wanted.won_above is None or won > wanted.won_above)
        and (wanted.won_below is None or won < wanted.won_below)
        and (combos is None or tuple(sorted(hand.hole(seat))) in combos)
    )


@functools.cache
def combos_of(text: str) -> set[tuple[int, ...]]:
    return {tuple(row) for row in parse_range(text).combos.tolist()}


def test_sorting_and_pages(folder: Path) -> None:
    _, search = opened(folder / "six")
    down = search.find(HandFilter(), sort="pot", down=True, most=100).rows
    pots = [row["pot"] for row in down]
    assert pots == sorted(pots, reverse=True)
    rest = search.find(HandFilter(), sort="pot", down=True, first=40, most=10).rows
    assert rest == down[40:50]
    won = [row["won_2"] for row in search.find(HandFilter(seat=2), sort="won", most=100).rows]
    assert won == sorted(won)


def test_the_sum_is_what_the_player_won(folder: Path) -> None:
    stored, search = opened(folder / "two")
    total = sum(hand.payoffs[hand.order.index(1)] for hand in all_details(stored) if hand.showdown)
    found = search.find(HandFilter(player=1, ending="showdown"))
    assert found.won == pytest.approx(total / 10)
    assert search.find(HandFilter(ending="showdown")).won is None


def test_a_player_or_seat_that_is_not_there_has_no_hands(folder: Path) -> None:
    _, search = opened(folder / "two")
    assert search.find(HandFilter(player=9)).count == 0
    assert search.find(HandFilter(seat=9)).count == 0


@pytest.mark.parametrize(
    "words",
    [
        {"player": "x"},
        {"player": "-1"},
        {"pot_from": "nan"},
        {"won_to": "1e999"},
        {"ending": "sunset"},
        {"street": "showdown"},
        {"cards": "ZZ"},
        {"line": "'; drop"},
        {"line": "x"},
        {"deal": "1.5"},
        {"cards": "A" * 3000},
    ],
)
def test_bad_filters_are_refused(words: dict[str, str]) -> None:
    with pytest.raises(InputError):
        HandFilter.read(words)


def test_bad_pages_are_refused(folder: Path) -> None:
    _, search = opened(folder / "two")
    bad: tuple[dict[str, Any], ...] = (
        {"sort": "name"},
        {"first": -1},
        {"most": 0},
        {"most": 10**6},
        {"sort": "luck"},
    )
    for wrong in bad:
        with pytest.raises(InputError):
            search.find(HandFilter(), **wrong)


def test_words_come_back() -> None:
    words = {"player": "1", "won_above": "0.5", "cards": "TT+", "line": "*/k*"}
    assert HandFilter.read(HandFilter.read(words).words()) == HandFilter.read(words)
    assert HandFilter.read({"player": " ", "other": "x"}) == HandFilter()


def test_an_index_is_made_once_and_again_when_it_is_gone(folder: Path) -> None:
    stored = StoredHands.open(folder / "two")
    for file in index_files(stored):
        file.unlink()
    assert index_files(stored, make=False) == []
    [file] = index_files(stored)
    first = file.stat().st_ino
    assert index_files(stored)[0].stat().st_ino == first
    file.unlink()
    assert index_files(stored)[0].is_file()


def test_exports_are_read_back(folder: Path, tmp_path: Path) -> None:
    stored, search = opened(folder / "two")
    keys = search.keys(HandFilter(ending="showdown"), 50)
    (tmp_path / "out.phhs").write_text("".join(exported(stored, keys, "phh")))
    assert len(read_hands(tmp_path / "out.phhs")) == len(keys)
    lines = "".join(exported(stored, keys, "csv")).splitlines()
    assert lines[0].startswith("hand,deal,ending")
    assert len(lines) == 1 + 2 * len(keys)
    with pytest.raises(InputError):
        exported(stored, keys, "doc")
