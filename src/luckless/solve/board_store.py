"""Solved boards kept on disk: a file a board, in a folder for each game and each version of the solver.

Nothing depends on it but time. A file that is damaged, cut short or foreign is not believed and replaced, and a
folder that cannot be written to is left alone. Files are written whole, so several processes may share a folder.
"""

import functools
import hashlib
import os
import zlib
from pathlib import Path

import numba
import numpy as np

import luckless
from luckless.errors import InputError
from luckless.hands.table_file import cache_folder
from luckless.solve.board_solutions import BoardSolution
from luckless.solve.river_game import RiverGame, live_pairs
from luckless.whole_files import is_leftover, write_bytes

MOST_BOARDS = 4096
"""How many boards are kept on disk, the newest ones."""

_SPARE = 256
"""Boards that may be there beyond that before old ones are removed."""
_DIGEST = hashlib.sha256().digest_size


@functools.cache
def solver_version() -> str:
    """A checksum of all code that a solution follows from; a changed solver reads no old boards."""
    package = Path(luckless.__file__).parent
    files = [
        package / "lanes.py",
        *sorted((package / "solve").glob("*.py")),
        *sorted((package / "hands").glob("*.py")),
    ]
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


class BoardStore:
    """The boards of one game on disk."""

    def __init__(self, game: RiverGame, folder: Path | None = None) -> None:
        self._game = game
        self._name = hashlib.sha256(f"{game!r} {solver_version()}".encode()).digest()
        self.folder = (folder or cache_folder()) / "nash" / self._name.hex()[:24]
        self._added = 0
        self._writable = True

    def load(self, board: tuple[int, ...]) -> BoardSolution | None:
        """A board's solution; None if there is none, or none that can be believed."""
        try:
            data = self._path(board).read_bytes()
        except OSError:
            return None
        if len(data) <= _DIGEST or self._sign(board, data[_DIGEST:]) != data[:_DIGEST]:
            return None
        return self._unpacked(board, data[_DIGEST:])

    def save(self, board: tuple[int, ...], solution: BoardSolution) -> None:
        """Keeps a solution if the disk allows it, and removes the oldest ones beyond `MOST_BOARDS`."""
        if not self._writable:
            return
        packed = _packed(solution)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_bytes(self._path(board), self._sign(board, packed) + packed)
            self._added += 1
            if self._added % _SPARE == 1:
                self._trim()
        except (OSError, InputError):  # a full disk, or a folder of somebody else: time is lost, nothing more
            self._writable = False

    def _path(self, board: tuple[int, ...]) -> Path:
        return self.folder / "-".join(map(str, board))

    def _sign(self, board: tuple[int, ...], packed: bytes) -> bytes:
        return hashlib.sha256(self._name + bytes(board) + packed).digest()

    def _unpacked(self, board: tuple[int, ...], packed: bytes) -> BoardSolution | None:
        hands, slots = len(live_pairs(board)), self._game.tree.slots
        sizes = [2 * hands * count for count in slots]
        opener = zlib.decompressobj()
        try:
            plain = opener.decompress(packed, 8 + sum(sizes) + 1)
        except zlib.error:
            return None
        if len(plain) != 8 + sum(sizes):
            return None
        numbers = np.frombuffer(plain, "<u2", offset=8).astype(np.uint16)
        first, second = numbers[: hands * slots[0]], numbers[hands * slots[0] :]
        exploitability = float(np.frombuffer(plain, "<f8", 1)[0])
        return BoardSolution((first.reshape(slots[0], hands), second.reshape(slots[1], hands)), exploitability)

    def _trim(self) -> None:
        """Removes the oldest boards of all games and versions together, and what unfinished writing left behind."""
        found = []
        for folder in self.folder.parent.iterdir():
            for entry in os.scandir(folder) if folder.is_dir() else ():
                if entry.is_file(follow_symlinks=False) and not is_leftover(entry.name):
                    found.append((entry.stat().st_mtime_ns, entry.path))
        if len(found) <= MOST_BOARDS + _SPARE:
            return
        for _, path in sorted(found)[: len(found) - MOST_BOARDS]:
            Path(path).unlink(missing_ok=True)


def _packed(solution: BoardSolution) -> bytes:
    strategies = b"".join(strategy.astype("<u2").tobytes() for strategy in solution.strategies)
    return zlib.compress(np.array([solution.exploitability], "<f8").tobytes() + strategies, 1)
