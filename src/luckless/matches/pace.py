"""How many hands are played at once where bots are asked: as many as take a couple of seconds.

So progress shows, Ctrl-C ends a match soon and loses little, however slowly a bot thinks. Results never depend on it.
"""

SECONDS = 2.0
"""What a chunk should take."""

GROWTH = 64
"""How many times larger a chunk may be than the one before."""

QUICK, TRUST = 0.1, 4
"""Where every bot decides for whole batches, a small chunk's time is mostly that of its calls, and a large one needs
few more. After one so short, the next may be so many times larger than its time a hand allows, at one go."""

PAYS = 1.25
"""A bot that thinks about several hands at a time plays larger chunks faster. They are made larger beyond what the
seconds allow as long as each doubling gains this much, and took no more than `LONGEST`."""

LONGEST = 60.0


class Pace:
    """Says how large the next chunk should be, from how long those before it took."""

    def __init__(self, most: int, batches: bool = False) -> None:
        """Chunks have 1 to `most` units: sets, or sessions. With `batches`, every bot decides for whole batches."""
        self.size = 1
        self._batches = batches
        self._most = most
        self._best_rate = 0.0
        self._best_size = 1
        """The chunk that was worth its time, of those that took longer than they should."""

    def played(self, size: int, seconds: float) -> None:
        """A chunk of this size has taken so long."""
        self.size = min(max(self._next(size, max(seconds, 1e-9)), 1), self._most)

    def _next(self, size: int, seconds: float) -> int:
        if self._batches and seconds < QUICK:
            self._best_rate = size / seconds  # a larger chunk must be worth more than this
            return max(int(size * TRUST * SECONDS / seconds), size)
        fitting = int(size * min(SECONDS / seconds, GROWTH))
        if seconds < SECONDS:
            return max(fitting, size)
        rate = size / seconds
        if rate > PAYS * self._best_rate:
            self._best_rate, self._best_size = rate, size
            return 2 * size if seconds < LONGEST else size
        if rate < self._best_rate / 2 and size >= self._best_size:  # it has become slow: what was learned is void
            self._best_rate, self._best_size = rate, 1
        return max(fitting, self._best_size)
