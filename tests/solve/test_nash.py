"""`nash`: what it plays, what it promises, and what it keeps on disk."""

import os
from pathlib import Path

import numpy as np
import pytest

from luckless.bots.bot import all_hands
from luckless.bots.catalogue import load_bot
from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS, pair_numbers
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.rules.views import Views
from luckless.solve import board_store
from luckless.solve.board_solutions import TARGET, BoardSolution, solve_boards
from luckless.solve.board_source import SolvedBoards
from luckless.solve.board_store import BoardStore
from luckless.solve.nash_bot import NashBot
from luckless.solve.river_game import RiverGame
from luckless.solve.river_responses import respond

GAME = Game.load("river-hu")
RIVER = RiverGame.of(GAME)
BOARD = tuple(parse_cards("2s6d8hQcAd"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("boards")


@pytest.fixture(scope="module")
def nash(folder: Path) -> NashBot:
    return NashBot(folder=folder)


def situation(board: tuple[int, ...], *history: int) -> Views:
    rest = [card for card in range(52) if card not in board][:4]
    table = Table(GAME, np.array([[*rest, *board]], np.uint8))
    for action in history:
        table.act(np.array([0]), [action])
    return table.views(np.array([0]))


@pytest.mark.parametrize(
    "history", [(), (0,), (100,), (137,), (300, 1500), (0, 250, 1000), (9900,), (0, 100, 200, 300)]
)
def test_its_law_is_legal_and_sums_to_one(nash: NashBot, history: tuple[int, ...]) -> None:
    views = situation(BOARD, *history)
    law, numbers = all_hands(nash, views)
    situations, _ = views.with_all_hands(0)
    law.checked(situations)
    assert len(numbers) == 1081
    assert np.abs(law.probability.sum(axis=1) - 1).max() < 1e-12


def test_no_best_response_with_its_sizes_wins_more_than_it_promises(nash: NashBot) -> None:
    """Worked out from the bot's own answers, by other code than the solver's."""
    lost = respond(nash, GAME, BOARD, RIVER.menu).loss
    policy = nash.policy_for(GAME)
    assert isinstance(policy, SolvedBoards)
    (stated,) = (solution.exploitability for solution in policy._memory.values())
    assert lost == pytest.approx(stated * RIVER.pot, abs=1e-9)
    assert 0 < lost <= TARGET * RIVER.pot


def test_other_sizes_win_more(nash: NashBot) -> None:
    assert respond(nash, GAME, BOARD).loss > TARGET * RIVER.pot


def test_boards_equal_up_to_suits_are_played_alike(nash: NashBot) -> None:
    turn = np.array([2, 0, 3, 1])
    other = tuple(int(card // 4 * 4 + turn[card % 4]) for card in reversed(BOARD))
    law, numbers = all_hands(nash, situation(BOARD, 137))
    turned, found = all_hands(nash, situation(other, 137))
    place = {int(number): row for row, number in enumerate(found)}
    cards = PAIR_CARDS[numbers]
    images = pair_numbers(cards // 4 * 4 + turn[cards % 4])
    rows = [place[int(image)] for image in images]
    assert (turned.probability[rows] == law.probability).all()


def test_a_solution_depends_on_the_board_alone() -> None:
    boards = [(0, 5, 10, 15, 20), (1, 6, 30, 33, 50), (2, 3, 18, 22, 47)]
    together = solve_boards(RIVER, boards, threads=3)
    alone = [solve_boards(RIVER, [board], threads=1)[0] for board in reversed(boards)][::-1]
    for one, other in zip(together, alone, strict=True):
        assert one.exploitability == other.exploitability <= TARGET
        assert all((a == b).all() for a, b in zip(one.strategies, other.strategies, strict=True))


def made_up(seed: int = 1) -> BoardSolution:
    rng = np.random.default_rng(seed)
    first, second = (rng.integers(0, 65536, (slots, 1081), np.uint16) for slots in RIVER.tree.slots)
    return BoardSolution((first, second), 0.004)


def same(one: BoardSolution | None, other: BoardSolution) -> bool:
    return (
        one is not None
        and one.exploitability == other.exploitability
        and all((a == b).all() for a, b in zip(one.strategies, other.strategies, strict=True))
    )


def test_the_disk_gives_back_what_was_kept(tmp_path: Path) -> None:
    store, solution = BoardStore(RIVER, tmp_path), made_up()
    assert store.load(BOARD) is None
    store.save(BOARD, solution)
    assert same(BoardStore(RIVER, tmp_path).load(BOARD), solution)
    assert BoardStore(RiverGame(200, 5000, 100), tmp_path).load(BOARD) is None


@pytest.mark.parametrize("damage", ["short", "flipped", "empty", "other board", "text", "folder"])
def test_a_damaged_or_foreign_file_is_not_believed(tmp_path: Path, damage: str) -> None:
    store, solution = BoardStore(RIVER, tmp_path), made_up()
    store.save(BOARD, solution)
    (file,) = store.folder.iterdir()
    data = file.read_bytes()
    if damage == "folder":
        file.unlink()
        file.mkdir()
    elif damage == "other board":
        store.save((1, 2, 3, 4, 5), made_up(2))
        other = next(path for path in store.folder.iterdir() if path != file)
        other.replace(file)
    else:
        file.write_bytes(
            {"short": data[:-9], "flipped": data[:500] + bytes([data[500] ^ 4]) + data[501:], "empty": b"",
             "text": b"not a board at all, but long enough to be looked at"}[damage]
        )  # fmt: skip
    assert store.load(BOARD) is None
    store.save(BOARD, solution)  # replaced where that is possible, and never an error
    assert damage == "folder" or same(store.load(BOARD), solution)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of POSIX")
def test_a_folder_that_cannot_be_written_to_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "nash").write_text("a file where the folder should be")
    store = BoardStore(RIVER, tmp_path)
    store.save(BOARD, made_up())
    assert store.load(BOARD) is None


def test_the_folder_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_store, "MOST_BOARDS", 5)
    monkeypatch.setattr(board_store, "_SPARE", 3)
    store, solution = BoardStore(RIVER, tmp_path), made_up()
    for number in range(30):
        store.save((number, 40, 41, 42, 43), solution)
    assert 5 <= len(list(store.folder.iterdir())) <= 11
    assert store.load((29, 40, 41, 42, 43)) is not None


def test_it_refuses_games_that_it_was_not_made_for(nash: NashBot) -> None:
    for name, reason in (("nolimit-hu", "starts preflop"), ("limit-hu", "is limit")):
        with pytest.raises(InputError, match=f"nash plays river-hu .*; game {name} .*{reason}"):
            play_match(Match.plan(Game.load(name), [load_bot("nash"), load_bot("call")], hands=2))


def fixed(board: str) -> Game:
    return Game.from_dict({**GAME.to_dict(), "name": "one-board", "board": board})


@pytest.mark.parametrize("opponent", ["random", "call", "raise", "all-in", "pot-odds", "value-bet"])
def test_no_bot_wins_from_it(nash: NashBot, opponent: str) -> None:
    """A small share of the slow test: two boards, so that no time goes into solving."""
    for board in ("2s6d8hQcAd", "7h7d3cKs9s"):
        match = Match.plan(fixed(board), [nash, load_bot(opponent)], hands=2000, seed=5)
        rate = play_match(match).estimate(1)
        assert rate.stderr is not None
        assert rate.mean - 4 * rate.stderr < 1000 * TARGET * GAME.pot / GAME.big_blind


def test_the_match_does_not_depend_on_how_it_is_cut(nash: NashBot) -> None:
    players = [nash, load_bot("uniform")]
    whole = play_match(Match.plan(fixed("2s6d8hQcAd"), players, hands=600, seed=2))
    again = play_match(Match.plan(fixed("2s6d8hQcAd"), [NashBot(threads=1), load_bot("uniform")], hands=600, seed=2))
    assert whole.to_dict()["bots"] == again.to_dict()["bots"]


def test_its_fingerprint_is_that_of_its_kind(nash: NashBot) -> None:
    assert nash.fingerprint() == load_bot("nash").fingerprint()
    assert nash.fingerprint() != load_bot("call").fingerprint()
    assert load_bot("strong=nash").name == "strong"
