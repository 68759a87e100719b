"""Hands as pictures: chips never vanish, the last picture is the result, nothing is shown before its time."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from luckless.histories.biggest import biggest_pots, contested
from luckless.histories.hand_detail import HandDetail, details
from luckless.histories.hand_frames import Frame, amount_text, frames_of
from luckless.report.replay_page import replay_page
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from pseudo_terminal import PseudoTerminal
from shell import Shell
from stored_hands import played

ANTES = Game(
    name="antes", betting="no-limit", seats=4, blinds=(1, 2, 0, 0), antes=(0, 3, 0, 0), stacks=(4, 30, 11, 60)
)
GAMES = [Game.load("nolimit-6max"), Game.load("limit-3max"), Game.load("river-hu"), ANTES]


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_chips_never_vanish_and_the_last_picture_is_the_result(game: Game) -> None:
    side_pots = 0
    for hand in details(played(game, 120)):
        frames, total = frames_of(hand), sum(hand.stacks) + game.pot
        for frame in frames[:-1]:
            assert sum(seat.stack for seat in frame.seats) + frame.pot == total
            assert sum(frame.pots) + sum(seat.bet for seat in frame.seats) == frame.pot
        start = [stack + game.pot_share for stack in hand.stacks]
        assert [seat.stack for seat in frames[-1].seats] == [
            stack + payoff for stack, payoff in zip(start, hand.payoffs, strict=True)
        ]
        check_order(hand, frames)
        side_pots += len(frames[-2].pots) > 1
    assert side_pots > 0 or game is not ANTES


def check_order(hand: HandDetail, frames: list[Frame]) -> None:
    """The board comes street by street; cards lie open only at the showdown, and then to the end."""
    boards = [frame.board for frame in frames]
    assert boards == sorted(boards)
    assert set(boards) <= {BOARD_CARDS[street] for street in range(len(STREETS))}
    assert boards[-1] == len(hand.board)
    shown = [sum(seat.shows for seat in frame.seats) for frame in frames]
    assert shown == sorted(shown)
    assert (shown[-1] > 0) == hand.showdown
    steps = [frame for frame in frames if frame.actor is not None and frame.street != "showdown"]
    assert len(steps) - (hand.returned()[1] > 0) <= len(hand.steps) <= len(steps)


def test_the_biggest_pots_are_those_of_a_plain_sort() -> None:
    for game in GAMES:
        hands = played(game, 200)
        plain = [sum(hand.invested) - hand.returned()[1] for hand in details(hands)]
        assert contested(hands).tolist() == plain
        order = sorted(range(len(plain)), key=lambda row: (-plain[row], row))[:7]
        halves = [hands.rows(slice(0, 90)), hands.rows(slice(90, 200))]
        found = biggest_pots(halves, 7)
        assert [one.chips for one in found] == [plain[row] for row in order]
        assert [one.hand.number for one in found] == [int(hands.numbers[row]) for row in order]


def test_amounts_have_separators_and_the_units_of_the_source() -> None:
    assert amount_text(1_234_567) == "1,234,567"
    assert amount_text(123_450, 100) == "1,234.50"


def data_of(page: str) -> Any:
    (text,) = re.findall(r'<script type="application/json" id="hands">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def test_a_page_holds_what_is_shown_and_loads_nothing() -> None:
    hands = list(details(played(Game.load("nolimit-6max"), 30)))
    page = replay_page("thirty", hands)
    assert "http" not in page
    told = data_of(page)
    assert [hand["number"] for hand in told] == [hand.key for hand in hands]
    assert [frame["text"] for frame in told[3]["frames"]] == [frame.text for frame in frames_of(hands[3])]
    assert all(seat["cards"] is not None for hand in told for seat in hand["seats"])


def test_a_page_for_one_seat_holds_no_hidden_card() -> None:
    hands = list(details(played(Game.load("nolimit-6max"), 60)))
    hidden = 0
    for hand, told in zip(hands, data_of(replay_page("one seat", hands, viewer=2)), strict=True):
        shown = {turn.seat for turn in hand.show_order() if turn.shows} if hand.showdown else set()
        for seat in range(6):
            assert (told["seats"][seat]["cards"] is not None) == (seat == 2 or seat in shown)
            hidden += told["seats"][seat]["cards"] is None
    assert hidden > 100
    assert 'id="open"' not in replay_page("one seat", hands, viewer=2)


def test_names_cannot_break_out_of_a_page_or_move_the_cursor() -> None:
    hands = played(Game.load("nolimit-hu"), 2)
    evil = replace(hands, names=("</script><script>alert(1)</script>", "a\x1b[2J<b>&amp;"))
    page = replay_page("<title>", list(details(evil)))
    assert page.count("<script") == 2
    assert "alert(1)<" not in page
    assert "<title><title>" not in page
    names = {seat["name"] for seat in data_of(page)[0]["seats"]}
    assert names == {"</script><script>alert(1)</script>", "a\\x1b[2J<b>&amp;"}


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands run in a folder with a stored match."""
    monkeypatch.chdir(tmp_path)
    here = Shell(monkeypatch, capsys)
    code, _, err = here.run(
        "match", "uniform", "call", "raise", "--game", "nolimit-3max", "--hands", "60", "--save", "m"
    )
    assert code == 0, err
    return here


def test_the_command_lists_pots_and_writes_pages(shell: Shell) -> None:
    listed = shell.json("replay", "m", "--biggest", "3")["hands"]
    assert [row["pot"] for row in listed] == sorted((row["pot"] for row in listed), reverse=True)
    assert set(listed[0]) == {"hand", "pot", "pot_bb", "ended", "winners"}
    _, out, _ = shell.run("replay", "m", "--biggest", "3")
    assert out.splitlines()[1].split()[:2] == [str(listed[0]["hand"]), f"{listed[0]['pot']:,}"]
    for words, count in ((("--biggest", "3"), 3), (("--hand", "7"), 1), ((), 60)):
        code, out, err = shell.run("replay", "m", *words, "--html", "page.html")
        assert code == 0, err
        assert out == f"page: page.html ({count} hands)\n"
        assert len(data_of(Path("page.html").read_text())) == count
    assert "exclude each other" in shell.refused("replay", "m", "--hand", "1", "--biggest", "2")
    assert "has no hand 99" in shell.refused("replay", "m", "--hand", "99", "--html", "page.html")
    assert "needs a terminal" in shell.refused("replay", "m")
    assert "there is no seat 3" in shell.refused("replay", "m", "--hand", "1", "--seat", "3", "--html", "page.html")


def test_keys_step_through_hands(shell: Shell, tmp_path: Path) -> None:
    terminal = PseudoTerminal("replay", "m", "--hand", "5", "--step", folder=tmp_path)
    first = terminal.wait_for("q quit")
    assert "Hand 5, nolimit-3max" in first
    assert "1 of " in first
    assert "\x1b[" in terminal.raw
    for keys, shown in (
        ("n", "2 of "),
        ("\x1b[C", "3 of "),
        ("b", "2 of "),
        ("\x1b[D", "1 of "),
        ("h", "Hand 6, "),
        ("\x1b[A", "Hand 5, "),
        ("\x1b[B", "Hand 6, "),
        ("b", "Hand 5, "),
        (" ", "Hand 6, "),
    ):
        terminal.type(keys)
        assert shown in terminal.wait_for("q quit")
    assert terminal.text.count("?? ??") > 20
    terminal.type("o")
    assert "?? ??" not in terminal.wait_for("q quit")
    terminal.type("q")
    assert terminal.end() == 0
