"""What a blueprint is made from: the game, how finely cards and bets are told apart, the seed, how long.

Settings are a TOML file. Those of the shipped blueprints lie in `blueprints` beside this module.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from luckless.errors import InputError
from luckless.rules.game import STREETS, Game
from luckless.solve.betting_tree import BettingTree, Menus, betting_tree
from luckless.solve.card_buckets import Slices
from luckless.solve.memory import amount, available_memory
from luckless.solve.menus import parse_sizes
from luckless.typed_toml import TypedReader, parse_toml, read_text

BLUEPRINTS = Path(__file__).parent / "blueprints"
_KEYS = ("game", "seed", "piece", "lanes", "pieces", "samples", "buckets", "sizes", "algorithm", "simple")
EXTERNAL, PUBLIC, CFR_BR = "external", "public", "cfr-br"
ALGORITHMS = {EXTERNAL: "external sampling", PUBLIC: "public chance sampling", CFR_BR: "CFR-BR on sampled boards"}
"""How a blueprint is learned: by external sampling, or in limit on all hands of sampled boards."""
SIMPLE_PLAYERS = ("call", "raise")
"""Players whom a learner may meet now and then: one always calls, the other always raises (`simple_players`)."""
_MOST_SLICES = 1000


@dataclass(frozen=True)
class BlueprintSettings:
    """One blueprint. `piece` iterations by each of the `lanes` make a piece; training ends after so many `pieces`."""

    game: str
    seed: int
    piece: int
    lanes: int
    pieces: int
    samples: int
    """Deals on which the bounds of the slices are measured."""
    slices: Slices
    sizes: tuple[tuple[str, ...], ...] = ()
    """No-limit only: for each street the sizes of the first bet or raise, of the second, ..., of all later ones."""
    algorithm: str = EXTERNAL
    simple: tuple[tuple[str, float], ...] = ()
    """CFR-BR only: simple players, and in what share of the hands each takes the place of the other player."""

    @cached_property
    def menus(self) -> Menus | None:
        """The sizes of each street; None in limit."""
        return [
            [parse_sizes(text, f"sizes of the {street}", raises=True) for text in texts]
            for street, texts in zip(STREETS, self.sizes, strict=True)
        ] if self.sizes else None  # fmt: skip

    @cached_property
    def tree(self) -> BettingTree:
        """The betting."""
        return betting_tree(Game.load(self.game), self.menus)

    @property
    def infosets(self) -> int:
        """Decisions of all buckets."""
        return sum(nodes * count for nodes, count in zip(self.tree.nodes_by_street, self.slices.buckets, strict=True))

    @property
    def memory(self) -> int:
        """Bytes that training needs: numbers of all lanes, and the tables of cards."""
        slots = sum(int(width) * count for width, count in zip(self.tree.width, self.slices.buckets, strict=True))
        tables = {EXTERNAL: 1 + 2 * self.lanes, PUBLIC: 2, CFR_BR: 4}[self.algorithm]
        return slots * 4 * tables + 300_000_000

    def check_memory(self, most: int | None) -> int:
        """The bytes needed; refused where they are more than is allowed or free."""
        needed, free = self.memory, available_memory()
        advice = "allow fewer buckets, sizes or lanes"
        if most is not None and needed > most:
            raise InputError(f"training needs {amount(needed)} of memory, and {amount(most)} are allowed; {advice}")
        if free is not None and needed > 0.9 * free:
            raise InputError(f"training needs {amount(needed)} of memory, and {amount(free)} are free; {advice}")
        return needed

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as in the file of settings."""
        values: dict[str, Any] = {key: getattr(self, key) for key in _KEYS[:6]}
        slices = self.slices
        values["buckets"] = {"flop": list(slices.flop), "turn": list(slices.turn), "river": slices.river}
        if self.algorithm != EXTERNAL:
            values["algorithm"] = self.algorithm
        if self.simple:
            values["simple"] = dict(self.simple)
        if self.sizes:
            values["sizes"] = {street: list(texts) for street, texts in zip(STREETS, self.sizes, strict=True)}
        return values


def shipped_blueprints() -> list[str]:
    """The games that blueprints are shipped for, or can be made for without a file of settings."""
    return sorted(path.stem for path in BLUEPRINTS.glob("*.toml"))


def read_settings(path: Path) -> BlueprintSettings:
    """The settings of a file."""
    values, reader = parse_toml(read_text(path, "settings"), str(path))
    return settings_of(values, reader)


def settings_of(given: Mapping[str, Any], reader: TypedReader) -> BlueprintSettings:
    """The settings that plain values describe."""
    values = reader.table(given, (), _KEYS, ("game", "buckets"))
    cards = reader.table(values["buckets"], ("buckets",), ("flop", "turn", "river"), ("flop", "turn", "river"))
    flop, turn = (_two(cards[street], ("buckets", street), reader) for street in ("flop", "turn"))
    slices = Slices(flop, turn, reader.whole(cards["river"], ("buckets", "river"), 2, _MOST_SLICES))
    settings = BlueprintSettings(
        reader.text(values["game"], ("game",)),
        reader.whole(values.get("seed", 1), ("seed",), 0),
        reader.whole(values.get("piece", 100_000), ("piece",), 1, 10**9),
        reader.whole(values.get("lanes", 2), ("lanes",), 1, 64),
        reader.whole(values.get("pieces", 100), ("pieces",), 1, 10**9),
        reader.whole(values.get("samples", 100_000), ("samples",), 100, 10**7),
        slices,
        _sizes(values.get("sizes"), reader),
        reader.one_of(values.get("algorithm", EXTERNAL), ("algorithm",), tuple(ALGORITHMS)),
        _simple(values.get("simple"), reader),
    )
    if settings.simple and settings.algorithm != CFR_BR:
        raise reader.refuse(("simple",), "simple players are for algorithm cfr-br")
    if settings.algorithm != EXTERNAL and settings.lanes != 1:
        reason = f"1 where algorithm is {settings.algorithm}: threads share a board"
        raise reader.refuse_value(("lanes",), settings.lanes, reason)
    try:
        _ = settings.tree
    except InputError as error:
        raise reader.refuse((), str(error)) from None
    if settings.algorithm != EXTERNAL and settings.sizes:
        reason = "external; public and cfr-br are for limit games"
        raise reader.refuse_value(("algorithm",), settings.algorithm, reason)
    return settings


def _two(given: Any, path: tuple[str, ...], reader: TypedReader) -> tuple[int, int]:
    if not isinstance(given, list) or len(given) != 2:
        raise reader.refuse_value(path, given, "two numbers of slices, of 7cHR and within it of IHR, such as [25, 5]")
    ahead, now = (reader.whole(number, path, 2, _MOST_SLICES) for number in given)
    if ahead * now * 5 > 60_000:
        raise reader.refuse_value(path, given, "at most 12,000 slices in all")
    return ahead, now


def _simple(given: Any, reader: TypedReader) -> tuple[tuple[str, float], ...]:
    if given is None:
        return ()
    shares = reader.table(given, ("simple",), SIMPLE_PLAYERS, ())
    return tuple(
        (name, reader.number(shares[name], ("simple", name), 0, 0.2)) for name in SIMPLE_PLAYERS if name in shares
    )


def _sizes(given: Any, reader: TypedReader) -> tuple[tuple[str, ...], ...]:
    if given is None:
        return ()
    streets = reader.table(given, ("sizes",), STREETS, STREETS)
    return tuple(reader.texts(streets[street], ("sizes", street)) for street in STREETS)
