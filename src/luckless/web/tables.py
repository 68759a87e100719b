"""Tables at which somebody plays in the browser: one thread a table acts, another judges what was played.

What a table tells a browser (`told`) has the person's own cards, the board so far and hands that were shown, and no
other card. Each change names the hand and the step that it answers, so two windows at one table never act twice.
"""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_shipped
from luckless.errors import InputError
from luckless.matches.playing import Chunk
from luckless.sitting.grading import Grade, grade_hand
from luckless.sitting.open_hand import PERSON
from luckless.sitting.sitting import Sitting
from luckless.sitting.skill import RunningSkill, result_lines
from luckless.web.table_state import hand_over, hand_waiting

IDLE_SECONDS = 1800.0
"""A table at which nothing was done for so long gives way to others; it is opened again when it is asked for."""


class Stale(InputError):
    """A change that answers another step than the one that waits."""


class OpenTable:
    """One table. All methods may be called from any thread."""

    def __init__(self, place: str, sitting: Sitting) -> None:
        self.place, self._sitting = place, sitting
        self.used = time.monotonic()
        self.ended = False
        self.lines: list[str] = []
        """The result in words, once the person has left and it is judged."""
        self._last: Chunk | None = None
        self._grades: tuple[int, list[Grade]] | None = None
        self._problem = ""
        self._skill = RunningSkill(sitting.match)
        self._waiting = 0
        self._counting = threading.Lock()
        self._lock = threading.RLock()
        self._judge = ThreadPoolExecutor(1, f"judge {place}")
        sitting.__enter__()
        if sitting.played:
            self._last = sitting.played[-1]
            for chunk in sitting.played[:-1]:
                self._later(lambda chunk=chunk: self._skill.add(chunk.hands))  # type: ignore[misc]
            self._later(lambda chunk=self._last: self._judged(chunk))  # type: ignore[misc]
        if sitting.left_open() or not sitting.played:
            self._deal()

    # Changes

    def change(self, do: str, hand: int, step: int, action: int) -> dict[str, Any]:
        """Acts (`do` is act), deals the next hand (deal) or leaves (leave); gives what is there then."""
        with self._lock:
            self.used = time.monotonic()
            self._check(hand, step)
            if do == "act":
                self._act(action)
            elif do == "deal":
                if self._sitting.hand is not None:
                    raise Stale("the hand is not over yet")
                self._deal()
            else:
                self._leave()
            return self.told()

    def _check(self, hand: int, step: int) -> None:
        """Refuses what another window, or this one before, has done already."""
        if self.ended:
            raise Stale("you have left this table; sit down again to go on")
        if (hand, step) != self._now():
            raise Stale("this was done already, in this window or another one; here is how the table stands now")

    def _now(self) -> tuple[int, int]:
        """The hand and the step that wait for an answer; between hands the number of the next one, and -1."""
        hand = self._sitting.hand
        return (self._sitting.hands, -1) if hand is None else (hand.number, len(hand.actions))

    def _act(self, action: int) -> None:
        if self._sitting.hand is None:
            raise Stale("the hand is over; deal the next one")
        self._sitting.act(action)
        self._end_if_over()

    def _deal(self) -> None:
        if self._sitting.complete:
            raise InputError("all hands that were planned are played: leave the table, or sit down again for more")
        self._sitting.deal()
        self._end_if_over()

    def _end_if_over(self) -> None:
        if self._sitting.hand is not None and self._sitting.hand.over:
            self._ended(self._sitting.end_hand())

    def _ended(self, chunk: Chunk) -> None:
        self._last, self._grades = chunk, None
        self._later(lambda: self._judged(chunk))

    def _leave(self) -> None:
        before = self._sitting.hands
        self._sitting.give_up()
        if self._sitting.hands > before:
            self._ended(self._sitting.played[-1])
        self._sitting.finish()
        self.ended = True
        self._later(self._final)
        self._sitting.__exit__(None, None, None)

    def sleep(self) -> None:
        """Lets go of the folder and the bots; everything is on disk."""
        with self._lock:
            if not self.ended:
                self._sitting.__exit__(None, None, None)
            self._judge.shutdown(wait=False, cancel_futures=True)

    # Judging, in a thread of its own

    def _later(self, work: Callable[[], object]) -> None:
        with self._counting:
            self._waiting += 1
        self._judge.submit(self._do, work)

    def _do(self, work: Callable[[], object]) -> None:
        try:
            work()
        except InputError as error:
            self._problem = str(error)
        except Exception as error:
            self._problem = f"judging failed: {type(error).__name__}: {error}"
        finally:
            with self._counting:
                self._waiting -= 1

    def _judged(self, chunk: Chunk) -> None:
        self._skill.add(chunk.hands)
        last = chunk.hands.rows(slice(len(chunk) - 1, None))
        knowledge = self._skill.knowledge(last)
        grades = grade_hand(last, knowledge, advisers(self._sitting, self._skill.bots()))
        self._grades = (int(last.numbers[0]), grades)

    def _final(self) -> None:
        batches = [chunk.hands for chunk in self._sitting.played]
        name = self._sitting.match.hand_names[PERSON]
        if batches:
            self.lines = result_lines(batches, name, self._skill.knowledge(batches[0]), self._skill.by)
        else:
            self.lines = ["No hand was played."]

    # What the browser gets

    def told(self) -> dict[str, Any]:
        """The table as the person sees it."""
        with self._lock:
            sitting, match = self._sitting, self._sitting.match
            hand, step = self._now()
            state: dict[str, Any] = {
                "place": self.place, "game": match.game.name, "betting": match.game.betting,
                "big_blind": match.game.big_blind, "names": list(match.hand_names), "hands": sitting.hands,
                "planned": match.hands, "chips": sitting.chips, "hand": hand, "step": step,
                "phase": "ended" if self.ended else "over" if sitting.hand is None else "decide",
                "complete": sitting.complete, "judging": self._waiting > 0, "problem": self._problem,
                "lines": self.lines, "skill": self._skill.to_dict() if self._skill.money else None, "grades": None,
            }  # fmt: skip
            if sitting.hand is not None:
                return {**state, **hand_waiting(match, sitting.hand)}
            if self._last is None:
                return {**state, "seats": [], "board": [], "pot": 0, "log": [], "won": None, "legal": None}
            last = self._last.hands.rows(slice(len(self._last) - 1, None))
            if self._grades is not None and self._grades[0] == int(last.numbers[0]):
                state["grades"] = [grade.to_dict() for grade in self._grades[1]]
            return {**state, **hand_over(last)}


def advisers(sitting: Sitting, bots: Mapping[str, Bot]) -> dict[str, Bot]:
    """Who is asked what he would do in the person's place: the bots at the table, and a blueprint of the game."""
    known = {bot.spec: bot for bot in bots.values()}
    if "blueprint" not in known:
        blueprint: Any = load_shipped("blueprint")
        try:
            blueprint.blueprint_for(sitting.match.game)
        except InputError:
            return known
        known["blueprint"] = blueprint
    return known


class Tables:
    """All tables of a server, so many at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tables: dict[str, OpenTable] = {}
        self._lock = threading.Lock()

    def get(self, place: str) -> OpenTable | None:
        """The table of a place, if it is open."""
        return self._tables.get(place)

    def open(self, place: str, plan: Callable[[], Sitting]) -> OpenTable:
        """The table of a place, opened if it is not; refuses more tables than allowed."""
        with self._lock:
            table = self._tables.get(place)
            if table is None:
                self._make_room()
                table = self._tables[place] = OpenTable(place, plan())
            return table

    def forget(self, place: str) -> None:
        """Forgets a table that somebody has left, so that it can be opened anew."""
        with self._lock:
            table = self._tables.pop(place, None)
            if table is not None:
                table.sleep()

    def places(self) -> list[str]:
        """Where somebody plays now."""
        return [place for place, table in self._tables.items() if not table.ended]

    def _make_room(self) -> None:
        for place, table in list(self._tables.items()):
            idle = time.monotonic() - table.used
            if (table.ended and len(self._tables) >= self._most) or idle > IDLE_SECONDS or not _there(table):
                self._tables.pop(place).sleep()
        if len(self._tables) >= self._most:
            raise InputError(f"{len(self._tables)} tables are open already, which is the limit; leave one of them")


def _there(table: OpenTable) -> bool:
    folder: Path | None = table._sitting.folder
    return folder is not None and folder.is_dir()
