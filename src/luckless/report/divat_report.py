"""A DIVAT judgement as an HTML page with figures."""

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import luckless
from luckless.cards import STREETS
from luckless.divat.judgement import Judgement
from luckless.divat.sweep import Sweep
from luckless.report.divat_commands import divat_command, settings_file
from luckless.report.divat_words import (
    conclusion,
    hand_rows,
    header,
    judgement_rows,
    notes,
    sample_text,
    street_rows,
    sweep_notes,
    sweep_rows,
)
from luckless.report.escaping import escaped
from luckless.report.page import Document, Section, command, date_text, facts, table
from luckless.report.style import LINE_GREY, PALETTE, STREET_COLOURS, error_bars, half_width, new_figure

LINE_POINTS = 2_000


def _thinned(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """A running sum at up to about `LINE_POINTS` places."""
    stride = max(1, len(values) // LINE_POINTS)
    hands = np.append(np.arange(stride, len(values), stride), len(values))
    return np.append(0, hands), np.append(0.0, np.round(np.cumsum(values)[hands - 1], 3))


def bankroll_figure(judgement: Judgement, colour: str = PALETTE[0]) -> Any:
    """Bankroll and DIVAT line in the player's colour, with both ±1.96·σ·√n envelopes in their own dashes."""
    figure = new_figure(f"Money and skill of {judgement.player}", "hands", "small bets won")
    for measure, name, shade in (("money", "money", LINE_GREY), ("divat", "skill (DIVAT)", colour)):
        values, rate = judgement.values[measure], judgement.estimate(measure)
        hands, line = _thinned(np.nan_to_num(values))
        if rate.stderr:
            counted = _thinned(np.isfinite(values).astype(np.float64))[1]  # hands that are left out add no spread
            bound = np.round(1.96 * rate.stderr * np.sqrt(rate.hands) * np.sqrt(counted), 3)
            for sign in (1, -1):
                figure.add_scatter(
                    x=hands, y=sign * bound, mode="lines", hoverinfo="skip", showlegend=sign > 0,
                    name=f"±1.96·σ·√n, {name}", line={"color": shade, "width": 1, "dash": "dot"},
                )  # fmt: skip
        figure.add_scatter(x=hands, y=line, mode="lines", name=name, line={"color": shade, "width": 2})
    return figure


def streets_figure(judgement: Judgement) -> Any:
    """The DIVAT line of each street."""
    figure = new_figure("Skill by street", "hands", "small bets")
    for number, name in enumerate(STREETS):
        hands, line = _thinned(np.nan_to_num(judgement.streets["divat"][:, number]))
        figure.add_scatter(
            x=hands, y=line, mode="lines", name=name, line={"color": STREET_COLOURS[number], "width": 1.8}
        )
    return figure


def sweep_figure(sweep: Sweep) -> Any:
    """How the skill changes under every setting, hand by hand, with the interval of the change."""
    base = sweep.swept[0]
    figure = new_figure(f"Change of skill from the settings {base.settings.name}", "small bets a hand", "")
    changes = [line.difference for line in sweep.swept]
    widths = [half_width(change) for change in changes]
    figure.add_scatter(
        x=[round(change.mean, 4) for change in changes],
        y=[_in_lines(line.settings.name.removeprefix(f"{base.settings.name}, ")) for line in sweep.swept],
        mode="markers", error_x=error_bars(widths, 4), marker={"color": PALETTE[0], "size": 8}, showlegend=False,
    )  # fmt: skip
    figure.update_layout(height=120 + 34 * len(changes))
    figure.update_yaxes(autorange="reversed")
    return figure


def _in_lines(name: str) -> str:
    """A long name in short lines, so that it leaves room for the figure in a narrow window."""
    return "<br>".join(textwrap.wrap(name, 22))


def judgement_sections(judgement: Judgement, colour: str = PALETTE[0]) -> list[Section]:
    """Money, skill and luck, and the skill by street: for a page of their own, or for that of a match.

    `colour` is the one that the judged player has in other figures.
    """
    first = table(
        (f"small bets a hand, {judgement.player}", *header(judgement)), judgement_rows(judgement, whole=True)
    )
    if judgement.duplicate:
        first += table(("the same hand by hand", *header(judgement, by_hand=True)), hand_rows(judgement))
    by_street = table((f"skill, {judgement.player}", *header(judgement)), street_rows(judgement))
    return [
        Section("Money, skill and luck", first + _remarks(notes(judgement)), [bankroll_figure(judgement, colour)]),
        Section("Skill by street", by_street, [streets_figure(judgement)]),
    ]


def divat_report(
    judgement: Judgement, sweep: Sweep | None, rejected: str = "none", source: Sequence[str] = ()
) -> str:
    """The report as one HTML text; see `divat_document`."""
    return divat_document(judgement, sweep, rejected, source).html()


def divat_document(
    judgement: Judgement, sweep: Sweep | None, rejected: str = "none", source: Sequence[str] = ()
) -> Document:
    """What the report says; `rejected` says how many hands could not be judged, and where they are.

    `source` are options of the command line that say how the logs were read.
    """
    sections = judgement_sections(judgement)
    if sweep is not None:
        columns = ("settings", "skill", "95 % interval", "change", "95 %")
        body = _remarks(sweep_notes(sweep)) + table(columns, sweep_rows(sweep))
        sections.append(Section("Robustness", body, [sweep_figure(sweep)]))
    how = [
        ("logs", ", ".join(judgement.played.sources)),
        ("hands", f"{judgement.hands:,} judged, {judgement.unknown:,} with unknown cards"),
        ("rejected", rejected),
        ("sample", sample_text(judgement)),
        ("values", f"{judgement.valuation.equity.upper()}, {judgement.valuation.settings.name} settings"),
        *([("judged", date_text(judgement.judged))] if judgement.judged else []),
        ("version", f"luckless {luckless.__version__}"),
    ]
    words = divat_command(judgement, sweep, source)
    file = settings_file(judgement.valuation.settings) if "--settings" in words else ("", "")
    sections.append(Section("How it was judged", facts(how) + command(words, file)))
    footer = f"Made by luckless {luckless.__version__}. Values are those of {judgement.player}, in small bets."
    return Document(
        f"{judgement.player} v {judgement.opponent}: DIVAT", conclusion(judgement), sections, footer, judgement.judged
    )


def _remarks(texts: Sequence[str]) -> str:
    return "".join(f'<p class="note">{escaped(text)}</p>' for text in texts)
