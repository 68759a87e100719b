"""Help for people: no type names that say nothing to a user, and in a pipe or a file no box and no broken line."""

import os
import sys
from typing import Any

from typer.core import TyperCommand, TyperGroup

from luckless.cli.output import UNBROKEN


def _named_plainly(parameters: list[Any]) -> list[Any]:
    """The parameters of a command: switches and arguments show no type, repeated options that of one value."""
    for parameter in parameters:
        if parameter.param_type_name == "argument":
            parameter.display_type_rich = lambda ctx: None  # its name and its text say more
        elif getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        elif getattr(parameter, "multiple", False):
            parameter.metavar = "<str>"
    return parameters


class _Plain:
    """What commands and groups of commands do alike."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options and arguments, named plainly."""
        parent: Any = super()
        return _named_plainly(parent.get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Help in boxes on a terminal; elsewhere plain lines, each whole, so that they can be searched."""
        parent: Any = super()
        if sys.stdout.isatty() or "COLUMNS" in os.environ:
            parent.format_help(ctx, formatter)
            return
        this: Any = self
        mode, this.rich_markup_mode = this.rich_markup_mode, None
        formatter.width = UNBROKEN
        try:
            parent.format_help(ctx, formatter)
        finally:
            this.rich_markup_mode = mode


class PlainCommand(_Plain, TyperCommand):
    """A command with plain help."""


class PlainGroup(_Plain, TyperGroup):
    """A group of commands with plain help."""
