"""The result block of a match as plain text: what the terminal prints, for pages and the clipboard."""

from collections.abc import Sequence

from luckless.counted import counted
from luckless.matches.result import MatchResult
from luckless.report.fault_words import fault_lines
from luckless.report.match_report import (
    ADJUSTED_HEADER,
    RESULT_HEADER,
    adjusted_rows,
    conclusion,
    notes,
    result_rows,
)


def _pace(result: MatchResult) -> str:
    """Hands a second; nothing where no time was taken down, as of a match that goes on."""
    return f" ({result.hands / result.seconds:,.0f} hands/s)" if result.seconds > 0 else ""


def result_text(result: MatchResult) -> str:
    """The block: what was played, a table, one sentence that says what it means, notes."""
    match = result.match
    seats = f", {match.seats_text}" if match.empty_seats else ""
    lines = [
        f"{match.game.name}{seats}, {counted(result.hands, 'hand')}, {match.decks} decks, seed {match.seed}, "
        f"{result.seconds:.1f} s{_pace(result)}",
        *text_table(RESULT_HEADER, result_rows(result)),
    ]
    if result.adjusted is not None:
        lines += [*text_table(ADJUSTED_HEADER, adjusted_rows(result)), result.adjusted.reason]
    return "\n".join([*lines, conclusion(result), *notes(result), *fault_lines(result.tally.faults, match.labels)])


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in columns, the first to the left and all others to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (header, *rows)
    ]
