"""The golden flop: minutes of work, so only measured when it is asked for by name."""

from collections.abc import Iterator

from luckless.bench.solve_spots import FLOP
from luckless.bench.timing import WALL, Row, once
from luckless.solve.holdem import HoldemSolver
from luckless.solve.solution import Solution, solve
from luckless.solve.spot_file import make_spot

AIM_SECONDS, AIM_BYTES = 180.0, 1.4e9


def measure() -> Iterator[Row]:
    """S4 to 0.5 % of the pot on two cores: the time, and the largest size of the process as bytes over the aim."""
    import resource  # not on every system

    found: list[Solution] = []
    spot = make_spot(FLOP)
    seconds = once(lambda: found.append(solve(HoldemSolver(spot, threads=2), "spot", None, 0.005)), WALL)
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    facts = (
        f"{found[0].iterations} iterations, first player {found[0].measured.value:,.2f}, "
        f"at most {largest / 1e9:.2f} GB of {AIM_BYTES / 1e9:.1f} GB"
    )
    yield Row("S4, a flop, on two cores, to 0.5 % of the pot", seconds, "the aim of 3 min", AIM_SECONDS, 1.0, facts)
