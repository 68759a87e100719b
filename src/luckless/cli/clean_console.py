"""A console of Rich that shows what it is given, and lets none of it steer the terminal (see `visible`)."""

import sys
from collections.abc import Iterable
from typing import Any, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from luckless.visible import visible, visible_line


class CleanConsole(Console):
    """Writes past `CleanStream`, because its own colours and moves are sound; texts that it is given are cleaned."""

    def __init__(self, *, stream: TextIO | None = None, **options: Any) -> None:
        """Writes to standard output, or to another stream."""
        out = sys.stdout if stream is None else stream
        super().__init__(file=getattr(out, "unclean", out), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of something to show, their texts made visible."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else visible(text), style, control)


def clean_table(table: Table) -> None:
    """Makes the cells of a table visible, each in one line, so that their widths are known."""
    for column in table.columns:
        column.header = _clean_cell(column.header)
        column._cells = [_clean_cell(cell) for cell in column._cells]


def _clean_cell(cell: RenderableType) -> RenderableType:
    if isinstance(cell, str):
        return visible_line(cell)
    if isinstance(cell, Text) and visible_line(cell.plain) != cell.plain:
        return Text(visible_line(cell.plain), cell.style)
    return cell
