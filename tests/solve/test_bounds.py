"""Lower bounds of exploitability: local best response and learners, held against exact answers."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.bots.registry import ENTRIES
from luckless.errors import InputError
from luckless.hands.pairs import PAIR_CARDS
from luckless.hands.strength import strengths
from luckless.rules.game import Game
from luckless.solve.bounds import lbr_bound, learned_small_bound
from luckless.solve.exploiting import exploit
from luckless.solve.flat import flatten
from luckless.solve.held_hands import win_shares
from luckless.solve.kuhn import Kuhn
from luckless.solve.lbr import LbrSettings, LocalBestResponse
from luckless.solve.leduc import Leduc
from luckless.solve.named_policies import named_policy
from luckless.solve.sequences import best_response
from luckless.solve.small_bounds import learned_response, local_best_response
from shell import Shell


@pytest.mark.parametrize("rules", [Kuhn(), Leduc()], ids=["kuhn", "leduc"])
@pytest.mark.parametrize("name", ["call", "fold", "raise", "uniform"])
def test_no_bound_is_above_the_exact_answer(rules: Kuhn | Leduc, name: str) -> None:
    flat = flatten(rules)
    policy = named_policy(name, flat)
    exact = [best_response(flat, policy, seat)[0] for seat in (0, 1)]
    local = local_best_response(rules, flat, policy)
    learned = learned_response(rules, flat, policy, 400, 1)
    for seat in (0, 1):
        assert local[seat] <= exact[seat] + 1e-9
        assert learned[seat] <= exact[seat] + 1e-9
        assert local[seat] > 0.25


def test_random_policies_of_kuhn_and_leduc_are_bounded_too() -> None:
    dice = np.random.default_rng(3)
    for rules in (Kuhn(), Leduc()):
        flat = flatten(rules)
        for _ in range(3):
            weights = [dice.random(int(side.start[-1])) ** 3 for side in flat.sides]
            policy = []
            for side, own in zip(flat.sides, weights, strict=True):
                for first, end in zip(side.start[:-1], side.start[1:], strict=True):
                    own[first:end] /= own[first:end].sum()
                own[0] = 1.0
                policy.append(own)
            both = (policy[0], policy[1])
            exact = [best_response(flat, both, seat)[0] for seat in (0, 1)]
            assert (np.array(local_best_response(rules, flat, both)) <= np.array(exact) + 1e-9).all()


def test_in_kuhn_the_bounds_reach_the_answer_against_call() -> None:
    assert lbr_bound("call", "kuhn").mbb == pytest.approx(1000 / 3)
    learned = learned_small_bound("call", "kuhn")
    assert learned.mbb == pytest.approx(1000 / 3)
    assert learned.ci95_mbb is None
    assert not learned.to_dict()["exact"]


@pytest.mark.parametrize("cards", [4, 5])
def test_win_shares_are_those_of_all_boards(cards: int) -> None:
    own, board = np.array([50, 3]), np.array([0, 17, 30, 49, 51])[:cards]
    out = np.empty(1326)
    win_shares(own, board, np.zeros((0, 5), np.int64), out)
    for pair in (5, 700, 1000, 1325):
        theirs = PAIR_CARDS[pair]
        taken = {*own, *board}
        if taken & set(theirs):
            assert out[pair] == 0
            continue
        rest = [[card] for card in range(52) if card not in taken | set(theirs)] if cards == 4 else [[]]
        rows = [[[*hole, *board, *last] for last in rest] for hole in (own, theirs)]
        mine, other = (strengths(np.array(row)) for row in rows)
        assert out[pair] == pytest.approx(((mine > other) + 0.5 * (mine == other)).mean())


def test_always_fold_loses_750_to_bets_and_250_to_calls() -> None:
    """The published figures: with bets exactly, since the bot folds at once; without them on average."""
    bets = lbr_bound("fold", "limit-hu", hands=40)
    assert bets.mbb == pytest.approx(750)
    calls = lbr_bound("fold", "limit-hu", LbrSettings(menu="fold-call"), hands=300)
    assert calls.ci95_mbb is not None
    assert calls.ci95_mbb[0] < 250 < calls.ci95_mbb[1]


def test_on_a_river_the_bound_is_below_what_a_best_response_wins(tmp_path: Path) -> None:
    """For bots whose every size the best response tells apart: it has all sizes of the menu, and more."""
    path = tmp_path / "board.toml"
    board = (47, 33, 22, 9, 2)
    path.write_text(replace(Game.load("river-hu"), name="board", board=board).to_toml())
    for name in ("call", "value-bet"):
        exact = exploit(name, str(path)).mbb
        bound = lbr_bound(name, str(path), LbrSettings("river", "pot-all-in"), hands=400)
        assert bound.ci95_mbb is not None
        assert bound.ci95_mbb[0] <= exact
        assert bound.mbb > 0


def test_the_same_seed_gives_the_same_figure_and_early_streets_are_called() -> None:
    game = Game.load("limit-hu")
    response = LocalBestResponse(load_bot("raise"), game, LbrSettings("river"))
    won = response.play(5, 12)
    assert np.array_equal(won, LocalBestResponse(load_bot("raise"), game, LbrSettings("river")).play(5, 12))


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def test_the_command_prints_the_keys_and_refuses_what_does_not_fit(shell: Shell, tmp_path: Path) -> None:
    found = shell.json("exploit", "fold", "--game", "limit-hu", "--by", "lbr", "--hands", "20")
    assert (found["game"], found["bot"], found["by"], found["exact"]) == ("limit-hu", "fold", "lbr", False)
    assert found["mbb"] == pytest.approx(750)
    assert len(found["ci95_mbb"]) == 2
    assert "lower bound" in shell.run("exploit", "uniform", "--game", "kuhn", "--by", "learn")[1]
    words = ("exploit", "call", "--game", "limit-hu", "--by")
    assert "allowed is exact, lbr, learn" in shell.refused(*words, "guess")
    assert "--menu is 'half'" in shell.refused(*words, "lbr", "--menu", "half")
    assert "--start is 'now'" in shell.refused(*words, "lbr", "--start", "now")
    assert "--hands is 1;" in shell.refused(*words, "lbr", "--hands", "1")
    assert "--minutes is for --by learn" in shell.refused(*words, "lbr", "--minutes", "1")
    assert "--flops is for --by exact" in shell.refused(*words, "lbr", "--flops", "10")
    assert "--minutes is 0" in shell.refused(*words, "learn", "--minutes", "0")
    silent = tmp_path / "silent.py"
    silent.write_text("class Bot:\n    def decide(self, view, dice):\n        return dice.choice([0, -1])\n")
    told = shell.refused("exploit", f"{silent}:Bot", "--game", "limit-hu", "--by", "lbr", "--hands", "4")
    assert "probabilities" in told


def test_games_of_more_seats_are_refused() -> None:
    with pytest.raises(InputError, match="two seats"):
        lbr_bound("call", "nolimit-6max", hands=4)


def test_learners_are_measured_on_hands_that_did_not_choose_them() -> None:
    pytest.importorskip("torch")
    from luckless.learn import frozen_opponent
    from luckless.learn.frozen_opponent import Training, learned_bound

    asked = []
    played = frozen_opponent._won

    def noted(learner, bot, game, hands, seed):  # type: ignore[no-untyped-def]
        asked.append(seed)
        return played(learner, bot, game, hands, seed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frozen_opponent, "_won", noted)
        patch.setattr(frozen_opponent, "ROUND", 200)
        training = Training(rounds=1, kinds=("qlearn-8", "sac-low"))
        bound = learned_bound(load_bot("call"), Game.load("limit-hu"), training, 400, 1)
    assert asked[0] == asked[1] != asked[2]
    assert 1 not in asked
    assert bound.facts["trained_hands"] == 400
    assert bound.ci95_mbb is not None
    assert bound.ci95_mbb[0] < 1163.48  # the exact answer


@pytest.mark.slow
@pytest.mark.parametrize("name", [entry.name for entry in ENTRIES])
@pytest.mark.parametrize("game", ["limit-hu", "nolimit-hu"])
def test_local_best_response_wins_from_every_shipped_bot(name: str, game: str) -> None:
    bound = lbr_bound(name, game, LbrSettings("turn"), hands=1000)
    assert bound.ci95_mbb is not None
    assert bound.ci95_mbb[0] > 0
