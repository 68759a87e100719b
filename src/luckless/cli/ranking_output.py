"""Rankings on the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from luckless.cli.output import new_console, print_table

if TYPE_CHECKING:
    from luckless.rankings.ranking import Rankings
    from luckless.report.ranking_tables import Known


def print_rankings(names: Sequence[str], found: "Rankings", top: int = 0, known: "Known | None" = None) -> None:
    """All rankings side by side, the best by the mean first, then the cycles; `known` are further columns."""
    from rich.table import Table
    from rich.text import Text

    from luckless.report.ranking_tables import NOTE, cycle_lines, ranking_header, ranking_rows

    console = new_console()
    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, heading in enumerate(ranking_header(found, known=known or {})):
        table.add_column(heading, justify="left" if place == 0 else "right", no_wrap=place > 0, overflow="fold")
    for row in ranking_rows(names, found, known or {})[: top or None]:
        table.add_row(Text(row[0], "bold"), *map(Text, row[1:]))
    print_table(console, table)
    for line in cycle_lines(names, found):
        console.print(line, style="bold", markup=False)
    console.print(NOTE, style="dim", markup=False)
