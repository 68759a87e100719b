"""Learning bots: a round of play, a round of training, and the network alone beside torch."""

import importlib.util
from collections.abc import Iterator
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from luckless.bench.timing import Row, seconds_of
from luckless.bots.bot import Bot
from luckless.bots.lineup import Lineup
from luckless.bots.python_bot import bot_of
from luckless.layers import Layers
from luckless.learn.decisions import Lesson
from luckless.learn.features import expand, situations
from luckless.learn.learner import Learner
from luckless.learn.networks import Network, compile_layers, new_network, run
from luckless.learn.qlearn import QLearnSettings, QPlayer
from luckless.learn.registry import KINDS, settings_of
from luckless.matches.match import Match
from luckless.matches.playing import Chunk, Playing
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.threads import core_count

HANDS, OUTPUTS = 10_000, 201


class _TimedPlayer(QPlayer):
    """A player that notes how long its network takes."""

    seconds = 0.0

    def ask(self, rows: NDArray[np.void]) -> NDArray[np.float32]:
        started = perf_counter()
        outputs = super().ask(rows)
        self.seconds += perf_counter() - started
        return outputs


def measure() -> Iterator[Row]:
    """All rows."""
    yield from _network_alone()
    yield from _round_of_agents()
    yield from _training_rounds()


def _play(bots: list[Bot]) -> Chunk:
    match = Match.plan(Game.load("nolimit-6max"), bots, hands=HANDS, seed=1, decks="fresh")
    playing = Playing(match.game, Lineup.of(bots), match.keys)
    with playing:
        return playing.play(match.seated(0, HANDS))


def _layers(seed: int) -> Layers:
    return new_network(settings_of("qlearn-all").hidden, OUTPUTS, np.random.default_rng(seed))


def _network_alone() -> Iterator[Row]:
    table = Table.dealt(Game.load("nolimit-6max"), 1, np.arange(HANDS))
    rows, layers = situations(table.views(table.waiting())), _layers(1)
    ours = seconds_of(lambda: run(compile_layers(layers), rows))
    work, note = (
        f"{HANDS:,} decisions through the network",
        f"{core_count()} cores; torch: dense inputs, as many threads",
    )
    yield Row(work, ours, "torch", _torch_seconds(layers, expand(rows)), 1, note)


def _torch_seconds(layers: Layers, x: NDArray[np.float32]) -> float | None:
    try:
        import torch
    except ImportError:
        return None
    weights = [(torch.from_numpy(w), torch.from_numpy(b)) for w, b in layers]
    inputs = torch.from_numpy(x)

    def forward() -> None:
        y = inputs
        with torch.inference_mode():
            for place, (w, b) in enumerate(weights):
                y = torch.addmm(b, y if place == 0 else torch.nn.functional.leaky_relu(y, 0.001), w)

    return seconds_of(forward)


def _round_of_agents() -> Iterator[Row]:
    settings = settings_of("qlearn-all")
    assert isinstance(settings, QLearnSettings)
    networks: list[Network] = [compile_layers(_layers(seed)) for seed in range(6)]
    players = [_TimedPlayer(settings, network, explore=True) for network in networks]
    bots: list[Bot] = [bot_of(player, f"agent {seat}") for seat, player in enumerate(players)]
    whole = seconds_of(lambda: _play(bots))
    for player in players:
        player.seconds = 0.0
    started = perf_counter()
    decisions = int(_play(bots).records.ends[-1])
    once = perf_counter() - started
    outside = once - sum(player.seconds for player in players)
    work = f"{HANDS:,} six-handed hands, six different qlearn-all agents"
    yield Row(work, whole, "the aim of 1.5 s", 1.5, 1, f"{decisions:,} decisions")
    yield Row(f"{work}: outside the network", outside, "a quarter of the time", once / 4, 1, f"{outside / once:.0%}")


def _training_rounds() -> Iterator[Row]:
    from luckless.learn.agents import new_learner

    if importlib.util.find_spec("torch") is None:
        return
    teacher_settings = settings_of("qlearn-all")
    assert isinstance(teacher_settings, QLearnSettings)
    players = [QPlayer(teacher_settings, compile_layers(_layers(seed)), explore=False) for seed in range(5)]
    teachers: list[Bot] = [bot_of(player, f"teacher {number}") for number, player in enumerate(players)]
    for kind in KINDS:
        train = partial(_train, new_learner(settings_of(kind), seed=1), teachers)
        work = f"a training round of {HANDS:,} hands, {kind} and five qlearn-all teachers"
        yield Row(work, seconds_of(train, repeats=3), "the aim of 2.5 s", 2.5, 1)


def _train(learner: Learner, teachers: list[Bot]) -> None:
    learner.learn(Lesson.of([_play([learner.bot(), *teachers])], [0], 1))
