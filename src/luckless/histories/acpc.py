"""Logs of the Annual Computer Poker Competition, and of everything that speaks its protocol: reading and writing."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from luckless.cards import format_cards
from luckless.errors import InputError
from luckless.histories import acpc_lines
from luckless.histories.acpc_reasons import line_problem
from luckless.histories.drafts import runs
from luckless.histories.hand_detail import HandDetail
from luckless.histories.names import Books
from luckless.histories.opening import Stream, line_blocks
from luckless.histories.rejects import BadHand, OnReject, Reject
from luckless.histories.settling import Ending, is_expected, rounded_payoffs
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import NO_TIME, UNKNOWN, HandColumns, Origin, Settlement
from luckless.rules.even_shares import encode_shares
from luckless.rules.game import BOARD_CARDS, Game
from luckless.rules.records import HandArrays, Records
from luckless.rules.replaying import replay
from luckless.rules.state import encode

GAMES = {
    "holdem.limit.2p.reverse_blinds.game": "limit-hu",
    "holdem.nolimit.2p.reverse_blinds.game": "nolimit-hu",
    "holdem.limit.3p.game": "limit-3max",
    "holdem.nolimit.3p.game": "nolimit-3max",
}
"""The competition's own game definitions, which its logs name in their first line, and our names of the games."""

OWN_HEADER = "# luckless/game "
"""Begins the first line of logs that we write; the game follows as JSON."""

_HEADER = "name/game/hands/seed"
_NUMBER = re.compile(r"STATE:(\d{1,18}):")
_SCORE = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{0,18})?")
_COMMENT = re.compile(rb"[ \t]+#(?=[ \t]|$)")
"""Begins a comment at the end of a line; in a name, such as `bot #2`, the sign has no space behind it."""
_NOBODY = -1
_KINDS: tuple[Settlement | None, ...] = (None, "shared", "given", "expected")


class AcpcReader:
    """Reads a log; `game` is needed when the log does not begin with a line that names a game we know.

    `source` names the log in the error that says so.
    """

    def __init__(
        self, on_reject: OnReject, game: Game | None = None, source: str = "the log", books: Books | None = None
    ) -> None:
        self._source = source
        self._on_reject = on_reject
        self._game = game
        self._books = books or Books()
        self._seatings: dict[bytes, list[int] | None] = {}
        self._lines = 0
        self._block_line = 0
        self._rejected = 0
        self._scores: dict[int, int] = {}

    def read(self, stream: Stream) -> Iterator[HandColumns]:
        """The hands of a log in batches, in order."""
        for block in line_blocks(stream):
            if self._game is None:
                self._game = _game_of(block, self._source)
            yield from self._read_block(block, self._game)

    def _read_block(self, block: bytes, game: Game) -> Iterator[HandColumns]:
        text = np.frombuffer(block, np.uint8)
        starts, stops = _line_bounds(text)
        hands = _room(len(starts), len(text), game)
        rules = acpc_lines.Rules(encode(game), encode_shares(game))
        acpc_lines.read_lines(rules, text, starts, stops, hands)
        _find_expected(game, hands)
        players = self._seat_all(block, hands, stops)
        hands.problem[(hands.problem == acpc_lines.GOOD) & (players[:, 0] == _NOBODY)] = acpc_lines.NO_PLAYERS
        good = hands.problem == acpc_lines.GOOD
        counted = 0
        for row in np.flatnonzero(~good).tolist():
            line = block[starts[row] : stops[row]]
            if line.startswith(b"SCORE:"):
                self._count(players, hands.values, good, slice(counted, row))
                counted = row
            self._other_line(line, self._lines + row + 1, int(hands.problem[row]), game)
        self._count(players, hands.values, good, slice(counted, len(starts)))
        self._block_line, self._lines = self._lines, self._lines + len(starts)
        for rows, settlement in _runs(np.flatnonzero(good), hands.settlement):
            yield self._columns(game, hands, players, rows, settlement)

    def _seat_all(self, block: bytes, hands: acpc_lines.Hands, stops: NDArray[np.int64]) -> NDArray[np.int32]:
        """The players of each good line by seat; nobody where a line does not name one for each."""
        seats = hands.values.shape[1]
        players = np.full((len(stops), seats), _NOBODY, np.int32)
        good = np.flatnonzero(hands.problem == acpc_lines.GOOD)
        bounds = zip(hands.players_at[good].tolist(), stops[good].tolist(), strict=True)
        texts = [block[first:stop] for first, stop in bounds]
        nobody = [_NOBODY] * seats
        seatings = {text: self._seating(text, seats) or nobody for text in dict.fromkeys(texts)}
        if texts:
            players[good] = [seatings[text] for text in texts]
        return players

    def _seating(self, text: bytes, seats: int) -> list[int] | None:
        """The players of a line by seat, or None if it does not name one for each; a comment is no name."""
        if b"#" in text:
            text = _COMMENT.split(text, maxsplit=1)[0]
        if text not in self._seatings:
            names = text.decode("utf-8", "replace").split("|")
            sound = len(names) == len(set(names)) == seats and all(names) and b":" not in text
            self._seatings[text] = [self._books.players.number(name) for name in names] if sound else None
        return self._seatings[text]

    def _count(
        self, players: NDArray[np.int32], values: NDArray[np.int64], good: NDArray[np.bool_], rows: slice
    ) -> None:
        """Adds the values of good lines to the scores; chips and parts of chips apart, since a sum may be large."""
        kept = good[rows]
        chips, parts = np.divmod(values[rows][kept], acpc_lines.MILLIONTHS)
        numbers, places = np.unique(players[rows][kept], return_inverse=True)
        sums = np.zeros((2, len(numbers)), np.int64)
        np.add.at(sums[0], places.ravel(), chips.ravel())
        np.add.at(sums[1], places.ravel(), parts.ravel())
        for player, whole, part in zip(numbers.tolist(), *sums.tolist(), strict=True):
            self._scores[player] = self._scores.get(player, 0) + whole * acpc_lines.MILLIONTHS + part

    def _other_line(self, line: bytes, number: int, problem: int, game: Game) -> None:
        """Handles a comment or a score; refuses any other line."""
        if line.startswith(b"#") or not line.strip():
            return
        text = line.decode("utf-8", "replace")
        is_score = line.startswith(b"SCORE:")
        reason = self._check_score(text) if is_score else line_problem(text, game, problem)
        if is_score and not reason:
            return
        self._rejected += 1
        hand = _NUMBER.match(text)
        where = f"line {number}, hand {hand[1]}" if hand else f"line {number}"
        self._on_reject(Reject(where, reason, text, won=_won(text)))

    def _check_score(self, text: str) -> str:
        """What is wrong with a score line: it must be the sum of the hands before it, if all of them were read."""
        _, _, rest = text.partition(":")
        values, _, names = rest.partition(":")
        if not all(map(_SCORE.fullmatch, values.split("|"))):
            return "its values are not numbers"
        scores = [Fraction(value) for value in values.split("|")]
        players = self._seating(names.encode(), len(scores))
        if players is None:
            return "it does not name one player for each score"
        sums = [Fraction(self._scores.get(player, 0), acpc_lines.MILLIONTHS) for player in players]
        if self._rejected or all(abs(score - total) < 1 for score, total in zip(scores, sums, strict=True)):
            return ""
        return f"the hands before it add up to {'|'.join(map(value_text, sums))}"

    def _columns(
        self,
        game: Game,
        hands: acpc_lines.Hands,
        players: NDArray[np.int32],
        rows: NDArray[np.int64],
        settlement: Settlement,
    ) -> HandColumns:
        numbers = hands.number[rows]
        return HandColumns(
            _records(game, hands.played, rows),
            numbers,
            numbers,
            players[rows],
            self._books.players.all(),
            settlement,
            printed=hands.values[rows] if settlement == "expected" else None,
            origin=self._origin(rows.astype(np.int32)),
        )

    def _origin(self, rows: NDArray[np.int32]) -> Origin:
        file = self._books.files.number(self._source)
        return Origin(
            self._books.files.all(),
            np.full(len(rows), file, np.int32),
            (rows + (self._block_line + 1)).astype(np.int32),
            self._books.tables.all(),
            np.full(len(rows), -1, np.int32),
            np.full(len(rows), NO_TIME, np.int64),
        )


def _game_of(block: bytes, source: str) -> Game:
    """The game that the first lines of a log name."""
    first = block[:100_000].split(b"\n", 1)[0]
    if first.startswith(OWN_HEADER.encode()):
        try:
            values = json.loads(first[len(OWN_HEADER) :])
        except (ValueError, RecursionError):
            raise InputError(f"{source}: its first line does not name a game; name it with --game") from None
        if not isinstance(values, dict):
            raise InputError(f"{source}: its first line does not name a game; name it with --game")
        return Game.from_dict(values, f"{source}, first line")
    words = first.decode("utf-8", "replace").removeprefix("#").split()
    named = len(words) > 2 and first.startswith(b"#") and words[0] == _HEADER
    name = words[2].rpartition("/")[2] if named else ""
    if name not in GAMES:
        said = f"it is of game {name[:60]}, which is not known here" if named else "it does not name its game"
        raise InputError(f"{source}: {said}; name it with --game (a game file of the competition also works)")
    return Game.load(GAMES[name])


def _line_bounds(text: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each line begins and ends, without its end of line."""
    stops = np.flatnonzero(text == ord("\n"))
    if not len(stops) or stops[-1] != len(text) - 1:
        stops = np.append(stops, len(text))
    starts = np.concatenate([[0], stops[:-1] + 1])
    returns = (stops > starts) & (text[stops - 1] == ord("\r"))
    return starts, stops - returns


def _runs(rows: NDArray[np.int64], settlements: NDArray[np.int8]) -> Iterator[tuple[NDArray[np.int64], Settlement]]:
    """Consecutive hands that agree on one settlement."""
    kinds = settlements[rows]
    if not kinds.any():  # nearly always
        if len(rows):
            yield rows, "whole"
        return
    for run, settlement in runs(rows.tolist(), [_KINDS[kind] for kind in kinds.tolist()]):
        yield np.array(run), settlement


def _records(game: Game, played: HandArrays, rows: NDArray[np.int64]) -> Records:
    """Some of the hands of a block, in order."""
    counts = np.diff(played.ends, prepend=0)
    kept = np.zeros(len(counts), bool)
    kept[rows] = True
    actions = played.actions[: played.ends[-1]][np.repeat(kept, counts)]
    return Records(
        game, played.decks[rows], played.stacks[rows], np.cumsum(counts[rows]), actions, played.payoffs[rows]
    )


def _find_expected(game: Game, hands: acpc_lines.Hands) -> None:
    """Accepts the lines whose values are what an all-in is worth before the board is dealt out."""
    problems = (hands.problem == acpc_lines.OTHER_VALUES) | (hands.problem == acpc_lines.UNSETTLED)
    rows = np.flatnonzero(problems)
    if not len(rows):
        return
    records = _records(game, hands.played, rows)
    ends = replay(records).ends
    for place, row in enumerate(rows.tolist()):
        end = Ending.of(game, records.decks[place].tolist(), game.stacks, ends, place)
        given = [Fraction(value, acpc_lines.MILLIONTHS) for value in hands.values[row].tolist()]
        if is_expected(end, given):
            hands.problem[row] = acpc_lines.GOOD
            hands.settlement[row] = acpc_lines.EXPECTED
            hands.played.payoffs[row] = end.ours or rounded_payoffs(given)


def _won(text: str) -> float | None:
    """What the winners of a line won, if its values are numbers."""
    values = (text.split(":") + [""] * 5)[4].split("|")
    if not all(map(_SCORE.fullmatch, values)):
        return None
    return sum(max(float(value), 0.0) for value in values)


def _room(lines: int, size: int, game: Game) -> acpc_lines.Hands:
    played = HandArrays(
        decks=np.empty((lines, 2 * game.seats + 5), np.uint8),
        stacks=np.tile(np.array(game.stacks, np.int32), (lines, 1)),
        ends=np.zeros(lines, np.int64),
        actions=np.empty(size, np.int32),
        payoffs=np.zeros((lines, game.seats), np.int32),
    )
    return acpc_lines.Hands(
        played,
        problem=np.zeros(lines, np.int8),
        number=np.zeros(lines, np.int64),
        players_at=np.zeros(lines, np.int64),
        settlement=np.zeros(lines, np.int8),
        values=np.zeros((lines, game.seats), np.int64),
    )


class AcpcWriter:
    """Writes a log: the game, a STATE line a hand, and the score at the end."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._scores: dict[str, Fraction] = {}

    def hand(self, hand: HandDetail) -> str:
        """The line of a hand, and before the first the line that describes the game."""
        header = ""
        if self._game is None:
            _check_game(hand.game)
            header = f"{OWN_HEADER}{json.dumps(hand.game.to_dict())}\n"
            self._game = hand.game
        if hand.game != self._game:
            raise BadHand(f"a log holds hands of one game, here {self._game.name}; this hand is of another game")
        if tuple(hand.stacks) != hand.game.stacks:
            raise BadHand(f"a log has the same stacks in every hand, {hand.game.stacks}; here they are {hand.stacks}")
        names = [_name(name) for name in hand.names]
        values = hand.values()
        line = state_line(hand, names, values)
        for name, value in zip(names, values, strict=True):
            self._scores[name] = self._scores.get(name, Fraction(0)) + value
        return f"{header}{line}\n"

    def closing(self) -> str:
        """The score: what each player has won in all."""
        if not self._scores:
            return ""
        return f"SCORE:{'|'.join(map(value_text, self._scores.values()))}:{'|'.join(self._scores)}\n"


def _name(name: str) -> str:
    """A name as a line can carry it: without the signs that end names and begin comments."""
    plain = "".join("_" if sign in ":|\n\r" else sign for sign in name) or "_"
    return _COMMENT.sub(lambda found: found[0].replace(b"#", b"_"), plain.encode(errors="surrogateescape")).decode(
        errors="surrogateescape"
    )


def _check_game(game: Game) -> None:
    for carried, what in (
        (game.betting != "pot-limit", "pot-limit"),
        (not any(game.antes), "antes"),
        (not any(game.posts), "bets posted out of turn"),
        (not game.first_street, "hands that start after the flop"),
        (game.rake is None, "rake"),
    ):
        if not carried:
            raise BadHand(f"game {game.name} has {what}, which competition logs cannot express")


def state_line(hand: HandDetail, names: list[str], values: list[Fraction]) -> str:
    """A hand as a STATE line."""
    holes = "|".join(
        "" if UNKNOWN in hand.hole(seat) else format_cards(hand.hole(seat)) for seat in range(hand.game.seats)
    )
    streets = 3 if hand.showdown and UNKNOWN not in hand.board else hand.street
    boards = [hand.board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]] for street in range(1, streets + 1)]
    if any(UNKNOWN in cards for cards in boards):
        raise BadHand("a log needs every board card that was dealt, but one is unknown")
    cards = "/".join([holes, *map(format_cards, boards)])
    worth = "|".join(map(value_text, values))
    return f"STATE:{hand.number}:{_betting(hand, streets)}:{cards}:{worth}:{'|'.join(names)}"


def _betting(hand: HandDetail, streets: int) -> str:
    betting = [""] * (streets + 1)
    limit = hand.game.betting == "limit"
    put_in = [0] * hand.game.seats  # on earlier streets
    street = 0
    for place, step in enumerate(hand.steps):
        if step.street != street:
            street = step.street
            put_in = [hand.stacks[seat] - chips for seat, chips in enumerate(_behind(hand, place))]
        if step.action in (FOLD, CALL):
            betting[street] += "f" if step.action == FOLD else "c"
        else:
            betting[street] += "r" if limit else f"r{put_in[step.seat] + step.action}"
    return "/".join(betting)


def _behind(hand: HandDetail, place: int) -> list[int]:
    """The stack of each seat before an action."""
    behind = [stack - min(blind, stack) for stack, blind in zip(hand.stacks, hand.game.blinds, strict=True)]
    for step in hand.steps[:place]:
        behind[step.seat] = step.behind
    return behind


def value_text(value: Fraction | int) -> str:
    """A value with up to six decimal places, as the competition's dealer prints it."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.6f}".rstrip("0").rstrip(".")
