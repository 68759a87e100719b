"""A person at the table: by pipe and on a pseudo-terminal, what is asked, shown, stored and judged."""

import io
import json
import signal
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.cards import format_card
from luckless.cli.sit_words import NotUnderstood, action_of, prompt_text
from luckless.histories.hand_detail import HandDetail, details
from luckless.histories.store import StoredHands
from luckless.histories.stored_match import load_match_result
from luckless.matches.match import Match
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.rules.views import View
from luckless.sitting.skill import result_lines
from luckless.skill.verdict import Knowledge
from pseudo_terminal import PseudoTerminal
from shell import Shell
from stored_hands import played


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys)


def sit(shell: Shell, monkeypatch: pytest.MonkeyPatch, typed: str, *words: str) -> str:
    """What is shown to a person who types some lines; leaving the table is no failure."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    code, out, err = shell.run("sit", *words)
    assert code == 0, err
    return out


def stored(folder: str = "t") -> list[HandDetail]:
    return [hand for batch in StoredHands.open(Path(folder)).columns() for hand in details(batch)]


def view_of(name: str, *actions: int) -> View:
    """The decision after some actions of a hand of a game."""
    table = Table.dealt(name, 1, [0])
    for action in actions:
        table.act(np.array([0]), [action])
    return table.views(np.array([0])).one(0)


def test_words_and_what_they_mean() -> None:
    facing, free, limit = view_of("nolimit-hu"), view_of("nolimit-hu", 0), view_of("limit-hu")
    for text, action in (("f", -1), ("fold", -1), ("c", 0), (" CALL ", 0), ("r 300", 300), ("r300", 300)):
        assert action_of(text, facing) == action
    for text, action in (("c", 0), ("check", 0), ("b 1,200", 1200), ("raise to 400", 400), ("all-in", 20_000)):
        assert action_of(text, free) == action
    assert action_of("r", limit) == limit.min_raise_to
    assert [action_of(text, free) for text in ("q", "quit", "?", "help")] == ["q", "q", "?", "?"]
    assert prompt_text(facing) == "f fold, c call 50, r AMOUNT raise to 200 to 20,000, ? help > "
    assert prompt_text(limit) == "f fold, c call 5, r raise to 20, ? help > "
    assert prompt_text(view_of("nolimit-hu", 0, 0)).startswith("c check, b AMOUNT bet 100 to 19,900")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "nothing was typed; type f, c, r AMOUNT"),
        ("x", "'x' is not an answer"),
        ("f", "nothing is to call: c checks for nothing"),
        ("r", "say how much: r 200 to r 20,000"),
        ("r much", "'much' is not a whole number of chips"),
        ("r 1.5", "is not a whole number of chips"),
        ("r ٣٠٠", "is not a whole number of chips"),
        ("r 199", "199 is not allowed: r 200 to r 20,000"),
        ("b 20001", "20,001 is not allowed"),
    ],
)
def test_bad_input_is_explained(text: str, problem: str) -> None:
    with pytest.raises(NotUnderstood, match=problem):
        action_of(text, view_of("nolimit-hu", 0))


def test_a_closed_raise_and_an_all_in_call() -> None:
    closed = view_of("nolimit-hu", 20_000)
    assert prompt_text(closed) == "f fold, c call 19,900 (all-in), ? help > "
    assert action_of("all-in", closed) == 0
    with pytest.raises(NotUnderstood, match="raising is closed; c calls, f folds"):
        action_of("r 500", closed)
    with pytest.raises(NotUnderstood, match="you cannot go all-in here: r 20"):
        action_of("all-in", view_of("limit-hu"))


@pytest.mark.parametrize("game", ["nolimit-3max", "limit-hu", "river-hu"])
def test_a_person_who_always_calls_plays_as_the_bot_that_does(
    game: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = ["uniform"] * (Game.load(game).seats - 1)
    monkeypatch.setattr("luckless.cli.sitting.result_lines", lambda *_: [])
    out = sit(shell, monkeypatch, "c\n" * 6000, *bots, "--game", game, "--hands", "12", "--seed", "5", "--save", "t")
    caller = load_bot("you=call")
    players = [caller, *map(load_bot, bots)]
    match = Match.plan(Game.load(game), players, hands=12, seed=5, decks="fresh", sealed=True)
    twin = [hand for chunk in match.chunks() for hand in details(chunk.hands)]
    assert [(hand.names, hand.payoffs, hand.steps) for hand in stored()] == [
        (hand.names, hand.payoffs, hand.steps) for hand in twin
    ]
    assert "could try out every seed" in out


def test_no_hidden_card_is_shown(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of cards that the person never may see none is told; a board card only after its street was reached."""
    out = sit(shell, monkeypatch, "c\n" * 300, "uniform", "raise", "--game", "nolimit-3max", "--hands", "25",
              "--save", "t")  # fmt: skip
    told = out.split("\nHand ")[1:]
    hands, hidden = stored(), 0
    assert len(told) == len(hands) == 25
    for text, hand in zip(told, hands, strict=True):
        seat = hand.names.index("you")
        shown = {turn.seat for turn in hand.show_order() if turn.shows} if hand.showdown else set()
        seen = {*hand.board, *hand.hole(seat)} | {card for other in shown for card in hand.hole(other)}
        for card in set(range(52)) - seen:
            assert f" {format_card(card)}" not in text
        hidden += len(shown | {seat}) < 3
        assert text.index("Your cards") < min(
            (text.find(word) for word in ("FLOP", "flop:") if word in text), default=9999
        )
    assert hidden > 5


def test_hands_are_stored_resumed_and_read_by_all_others(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    first = sit(shell, monkeypatch, "c\nc\nc\nc\nc\nc\nq\n", "call", "--save", "t")
    before = len(stored())
    assert before >= 1
    assert f"{before} hand" in first
    assert "luck of the cards and of the bots' choices removed (AIVAT): " in first
    again = sit(shell, monkeypatch, "c\n" * 60, "call", "--save", "t")
    hands = stored()
    assert f"Played here before: {before:,} hand" in again
    assert [hand.number for hand in hands] == list(range(len(hands)))
    assert len(hands) > before + 5
    result = load_match_result(Path("t"))
    assert (result.hands, result.match.hands, result.interrupted) == (len(hands), len(hands), False)
    assert result.match.seed >= 1 << 64, "the seed is secret"
    assert result.tally.net_chips[0] == sum(hand.payoffs[hand.names.index("you")] for hand in hands)
    assert shell.json("query", "t", "select count(*) as n from hands")["rows"][0][0] == len(hands)
    for words in (("verify", "t"), ("replay", "t", "--hand", "0"), ("report", "t")):
        code, _, err = shell.run(*words)
        assert code == 0, err
    assert "holds another match" in refused(shell, monkeypatch, "raise", "--save", "t")


def refused(shell: Shell, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    return shell.refused("sit", *words)


def test_every_hand_that_is_over_is_on_disk(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a kill leaves: nothing is written after the last hand, and yet it is stored."""
    seen: list[int] = []

    class Keyboard:
        def readline(self) -> str:
            seen.append(StoredHands.open(Path("t")).hands if Path("t").exists() else 0)
            return "f\n"

    monkeypatch.setattr(sys, "stdin", Keyboard())
    shell.run("sit", "raise", "--hands", "5", "--save", "t", "--seed", "1", "--game", "limit-hu")
    assert sorted(set(seen)) == sorted(seen)  # one question a hand, and each finds the hands before it
    assert seen[-1] >= 3


def test_the_result_as_json_stands_alone(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("c\n" * 100))
    code, out, err = shell.run("sit", "call", "--hands", "3", "--seed", "1", "--json")
    assert code == 0
    assert json.loads(out)["hands"] == 3
    assert "Your cards" in err
    assert "? help >" in err
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
    _, out, err = shell.run("sit", "call", "--hands", "1", "--seed", "1", "--json")
    assert json.loads(out)["hands"] == 1
    assert "1 hand," in err


def test_wrong_calls_are_refused(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "has only 2 seats" in refused(shell, monkeypatch, "call", "call")
    assert "a name of printable characters" in refused(shell, monkeypatch, "call", "--name", "\x1b[2J")
    assert "hands is 0" in refused(shell, monkeypatch, "call", "--hands", "0")
    assert "unknown bot" in refused(shell, monkeypatch, "nobody")


def test_leaving_within_a_hand_folds_it(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else somebody could look at the flop, leave, and be dealt the same cards again."""
    sit(shell, monkeypatch, "r 300\nq\n", "raise", "--save", "t", "--seed", "3")
    (hand,) = stored()
    assert hand.steps[-1].action == -1
    assert hand.names[hand.steps[-1].seat] == "you"
    sit(shell, monkeypatch, "", "raise", "--save", "t")
    assert [one.deal for one in stored()] == [0, 1]


def test_luck_is_removed_as_far_as_the_game_allows() -> None:
    hands = replace(played(Game.load("nolimit-hu"), 40), names=("you", "bot"))
    money, adjusted, *_ = result_lines([hands], "you")
    assert money.startswith("money: ")
    assert adjusted.startswith("luck of the cards removed: ")
    assert "95 % interval" in adjusted
    known = result_lines([hands], "you", Knowledge({"bot": load_bot("uniform")}))
    assert known[0] == money
    assert known[1].startswith("luck of the cards and of the bots' choices removed (AIVAT): ")


@pytest.mark.slow
def test_limit_heads_up_is_judged_by_divat() -> None:
    hands = replace(played(Game.load("limit-hu"), 6), names=("you", "bot"))
    assert result_lines([hands], "you")[1].startswith("luck of the cards removed (DIVAT): ")


def test_a_terminal_has_colours_and_ctrl_c_keeps_everything(tmp_path: Path) -> None:
    terminal = PseudoTerminal("sit", "call", "--hands", "50", "--save", "t", folder=tmp_path)
    terminal.wait_for("? help > ")
    assert "\x1b[" in terminal.raw
    terminal.type("nonsense\n")
    terminal.wait_for("'nonsense' is not an answer")
    terminal.wait_for("? help > ")
    terminal.type("c\n")
    terminal.wait_for("? help > ")
    terminal.type("\x03")
    terminal.wait_for("You leave the table")
    assert terminal.end() == 0
    (hand,) = [hand for batch in StoredHands.open(tmp_path / "t").columns() for hand in details(batch)]
    assert hand.showdown or hand.steps


@pytest.mark.slow
def test_a_closed_terminal_keeps_everything(tmp_path: Path) -> None:
    closed = PseudoTerminal("sit", "call", "--save", "t", folder=tmp_path)
    closed.wait_for("? help > ")
    closed.process.send_signal(signal.SIGHUP)
    assert closed.end() == 0
    assert StoredHands.open(tmp_path / "t").hands == 1
