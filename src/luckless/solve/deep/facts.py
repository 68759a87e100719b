"""What networks are told about a small game: facts that hold or do not, each of them an input of 0 or 1."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.solve.leduc import LeducState


class Facts(NamedTuple):
    """How a game is told: what a player knows at an infoset (by its text), and all that has happened on a path."""

    of_infoset: Callable[[str], list[str]]
    of_history: Callable[[Any, Sequence[str]], list[str]]


def _plain_infoset(text: str) -> list[str]:
    """Each character by its place: enough for any game whose texts are built alike."""
    return [f"{place} {character}" for place, character in enumerate(text)]


def _plain_history(state: Any, path: Sequence[str]) -> list[str]:
    return [f"{place} {move}" for place, move in enumerate(path)]


def _lines(rounds: Sequence[str]) -> list[str]:
    return [f"{number} {place} {action}" for number, line in enumerate(rounds) for place, action in enumerate(line)]


def _leduc_infoset(text: str) -> list[str]:
    """Ranks without suits, whether they pair, and the betting."""
    own, *board, lines = text.split(" ")
    shown = [f"board {board[0][0]}", f"pair {own[0] == board[0][0]}"] if board else []
    return [f"own {own[0]}", *shown, *_lines(lines.split("/"))]


def _leduc_history(state: LeducState, path: Sequence[str]) -> list[str]:
    """Ranks of all cards, who pairs, who is ahead, and the betting."""
    ranks = [card[0] for card in state.cards]
    told = [f"card {place} {rank}" for place, rank in enumerate(ranks)]
    if len(ranks) > 2:
        told += [f"pair {player}" for player in (0, 1) if ranks[player] == ranks[2]]
    return told + _lines(state.rounds)


_TOLD = {"leduc": Facts(_leduc_infoset, _leduc_history)}


def facts_of(game: str) -> Facts:
    """How a game is told: by ranks and betting for Leduc, else by the characters of its texts and its moves."""
    return _TOLD.get(game, Facts(_plain_infoset, _plain_history))


def numbered(told: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """A row of inputs for each list of facts; the facts in alphabetical order are the columns."""
    names = sorted({fact for facts in told for fact in facts})
    column = {name: place for place, name in enumerate(names)}
    inputs = np.zeros((len(told), max(len(names), 1)), np.float32)
    for row, facts in enumerate(told):
        inputs[row, [column[fact] for fact in facts]] = 1.0
    return inputs
