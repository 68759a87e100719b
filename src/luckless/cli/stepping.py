"""Steps through hands on a terminal, one picture a key."""

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.text import Text

from luckless.cli.keyboard import END, read_key, single_keys
from luckless.cli.output import new_console
from luckless.cli.table_text import frame_text
from luckless.histories.hand_detail import HandDetail
from luckless.histories.hand_frames import Frame, frames_of

NEXT, BACK, NEXT_HAND, LAST_HAND, OPEN, QUIT = range(6)
KEYS = {
    "right": NEXT, "n": NEXT, "space": NEXT, "enter": NEXT,
    "left": BACK, "b": BACK,
    "down": NEXT_HAND, "h": NEXT_HAND,
    "up": LAST_HAND, "g": LAST_HAND,
    "o": OPEN,
    "q": QUIT, "escape": QUIT, END: QUIT,
}  # fmt: skip
HELP = "→ or n next   ← or b back   ↓ or h next hand   ↑ or g hand before   o open or hide cards   q quit"


class Reel:
    """Hands that are read as far as somebody has stepped, and where the stepping stands."""

    def __init__(self, hands: Iterable[HandDetail]) -> None:
        self._coming: Iterator[HandDetail] = iter(hands)
        self._read: list[HandDetail] = []
        self._place = -1
        self.step = 0
        self.frames: list[Frame] = []

    @property
    def hand(self) -> HandDetail:
        """The hand that is shown."""
        return self._read[self._place]

    @property
    def frame(self) -> Frame:
        """The picture that is shown."""
        return self.frames[self.step]

    def next_hand(self) -> bool:
        """Goes to the next hand; whether there is one."""
        if self._place + 1 == len(self._read):
            hand = next(self._coming, None)
            if hand is None:
                return False
            self._read.append(hand)
        self._show(self._place + 1, 0)
        return True

    def last_hand(self, step: int = 0) -> None:
        """Goes to the hand before, if there is one."""
        if self._place > 0:
            self._show(self._place - 1, step)

    def forward(self) -> None:
        """Goes one picture on, after the last one to the next hand."""
        if self.step + 1 < len(self.frames):
            self.step += 1
        else:
            self.next_hand()

    def back(self) -> None:
        """Goes one picture back, from the first one to the end of the hand before."""
        if self.step:
            self.step -= 1
        else:
            self.last_hand(-1)

    def _show(self, place: int, step: int) -> None:
        self._place = place
        self.frames = frames_of(self._read[place])
        self.step = step % len(self.frames)


def step_through(hands: Iterable[HandDetail], viewer: int | None) -> None:
    """Shows hands picture by picture until somebody quits. With a viewer, others' cards stay hidden until shown."""
    reel, console, is_open = Reel(hands), new_console(), False
    if not reel.next_hand():
        console.print("There are no hands.")
        return
    with single_keys():
        while True:
            _draw(console, reel, viewer, is_open)
            match KEYS.get(read_key()):
                case 0:
                    reel.forward()
                case 1:
                    reel.back()
                case 2:
                    reel.next_hand()
                case 3:
                    reel.last_hand()
                case 4:
                    is_open = not is_open and viewer is None
                case 5:
                    break


def _draw(console: Console, reel: Reel, viewer: int | None, is_open: bool) -> None:
    hand, frame = reel.hand, reel.frame
    seen = "" if viewer is None else f", as seat {viewer} saw it"
    head = f"Hand {hand.key}, {hand.game.name}{seen}   {reel.step + 1} of {len(reel.frames)}"
    console.clear()
    console.print(Text(head, "bold"))
    console.print()
    console.print(frame_text(hand, frame, viewer, is_open))
    console.print(Text(frame.text, "cyan"))
    console.print()
    console.print(Text(HELP, "dim"))
