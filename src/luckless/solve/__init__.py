"""Solving games: strategies that cannot be beaten, and how far any strategy is from one.

The part is also the function `lk.solve`: calling it solves a game (see `luckless.public.solve`).
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from luckless.solve.solution import Solution


class _Solve(ModuleType):
    """A module that can be called: `import luckless as lk; lk.solve("kuhn")`."""

    def __call__(
        self,
        game: str | Path,
        *,
        board: str | None = None,
        ranges: Sequence[str] | None = None,
        pot: int | None = None,
        stack: int | None = None,
        sizes: str | Sequence[str] = (),
        algorithm: str | None = None,
        iterations: int | None = None,
        target: float | None = None,
        save: str | Path | None = None,
    ) -> "Solution":
        """Solves a game (see `luckless.public.solve`)."""
        from luckless.public import solve

        return solve(
            game,
            board=board,
            ranges=ranges,
            pot=pot,
            stack=stack,
            sizes=sizes,
            algorithm=algorithm,
            iterations=iterations,
            target=target,
            save=save,
        )


sys.modules[__name__].__class__ = _Solve
