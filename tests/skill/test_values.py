"""Value functions: fitted by least squares, kept in a file, and never used on the hands that they were fitted on."""

import json
from pathlib import Path

import numpy as np
import pytest

import luckless as lk
from luckless.histories.formats import FORMATS
from luckless.rules.columns import HandColumns
from luckless.skill.fitting import fit_values
from luckless.skill.registry import judge_hands
from luckless.skill.seen_hands import SeenHands, card_marks
from luckless.skill.values import PLAIN, EquityValues
from luckless.skill.verdict import Knowledge
from stored_hands import played, written

HANDS = 1002


@pytest.fixture(scope="module")
def learned() -> tuple[HandColumns, EquityValues]:
    columns = played(lk.Game.load("nolimit-3max"), HANDS)
    return columns, fit_values([columns.rows(slice(0, 400)), columns.rows(slice(400, HANDS))], "fitted")


def test_a_file_gives_the_same_values_back(learned: tuple[HandColumns, EquityValues], tmp_path: Path) -> None:
    _, values = learned
    values.save(tmp_path / "v.safetensors")
    again = EquityValues.load(tmp_path / "v.safetensors")
    assert (again.name, again.digest, again.seen.digest) == ("fitted", values.digest, values.seen.digest)
    assert again.digest != PLAIN.digest
    data = bytearray((tmp_path / "v.safetensors").read_bytes())
    data[-100] ^= 1
    (tmp_path / "bad.safetensors").write_bytes(data)
    with pytest.raises(lk.InputError, match="damaged"):
        EquityValues.load(tmp_path / "bad.safetensors")


def test_the_fit_leaves_less_of_the_money_unsaid(learned: tuple[HandColumns, EquityValues]) -> None:
    """On the hands of the fit: that is what least squares are."""
    columns, values = learned
    fresh = EquityValues(values.name, values.numbers)  # the same numbers without their past

    def spread(of: EquityValues) -> float:
        verdict = judge_hands([columns], "chance", Knowledge({}, of))
        return sum(player.adjusted.sd or 0 for player in verdict.players)

    assert spread(fresh) < spread(PLAIN)


def test_hands_of_the_fit_are_refused_in_any_form(learned: tuple[HandColumns, EquityValues], tmp_path: Path) -> None:
    columns, values = learned
    knowledge = Knowledge({}, values)
    with pytest.raises(lk.InputError, match=r"the value function fitted was fitted on hand \d+ and on [\d,]+ more"):
        judge_hands([columns], "chance", knowledge)
    some = columns.take(np.array([700, 41, 350, 2]))
    with pytest.raises(lk.InputError, match="was fitted on hand"):
        judge_hands([some], "chance", knowledge)
    log = tmp_path / "other.phhs"
    log.write_text(written([some], FORMATS["phh"].writer(log)))
    with pytest.raises(lk.InputError, match="was fitted on hand"):
        lk.judge(log, by="chance", values=values)
    assert lk.judge(log, by="money", values=values).hands == 4  # money asks for no values


def test_other_hands_are_judged_with_the_name_of_the_values(learned: tuple[HandColumns, EquityValues]) -> None:
    _, values = learned
    verdict = judge_hands([played(lk.Game.load("nolimit-3max"), 30, seed=77)], "chance", Knowledge({}, values))
    assert verdict.to_dict()["values"] == {"name": "fitted", "digest": values.digest}


def test_marks_look_at_cards_that_were_dealt_alone() -> None:
    columns = played(lk.Game.load("nolimit-3max"), 60)
    marks, sure = card_marks(columns)
    assert len(np.unique(marks)) == len(np.unique(columns.deals))
    assert sure.all()  # six hole cards
    heads_up, sure = card_marks(played(lk.Game.load("nolimit-hu"), 60))
    assert 0 < sure.sum() < len(heads_up)  # four hole cards and no flop prove nothing
    assert SeenHands().digest == ""


def test_a_fit_needs_hands_and_their_cards() -> None:
    columns = played(lk.Game.load("nolimit-3max"), 12)
    with pytest.raises(lk.InputError, match="at least 1,000 hands; there are 12"):
        fit_values([columns], "few")
    columns.records.decks[3, 0] = 255
    with pytest.raises(lk.InputError, match="values cannot be fitted to these hands: hand"):
        fit_values([columns], "hidden")


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "v").write_text(json.dumps({"a": 1}))
    with pytest.raises(lk.InputError, match="value function"):
        EquityValues.load(tmp_path / "v")
