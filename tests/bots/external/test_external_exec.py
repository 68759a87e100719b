"""Programs on pipes that play well: what they are told, that they are asked side by side, and the example bots."""

import contextlib
import dataclasses
import json
import os
import shutil
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.dice import Dice
from luckless.bots.external.exec_bot import load_exec_bot
from luckless.bots.external.messages import BadLine, parse_answer, parse_hello, parse_ready
from luckless.bots.external.process import ENVIRONMENT
from luckless.bots.mix_bot import MixBot
from luckless.bots.python_bot import bot_of
from luckless.cards import format_card, parse_card, rank_of
from luckless.errors import InputError
from luckless.matches.match import Match
from luckless.matches.result import MatchResult, play_match
from luckless.rules.endings import Ending
from luckless.rules.game import Game
from luckless.rules.views import PastAction, View
from outside import EXAMPLES, fault_bot, left_over, python_bot

GAME = Game.load("nolimit-6max")


class PairsBot:
    """The rule of the Python example, here inside."""

    def decide(self, view: View, dice: Dice) -> int:
        """Raises with a pair."""
        pair = rank_of(view.hole[0]) == rank_of(view.hole[1])
        return view.min_raise_to if pair and view.can_raise else 0


class BullyBot:
    """The rule of the JavaScript example, here inside."""

    memory = True

    def match_starts(self, game: Game) -> None:
        """Forgets everything."""
        self.actions = self.folds = 0

    def decide(self, view: View, dice: Dice) -> int:
        """Raises the pot the more often, the more others fold."""
        if view.can_raise and dice.random() < (self.folds + 1) / (self.actions + 3):
            raise_to = max(view.street_bets) + view.pot + view.to_call
            return min(max(raise_to, view.min_raise_to), view.max_raise_to)
        return 0

    def hand_over(self, ending: Ending) -> None:
        """Counts what the others did."""
        others = [past.action for past in ending.history if past.seat != ending.seat]
        self.actions += len(others)
        self.folds += others.count(-1)


class Recorder:
    """Calls, or raises where it can, and keeps what it was shown and told."""

    memory = True

    def __init__(self, raises: bool = False) -> None:
        self.raises = raises
        self.seen: list[tuple[View, float]] = []
        self.endings: list[Ending] = []

    def decide(self, view: View, dice: Dice) -> int:
        """Always the same."""
        self.seen.append((view, dice.random()))
        return view.min_raise_to if self.raises else 0

    def hand_over(self, ending: Ending) -> None:
        """Keeps it."""
        self.endings.append(ending)


def play(bot: Bot, hands: int, game: Game = GAME, seed: int = 3) -> tuple[MatchResult, list[list[int]]]:
    """A match against bots that act at random, and what each seat won in every hand."""
    others = [load_bot("uniform")] * (game.seats - 1)
    payoffs: list[list[int]] = []
    match = Match.plan(game, [bot, *others], hands=hands, seed=seed, sealed=True)
    result = play_match(match, on_chunk=lambda chunk: payoffs.extend(chunk.records.payoffs.tolist()))
    assert not result.tally.faults.cases
    return result, payoffs


def test_the_python_example_plays_as_the_same_rule_inside() -> None:
    """Also a proof that copies and pipelines change nothing: hundreds of hands are under way at once."""
    _, outside = play(python_bot(EXAMPLES / "pairs_bot.py"), 300)
    _, inside = play(bot_of(PairsBot()), 300)
    assert outside == inside


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here to run JavaScript")
def test_the_javascript_example_plays_as_the_same_rule_inside() -> None:
    """It has memory and uses the random number that comes with a decision: the same as the first of the dice."""
    bot = load_exec_bot(f"exec:node {EXAMPLES / 'bully_bot.js'}")
    assert bot.memory
    result, outside = play(bot, 60)
    assert result.match.decks == "fresh"
    _, inside = play(bot_of(BullyBot()), 60)
    assert outside == inside


def test_a_program_is_told_what_a_view_shows_and_nothing_more(tmp_path: Path) -> None:
    recorder = Recorder()
    play(bot_of(recorder), 30)
    play(fault_bot("records", tmp_path), 30)
    messages = [json.loads(line) for line in (tmp_path / "messages").read_text().splitlines()]
    by_type: dict[str, list[dict[str, Any]]] = {}
    for message in messages:
        by_type.setdefault(message.pop("type"), []).append(message)
    assert set(by_type) == {"hello", "match", "decide", "hand_over", "goodbye"}
    assert by_type["match"] == [
        {"game": GAME.to_dict(), "clocks": {"decision": 10.0, "hand": 0.0, "match": 0.0}},
    ]
    assert len(by_type["decide"]) == len(recorder.seen)
    for number, (message, (view, random)) in enumerate(zip(by_type["decide"], recorder.seen, strict=True)):
        assert message.pop("id") == number
        assert message.pop("random") == random
        assert as_view(message, View) == view
    assert len(by_type["hand_over"]) == 30
    for message, ending in zip(by_type["hand_over"], recorder.endings, strict=True):
        message["shown"] = tuple(cards and tuple(map(parse_card, cards)) for cards in message["shown"])
        assert as_view(message, Ending) == ending


def as_view(message: dict[str, Any], kind: type) -> Any:
    """A message back to what it was made of; refuses one with more or less in it."""
    assert set(message) == {field.name for field in dataclasses.fields(kind)}
    cards = {key: tuple(parse_card(card) for card in message[key]) for key in ("hole", "board")}
    history = {"history": tuple(PastAction(*past) for past in message["history"])}
    lists = {key: tuple(value) for key, value in message.items() if isinstance(value, list)}
    return kind(**message | lists | cards | history)


class Compiler:
    """Compiles something anew for each decision, which takes longer than its clock."""

    def decide(self, view: View, dice: Dice) -> int:
        """Calls, after a while."""

        @numba.njit
        def total(numbers: Any) -> Any:
            return np.sort(numbers).sum() * 0

        return int(total(np.arange(view.pot)))


def test_the_clock_does_not_break_a_compiler_off() -> None:
    """It is let finish, and whatever is compiled afterwards works."""
    match = Match.plan(GAME, [bot_of(Compiler()), load_bot("call")], hands=2, seed=1, decision_seconds=0.3)
    result = play_match(match)
    assert result.hands == 2
    assert not result.tally.faults.cases


def test_a_bot_that_fails_before_the_first_hand_is_named() -> None:
    class Unready(Recorder):
        def match_starts(self, game: Game) -> None:
            raise KeyError(game.name)

    match = Match.plan(GAME, [bot_of(Unready()), load_bot("call")], hands=2, seed=1)
    with pytest.raises(InputError, match="bot Unready: match_starts failed with KeyError: 'nolimit-6max'"):
        next(match.chunks())


def test_a_bot_that_refuses_a_game_says_why_in_its_own_words() -> None:
    class Choosy(Recorder):
        def match_starts(self, game: Game) -> None:
            raise InputError("six seats are too many")

    match = Match.plan(GAME, [bot_of(Choosy()), load_bot("call")], hands=2, seed=1)
    with pytest.raises(InputError) as error:
        next(match.chunks())
    assert str(error.value) == "bot Choosy: six seats are too many"


def test_endings_show_only_what_was_shown() -> None:
    recorder = Recorder(raises=True)
    _, payoffs = play(bot_of(recorder), 200)
    showdowns = 0
    for ending, won in zip(recorder.endings, payoffs, strict=True):
        assert list(ending.payoffs) == won
        shown = [cards is not None for cards in ending.shown]
        assert shown == [ending.showdown and lives for lives in ending.live]
        assert ending.shown[ending.seat] in (None, ending.hole)
        assert len(ending.board) == (5 if ending.showdown else (0, 3, 4, 5)[ending.street])
        assert sum(ending.invested) == ending.pot
        showdowns += ending.showdown
    assert 0 < showdowns < 200


def test_a_program_gets_neither_our_files_nor_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "do not tell")
    kept = os.open(tmp_path, os.O_RDONLY)
    os.set_inheritable(kept, True)
    try:
        bot = fault_bot("surroundings", tmp_path)
        seen = json.loads(bot.hello.name)
    finally:
        os.close(kept)
    assert seen["files"] == [0, 1, 2]
    assert seen["session"]
    assert set(seen["environment"]) <= {*ENVIRONMENT, "LC_CTYPE"}
    bot.stop()
    assert bot.exits_by_itself
    assert left_over(tmp_path) == []


def test_a_bot_with_memory_does_not_play_duplicate_decks(tmp_path: Path) -> None:
    bot = fault_bot("records", tmp_path)
    with pytest.raises(InputError, match="keeps memory"):
        Match.plan(GAME, [bot, load_bot("call")], hands=10, seed=1, decks="duplicate")
    bot.stop()


def test_a_bot_that_follows_its_hands_sits_in_one_seat(tmp_path: Path) -> None:
    bot = fault_bot("records", tmp_path)
    match = Match.plan(GAME, [bot, bot], hands=10, seed=1)
    with pytest.raises(InputError, match="one seat only"):
        next(match.chunks())
    bot.stop()


def test_a_bot_without_memory_may_sit_in_many_seats(tmp_path: Path) -> None:
    bot = fault_bot("slow_start", tmp_path)
    result = play_match(Match.plan(GAME, [bot, bot, load_bot("uniform")], hands=60, seed=1))
    assert not result.tally.faults.cases
    assert left_over(tmp_path) == []


def test_a_mix_with_a_program_in_it() -> None:
    mix = MixBot("mix", (load_bot("call"), python_bot(EXAMPLES / "pairs_bot.py")), (0.4, 0.6))
    _, outside = play(mix, 60, Game.load("limit-hu"))
    _, inside = play(MixBot("mix", (load_bot("call"), bot_of(PairsBot())), (0.4, 0.6)), 60, Game.load("limit-hu"))
    assert outside == inside


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("exec:", "write it as exec:COMMAND"),
        ("exec:./no-such-program", "does not exist"),
        ("exec:no-such-program-anywhere", "does not exist"),
        ("exec:'unbalanced", "cannot be read"),
    ],
)
def test_commands_that_cannot_be_run_are_named(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        load_bot(text)


def test_a_file_that_may_not_be_executed_is_named(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_text("#!/bin/sh\n")
    with pytest.raises(InputError, match=r"may not be executed \(chmod \+x\)"):
        load_bot(f"exec:{program}")


def test_a_program_without_an_interpreter_is_named(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    with pytest.raises(InputError, match="cannot be started"):
        _ = load_bot(f"exec:{program}").memory


@given(st.binary(max_size=300) | st.text(max_size=100).map(str.encode))
def test_any_line_is_read_or_refused(line: bytes) -> None:
    for parse in (parse_hello, parse_ready, parse_answer):
        with contextlib.suppress(BadLine):
            parse(line)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["type", "id", "action", "protocol", "name", "memory", "processes"]), JSON))
def test_any_object_is_read_or_refused(message: dict[str, Any]) -> None:
    line = json.dumps(message).encode()
    for parse in (parse_hello, parse_ready, parse_answer):
        with contextlib.suppress(BadLine):
            parse(line)


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None)
@given(st.sampled_from([b'{"id": 7, "action": 0}', b'{"type": "hello", "protocol": 1, "memory": false}']), st.data())
def test_mutated_lines_are_read_or_refused(line: bytes, data: st.DataObject) -> None:
    letters = bytearray(line)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(letters) - 1))
        letters[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        letters = letters or bytearray(b"0")
    for parse in (parse_hello, parse_ready, parse_answer):
        with contextlib.suppress(BadLine):
            parse(bytes(letters))


def test_deep_and_long_lines_are_refused() -> None:
    for line in (b"[" * 60_000, b"9" * 60_000, b'{"id":' + b"9" * 60_000 + b"}"):
        with pytest.raises(BadLine):
            parse_answer(line)


def test_cards_are_written_as_everywhere() -> None:
    assert [format_card(card) for card in np.arange(52).tolist()][::17] == ["2c", "6d", "Th", "As"]
