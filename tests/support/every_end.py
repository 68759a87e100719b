"""Every end of a betting tree with its probability, for estimators whose terms must have the mean 0 exactly."""

import itertools
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot
from luckless.cards import parse_cards
from luckless.hands.pairs import PAIR_CARDS
from luckless.rules.columns import HandColumns
from luckless.rules.game import Game
from luckless.rules.records import Records
from luckless.rules.replaying import replay
from luckless.rules.table import Table
from luckless.skill.by_steps import Walked
from luckless.skill.policies import known_policies
from luckless.skill.shares import NOBODY

NAMES = ("hero", "villain", "third")
RIVER_CARDS = 5


def late_limit(seats: int, board: str, max_bets: int) -> Game:
    """Limit that begins on the turn or the river, as the board says."""
    cards = parse_cards(board)
    return Game(
        name="late-limit",
        betting="limit",
        seats=seats,
        blinds=(0,) * seats,
        stacks=(1000,) * seats,
        bet_sizes=(10, 10, 20, 20),
        max_bets=(max_bets,) * 4,
        first_street=len(cards) - 2,
        pot=60,
        board=tuple(cards),
        unit=10,
    )


def lines_of(game: Game) -> list[tuple[list[int], int]]:
    """Every way through the betting, and the street on which it ends."""
    others = [card for card in range(52) if card not in game.board]
    holes, rest = others[: 2 * game.seats], others[2 * game.seats : 2 * game.seats + RIVER_CARDS - len(game.board)]

    def ways(table: Table, made: list[int]) -> Iterator[tuple[list[int], int]]:
        if table.finished:
            yield made, int(table.public["street"][0])
            return
        legal, row = table.legal(0), np.array([0])
        raises = [legal.min_raise_to] if legal.can_raise else []
        for action in (*([-1] if legal.call else []), 0, *raises):
            after = table.copies(row)
            after.act(row, [action])
            yield from ways(after, [*made, action])

    return list(ways(Table(game, [[*holes, *game.board, *rest]]), []))


def every_end(
    game: Game, hero: int, others: Sequence[str], bots: Sequence[Bot], go_on: Collection[str] | None = None
) -> tuple[HandColumns, NDArray[np.float64]]:
    """Every hand of the hero (player 0, in this seat) against those of the others (in order of their seats), on every
    board, in every line of the betting, with its probability. `bots` are those of hero, villain, third.

    `go_on` are the hero's only hands that may see another street; of others such lines are left out, and so are hands
    that these bots never play so.
    """
    theirs = [parse_cards(text) for text in others]
    dead = [*game.board, *itertools.chain(*theirs)]
    own = PAIR_CARDS[~np.isin(PAIR_CARDS, dead).any(axis=1)].tolist()
    going = own if go_on is None else [sorted(parse_cards(text)) for text in go_on]
    decks, actions, ends, shares = [], [], [], []
    for cards, (line, street) in itertools.product(own, lines_of(game)):
        holes = [*theirs[:hero], cards, *theirs[hero:]]
        left = [card for card in range(52) if card not in {*dead, *cards}]
        further = street > game.first_street
        rests = list(itertools.combinations(left, RIVER_CARDS - len(game.board)))
        if further and sorted(cards) not in going:
            continue
        for rest in rests if further else rests[:1]:
            decks.append([*itertools.chain(*holes), *game.board, *rest])
            actions += line
            ends.append(len(line))
            shares.append(1 / len(rests) if further else 1.0)
    count = len(decks)
    records = Records(
        game,
        np.array(decks, np.uint8),
        np.full((count, game.seats), 1000, np.int32),
        np.cumsum(ends),
        np.array(actions, np.int32),
        np.zeros((count, game.seats), np.int32),
    )
    played = replay(records)
    assert (played.ends.problem == 0).all()
    records.payoffs[:] = played.ends.payoffs
    numbers, rivals = np.arange(count), iter(range(1, game.seats))
    seated = [0 if seat == hero else next(rivals) for seat in range(game.seats)]
    hands = HandColumns(records, numbers, numbers, np.tile(seated, (count, 1)), NAMES[: game.seats])
    chances = chances_of(hands, bots) * shares / len(own)
    possible = np.flatnonzero(chances)
    return hands.take(possible), chances[possible]


def chances_of(hands: HandColumns, bots: Sequence[Bot]) -> NDArray[np.float64]:
    """How likely the players take the actions of each hand."""
    known = known_policies(hands, np.full(len(hands), NOBODY), dict(zip(hands.names, bots, strict=True)))
    chances = np.ones(len(hands))
    rows = np.repeat(np.arange(len(hands)), np.diff(hands.records.ends, prepend=0))
    for place, action in enumerate(hands.records.actions.tolist()):
        alternatives = range(int(known.first[place]), int(known.first[place + 1]))
        taken = [slice(*known.at[one : one + 2]) for one in alternatives if known.low[one] == action]
        chances[rows[place]] *= sum(float(known.chances[part].sum()) for part in taken)
    return chances


def total(walked: Walked) -> NDArray[np.float64]:
    """What all terms of each hand add up to."""
    account = walked.account
    sums: NDArray[np.float64] = (
        account.start + account.gains.sum(axis=(1, 2)) + account.luck.sum(axis=1) + account.rest
    )
    return sums
