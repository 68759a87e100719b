"""Parts that are also functions: `lk.league("quick")` plays a season, and `luckless.league` is still a package.

A package and a function of `luckless.public` may have the same name. Whichever is imported last would hide the other,
so the package is made callable: it hands the call on.
"""

import inspect
import sys
from types import ModuleType
from typing import Any


class _CallablePart(ModuleType):
    """A module that is also the function of `luckless.public` with its name."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Calls the function; its arguments are told by `inspect.signature`."""
        return self._function(*args, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._function)

    @property
    def _function(self) -> Any:
        from luckless import public

        return getattr(public, self.__name__.rpartition(".")[2])


def make_callable(name: str) -> None:
    """Makes the module of this name, which is being imported, a function too."""
    sys.modules[name].__class__ = _CallablePart
