"""Formats: what is written is read back, real logs come out as they went in, and others read ours alike."""

import contextlib
import dataclasses
import io
import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from even_shares import even_payoffs
from luckless.cards import parse_cards
from luckless.histories.formats import FORMATS
from luckless.histories.hand_detail import details
from luckless.rules.columns import UNKNOWN, join
from luckless.rules.even_shares import SHARES, even_shares
from luckless.rules.game import Game, Rake
from luckless.rules.plain import PlainHand
from luckless.rules.replaying import replay
from real_hands import originals
from stored_hands import carried, played, read_text, written

SIX = Game.load("nolimit-6max")
GAMES = {
    "limit-hu": Game.load("limit-hu"),
    "nolimit-hu": Game.load("nolimit-hu"),
    "limit-3max": Game.load("limit-3max"),
    "nolimit-3max": Game.load("nolimit-3max"),
    "nolimit-6max": SIX,
    "potlimit-6max": Game.load("potlimit-6max"),
    "short antes": dataclasses.replace(SIX, name="antes", antes=(1,) * 6, stacks=(3, 17, 1, 200, 44, 2)),
    "big-blind ante": dataclasses.replace(SIX, name="bb", antes=(0, 2, 0, 0, 0, 0), stacks=(3, 17, 1, 200, 44, 2)),
    "heads-up antes": dataclasses.replace(Game.load("nolimit-hu"), name="a", antes=(25, 25), stacks=(310, 170)),
    "raked": dataclasses.replace(SIX, name="raked", rake=Rake(per_mille=50, cap=3)),
}
CANNOT = {
    "phh": {"potlimit-6max"},
    "acpc": {"potlimit-6max", "short antes", "big-blind ante", "heads-up antes", "raked"},
    "lines": set(GAMES) - {"limit-hu"},
    "pokerstars": set(),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", FORMATS)
def test_hands_read_back_as_they_were_written(name: str, game: str, tmp_path: Path) -> None:
    columns = played(GAMES[game], 300)
    writer = FORMATS[name].writer(tmp_path / "hands")
    if game in CANNOT[name]:
        with pytest.raises(ValueError, match="game"):
            written([columns], writer)
        return
    text = written([columns], writer)
    back, rejects = read_text(name, text)
    assert not rejects
    hands = [hand for batch in back for hand in details(batch)]
    if name == "lines":
        names = {"P1": "uniform #1", "P2": "uniform #2"}
        hands = [hand._replace(names=[names[name] for name in hand.names]) for hand in hands]
    assert list(map(carried, hands)) == list(map(carried, details(columns)))
    assert written(back, FORMATS[name].writer(tmp_path / "hands")) == text


def test_pluribus_sessions_are_written_byte_for_byte_as_they_were() -> None:
    hands = 0
    for name, text in originals("pluribus").items():
        back, rejects = read_text("phh", text)
        assert not rejects
        hands += sum(map(len, back))
        assert written(back, FORMATS["phh"].writer(Path(name))) == text, name
    assert hands == 1389


def test_competition_logs_are_written_line_for_line_as_they_were() -> None:
    for name, text in originals("acpc").items():
        back, rejects = read_text("acpc", text)
        assert not rejects
        assert sum(map(len, back)) == 1000
        ours = written(back, FORMATS["acpc"].writer(Path(name))).splitlines()[1:]
        assert ours == [line for line in text.splitlines() if not line.startswith("#")], name


def test_pluribus_through_every_format_that_carries_it(tmp_path: Path) -> None:
    first, _ = read_text("phh", originals("pluribus")["110.phhs"])
    hands = list(map(carried, (hand for batch in first for hand in details(batch))))
    for name in ("acpc", "pokerstars"):
        back, rejects = read_text(name, written(first, FORMATS[name].writer(tmp_path / "x")))
        assert not rejects
        assert [carried(hand) for batch in back for hand in details(batch)] == hands


@pytest.mark.parametrize("game", ["limit-hu", "nolimit-hu", "nolimit-6max", "short antes"])
def test_pokerkit_settles_our_phh_as_we_do(game: str, tmp_path: Path) -> None:
    from pokerkit import HandHistory

    columns = played(GAMES[game], 60)
    for hand in details(columns):
        text = FORMATS["phh"].writer(tmp_path / "one.phh").hand(hand)
        state = list(HandHistory.loads(text))[-1]
        assert sum(state.payoffs) == 0
        whole = all(share % SHARES == 0 for share in hand.shares)
        assert list(state.payoffs) == hand.payoffs or not whole, text


@pytest.mark.parametrize("game", ["nolimit-hu", "nolimit-6max"])
def test_pokerkit_reads_our_pokerstars_text_as_we_do(game: str, tmp_path: Path) -> None:
    """PokerKit reads no-limit without antes; limit, pot-limit and antes it does not (see docs/formats.md)."""
    from pokerkit.notation import PokerStarsParser

    columns = played(GAMES[game], 60)
    for hand in details(columns):
        text = FORMATS["pokerstars"].writer(tmp_path / "x").hand(hand)
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            history = next(PokerStarsParser()(text, error_status=True))
        ours, _ = read_text("pokerstars", text)
        told = next(details(ours[0]))
        assert history.players == told.names
        assert history.starting_stacks == told.stacks
        moves = [action for action in history.actions if " sm" not in action and not action.startswith("d ")]
        assert moves == [
            f"p{step.seat + 1} " + ("f" if step.action < 0 else "cc" if step.action == 0 else f"cbr {step.action}")
            for step in told.steps
        ]


def test_even_shares_are_those_of_the_plain_engine() -> None:
    game = dataclasses.replace(SIX, stacks=(31, 7, 19, 200, 55, 13))
    columns = played(game, 1200)
    records = columns.records
    shares = even_shares(records, replay(records).ends)
    split = 0
    for row in range(len(columns)):
        hand = PlainHand(game, records.decks[row].tolist())
        for action in records.actions_of(row).tolist():
            hand.do(action)
        exact = even_payoffs(hand)
        assert [Fraction(share, SHARES) for share in shares[row].tolist()] == list(exact)
        split += exact != hand.payoffs
    assert split > 5


# What single formats say in their own way

PHH = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.05, 0.10, 0]
min_bet = 0.10
starting_stacks = [10.00, 9.95, 12]
actions = [
  'd dh p1 ????', # unknown
  'd dh p2 AcKc',
  'd dh p3 ????',
  'p3 cbr 0.30', 'p1 f', 'p2 cc # slowly', 'd db 2c3c4h', 'p2 cc', 'p3 cbr 0.5', 'p2 cc', 'd db 9d', 'p2 cc', 'p3 cc',
  'd db 9s', 'p2 cc', 'p3 cc', 'p2 sm AcKc', 'p3 sm',
]
event = "the \\"big\\" one"
hand = 7
players = ['a', "it's b", 'c']
finishing_stacks = [9.95, 10.72, 11.2]
"""


def test_phh_with_cents_comments_unknown_cards_and_a_rake() -> None:
    (batch,), rejects = read_text("phh", PHH)
    assert not rejects
    assert (batch.scale, batch.settlement, batch.numbers.tolist()) == (100, "given", [7])
    assert batch.records.game.blinds == (5, 10, 0)
    assert batch.records.stacks.tolist() == [[1000, 995, 1200]]
    assert batch.records.payoffs.tolist() == [[-5, 77, -80]]
    assert batch.records.decks[0].tolist()[:6] == [UNKNOWN, UNKNOWN, *parse_cards("AcKc"), UNKNOWN, UNKNOWN]
    assert batch.names_of(0) == ["a", "it's b", "c"]
    again, _ = read_text("phh", written([batch], FORMATS["phh"].writer(Path("x"))))
    assert list(map(carried, details(again[0]))) == list(map(carried, details(batch)))


def test_phh_winnings_stand_for_finishing_stacks() -> None:
    text = PHH.replace("finishing_stacks = [9.95, 10.72, 11.2]", "winnings = [0, 1.57, 0]")
    (batch,), _ = read_text("phh", text)
    assert batch.records.payoffs.tolist() == [[-5, 77, -80]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("'NT'", "'PO'"), "variant is 'PO'"),
        (("'p1 f', ", ""), "it is the turn of seat 0"),
        (("cbr 0.30", "cbr 0.15"), "below the minimum of 20"),
        (("'d db 9d', ", ""), "is on the flop, but the betting is on the turn"),
        (("2c3c4h", "2c3cAc"), "card Ac appears twice"),
        (("'p2 sm AcKc'", "'p2 sm AcQc'"), "shows cards that were not dealt"),
        (("10.72", "13.72"), "the seats cannot have won"),
        (("[0.05, 0.10, 0]", "[0.05, -0.10, 0.10]"), "the turn of seat 0"),
        (("min_bet = 0.10", "min_bet = 0.20"), "min_bet is 20 chips"),
        (("min_bet = 0.10\n", ""), "min_bet is missing"),
        (("'NT'", "['NT']"), "variant is ['NT']"),
        (("hand = 7", "_max_bets = [[1]]"), "is not an amount"),
        (("'d dh p2 AcKc'", "'d dh p4 AcKc'"), "names a player that the hand does not have"),
        (("hand = 7", "hand = 7\nhand = 8"), "not valid TOML"),
        (("12]", "1e400]"), "too many digits"),
        (("12]", "nan]"), "not an amount"),
        (("'p3 sm',\n]", "'p3 sm',"), "not valid TOML"),
    ],
)
def test_bad_phh_hands_are_explained(change: tuple[str, str], said: str) -> None:
    assert change[0] in PHH
    back, (reject,) = read_text("phh", PHH.replace(*change))
    assert not back
    assert said in reject.reason
    assert reject.where == "line 1"


def test_a_hand_without_a_number_of_its_own_has_that_of_its_place() -> None:
    said = ["hand = 7", "hand = 0", "hand = -1", "hand = 'last'", f"hand = {2**63 - 1}", f"hand = {2**63}", ""]
    back, _ = read_text(
        "phh", "".join(f"[{place}]\n{PHH.replace('hand = 7', text)}" for place, text in enumerate(said))
    )
    assert join(back).numbers.tolist() == [7, 0, 2, 3, 2**63 - 1, 5, 6]


def test_cards_that_were_hidden_are_known_once_they_are_shown() -> None:
    for dealt in ("????", "Ac??", "??Kc", "AcKc"):
        (batch,), _ = read_text("phh", PHH.replace("p2 AcKc'", f"p2 {dealt}'", 1))
        assert batch.records.decks[0, 2:4].tolist() == parse_cards("AcKc")


def test_hands_in_whole_dollars_after_hands_with_cents_are_counted_in_cents_too() -> None:
    whole = PHH
    for amount, dollars in (
        ("0.05, 0.10", "1, 2"),
        ("min_bet = 0.10", "min_bet = 2"),
        ("10.00, 9.95, 12", "200, 200, 200"),
        ("cbr 0.30", "cbr 6"),
        ("cbr 0.5", "cbr 10"),
        ("9.95, 10.72, 11.2", "199, 216, 184"),
    ):
        whole = whole.replace(amount, dollars)
    cents = whole.replace("cbr 6", "cbr 6.50").replace("199, 216, 184", "199, 217, 183.5")
    (batch,), _ = read_text("phh", f"[1]\n{cents}[2]\n{whole}")
    assert (batch.scale, batch.records.payoffs.tolist()) == (100, [[-100, 1700, -1650], [-100, 1600, -1600]])
    apart, _ = read_text("phh", f"[1]\n{whole}[2]\n{cents}")
    assert [batch.scale for batch in apart] == [1, 100]


def test_a_hand_with_tiny_parts_of_a_chip_does_not_change_the_others() -> None:
    odd = PHH.replace("12]", "12.000001]")
    back, rejects = read_text("phh", f"[1]\n{PHH}[2]\n{odd}[3]\n{PHH}")
    assert [(len(batch), batch.scale) for batch in back] == [(2, 100)]
    assert len(rejects) == 1


def test_a_bad_hand_of_a_phhs_file_costs_only_itself() -> None:
    text = "".join(
        f"[{number}]\n{PHH.replace('AcKc', cards)}" for number, cards in enumerate(["AcKc", "AcAc", "AdKd"])
    )
    back, (reject,) = read_text("phh", text)
    assert len(join(back)) == 2
    assert reject.where == f"line {1 + PHH.count(chr(10)) + 1}"
    assert "Ac appears twice" in reject.reason


ACPC = "STATE:0:cc/rc/crc/cc:5d5c|9hQd/8dAs8s/4h/6d:40|-40:a|b"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (ACPC.replace("STATE", "STATUS"), "begin with STATE"),
        (ACPC.replace(":0:", "::"), "hand number"),
        (ACPC.replace("cc/rc", "cc/xc"), "may have only f, c, r, amounts"),
        (ACPC.replace("cc/rc", "cc/r11c"), "action 3 of its betting (r11): seat 0, flop: a raise to 1 is below"),
        (
            ACPC.replace("cc/rc", "rrrrc/rc"),
            "action 4 of its betting (r): seat 0, preflop: a raise to 50 is not allowed",
        ),
        (ACPC.replace("cc/rc", "rf/rc"), "action 3 of its betting (r) follows the end of the hand"),
        (ACPC.replace("cc/rc", "ccrc"), "are not where the streets end"),
        (ACPC.replace("/cc:5d", "/c:5d"), "not over"),
        (ACPC.replace("/4h", ""), "its board has 4 cards, and betting on the river needs 5"),
        (ACPC.replace("/8dAs8s/4h/6d", ""), "its board has 0 cards"),
        (ACPC.replace("5d5c", "5d5x"), "'5x' is not a card"),
        (ACPC.replace("5d5c", "5d5"), "is not a card"),
        (ACPC.replace("/4h/6d", "/4h6d"), "its cards do not fit"),
        (ACPC.replace("5d5c", "5d5d"), "card 5d appears twice"),
        (ACPC.replace("6d", "Qd"), "card Qd appears twice"),
        (ACPC.replace("|9hQd", "|9hQd|2c3c"), "it has 3 players, and game limit-hu has 2"),
        (
            "STATE:0:ccc/ccc/ccc/ccc:5d5c|9hQd|2c3c/8dAs8s/4h/6d:20|-10|-10:a|b|c",
            "it has 3 players, and game limit-hu has 2",
        ),
        (ACPC[:15], "it ends too early"),
        (ACPC.partition(":40")[0], "it ends too early"),
        (ACPC.replace("40|-40", "40"), "one number for each player"),
        (ACPC.replace("40|-40", "-40|40"), "not what the cards"),
        (ACPC.replace("a|b", "a"), "one player for each seat"),
        (ACPC.replace("5d5c|", "|").replace("40|-40", "40.5|-40.5"), "not whole chips"),
        (ACPC.replace("5d5c|", "|").replace("40|-40", "4294967256|40"), "one number for each player"),
        (ACPC.replace("5d5c|", "|").replace("40|-40", "41|-41"), "not what the cards"),
        (ACPC.replace("cc/rc", f"cc/r{'9' * 5_000}c"), "(r99999999999999999...) is too large a number"),
        ("SCORE:1|x:a|b", "not numbers"),
        ("SCORE:1e999999999|0:a|b", "not numbers"),
        ("SCORE:100|-100:a|b", "add up to 40|-40"),
    ],
)
def test_bad_competition_lines_are_explained(line: str, said: str) -> None:
    game = Game.load("limit-hu")
    back, (reject,) = read_text("acpc", f"# a comment\n{ACPC}\n\n{line}\r\n", game)
    assert len(join(back)) == 1
    assert said in reject.reason
    assert (reject.where, reject.text) == ("line 4, hand 0" if line.startswith("STATE:0:") else "line 4", line)


def test_hidden_cards_of_a_competition_log_take_its_values() -> None:
    (batch,), rejects = read_text("acpc", ACPC.replace("5d5c|", "|"), Game.load("limit-hu"))
    assert not rejects
    assert (batch.settlement, batch.records.payoffs.tolist()) == ("given", [[40, -40]])
    assert written([batch], FORMATS["acpc"].writer(Path("x"))).splitlines()[1] == ACPC.replace("5d5c|", "|")


def test_a_hidden_hand_wins_no_more_than_a_hand_can() -> None:
    hidden = "STATE:0:fcc/cc/cc/cc:|9hQd|2c3c/8dAs8s/4h/6d:{}:a|b|c"
    game = Game.load("nolimit-3max")
    for values, taken in (("100|-100|0", True), ("99|-100|1", False), ("101|-101|0", False), ("-50|50|0", True)):
        batches, rejects = read_text("acpc", hidden.format(values), game)
        assert (len(batches), len(rejects)) == (int(taken), int(not taken)), values


POKERSTARS = """PokerStars Hand #2:  Hold'em No Limit ($0.50/$1.00 USD) - 2020/01/01 12:00:00 ET
Table 'Alpha' 6-max Seat #4 is the button
Seat 1: al: folds ($1,200.50 in chips)
Seat 2: bo ($98 in chips)
Seat 3: cy ($50 in chips) is sitting out
Seat 4: di ($61.25 in chips)
al: folds: posts small blind $0.50
bo: posts big blind $1
*** HOLE CARDS ***
Dealt to bo [Ah Kd]
di: raises $2 to $3
al: folds: folds
bo said, "di: raises $9 to $12"
bo: calls $2
*** FLOP *** [2c 3d 4h]
bo: checks
di: bets $4
bo: raises $91 to $95 and is all-in
di: calls $54.25 and is all-in
Uncalled bet ($36.75) returned to bo
*** TURN *** [2c 3d 4h] [5s]
*** RIVER *** [2c 3d 4h 5s] [5c]
*** SHOW DOWN ***
bo: shows [Ah Kd] (a straight, Ace to Five)
di: mucks hand
bo collected $121 from pot
*** SUMMARY ***
Total pot $123 | Rake $2
Board [2c 3d 4h 5s 5c]
Seat 1: al: folds (small blind) folded before Flop
Seat 2: bo (big blind) showed [Ah Kd] and won ($121) with a straight, Ace to Five
Seat 4: di (button) mucked [Qs Qd]
"""


def test_pokerstars_text_with_odd_names_chat_rake_and_mucked_cards() -> None:
    (batch,), rejects = read_text("pokerstars", POKERSTARS)
    assert not rejects
    assert batch.names_of(0) == ["al: folds", "bo", "di"]
    assert (batch.scale, batch.settlement) == (100, "given")
    assert batch.records.stacks.tolist() == [[120050, 9800, 6125]]
    assert batch.records.decks[0, 2:6].tolist() == parse_cards("AhKdQsQd")
    assert batch.records.payoffs.tolist() == [[-50, 12100 - 6125, -6125]]


TOURNAMENT = """PokerStars Hand #5: Tournament #77, $5+$0.50 USD Hold'em No Limit - Level I (10/20) - 2020
Table '77 1' 9-max Seat #1 is the button
Seat 1: a (1,500 in chips)
Seat 2: b (27 in chips)
Seat 3: c (3 in chips)
a: posts the ante 5
b: posts the ante 5
c: posts the ante 3 and is all-in
b: posts small blind 10
*** HOLE CARDS ***
Dealt to a [9c 9d]
a: raises 1485 to 1495 and is all-in
b: calls 12 and is all-in
Uncalled bet (1473) returned to a
*** FLOP *** [2c 3d 4h]
*** TURN *** [2c 3d 4h] [7s]
*** RIVER *** [2c 3d 4h 7s] [Jc]
*** SHOW DOWN ***
b: shows [As Kd] (high card Ace)
a: shows [9c 9d] (a pair of Nines)
a collected 48 from side pot
c: shows [Qs Qd] (a pair of Queens)
c collected 9 from main pot
*** SUMMARY ***
"""


def test_a_tournament_hand_with_antes_short_stacks_and_two_pots() -> None:
    """Seat c is all-in for part of its ante and posts no big blind, so the small blind is the only one."""
    (batch,), rejects = read_text("pokerstars", TOURNAMENT)
    assert not rejects
    assert batch.names_of(0) == ["b", "c", "a"]
    assert batch.records.game.antes == (5, 5, 5)
    assert batch.records.payoffs.tolist() == [[-27, 6, 21]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("Hold'em", "Omaha"), "its first line is not that of"),
        (("al: folds: folds\n", ""), "it is the turn of seat 0"),
        (("raises $91 to $95", "raises $1 to $5"), "below the minimum"),
        (("bo: posts big blind $1", "bo: posts straddle $1.50"), "straddles are not supported"),
        (("collected $121", "collected $12100"), "the source says"),
        ((" Seat #4 is the button", ""), "the seat of the button"),
        (("[2c 3d 4h] [5s]", "[2c 3d 4h] [5s 6s]"), "the board has 5 cards"),
    ],
)
def test_bad_pokerstars_hands_are_explained(change: tuple[str, str], said: str) -> None:
    assert change[0] in POKERSTARS
    back, rejects = read_text("pokerstars", POKERSTARS.replace(*change))
    assert not back
    assert said in rejects[0].reason


def test_one_liners_tell_who_deals() -> None:
    text = "# two hands\n\nAcKc|7h6h|Ks5h3d/Tc/4h|SlRrC/kBrC/bC/bRc\nAcKc|7h6h||sLf\n"
    (batch,), rejects = read_text("lines", text)
    assert not rejects
    assert [batch.names_of(row) for row in (0, 1)] == [["P1", "P2"], ["P2", "P1"]]
    assert batch.records.payoffs.tolist() == [[-110, 110], [5, -5]]


def test_a_game_that_is_named_must_be_the_one_of_the_log() -> None:
    phh = written([played(GAMES["limit-hu"], 20)], FORMATS["phh"].writer(Path("x")))
    named, _ = read_text("phh", phh, Game.load("limit-hu"))
    assert named[0].records.game is not None
    assert named[0].records.game.name == "limit-hu"
    back, rejects = read_text("phh", phh, Game.load("nolimit-hu"))
    assert not back
    assert Counter(reject.reason for reject in rejects) == {"its betting is limit; game nolimit-hu has no-limit": 20}


def test_padded_actions_are_the_actions() -> None:
    columns = played(SIX, 60)
    matrix, counts = columns.padded_actions()
    for row in range(len(columns)):
        assert matrix[row, : counts[row]].tolist() == columns.records.actions_of(row).tolist()
        assert not np.any(matrix[row, counts[row] :])
