"""A person at the terminal, hand after hand: what is shown, what is asked, what it came to."""

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TextIO

from rich.console import Console
from rich.text import Text

from luckless.cli.output import new_console
from luckless.cli.sit_words import HELP, NotUnderstood, action_of, prompt_text
from luckless.cli.table_text import coloured_cards
from luckless.counted import counted
from luckless.histories.hand_detail import HandDetail, details
from luckless.histories.hand_frames import amount_text, frames_of
from luckless.matches.result import MatchResult
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import BOARD_CARDS, Game
from luckless.rules.views import PastAction, View
from luckless.sitting.open_hand import PERSON, OpenHand
from luckless.sitting.sitting import Sitting
from luckless.sitting.skill import result_lines
from luckless.sitting.story import Story
from luckless.visible import visible_line


class _Leaves(Exception):
    """The person leaves the table while being asked."""


class _Telling:
    """One hand as it is told while it is played: what the person may know, and nothing twice."""

    def __init__(self, console: Console, game: Game, names: Sequence[str]) -> None:
        self._console, self._game, self._names = console, game, [visible_line(name) for name in names]
        self._story = Story(game, names)
        self.frames_told = 0
        """How many pictures of the finished hand (see `hand_frames`) have been told."""

    def open(self, view: View, head: str) -> None:
        """Says who sits where, and the person's cards."""
        self._console.print()
        self._console.print(Text(head, "bold"))
        for seat, name in enumerate(self._names):
            button = " (button)" if seat == view.seats - 1 else ""
            blind = f", blind {amount_text(self._game.blinds[seat])}" if self._game.blinds[seat] else ""
            style = "bold" if seat == view.seat else ""
            stack = amount_text(self._game.stacks[seat])
            self._console.print(Text(f"  {name}{button}: {stack}{blind}", style))
        self._console.print(Text.assemble("Your cards: ", coloured_cards(view.hole)))
        if BOARD_CARDS[self._game.first_street]:
            self._console.print(Text.assemble("Board: ", coloured_cards(view.board)))
        self.frames_told = 1

    def follow(self, view: View) -> None:
        """Tells what happened since the last decision."""
        for told in self._story.follow(view.history, view.street):
            if told.seat is None:
                board = coloured_cards(view.board[: BOARD_CARDS[told.street]])
                self._console.print(Text.assemble((f"{told.text.upper()} ", "bold"), board))
            else:
                self._console.print(Text(f"  {told.text}", "cyan"))
            self.frames_told += 1

    def own(self, view: View, action: int) -> None:
        """Notes the person's own action, which needs no telling."""
        made = PastAction(view.street, view.seat, action)
        self.frames_told += len(list(self._story.follow([*view.history, made], view.street)))


class SittingAtTerminal:
    """A person's match, played at the terminal."""

    def __init__(self, sitting: Sitting, stream: TextIO | None = None) -> None:
        """What is said at the table goes to standard output, or to another stream."""
        self._sitting, self._match = sitting, sitting.match
        self._stream = stream
        self._console = new_console(soft_wrap=True, stream=stream)
        self.leaving = False
        self._asking = False

    # Asking

    def _ask(self, telling: _Telling, view: View, head: str) -> int:
        """The person's action; whoever is leaving checks or folds."""
        if telling.frames_told == 0:
            telling.open(view, head)
        telling.follow(view)
        action = self._answer(view)
        telling.own(view, action)
        return action

    def _answer(self, view: View) -> int:
        if not self.leaving:
            stack = amount_text(view.stacks[view.seat])
            self._console.print(Text(f"  pot {amount_text(view.pot)}, you have {stack}", "dim"))
            said = self._said(view)
            if isinstance(said, int):
                return said
            self.leaving = True
            self._console.print(Text("\nYou leave the table; this hand is checked or folded.", "dim"))
        return CALL if view.to_call == 0 else FOLD

    def _said(self, view: View) -> int | None:
        """What the person answers, asked until it can be understood; None when the person leaves."""
        while not self.leaving:
            try:
                said = action_of(self._typed(prompt_text(view)), view)
            except NotUnderstood as problem:
                self._console.print(Text(f"  {problem}", "yellow"))
                continue
            except _Leaves:
                return None
            if said == "?":
                self._console.print(Text(HELP, "dim"))
            else:
                return said if isinstance(said, int) else None
        return None

    def _typed(self, prompt: str) -> str:
        self._asking = True
        try:
            stream = self._stream or sys.stdout
            stream.write(prompt)
            stream.flush()
            if self.leaving:
                raise _Leaves
            line = sys.stdin.readline()  # `input` loses a signal that comes while it flushes
        except KeyboardInterrupt:
            raise _Leaves from None
        finally:
            self._asking = False
        if not line:
            raise _Leaves
        return line.rstrip("\n")

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Inside, Ctrl-C and a closed terminal are a wish to leave: the hand is played to its end and stored."""

        def leave(number: int, frame: FrameType | None) -> None:
            if self.leaving and number == signal.SIGINT:
                raise KeyboardInterrupt  # the second one: somebody does not want to wait for a bot
            self.leaving = True
            if self._asking:
                raise _Leaves

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        before = {number: signal.signal(number, leave) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    # Playing

    def play(self) -> MatchResult | None:
        """Plays until the hands are over or the person leaves; tells the result, and stores everything."""
        sitting = self._sitting
        with self._signals(), sitting:
            self._welcome()
            while not self.leaving and not sitting.complete:
                self._hand()
            result = sitting.finish()
        self._tell_result(result)
        return result if sitting.hands else None

    def _hand(self) -> None:
        """Plays one hand and tells its end."""
        sitting = self._sitting
        head = f"Hand {sitting.hands + 1}   you: {sitting.chips:+,} chips so far" if sitting.hands else "Hand 1"
        hand = sitting.deal()
        telling = _Telling(self._console, self._match.game, hand.names)
        while (view := hand.view()) is not None:
            sitting.act(self._ask(telling, view, head))
        chunk = sitting.end_hand()
        self._tell_end(hand, next(details(chunk.hands)), telling.frames_told, head)
        for case in chunk.faults:
            who = visible_line(self._match.hand_names[case.player])
            self._console.print(Text(f"  {who} was answered for ({case.kind}): {case.detail}", "red"))

    def _tell_end(self, played: OpenHand, hand: HandDetail, told: int, head: str) -> None:
        """What happened after the person's last decision, as everybody at the table sees it."""
        seat = played.seat
        if told == 0:
            self._console.print()
            self._console.print(Text(head, "bold"))
            self._console.print(Text.assemble("Your cards: ", coloured_cards(hand.hole(seat))))
        for frame in frames_of(hand)[max(told, 1) :]:
            self._console.print(Text(f"  {frame.text}", "cyan"))
        won = hand.payoffs[seat]
        self._console.print(Text(f"  {won:+,} chips for you", "green" if won > 0 else "red" if won < 0 else "dim"))

    def _welcome(self) -> None:
        match = self._match
        bots = ", ".join(visible_line(name) for name in match.hand_names[1:])
        console = self._console
        console.print(Text(f"{match.game.name} against {bots}", "bold"))
        console.print(Text("Every hand starts with full stacks, and seats are drawn anew. ? helps, q leaves.", "dim"))
        for warning in match.settings.warnings:
            console.print(Text(f"Note: {warning}.", "dim"))
        if self._sitting.first:
            console.print(Text(f"Played here before: {counted(self._sitting.first, 'hand')}.", "dim"))

    # The result

    def _tell_result(self, result: MatchResult) -> None:
        console, hands = self._console, result.hands
        console.print()
        if hands == 0:
            console.print("No hand was played.")
            return
        chips = int(result.tally.net_chips[PERSON])
        new = hands - self._sitting.first
        console.print(Text(f"{counted(hands, 'hand')}, {chips:+,} chips", "bold"))
        if self._sitting.first:
            console.print(f"{new:,} of them now, the others before")
        from luckless.skill.of_match import policies_of
        from luckless.skill.verdict import Knowledge

        try:
            batches = [chunk.hands for chunk in self._sitting.played]
            knowledge = Knowledge(policies_of(self._match, batches[0]))
            for line in result_lines(batches, self._match.hand_names[PERSON], knowledge):
                console.print(Text(line))
        except KeyboardInterrupt:
            console.print(Text("The hands were not judged to the end.", "dim"))
        if self._sitting.folder is not None:
            where = f"hands: {self._sitting.folder} (luckless replay, query, report and divat read them)"
            console.print(Text(where, "dim"))
