"""Perft: all betting sequences of a game counted to a depth, with either engine, and the file that keeps the counts.

`python tests/support/perft.py` counts every named game with the compiled engine and writes tests/rules/perft.txt
anew; a change in that file is a change of the rules.
"""

import copy
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.kernels import njit
from luckless.rules import engine
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import STREETS, Game
from luckless.rules.game_files import game_names
from luckless.rules.plain import PlainHand
from luckless.rules.state import FINISHED, PUBLIC, encode

PERFT = Path(__file__).parents[1] / "rules" / "perft.txt"
MOST_SEQUENCES, DEEPEST = 5_000_000, 24
"""The file goes down to the last depth with at most so many sequences, and no deeper than this."""
MENU_SIZE = 5

HEADER = """\
# Perft: how many betting sequences each named game has. Cards play no part in it.
#
# A sequence of depth d is d actions from the start of the hand. These actions are counted at each decision, equal
# ones once: fold (only when there is something to call), check or call, and, where a raise is allowed, the smallest
# raise, the raise by the pot (call, then raise by all that then lies in the pot, brought within what is allowed) and
# the largest raise (all-in, in pot-limit the pot). In limit that is every action but the fold in place of a check.
#
# sequences        all of this depth
# finished         those that end the hand
# preflop - river  the others, by the street of their next decision
# chips            what lies in the pots of those others, added up
#
# A game is counted to the depth at which all hands are over, but no deeper than 24 actions and 5,000,000 sequences.
# Written by `python tests/support/perft.py`; both engines are held to it.
"""
COLUMNS = ("depth", "sequences", "finished", *STREETS, "chips")


class Counts(NamedTuple):
    """The sequences of one depth."""

    sequences: int
    finished: int
    waiting: tuple[int, int, int, int]
    """Sequences that wait for a decision, by its street."""
    chips: int
    """The pots of those that wait, added up."""

    @classmethod
    def of_row(cls, row: Iterable[int]) -> "Counts":
        """From the numbers of a row in the order of the columns, without the depth."""
        sequences, finished, preflop, flop, turn, river, chips = (int(number) for number in row)
        return cls(sequences, finished, (preflop, flop, turn, river), chips)


# The plain engine


def plain_menu(hand: PlainHand) -> list[int]:
    """The actions that are counted at a decision."""
    legal = hand.legal()
    menu = [FOLD, CALL] if legal.call else [CALL]
    if not legal.can_raise:
        return menu
    level = hand.bets[hand.actor or 0] + legal.call
    pot_raise = level + hand.pot + legal.call
    raises = {legal.min_raise_to, max(legal.min_raise_to, min(pot_raise, legal.max_raise_to)), legal.max_raise_to}
    return menu + sorted(raises)


def plain_counts(game: Game, depth: int) -> list[Counts]:
    """The counts of depths 0 to `depth` by the plain engine."""
    rows = [[0] * 7 for _ in range(depth + 1)]
    waiting = [PlainHand(game, [card for card in range(52) if card not in game.board])]
    ahead: list[PlainHand] = []
    _note_plain(waiting[0], rows[0])
    for row in rows[1:]:
        for before in waiting:
            for action in plain_menu(before):
                hand = _copied(before)
                hand.do(action)
                _note_plain(hand, row)
                if not hand.finished:
                    ahead.append(hand)
        waiting, ahead = ahead, []
    return [Counts.of_row(row) for row in rows]


def _copied(hand: PlainHand) -> PlainHand:
    """The same hand once more, to be played on by itself."""
    other = copy.copy(hand)
    other.seats = [copy.copy(seat) for seat in hand.seats]
    other._events = hand._events.copy()
    return other


def _note_plain(hand: PlainHand, row: list[int]) -> None:
    row[0] += 1
    if hand.finished:
        row[1] += 1
    else:
        row[2 + hand.street] += 1
        row[6] += hand.pot


# The compiled engine. Its kernels are not cached on disk: the stamp of a cached kernel covers the package alone.


@njit(nogil=True)
def _fill_menu(hand: Any, menu: NDArray[np.int64]) -> int:
    """Writes the actions that are counted at a decision; returns how many there are."""
    size = 0
    if hand.to_call > 0:
        menu[size] = FOLD
        size += 1
    menu[size] = CALL
    size += 1
    if hand.max_raise_to == 0:
        return size
    least, most = np.int64(hand.min_raise_to), np.int64(hand.max_raise_to)
    pot_raise = np.int64(hand.street_bet[hand.actor] + 2 * hand.to_call + hand.pot)
    for raise_to in (least, max(least, min(pot_raise, most)), most):
        if raise_to > menu[size - 1]:
            menu[size] = raise_to
            size += 1
    return size


@njit(nogil=True)
def _note(hand: Any, row: NDArray[np.int64]) -> None:
    row[0] += 1
    if hand.actor == FINISHED:
        row[1] += 1
    else:
        row[2 + hand.street] += 1
        row[6] += hand.pot


@njit(nogil=True)
def _count(rules: NDArray[np.void], hands: NDArray[np.void], stacks: NDArray[np.int32], rows: NDArray[Any]) -> None:
    """Walks the tree depth first; `hands` has a record for each depth of the sequence that is being walked."""
    depth = len(rows) - 1
    menus = np.zeros((depth + 1, MENU_SIZE), np.int64)
    sizes = np.zeros(depth + 1, np.int64)
    tried = np.zeros(depth + 1, np.int64)
    engine.begin(rules[0], hands[0], stacks)
    _note(hands[0], rows[0])
    sizes[0] = _fill_menu(hands[0], menus[0]) if depth > 0 else 0
    level = 0
    while level >= 0:
        if tried[level] == sizes[level]:
            level -= 1
            continue
        action = menus[level, tried[level]]
        tried[level] += 1
        hands[level + 1] = hands[level]
        engine.act(rules[0], hands[level + 1], action)
        _note(hands[level + 1], rows[level + 1])
        if hands[level + 1].actor != FINISHED and level + 1 < depth:
            level += 1
            tried[level] = 0
            sizes[level] = _fill_menu(hands[level], menus[level])


def compiled_counts(game: Game, depth: int) -> list[Counts]:
    """The counts of depths 0 to `depth` by the compiled engine."""
    rows = np.zeros((depth + 1, 7), np.int64)
    _count(encode(game), np.zeros(depth + 1, PUBLIC), np.array(game.stacks, np.int32), rows)
    return [Counts.of_row(row) for row in rows]


# The file


def all_counts(game: Game) -> list[Counts]:
    """The counts of a game down to its end, or to the last depth that is not too large."""
    counts = compiled_counts(game, 1)
    while counts[-1].sequences > counts[-1].finished and len(counts) <= DEEPEST:
        deeper = compiled_counts(game, len(counts))
        if deeper[-1].sequences > MOST_SEQUENCES:
            break
        counts = deeper
    return counts


def text_of(games: Iterable[tuple[str, list[Counts]]]) -> str:
    """The file of some games."""
    return HEADER + "".join(line + "\n" for name, counts in games for line in _lines(name, counts))


def _lines(name: str, counts: list[Counts]) -> Iterator[str]:
    table = [[depth, c.sequences, c.finished, *c.waiting, c.chips] for depth, c in enumerate(counts)]
    cells = [list(COLUMNS), *([f"{number:,}" for number in row] for row in table)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    yield ""
    yield f"game {name}"
    for row in cells:
        yield "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))


def kept_counts() -> dict[str, list[Counts]]:
    """The counts of every game in the file; the row at place d is that of depth d."""
    games: dict[str, list[Counts]] = {}
    lines = [line.split() for line in PERFT.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    name = ""
    for words in lines:
        if words[0] == "game":
            name = words[1]
            games[name] = []
        elif words[0] != "depth":
            depth, *row = (int(word.replace(",", "")) for word in words)
            assert depth == len(games[name]), f"{name}: depth {depth} is out of order"
            games[name].append(Counts.of_row(row))
    return games


if __name__ == "__main__":
    PERFT.write_text(text_of((name, all_counts(Game.load(name))) for name in game_names()), encoding="utf-8")
    print(f"wrote {PERFT}")
