"""Bots that write to what they are given, leave, hang, print and shift blame: each may harm itself alone."""

import asyncio
import os
import sys
import threading
import time

import numpy as np


class Plain:
    """Does nothing bad; the others are this one with something bad on top."""

    def decide(self, view, dice):
        return 0


class PlainBatch:
    """The same for whole batches."""

    def decide_batch(self, views, dice):
        return np.zeros(len(views), np.int64)


# What writes to the arrays of a view.


class Innocent(PlainBatch):
    """Computes in place, as one does."""

    def decide_batch(self, views, dice):
        for array in (views.pot, views.to_call, views.min_raise_to, views.max_raise_to, views.board, dice.random()):
            array *= 2
        for name in ("to_call", "max_raise_to"):
            try:
                part = views.public[name]
                part *= 2
            except ValueError:
                pass
        return super().decide_batch(views, dice)


def reachable(views):
    """Every array that one gets to from a batch of decisions, along `base` too."""
    arrays = [views.public, views.cards, *views.past]
    found = []
    while arrays:
        array = arrays.pop()
        found.append(array)
        if isinstance(array.base, np.ndarray):
            arrays.append(array.base)
    return found


class Alias:
    """The memory of an array under another name, said to be writable."""

    def __init__(self, array):
        interface = dict(array.__array_interface__)
        self.__array_interface__ = interface | {"data": (interface["data"][0], False)}


class ViewWriter(PlainBatch):
    """Overwrites what it was given: the flag first, then under another name."""

    def decide_batch(self, views, dice):
        for array in reachable(views):
            try:
                array.setflags(write=True)
                array[...] = np.zeros((), array.dtype)
            except ValueError:
                pass
            np.asarray(Alias(array)).view(np.uint8)[...] = 0
        return super().decide_batch(views, dice)


class Strides(PlainBatch):
    """Lays other shapes over the memory of what it was given, and writes there."""

    def decide_batch(self, views, dice):
        for array in reachable(views):
            seen = np.lib.stride_tricks.as_strided(array.view(np.uint8), (array.nbytes,), (1,), writeable=True)
            assert seen.tobytes() == array.tobytes(), "all of its memory is what it may see"
            try:
                seen.flags.writeable = True
                seen[...] = 0
            except ValueError:
                pass
            np.lib.stride_tricks.as_strided(np.asarray(Alias(array)).view(np.uint8), (array.nbytes,), (1,))[...] = 0
        return super().decide_batch(views, dice)


class GameWriter(Plain):
    """Changes the rules of the game that it was told."""

    def match_starts(self, game):
        for name, value in (("stacks", (1, 1)), ("blinds", (7, 7)), ("unit", 1)):
            object.__setattr__(game, name, value)


class GameWriterBatch(PlainBatch):
    """The same at each decision."""

    def decide_batch(self, views, dice):
        object.__setattr__(views.game, "stacks", (1, 1))
        object.__setattr__(views.game, "blinds", (7, 7))
        return super().decide_batch(views, dice)


class BlameShifter(PlainBatch):
    """Makes itself out to be the other seat, then answers what is not allowed."""

    def decide_batch(self, views, dice):
        seen = np.asarray(Alias(views.public))
        seen["actor"] = 1 - seen["actor"]
        seen["min_raise_to"], seen["max_raise_to"] = 1, 10**6
        return np.full(len(views), 7)


# What leaves.


class Exits(Plain):
    def decide(self, view, dice):
        sys.exit(0)


class ExitsAtStart(Plain):
    def match_starts(self, game):
        sys.exit(0)


class ExitsWhenMade(Plain):
    def __init__(self):
        sys.exit(0)


class ExitsWhenLookedAt(Plain):
    @property
    def memory(self):
        sys.exit(0)


class ExitsAfterHands(Plain):
    memory = True

    def hand_over(self, ending):
        sys.exit(0)


class Cancels(Plain):
    def decide(self, view, dice):
        raise asyncio.CancelledError


class Closes(Plain):
    def decide(self, view, dice):
        raise GeneratorExit


class PressesNoKey(Plain):
    def decide(self, view, dice):
        raise KeyboardInterrupt


class Recurses(Plain):
    def decide(self, view, dice):
        return self.decide(view, dice)


class Hoards(Plain):
    def decide(self, view, dice):
        return np.empty(2**60, np.uint8)


class Unprintable(Plain):
    """Its error leaves when it is printed."""

    class Error(Exception):
        def __str__(self):
            sys.exit(0)

    def decide(self, view, dice):
        raise Unprintable.Error


class Trap:
    """An answer that leaves as soon as anybody looks at it; `method` is where."""

    def __init__(self, method):
        self.method = method

    def _spring(self, method):
        if method == self.method:
            sys.exit(0)

    def __index__(self):
        self._spring("index")
        raise TypeError

    def __repr__(self):
        self._spring("repr")
        return "a trap"

    def __array__(self, *_, **__):
        self._spring("array")
        raise TypeError

    def __eq__(self, other):
        sys.exit(0)

    def __hash__(self):
        sys.exit(0)

    @property
    def __class__(self):
        self._spring("class")
        return int


class Traps(Plain):
    def __init__(self, method):
        self.method = method

    def decide(self, view, dice):
        return Trap(self.method)


class BatchTraps(Traps):
    decide = None

    def decide_batch(self, views, dice):
        return [Trap(self.method) for _ in range(len(views))]


# What is no action.


ANSWERS = {
    "wraps": np.uint64(2**64 - 1),
    "float": 1e300,
    "no number": float("nan"),
    "huge": 10**5000,
    "bool": np.True_,
    "none": None,
    "text": "0",
    "array": np.zeros(3),
    "object": np.array(None, object),
    "complex": 0j,
}


class Answers(Plain):
    """Answers something that numpy would gladly turn into a number."""

    def __init__(self, what):
        self.answer = ANSWERS[what]

    def decide(self, view, dice):
        return self.answer


class BatchAnswers(Answers):
    decide = None

    def decide_batch(self, views, dice):
        return [self.answer] * len(views)


# What hangs.


class Hangs(Plain):
    asked = 0

    def decide(self, view, dice):
        Hangs.asked += 1
        time.sleep(1_000_000)


class HangsDeaf(Plain):
    """Catches the alarm, and goes on."""

    def decide(self, view, dice):
        while True:
            try:
                while True:
                    time.sleep(0.001)
            except BaseException:
                pass


class Late(Plain):
    """Catches the alarm and answers all the same, too late."""

    def decide(self, view, dice):
        try:
            time.sleep(1_000_000)
        except BaseException:
            return 0


class LateBatch(PlainBatch):
    def decide_batch(self, views, dice):
        try:
            time.sleep(1_000_000)
        except BaseException:
            return super().decide_batch(views, dice)


class HangsAfterHands(Plain):
    memory = True

    def hand_over(self, ending):
        time.sleep(1_000_000)


class HangsInIndex(Plain):
    class Answer:
        def __index__(self):
            time.sleep(1_000_000)

    def decide(self, view, dice):
        return HangsInIndex.Answer()


# What talks, and what stays.


print("a word while it is loaded")


class Talks(Plain):
    """Prints wherever it is called, and once more by way of a program and of the file number."""

    memory = True

    def __init__(self):
        print("a word while it is made")

    def match_starts(self, game):
        print("a word before the match")
        os.system("echo a word of a program")
        os.write(1, b"a word to file 1\n")

    def decide(self, view, dice):
        print("a word at a decision")
        return 0

    def hand_over(self, ending):
        print("a word after a hand")


class Lingers(Plain):
    """Starts a thread that never ends, and prints."""

    def __init__(self):
        threading.Thread(target=self.linger).start()

    def linger(self):
        while True:
            time.sleep(0.01)
            print("a word of a thread")
