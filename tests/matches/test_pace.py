"""Chunks by time: bots that are slow, quick, or think about many hands at once; and that results do not notice."""

import signal
from collections.abc import Callable
from typing import Any

import pytest

from luckless.bots.catalogue import load_bot
from luckless.bots.dice import Dice
from luckless.bots.python_bot import bot_of
from luckless.matches import match as match_module
from luckless.matches import session as session_module
from luckless.matches.match import Match
from luckless.matches.pace import SECONDS, TRUST, Pace
from luckless.matches.result import play_match
from luckless.matches.session import Sessions, play_sessions
from luckless.rules.game import Game
from luckless.rules.views import View

LIMIT = Game.load("limit-hu")


def sizes(seconds: Callable[[int], float], chunks: int, pace: Pace | None = None) -> list[tuple[int, float]]:
    """The chunks that a bot is given which takes so long for each size, with their seconds."""
    pace = pace or Pace(2_048)
    played = []
    for _ in range(chunks):
        played.append((pace.size, seconds(pace.size)))
        pace.played(*played[-1])
    return played


@pytest.mark.parametrize("each", [0.02, 0.08, 0.3, 0.9])
def test_a_bot_that_thinks_long_is_heard_of_every_couple_of_seconds(each: float) -> None:
    played = sizes(lambda sets: each * sets, 60)
    assert max(seconds for _, seconds in played) <= 2 * SECONDS + each
    assert all(0.5 * SECONDS - each <= seconds <= SECONDS + each for _, seconds in played[8:])


def test_a_bot_that_needs_longer_for_one_set_plays_one_at_a_time() -> None:
    played = sizes(lambda sets: 10.0 * sets, 20)
    assert [size for size, _ in played] == [1, 2] + [1] * 18


def test_a_quick_bot_soon_plays_the_largest_chunks() -> None:
    assert [size for size, _ in sizes(lambda sets: 1e-5 * sets, 7)] == [1, 64, 2_048, 2_048, 2_048, 2_048, 2_048]


def test_quick_bots_that_decide_for_batches_play_the_largest_chunk_at_once() -> None:
    """Each chunk costs calls as one hand does, 4 ms here, and a little for each hand."""
    played = sizes(lambda sets: 0.004 + 2e-5 * sets, 3, Pace(1_600, batches=True))
    assert [size for size, _ in played] == [1, 1_600, 1_600]


def test_batches_that_save_no_time_take_a_few_seconds_at_most() -> None:
    played = sizes(lambda sets: 0.01 * sets, 20, Pace(2_048, batches=True))
    assert max(seconds for _, seconds in played) == pytest.approx(TRUST * SECONDS)
    assert all(seconds <= SECONDS for _, seconds in played[2:])


@pytest.mark.parametrize("think", [1.0, 5.0])
def test_a_bot_that_thinks_about_many_hands_at_once_is_given_many(think: float) -> None:
    """Sixteen at a time: smaller chunks would cost as much time, and larger ones gain nothing."""
    played = sizes(lambda sets: 4 * think * -(-sets // 16), 60)
    assert all(size == 16 for size, _ in played[10:])


def test_a_bot_that_becomes_slow_is_given_less() -> None:
    pace = Pace(2_048)
    sizes(lambda sets: 0.05 * sets, 20, pace)
    slow = sizes(lambda sets: 1.5 * sets, 10, pace)
    assert all(seconds <= SECONDS for _, seconds in slow[3:])


class Tosses:
    """Raises or calls by its dice, and makes a fault now and then."""

    def decide(self, view: View, dice: Dice) -> Any:
        """Mostly legal."""
        drawn = dice.random()
        if drawn < 0.02:
            return "nothing"
        return view.min_raise_to if view.can_raise and drawn < 0.5 else 0


class Fixed:
    """A pace that is no pace."""

    def __init__(self, size: int) -> None:
        self.size = size

    def played(self, size: int, seconds: float) -> None:
        """Takes no notice."""


@pytest.mark.parametrize("decks", ["duplicate", "fresh"])
def test_results_do_not_depend_on_the_chunks(decks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found, lines = [], []
    for size in (2, 7, 160):
        monkeypatch.setattr(match_module, "Pace", lambda *_, size=size: Fixed(size))
        match = Match.plan(LIMIT, [bot_of(Tosses()), load_bot("random")], hands=160, seed=3, decks=decks)
        lengths: list[int] = []
        result = play_match(match, on_chunk=lambda chunk, lengths=lengths: lengths.append(len(chunk)))  # type: ignore[misc]
        assert lengths[0] == min(size * match.set_size, 160)
        found.append({key: value for key, value in result.to_dict().items() if key != "seconds"})
        lines.append(result.tally.line)
    assert found == found[:1] * 3
    assert found[0]["bots"][0]["faults"] > 0
    assert lines == lines[:1] * 3


def test_sessions_do_not_depend_on_how_many_are_played_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for size in (1, 7, 60):
        monkeypatch.setattr(session_module, "Pace", lambda *_, size=size: Fixed(size))
        sessions = Sessions.plan([bot_of(Tosses()), load_bot("random")], games=60, rounds=6, seed=3)
        result = play_sessions(sessions).to_dict()
        found.append({key: value for key, value in result.items() if key != "seconds"})
    assert found == found[:1] * 3


class Interrupts:
    """Presses Ctrl-C at its first decision."""

    def decide(self, view: View, dice: Dice) -> int:
        """At once."""
        signal.raise_signal(signal.SIGINT)
        return 0


def test_an_interrupt_before_anything_was_played_says_so() -> None:
    """A `KeyboardInterrupt` with a text is what the command line shows before it ends with 130."""
    bots = [bot_of(Interrupts()), load_bot("call")]
    with pytest.raises(KeyboardInterrupt, match="before any hand was over: there is no result"):
        play_match(Match.plan(LIMIT, bots, hands=100))
    with pytest.raises(KeyboardInterrupt, match="before any session was over: there is no result"):
        play_sessions(Sessions.plan(bots, games=5))
