"""Seasons of learning bots: agents, divisions, ratings, boards, and the run that survives a power cut.

The part is also the function `lk.league`: calling it plays a season (see `luckless.public.league`).
"""

import sys
from types import ModuleType
from typing import Any


class _League(ModuleType):
    """A module that can be called: `import luckless as lk; lk.league("quick")`."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from luckless.public import league

        return league(*arguments, **options)


sys.modules[__name__].__class__ = _League
