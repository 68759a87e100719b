"""`blueprint:resolve=river` plays a blueprint up to the river, and there a strategy that is solved on the spot.

The ranges are those that both players have if they play the blueprint: what the bot holds decides nothing, so the
probabilities of all its hands are known. See `river_resolving` for why that is not more exploitable than the
blueprint. Bets outside of the menu are read as in `translation`.
"""

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.distribution import ActionDistribution
from luckless.bots.fingerprints import checksum, code_digest
from luckless.hands.pairs import PAIRS, pair_numbers
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.rules.views import Views
from luckless.solve.betting_tree import BettingTree, river_betting
from luckless.solve.blueprint_bot import BlueprintBot
from luckless.solve.play_tree import END, PlayTree, Point
from luckless.solve.river_game import RIVER
from luckless.solve.river_meeting import BoardHands
from luckless.solve.river_resolving import Play, RiverLines, best_values, normalised, resolve_river
from luckless.solve.translation import Law, Real, law

ITERATIONS = 150
KEPT = 2048
"""Rivers whose solutions are kept in memory."""
EVERY_HAND = 0.01
"""What every hand of the opponent counts at least, as a share of the mean: he may play otherwise than we think."""
PARTS = 255.0


class _Solved(NamedTuple):
    """A river that was solved for one seat: its betting, and the probabilities by pair and slot in parts of 255."""

    tree: BettingTree
    points: PlayTree
    places: NDArray[np.int64]
    """The row of each pair, -1 for those that the board blocks."""
    shares: NDArray[np.uint8]


class River(NamedTuple):
    """A river before its first action: a table with one hand on it, the hands that the board leaves, how likely each
    seat comes with each (seat, hand), its betting, and what each player has put in."""

    table: Table
    hands: BoardHands
    ranges: NDArray[np.float64]
    tree: BettingTree
    put_in: int


class ResolvingBot(BlueprintBot):
    """A blueprint that solves the river again."""

    loop = None

    def __init__(self, spec: str, path: Path | None = None) -> None:
        super().__init__(spec, path)
        self._plain = BlueprintBot("blueprint", path)
        self._kept: OrderedDict[bytes, _Solved | None] = OrderedDict()

    def record(self) -> None:  # type: ignore[override]
        """Nothing: it is asked decision by decision."""

    def probabilities(self, views: Views) -> ActionDistribution:
        """Those of the blueprint, on the river those of the solution."""
        self.blueprint_for(views.game)
        late = np.flatnonzero(views.public["street"] == RIVER)
        rows: list[NDArray[np.int64]] = []
        laws: list[Law] = []
        for group in _alike(views, late):
            solved = self._solved(views, int(group[0]))
            if solved is not None:
                rows.append(group)
                laws.append(_law(solved, views, group))
        return _replaced(self._plain.probabilities(views), rows, laws)

    def fingerprint(self) -> str:
        """That of the blueprint, and the code that solves."""
        codes = [code_digest(resolve_river), code_digest(_ranges), code_digest(law)]
        return checksum([super().fingerprint(), *codes, repr((ITERATIONS, EVERY_HAND))])

    def _solved(self, views: Views, row: int) -> _Solved | None:
        """The river of one situation, for the seat to act; None where it cannot be solved."""
        public, steps = views.public[row], _before_river(views, row)
        stacks = public["stack"][:2] + public["invested"][:2]
        parts = (public["actor"], stacks, views.board[row], views.actions[row, :steps])
        key = b"|".join(np.ascontiguousarray(part).tobytes() for part in parts)
        if key not in self._kept:
            self._kept[key] = self._solve(views, row, steps)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def _solve(self, views: Views, row: int, steps: int) -> _Solved | None:
        public, game, seat = views.public[row], views.game, int(views.public["actor"][row])
        behind = public["stack"][:2] + public["street_bet"][:2]
        if behind[0] != behind[1] or (public["stack"][:2] + public["invested"][:2] != game.stacks).any():
            return None
        river = self.river_of(game, tuple(map(int, views.board[row])), views.actions[row, :steps].tolist())
        if river is None or river.ranges[seat].sum() <= 0:
            return None
        places = np.full(PAIRS, -1, np.int64)
        places[river.hands.pairs] = np.arange(len(river.hands.pairs))
        shares = np.ascontiguousarray(self.solved(river, seat).T)
        return _Solved(river.tree, _points(river.tree, river.put_in, game.stacks[0]), places, shares)

    def river_of(self, game: Game, board: tuple[int, ...], history: Sequence[int]) -> River | None:
        """The river that actions of earlier streets lead to; None if they do not."""
        hands = BoardHands.of(board)
        table = Table(game, np.array([[*_others(board), *board]], np.uint8))
        ranges = _ranges(self._plain, table, history, hands)
        if ranges is None:
            return None
        put_in = int(table.public["invested"][0, 0])
        tree = river_betting(game, self.made_for(game)[1].settings.menus, put_in)
        return River(table, hands, ranges, tree, put_in)

    def plain(self, river: River, seat: int) -> NDArray[np.float64]:
        """What the plain blueprint does at each decision of a seat, by slot and hand."""
        return _strategy(self._plain, river.table, river.tree, seat, river.hands)

    def solved(self, river: River, seat: int) -> NDArray[np.uint8]:
        """What a seat does instead, by slot and hand, in parts of 255."""
        lines, hands = RiverLines.of(river.tree), river.hands
        ranges = river.ranges / river.ranges.sum(axis=1, keepdims=True)
        ranges[1 - seat] += EVERY_HAND / len(hands.pairs)
        offer = best_values(lines, hands, seat, ranges[seat], self.plain(river, seat))
        play = Play.new(lines, len(hands.pairs))
        average = resolve_river(lines, hands, ranges, offer, seat, ITERATIONS, play)
        return np.rint(PARTS * normalised(river.tree, seat, average)).astype(np.uint8)


def _others(board: Sequence[int]) -> list[int]:
    """Cards for both hands, which nobody looks at."""
    return [card for card in range(52) if card not in board][:4]


def _before_river(views: Views, row: int) -> int:
    """How many actions came before the river."""
    steps = int(views.public["steps"][row])
    return int((views.action_streets[row, :steps] < RIVER).sum())


def _alike(views: Views, rows: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Rows in groups of one public situation."""
    public = views.public
    groups: dict[bytes, list[int]] = {}
    for row in rows.tolist():
        steps = int(public["steps"][row])
        parts = (public["actor"][row], public["stack"][row, :2], views.board[row], views.actions[row, :steps])
        groups.setdefault(b"|".join(np.ascontiguousarray(part).tobytes() for part in parts), []).append(row)
    return [np.array(group) for group in groups.values()]


def _asked(bot: BlueprintBot, table: Table, hands: BoardHands) -> ActionDistribution:
    """What the blueprint does in each situation of a table with each hand, one situation after the other."""
    which = np.repeat(np.arange(len(table)), len(hands.pairs))
    cards = np.tile(hands.cards, (len(table), 1))
    return bot.probabilities(table.views(np.arange(len(table))).with_cards(which, cards))


def _ranges(bot: BlueprintBot, table: Table, history: Sequence[int], hands: BoardHands) -> NDArray[np.float64] | None:
    """How likely each player with each hand acts as he did, if he plays the blueprint; the table plays the history.
    An action that the blueprint never takes says nothing. None if the history does not lead to the river."""
    ranges = np.ones((2, len(hands.pairs)))
    for action in history:
        seat = int(table.public["actor"][0])
        likely = ranges[seat] * _asked(bot, table, hands).of(np.full(len(hands.pairs), action))
        if likely.sum() > 0:
            ranges[seat] = likely
        table.act(np.array([0]), [action])
    return ranges if table.public["actor"][0] >= 0 and table.public["street"][0] == RIVER else None


def _strategy(
    bot: BlueprintBot, table: Table, tree: BettingTree, seat: int, hands: BoardHands
) -> NDArray[np.float64]:
    """What the blueprint does at each decision of a seat on the river, by slot and hand; its sizes are those of the
    tree that come nearest."""
    nodes, situations = _situations(table, tree, seat)
    strategy = np.zeros((len(tree.after), len(hands.pairs)))
    found = _asked(bot, situations, hands)
    for place, node in enumerate(nodes):
        rows = slice(place * len(hands.pairs), (place + 1) * len(hands.pairs))
        first = int(tree.first[node])
        actions = tree.action[first : first + tree.size[node]].astype(np.int64)
        for low, chance in zip(found.low[rows].T, found.probability[rows].T, strict=True):
            slots = first + _nearest(actions, low)
            np.add.at(strategy, (slots, np.arange(len(low))), chance)
    return strategy


def _nearest(actions: NDArray[np.int64], made: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places of the actions that come nearest to some: a fold where there is none is a check, a raise a call."""
    folds = actions[0] == FOLD
    raises = np.where(actions > CALL, actions, np.iinfo(np.int64).max // 2)
    nearest = np.abs(raises[:, None] - made).argmin(axis=0) if (actions > CALL).any() else np.full(len(made), folds)
    return np.where(made > CALL, nearest, np.where((made == FOLD) & folds, 0, int(folds))).astype(np.int64)


def _situations(table: Table, tree: BettingTree, seat: int) -> tuple[list[int], Table]:
    """The decisions of a seat on the river, and a table with a hand that has come to each."""
    nodes: list[int] = []
    lines: list[tuple[int, ...]] = []
    waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while waiting:
        node, line = waiting.pop()
        if tree.player[node] == seat:
            nodes.append(node)
            lines.append(line)
        for slot in range(tree.first[node], tree.first[node] + tree.size[node]):
            if tree.after[slot] >= 0:
                waiting.append((int(tree.after[slot]), (*line, int(tree.action[slot]))))
    hands = table.copies(np.zeros(len(nodes), np.int64))
    for step in range(max(map(len, lines), default=0)):
        rows = [row for row, line in enumerate(lines) if len(line) > step]
        hands.act(np.array(rows), [lines[row][step] for row in rows])
    return nodes, hands


def _points(tree: BettingTree, put_in: int, stack: int) -> PlayTree:
    """The betting as it is walked with bets outside of the menu; places of actions are slots."""
    faced = np.zeros(len(tree.player), np.int64)
    points = []
    for node in range(len(tree.player)):
        first, end = int(tree.first[node]), int(tree.first[node] + tree.size[node])
        bet = int(faced[node])
        for slot in range(first, end):
            if tree.after[slot] >= 0:
                faced[tree.after[slot]] = max(int(tree.action[slot]), bet)
        actions, after = (tuple(map(int, part[first:end])) for part in (tree.action, tree.after))
        leads = tuple(END if number < 0 else number for number in after)
        points.append(Point(int(tree.player[node]), bet, 2 * (put_in + bet), first, actions, leads))
    return PlayTree(tuple(points), (0, 0), stack - put_in)


def _law(solved: _Solved, views: Views, group: NDArray[np.int64]) -> Law:
    """What is done in one public situation, by the rows that are in it."""
    row, game = int(group[0]), views.game
    public, before = views.public[row], _before_river(views, row)
    seat, steps = int(public["actor"]), int(public["steps"])
    most = tuple(int(public["stack"][one] + public["street_bet"][one]) for one in (0, 1))
    raised = game.bet_sizes[RIVER] if game.betting == "limit" else game.big_blind
    now = Real(2 * int(public["invested"][0] - public["street_bet"][0]), (0, 0), raised, (most[0], most[1]))
    numbers = solved.shares[solved.places[pair_numbers(views.hole[group])]].T.astype(np.float64)
    shares = normalised(solved.tree, seat, numbers).T
    return law(solved.points, seat, shares, views.actions[row, before:steps].tolist(), now)


def _replaced(found: ActionDistribution, rows: list[NDArray[np.int64]], laws: list[Law]) -> ActionDistribution:
    """Probabilities with some rows replaced."""
    width = max([found.low.shape[1], *map(len, laws)])
    actions, chances = np.zeros((len(found), width), np.int64), np.zeros((len(found), width))
    actions[:, : found.low.shape[1]] = found.low
    chances[:, : found.low.shape[1]] = found.probability
    for group, one in zip(rows, laws, strict=True):
        actions[group], chances[group] = CALL, 0.0
        for column, action in enumerate(sorted(one)):
            actions[group, column] = action
            chances[group, column] = one[action]
    return ActionDistribution(actions, actions, chances)
