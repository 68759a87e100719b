"""Logs of the competition's form as others publish them: comments, all-in expectations, boards that are cut short."""

import functools
import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from luckless.cards import parse_cards
from luckless.hands.strength import strengths
from luckless.histories.acpc import AcpcWriter
from luckless.histories.all_in_values import all_in_values
from luckless.histories.converting import convert
from luckless.histories.reading import read_hands
from luckless.histories.store import StoredHands
from luckless.histories.verifying import verify
from luckless.rules.game import Game
from luckless.skill.money import Money
from plain_equity import plain_counts
from stored_hands import played, read_text, written

GAME = Game.load("nolimit-hu")
HEADER = "# name/game/hands/seed x holdem.nolimit.2p.reverse_blinds.game 1 1\n"


@functools.cache
def worth() -> Fraction:
    """What AcKc has won when 20,000 chips each are in against 7h6h on Ks5h3d, by the slow twin."""
    holes, flop = [parse_cards("AcKc"), parse_cards("7h6h")], parse_cards("Ks5h3d")
    (wins, ties), (losses, _) = plain_counts([[hole] for hole in holes], flop)
    assert wins + ties + losses == 990
    return 40_000 * (wins + Fraction(ties, 2)) / 990 - 20_000


def line(value: str, betting: str = "r300c/r20000c//", cards: str = "AcKc|7h6h/Ks5h3d/Tc/4h", number: int = 0) -> str:
    """An all-in on the flop; the board as dealt gives 7h6h a straight."""
    return f"STATE:{number}:{betting}:{cards}:{value}|-{value}:a|b\n"


@pytest.mark.parametrize("digits", [6, 2, 0])
@pytest.mark.parametrize(
    ("betting", "cards"),
    [
        ("r300c/r20000c//", "AcKc|7h6h/Ks5h3d/Tc/4h"),
        ("r300c/r20000c//", "AcKc|7h6h/Ks5h3d"),
        ("r300c/r20000c//", "AcKc|7h6h/Ks5h3d//"),
        ("r300c/r20000c", "AcKc|7h6h/Ks5h3d"),
    ],
)
def test_all_in_expectations_are_kept_as_printed(digits: int, betting: str, cards: str) -> None:
    value = f"{float(worth()):.{digits}f}"
    (batch,), rejects = read_text("acpc", line(value, betting, cards), GAME)
    assert not rejects
    assert batch.settlement in (("expected", "given") if digits == 0 else ("expected",))
    assert batch.values().tolist() == [[float(value), -float(value)]]
    dealt = "Tc" in cards
    assert batch.records.payoffs.tolist() == [[-20_000, 20_000] if dealt else [round(worth()), -round(worth())]]
    assert read_text("acpc", written([batch], AcpcWriter()))[0][0].values().tolist() == batch.values().tolist()


@pytest.mark.parametrize("wrong", [1, -100, 5000])
def test_other_values_are_refused_with_what_was_won(wrong: int) -> None:
    batches, (reject,) = read_text("acpc", line(f"{float(worth()) + wrong:.6f}"), GAME)
    assert not batches
    assert reject.reason == "its values are not what the cards and the betting give"
    assert reject.won == pytest.approx(float(worth()) + wrong)


def test_an_all_in_with_side_pots_is_worth_the_mean_over_all_boards() -> None:
    """Three all-ins for 100, 300 and 300 on the turn, and 50 dead chips of a folded seat: every river one by one."""
    deck = [*parse_cards("AcAdKhKsQhJh2c2dTh9h3c4s"), 255]
    put_in, live = [100, 300, 300, 50], [0, 1, 2]
    totals = np.zeros(4)
    rest = [card for card in range(52) if card not in deck]
    for river in rest:
        board = [*deck[8:12], river]
        made = [int(strengths([[*deck[2 * seat : 2 * seat + 2], *board]])[0]) for seat in live]
        for chips, contenders in ((350, [0, 1, 2]), (400, [1, 2])):
            best = max(made[seat] for seat in contenders)
            winners = [seat for seat in contenders if made[seat] == best]
            for seat in winners:
                totals[seat] += chips / len(winners)
    known, without = all_in_values(deck, 2, put_in, [0] * 4, live), totals / len(rest) - put_in
    first, second = known
    assert second == pytest.approx(without.tolist())  # the folded cards are known, and cannot come
    assert first != second
    assert sum(first) == sum(second) == 0


def test_a_log_with_expectations_keeps_its_win_rate(tmp_path: Path) -> None:
    """Half of the chips are in all-ins: without them the rate is another one."""
    log = tmp_path / "x.log"
    small = ["STATE:0:r200f:AcKc|7h6h:-100|100:a|b\n", "STATE:1:r200f:AcKc|7h6h:-100|100:b|a\n"]
    log.write_text(HEADER + "".join(small) + line(f"{float(worth()):.6f}", number=2) + line("1.000000", number=3))
    with pytest.warns(UserWarning, match=r"left out: 1 of 4 hands \(25.0 %\), 0.0 % of the chips won"):
        verdict = Money().judge(read_hands(log).batches())
    rates = {player.name: player.money.mean for player in verdict.players}
    assert rates["a"] == pytest.approx(float(worth()) / 3 / 100 * 1000)
    done = convert(log, tmp_path / "store")
    assert done.to_dict()["rejected_won_share"] == pytest.approx(1 / (float(worth()) + 201))
    (batch,) = [columns for columns in StoredHands.open(tmp_path / "store").columns() if columns.printed is not None]
    assert batch.values()[0, 0] == pytest.approx(float(worth()), abs=1e-6)
    assert verify(tmp_path / "store").problems == []


def test_comments_at_the_end_of_lines_are_no_names() -> None:
    text = HEADER + "".join(
        f"STATE:{number}:f:AcKc|7h6h:50|-50:{names} # 14790513{number}.31537\n"
        for number, names in enumerate(["a b|bot #2", "bot #2|a b"] * 3)
    )
    (batch,), rejects = read_text("acpc", text)
    assert not rejects
    assert batch.names == ("a b", "bot #2")


def test_nearly_as_many_players_as_hands_is_said(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    lines = [f"STATE:{number}:f:AcKc|7h6h:50|-50:a|b-{number}.31537\n" for number in range(60)]
    log.write_text(HEADER + "".join(lines))
    assert any("61 players in 60 hands" in note for note in convert(log, tmp_path / "store").notes)
    with pytest.warns(UserWarning, match="61 players in 60 hands"):
        list(read_hands(log).batches())


def test_our_hands_are_written_as_they_were_paid() -> None:
    """A split pot of five chips pays 3 and 2 by our rules, and is read back so."""
    game = Game(name="odd", betting="no-limit", seats=3, blinds=(1, 2, 0), stacks=(100, 100, 100))
    columns = played(game, 400)
    odd = [row for row in columns.records.payoffs.tolist() if any(row)]
    assert odd
    text = written([columns], AcpcWriter())
    assert not any("." in entry.split(":")[4] for entry in text.splitlines() if entry.startswith("STATE:"))
    back, rejects = read_text("acpc", text)
    assert not rejects
    payoffs = itertools.chain.from_iterable(batch.records.payoffs.tolist() for batch in back)
    assert list(payoffs) == columns.records.payoffs.tolist()
