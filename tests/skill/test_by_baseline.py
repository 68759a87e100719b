"""DIVAT by sound play: parts add up to the money, luck has the mean 0, and heads-up limit is that of the thesis."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import luckless as lk
from luckless.bots.catalogue import load_bot
from luckless.divat.analysis import analyse
from luckless.divat.baseline import BASELINE_LINES
from luckless.divat.continuations import Valuation
from luckless.divat.lines import POSTFLOP_LINES, PREFLOP_LINES, split_streets
from luckless.divat.settings import STANDARD, DivatSettings
from luckless.matches.match import Match
from luckless.rules import engine
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import UNKNOWN, HandColumns, join
from luckless.rules.game import BOARD_CARDS, Game, Rake
from luckless.rules.state import FINISHED, PUBLIC, encode
from luckless.skill.by_baseline import credit_hands, ground_of, judge_by_baseline
from luckless.skill.crediting import Credits
from luckless.skill.cross_table import HOUSE
from luckless.skill.registry import judge_hands
from luckless.skill.sound_play import SOUND, Baseline, against, sound_action
from real_hands import originals
from shell import Shell
from stored_hands import played, read_text

FEW = ground_of(samples=6, flop_samples=6)
BIG = Fraction(9)
ABSURD = Baseline(
    "absurd",
    DivatSettings(
        "absurd", fold_offsets=(Fraction(-1), Fraction(1), Fraction(-1), Fraction(1)), makes=((BIG,) * 4,) * 4
    ),
)
"""Never bets, calls everything before the flop and on the turn, and folds everything on flop and river."""


def hands_of(game: str, hands: int, bots: tuple[str, ...] = ("uniform",), seed: int = 3) -> HandColumns:
    """Hands of bots at a table of a named game, each with a deal of its own."""
    rules = Game.load(game)
    players = [load_bot(bots[seat % len(bots)]) for seat in range(rules.seats)]
    match = Match.plan(rules, players, hands=hands, seed=seed, decks="fresh")
    return join([chunk.hands for chunk in match.chunks(workers=1)])


@cache
def pluribus() -> HandColumns:
    """The first session that was published, all cards known."""
    name, text = sorted(originals("pluribus").items())[0]
    batches, rejects = read_text("phh", text)
    assert not rejects, name
    return batches[0]


def total(credits: Credits) -> NDArray[np.float64]:
    """What the parts of hands add up to, by seat."""
    return np.asarray(credits.position + credits.luck.sum(axis=1) + credits.moved.sum(axis=(1, 2)))


# ---- conservation


@pytest.mark.parametrize("game", ["nolimit-hu", "limit-3max", "potlimit-6max", "nolimit-9max", "river-hu"])
def test_parts_add_up_to_the_money(game: str) -> None:
    hands = hands_of(game, 180)
    credits, seats = credit_hands(hands, FEW), hands.records.game.seats
    assert total(credits)[:, :seats] == pytest.approx(hands.records.payoffs, abs=1e-7)
    assert credits.end[:, :seats] == pytest.approx(hands.records.payoffs, abs=1e-9)
    assert credits.moved.sum(axis=3) == pytest.approx(np.zeros(credits.moved.shape[:3]), abs=1e-7)
    assert credits.position.sum(axis=1) == pytest.approx(np.zeros(len(hands)), abs=1e-7)


def test_parts_of_real_hands_add_up_and_the_cross_table_balances() -> None:
    hands = pluribus()
    credits = credit_hands(hands, FEW)
    big_blind = hands.records.game.big_blind
    assert total(credits)[:, :6] / big_blind == pytest.approx(hands.records.payoffs / big_blind, abs=1e-9)
    verdict = judge_by_baseline([hands], ground=FEW)
    table = verdict.cross_table
    assert table is not None
    for player in verdict.players:
        streets = sum(rate.mean for rate in player.by_street.values()) * player.hands / 1000
        assert table.skill(player.name) == pytest.approx(streets, abs=1e-9)
        assert table.own[player.name].total + table.given[player.name].total == pytest.approx(streets, abs=1e-9)
        removed = sum(player.terms[kind].mean for kind in ("deal", "flop", "turn", "river"))
        assert player.adjusted.mean == pytest.approx(player.money.mean - removed, abs=1e-9)
    for (one, other), gain in table.gains.items():
        assert gain.total == pytest.approx(-table.gains[other, one].total, abs=1e-9)
        assert gain.margin == pytest.approx(table.gains[other, one].margin, abs=1e-9)


def test_rake_is_what_the_house_gained() -> None:
    game = Game.load("nolimit-3max")
    raked = Game.from_dict({**game.to_dict(), "rake": {"per_mille": 50, "cap": 0, "no_flop_no_drop": False}})
    assert raked.rake == Rake(per_mille=50, no_flop_no_drop=False)
    verdict = judge_by_baseline([played(raked, 60)], ground=FEW)
    table = verdict.cross_table
    assert table is not None
    assert any(other == HOUSE for _, other in table.gains)
    for player in verdict.players:
        streets = sum(rate.mean for rate in player.by_street.values()) * player.hands / 1000
        assert table.skill(player.name) == pytest.approx(streets, abs=1e-9)


# ---- luck has the mean 0


@pytest.mark.parametrize("baseline", [SOUND, ABSURD], ids=lambda baseline: baseline.name)
@pytest.mark.parametrize("game", ["nolimit-hu", "nolimit-6max"])
def test_who_gets_which_hand_has_the_mean_0_exactly(game: str, baseline: Baseline) -> None:
    """Over all ways to pass the hands around, whatever the boards that were drawn."""
    hands, ground = hands_of(game, 12), ground_of(baseline, samples=5, flop_samples=5)
    seats = hands.records.game.seats
    luck = np.zeros((12, 10))
    for _ in range(seats):
        hands.records.decks[:, : 2 * seats] = np.roll(hands.records.decks[:, : 2 * seats], 2, axis=1)
        luck += credit_hands(hands, ground).luck[:, 0]
    assert luck == pytest.approx(np.zeros_like(luck), abs=1e-7)


@pytest.mark.parametrize("baseline", [SOUND, ABSURD], ids=lambda baseline: baseline.name)
def test_the_river_has_the_mean_0_exactly(baseline: Baseline) -> None:
    """Over all river cards that can come, in hands of six that are checked down from where they are."""
    hands = hands_of("nolimit-6max", 1, ("call",))
    deck = hands.records.decks[0].copy()
    rivers = [card for card in range(52) if card not in deck[:16]]
    many = hands.take(np.zeros(len(rivers), np.int64))
    many.records.decks[:, 16] = rivers
    credits = credit_hands(many, ground_of(baseline, samples=5, flop_samples=5))
    assert np.abs(credits.luck[:, 3]).max() > 0
    assert credits.luck[:, 3].mean(axis=0) == pytest.approx(np.zeros(10), abs=1e-7)
    assert np.ptp(credits.luck[:, :3], axis=0).max() == 0  # earlier luck does not know the river


def test_drawn_boards_do_not_depend_on_what_comes() -> None:
    """Another flop changes neither the luck of the deal nor the position nor what was done before the flop."""
    hands = hands_of("nolimit-hu", 40, ("call",))
    before = credit_hands(hands, FEW)
    hands.records.decks[:, 4:] = np.roll(hands.records.decks[:, 4:], 2, axis=1)
    after = credit_hands(hands, FEW)
    for one, other in ((before.luck[:, 0], after.luck[:, 0]), (before.moved[:, 0], after.moved[:, 0])):
        assert (one == other).all()
    assert (before.luck[:, 1] != after.luck[:, 1]).any()


def check_means(game: str, bots: tuple[str, ...], baseline: Baseline, hands: int, limit: float) -> None:
    """Each kind of luck of the first player is 0 within so many standard errors."""
    columns = hands_of(game, hands, bots, seed=11)
    credits = credit_hands(columns, ground_of(baseline, samples=12, flop_samples=12))
    rows, seats = np.nonzero(columns.players == 0)
    luck = credits.luck[rows, :, seats]
    scores = luck.mean(axis=0) / (luck.std(axis=0) / np.sqrt(len(luck)))
    assert np.abs(scores).max() < limit, scores


@pytest.mark.parametrize("baseline", [SOUND, ABSURD], ids=lambda baseline: baseline.name)
@pytest.mark.parametrize(
    ("game", "bots"),
    [("nolimit-hu", ("value-bet", "pot-odds")), ("nolimit-6max", ("value-bet", "pot-odds", "sklansky") * 2)],
)
def test_luck_has_the_mean_0(game: str, bots: tuple[str, ...], baseline: Baseline) -> None:
    """600 hands; a right estimator passes 998 times in 1,000, a bias of 6 standard errors is found 99 times in 100:
    a quarter of the spread of one hand."""
    check_means(game, bots, baseline, 600, 3.7)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "bots"),
    [("nolimit-hu", ("value-bet", "pot-odds")), ("nolimit-6max", ("value-bet", "pot-odds", "sklansky") * 2)],
)
def test_luck_has_the_mean_0_over_many_hands(game: str, bots: tuple[str, ...]) -> None:
    """19,998 hands: a bias of 4 % of the spread of one hand is found 99 times in 100."""
    check_means(game, bots, SOUND, 19_998, 3.7)


# ---- heads-up limit is the thesis's


def test_sound_play_bets_the_lines_of_the_thesis() -> None:
    """All classes against all classes, before and after the flop, at the smallest pot."""
    game = Game.load("limit-hu")
    numbers, rules = SOUND.numbers(), encode(game)[0]
    ranks = (0.0, 0.55, 0.6, 0.9, 0.95, 0.99)
    for street, (lines, table) in enumerate(zip(BASELINE_LINES, (PREFLOP_LINES, POSTFLOP_LINES), strict=True)):
        for first, one in enumerate(ranks):
            for second, other in enumerate(ranks):
                hand = np.zeros(1, PUBLIC)[0]
                engine.begin(rules, hand, np.array(game.stacks, np.int32))
                for _ in range(2 * street):
                    engine.act(rules, hand, CALL)
                said = ""
                while hand["actor"] != FINISHED and hand["street"] == street:
                    action = sound_action(rules, hand, (one, other)[hand["actor"]], numbers)
                    said += "f" if action == FOLD else "c" if action == CALL else "r"
                    engine.act(rules, hand, action)
                assert said == table[lines[first, second]].text


def differences(hands: HandColumns) -> NDArray[np.float64]:
    """The DIVAT differences of the thesis, by street, in small bets of seat 0."""
    decks = hands.records.decks.astype(np.int64)
    counts = np.diff(hands.records.ends, prepend=0)
    actions = np.zeros((len(hands), counts.max()), np.int64)
    actions[np.arange(counts.max()) < counts[:, None]] = hands.records.actions
    lines, problems = split_streets(actions, counts)
    assert not problems.any()
    return analyse(decks[:, :4].reshape(-1, 2, 2), decks[:, 4:9], lines, Valuation()).difference


@pytest.mark.slow
def test_heads_up_limit_is_the_divat_of_the_thesis() -> None:
    """From the flop on every difference is the same, boards counted; before the flop the mean of drawn boards is."""
    hands = hands_of("limit-hu", 80, ("uniform", "pot-odds"))
    credits = credit_hands(hands, ground_of(samples=100, flop_samples=0))
    ours = credits.moved.sum(axis=2)[:, :, 0] / hands.records.game.small_bet
    theirs = differences(hands)
    assert (np.abs(theirs[:, 1:]) > 0).sum() > 30
    assert ours[:, 1:] == pytest.approx(theirs[:, 1:], abs=1e-9)
    off = (ours - theirs)[:, 0]
    assert abs(off.mean()) < 4 * off.std() / np.sqrt(len(off))
    assert np.corrcoef(ours[:, 0], theirs[:, 0])[0, 1] > 0.5


# ---- sound play


def test_more_opponents_ask_for_more() -> None:
    assert against(0.8, 1) == 0.8
    assert against(0.5, 1) == 0.5
    ranks = [against(0.8, opponents) for opponents in range(1, 10)]
    assert ranks == sorted(ranks, reverse=True)
    # Against three, 0.8 beats all with chance 0.512: odds of 1.049, three times those of an even share.
    assert against(0.8, 3) == pytest.approx(3 * 1.0492 / (1 + 3 * 1.0492), abs=1e-4)


def no_limit_action(rank: float, actions: tuple[int, ...]) -> int:
    """What sound play does with blinds of 1 and 2 and stacks of 200, six seats, after these actions."""
    game = Game.load("nolimit-6max")
    rules, hand = encode(game)[0], np.zeros(1, PUBLIC)[0]
    engine.begin(rules, hand, np.array(game.stacks, np.int32))
    for action in actions:
        engine.act(rules, hand, action)
    return int(sound_action(rules, hand, rank, SOUND.numbers()))


def test_no_limit_sizes_and_folds() -> None:
    assert no_limit_action(0.9, ()) == 4  # a third of 3 + 2 would be less than the least raise
    assert no_limit_action(0.65, ()) == FOLD  # five opponents: raise or fold
    assert no_limit_action(0.65, (FOLD,) * 4) == 4  # one opponent
    assert no_limit_action(0.4, (FOLD,) * 4) == CALL
    assert no_limit_action(0.999, (5,)) == 5 + 4  # a third of 8 + 5
    assert no_limit_action(0.5, (200,)) == FOLD
    assert no_limit_action(0.0, (FOLD,) * 4 + (CALL,)) == CALL  # the big blind may check anything


def test_a_baseline_has_a_digest_of_its_play_alone() -> None:
    assert Baseline("other name").digest == SOUND.digest
    assert len({SOUND.digest, ABSURD.digest, Baseline(per_raise=Fraction(0)).digest}) == 3
    assert SOUND.settings is STANDARD


# ---- what users see


def test_hidden_cards_are_refused() -> None:
    hands = hands_of("nolimit-6max", 12)
    hands.records.decks[4, 3] = UNKNOWN
    with pytest.raises(lk.InputError, match=r"hand 4: not all hole cards are known \(so in 1 of 12 hands\)"):
        judge_hands([hands], "divat")
    board = hands_of("nolimit-6max", 12, ("call",))
    board.records.decks[7, 2 * 6 + BOARD_CARDS[3] - 1] = UNKNOWN
    with pytest.raises(lk.InputError, match="hand 7: not all board cards are known"):
        judge_hands([board], "divat")


def test_judge_prints_the_cross_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lk.play(["call", "raise", "fold"], game="nolimit-3max", hands=12, decks="fresh", save=tmp_path / "m")
    shell = Shell(monkeypatch, capsys)
    told: dict[str, Any] = shell.json("judge", str(tmp_path / "m"), "--by", "divat")
    assert told["by"] == "divat"
    assert told["values"] == {"name": "sound play", "digest": SOUND.digest}
    table = told["cross_table"]
    assert table["players"] == ["call", "raise", "fold"]
    assert table["gains"]["call"]["raise"]["total_bb"] == pytest.approx(-table["gains"]["raise"]["call"]["total_bb"])
    assert list(told["players"][0]["by_street"]) == ["preflop", "flop", "turn", "river"]
    json.dumps(told, allow_nan=False)
