"""DIVAT over whole matches: unbiased for any bots and settings, the published spreads, duplicate on top of it."""

import dataclasses
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.divat.continuations import Valuation
from luckless.divat.judgement import Judgement, judge
from luckless.divat.roe_build import build
from luckless.divat.roe_table import find_table
from luckless.divat.settings import STANDARD, DivatSettings
from luckless.hands.table_file import cache_folder
from luckless.matches.match import Match
from luckless.matches.seating import Decks
from luckless.rules.columns import UNKNOWN, HandColumns, join
from luckless.rules.game import Game

# Folds almost everything, bets nothing but the best: no sensible baseline, and DIVAT must be unbiased all the same.
_HIGH = (Fraction("0.9"), Fraction("0.95"), Fraction("0.98"), Fraction("0.99"))
ABSURD_HANDS = 1_000_000
ABSURD = DivatSettings(
    name="absurd",
    fold_offsets=(Fraction("0.3"), Fraction("0.4"), Fraction("0.4"), Fraction("0.5")),
    makes=(_HIGH,) * 4,
)


def played(bots: tuple[str, str], hands: int, decks: Decks, seed: int = 1) -> list[HandColumns]:
    players = [load_bot(name) for name in bots]
    match = Match.plan(Game.load("limit-hu"), players, hands=hands, seed=seed, decks=decks)
    return [chunk.hands for chunk in match.chunks()]


def money_less_skill(found: Judgement) -> float:
    """Its mean over the match, in standard errors."""
    off = found.values["money"] - found.values["divat"]
    return float(off.mean() / (off.std() / np.sqrt(len(off))))


def assert_unbiased(found: Judgement) -> None:
    """Money minus skill is luck plus position; its mean over seats drawn at random must be within four errors of 0.

    With 95 % power this notices a bias of 5.6 standard errors, about 0.06 small bets in 100,000 hands.
    """
    assert abs(money_less_skill(found)) < 4
    identity = found.values["luck"] + found.values["divat"] + found.values["position"] - found.values["money"]
    assert np.abs(identity).max() < 1e-9


@pytest.mark.parametrize("bots", [("random", "call"), ("value-bet", "uniform")])
def test_skill_is_money_on_average(bots: tuple[str, str]) -> None:
    assert_unbiased(judge(played(bots, 400, "fresh")))


@pytest.mark.slow
@pytest.mark.parametrize("bots", [("uniform", "raise"), ("value-bet", "pot-odds"), ("random", "value-bet")])
def test_skill_is_money_on_average_over_a_million_hands(bots: tuple[str, str]) -> None:
    assert_unbiased(judge(played(bots, 1_000_000, "fresh")))


@pytest.mark.slow
def test_absurd_settings_are_unbiased_over_a_million_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their exact table is built first (some eleven minutes of a core), in a folder of its own."""
    for table in cache_folder().glob("rank-*.table"):
        (tmp_path / table.name).symlink_to(table)
    monkeypatch.setenv("LUCKLESS_CACHE_DIR", str(tmp_path))
    if find_table(ABSURD) is None:
        build(ABSURD, show=False)
    assert_unbiased(judge(played(("uniform", "raise"), ABSURD_HANDS, "fresh"), Valuation(ABSURD)))


def test_sampled_values_of_absurd_settings_keep_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("luckless.divat.position.SAMPLED_PAIRS", 200)
    assert_unbiased(judge(played(("uniform", "raise"), 100, "fresh"), Valuation(ABSURD, sampled_flops=1)))


@pytest.mark.slow
def test_all_in_equity_is_biased() -> None:
    """As the thesis says: all-in equity forgets the betting to come.

    What it forgets is what the baseline's later bets bring, and over all cards that is nothing. So the bias shows
    only when a player chooses by his cards which hands go on: `value-bet` does (a bias of 0.17 small bets, 16
    standard errors of 200,000 hands), `uniform` and `raise` do not.
    """
    by_cards, blind = played(("value-bet", "call"), 200_000, "fresh"), played(("uniform", "raise"), 200_000, "fresh")
    assert money_less_skill(judge(by_cards, Valuation(STANDARD, "aie"))) > 8
    assert abs(money_less_skill(judge(by_cards, Valuation(STANDARD)))) < 4
    assert abs(money_less_skill(judge(blind, Valuation(STANDARD, "aie")))) < 4


@pytest.mark.slow
def test_call_v_raise_has_the_published_spreads() -> None:
    """M. Kan's thesis: money 6.856, DIVAT 2.913 small bets a hand over 400,000 games, mean 0; here 100,000."""
    found = judge(played(("call", "raise"), 100_000, "fresh"))
    money, skill = found.estimate("money"), found.estimate("divat")
    assert money.sd == pytest.approx(6.856, abs=0.03)
    assert skill.sd == pytest.approx(2.913, abs=0.12)
    assert abs(skill.mean) < 4 * (skill.stderr or 0)


@pytest.mark.slow
def test_duplicate_decks_reduce_further() -> None:
    """A pair of hands of a duplicate deal tells more than two hands of fresh deals."""
    bots = ("value-bet", "pot-odds")
    fresh, duplicate = judge(played(bots, 20_000, "fresh")), judge(played(bots, 20_000, "duplicate"))
    assert duplicate.set_size == 2
    for measure in ("money", "divat"):
        assert (duplicate.estimate(measure).stderr or 0) < (fresh.estimate(measure).stderr or 0)


def hidden(batches: list[HandColumns], rows: int) -> list[HandColumns]:
    """The same hands with the second player's cards unknown in the first rows."""
    batch = join(batches)
    decks = batch.records.decks.copy()
    decks[:rows, 2:4] = UNKNOWN
    return [dataclasses.replace(batch, records=dataclasses.replace(batch.records, decks=decks))]


def test_hands_that_were_not_shown_are_left_out_or_judged_by_money() -> None:
    batches = hidden(played(("uniform", "raise"), 60, "fresh"), 20)
    left, by_money = judge(batches, unknown="leave"), judge(batches, unknown="money")
    assert (left.hands, left.unknown) == (40, 20)
    assert (by_money.hands, by_money.unknown) == (60, 20)
    extra = by_money.total("divat") - left.total("divat")
    (batch,) = batches
    seats = np.argmax(batch.players[:20] == 0, axis=1)
    assert extra == pytest.approx(batch.records.payoffs[np.arange(20), seats].sum() / 10)


def test_the_other_player_sees_the_same_with_the_sign_turned() -> None:
    one, other = (
        judge(played(("uniform", "raise"), 60, "duplicate")),
        judge(played(("raise", "uniform"), 60, "duplicate")),
    )
    for measure in ("money", "divat", "luck", "evat", "dcash"):
        assert one.estimate(measure).mean == pytest.approx(-other.estimate(measure).mean, abs=1e-9)
