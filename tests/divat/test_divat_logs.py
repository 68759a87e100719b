"""Logs as DIVAT reads them: players by name, duplicate sets by their cards, hidden cards, hands it rejects."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_divat_matches import played

from luckless.bots.catalogue import load_bot
from luckless.divat.gathering import Log, check_game, gather
from luckless.divat.judgement import Judgement, judge, judge_hands
from luckless.errors import InputError
from luckless.histories.converting import convert
from luckless.histories.formats import read_hands
from luckless.histories.rejects import Reject
from luckless.matches.match import Match
from luckless.matches.seating import Decks
from luckless.report.divat_words import notes
from luckless.rules.columns import UNKNOWN, HandColumns, join
from luckless.rules.game import Game

HEADER = "# name/game/hands/seed x holdem.limit.2p.reverse_blinds.game 3 0\n"
HANDS = """\
STATE:0:cc/crc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:20|-20:p1|p2
STATE:1:crc/rc/rrc/rc:6sKs|5dJd/2sTh2h/Qh/8h:90|-90:p2|p1
STATE:2:cc/rrrrc/crc/rc:Ah8s|2h4c/Qd7h6c/4s/Jc:-90|90:p1|p2
"""


def batch(bots: tuple[str, str], hands: int = 60, decks: Decks = "fresh", seed: int = 1) -> HandColumns:
    return join(played(bots, hands, decks, seed))


def judged(*logs: HandColumns) -> Judgement:
    return judge_hands(gather([Log(f"log {number}", [columns]) for number, columns in enumerate(logs)]))


def rows(columns: HandColumns, which: "np.typing.NDArray[np.int64]", numbers: bool = False) -> HandColumns:
    """Some hands, numbered anew (and their deals) if wanted: as a log that does not know of deals."""
    some = join([columns.rows(slice(row, row + 1)) for row in which.tolist()])
    anew = np.arange(len(which))
    return dataclasses.replace(some, numbers=anew, deals=anew) if numbers else some


def hidden(columns: HandColumns, which: list[int]) -> HandColumns:
    """The same hands with the cards of seat 1 unknown in some."""
    decks = columns.records.decks.copy()
    decks[which, 2:4] = UNKNOWN
    return dataclasses.replace(columns, records=dataclasses.replace(columns.records, decks=decks))


def test_players_of_several_logs_are_known_by_name() -> None:
    one, other = batch(("call", "raise")), batch(("raise", "call"), seed=3)
    both = judged(one, other)
    assert (both.player, both.opponent, both.hands) == ("call", "raise", 120)
    for measure in ("money", "divat", "luck", "evat"):
        assert both.total(measure) == pytest.approx(judged(one).total(measure) - judged(other).total(measure))


def test_logs_of_other_players_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="log 0 is between call and raise, log 1 between uniform and raise"):
        judged(batch(("call", "raise")), batch(("uniform", "raise")))


def test_a_hand_between_others_is_rejected_with_its_number(tmp_path: Path) -> None:
    log = tmp_path / "three.log"
    log.write_text(HEADER + HANDS.replace(":20|-20:p1|p2", ":20|-20:p1|p3"))
    rejects: list[tuple[str, Reject]] = []
    hands = gather([Log("three.log", read_hands(log))], lambda name, reject: rejects.append((name, reject)))
    assert (hands.player, hands.opponent, hands.numbers.tolist()) == ("p1", "p2", [1, 2])
    [(name, reject)] = rejects
    assert (name, reject.where, reject.text) == ("three.log", "hand 0", HANDS.splitlines()[0].replace("|p2", "|p3"))
    assert reject.reason == "it is played by p1 and p3, the log by p1 and p2"
    with pytest.raises(InputError, match=r"three\.log, hand 0: it is played by"):
        gather([Log("three.log", read_hands(log))])


def test_a_result_that_is_not_that_of_the_cards_is_rejected() -> None:
    columns = batch(("uniform", "raise"), 10)
    payoffs = columns.records.payoffs.copy()
    payoffs[4] += (-5, 3)
    wrong = dataclasses.replace(columns, records=dataclasses.replace(columns.records, payoffs=payoffs))
    rejects: list[Reject] = []
    hands = gather([Log("x", [wrong])], lambda _, reject: rejects.append(reject))
    assert [reject.where for reject in rejects] == ["hand 4"]
    assert "its cards and actions say" in rejects[0].reason
    assert len(hands) == 9


@pytest.mark.parametrize(("stacks", "all_in"), [((2000, 235), True), ((235, 2000), True), ((240, 240), False)])
def test_a_player_who_is_all_in_is_rejected(stacks: tuple[int, int], all_in: bool) -> None:
    """Two who raise put 24 small bets of 10 chips in; a stack that is just enough for that binds nobody."""
    game = dataclasses.replace(Game.load("limit-hu"), stacks=stacks)
    match = Match.plan(game, [load_bot("raise"), load_bot("raise")], hands=4, seed=1, decks="fresh")
    columns = join([chunk.hands for chunk in match.chunks()])
    rejects: list[Reject] = []
    if not all_in:
        assert len(gather([Log("x", [columns])], lambda _, reject: rejects.append(reject))) == 4
        return
    with pytest.raises(InputError, match="no hand could be judged"):
        gather([Log("x", [columns])], lambda _, reject: rejects.append(reject))
    assert [reject.where for reject in rejects] == ["hand 0", "hand 1", "hand 2", "hand 3"]
    assert {reject.reason for reject in rejects} == {"a player is all-in, which DIVAT does not support"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seats": 3}, "3 players"),
        ({"blinds": (10, 10)}, "needs a big blind of one small bet"),
        ({"max_bets": (3, 4, 4, 4)}, "four bets a street"),
        ({"bet_sizes": (10, 10, 20, 40)}, "bets of 1, 1, 2, 2"),
        ({"antes": (1, 1)}, "DIVAT needs"),
    ],
)
def test_games_that_are_not_the_one_of_divat(change: dict[str, Any], said: str) -> None:
    game = Game.load("limit-3max") if "seats" in change else dataclasses.replace(Game.load("limit-hu"), **change)
    with pytest.raises(InputError, match=said):
        check_game(game)


def test_a_log_that_names_no_cap_is_judged_but_for_a_fifth_bet(tmp_path: Path) -> None:
    first, _, third = HANDS.splitlines()
    (tmp_path / "capped.log").write_text(f"{HEADER}{first}\n{third}\n")
    log = tmp_path / "uncapped.txt"
    convert(tmp_path / "capped.log", log)
    assert gather([Log("x", read_hands(log))]).numbers.tolist() == [0, 2]
    called, raised = "p1: calls 10\n*** TURN *** [Qd", "p1: raises 10 to 50\np2: calls 10\n*** TURN *** [Qd"
    log.write_text(log.read_text().replace(called, raised).replace("180", "200"))
    rejects: list[Reject] = []
    hands = gather([Log("x", read_hands(log))], lambda _, reject: rejects.append(reject))
    assert hands.numbers.tolist() == [0]
    assert [(reject.where, reject.reason) for reject in rejects] == [("hand 2", "a fifth bet on one street")]


def test_independent_logs_are_no_duplicate_sets() -> None:
    assert not judged(batch(("call", "raise")), batch(("call", "raise"), seed=2)).duplicate


def test_the_same_hands_twice_are_refused() -> None:
    columns = batch(("uniform", "raise"), decks="duplicate")
    with pytest.raises(InputError, match="log 0 and log 1 hold the same hands"):
        judged(columns, columns)
    with pytest.raises(InputError, match="hold the same hands"):
        judged(columns.rows(slice(0, 30)), columns)


@pytest.mark.parametrize("kind", ["stored", "neighbours", "two logs", "two pairs of logs"])
def test_duplicate_sets_are_recognised(kind: str) -> None:
    """The same pairs whether a match tells its deals, or a log has them side by side, or two logs share numbers."""
    columns = batch(("uniform", "raise"), decks="duplicate")
    expected = judged(columns)
    first, second = np.arange(0, 60, 2), np.arange(1, 60, 2)
    logs = {
        "stored": [columns],
        "neighbours": [rows(columns, np.arange(60), numbers=True)],
        "two logs": [rows(columns, first, numbers=True), rows(columns, second, numbers=True)],
        "two pairs of logs": [
            rows(columns, half, numbers=True) for half in (first[:15], second[:15], first[15:], second[15:])
        ],
    }[kind]
    found = judged(*logs)
    assert found.judged_pairs == expected.judged_pairs == 30
    for measure in ("money", "divat"):
        assert found.estimate(measure).mean == pytest.approx(expected.estimate(measure).mean)
        assert found.estimate(measure).sd == pytest.approx(expected.estimate(measure).sd)


def test_a_competition_log_made_of_a_duplicate_match_is_duplicate(tmp_path: Path) -> None:
    columns = batch(("uniform", "raise"), decks="duplicate")
    log = tmp_path / "match.log"
    from luckless.histories.acpc import AcpcWriter
    from luckless.histories.hand_detail import details

    writer = AcpcWriter()
    log.write_text("".join(writer.hand(hand) for hand in details(columns)) + writer.closing())
    found = judge(read_hands(log))
    assert found.duplicate
    assert found.estimate("divat").sd == pytest.approx(judged(columns).estimate("divat").sd)
    convert(log, tmp_path / "match.lines")
    assert judge(read_hands(tmp_path / "match.lines")).duplicate


def test_sets_are_looked_for_where_they_can_be() -> None:
    """Under one number in one log or two, or side by side in one; a hand belongs to one set at most."""
    columns = batch(("uniform", "raise"), 4, "duplicate")

    def log(which: list[int], first_number: int = 0) -> HandColumns:
        some = rows(columns, np.array(which), numbers=True)
        return dataclasses.replace(some, numbers=some.numbers + first_number, deals=some.deals + first_number)

    assert judged(log([0]), log([1])).judged_pairs == 1
    assert judged(log([0]), log([1], first_number=7)).judged_pairs == 0
    apart = log([0, 2, 1, 3])
    assert judged(apart).judged_pairs == 0
    again = np.array([0, 1, 0, 1])
    assert judged(dataclasses.replace(apart, numbers=again, deals=again)).pairs.tolist() == [[0, 2], [1, 3]]
    assert judged(hidden(log([0, 2, 1, 3]), [1])).judged_pairs == 0
    assert judged(log([0, 1, 0, 1])).pairs.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(("river", "pairs"), [("6d", 1), ("7d", 0)])
def test_a_set_has_one_board(river: str, pairs: int, tmp_path: Path) -> None:
    log = tmp_path / "two.log"
    first = HANDS.splitlines()[0]
    second = first.replace(":0:", ":1:").replace("6d", river).replace("p1|p2", "p2|p1")
    log.write_text(f"{HEADER}{first}\n{second}\n")
    assert judge(read_hands(log)).judged_pairs == pairs


def test_two_equal_deals_do_not_make_a_log_duplicate() -> None:
    twice, fresh = batch(("uniform", "raise"), 2, "duplicate"), batch(("uniform", "raise"), 10)
    found = judged(rows(join([twice, fresh]), np.arange(12), numbers=True))
    assert (found.duplicate, len(found.pairs), found.estimate("divat").samples) == (False, 0, 12)


def test_deals_of_different_matches_are_different_deals() -> None:
    """Hidden hands are known to be a set by the number of their deal, which counts within its match alone."""
    logs = [hidden(batch(("uniform", "raise"), 20, "duplicate", seed), [3, 4]) for seed in (1, 2)]
    hands = gather([Log(f"log {number}", [columns]) for number, columns in enumerate(logs)])
    assert judge_hands(hands, unknown="money").judged_pairs == 20


def test_a_lost_hand_costs_its_set_only() -> None:
    columns = batch(("uniform", "raise"), decks="duplicate")
    for found in (judged(hidden(columns, [5])), judged(rows(columns, np.delete(np.arange(60), 5)))):
        assert (found.duplicate, found.judged_pairs, found.hands, found.incomplete) == (True, 29, 59, 1)
    whole = judged(columns)
    assert judged(hidden(columns, [5])).total("money") == whole.total("money")


def test_too_few_whole_sets_are_judged_hand_by_hand() -> None:
    found = judged(hidden(batch(("uniform", "raise"), decks="duplicate"), list(range(0, 50, 2))))
    assert (found.duplicate, found.judged_pairs, found.hands, found.incomplete) == (False, 5, 35, 0)
    assert "of 30 pairs only 5 could be judged whole" in " ".join(notes(found))


@pytest.mark.parametrize("place", [4, 6, 7, 8])
def test_a_board_card_that_is_not_shown_makes_a_hand_unknown(place: int) -> None:
    columns = batch(("call", "raise"), 10)
    decks = columns.records.decks.copy()
    decks[3, place] = UNKNOWN
    found = judged(dataclasses.replace(columns, records=dataclasses.replace(columns.records, decks=decks)))
    assert (found.hands, found.unknown) == (9, 1)
    assert np.isnan(found.values["divat"][3])


def test_hidden_hands_keep_their_money_and_their_place() -> None:
    columns = batch(("uniform", "raise"))
    whole, out = judged(columns), [3, 4, 50]
    left, by_money = judge([hidden(columns, out)]), judge([hidden(columns, out)], unknown="money")
    shown = np.delete(np.arange(60), out)
    for found in (left, by_money):
        assert found.values["money"].tolist() == whole.values["money"].tolist()
        for measure in ("luck", "evat", "dcash", "redgreen", "redgreen_opponent"):
            assert np.isnan(found.values[measure][out]).all()
            assert found.values[measure][shown] == pytest.approx(whole.values[measure][shown])
            assert found.estimate(measure).hands == 57
    assert np.isnan(left.values["divat"][out]).all()
    assert left.estimate("money_judged").mean == pytest.approx(whole.values["money"][shown].mean())
    assert by_money.values["divat"][out].tolist() == whole.values["money"][out].tolist()
    assert by_money.values["divat"][shown] == pytest.approx(whole.values["divat"][shown])


def test_savings_compare_the_same_hands() -> None:
    """The money beside the skill is that of the hands in the skill estimate, not of all."""
    columns, out = batch(("uniform", "raise")), list(range(0, 40, 2))
    left, by_money = judge([hidden(columns, out)], unknown="leave"), judge([hidden(columns, out)], unknown="money")
    assert (left.hands, by_money.hands) == (40, 60)
    for found in (left, by_money):
        skill = found.values["divat"]
        counted = np.isfinite(skill)
        money = found.values["money"][counted]
        assert found.total("money_judged") == pytest.approx(money.sum())
        saving = found.saving()
        assert saving is not None
        assert saving.variance_ratio == pytest.approx(money.var() / skill[counted].var())


def test_fresh_and_duplicate_savings() -> None:
    """By hand: the variance of a mean is that of a sample divided by the samples."""
    found = judged(batch(("value-bet", "pot-odds"), 200, "duplicate"))
    money, skill = (
        found.values["money"].reshape(-1, 2).mean(axis=1),
        found.values["divat"].reshape(-1, 2).mean(axis=1),
    )
    saving, fresh = found.saving(), found.saving(fresh=True)
    assert saving is not None
    assert fresh is not None
    assert saving.variance_ratio == pytest.approx(money.var() / skill.var())
    of_hands = (found.values["money"].var(ddof=1) / 200) / (skill.var(ddof=1) / 100)
    assert fresh.variance_ratio == pytest.approx(of_hands)
    assert fresh.hands_worth == pytest.approx(200 * of_hands)
