"""The flat betting tree of a whole game: published counts, and the rules' own engine along its lines."""

import numpy as np
import pytest

from luckless.errors import InputError
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.solve.betting_tree import SHOWDOWN, BettingTree, betting_tree
from luckless.solve.menus import parse_sizes

SIZES = (
    ("75%,all-in", "100%,all-in", "all-in"),
    ("50%,100%", "100%,all-in", "all-in"),
    ("75%", "all-in"),
    ("e,all-in",),
)


def _tree(name: str) -> BettingTree:
    menus = [[parse_sizes(text, "sizes", raises=True) for text in street] for street in SIZES]
    return betting_tree(Game.load(name), None if name == "limit-hu" else menus)


def test_limit_has_the_published_number_of_decisions() -> None:
    tree = _tree("limit-hu")
    assert tree.nodes_by_street == [8, 70, 630, 5670]
    assert len(tree.loser) == 10_206
    assert (tree.size <= 3).all()


@pytest.mark.parametrize("name", ["limit-hu", "nolimit-hu"])
def test_everything_is_reached_once_and_rows_have_no_gaps(name: str) -> None:
    tree = _tree(name)
    reached = np.sort(tree.after)
    assert (
        reached == np.arange(-len(tree.loser), len(tree.player))[np.arange(-len(tree.loser), len(tree.player)) != 0]
    ).all()
    for street in range(4):
        own = tree.street == street
        places = np.sort(
            np.concatenate([np.arange(p, p + s) for p, s in zip(tree.place[own], tree.size[own], strict=True)])
        )
        assert (places == np.arange(tree.width[street])).all()


@pytest.mark.parametrize("name", ["limit-hu", "nolimit-hu"])
def test_lines_are_legal_and_end_with_the_chips_of_the_engine(name: str) -> None:
    game, tree, random = Game.load(name), _tree(name), np.random.default_rng(3)
    seen = set()
    for deal in range(150):
        table = Table.dealt(game, 7, np.array([deal]))
        node = 0
        while node >= 0:
            view = table.views(np.array([0])).one(0)
            assert (view.seat, view.street) == (tree.player[node], tree.street[node])
            slots = np.arange(tree.first[node], tree.first[node] + tree.size[node])
            assert (tree.action[slots[0]] == -1) == (view.to_call > 0)
            raises = tree.action[slots][tree.action[slots] > 0]
            assert ((view.min_raise_to <= raises) & (raises <= view.max_raise_to)).all()
            assert len(raises) > 0 or view.max_raise_to == 0
            slot = random.choice(slots[-2:])
            assert tree.all_in[slot] == (
                tree.action[slot] > 0 and tree.action[slot] == view.max_raise_to and name != "limit-hu"
            )
            table.act(np.array([0]), [int(tree.action[slot])])
            node = int(tree.after[slot])
        payoffs = table.records().payoffs[0]
        loser, stake = tree.loser[-1 - node], tree.stake[-1 - node]
        seen.add(int(loser))
        if loser == SHOWDOWN:
            assert abs(payoffs[0]) in (0, stake)
        else:
            assert payoffs[loser] == -stake
    assert SHOWDOWN in seen


def test_games_that_have_no_blueprint_are_refused() -> None:
    menus = [[parse_sizes("all-in", "sizes", raises=True)]] * 4
    with pytest.raises(InputError, match="needs two seats"):
        betting_tree(Game.load("nolimit-6max"), menus)
    with pytest.raises(InputError, match="menus of sizes are for no-limit"):
        betting_tree(Game.load("limit-hu"), menus)
    endless = [[parse_sizes("all-in", "sizes", raises=True)]] * 3 + [[parse_sizes("1%", "sizes", raises=True)]]
    with pytest.raises(InputError, match="raises in a row"):
        betting_tree(Game.load("nolimit-hu"), endless)
