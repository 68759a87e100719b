"""Help without type names that say nothing to a user: `--json` is a switch, not a `<bool>`."""

from typing import Any

from typer.core import TyperCommand, TyperGroup


def _named_plainly(options: list[Any]) -> list[Any]:
    """The options of a command: switches show no type, options that may be repeated show the type of one value."""
    for option in options:
        if getattr(option, "is_flag", False):
            option.metavar = ""
        elif getattr(option, "multiple", False):
            option.metavar = "<str>"
    return options


class PlainCommand(TyperCommand):
    """A command with plain help."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options and arguments, named plainly."""
        return _named_plainly(super().get_params(ctx))


class PlainGroup(TyperGroup):
    """A group of commands with plain help."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options of the group, named plainly."""
        return _named_plainly(super().get_params(ctx))
