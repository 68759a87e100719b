"""A spot on many boards: each as if it were alone, whoever solves it, and gone on with after an end."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crews import PickledCrew
from luckless import pieces
from luckless.bots.catalogue import load_bot
from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.matches.match import Match
from luckless.rules.game import Game
from luckless.solve.exploiting import exploit
from luckless.solve.given_games import spot_values, tasks_of
from luckless.solve.many_boards import BoardsJob, ManyBoards, drawn_boards, solve_boards
from luckless.solve.solution import solve
from luckless.solve.strategy_file import Task
from shell import Shell

NARROW = ["AA,KQs,JTs:0.5,77", "QQ,AKo,JT,77"]


@pytest.fixture
def task() -> Task:
    return tasks_of("river-hu", _spot("Ks9h5s3d2c"), None, 1)[0]


def _spot(board: str) -> dict[str, Any]:
    spot = spot_values("river-hu", {"board": board, "ranges": NARROW}, ["100%,all-in/all-in"])
    assert spot is not None
    return spot


def _solved(task: Task, count: int = 5, **more: Any) -> ManyBoards:
    return solve_boards([task], count, seed=3, iterations=40, target=None, **more)


def test_boards_are_those_that_a_match_deals() -> None:
    match = Match.plan(Game.load("river-hu"), [load_bot("call"), load_bot("fold")], hands=4, seed=7, decks="fresh")
    dealt = np.concatenate([chunk.records.decks for chunk in match.chunks()])[:, -5:]
    drawn = drawn_boards(5, 4, 7)
    assert [parse_cards(board) for board in drawn] == dealt.tolist()
    assert [board[:6] for board in drawn] == drawn_boards(3, 4, 7)


def test_each_board_is_solved_as_if_it_were_alone(task: Task) -> None:
    many = _solved(task)
    for result in many.boards:
        alone = Task(task.game, {**(task.spot or {}), "board": result.board}, task.algorithm, 1).solver()
        solution = solve(alone, "river-hu", 40, None)
        assert result.iterations == 40
        assert result.value == solution.measured.value
        assert result.exploitability == solution.measured.exploitability
        assert result.exploitability_pot == solution.measured.pot_share
    told = many.to_dict()
    assert told["value"] == pytest.approx(np.mean([result.value for result in many.boards]))
    assert told["exploitability_pot"] == pytest.approx(np.mean([result.exploitability_pot for result in many.boards]))
    assert told["value_ci95"][0] < told["value"] < told["value_ci95"][1]
    assert many.worst.exploitability_pot == max(result.exploitability_pot for result in many.boards)


def test_a_crew_solves_the_same(task: Task) -> None:
    crew = PickledCrew()
    with pieces.using(crew):
        shared = _solved(task, 10)
    assert [len(piece) for piece in crew.pieces] == [8, 2]
    assert shared.boards == _solved(task, 10).boards


def test_a_crew_works_out_the_same_responses() -> None:
    alone = exploit("call", "river-hu", boards=2, seed=5)
    crew = PickledCrew()
    with pieces.using(crew):
        assert exploit("call", "river-hu", boards=2, seed=5) == alone
    assert len(crew.pieces) == 2


def test_finished_boards_are_kept(task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, whole = tmp_path / "boards", _solved(task).boards
    done: list[str] = []
    honest = BoardsJob.solved

    def counting(job: BoardsJob, boards: Sequence[str]) -> list[Any]:
        if len(done) == most:
            raise KeyboardInterrupt
        done.extend(boards)
        return honest(job, boards)

    most = 2
    monkeypatch.setattr(BoardsJob, "solved", counting)
    monkeypatch.setenv("LUCKLESS_THREADS", "1")
    with pytest.raises(KeyboardInterrupt):
        _solved(task, save=path)
    most = 5
    assert _solved(task, save=path).boards == whole
    assert len(done) == 5
    with pytest.raises(InputError, match="another bot, game or settings"):
        solve_boards([task], 5, seed=3, iterations=41, target=None, save=path)


def test_a_turn_draws_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("turn.toml").write_text(f'board = "Td9d6hQc"\nranges = {json.dumps(NARROW)}\npot = 20\nstack = 40\n')
    words = ("solve", "turn.toml", "--boards", "2", "--iterations", "20")
    shell = Shell(monkeypatch, capsys)
    told = shell.json(*words)
    assert [board["board"] for board in told["boards"]] == drawn_boards(4, 2, 1)
    assert told["iterations"] == 40
    assert told["exploitability"] == pytest.approx(20 * told["exploitability_pot"])
    _, out, _ = shell.run(*words)
    assert "2 boards drawn with seed 1" in out
    assert all(board in out for board in drawn_boards(4, 2, 1))


def test_what_does_not_go_with_many_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shell = Shell(monkeypatch, capsys)
    river = ("solve", "river-hu", "--boards")
    assert "--boards is 0; allowed is 1 to 1,000,000" in shell.refused(*river, "0")
    assert "--board is for a single board" in shell.refused(*river, "2", "--board", "Ks9h5s3d2c")
    assert "--report is for a single board" in shell.refused(*river, "2", "--report", "page.html")
    assert "--boards is for river-hu and files of spots" in shell.refused("solve", "kuhn", "--boards", "2")
    assert "by one algorithm" in shell.refused(*river, "2", "--algorithm", "all")
    assert "give --boards" in shell.refused("solve", "kuhn", "--on", "ray")
    assert "limit-hu becomes a blueprint" in shell.refused("solve", "limit-hu", "--boards", "2")
    assert "is empty on the board" in shell.refused(*river, "60", "--ranges", "KsKh", "QQ")
