"""How exploitable a blueprint for heads-up limit is as its training goes on, by the real game: a table and a picture.

    python tools/blueprint_curve.py runs/curve --iterations 1000,2000,4000 --flops 24 --svg curve.svg

Trains by the shipped settings (or `--settings FILE`), keeps the blueprint at each of the numbers of iterations, and
works out the best response to each on the same sampled flops. All of it is kept in the folder: the same command goes
on where it was stopped. Differences between two rows are of the same flops, so they are surer than either row.
"""

import argparse
import json
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.rules.game import Game
from luckless.solve.blueprint_making import make_blueprint, new_solver, resumed_solver, with_end
from luckless.solve.blueprint_settings import BLUEPRINTS, BlueprintSettings, read_settings
from luckless.solve.limit_exploit import limit_loss
from luckless.stats.estimate import Estimate, estimate
from luckless.whole_files import write_text

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 320, 60, 50, 20, 20


class Point(NamedTuple):
    """A blueprint along the way: minutes of one core, what a best response wins at least, and beyond the last one."""

    iterations: int
    minutes: float
    bound: Estimate
    beyond: Estimate | None


def trained(folder: Path, settings: BlueprintSettings, stops: list[int]) -> dict[int, float]:
    """Minutes of one core until each stop; what is not in the folder yet is trained."""
    log, before = folder / "minutes.json", None
    minutes = {int(stop): spent for stop, spent in json.loads(log.read_text()).items()} if log.exists() else {}
    for stop in stops:
        path = blueprint_of(folder, stop)
        if stop not in minutes or not path.exists():
            chosen, begun = with_end(settings, stop, None), process_time()
            solver = (
                new_solver(chosen, 1) if before is None else resumed_solver(blueprint_of(folder, before), chosen, 1)
            )
            if make_blueprint(chosen, solver, path).interrupted:
                raise KeyboardInterrupt
            minutes[stop] = (0.0 if before is None else minutes[before]) + (process_time() - begun) / 60
            write_text(log, json.dumps(minutes))
        before = stop
    return minutes


def blueprint_of(folder: Path, stop: int) -> Path:
    """The blueprint after so many iterations."""
    return folder / f"{stop}.safetensors"


def losses(folder: Path, settings: BlueprintSettings, stop: int, flops: int, seed: int) -> NDArray[np.float64]:
    """What a best response wins on each flop, in mbb/h."""
    game = Game.load(settings.game)
    bot = load_bot(f"blueprint:{blueprint_of(folder, stop)}")
    kept = folder / f"{stop}.flops"
    loss = limit_loss(bot, game, flops, seed, kept, show_progress=True)
    found: NDArray[np.float64] = loss.by_seat.mean(axis=1) * (1000 / game.big_blind)
    return found


def points(minutes: dict[int, float], values: dict[int, NDArray[np.float64]]) -> list[Point]:
    """All blueprints in the order of their training; each is compared with the last one."""
    last = values[max(values)]
    return [
        Point(stop, minutes[stop], _over_flops(won), None if won is last else _over_flops(won - last))
        for stop, won in sorted(values.items())
    ]


def _over_flops(values: NDArray[np.float64]) -> Estimate:
    return estimate(values, unit="mbb/h", method="flops")


def rows(found: list[Point]) -> list[str]:
    """The table in Markdown."""
    lines = [
        "| iterations | minutes of one core | a best response wins at least | beyond the last |",
        "|---|---|---|---|",
    ]
    for point in found:
        beyond = "–" if point.beyond is None else _told(point.beyond, "+.0f")
        lines.append(f"| {point.iterations:,} | {point.minutes:.1f} | {_told(point.bound, '.0f')} | {beyond} |")
    return lines


def _told(found: Estimate, shape: str) -> str:
    low, high = _ends(found)
    return f"{found.mean:{shape}} ({low:{shape}} to {high:{shape}})"


def _ends(found: Estimate) -> tuple[float, float]:
    return found.ci95 or (found.mean, found.mean)


def picture(found: list[Point], unit: str = "mbb/h") -> str:
    """The curve with its intervals as SVG; minutes on a logarithmic axis."""
    logs = np.log([point.minutes for point in found])
    most = 50 * np.ceil(max(_ends(point.bound)[1] for point in found) / 50)
    least = 50 * np.floor(min(0.0, *(_ends(point.bound)[0] for point in found)) / 50)
    across = LEFT + 20 + (logs - logs[0]) / max(logs[-1] - logs[0], 1e-9) * (WIDTH - LEFT - RIGHT - 40)

    def up(value: float) -> float:
        return float(HEIGHT - BOTTOM - (value - least) / (most - least) * (HEIGHT - BOTTOM - TOP))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        'font-size="13" role="img"><style>text{fill:#333}.l{stroke:#8884}.c{stroke:#0072B2;fill:none;stroke-width:2}'
        ".d{fill:#0072B2}.e{stroke:#0072B2}@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>"
    ]
    for value in np.arange(least, most + 1, 50 if most - least <= 500 else 100):
        parts.append(f'<line class="l" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(value):.1f}" y2="{up(value):.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{up(value) + 4:.1f}" text-anchor="end">{value:.0f}</text>')
    for x, point in zip(across.tolist(), found, strict=True):
        low, high = _ends(point.bound)
        parts.append(f'<line class="e" x1="{x:.1f}" x2="{x:.1f}" y1="{up(low):.1f}" y2="{up(high):.1f}"/>')
        parts.append(f'<circle class="d" cx="{x:.1f}" cy="{up(point.bound.mean):.1f}" r="3.5"/>')
        minutes = f"{point.minutes:.1f}" if point.minutes < 10 else f"{point.minutes:.0f}"
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{minutes}</text>')
    line = " ".join(f"{x:.1f},{up(point.bound.mean):.1f}" for x, point in zip(across.tolist(), found, strict=True))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<polyline class="c" points="{line}"/>')
    parts.append(f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">minutes of one core</text>')
    parts.append(
        f'<text transform="translate(16 {(HEIGHT - BOTTOM + TOP) / 2}) rotate(-90)" text-anchor="middle">'
        f"a best response wins, {unit}</text></svg>"
    )
    return "\n".join(parts) + "\n"


def stops_of(text: str) -> list[int]:
    """Numbers of iterations, in rising order."""
    try:
        return sorted({int(part) for part in text.split(",")})
    except ValueError:
        raise InputError(f"--iterations is {text!r}; it must be whole numbers, such as 1000,2000") from None


def main() -> None:
    """Trains and measures what is missing; prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--iterations", default="250,500,1000,2000,4000,8000,16000,31000")
    parser.add_argument("--flops", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--settings", type=Path, default=BLUEPRINTS / "limit-hu.toml")
    parser.add_argument("--svg", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    settings, stops = read_settings(given.settings), stops_of(given.iterations)
    minutes = trained(given.folder, settings, stops)
    found = points(minutes, {stop: losses(given.folder, settings, stop, given.flops, given.seed) for stop in stops})
    print("\n".join(rows(found)))
    if given.svg is not None:
        write_text(given.svg, picture(found))


if __name__ == "__main__":
    main()
