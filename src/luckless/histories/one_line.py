"""Files with a hand of heads-up limit a line, in the form of `notation`."""

from collections.abc import Iterable, Iterator

from luckless.errors import InputError
from luckless.histories.drafts import Batcher, Draft
from luckless.histories.hand_detail import HandDetail
from luckless.histories.names import Books
from luckless.histories.notation import MOST_BETS, WrittenHand, parse_hand, write_hand
from luckless.histories.rejects import BadHand, OnReject, Reject
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import UNKNOWN, HandColumns
from luckless.rules.game import Game

NAMES = ("P1", "P2")
"""The players of a file: the one in small letters, whose cards stand first, and the one in capitals."""


class OneLineReader:
    """Reads a file with a hand a line; empty lines and lines that begin with # are left out."""

    def __init__(
        self, on_reject: OnReject, game: Game | None = None, books: Books | None = None, source: str = ""
    ) -> None:
        """`game` gives the chips, `limit-hu` if it is left out: the notation knows bets only."""
        self._game = Game.load("limit-hu") if game is None else game
        _check_game(self._game)
        self._on_reject = on_reject
        self._batcher = Batcher(on_reject, books or Books(), source)

    def read(self, lines: Iterable[str]) -> Iterator[HandColumns]:
        """The hands in batches, in order; they are numbered from 0."""
        batcher = self._batcher
        for name in NAMES:
            batcher.books.players.number(name)
        hands = 0
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.startswith("#"):
                continue
            try:
                draft = self._draft(line, number, hands)
            except InputError as error:
                self._on_reject(Reject(f"line {number}", str(error), line))
                continue
            hands += 1
            yield from batcher.add(draft)
        yield from batcher.flush()

    def _draft(self, line: str, number: int, hand: int) -> Draft:
        written = parse_hand(line)
        names = NAMES if written.first_seat == 0 else NAMES[::-1]
        actions, streets = _actions(written.lines, self._game)
        return Draft(
            line=number,
            text=line,
            game=self._game,
            number=hand,
            deal=hand,
            players=list(names),
            deck=[*written.holes[0], *written.holes[1], *written.board, *[UNKNOWN] * (5 - len(written.board))],
            stacks=list(self._game.stacks),
            actions=actions,
            seats=[],
            streets=streets,
        )


def _actions(lines: list[str], game: Game) -> tuple[list[int], list[int]]:
    """The actions as numbers, and the street of each."""
    actions, streets = [], []
    for street, line in enumerate(lines):
        level = max(game.blinds) if street == 0 else 0
        for letter in line:
            if letter == "r":
                level += game.bet_sizes[street]
            actions.append({"f": FOLD, "c": CALL, "r": level}[letter])
            streets.append(street)
    return actions, streets


def _check_game(game: Game) -> None:
    if game.seats != 2 or game.betting != "limit" or game.first_street or game.first_seat != 1:
        raise BadHand(f"the one-line notation is for heads-up limit with reversed blinds; game {game.name} is not")
    if not all(0 < bets <= MOST_BETS for bets in game.max_bets):
        raise BadHand(f"the one-line notation knows at most four bets a street; game {game.name} allows more")


class OneLineWriter:
    """Writes a hand a line; small letters are the player who comes first in the source."""

    def hand(self, hand: HandDetail) -> str:
        """The line of a hand."""
        _check_game(hand.game)
        if UNKNOWN in hand.deck[:4] or UNKNOWN in hand.board:
            raise BadHand("the one-line notation needs the cards of both players and the board that was dealt")
        if max(hand.invested) == min(hand.stacks):
            raise BadHand("the one-line notation has no all-in")
        lines = [""] * (1 + max((step.street for step in hand.steps), default=0))
        for step in hand.steps:
            lines[step.street] += "r" if step.action > 0 else "c" if step.action == CALL else "f"
        first_seat = int(hand.order[1] < hand.order[0])
        return write_hand(WrittenHand((hand.hole(0), hand.hole(1)), hand.board, lines, first_seat)) + "\n"

    def closing(self) -> str:
        """The end of the file: nothing."""
        return ""
