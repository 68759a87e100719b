"""`blueprint` plays heads-up limit and no-limit by a strategy that was solved in advance; `blueprint:FILE` one of
your own."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.bot import Bot, Decisions
from luckless.bots.clocks import Clocks
from luckless.bots.dice import BatchDice
from luckless.bots.distribution import ActionDistribution
from luckless.bots.fingerprints import checksum, code_digest
from luckless.bots.parameters import BOT
from luckless.errors import InputError
from luckless.matches.compiled import Setup
from luckless.rules.game import Game
from luckless.rules.views import Views
from luckless.solve.blueprint_file import Blueprint, load_blueprint
from luckless.solve.blueprint_loop import blueprint_loop
from luckless.solve.blueprint_paths import MOST_ENTRIES, PlayedBlueprint, law_rows, law_rows_of_hands
from luckless.solve.blueprint_settings import BLUEPRINTS
from luckless.solve.card_buckets import card_buckets


def _loop(game: Game, cast: Sequence[Bot], setup: Setup) -> Callable[..., Any]:
    """What plays whole hands of a match in which blueprints play."""
    return blueprint_loop([bot.blueprint_for(game) if isinstance(bot, BlueprintBot) else None for bot in cast], setup)


class BlueprintBot(Bot):
    """A bot that plays one blueprint, or of the shipped ones the one that was made for the game."""

    batch = True
    loop: Callable[..., Any] | None = staticmethod(_loop)

    def __init__(self, spec: str = "blueprint", path: Path | None = None) -> None:
        self.name = self.spec = spec
        self._paths = [path] if path is not None else sorted(BLUEPRINTS.glob("*.safetensors"))
        if path is not None:
            _load(path)  # a file that cannot be read is refused at once

    def record(self) -> NDArray[np.void]:
        """A record without a rule: the bot's own loop knows what it plays."""
        record = np.zeros(1, BOT)
        record["rule"] = -1
        return record

    def start(self, game: Game, clocks: Clocks) -> None:
        """Refuses a game that it was not made for."""
        self.blueprint_for(game)

    def made_for(self, game: Game) -> tuple[Path, Blueprint]:
        """The blueprint of a game and its file; refused if none was made for it."""
        for path in self._paths:
            if _alike(game, Game.load(_load(path).settings.game)):
                return path, _load(path)
        made = " and ".join(_described(Game.load(_load(path).settings.game)) for path in self._paths)
        raise InputError(f"bot {self.spec} was made for {made or 'no game'}; game {game.name} is {_described(game)}")

    def blueprint_for(self, game: Game) -> PlayedBlueprint:
        """What plays a game; refused if no blueprint was made for it."""
        return _played(self.made_for(game)[0])._replace(blinds=np.array(game.blinds, np.int64))

    def answers(self, decisions: Decisions) -> NDArray[np.int64]:
        """Actions drawn by the dice."""
        return self.probabilities(decisions.views).draw(BatchDice(decisions.random_bits))

    def probabilities(self, views: Views) -> ActionDistribution:
        """What it does in each situation, and how often: exactly, the coins of translation included."""
        played = self.blueprint_for(views.game)
        actions = np.zeros((len(views), MOST_ENTRIES), np.int64)
        chances = np.zeros((len(views), MOST_ENTRIES))
        past = tuple(part.copy() for part in views.past)
        law_rows_of_hands(played, views.public, views.cards.copy(), past, _begins(views), (actions, chances))
        width = max(1, int((chances > 0).sum(axis=1).max(initial=1)))
        actions, chances = actions[:, :width].copy(), chances[:, :width].copy()
        return ActionDistribution(actions, actions, chances)

    def fingerprint(self) -> str:
        """The digests of the files, and of the code that plays them."""
        return checksum(["blueprint", code_digest(law_rows), *(_load(path).digest for path in self._paths)])


def _begins(views: Views) -> NDArray[np.bool_]:
    """Where another situation begins: rows before one are the same but for the cards of the seat."""
    fresh = np.zeros(len(views), np.bool_)
    fresh[:1] = True
    for part in (views.public, views.cards[:, 2:], *views.past):
        if part.size:
            seen = np.ascontiguousarray(part).view(np.uint8).reshape(len(views), -1)
            fresh[1:] |= (seen[1:] != seen[:-1]).any(axis=1)
    return fresh


RESOLVES = "resolve=river"


def load_blueprint_bot(text: str) -> Bot:
    """The bot that `blueprint`, `blueprint:FILE` or either with `resolve=river` (`blueprint:resolve=river`) names."""
    given = text.partition(":")[2]
    resolves = given == RESOLVES or given.endswith(f",{RESOLVES}")
    if given.rpartition(",")[2].startswith("resolve=") and not resolves:
        raise InputError(f"bot {text}: {given.rpartition(',')[2]} is unknown; allowed is {RESOLVES}")
    file = given.removesuffix(RESOLVES).rstrip(",") if resolves else given
    path = Path(file) if file or text.endswith(":") else None
    if not resolves:
        return BlueprintBot(text, path)
    from luckless.solve.resolving_bot import ResolvingBot

    return ResolvingBot(text, path)


@functools.lru_cache(maxsize=8)
def _load(path: Path) -> Blueprint:
    return load_blueprint(path)


@functools.lru_cache(maxsize=8)
def _played(path: Path) -> PlayedBlueprint:
    blueprint = _load(path)
    game = Game.load(blueprint.settings.game)
    chances = np.concatenate([part.reshape(-1) for part in blueprint.chances])
    start = np.concatenate([[0], np.cumsum([part.size for part in blueprint.chances])[:-1]]).astype(np.int64)
    return PlayedBlueprint(
        blueprint.settings.tree, card_buckets(blueprint.bounds), chances, start,
        np.array(game.blinds, np.int64), game.betting == "limit",
    )  # fmt: skip


def _alike(game: Game, made_for: Game) -> bool:
    """Whether both are the same game but for the name, the worth of a chip and, in limit, chips beyond all bets."""
    return _in_big_blinds(game) == _in_big_blinds(made_for)


def _in_big_blinds(game: Game) -> tuple[object, ...]:
    unit = game.big_blind
    stacks = game.stacks if game.betting == "no-limit" else tuple(min(stack, 48 * unit) for stack in game.stacks)
    amounts = (game.blinds, stacks, game.bet_sizes, game.antes, game.posts)
    scaled = tuple(tuple(chips / unit for chips in part) for part in amounts)
    return game.betting, game.seats, game.first_street, game.max_bets, scaled, game.rake


def _described(game: Game) -> str:
    depth = " and ".join(sorted({f"{stack / game.big_blind:g}" for stack in game.stacks}))
    blinds = "/".join(map(str, game.blinds))
    return f"{game.betting} with {game.seats} seats, blinds of {blinds} and {depth} big blinds"
