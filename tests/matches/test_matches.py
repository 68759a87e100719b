"""Matches: fairness of duplicate decks, faults that end no match, three kinds of bots that play alike."""

import dataclasses
import signal
from typing import Any

import numpy as np
import pytest

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.python_bot import bot_of
from luckless.errors import InputError
from luckless.matches import match as matches
from luckless.matches.faults import Case
from luckless.matches.match import Match
from luckless.matches.result import MatchResult, play_match
from luckless.matches.session import Sessions, play_sessions
from luckless.rules.endings import Ending
from luckless.rules.game import Game
from luckless.rules.views import View, Views
from luckless.stats.sequential import SequentialTest
from luckless.stats.stopping import Decision


class OneRandom:
    """`random`, one decision at a time."""

    def decide(self, view: View, dice: Any) -> int:
        kind = dice.integer(0, 2)
        if kind == 0:
            return -1
        return 0 if kind == 1 or not view.can_raise else int(dice.integer(view.min_raise_to, view.max_raise_to))


class BatchRandom:
    """`random`, for a batch."""

    def decide_batch(self, views: Views, dice: Any) -> Any:
        kind, most = dice.integer(0, 2), views.max_raise_to
        amount = dice.integer(views.min_raise_to, most)
        return np.where(kind == 0, -1, np.where((kind == 1) | (most == 0), 0, amount))


class Uniform:
    """`uniform`, one decision at a time."""

    def decide(self, view: View, dice: Any) -> int:
        kinds = ["call"] + ["fold"] * (view.to_call > 0) + ["raise"] * view.can_raise
        kind = dice.choice(kinds)
        if kind == "raise":
            return int(dice.integer(view.min_raise_to, view.max_raise_to))
        return 0 if kind == "call" else -1


def play(game: str, bots: list[Bot], hands: int = 2000, seed: int = 1, **options: Any) -> MatchResult:
    return play_match(Match.plan(Game.load(game), bots, hands=hands, seed=seed, **options))


def played_bytes(game: str, bots: list[Bot], hands: int = 2000) -> bytes:
    match = Match.plan(Game.load(game), bots, hands=hands, seed=5)
    chunks = list(match.chunks())
    return b"".join(c.records.actions.tobytes() for c in chunks) + b"".join(
        c.records.payoffs.tobytes() for c in chunks
    )


@pytest.mark.parametrize("game", ["nolimit-6max", "limit-hu", "river-hu"])
def test_compiled_batch_and_single_bots_play_the_same_hands(game: str) -> None:
    others: list[Bot] = [load_bot("call")] * (Game.load(game).seats - 1)
    compiled = played_bytes(game, [load_bot("random"), *others])
    assert played_bytes(game, [bot_of(OneRandom()), *others]) == compiled
    assert played_bytes(game, [bot_of(BatchRandom()), *others]) == compiled
    uniform = played_bytes(game, [load_bot("uniform"), *others])
    assert played_bytes(game, [bot_of(Uniform()), *others]) == uniform != compiled


@pytest.mark.parametrize("name", ["random", "uniform", "mix:call,raise=2", "all-in"])
@pytest.mark.parametrize("game", ["nolimit-hu", "limit-hu", "limit-3max", "nolimit-6max"])
def test_identical_bots_in_a_duplicate_match_net_exactly_zero(name: str, game: str) -> None:
    result = play(game, [load_bot(name)] * Game.load(game).seats, hands=1200)
    assert (result.tally.net_chips == 0).all()


def test_a_against_b_is_minus_b_against_a() -> None:
    bots = [load_bot("random"), load_bot("call")]
    one, other = play("nolimit-hu", bots), play("nolimit-hu", bots[::-1])
    assert one.tally.net_chips.tolist() == other.tally.net_chips.tolist()[::-1]
    assert one.estimate(0).stderr == other.estimate(1).stderr


def test_call_v_raise_in_limit_has_the_published_spread() -> None:
    """Each side puts in 7 small bets: SD = 7 * sqrt(1 - 0.0406741) = 6.856 (M. Kan's thesis); 200,000 fresh hands."""
    result = play("limit-hu", [load_bot("call"), load_bot("raise")], hands=200_000, decks="fresh")
    assert result.of_hands(0).sd == pytest.approx(6.856, abs=0.01)
    assert abs(result.estimate(0).mean) < 4 * (result.estimate(0).stderr or 0)


def test_fold_loses_the_blinds_and_nothing_else() -> None:
    """Heads-up it gives up half a big blind and a whole one in turn: 750 mbb/h to one who always bets."""
    result = play("limit-hu", [load_bot("fold"), load_bot("raise")])
    assert result.estimate(0).mean == pytest.approx(-750)


def test_a_mix_plays_each_member_as_often_as_its_weight_says() -> None:
    game = Game.load("nolimit-hu")
    match = Match.plan(game, [load_bot("mix:fold=3,all-in=1"), load_bot("call")], hands=20_000, seed=1)
    first = np.concatenate([chunk.records.actions[np.r_[0, chunk.records.ends[:-1]]] for chunk in match.chunks()])
    mix_opens = np.concatenate([chunk.hands.players[:, 1] == 0 for chunk in match.chunks()])
    assert np.mean(first[mix_opens] > 0) == pytest.approx(0.25, abs=0.015)


def test_hands_are_rounded_up_to_whole_sets() -> None:
    match = Match.plan(Game.load("nolimit-6max"), [load_bot("call")] * 6, hands=10_000, seed=1)
    assert (match.hands, match.set_size) == (10_002, 6)
    assert Match.plan(Game.load("nolimit-6max"), [load_bot("call")] * 3, hands=10_000, seed=1).set_size == 6


class Faulty:
    """Does one thing wrong, on a tenth of its decisions."""

    def __init__(self, wrong: Any) -> None:
        self.wrong = wrong

    def decide(self, view: View, dice: Any) -> Any:
        if dice.random() >= 0.1:
            return 0
        if isinstance(self.wrong, Exception):
            raise self.wrong
        return self.wrong


@pytest.mark.parametrize(
    ("wrong", "kind", "detail"),
    [
        (ValueError("lost"), "exception", "ValueError: lost"),
        (None, "nonsense", "answered None"),
        (float("nan"), "nonsense", "answered nan"),
        ("raise", "nonsense", "answered 'raise'"),
        (True, "nonsense", "answered True"),
        (-5, "illegal", "answered -5; allowed is -1"),
        (10**9, "illegal", "answered 1000000000; allowed is"),
    ],
)
def test_a_fault_is_counted_answered_and_does_not_end_the_match(wrong: Any, kind: str, detail: str) -> None:
    result = play("nolimit-hu", [bot_of(Faulty(wrong)), load_bot("call")], hands=400)
    assert result.hands == 400
    faults = result.tally.faults
    assert set(faults.of_player(0)) == {kind}
    assert 40 < faults.of_player(0)[kind] < 400
    assert not faults.of_player(1)
    assert len(faults.cases) == 5
    assert detail in faults.cases[0].detail


class Sulking(Faulty):
    """Follows its hands, and fails at the end of each as well."""

    memory = True

    def hand_over(self, ending: Ending) -> None:
        raise RuntimeError("no")


@pytest.mark.parametrize("bot", [Faulty(None), Sulking(None)])
def test_faults_name_the_hand_of_the_match_whatever_the_chunks(bot: Faulty, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.plan(Game.load("nolimit-hu"), [bot_of(bot), load_bot("call")], hands=60, seed=3, decks="fresh")

    def faults(chunk: int) -> list[Case]:
        monkeypatch.setattr(matches, "ASKING_CHUNK", chunk)
        return [case for played in match.chunks() for case in played.faults]

    whole = faults(60)
    assert faults(7) == whole
    hands = [case.hand for case in whole if case.kind == "nonsense"]
    assert hands == sorted(hands)
    assert len(set(hands)) > 10
    told = [case.hand for case in whole if case.kind == "hand_over"]
    assert told == (list(range(60)) if isinstance(bot, Sulking) else [])


class FaultyBatch:
    """Every answer of a batch with a 7-high hand in it fails; the batch size must not matter."""

    def __init__(self, fail: str) -> None:
        self.fail = fail

    def decide_batch(self, views: Views, dice: Any) -> Any:
        bad = (views.hole < 24).all(axis=1)
        if bad.any() and self.fail == "raise":
            raise RuntimeError("seven high")
        if bad.any() and self.fail == "shape":
            return np.zeros(len(views) + 1, np.int64)
        return np.where(bad, np.nan, 0.0) if bad.any() else np.zeros(len(views), np.int64)


@pytest.mark.parametrize("fail", ["raise", "shape", "nan"])
def test_faults_of_a_batch_bot_do_not_depend_on_the_batch(fail: str) -> None:
    bots: list[Bot] = [bot_of(FaultyBatch(fail)), load_bot("call")]
    match = Match.plan(Game.load("nolimit-hu"), bots, hands=300, seed=2)
    whole = play_match(match)
    holes = np.concatenate([chunk.records.decks[:, :4].reshape(-1, 2, 2) for chunk in match.chunks()])
    seats = np.concatenate([np.argmax(chunk.hands.players == 0, axis=1) for chunk in match.chunks()])
    weak = int((holes[np.arange(300), seats] < 24).all(axis=1).sum())
    hands = {case.hand for case in whole.tally.faults.cases}
    assert sum(whole.tally.faults.of_player(0).values()) >= weak > 0
    assert all((holes[hand, seats[hand]] < 24).all() for hand in hands)


class Stuck:
    def decide(self, view: View, dice: Any) -> int:
        if view.hole[0] == 3:
            while True:
                pass
        return 0


def test_a_bot_that_hangs_is_stopped_by_the_clock() -> None:
    result = play("nolimit-hu", [bot_of(Stuck()), load_bot("call")], hands=100, decision_seconds=0.02)
    assert set(result.tally.faults.of_player(0)) == {"slow"}
    assert result.hands == 100


class Counter:
    """Remembers how many hands it has seen, and plays accordingly."""

    memory = True

    def __init__(self) -> None:
        self.holes: list[tuple[int, int]] = []

    def decide(self, view: View, dice: Any) -> int:
        if not self.holes or self.holes[-1] != view.hole:
            self.holes.append(view.hole)
        return 0 if len(self.holes) % 2 else -1


def test_a_bot_with_memory_is_played_in_order_on_fresh_decks() -> None:
    counter = Counter()
    match = Match.plan(Game.load("nolimit-hu"), [bot_of(counter), load_bot("call")], hands=130, seed=3)
    assert match.decks == "fresh"
    chunks = list(match.chunks())
    seats = np.concatenate([np.argmax(chunk.hands.players == 0, axis=1) for chunk in chunks])
    decks = np.concatenate([chunk.records.decks for chunk in chunks])
    assert counter.holes == [
        tuple(deck[2 * seat : 2 * seat + 2].tolist()) for deck, seat in zip(decks, seats, strict=True)
    ]
    with pytest.raises(InputError, match="keeps memory"):
        Match.plan(
            Game.load("nolimit-hu"), [bot_of(Counter()), load_bot("call")], hands=10, seed=3, decks="duplicate"
        )


def test_the_sequential_test_ends_a_match_early() -> None:
    test = SequentialTest(at_most=0, at_least=500, largest=400_000)
    match = Match.plan(Game.load("nolimit-hu"), [load_bot("call"), load_bot("random")], hands=2_000_000, seed=1)
    result = play_match(match, sequential=test)
    assert test.decision is Decision.AT_LEAST
    assert result.hands < 1_000_000


def test_a_test_ends_a_match_at_the_same_set_for_any_number_of_workers() -> None:
    match = Match.plan(Game.load("nolimit-hu"), [load_bot("call"), load_bot("random")], hands=60_000, seed=1)
    results = []
    for workers in (1, 2, 3, 8):
        test = SequentialTest(at_most=0, at_least=500, largest=400_000)
        result = play_match(match, sequential=test, workers=workers)
        assert result.hands == match.set_size * (test.stopped_at or 0)
        results.append({key: value for key, value in result.to_dict().items() if key != "seconds"})
    assert results == results[:1] * 4


class Interrupting:
    """Presses Ctrl-C after a number of decisions."""

    def __init__(self, after: int) -> None:
        self.left = after

    def decide(self, view: View, dice: Any) -> int:
        self.left -= 1
        if self.left < 0:
            signal.raise_signal(signal.SIGINT)
        return 0


def test_an_interrupt_keeps_what_was_played() -> None:
    result = play("river-hu", [bot_of(Interrupting(3000)), load_bot("call")], hands=20_000)
    assert result.interrupted
    assert 0 < result.hands < 20_000
    assert result.to_dict()["interrupted"] is True


def test_the_tally_adds_up() -> None:
    result = play("nolimit-6max", [load_bot("random")] * 3 + [load_bot("call")] * 3, hands=6000)
    tally = result.tally
    assert (tally.seat_chips.sum(axis=1) == tally.net_chips).all()
    assert (tally.ending_chips.sum(axis=1) == tally.net_chips).all()
    assert (tally.result_hands.sum(axis=1) == result.hands).all()
    assert (tally.seat_hands == 1000).all()
    assert tally.ending_hands.sum() == result.hands == tally.line[-1][0]
    assert tally.line[-1][1] == tuple(tally.net_chips.tolist())


def test_a_long_match_keeps_a_short_line() -> None:
    result = play("limit-hu", [load_bot("call"), load_bot("raise")], hands=300_000)
    assert 1500 < len(result.tally.line) < 4100


@pytest.mark.parametrize(
    ("bots", "hands", "complaint"),
    [
        (["call"], 10, "at least two bots; 1 was given"),
        (["call"] * 3, 10, "3 bots were given, and game nolimit-hu has only 2 seats"),
        (["call"] * 2, 0, "hands is 0"),
    ],
)
def test_what_is_no_match_is_refused(bots: list[str], hands: int, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Match.plan(Game.load("nolimit-hu"), [load_bot(name) for name in bots], hands=hands, seed=1)


def test_sessions_carry_stacks_and_end_with_a_bust() -> None:
    result = play_sessions(Sessions.plan([load_bot("all-in"), load_bot("call")], games=500, seed=1))
    assert (result.chips.sum(axis=1) == 2000).all()
    assert ((result.chips == 0).any(axis=1) | (result.rounds == 20)).all()
    assert result.rounds.min() == 1
    assert 0.4 < result.pairing(0, 1).probability < 0.6


def test_sessions_do_not_depend_on_how_many_are_played() -> None:
    plan = Sessions.plan([load_bot("random"), load_bot("call"), load_bot("raise")], games=60, seed=4)
    few = play_sessions(dataclasses.replace(plan, games=7))
    assert (play_sessions(plan).chips[:7] == few.chips).all()


def test_two_folders_trade_blinds_for_a_whole_session() -> None:
    """The button folds its small blind every round: after 20 rounds each has lost ten small blinds."""
    result = play_sessions(Sessions.plan([load_bot("fold"), load_bot("fold")], games=4, seed=1))
    assert (result.chips == 1000).all()
    assert (result.rounds == 20).all()
    assert result.pairing(0, 1).draws == 4
