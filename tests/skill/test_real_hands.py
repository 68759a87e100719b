"""Hands that people and Pluribus played: terms add up to the money of every hand, and every log can be judged."""

from pathlib import Path

import numpy as np
import pytest

import luckless as lk
from luckless.rules.columns import HandColumns
from luckless.skill.by_steps import walk_hands
from luckless.skill.verdict import Knowledge
from real_hands import originals


def check_terms(hands: HandColumns) -> None:
    """Start, gains, luck and rest of every player are the money to 1e-9 chips, and together they are nobody's."""
    total = np.zeros(len(hands))
    for player in np.unique(hands.players).tolist():
        walked = walk_hands(hands, player, Knowledge(), vary=False)
        account = walked.account
        parts = account.start + account.gains.sum(axis=(1, 2)) + account.luck.sum(axis=1) + account.rest
        np.testing.assert_allclose(parts, walked.money, atol=1e-9)
        assert np.isfinite(account.luck).all()
        total[walked.rows] += walked.money
    np.testing.assert_allclose(total, 0, atol=1e-9)


def test_terms_add_up_on_a_session_of_pluribus(tmp_path: Path) -> None:
    log = tmp_path / "30.phhs"
    log.write_text(originals("pluribus")["30.phhs"])
    hands = next(iter(lk.read_hands(log).batches()))
    check_terms(hands.rows(slice(0, 40)))


@pytest.mark.slow
def test_terms_add_up_on_all_sessions_of_pluribus(tmp_path: Path) -> None:
    for name, text in originals("pluribus").items():
        (tmp_path / name).write_text(text)
        for hands in lk.read_hands(tmp_path / name).batches():
            check_terms(hands)


@pytest.mark.filterwarnings("ignore:left out")
def test_auto_judges_real_logs_of_every_kind(tmp_path: Path) -> None:
    """Pluribus shows all cards, sites hide most of them; each log gets the estimator that fits."""
    for source, name, by in (("pluribus", "30.phhs", "chance"), ("handhq", "PS.phhs", "all-in")):
        log = tmp_path / f"{source}-{name}"
        log.write_text(originals(source)[name])
        verdict = lk.judge(log)
        assert verdict.by == by
        assert verdict.hands > 0
        assert abs(sum(player.money.mean * player.hands for player in verdict.players)) < 1e-6 or by == "all-in"
