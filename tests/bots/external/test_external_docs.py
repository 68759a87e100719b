"""The page of the protocol says what is so: its messages are those that are sent, its figures those of the code."""

import json
import re
from pathlib import Path

import numpy as np

from luckless.bots.clocks import Clocks
from luckless.bots.external import acpc_bot, exec_bot, process, workers
from luckless.bots.external.messages import (
    decision_line,
    goodbye_line,
    hand_over_line,
    hello_line,
    match_line,
    parse_answer,
    parse_hello,
    parse_ready,
)
from luckless.matches import at_dealer
from luckless.matches.faults import KINDS
from luckless.rules.endings import ending_of
from luckless.rules.game import Game
from luckless.rules.table import Table

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text()


def test_the_messages_on_the_page_are_those_that_are_sent() -> None:
    blocks = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    lines = [json.loads(line) for block in blocks for line in block.splitlines()]
    game, row = Game.load("nolimit-hu"), np.array([0])
    table = Table.dealt(game, 1, [0])
    for action in (300, 0, 400):
        table.act(row, [action])
    asked = decision_line(7, table.views(row), np.array([[1 << 63, 1, 2, 3]], np.uint64), 0)
    table.act(row, [-1])
    over = hand_over_line(ending_of(table, table.records(), 0, 1))
    hello, answered_hello, match, ready, decide, answer, hand_over = lines
    sent = [json.loads(line) for line in (hello_line(), match_line(game, Clocks()), asked, over)]
    assert sent == [hello, match, decide, hand_over]
    assert parse_hello(json.dumps(answered_hello).encode()).name == "my bot"
    parse_ready(json.dumps(ready).encode())
    assert parse_answer(json.dumps(answer).encode()) == (7, 0)
    assert f"`{json.dumps(json.loads(goodbye_line()))}`" in PAGE


def test_the_figures_on_the_page_are_those_of_the_code() -> None:
    assert exec_bot.START_SECONDS == 30
    assert (exec_bot.RESTARTS, acpc_bot.RECONNECTIONS, at_dealer.RECONNECTIONS) == (5, 5, 5)
    assert (workers.CREDIT_PER_REQUEST, process.LONGEST_LINE) == (4096, 65536)
    assert workers.SILENT_CLOCKS == 2
    assert exec_bot.GRACE_SECONDS == 0.5
    assert acpc_bot.START_SECONDS == 60
    for name in process.ENVIRONMENT:
        assert f"`{name}`" in PAGE


def test_every_fault_of_a_program_is_on_the_page() -> None:
    for kind in set(KINDS) - {"exception", "hand_over"}:
        assert f"`{kind}`" in PAGE
