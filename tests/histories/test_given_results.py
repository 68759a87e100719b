"""Results that a log gives: taken when a hand can have ended so, with a rake that a house may take; else refused."""

from fractions import Fraction

import pytest

from luckless.errors import InputError
from luckless.histories.given_results import check_given, most_rake
from luckless.rules.game import Game, Rake
from real_hands import originals
from stored_hands import read_text

PLAYED = """
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = [{deals}, 'p3 cbr 10000', 'p1 f', 'p2 cc', 'd db 2c3c4h', 'd db 9d', 'd db 9s']
{result}
"""

KNOWN = "'d dh p1 7h6h', 'd dh p2 AcKc', 'd dh p3 QsJs'"
UNKNOWN = "'d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????'"


def payoffs(result: str, deals: str) -> list[int] | str:
    """What a hand is read as, all-in between p2 (who wins if cards are known) and p3, or why it is refused."""
    batches, rejects = read_text("phh", PLAYED.format(deals=deals, result=result))
    if rejects:
        return rejects[0].reason
    [row] = batches[0].records.payoffs.tolist()
    return list(row)


@pytest.mark.parametrize("deals", [KNOWN, UNKNOWN])
@pytest.mark.parametrize(
    ("result", "read"),
    [
        ("finishing_stacks = [9950, 20050, 0]", [-50, 10050, -10000]),
        ("finishing_stacks = [9950, 18045, 0]", [-50, 8045, -10000]),  # a tenth of 20,050 is 2,005
        ("winnings = [0, 19000, 0]", [-50, 9000, -10000]),
        (
            "finishing_stacks = [9950, 18044, 0]",
            "would have taken 2006 of a pot of 20050 chips; allowed is",
        ),
        ("finishing_stacks = [9950, 0, 0]", "would have taken 20050"),
        ("finishing_stacks = [9950, -1, 0]", "seat 1 put in 10000 and can be paid 0 to 20050"),
        ("winnings = [0, 1, 0]", "would have taken 20049"),
        ("winnings = [0, -36000, 0]", "seat 1 put in 10000"),
    ],
)
def test_a_rake_is_bounded(deals: str, result: str, read: list[int] | str) -> None:
    given = payoffs(result, deals)
    assert given == read if isinstance(read, list) else read in str(given)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("finishing_stacks = [10000, 20000, 0]", "seat 0 put in 50 and folded"),
        ("finishing_stacks = [9950, 20051, 0]", "seat 1 put in 10000 and can be paid 0 to 20050"),
        ("finishing_stacks = [9950, 10026, 10025]", "they put in 50, 10000, 10000"),
        ("winnings = [0, 0, 0]", "the source does not give the winnings"),
    ],
)
def test_of_an_unknown_showdown_only_what_is_possible_is_taken(result: str, said: str) -> None:
    assert said in str(payoffs(result, UNKNOWN))


def test_winnings_that_are_all_zero_say_nothing() -> None:
    assert payoffs("winnings = [0, 0, 0]", KNOWN) == [-50, 10050, -10000]


def game(rake: Rake | None = None) -> Game:
    """Three seats with blinds of 50 and 100."""
    return Game(name="x", betting="no-limit", seats=3, blinds=(50, 100, 0), stacks=(10_000,) * 3, rake=rake)


def test_the_bound_is_the_game_s_own_or_what_is_usual() -> None:
    assert most_rake(game(), 20_000) == 2_000
    assert most_rake(game(), 1_000) == 300  # three big blinds
    assert most_rake(game(), 150) == 75  # half of a small pot
    assert most_rake(game(Rake(per_mille=50)), 1_010) == Fraction(101, 2)
    assert most_rake(game(Rake(per_mille=50, cap=30)), 10_000) == 30


def test_side_pots_go_to_those_who_contend_for_them() -> None:
    """Seat 0 is all-in with 100 and can win 300; seats 1 and 2 have put in 500 each, and one chip is dead."""
    put_in, dead, live = [100, 500, 501], [0, 0, 1], [0, 1, 2]
    check_given(game(), [201, -500, 299], put_in, dead, live)
    with pytest.raises(InputError, match="seat 0 put in 100 and can be paid 0 to 301"):
        check_given(game(), [202, -500, 298], put_in, dead, live)


RAKES = {"ABS": 10, "FTP": 40, "ONG": 70, "PS": 10, "PTY": 15}


@pytest.mark.parametrize("site", RAKES)
def test_the_rakes_of_real_sites_are_within_the_bound(site: str) -> None:
    """Five sites of 2009: no hand is refused for its rake, and the house takes less than a big blind."""
    batches, rejects = read_text("phh", originals("handhq")[f"{site}.phhs"])
    assert not [reject.reason for reject in rejects if "the house would have taken" in reject.reason]
    given = [batch.records for batch in batches if batch.settlement == "given"]
    rakes = [-sum(row) / records.game.big_blind for records in given for row in records.payoffs.tolist()]
    assert sum(rake > 0 for rake in rakes) >= RAKES[site]
    assert 0 <= min(rakes) <= max(rakes) < 1
