"""The keys of a match: how its cards, seats and dice follow from its seed, in the open or sealed.

Open: the seed is the key of everything (see `randomness`). Whoever finds it, from a few random numbers or cards,
knows every card of the match. That is good enough among bots of ours, and fast.

Sealed: for matches with bots from outside. Each deck, each seating, each choice of a mix and each roll of the
dice has a key of its own, made from the seed by BLAKE2b with the seed as its secret key (RFC 7693). BLAKE2b cannot be
turned round: what a bot sees of its dice and cards tells nothing about any other key, unless it can try out the seed
itself. A seed that nobody can try out has 128 random bits (`new_seed`).
"""

import hashlib
import secrets
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from luckless.randomness import key_of

SMALL_SEED = 1 << 64
"""Seeds below can be tried out, by somebody with time and machines."""

DEFAULT_SEED = 1
"""The seed of an open match that names none."""


@dataclass(frozen=True)
class Keys:
    """A seed, and how it is used."""

    seed: int
    sealed: bool = False

    def __post_init__(self) -> None:
        key_of(self.seed)  # refuses one that is out of range

    @classmethod
    def of(cls, seed: "int | Keys") -> "Keys":
        """Keys as they are, or the open ones of a seed."""
        return seed if isinstance(seed, Keys) else cls(seed)

    def rows(self, purpose: str, *address: ArrayLike) -> NDArray[np.uint64]:
        """The Philox key of each address, shape (rows, 2): the seed itself, or one for each address alone."""
        if self.sealed:
            return self._sealed(purpose, 16, address)
        return np.tile(key_of(self.seed), (np.broadcast(*address).size, 1))

    def words(self, purpose: str, *address: ArrayLike) -> NDArray[np.uint64]:
        """Four random words for each address, shape (rows, 4); of sealed keys alone."""
        if not self.sealed:
            raise ValueError("open keys have no words of their own: Philox makes them")
        return self._sealed(purpose, 32, address)

    def _sealed(self, purpose: str, size: int, address: tuple[ArrayLike, ...]) -> NDArray[np.uint64]:
        """BLAKE2b of each address, which is a row of whole numbers; the purpose sets its use apart from others."""
        columns = np.broadcast_arrays(*(np.atleast_1d(np.asarray(part, "<i8")) for part in address))
        data, width = np.stack(columns, axis=1).tobytes(), 8 * len(columns)
        if not data:
            return np.empty((0, size // 8), np.uint64)
        keyed = hashlib.blake2b(
            digest_size=size, key=self.seed.to_bytes(16, "little"), person=f"luckless {purpose}".encode()
        )
        digests = []
        for start in range(0, len(data), width):
            one = keyed.copy()
            one.update(data[start : start + width])
            digests.append(one.digest())
        return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64).reshape(-1, size // 8)


def new_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbits(128)


def choose_seed(seed: int | None, sealed: bool) -> int:
    """The seed that was asked for; without one the default, or a secret one for a sealed match."""
    if seed is not None:
        return seed
    return new_seed() if sealed else DEFAULT_SEED


def trial_seed(seed: int, number: int) -> int:
    """The seed of one of several sealed matches that have a seed in common: none tells anything about another."""
    low, high = Keys(seed, sealed=True).rows("trial", number)[0]
    return int(low) | int(high) << 64


def seed_warnings(seed: int, sealed: bool) -> list[str]:
    """What is to be said about the seed of a match, if anything."""
    if not sealed or seed >= SMALL_SEED:
        return []
    return [
        "a bot from outside could try out every seed below 2**64 and then see all cards: leave the seed out, and "
        "a secret one is drawn"
    ]


def seed_as_json(seed: int) -> int | str:
    """The seed as JSON carries it: a number as far as every reader keeps its digits, else text."""
    return seed if seed < 1 << 53 else str(seed)
