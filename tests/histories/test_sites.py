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


PRINTED = {"ABS": 278, "FTP": 84, "IPN": 0, "ONG": 300, "PS": 51, "PTY": 300}
"""Hands that were read and whose source says what the seats were paid."""
UNCALLED = {"ABS": 0, "FTP": 165, "IPN": 271, "ONG": 0, "PS": 192, "PTY": 0}
"""Hands that nobody called to the end, and whose source says nothing of payments."""


@pytest.mark.parametrize("name", REFUSED)
def test_hands_are_read_to_the_printed_winnings(name: str) -> None:
    """Seat by seat: what was read is what the site paid less what the seat put in, by a count that knows no rules.

    A site may count the bet that nobody called among its payments or not. Where it says nothing of payments and all
    but one have folded, that one has won what the others put in.
    """
    text = originals("handhq")[f"{name}.phhs"]
    tables = tomllib.loads(text, parse_float=_number)
    lines = enumerate(text.splitlines(), start=1)
    told = {number: tables[line[1:-1]] for number, line in lines if line.startswith("[")}
    printed = uncalled = 0
    for batch in site(name)[0]:
        assert batch.origin is not None
        for row, line in enumerate(batch.origin.line.tolist()):
            hand = told[line]
            won = [Fraction(chips, batch.scale) for chips in batch.records.payoffs[row].tolist()]
            if any(hand.get("winnings", [])):
                assert won in _by_payments(hand), hand
                printed += 1
            elif (alone := _by_folding(hand)) is not None:
                assert won == alone, hand
                uncalled += 1
    assert (printed, uncalled) == (PRINTED[name], UNCALLED[name])


def _number(text: str) -> Fraction | float:
    return float(text) if text == "inf" else Fraction(text)


def _put_in(hand: dict[str, Any]) -> list[Fraction]:
    """What each seat put in, counted from the text."""
    forced, stacks = hand["blinds_or_straddles"], hand["starting_stacks"]
    seats = len(stacks)
    if seats == 2:
        forced = forced[::-1]
    antes = hand["antes"][::-1] if seats == 2 else hand["antes"]
    earlier = [min(Fraction(ante), stack) for ante, stack in zip(antes, stacks, strict=True)]
    street = [min(Fraction(abs(bet)), stacks[seat] - earlier[seat]) for seat, bet in enumerate(forced)]
    for action in hand["actions"]:
        who, what, *rest = action.split()
        if what == "db":
            earlier, street = [a + b for a, b in zip(earlier, street, strict=True)], [Fraction(0)] * seats
        elif what in ("cc", "cbr"):
            seat = int(who[1:]) - 1
            wanted = Fraction(rest[0]) if what == "cbr" else max(street)
            street[seat] = min(wanted, stacks[seat] - earlier[seat])
    return [a + b for a, b in zip(earlier, street, strict=True)]


def _by_payments(hand: dict[str, Any]) -> list[list[Fraction]]:
    """What the seats have won, whether the payments hold the bet that nobody called or not."""
    put_in = _put_in(hand)
    with_it = [paid - chips for paid, chips in zip(hand["winnings"], put_in, strict=True)]
    largest = max(range(len(put_in)), key=put_in.__getitem__)
    returned = put_in[largest] - max(chips for seat, chips in enumerate(put_in) if seat != largest)
    return [with_it, [won + (returned if seat == largest else 0) for seat, won in enumerate(with_it)]]


def _by_folding(hand: dict[str, Any]) -> list[Fraction] | None:
    """What the seats have won if all but one folded; else None."""
    put_in = _put_in(hand)
    folded = {int(action.split()[0][1:]) - 1 for action in hand["actions"] if action.split()[1] == "f"}
    left = set(range(len(put_in))) - folded
    if len(left) != 1:
        return None
    (winner,) = left
    lost = [-chips for chips in put_in]
    lost[winner] = Fraction(0)
    return [-sum(lost, Fraction(0)) if seat == winner else chips for seat, chips in enumerate(lost)]


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
