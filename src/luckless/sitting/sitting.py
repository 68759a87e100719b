"""A match of fresh hands between a person and bots, one hand at a time: what a terminal and a browser both do.

Every hand that is over is stored, and of the open hand all actions, before anybody is shown what they led to. So a
crash costs nothing, and nobody is dealt the same cards again after a look at the flop.
"""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Self

from luckless.bots.bot import Bot
from luckless.bots.lineup import Lineup
from luckless.bots.person import Person
from luckless.errors import InputError
from luckless.histories.catalogue import FILE
from luckless.histories.match_writer import MatchWriter
from luckless.histories.resuming import choices
from luckless.histories.store import StoredHands
from luckless.matches.match import Match
from luckless.matches.playing import Chunk, Playing
from luckless.matches.result import MatchResult, count_again, new_tally
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import Game
from luckless.sitting.open_hand import PERSON, OpenHand
from luckless.whole_files import write_text

OPEN_HAND = "open-hand.json"
"""The actions of the hand that is being played, in the folder of the match."""


class Sitting:
    """A person's match. Make one with `plan`, and play inside `with sitting:`."""

    def __init__(self, match: Match, folder: Path | None, first: int) -> None:
        self.match, self.folder = match, folder
        self.first = first
        """Hands that were played before."""
        self.played: list[Chunk] = []
        """All hands that are over, those from before too."""
        self.hand: OpenHand | None = None
        """The hand that is being played."""
        self._tally = new_tally(match.settings)
        self._started = perf_counter()
        self._stack = ExitStack()
        self._writer: MatchWriter | None = None

    @classmethod
    def plan(
        cls,
        game: Game,
        bots: Sequence[Bot],
        name: str,
        hands: int,
        seed: int | None = None,
        folder: Path | None = None,
        decision_seconds: float = 10.0,
    ) -> "Sitting":
        """A table for a person and bots; a folder that holds one already is gone on with, for so many more hands."""
        if not name.strip() or not name.isprintable():
            raise InputError(f"--name is {name!r}; a name of printable characters is needed")
        chosen = choices(folder, seed)
        has_hands = folder is not None and (folder / FILE).is_file()
        first = StoredHands.open(folder).hands if folder is not None and has_hands else 0
        match = Match.plan(
            game,
            [Person(name), *bots],
            hands=first + hands,
            seed=chosen.seed,
            sealed=True,
            decks="fresh",
            decision_seconds=decision_seconds,
        )
        return cls(match, folder, first)

    @property
    def hands(self) -> int:
        """Hands that are over."""
        return self._tally.hands

    @property
    def chips(self) -> int:
        """What the person has won so far."""
        return int(self._tally.net_chips[PERSON])

    @property
    def complete(self) -> bool:
        """Whether all hands that were planned are over."""
        return self.hands >= self.match.hands

    def __enter__(self) -> Self:
        """Opens the folder, reads the hands that are there, starts the bots."""
        match = self.match
        with ExitStack() as stack:
            playing = Playing(match.game, Lineup.of(match.players), match.keys, match.decision_seconds)
            self._playing = stack.enter_context(playing)  # before the folder: a bot that cannot play leaves none
            if self.folder is not None:
                self._writer = stack.enter_context(MatchWriter.open(self.folder, match))
                for chunk in self._writer.stored():
                    self._add(chunk)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def _add(self, chunk: Chunk) -> None:
        self._tally.add(chunk)
        self.played.append(chunk)

    def left_open(self) -> bool:
        """Whether a hand was begun and not played to its end, before this table was opened."""
        return self.hand is None and self._kept() is not None

    def deal(self) -> OpenHand:
        """The next hand, or the one that was left open; it may be over at once, if all others fold."""
        if self.hand is not None:
            return self.hand
        self.hand = hand = OpenHand(self.match, self._playing, self.hands, self._kept() or ())
        self._keep()
        return hand

    def act(self, action: int) -> None:
        """Acts for the person in the open hand; refuses what is illegal, and then nothing has happened."""
        assert self.hand is not None
        self.hand.act(action)
        self._keep()

    def end_hand(self) -> Chunk:
        """Stores the open hand, which must be over."""
        assert self.hand is not None
        chunk = self.hand.chunk()
        self._add(chunk)
        if self._writer is not None:
            self._writer.add(chunk)
            self._writer.keep()  # a power cut costs no hand that was over
        self.hand = None
        return chunk

    def give_up(self) -> None:
        """Checks or folds the open hand to its end and stores it."""
        while self.hand is not None and (view := self.hand.view()) is not None:
            self.act(CALL if view.to_call == 0 else FOLD)
        if self.hand is not None:
            self.end_hand()

    def finish(self) -> MatchResult:
        """The result of all hands that are over, stored as that of a match of so many hands."""
        settings = replace(self.match.settings, hands=max(self.hands, 1))
        counted, _ = count_again(settings, self.played)
        result = MatchResult(settings, counted, perf_counter() - self._started)
        if self._writer is not None and self.hands:
            self._writer.end_here(result)
        if self.folder is not None:
            (self.folder / OPEN_HAND).unlink(missing_ok=True)
        return result

    # The open hand on disk

    def _keep(self) -> None:
        if self.folder is not None and self.hand is not None:
            kept = {"hand": self.hand.number, "actions": self.hand.actions}
            write_text(self.folder / OPEN_HAND, json.dumps(kept) + "\n")

    def _kept(self) -> list[int] | None:
        """The actions of the hand that is next, if it was begun before; None if not, or if they cannot be read."""
        if self.folder is None:
            return None
        try:
            kept = json.loads((self.folder / OPEN_HAND).read_text())
            actions = [int(action) for action in kept["actions"]] if kept["hand"] == self.hands else None
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return actions
