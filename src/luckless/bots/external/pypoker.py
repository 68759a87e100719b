"""`pypoker:file.py:ClassName`: players written for PyPokerEngine play here unchanged.

A player gets `declare_action` and all `receive_..._message` calls, in PyPokerEngine's order and shapes; what happens
between its own decisions reaches it when it is asked next, or when the hand is over. Each session is a game of its
own, with the true number of rounds and starting chips; a match is one long game. PyPokerEngine itself is not needed:
where it is not installed, its base class is stood in for.
"""

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from luckless.bots.dice import Dice
from luckless.bots.external.pypoker_round import Message, Round, card_text, hand_info, uuid_of
from luckless.bots.fingerprints import object_digest
from luckless.bots.loading import load_player
from luckless.bots.python_bot import PythonBot, bot_of
from luckless.errors import InputError
from luckless.hands.strength import strengths
from luckless.rules.actions import CALL, FOLD
from luckless.rules.endings import Ending
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.views import View

MAX_ROUND = 1_000_000
"""Given as the number of rounds of a match: how many hands are played there is not told to any bot."""


class PyPokerPlayer:
    """A player of PyPokerEngine as a bot of ours."""

    memory = True

    def __init__(self, player: Any) -> None:
        self._player = player
        self._game: Game | None = None
        self._rounds = 0
        self._rounds_left: int | None = None
        self._round: Round | None = None

    def fingerprint(self) -> str:
        """A checksum of the player behind it."""
        return object_digest(self._player)

    def match_starts(self, game: Game) -> None:
        """Notes the game; the player hears of it with its first hand."""
        self._game = game
        self._rounds = 0
        self._rounds_left = None
        self._round = None

    def decide(self, view: View, dice: Dice) -> Any:
        """The player's answer as an action."""
        share = self._pot_share
        stacks = [stack + paid - share for stack, paid in zip(view.stacks, view.invested, strict=True)]
        now = self._catch_up(view, stacks)
        hole = [card_text(card) for card in view.hole]
        valid = _valid_actions(view, now.level)
        return _action_of(self._player.declare_action(valid, hole, now.state_when_asked(view.board)), view)

    def hand_over(self, ending: Ending) -> None:
        """Tells the player the rest of the hand and its result."""
        now = self._catch_up(ending, ending.stacks)
        self._round = None
        if ending.showdown:
            self._announce(now, len(STREETS) - 1, ending.board)
        chips = zip(ending.stacks, ending.payoffs, strict=True)
        now.end([stack + self._pot_share + payoff for stack, payoff in chips])
        live = [seat for seat in range(ending.seats) if ending.live[seat]]
        shown = {seat: hole for seat in live if (hole := ending.shown[seat]) is not None}
        winners = [now.seats()[now.place(seat)] for seat in _best(shown, ending.board) or live]
        info = [
            {"uuid": uuid_of(now.place(seat)), "hand": hand_info(hole, ending.board)} for seat, hole in shown.items()
        ]
        state = now.state(ending.board, "showdown", now.first_able())
        self._tell("receive_round_result_message", winners, info, state)

    @property
    def _pot_share(self) -> int:
        assert self._game is not None
        return self._game.pot_share

    def _catch_up(self, seen: View | Ending, stacks: Sequence[int]) -> Round:
        """Tells everything that has happened in the hand since the player last heard of it."""
        assert self._game is not None, "match_starts comes first"
        board = seen.board
        if self._round is None:
            is_first = self._count_round(seen.rounds_left)
            self._round = Round(self._game, seen.seat, stacks, self._rounds)
            if is_first:
                self._greet(self._round, seen)
            hole = [card_text(card) for card in seen.hole]
            self._tell("receive_round_start_message", self._rounds, hole, self._round.seats())
            self._announce(self._round, self._round.street, board)
        now = self._round
        for past in seen.history[now.followed :]:
            said = now.follow(past)
            self._tell("receive_game_update_message", said, now.state_after_action(board, past.street))
            now.close_street()
            if now.street > past.street:
                self._announce(now, now.street, board)
        return now

    def _count_round(self, rounds_left: int) -> bool:
        """Counts a hand that begins; whether it is the first of a game.

        Inside a session one hand fewer is to come with every hand: anything else is the start of the next session.
        """
        before, self._rounds_left = self._rounds_left, rounds_left
        is_first = before is None or (rounds_left >= 0 and rounds_left != before - 1)
        self._rounds = 1 if is_first else self._rounds + 1
        return is_first

    def _greet(self, first: Round, seen: View | Ending) -> None:
        """Tells the player that a game begins, and its rules."""
        if callable(hook := getattr(self._player, "set_uuid", None)):
            hook(uuid_of(0))
        game, in_session = first.game, seen.rounds_left >= 0
        stacks = [seen.session_stack] * game.seats if in_session else game.stacks
        rule = {
            "initial_stack": stacks[first.seat],
            "max_round": seen.rounds_left + 1 if in_session else MAX_ROUND,
            "small_blind_amount": first.small_blind,
            "ante": max(game.antes),
            "blind_structure": {},
        }
        at_start = [player | {"stack": stacks[place]} for place, player in enumerate(first.seats())]
        self._tell("receive_game_start_message", {"player_num": game.seats, "rule": rule, "seats": at_start})

    def _announce(self, now: Round, until: int, board: Sequence[int]) -> None:
        """Tells the start of every street up to one whose cards are out."""
        first = until if now.announced is None else now.announced + 1
        for street in range(first, until + 1):
            if len(board) >= BOARD_CARDS[street]:
                now.announced = street
                self._tell("receive_street_start_message", STREETS[street], now.state_at_start(board, street))

    def _tell(self, method: str, *message: Any) -> None:
        """Calls a method of the player, if it has it and has implemented it."""
        hook = getattr(self._player, method, None)
        if callable(hook):
            try:
                hook(*message)
            except NotImplementedError:
                return


def _valid_actions(view: View, level: int) -> list[Message]:
    """Fold, call and raise; a call's amount is what one then has on the street, -1 is a raise that is closed."""
    least, most = (view.min_raise_to, view.max_raise_to) if view.can_raise else (-1, -1)
    return [
        {"action": "fold", "amount": 0},
        {"action": "call", "amount": level},
        {"action": "raise", "amount": {"min": least, "max": most}},
    ]


def _best(shown: dict[int, tuple[int, int]], board: Sequence[int]) -> list[int]:
    """The seats with the best hand."""
    if not shown:
        return []
    values = strengths([[*hole, *board] for hole in shown.values()]).tolist()
    return [seat for seat, strength in zip(shown, values, strict=True) if strength == max(values)]


def _action_of(answer: Any, view: View) -> Any:
    """`("raise", 40)` and the like as our action; what cannot be read is handed on as it is, and judged there.

    A bare `"raise"`, as players of limit games give it, is the smallest raise, and a call where raising is closed:
    such players know an engine that does not offer a closed raise at all.
    """
    if isinstance(answer, str):
        least = view.min_raise_to if view.can_raise else CALL
        return {"fold": FOLD, "call": CALL, "raise": least}.get(answer, answer)
    try:
        word, amount = answer
    except (TypeError, ValueError):
        return answer
    if word in ("fold", "call"):
        return FOLD if word == "fold" else CALL
    if word != "raise":
        return answer
    raise_to = int(amount)
    if raise_to <= 0:
        raise ValueError(f"{amount!r} is not a valid raise; -1 in valid_actions means that raising is closed")
    return raise_to


def load_pypoker_bot(text: str) -> PythonBot:
    """The bot that `pypoker:file.py:ClassName` names; it can import what lies beside the file and one folder up."""
    where = text.partition(":")[2]
    folder = Path(where.rpartition(":")[0]).resolve().parent
    sys.path += [path for path in map(str, (folder, folder.parent)) if path not in sys.path]
    _stand_in()
    try:
        player, given = load_player(where, text)
    except InputError as error:
        raise _with_places(error) from error.__cause__
    if not callable(getattr(player, "declare_action", None)):
        raise InputError(
            f"bot {text}: its class has no `declare_action(self, valid_actions, hole_card, round_state)`"
        )
    return bot_of(PyPokerPlayer(player), text, given)


def _with_places(error: InputError) -> InputError:
    """The error, and for a module that is missing also where it may lie."""
    missing = error.__cause__ and error.__cause__.__cause__  # what the bot raised, behind what we made of it
    if not isinstance(missing, ModuleNotFoundError) or not missing.name:
        return error
    package = missing.name.partition(".")[0]
    if package == "pypokerengine":
        return InputError(f"{error}; it needs PyPokerEngine itself: pip install pypokerengine")
    return InputError(
        f"{error}; {package} is looked for beside the file, one folder up, and in the folders of PYTHONPATH"
    )


class BasePokerPlayer:
    """Stands in for the base class of PyPokerEngine's players where that is not installed."""

    uuid = ""

    def declare_action(self, valid_actions: list[Message], hole_card: list[str], round_state: Message) -> Any:
        """To be written by the player."""
        raise NotImplementedError("declare_action")

    def set_uuid(self, uuid: str) -> None:
        """What the player is called in messages."""
        self.uuid = uuid


def _stand_in() -> None:
    """Makes `from pypokerengine.players import BasePokerPlayer` work where PyPokerEngine is not installed."""
    if "pypokerengine" in sys.modules or importlib.util.find_spec("pypokerengine") is not None:
        return
    package, players = ModuleType("pypokerengine"), ModuleType("pypokerengine.players")
    package.__path__ = []
    players.BasePokerPlayer = BasePokerPlayer  # type: ignore[attr-defined]
    package.players = players  # type: ignore[attr-defined]
    sys.modules |= {"pypokerengine": package, "pypokerengine.players": players}
