"""Hands of six poker sites of 2009 (`tests/data/handhq.json.xz`): read as printed, or refused for a reason."""

import tomllib
from fractions import Fraction
from typing import Any

import pytest

from luckless.histories.settling import rounded_payoffs
from luckless.rules.columns import HandColumns
from real_hands import originals
from stored_hands import read_text

REFUSED = {
    "ABS": [],
    "FTP": ["the source says that the seats won"],  # 67 dollars are paid of a pot of 65
    "IPN": ["the hand is not over: seat"] * 9,  # the last street has cards and no betting
    "ONG": [],
    "PS": ["the source says that the seats won"],  # 30 dollars are paid of a pot of 25
    "PTY": [],
}
"""All hands that are left out: 11 of 1,800."""


def site(name: str) -> tuple[list[HandColumns], list[str]]:
    """The hands of a site, and why the others are refused."""
    batches, rejects = read_text("phh", originals("handhq")[f"{name}.phhs"])
    return batches, [reject.reason for reject in rejects]


@pytest.mark.parametrize("name", REFUSED)
def test_nearly_all_hands_are_read_and_every_refusal_has_its_reason(name: str) -> None:
    batches, reasons = site(name)
    assert sum(map(len, batches)) == 300 - len(REFUSED[name])
    assert len(reasons) == len(REFUSED[name])
    assert all(said.startswith(wanted) for said, wanted in zip(reasons, REFUSED[name], strict=True))


@pytest.mark.parametrize("name", REFUSED)
def test_hands_are_read_to_the_printed_winnings(name: str) -> None:
    """What a site says it paid is what the seat won and put in, with or without the bet that nobody called."""
    told = {
        (hand["table"], hand["hand"]): hand for hand in tomllib.loads(originals("handhq")[f"{name}.phhs"]).values()
    }
    compared = 0
    for batch in site(name)[0]:
        for row, number in enumerate(batch.numbers.tolist()):
            assert batch.origin is not None
            hand = told.get((batch.origin.tables[batch.origin.table[row]], number))
            if hand is not None and any(hand.get("winnings", [])):
                _agrees(hand, batch, row)
                compared += 1
    assert compared >= {"ABS": 278, "FTP": 84, "PS": 51, "PTY": 300}.get(name, 0)


def _agrees(hand: dict[str, Any], batch: HandColumns, row: int) -> None:
    payoffs = batch.records.payoffs[row].tolist()
    for won, paid in zip(payoffs, hand["winnings"], strict=True):
        assert won > 0 if paid and won > 0 else won <= 0 or paid
    paid, won = (
        sum(map(Fraction, map(str, hand["winnings"]))) * batch.scale,
        sum(chips for chips in payoffs if chips > 0),
    )
    assert won <= paid
    assert -sum(payoffs) >= 0  # the rake


def test_infinite_stacks_cover_everything() -> None:
    batches, _ = site("IPN")
    assert all((batch.records.stacks >= 1_000 * batch.records.game.big_blind).all() for batch in batches)


def test_who_did_not_show_has_lost() -> None:
    """16 showdowns give winnings and hide cards: in all of them the winners are among those who showed."""
    checked = 0
    for name in ("FTP", "ONG", "PTY"):
        for hand in tomllib.loads(originals("handhq")[f"{name}.phhs"]).values():
            shows = {one.split()[0]: one.split()[2] for one in hand["actions"] if one.split()[1] == "sm"}
            if any(hand.get("winnings", [])) and "????" in shows.values() and set(shows.values()) != {"????"}:
                winners = {f"p{seat + 1}" for seat, paid in enumerate(hand["winnings"]) if paid}
                assert winners <= {player for player, cards in shows.items() if cards != "????"}
                checked += 1
    assert checked == 16
    shown = [batch for batch in site("PS")[0] if batch.settlement == "shown"]
    assert sum(map(len, shown)) == 23
    assert all((batch.records.payoffs.sum(axis=1) == 0).all() for batch in shown)


LATE = """
variant = 'NT'
antes = [0, 0, 0, 0]
blinds_or_straddles = [5, 10, 0, -10]
min_bet = 10
starting_stacks = [200, 200, 200, 200]
actions = ['p3 f', 'p4 cc', 'p1 f', 'p2 cbr 40', 'p4 f']
winnings = {winnings}
"""


@pytest.mark.parametrize(
    ("winnings", "won"), [("[0, 25, 0, 0]", [-5, 15, 0, -10]), ("[0, 55, 0, 0]", [-5, 15, 0, -10])]
)
def test_a_late_post_is_live_and_acts_in_its_turn(winnings: str, won: list[int]) -> None:
    """Seat 3 posts 10 and checks; winnings of 55 include the 30 chips of the raise that nobody called."""
    (batch,), rejects = read_text("phh", LATE.format(winnings=winnings))
    assert not rejects
    assert batch.records.game.posts == (0, 0, 0, 10)
    assert batch.records.payoffs.tolist() == [[-5, 15, 0, -10]]


def test_other_variants_are_named_first() -> None:
    _, (reject,) = read_text("phh", "variant = 'PO'\n")
    assert reject.reason.startswith("variant is 'PO', pot-limit Omaha; only Texas hold'em is read")


def test_rounding_keeps_the_sum() -> None:
    thirds = [Fraction(1, 3), Fraction(1, 3), Fraction(-2, 3)]
    cases: list[list[Fraction | int]] = [[Fraction(5, 2), Fraction(-5, 2)], [*thirds], [7, -7]]
    for values in cases:
        whole = rounded_payoffs(values)
        assert sum(whole) == 0
        assert all(abs(chips - Fraction(value)) < 1 for chips, value in zip(whole, values, strict=True))
