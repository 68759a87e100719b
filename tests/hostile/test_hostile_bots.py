"""Hostile bots inside our process: each may cost itself the match, and neither us nor its opponent anything."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from luckless.bots.alarm import BotFailed, call_bot
from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.clocks import Clocks
from luckless.bots.python_bot import TIMEOUTS, bot_of
from luckless.errors import InputError
from luckless.matches.match import Match
from luckless.matches.result import MatchResult, play_match
from luckless.matches.session import Sessions, play_sessions
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.rules.views import View

BOTS = Path(__file__).with_name("bad_bots.py")
HANDS = 60


def bad(name: str) -> Bot:
    """A bot of the file `bad_bots.py`."""
    return load_bot(f"{BOTS}:{name}")


def played(bot: Bot, hands: int = HANDS, game: str = "nolimit-hu-100bb", **clocks: Any) -> MatchResult:
    """A match against a bot that raises, so that there is often something to call."""
    return play_match(Match.plan(Game.load(game), [bot, load_bot("raise")], hands=hands, seed=7, **clocks))


def chips(bot: str, hands: int = HANDS) -> list[int]:
    """What a match of a harmless bot gives."""
    result: list[int] = played(bad(bot) if bot[0].isupper() else load_bot(bot), hands).tally.net_chips.tolist()
    return result


@pytest.mark.parametrize("hands", [2, HANDS])
@pytest.mark.parametrize("name", ["Innocent", "ViewWriter", "Strides", "GameWriter", "GameWriterBatch"])
def test_writing_to_what_one_is_given_changes_nothing(name: str, hands: int) -> None:
    """At a batch of one decision, too."""
    result = played(bad(name), hands)
    assert not result.tally.faults.counts
    assert result.tally.net_chips.tolist() == chips("Plain", hands)


def test_blame_stays_where_it_belongs() -> None:
    result = played(bad("BlameShifter"))
    assert set(result.tally.faults.of_player(0)) == {"illegal"}
    assert not result.tally.faults.of_player(1)
    assert result.tally.net_chips.tolist() == chips("fold")


def test_nothing_leads_from_a_decision_to_the_table() -> None:
    """No array, closure or attribute of a view reaches another hand, the deck or the log."""
    table = Table.dealt("nolimit-6max", 1, np.arange(9))
    for _ in range(3):
        table.act(table.waiting(), table.views(table.waiting()).min_raise_to)
    whole = table.views(np.array([2, 5]))
    for views in (whole, whole.rows(slice(0, 1)), whole.rows(np.array([1])), whole.with_all_hands(0)[0]):
        seen = _everything(views)
        arrays = [one for one in seen if isinstance(one, np.ndarray)]
        assert len(arrays) == 5
        for array in arrays:
            assert len(array) == len(views)
            base: Any = array.base
            assert isinstance(base, bytes)
            assert len(base) == array.nbytes
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.setflags(write=True)
            everything = np.lib.stride_tricks.as_strided(array.view(np.uint8), (len(base),), (1,))
            assert everything.tobytes() == base == array.tobytes()
            assert not any(np.may_share_memory(everything, held) for held in _arrays_of(table))
        assert not any(callable(one) for one in seen)
        assert table.game is not views.game
        assert table.game == views.game


def _arrays_of(table: Table) -> list[Any]:
    """The arrays of a table, of which the deck is one."""
    held = [one for value in vars(table).values() for one in (value if isinstance(value, tuple) else (value,))]
    arrays = [one for one in held if isinstance(one, np.ndarray)]
    assert len(arrays) >= 3
    return arrays


def _everything(thing: Any) -> list[Any]:
    """A thing and all that it holds, down to plain values."""
    if isinstance(thing, np.ndarray | str | int | float | bytes | None):
        return [thing]
    slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    parts = [getattr(thing, name) for name in slots]
    parts += vars(thing).values() if hasattr(thing, "__dict__") else ()
    parts += thing if isinstance(thing, tuple) else ()
    assert parts or thing == (), f"what is in a {type(thing)}?"
    return [thing, *(found for part in parts for found in _everything(part))]


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("Exits", "SystemExit: 0"),
        ("Cancels", "CancelledError"),
        ("Closes", "GeneratorExit"),
        ("PressesNoKey", "KeyboardInterrupt"),
        ("Recurses", "RecursionError"),
        ("Hoards", "MemoryError"),
        ("Unprintable", "Error: its message cannot be printed"),
        ("Traps:method=index", "SystemExit"),
        ("Traps:method=repr", "SystemExit"),
        ("Traps:method=class", "SystemExit"),
        ("BatchTraps:method=array", "SystemExit"),
    ],
)
def test_leaving_is_a_fault_of_who_leaves(name: str, detail: str) -> None:
    result = played(bad(name), hands=10)
    assert (result.hands, result.interrupted) == (10, False)
    assert set(result.tally.faults.of_player(0)) == {"exception"}
    assert not result.tally.faults.of_player(1)
    assert detail in result.tally.faults.cases[0].detail
    assert "bad_bots.py:" in result.tally.faults.cases[0].detail
    assert result.tally.net_chips.tolist() == chips("fold", 10)


@pytest.mark.parametrize("name", ["ExitsAtStart", "ExitsWhenMade", "ExitsWhenLookedAt"])
def test_who_leaves_before_the_match_is_named(name: str) -> None:
    with pytest.raises(InputError, match=rf"bot .*{name}: .*SystemExit: 0 \(.*bad_bots.py:\d+\)"):
        played(bad(name))


def test_leaving_after_a_hand_is_a_fault() -> None:
    result = played(bad("ExitsAfterHands"), hands=10)
    assert result.tally.faults.of_player(0) == {"hand_over": 10}


@pytest.mark.parametrize("kind", ["Answers", "BatchAnswers"])
@pytest.mark.parametrize(
    "what", ["wraps", "float", "no number", "huge", "bool", "none", "text", "array", "object", "complex"]
)
def test_what_is_no_action_never_becomes_one(kind: str, what: str) -> None:
    result = played(bad(f"{kind}:what={what}"), hands=6)
    assert set(result.tally.faults.of_player(0)) == ({"illegal"} if what in ("wraps", "huge") else {"nonsense"})
    assert result.tally.net_chips.tolist() == chips("fold", 6)


@pytest.mark.parametrize("name", ["Hangs", "HangsDeaf", "Late", "LateBatch", "HangsInIndex"])
def test_a_bot_that_hangs_is_given_up(name: str) -> None:
    """After a few clocks in a row: the match goes on without it, and says so. Catching the alarm does not help."""
    started = time.monotonic()
    result = played(bad(name), decision_seconds=0.05)
    faults = result.tally.faults.of_player(0)
    assert faults["slow"] == TIMEOUTS
    assert faults["absent"] > HANDS / 2
    assert set(faults) == {"slow", "absent"}
    assert "5 times in a row and was given up" in next(
        case.detail for case in result.tally.faults.cases if case.kind == "absent"
    )
    assert time.monotonic() - started < 10
    assert result.tally.net_chips.tolist() == chips("fold")


def test_a_bot_that_hangs_after_its_hands_is_told_no_more() -> None:
    result = played(bad("HangsAfterHands"), decision_seconds=0.05)
    faults = result.tally.faults.of_player(0)
    assert faults == {"hand_over": TIMEOUTS}
    assert result.tally.faults.cases[-1].detail.endswith("5 times in a row: it is told no more")


def test_a_bot_that_is_slow_now_and_then_is_not_given_up() -> None:
    class NowAndThen:
        asked = 0

        def decide(self, view: View, dice: Any) -> int:
            self.asked += 1
            if self.asked % TIMEOUTS:
                time.sleep(1_000_000)
            return 0

    result = played(bot_of(NowAndThen()), hands=10, decision_seconds=0.02)
    assert set(result.tally.faults.of_player(0)) == {"slow"}


def test_a_new_match_asks_again() -> None:
    bot: Any = bad("Hangs")
    first = played(bot, decision_seconds=0.02).tally.faults.of_player(0)
    assert played(bot, decision_seconds=0.02).tally.faults.of_player(0) == first


def test_a_real_ctrl_c_ends_the_match_whatever_the_bot_makes_of_it() -> None:
    class Deaf:
        asked = 0

        def decide(self, view: View, dice: Any) -> int:
            self.asked += 1
            try:
                if self.asked == 5_000:
                    signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                pass
            return 0

    result = played(bot_of(Deaf()), hands=20_000, game="river-hu")
    assert result.interrupted
    assert not result.tally.faults.counts


def test_a_timer_around_us_is_kept() -> None:
    rang = []
    before = signal.signal(signal.SIGALRM, lambda *_: rang.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        assert call_bot(lambda: 3, 5.0) == 3
        with pytest.raises(BotFailed, match="no answer"):
            call_bot(lambda: time.sleep(9), 0.001)
        time.sleep(0.1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rang == [1]


@pytest.mark.parametrize("seconds", [1e300, 1e-9, 2e6, -1.0, float("nan"), float("inf")])
def test_clocks_have_bounds(seconds: float) -> None:
    for clocks in ((seconds, 0, 0), (0, seconds, 0), (0, 0, seconds)):
        with pytest.raises(InputError, match=r"allowed is 0 \(no limit\) or 0.001 to 1,000,000 s"):
            Clocks(*clocks)


def test_a_match_has_a_clock_by_default() -> None:
    bots = [load_bot("call"), load_bot("fold")]

    def seconds(hands: int, **given: Any) -> float:
        return Match.plan(Game.load("limit-hu"), bots, hands=hands, seed=1, **given).match_seconds

    assert seconds(100) == 3_600 + 5 * 100
    assert seconds(10**9) == 1_000_000
    assert seconds(100, match_seconds=0) == 0
    assert seconds(100, match_seconds=7) == 7


def test_sessions_have_a_clock_by_default() -> None:
    """All of them together, as a match has; a bot that uses it up is asked no more."""
    bots = [bot_of(Thinks()), load_bot("call")]
    assert Sessions.plan(bots, rounds=10, games=30).match_seconds == 3_600 + 5 * 300
    assert Sessions.plan(bots, match_seconds=0).match_seconds == 0
    with pytest.raises(InputError, match="the clock of the match is -1 s"):
        Sessions.plan(bots, match_seconds=-1)
    result = play_sessions(Sessions.plan(bots, rounds=10, games=30, match_seconds=0.05))
    faults = result.faults.of_player(0)
    assert set(faults) <= {"overtime", "slow"}
    assert faults["overtime"] > 10
    assert not result.faults.of_player(1)


class Thinks:
    def decide(self, view: View, dice: Any) -> int:
        time.sleep(0.005)
        return 0


def luckless(*words: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Runs a command in a process of its own."""
    command = [sys.executable, "-m", "luckless", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **options)


def test_what_a_bot_prints_is_not_in_our_output() -> None:
    """Nor what it prints past Python; and a thread that it leaves behind does not keep the program."""
    for name in ("Talks", "Lingers"):
        done = luckless("match", f"{BOTS}:{name}", "call", "--hands", "4", "--seed", "1", "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["hands"] == 4
        assert "a word" in done.stderr
    plain = luckless("match", f"{BOTS}:Talks", "call", "--hands", "4", "--seed", "1")
    assert "a word at a decision" not in plain.stdout
