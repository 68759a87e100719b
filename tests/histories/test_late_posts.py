"""PokerStars hands of real cash tables: players who come late or come back, odd street lines, mixed files."""

import pytest

from luckless.histories.hand_detail import details
from luckless.histories.hand_text import hand_text
from luckless.histories.phh_writing import PhhWriter
from luckless.histories.pokerstars_writing import PokerStarsWriter
from luckless.rules.columns import HandColumns
from stored_hands import read_text, written

HAND = """PokerStars Hand #{number}:  Hold'em No Limit ($0.50/$1.00 USD) - 2020/01/02 3:04:05 ET
Table 'Alpha II' 6-max Seat #6 is the button
Seat 1: al ($100 in chips)
Seat 2: bo ($100 in chips)
Seat 3: cy ($100 in chips) is sitting out
Seat 4: di ($100 in chips)
Seat 6: ed ($100 in chips)
{posts}
*** HOLE CARDS ***
{betting}
*** SUMMARY ***
"""
BLINDS = "al: posts small blind $0.50\nbo: posts big blind $1\n"


def hand(posts: str, betting: str, number: int = 1) -> str:
    """A hand of the table."""
    return HAND.format(number=number, posts=posts, betting=betting)


def read_one(text: str) -> HandColumns:
    """The one hand of a text."""
    (batch,), rejects = read_text("pokerstars", text)
    assert [reject.reason for reject in rejects] == []
    return batch


@pytest.mark.parametrize(
    ("post", "live", "dead"),
    [
        ("cy: posts big blind $1", 100, 0),
        ("cy: posts small & big blinds $1.50", 100, 50),
        ("cy: posts small blind $0.50", 0, 50),
        ("cy: posts dead blind $0.50", 0, 50),
    ],
)
def test_posts_out_of_turn(post: str, live: int, dead: int) -> None:
    """cy posts though he is listed as sitting out; a live post may check, and dead money goes to the winner."""
    call = "cy: checks" if live else "cy: calls $1"
    pot = 2 + (dead / 100)
    batch = read_one(
        hand(
            BLINDS + post,
            f"{call}\ndi: folds\ned: folds\nal: folds\nbo: checks\n*** FLOP **** [2c 3d 4h]\nbo: bets $2\ncy: folds\n"
            f"Uncalled bet ($2) returned to bo\nbo collected ${pot + 0.5:.2f} from pot",
        )
    )
    game = batch.records.game
    assert (game.blinds, game.posts, game.antes) == ((50, 100, 0, 0, 0), (0, 0, live, 0, 0), (0, 0, dead, 0, 0))
    assert batch.names_of(0) == ["al", "bo", "cy", "di", "ed"]
    assert batch.records.payoffs.tolist() == [[-50, 150 + dead, -100 - dead, 0, 0]]
    for name, writer in (("pokerstars", PokerStarsWriter()), ("phh", PhhWriter())):
        (again,), rejects = read_text(name, written([batch], writer))
        assert not rejects
        assert again.records.game.forced_bets == game.forced_bets
        assert again.records.payoffs.tolist() == batch.records.payoffs.tolist()


def test_a_missing_small_blind() -> None:
    """The seat of the small blind is empty: the big blind is the first seat, and acts last before the flop."""
    text = hand("bo: posts big blind $1", "cy: folds\ndi: calls $1\ned: folds\nbo: checks\n"
                "*** FLOP *** [2c 3d 4h]\nbo: checks\ndi: bets $2\nbo: folds\nUncalled bet ($2) returned to di\n"
                "di collected $2 from pot")  # fmt: skip
    batch = read_one(text)
    assert batch.names_of(0) == ["bo", "cy", "di", "ed"]
    assert batch.records.game.blinds == (100, 0, 0, 0)
    assert batch.records.payoffs.tolist() == [[-100, 0, 100, 0]]
    assert read_one(written([batch], PokerStarsWriter())).records.payoffs.tolist() == [[-100, 0, 100, 0]]


ALL_CALL = "cy: folds\ndi: folds\ned: calls $1\nal: folds\nbo: checks\n"


@pytest.mark.parametrize(
    "streets",
    [
        ("*** FLOP *** [2c 3d 4h]", "*** TURN *** [2c 3d 4h] [5s]", "*** RIVER *** [2c 3d 4h 5s] [6c]"),
        ("*** FLOP **** [2c 3d 4h]", "*** TURN *** [2c 3d 4h] [5s]", "*** RIVER *** [2c 3d 4h] [5s] [6c]"),
        ("*** FLOP *** [2c 3d 4h]", "*** TURN *** [5s]", "*** RIVER *** [6c]"),
    ],
)
def test_street_lines_as_they_occur(streets: tuple[str, str, str]) -> None:
    checks = "\nbo: checks\ned: checks\n"
    shown = "bo: shows [Ah Kd]\ned: shows [7h 2d]\ned collected $2.50 from pot"
    text = hand(BLINDS, ALL_CALL + checks.join(streets) + checks + shown)
    batch = read_one(text)
    assert batch.records.payoffs.tolist() == [[-50, -100, 0, 0, 150]]
    assert batch.origin is not None
    assert batch.origin.tables == ("Alpha II",)
    assert batch.origin.time.tolist() == [1_577_934_245]


def test_cash_and_tournament_hands_in_one_file() -> None:
    """Chips of a tournament are not cents: a hundred times as many would not fit."""
    cash = hand(BLINDS, "cy: folds\ndi: folds\ned: folds\nal: folds\nUncalled bet ($0.50) returned to bo\n"
                "bo collected $1 from pot")  # fmt: skip
    tournament = cash
    for old, new in (
        ("$", ""),
        ("Hold'em", "Tournament #7, 5+0.50 USD Hold'em"),
        ("(0.50/1.00 USD)", "- Level I (100/200)"),
        (" 0.50\n", " 100\n"),
        (" 1\n", " 200\n"),
        ("(0.50)", "(100)"),
        ("collected 1 ", "collected 200 "),
        ("(100 in", "(150,000,000 in"),
    ):
        tournament = tournament.replace(old, new)
    batches, rejects = read_text("pokerstars", cash + "\n\n" + tournament + "\n\n" + cash)
    assert [reject.reason for reject in rejects] == []
    assert [batch.scale for batch in batches] == [100, 1, 100]
    assert batches[1].records.payoffs.tolist() == [[-100, 100, 0, 0, 0]]


def test_replay_speaks_one_unit_and_shows_the_rake() -> None:
    text = hand(
        BLINDS,
        ALL_CALL + "*** FLOP *** [2c 3d 4h]\nbo: bets $2.25\ned: folds\nUncalled bet ($2.25) returned to bo\n"
        "bo collected $2.38 from pot",
    )
    (told,) = details(read_one(text))
    story = hand_text(told)
    assert (story["unit"], story["rake"]) == (100, 12)
    assert story["streets"][1]["actions"][0]["text"] == "bets 2.25"
    assert story["end"] == [
        "2.25 that nobody called go back to seat 1",
        "pot 2.5, contested by seat 1",
        "the house takes 0.12",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("cy: posts straddle $2", "straddles are not supported"),
        ("*** FIRST FLOP *** [2c 3d 4h]", "the board was dealt twice"),
    ],
)
def test_what_is_still_refused(line: str, said: str) -> None:
    _, (reject,) = read_text("pokerstars", hand(BLINDS + line, ALL_CALL))
    assert said in reject.reason
