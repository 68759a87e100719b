"""A bot that cheats: it looks for the seed of the match, and then writes down what the others hold.

    python seed_finder.py dice|cards|sealed FILE

`dice` and `cards` try out small seeds against the random numbers that it is sent, or against its own cards, as if the
keys were open; `sealed` knows how keys are sealed and tries small seeds against the random numbers. It stands alone,
as a stranger's program would: generator and dealing are written here once more. Each line of FILE is one hand that it
claims to know: the deal, and all cards in the order of the deck.
"""

import hashlib
import json
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SEEDS = 3_000
WORD = (1 << 64) - 1
DECK, BOT = 0, 32
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def philox(seed: int, counter: Sequence[int]) -> tuple[int, int, int, int]:
    """Philox 4x64-10."""
    k0, k1 = seed & WORD, seed >> 64
    c0, c1, c2, c3 = counter
    for _ in range(10):
        first, second = 0xD2E7470EE14C6C93 * c0, 0xCA5A826395121157 * c2
        c0, c1, c2, c3 = (second >> 64) ^ c1 ^ k0, second & WORD, (first >> 64) ^ c3 ^ k1, first & WORD
        k0, k1 = (k0 + 0x9E3779B97F4A7C15) & WORD, (k1 + 0xBB67AE8584CAA73B) & WORD
    return c0, c1, c2, c3


def deck_of(seed: int, deal: int, count: int) -> list[int]:
    """The first cards of a deck under an open key; six cards are drawn from each word."""
    pack, drawn = list(range(52)), 0
    while drawn < count:
        word = philox(seed, (drawn // 24, deal, DECK, 0))[drawn // 6 % 4]
        for place in range(drawn, min(drawn + 6, count)):
            word *= 52 - place
            other = place + (word >> 64)
            word &= WORD
            pack[place], pack[other] = pack[other], pack[place]
        drawn += 6
    return pack[:count]


def sealed(seed: int, purpose: str, size: int, *address: int) -> bytes:
    """What a sealed key is made from."""
    key, person = seed.to_bytes(16, "little"), f"luckless {purpose}".encode()
    return hashlib.blake2b(
        struct.pack(f"<{len(address)}q", *address), digest_size=size, key=key, person=person
    ).digest()


class Finder:
    """Keeps the seeds that explain everything seen so far."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.seeds: list[int] = list(range(SEEDS))
        self.deals: set[int] = set()

    def look(self, view: dict[str, Any], deal: int) -> None:
        """Takes out the seeds that do not explain a decision."""
        self.seeds = [seed for seed in self.seeds if self.explains(seed, view, deal)]
        self.deals.add(deal)

    def explains(self, seed: int, view: dict[str, Any], deal: int) -> bool:
        """Whether a seed gives what was seen."""
        seat, step = int(view["seat"]), len(view["history"])
        if self.way == "cards":
            own = deck_of(seed, deal, 2 * seat + 2)[2 * seat :]
            return bool([CARDS[card] for card in own] == view["hole"])
        seen = int(view["random"] * 2**53)
        if self.way == "dice":
            return philox(seed, (0, deal, BOT + seat, step))[0] >> 11 == seen
        digests = [sealed(seed, "dice", 32, player, deal, seat, step) for player in range(view["seats"])]
        return any(int.from_bytes(one[:8], "little") >> 11 == seen for one in digests)

    def deck(self, deal: int, seats: int) -> list[int] | None:
        """The cards of a deal, once a single seed explains three hands."""
        if len(self.seeds) != 1 or len(self.deals) < 3:
            return None
        seed = self.seeds[0]
        if self.way != "sealed":
            return deck_of(seed, deal, 2 * seats + 5)
        return deck_of(int.from_bytes(sealed(seed, "deck", 16, deal), "little"), deal, 2 * seats + 5)


def main() -> None:
    """Plays by checking and calling. It says that it has memory, so hands come in order and it can count them."""
    finder, file, deal = Finder(sys.argv[1]), Path(sys.argv[2]), 0
    for line in sys.stdin:
        message = json.loads(line)
        answer: dict[str, Any] | None = None
        if message["type"] == "hello":
            answer = {"type": "hello", "protocol": 1, "name": "finder", "memory": True}
        elif message["type"] == "match":
            answer = {"type": "ready"}
        elif message["type"] == "decide":
            finder.look(message, deal)
            answer = {"id": message["id"], "action": 0}
        elif message["type"] == "hand_over":
            known = finder.deck(deal, message["seats"])
            if known is not None:
                with file.open("a") as out:
                    print(json.dumps([deal, known]), file=out)
            deal += 1
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
