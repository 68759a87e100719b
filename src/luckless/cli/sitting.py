"""A person at the terminal, hand after hand: what is shown, what is asked, what is stored, what it came to."""

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from luckless.bots.bot import Bot
from luckless.bots.lineup import Lineup
from luckless.bots.person import Person
from luckless.cli.output import new_console
from luckless.cli.sit_words import HELP, NotUnderstood, action_of, prompt_text
from luckless.cli.table_text import coloured_cards
from luckless.counted import counted
from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.hand_detail import HandDetail, details
from luckless.histories.hand_frames import amount_text, frames_of
from luckless.histories.match_writer import MatchWriter
from luckless.histories.resuming import choices
from luckless.histories.store import StoredHands
from luckless.matches.match import Match
from luckless.matches.playing import Chunk, Playing
from luckless.matches.result import MatchResult, count_again, new_tally
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import HandColumns
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.views import PastAction, View
from luckless.visible import visible_line

PERSON = 0
"""The person's place among the players."""


class _Leaves(Exception):
    """The person leaves the table while being asked."""


class _Story:
    """One hand as it is told while it is played: what the person may know, and nothing twice."""

    def __init__(self, console: Console, game: Game, names: Sequence[str]) -> None:
        self._console, self._game, self._names = console, game, [visible_line(name) for name in names]
        self._street = game.first_street
        behind = [stack - min(ante, stack) for ante, stack in zip(game.antes, game.stacks, strict=True)]
        self._bets = [min(blind, stack) for blind, stack in zip(game.blinds, behind, strict=True)]
        self._stacks = [stack - bet for stack, bet in zip(behind, self._bets, strict=True)]
        self._told = 0
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
        if BOARD_CARDS[self._street]:
            self._console.print(Text.assemble("Board: ", coloured_cards(view.board)))
        self.frames_told = 1

    def follow(self, view: View) -> None:
        """Tells what happened since the last decision."""
        for past in view.history[self._told :]:
            self._open_streets(past.street, view)
            self._act(past)
        self._told = len(view.history)
        self._open_streets(view.street, view)

    def own(self, view: View, action: int) -> None:
        """Notes the person's own action, which needs no telling."""
        self._move(PastAction(view.street, view.seat, action))
        self._told += 1
        self.frames_told += 1

    def _open_streets(self, street: int, view: View) -> None:
        while self._street < street:
            self._street += 1
            self._bets = [0] * len(self._bets)
            board = view.board[: BOARD_CARDS[self._street]]
            self._console.print(Text.assemble((f"{STREETS[self._street].upper()} ", "bold"), coloured_cards(board)))
            self.frames_told += 1

    def _act(self, past: PastAction) -> None:
        level, before = max(self._bets), self._bets[past.seat]
        self._move(past)
        if past.action == FOLD:
            what = "folds"
        elif past.action == CALL:
            what = f"calls {amount_text(self._bets[past.seat] - before)}" if level > before else "checks"
        else:
            what = f"{'raises to' if level else 'bets'} {amount_text(past.action)}"
        self._console.print(Text(f"  {self._names[past.seat]} {what}", "cyan"))
        self.frames_told += 1

    def _move(self, past: PastAction) -> None:
        """Keeps the bets of the street and the stacks."""
        if past.action == FOLD:
            return
        wanted = (past.action or max(self._bets)) - self._bets[past.seat]
        paid = min(wanted, self._stacks[past.seat])
        self._bets[past.seat] += paid
        self._stacks[past.seat] -= paid


class Sitting:
    """A match of fresh hands between a person and bots, played one hand at a time. Make one with `plan`."""

    def __init__(self, match: Match, save: Path | None, first: int, stream: TextIO | None = None) -> None:
        """What is said at the table goes to standard output, or to another stream."""
        self._match, self._save, self._first = match, save, first
        self._stream = stream
        self._console = new_console(soft_wrap=True, stream=stream)
        self._story: _Story | None = None
        self._head = ""
        self.leaving = False
        self._asking = False
        self._played: list[Chunk] = []

    @classmethod
    def plan(
        cls,
        game: Game,
        bots: Sequence[Bot],
        name: str,
        hands: int,
        seed: int | None,
        save: Path | None,
        decision_seconds: float,
        stream: TextIO | None = None,
    ) -> "Sitting":
        """A table for a person and bots; a folder that holds one already is gone on with."""
        if not name.strip() or not name.isprintable():
            raise InputError(f"--name is {name!r}; a name of printable characters is needed")
        chosen = choices(save, seed)
        has_hands = save is not None and (save / FILE).is_file()
        first = StoredHands.open(save).hands if save is not None and has_hands else 0
        person = Person(name, lambda view: sitting.ask(view))
        match = Match.plan(
            game,
            [person, *bots],
            hands=first + hands,
            seed=chosen.seed,
            sealed=True,
            decks="fresh",
            decision_seconds=decision_seconds,
        )
        sitting = cls(match, save, first, stream)
        return sitting

    # Asking

    def ask(self, view: View) -> int:
        """The person's action; whoever is leaving checks or folds."""
        assert self._story is not None
        if self._story.frames_told == 0:
            self._story.open(view, self._head)
        self._story.follow(view)
        action = self._answer(view)
        self._story.own(view, action)
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
        match, started = self._match, perf_counter()
        tally = new_tally(match.settings)
        with ExitStack() as stack:
            writer = stack.enter_context(MatchWriter.open(self._save, match)) if self._save is not None else None
            for chunk in writer.stored() if writer is not None else ():
                tally.add(chunk)
                self._played.append(chunk)
            self._welcome()
            stack.enter_context(self._signals())
            playing = stack.enter_context(
                Playing(match.game, Lineup.of(match.players), match.keys, match.decision_seconds)
            )
            for number in range(self._first, match.hands):
                if self.leaving:
                    break
                chunk = self._hand(playing, number, int(tally.net_chips[PERSON]))
                tally.add(chunk)
                self._played.append(chunk)
                if writer is not None:
                    writer.add(chunk)
                    writer.keep()  # a power cut costs no hand that was over
            settings = replace(match.settings, hands=max(tally.hands, 1))
            counted, _ = count_again(settings, self._played)  # as a match of so many hands is counted
            result = MatchResult(settings, counted, perf_counter() - started)
            if writer is not None and tally.hands:
                writer.end_here(result)
        self._tell_result(result)
        return result if tally.hands else None

    def _hand(self, playing: Playing, number: int, won: int) -> Chunk:
        """Plays one hand and tells its end."""
        seated = self._match.seated(number, 1)
        names = [self._match.hand_names[player] for player in seated.players[0].tolist()]
        self._story = _Story(self._console, self._match.game, names)
        self._head = f"Hand {number + 1}   you: {won:+,} chips so far" if number else "Hand 1"
        chunk = playing.play(seated)
        self._tell_end(next(details(chunk.hands)), self._story.frames_told, seated.players[0].tolist().index(PERSON))
        for case in chunk.faults:
            who = visible_line(self._match.hand_names[case.player])
            self._console.print(Text(f"  {who} was answered for ({case.kind}): {case.detail}", "red"))
        return chunk

    def _tell_end(self, hand: HandDetail, told: int, seat: int) -> None:
        """What happened after the person's last decision, as everybody at the table sees it."""
        if told == 0:
            self._console.print()
            self._console.print(Text(self._head, "bold"))
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
        if self._first:
            console.print(Text(f"Played here before: {counted(self._first, 'hand')}.", "dim"))

    # The result

    def _tell_result(self, result: MatchResult) -> None:
        console, hands = self._console, result.hands
        console.print()
        if hands == 0:
            console.print("No hand was played.")
            return
        chips = int(result.tally.net_chips[PERSON])
        new = hands - self._first
        console.print(Text(f"{counted(hands, 'hand')}, {chips:+,} chips", "bold"))
        if self._first:
            console.print(f"{new:,} of them now, the others before")
        try:
            for line in result_lines([chunk.hands for chunk in self._played], self._match.hand_names[PERSON]):
                console.print(Text(line))
        except KeyboardInterrupt:
            console.print(Text("The hands were not judged to the end.", "dim"))
        if self._save is not None:
            console.print(Text(f"hands: {self._save} (luckless replay, query, report and divat read them)", "dim"))


def result_lines(batches: Sequence[HandColumns], name: str) -> list[str]:
    """A player's win rate: by money, and with as much luck removed as the game allows."""
    from luckless.skill.registry import judge_hands

    judged = judge_hands(batches)
    verdict = judged.player(name)
    what = {
        "divat": "luck of the cards removed (DIVAT)",
        "chance": "luck of the cards removed",
        "all-in": "all-in pots at their equity",
    }[judged.by]
    lines = [f"money: {_rate(verdict.money)}", f"{what}: {_rate(verdict.adjusted)}"]
    if verdict.adjusted.ci95 is not None and verdict.adjusted.ci95[0] <= 0 <= verdict.adjusted.ci95[1]:
        lines.append("That can still be luck alone: the interval has 0 in it.")
    return lines


def _rate(rate: Any) -> str:
    interval = f", 95 % interval {rate.ci95[0]:+,.0f} to {rate.ci95[1]:+,.0f}" if rate.ci95 is not None else ""
    return f"{rate.mean:+,.0f} mbb/h{interval}"
