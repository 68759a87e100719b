"""The hand that docs/skill.md works through comes out as it says there."""

import re
from pathlib import Path

import numpy as np
import pytest

import luckless as lk
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game
from luckless.skill.by_steps import walk_hands
from luckless.skill.values import PLAIN
from luckless.skill.verdict import Knowledge
from luckless.skill.walking import LUCKS

PAGE = Path(__file__).parents[2] / "docs" / "skill.md"
NUMBER = 59


def rows() -> list[list[str]]:
    """The cells of all tables of the section."""
    section = PAGE.read_text().split("## One hand, worked through")[1].split("\n## ")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if "|" in line]


def chips(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


@pytest.fixture(scope="module")
def hand() -> HandColumns:
    bots = [lk.bot("value-bet", "alice"), lk.bot("pot-odds", "bob")]
    match = Match.plan(Game.load("nolimit-hu"), bots, hands=NUMBER + 1, seed=1, decks="fresh")
    return join([chunk.hands for chunk in match.chunks()]).rows(slice(NUMBER, NUMBER + 1))


def test_the_cards_and_the_money_are_those(hand: HandColumns) -> None:
    walked = walk_hands(hand, 0, Knowledge({}, PLAIN), vary=False)
    assert walked.money.tolist() == [1200]
    account = walked.account
    told = [row for row in rows() if len(row) == 4 and re.match("start|gain|luck", row[3])]
    assert chips(told[0][1]) == pytest.approx(account.start[0], abs=0.005)
    value = chips(told[0][1])
    for row in told[1:]:
        value += chips(row[2])
        assert value == pytest.approx(chips(row[1]), abs=0.03), row
    for kind in LUCKS[:4]:
        said = sum(chips(row[2]) for row in told if row[3] == f"luck, {kind}")
        assert said == pytest.approx(account.luck[0, LUCKS.index(kind)], abs=0.005), kind
    gains = sum(chips(row[2]) for row in told if row[3] == "gain")
    assert gains == pytest.approx(account.gains[0].sum(), abs=0.03)
    assert "+1,038.42" in PAGE.read_text()
    assert walked.money[0] - account.luck[0].sum() == pytest.approx(1038.42, abs=0.005)


def test_the_known_policy_gives_the_terms_of_the_second_table(hand: HandColumns) -> None:
    walked = walk_hands(hand, 0, Knowledge({"alice": lk.bot("value-bet")}, PLAIN), vary=True)
    told = {row[0].removeprefix("luck, "): chips(row[1]) for row in rows() if len(row) == 2 and row[1][0] in "+−0"}
    luck = dict(zip(LUCKS, walked.account.luck[0], strict=True))
    for kind in (*LUCKS[:4], "own actions", "own cards"):
        assert told[kind] == pytest.approx(luck[kind], abs=0.005), kind
    adjusted = walked.money[0] - np.sum(walked.account.luck[0])
    assert told["adjusted"] == pytest.approx(adjusted, abs=0.005)
