"""What players do, valued by the strength of hands: nothing new if all hands are alike, else as worked by hand."""

import numpy as np
import pytest

import luckless as lk
from luckless.cards import parse_cards
from luckless.hands.evaluator import strength_rows
from luckless.hands.pairs import PAIR_CARDS, PAIRS, pair_numbers
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.rules.records import Records
from luckless.skill.by_steps import walk_hands
from luckless.skill.outlooks import KNOTS, NUMBERS, at_strength, strengths_on
from luckless.skill.values import EVEN, EquityValues, preflop_strengths
from luckless.skill.verdict import Knowledge

BENT = (
    (0.3, -0.2, -2.0, 0.9, 1.5, 0.7),
    (2.5, 0.8, 3.0, -1.0, -1.0, 0.2),
    (-1.0, 0.4, 0.5, 0.4, 0.4, 2.0),
    (0.9, -0.9, -1.0, 2.0, 3.0, 1.0),
)


@pytest.mark.parametrize(
    ("game", "bots"), [("nolimit-hu", ["uniform", "random"]), ("nolimit-3max", ["uniform", "call", "random"])]
)
def test_numbers_that_are_the_same_for_all_hands_change_nothing(game: str, bots: list[str]) -> None:
    """Outlooks are then prospects told in another way, at every step of every hand."""
    players = [lk.bot(name, f"{name} {place}") for place, name in enumerate(bots)]
    match = Match.plan(Game.load(game), players, hands=10, seed=8, decks="fresh")
    hands = next(iter(match.chunks())).hands
    even = tuple(map(tuple, (np.array(BENT) @ EVEN).tolist()))
    plain, told = EquityValues("plain", BENT), EquityValues("told", BENT, by_strength=even)
    assert plain.digest == told.digest
    for known in (players[:1], players):
        policies = {bot.name: bot for bot in known}
        one = walk_hands(hands, 0, Knowledge(policies, plain), vary=True).account
        two = walk_hands(hands, 0, Knowledge(policies, told), vary=True).account
        for name, first, second in zip(one._fields, one, two, strict=True):
            np.testing.assert_allclose(first, second, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("board", ["Ks7d7c", "Ks7d7c4s", "Ks7d7c4s2h"])
def test_strength_is_the_share_of_weaker_hands(board: str) -> None:
    cards = np.array(parse_cards(board), np.uint8)
    found = np.zeros(PAIRS)
    strengths_on(cards, found)
    free = ~np.isin(PAIR_CARDS, cards).any(axis=1)
    ranks = np.zeros(int(free.sum()), np.int64)
    strength_rows(np.hstack([PAIR_CARDS[free], np.tile(cards, (len(ranks), 1))]).astype(np.uint8), ranks)
    plain = [((ranks < one).sum() + (ranks == one).sum() / 2) / len(ranks) for one in ranks]
    np.testing.assert_allclose(found[free], plain)
    assert not found[~free].any()


def test_strength_before_the_flop_is_the_place_by_equity() -> None:
    strengths = preflop_strengths()
    aces, worst = (int(pair_numbers(parse_cards(text))) for text in ("AsAd", "3h2c"))
    assert strengths.argmax() in pair_numbers(PAIR_CARDS[(PAIR_CARDS // 4 == 12).all(axis=1)])
    assert strengths[aces] == pytest.approx(1 - 3 / PAIRS)
    assert strengths[worst] < 0.01
    assert strengths.mean() == pytest.approx(0.5)


def test_numbers_go_over_evenly_between_knots() -> None:
    numbers = np.arange(len(KNOTS)) ** 2.0
    for strength in (0.0, 0.1, 0.4, 0.65, 0.7, 0.99, 1.0):
        assert at_strength(strength, numbers) == pytest.approx(float(np.interp(strength, KNOTS, numbers)))


def test_a_bet_on_the_river_by_hand() -> None:
    """A bet of 60 into 60 against one hand. It folds by the number of its strength, and if it calls, the better hand
    wins 120 of 240; nothing else is known of the answers."""
    game = Game(
        name="river", betting="limit", seats=2, blinds=(0, 0), stacks=(1000, 1000), bet_sizes=(10, 10, 60, 60),
        max_bets=(1, 1, 1, 1), first_street=3, pot=60, board=tuple(parse_cards("Ks7d7c4s2h")), unit=10,
    )  # fmt: skip
    numbers = np.zeros((4, NUMBERS))
    numbers[3, : len(KNOTS)] = [3.0, 2.0, 1.0, 0.5, 0.0]  # of the odds of 1/2
    values = EquityValues("by hand", BENT, by_strength=tuple(map(tuple, numbers.tolist())))
    for villain in ("Kh3h", "AhAd", "QhJh", "5h3d"):
        deck = [*parse_cards("AsKd"), *parse_cards(villain), *game.board]
        records = Records(
            game, np.array([deck], np.uint8), np.full((1, 2), 1000, np.int32), np.array([2]),
            np.array([60, -1], np.int32), np.array([[30, -30]], np.int32),
        )  # fmt: skip
        hands = HandColumns(records, np.zeros(1, int), np.zeros(1, int), np.array([[0, 1]]), ("hero", "villain"))
        account = walk_hands(hands, 0, Knowledge({"hero": lk.bot("raise")}, values), vary=False).account
        found = np.zeros(PAIRS)
        strengths_on(np.array(game.board, np.uint8), found)
        strength = found[int(pair_numbers(parse_cards(villain)))]
        folds = 0.5 * float(np.interp(strength, KNOTS, numbers[3, : len(KNOTS)]))
        called = -90 if villain == "AhAd" else 90
        before = account.start[0] + account.luck[0, 0]
        after = before + account.gains[0, 3, 0] + account.luck[0, 4]
        assert after == pytest.approx(folds * 30 + (1 - folds) * called), villain
