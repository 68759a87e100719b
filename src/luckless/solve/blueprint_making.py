"""Making a blueprint: training by the clock or to its end, kept on the way and on Ctrl-C, and gone on with later.

A blueprint that can be played is written to a file, and beside it (`.training` at the end of the name) all that is
needed to go on to the bit.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from luckless.errors import InputError
from luckless.progress import Progress
from luckless.solve.blueprint_file import Blueprint, rounded, save_blueprint
from luckless.solve.blueprint_settings import CFR_BR, PUBLIC, BlueprintSettings
from luckless.solve.blueprint_training import BlueprintSolver
from luckless.solve.card_buckets import Bounds, find_bounds
from luckless.solve.public_best import CfrBrSolver
from luckless.solve.public_sampling import PublicSolver
from luckless.solve.solution import whole
from luckless.tensors import as_safetensors, content_digest, read_safetensors
from luckless.whole_files import write_bytes
from luckless.work_clock import seconds as work_seconds

KEPT_EVERY = 600.0
"""Seconds of training between two copies on disk."""

Solver = BlueprintSolver | PublicSolver | CfrBrSolver

_LONG = 5_000_000
"""Iterations for which a table of river ranks is worth its making."""


@dataclass(frozen=True)
class Made:
    """What came out; `to_dict` is what `--json` prints. Nothing is known of its exploitability yet."""

    settings: BlueprintSettings
    iterations: int
    seconds: float
    interrupted: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "game": self.settings.game,
            "algorithm": self.settings.algorithm,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "value": None,
            "exploitability": None,
            "curve": [],
            "infosets": self.settings.infosets,
            "settings": self.settings.to_dict(),
            "interrupted": self.interrupted,
        }


def training_path(path: Path) -> Path:
    """Where the training of a blueprint is kept."""
    return path.with_name(f"{path.name}.training")


def new_solver(settings: BlueprintSettings, threads: int | None = None) -> Solver:
    """A solver that has learned nothing."""
    return _solver(settings, find_bounds(settings.slices, settings.samples), threads)


def _solver(settings: BlueprintSettings, bounds: Bounds, threads: int | None) -> Solver:
    tree, counts, seed = settings.tree, settings.slices.buckets, settings.seed
    if settings.algorithm == PUBLIC:
        return PublicSolver(tree, bounds, counts, seed, settings.piece, threads)
    if settings.algorithm == CFR_BR:
        return CfrBrSolver(tree, bounds, counts, seed, settings.piece, threads, dict(settings.simple))
    return BlueprintSolver(tree, bounds, counts, seed, settings.piece, settings.lanes, threads)


def keep(path: Path, settings: BlueprintSettings, solver: Solver) -> None:
    """Writes the blueprint and its training."""
    chances = rounded(settings, solver.average())
    save_blueprint(path, Blueprint(settings, solver.bounds, solver.iterations, chances))
    arrays = solver.state() | {f"bounds.{name}": part for name, part in solver.bounds._asdict().items()}
    facts = {"luckless": "training", "settings": json.dumps(settings.to_dict())}
    sealed = {**facts, "digest": content_digest(arrays, facts)}
    write_bytes(training_path(path), as_safetensors(arrays, sealed))


def resumed_solver(path: Path, settings: BlueprintSettings, threads: int | None = None) -> Solver:
    """The solver of a blueprint that was kept, with the same settings but for when it ends."""
    where = training_path(path)
    arrays, facts = read_safetensors(where, "training of a blueprint")
    plain = {key: text for key, text in facts.items() if key != "digest"}
    if facts.get("luckless") != "training" or facts.get("digest") != content_digest(arrays, plain):
        raise InputError(f"{where} is damaged, or not the training of a blueprint")
    stored = json.loads(facts["settings"])
    if stored | {"pieces": 0} != json.loads(json.dumps(settings.to_dict())) | {"pieces": 0}:
        raise InputError(f"{where} was trained with other settings; it can go on with its own only")
    bounds = Bounds(**{name: arrays[f"bounds.{name}"] for name in Bounds._fields})
    solver = _solver(settings, bounds, threads)
    solver.restore(arrays)
    return solver


def make_blueprint(
    settings: BlueprintSettings, solver: Solver, save: Path | None, minutes: float | None = None
) -> Made:
    """Trains to the end of the settings, or for some minutes; an interrupt keeps what was learned."""
    solver.tabled = (settings.pieces - solver.pieces) * settings.piece * settings.lanes > _LONG
    began, kept, interrupted = work_seconds(), work_seconds(), False
    whole_clock = None if minutes is None else 60 * minutes
    total, unit = (settings.pieces, "pieces") if whole_clock is None else (round(whole_clock), "seconds")
    try:
        with Progress(
            total, f"{settings.game}, {unit}", done=solver.pieces if whole_clock is None else 0
        ) as progress:
            while solver.pieces < settings.pieces:
                whole(lambda: solver.run(1))
                spent = work_seconds() - began
                done = solver.pieces if whole_clock is None else min(round(spent), total)
                progress.advance(done - progress.done, lambda: f"{solver.iterations:,} iterations")
                if whole_clock is not None and spent >= whole_clock:
                    break
                if save is not None and work_seconds() - kept >= KEPT_EVERY:
                    keep(save, settings, solver)
                    kept = work_seconds()
    except KeyboardInterrupt:
        interrupted = True
    if save is not None:
        keep(save, settings, solver)
    return Made(settings, solver.iterations, work_seconds() - began, interrupted)


def with_end(settings: BlueprintSettings, iterations: int | None, minutes: float | None) -> BlueprintSettings:
    """The settings with another end: after so many iterations, or by the clock."""
    if minutes is not None:
        if not 0 < minutes < 1e6:
            raise InputError(f"--minutes is {minutes:g}; allowed is more than 0")
        return replace(settings, pieces=10**9)
    if iterations is not None:
        return replace(settings, pieces=max(1, -(-iterations // (settings.piece * settings.lanes))))
    return settings
