"""What programs can do wrong: every match ends all the same, the policy answers, and no process is left."""

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.external.exec_bot import RESTARTS
from luckless.histories.match_writer import MatchWriter
from luckless.histories.verifying import verify
from luckless.matches.match import Match
from luckless.matches.result import MatchResult, play_match
from luckless.rules.game import Game
from luckless.rules.records import Records
from outside import HERE, fault_bot, left_over

GAME = Game.load("nolimit-hu-100bb")
HANDS = 40


@dataclass(frozen=True)
class Fault:
    """A fault bot: the kinds of its faults, whether it never gets an action through, and what a test must set."""

    name: str
    kinds: frozenset[str]
    always: bool = True
    decision_seconds: float = 30.0
    start_seconds: float = 30.0


def fault(name: str, *kinds: str, always: bool = True, clock: float = 30.0, start: float = 30.0) -> Fault:
    """One row of the table."""
    return Fault(name, frozenset(kinds), always, clock, start)


FAULTS = (
    fault("exception", "died", "absent"),
    fault("exits", "died", "absent"),
    fault("killed", "died", "absent"),
    fault("closes_output", "died", "absent"),
    fault("hangs", "slow", "absent", clock=0.1),
    fault("busy_loop", "slow", "absent", clock=0.1),
    fault("deaf", "slow", "absent", clock=0.1),
    fault("floods", "nonsense", "unasked", "flooded", "absent"),
    fault("floods_one_line", "flooded", "absent"),
    fault("garbage", "nonsense"),
    fault("nonsense", "nonsense"),
    fault("illegal", "illegal"),
    fault("late", "slow", "absent", clock=0.1),
    fault("twice", "unasked", always=False),
    fault("unasked", "unasked", always=False),
    fault("sometimes", "died", always=False),
    fault("floods_errors", always=False),
    fault("slow_start", always=False),
    fault("one_copy_only", always=False),
    fault("leaves_children", always=False),
    fault("never_starts", "absent", start=0.5),
    fault("dies_at_start", "absent"),
    fault("wrong_protocol", "absent"),
)


def planned(
    bot: Bot, clock: float = 30.0, hands: int = HANDS, hand_seconds: float = 0.0, match_seconds: float = 0.0
) -> Match:
    """A short match against a bot that raises, so that there is often something to call."""
    return Match.plan(
        GAME,
        [bot, load_bot("raise")],
        hands=hands,
        seed=7,
        sealed=True,
        decision_seconds=clock,
        hand_seconds=hand_seconds,
        match_seconds=match_seconds,
    )


def play(match: Match) -> tuple[MatchResult, Records]:
    """Plays a match: its result, and its hands."""
    chunks: list[Records] = []
    result = play_match(match, on_chunk=lambda chunk: chunks.append(chunk.records))
    return result, Records.joined(chunks)


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case.name)
def test_a_fault_costs_only_the_bot_that_makes_it(case: Fault, tmp_path: Path) -> None:
    """The match ends, is stored, and what is stored replays to its payoffs; always failing is playing the policy."""
    trace, folder = tmp_path / "trace", tmp_path / "match"
    trace.mkdir()
    match = planned(fault_bot(case.name, trace, case.start_seconds), case.decision_seconds)
    with MatchWriter.open(folder, match) as writer:
        result = play_match(match, on_chunk=writer.add)
        writer.finish(result)
    assert result.hands == HANDS
    assert not result.tally.net_chips.sum()
    faults = result.tally.faults.of_player(0)
    assert set(faults) <= case.kinds
    assert bool(faults) == bool(case.kinds)
    assert not result.tally.faults.of_player(1)
    assert left_over(trace) == []
    checked = verify(folder)
    assert (checked.hands, checked.failures) == (HANDS, 0), checked.problems
    if case.always:
        policy, _ = play(planned(load_bot("fold")))
        assert result.tally.net_chips.tolist() == policy.tally.net_chips.tolist()
        assert result.tally.seat_chips.tolist() == policy.tally.seat_chips.tolist()


def test_a_bot_that_dies_now_and_then_is_started_again(tmp_path: Path) -> None:
    """Only the decisions at which it died are answered for it, as long as it may be started again."""
    result, _ = play(planned(fault_bot("sometimes", tmp_path)))
    faults = result.tally.faults.of_player(0)
    assert set(faults) == {"died"}
    assert 1 <= faults["died"] <= RESTARTS
    assert "exited with code 7" in result.tally.faults.cases[0].detail


def test_restarts_are_bounded(tmp_path: Path) -> None:
    """A program that never answers is started once for each core, and then only so many times more."""
    result, _ = play(planned(fault_bot("exits", tmp_path)))
    started = sum(path.name.isdecimal() for path in tmp_path.iterdir())
    faults = result.tally.faults.of_player(0)
    assert faults["died"] == started
    assert RESTARTS < started <= RESTARTS + 64
    assert faults["absent"] > 0


def test_last_words_explain_why_a_program_did_not_start(tmp_path: Path) -> None:
    result, _ = play(planned(fault_bot("dies_at_start", tmp_path)))
    assert "my model file is missing" in result.tally.faults.cases[0].detail


def test_a_second_match_starts_the_program_anew(tmp_path: Path) -> None:
    bot = fault_bot("sometimes", tmp_path)
    first, _ = play(planned(bot))
    again, _ = play(planned(bot))
    for result in (first, again):
        assert set(result.tally.faults.of_player(0)) == {"died"}
    assert left_over(tmp_path) == []


def test_the_clock_of_a_hand(tmp_path: Path) -> None:
    """A bot that thinks 0.35 s about each decision, with 0.5 s for a hand: the second one of a hand is too much."""
    result, _ = play(planned(fault_bot("late", tmp_path), hands=4, hand_seconds=0.5))
    faults = result.tally.faults.of_player(0)
    assert set(faults) == {"overtime"}
    assert "0.5 s for the hand" in result.tally.faults.cases[0].detail


def test_the_clock_of_the_match_ends_the_asking(tmp_path: Path) -> None:
    started = time.monotonic()
    result, records = play(planned(fault_bot("late", tmp_path), match_seconds=1.0))
    assert result.hands == HANDS
    assert set(result.tally.faults.of_player(0)) == {"overtime"}
    assert time.monotonic() - started < 0.35 * len(records.actions) / 2  # far less than all decisions would take


def test_an_interrupted_match_leaves_no_process(tmp_path: Path) -> None:
    match = Match.plan(GAME, [fault_bot("leaves_children", tmp_path), load_bot("call")], hands=10**6, seed=1)
    chunks = match.chunks()
    next(chunks)
    chunks.close()  # type: ignore[attr-defined]
    assert left_over(tmp_path) == []


def test_a_forgotten_bot_leaves_no_process(tmp_path: Path) -> None:
    bot = fault_bot("leaves_children", tmp_path)
    assert not bot.memory  # starts it
    del bot
    assert left_over(tmp_path) == []


def test_fault_bots_are_all_played() -> None:
    """The table of fault bots leaves none out."""
    there = {path.stem for path in (HERE / "fault_bots").glob("*.py")} - {
        "loop",
        "records",
        "surroundings",
        "stays_hung",
    }
    assert {case.name for case in FAULTS} == there
