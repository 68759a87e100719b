"""Estimators under one protocol: money is the match's own estimate, DIVAT is that of the command line."""

import json
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import luckless as lk
from luckless.histories.formats import FORMATS
from luckless.matches.match import Match
from luckless.rules.columns import UNKNOWN, HandColumns, join
from luckless.skill.money import Money
from luckless.skill.named_values import named_values
from luckless.skill.registry import ESTIMATORS, judge_hands
from luckless.skill.verdict import NOTHING, Knowledge
from shell import Shell
from stored_hands import played, written

GAMES = {"limit-hu": ["call", "raise"], "nolimit-6max": ["call", "raise", "random", "call", "uniform", "pot-odds"]}
JUDGED_HANDS = 24
LOGS_ALONE = ("logs", "rejected_hands", "rejected_share", "rejected_won_share", "unread_files")
"""What the command says besides, of the logs it read."""


@pytest.mark.parametrize("decks", ["duplicate", "fresh"])
@pytest.mark.parametrize("game", GAMES)
def test_money_is_the_estimate_of_the_match(game: str, decks: Any, tmp_path: Path) -> None:
    result = lk.play(GAMES[game], game=game, hands=600, decks=decks, save=tmp_path / "match")
    verdict = lk.judge(tmp_path / "match", by="money")
    assert (verdict.by, verdict.hands) == ("money", result.hands)
    assert len(verdict.players) == len(GAMES[game])
    for player in verdict.players:
        expected = result.estimate(player.name)
        assert player.hands == 600
        assert player.money.samples == expected.samples
        assert player.money.mean == pytest.approx(expected.mean, abs=1e-8)
        assert player.money.stderr == pytest.approx(expected.stderr, rel=1e-9)
        assert player.money.ci95 == pytest.approx(expected.ci95, rel=1e-9)
        assert player.adjusted == player.money


def test_a_log_of_a_duplicate_match_keeps_its_sets(tmp_path: Path) -> None:
    """PHH names the deal, so sets are known again, wherever the reader's batches end."""
    columns = played(lk.Game.load("nolimit-3max"), 600)
    log = tmp_path / "log.phhs"
    log.write_text(written([columns], FORMATS["phh"].writer(log)))
    verdict = lk.judge(log, by="money")
    assert [player.money.samples for player in verdict.players] == [100] * 3
    whole = Money().judge([columns])
    for player in verdict.players:
        assert player.money.mean == pytest.approx(whole.player(player.name).money.mean, abs=1e-9)
        assert player.money.sd == pytest.approx(whole.player(player.name).money.sd)


def test_players_of_some_hands_only_are_counted_in_those(tmp_path: Path) -> None:
    for number, bots in enumerate((["call", "raise"], ["call", "random"])):
        lk.play(bots, hands=100 * (number + 1), decks="fresh", save=tmp_path / str(number))
    verdict = lk.judge([tmp_path / "0", tmp_path / "1"], by="money")
    assert {player.name: player.hands for player in verdict.players} == {"call": 300, "raise": 100, "random": 200}
    won = sum(player.money.mean * player.hands for player in verdict.players)
    assert won == pytest.approx(0, abs=1e-6)


def test_money_keeps_one_batch_in_memory() -> None:
    columns = played(lk.Game.load("limit-hu"), 200)
    seen: list[weakref.ref[Any]] = []

    def batches() -> Iterator[HandColumns]:
        for first in range(0, 200, 20):
            part = columns.rows(slice(first, first + 20))
            part = part.take(np.arange(len(part)))
            seen.append(weakref.ref(part.records.payoffs))
            assert sum(reference() is not None for reference in seen) <= 3
            yield part
            del part

    assert judge_hands(batches(), "money").hands == 200


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, lk.Verdict]:
    """A short limit match, and what auto says of it."""
    folder = tmp_path_factory.mktemp("skill") / "match"
    lk.play({"a": "value-bet", "b": "pot-odds"}, game="limit-hu", hands=JUDGED_HANDS, decks="fresh", save=folder)
    return folder, lk.judge(folder)


def test_auto_takes_divat_which_is_the_command(
    judged: tuple[Path, lk.Verdict], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, verdict = judged
    assert verdict.by == "divat"
    printed = Shell(monkeypatch, capsys).json("divat", str(folder))
    detail = json.loads(json.dumps(verdict.detail.to_dict()))
    assert detail == {key: value for key, value in printed.items() if key not in LOGS_ALONE}
    first, second = verdict.players
    assert [first.name, second.name] == printed["players"]
    assert first.adjusted.mean == pytest.approx(1000 * printed["divat"]["mean"])
    assert first.money.mean == pytest.approx(1000 * printed["money_judged"]["mean"])
    assert first.variance_ratio == pytest.approx(printed["saving"]["variance_ratio"])
    assert second.adjusted.mean == pytest.approx(-first.adjusted.mean)
    assert second.adjusted.ci95 == pytest.approx([-end for end in reversed(first.adjusted.ci95 or ())])
    assert sum(rate.mean for rate in first.by_street.values()) == pytest.approx(first.adjusted.mean)


def test_a_verdict_in_small_bets_is_the_match_in_big_blinds(judged: tuple[Path, lk.Verdict]) -> None:
    folder, verdict = judged
    result = lk.load(folder)
    assert isinstance(result, lk.MatchResult)
    for player in verdict.players:
        assert player.money.mean == pytest.approx(result.estimate(player.name).mean)


def test_a_verdict_as_plain_values(judged: tuple[Path, lk.Verdict]) -> None:
    _, verdict = judged
    plain = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
    assert {"hands", "by", "values", "players"} <= set(plain)
    keys = {"name", "hands", "money", "adjusted", "variance_ratio", "by_street"}
    for player in plain["players"]:
        assert keys <= set(player)
        assert set(player["money"]) == set(player["adjusted"]) == {"mean", "sd", "stderr", "ci95"}
        assert list(player["by_street"]) == ["preflop", "flop", "turn", "river"]
    assert verdict.player("b") is verdict.players[1]
    with pytest.raises(lk.InputError, match="no player is called 'c'; there is a, b"):
        verdict.player("c")


def test_auto_takes_the_least_noisy_estimator_that_lacks_nothing() -> None:
    for game, bots in GAMES.items():
        columns = played(lk.Game.load(game), 24)
        fits = [name for name, estimator in ESTIMATORS.items() if not estimator.lacks(columns, NOTHING)]
        assert fits == ["divat", "chance", "all-in", "money"]
        assert judge_hands([columns]).by == ("divat" if len(bots) == 2 else "chance")
    columns = played(lk.Game.load("limit-hu"), 24)
    columns.records.decks[3, :2] = UNKNOWN  # what a log leaves out when nobody shows
    for name in ("divat", "chance", "aivat"):
        assert ESTIMATORS[name].lacks(columns, NOTHING)
    assert judge_hands([columns]).by == "all-in"


def test_auto_says_when_roll_outs_would_leave_less_noise() -> None:
    match = Match.plan(lk.Game.load("nolimit-hu"), [lk.bot(spec) for spec in ("call", "raise")], hands=24, seed=2)
    columns, hint = join([chunk.hands for chunk in match.chunks()]), "--values roll-outs would leave less noise"
    both = {name: lk.bot(name) for name in columns.names}
    assert hint in judge_hands([columns], knowledge=Knowledge(both)).reason
    assert hint not in judge_hands([columns], knowledge=Knowledge({"call": both["call"]})).reason
    assert hint not in judge_hands([columns], knowledge=Knowledge(both, named_values("roll-outs"))).reason


def test_players_who_come_late_may_have_policies(tmp_path: Path) -> None:
    for place, bots in enumerate((["a=call", "b=raise"], ["c=value-bet", "d=call"])):
        lk.play(bots, game="nolimit-hu", hands=12, decks="fresh", save=tmp_path / str(place))
    both = [tmp_path / "0", tmp_path / "1"]
    verdict = lk.judge(both)  # all four are known from the stored matches
    assert verdict.by == "aivat"
    alone = lk.judge(both[1])
    for name in ("c", "d"):
        assert verdict.player(name).adjusted.sd == pytest.approx(alone.player(name).adjusted.sd, rel=1e-9)
    late = lk.judge(both, policies={"c": "value-bet", "a": None, "b": None, "d": None})
    assert late.player("c").adjusted.sd != pytest.approx(late.player("c").money.sd)
    with pytest.raises(lk.InputError, match="no player is called 'e'; there is a, b, c, d"):
        lk.judge(both, policies={"e": "value-bet"})
    with pytest.raises(lk.InputError, match="no player is called 'e'; there is uniform #1, uniform #2"):
        judge_hands([played(lk.Game.load("nolimit-hu"), 6)], "aivat", Knowledge({"e": lk.bot("call")}))


def test_an_estimator_that_does_not_fit_says_why() -> None:
    with pytest.raises(lk.InputError, match="the policy of no player is known"):
        judge_hands([played(lk.Game.load("nolimit-6max"), 6)], "aivat")
    with pytest.raises(lk.InputError, match="there are no hands to judge"):
        judge_hands([])
