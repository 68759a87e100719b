"""Torch, which only the extra `learn` installs: imported at its first use, so that modules load without it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from luckless.errors import InputError


class _TorchAtFirstUse:
    """A stand-in for the module that imports it at first use, or says in one sentence that it is missing."""

    def __getattr__(self, name: str) -> Any:
        try:
            value = getattr(import_module("torch"), name)
        except ImportError:
            raise InputError("learning needs the extra 'learn': pip install 'luckless[learn]'") from None
        vars(self)[name] = value  # asked for thousands of times a second in training
        return value


if TYPE_CHECKING:
    import torch as torch
else:
    torch = _TorchAtFirstUse()


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Torch leaves the cores to our own threads inside of this."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
