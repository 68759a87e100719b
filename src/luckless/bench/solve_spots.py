"""The spots of the benchmarks, as `luckless solve` takes them, and the endgames that lie in a checkout's tests."""

import json
import lzma
from pathlib import Path
from typing import Any

import numpy as np

from luckless.cards import parse_cards
from luckless.hands.pairs import PAIRS, pair_numbers
from luckless.solve.betting import Stakes
from luckless.solve.menus import Menu, parse_sizes
from luckless.solve.spot import Spot

RIVER: dict[str, Any] = {"board": "KsTh7s4d2s", "pot": 1000, "stack": 9500}
TURN: dict[str, Any] = {
    "board": "Td9d6hQc",
    "pot": 200,
    "stack": 900,
    "ranges": [
        "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
        "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
    ],
    "turn": {"bets": "60%,e,all-in", "raises": "2.5x"},
    "river": {"bets": "60%,e,all-in", "raises": "2.5x", "donk": "50%"},
    "trim": {"add_all_in": 1.5, "force_all_in": 0.15, "merge": 0.1},
}
FLOP: dict[str, Any] = {
    "board": "QsJh2h",
    "pot": 180,
    "stack": 910,
    "ranges": [
        "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,T8s+,T7s:0.45,97s+,"
        "96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,"
        "43s:0.5,42s:0.45,32s:0.45",
        "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,85s:0.5,75s+,"
        "74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s",
    ],
    "flop": {"bets": "52%", "raises": "45%"},
    "turn": {"bets": "55%", "raises": "45%"},
    "river": {"bets": "70%", "raises": "45%"},
}

_ENDGAMES = {1: (500, "7s9h9cTc"), 2: (4780, "Ts6hAh7c"), 3: (500, "4s8hTc9h2s"), 4: (3750, "JsKs5cQs7d")}
"""Pot and board."""
_REACHES = Path(__file__).parents[3] / "tests" / "data" / "endgames.json.xz"


def endgame(number: int) -> Spot | None:
    """A published endgame (Libratus, as in OpenSpiel's universal_poker, Apache-2.0), its reaches as weights; None
    outside of a checkout, where its file is not there."""
    if not _REACHES.is_file():
        return None
    reaches = json.loads(lzma.decompress(_REACHES.read_bytes()))[f"subgame{number}.txt"]["reaches"]
    pot, board = _ENDGAMES[number]
    deck = [4 * rank + suit for rank in range(13) for suit in (3, 2, 1, 0)]  # the order of the file
    pairs = pair_numbers([(low, high) for place, low in enumerate(deck) for high in deck[place + 1 :]])
    weights = np.zeros((2, PAIRS))
    weights[:, pairs] = np.array(reaches, float).reshape(2, PAIRS)
    cards = tuple(parse_cards(board))
    menu = Menu(parse_sizes("50%,100%,a", "bets"), parse_sizes("100%,a", "raises", raises=True))
    return Spot(cards, (weights[0], weights[1]), Stakes(pot, 20_000 - pot // 2, 100), [menu] * (6 - len(cards)))
