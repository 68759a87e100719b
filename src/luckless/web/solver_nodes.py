"""A node of a saved solution in plain values: line, board, actions, the 13 x 13 grid and every hand."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from luckless.cards import RANKS, format_card
from luckless.hands.pairs import PAIR_CARDS
from luckless.hands.preflop import class_numbers
from luckless.solve.decisions import Frequencies
from luckless.solve.nodes import HandRow, Position, Walk
from luckless.solve.spot import STREETS

PLAYERS = ("first", "second")
_WORDS = {"x": "check", "c": "call", "f": "fold"}


def node_of(walk: Walk, words: Sequence[str]) -> dict[str, Any]:
    """The node that a line leads to."""
    position = walk.at(words)
    decision = walk.decision(position)
    stakes = walk.solver.spot.stakes
    board = walk.board(position)
    told: dict[str, Any] = {
        "line": list(words),
        "steps": _steps(walk, words),
        "board": [format_card(card) for card in board],
        "street": STREETS[len(board)],
        "pot": stakes.pot + sum(position.put_in),
        "behind": [stakes.stack - chips for chips in position.put_in],
        "over": position.over,
        "cards": [],
        "player": None,
        "actions": [],
        "cells": [],
        "hands": [],
        "sampled": len(board) == 3,
    }
    if position.deal is not None:
        told["cards"] = [{"card": card, "many": many} for card, many in walk.cards_after(position)]
    if decision is None:
        return told
    rows = walk.rows(position, decision)
    weights = np.array([row.weight for row in rows])
    shares = np.array([row.shares for row in rows])
    total = float(weights.sum())
    taken = weights @ shares / total if total > 0 else shares.mean(axis=0)
    told["player"] = PLAYERS[decision.player]
    told["actions"] = [
        {"word": word, "text": text, "share": float(share)}
        for word, text, share in zip(walk.words_of(decision), decision.actions, taken, strict=True)
    ]
    told["reach"] = _own_reach(walk, position, decision.player)
    told["cells"] = _cells(rows)
    told["hands"] = [_hand(row) for row in rows if row.weight > 1e-6]
    return told


def _own_reach(walk: Walk, position: Position, player: int) -> float:
    """How much of his range the player brings here by his own choice."""
    begin = float(walk.at([]).reach[player].sum())
    return float(position.reach[player].sum()) / begin


def _steps(walk: Walk, words: Sequence[str]) -> list[dict[str, str]]:
    """What was done so far, in words."""
    steps = []
    for place, word in enumerate(words):
        before = walk.at(words[:place])
        decision = walk.decision(before)
        if decision is None:
            steps.append({"who": "card", "text": word})
        else:
            text = decision.actions[walk.words_of(decision).index(word)]
            steps.append({"who": PLAYERS[decision.player], "text": text})
    return steps


def _cells(rows: Sequence[HandRow]) -> list[dict[str, Any]]:
    """The classes of hands, aces first, suited hands above the diagonal; means weighted by how often hands come."""
    classes = class_numbers(PAIR_CARDS[[row.pair for row in rows]]) if rows else np.zeros(0, np.int64)
    weights = np.array([row.weight for row in rows])
    total = np.bincount(classes, weights, 169)

    def mean(values: Sequence[float]) -> Any:
        known = np.nan_to_num(np.array(values))
        with np.errstate(divide="ignore", invalid="ignore"):
            return (np.bincount(classes, weights * known, 169) / total).reshape(13, 13)[::-1, ::-1]

    actions = [mean([row.shares[place] for row in rows]) for place in range(len(rows[0].shares))] if rows else []
    ev, equity = mean([row.ev for row in rows]), mean([row.equity for row in rows])
    held = total.reshape(13, 13)[::-1, ::-1]
    cells = []
    for row in range(13):
        for column in range(13):
            there = held[row, column] > 1e-6
            cells.append({
                "label": label_of(row, column),
                "weight": round(float(held[row, column]), 5),
                "shares": [round(float(one[row, column]), 4) for one in actions] if there else [],
                "ev": round(float(ev[row, column]), 3) if there else None,
                "equity": round(float(equity[row, column]), 4) if there else None,
            })  # fmt: skip
    return cells


def label_of(row: int, column: int) -> str:
    """The class at a place of the grid."""
    names = RANKS[::-1]
    if row == column:
        return names[row] * 2
    return names[min(row, column)] + names[max(row, column)] + ("s" if column > row else "o")


def _hand(row: HandRow) -> list[Any]:
    """One hand: its cards, weight, shares, value and equity."""
    low, high = PAIR_CARDS[row.pair]
    name = format_card(int(high)) + format_card(int(low))
    ev = None if math.isnan(row.ev) else round(row.ev, 2)
    equity = None if math.isnan(row.equity) else round(row.equity, 4)
    return [name, round(row.weight, 5), [round(share, 4) for share in row.shares], ev, equity]


def decision_rows(decisions: Sequence[Frequencies]) -> list[dict[str, Any]]:
    """The decisions of a small game."""
    return [
        {
            "line": one.line or "(start)",
            "player": PLAYERS[one.player],
            "reach": one.reach,
            "actions": [{"text": text, "share": share} for text, share in zip(one.actions, one.shares, strict=True)],
        }
        for one in decisions
    ]
