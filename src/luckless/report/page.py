"""One self-contained HTML file: opens offline, in a browser, with live figures.

Plotly's script is 4.8 MB; it travels gzipped inside the page and is unpacked by the browser, so that a report stays
near 2 MB.
"""

import base64
import functools
import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from luckless.report.escaping import escaped, script_json

ASSETS = Path(__file__).with_name("assets")
"""The style sheet and the script that draws figures, which the dashboard serves too."""

_SCRIPT = """
(async () => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  try {
    const packed = Uint8Array.from(atob(document.getElementById("plotly").textContent), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.head.appendChild(script);
    await luckless.drawFigures(figures);
  } catch (error) {
    for (const id of Object.keys(figures))
      document.getElementById(id).textContent = "This figure needs a browser of 2023 or later (" + error + ").";
  }
})();
"""


@dataclass(frozen=True)
class Panel:
    """Figures that belong together, beside each other where the window is wide, with a title and a caption."""

    title: str
    figures: Sequence[Any]
    caption: str


@dataclass(frozen=True)
class Section:
    """A part of the page: a heading, some HTML, some figures, single or in panels."""

    heading: str
    body: str = ""
    figures: Sequence[Any] = ()

    def drawn(self) -> list[Any]:
        """The figures that show anything, those of panels too."""
        every = [one for item in self.figures for one in (item.figures if isinstance(item, Panel) else [item])]
        return [figure for figure in every if has_data(figure)]


@dataclass(frozen=True)
class Document:
    """What a report says, before it becomes a file (`html`) or a page of the dashboard."""

    title: str
    lead: str
    sections: Sequence[Section]
    footer: str
    date: str = ""

    def html(self) -> str:
        """The whole file as text."""
        return page(self.title, self.lead, self.sections, self.footer, self.date)


SENTENCE = 40
"""A text that is longer is read as a sentence."""


def two_lines(text: str) -> str:
    """A number and below it, smaller, its interval; other texts as they are. Escaped here."""
    for mark in (" [", " ± "):
        number, found, interval = text.partition(mark)
        if found and re.match(r"[-+−]?\d|at least", number):
            return f"{escaped(number)}<br><small>{escaped(mark.strip() + ' ' * (mark == ' ± ') + interval)}</small>"
    return escaped(text)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, stacked: bool = False) -> str:
    """An HTML table, which a narrow window scrolls; the texts are escaped here.

    Columns of numbers stand to the right, and their numbers and intervals are not broken into lines; `stacked` sets
    each interval below its number, where there are many columns.
    """
    shown = two_lines if stacked else escaped
    kinds = [_kind([row[place] for row in rows]) for place in range(len(header))]
    head = "".join(f'<th class="{kind}">{escaped(text)}</th>' for kind, text in zip(kinds, header, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f'<td class="{kind}">{shown(text)}</td>' for kind, text in zip(kinds, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _kind(cells: Sequence[str]) -> str:
    """Whether a column holds numbers (or nothing yet), words, or sentences, which need some width."""
    known = [text for text in cells if text not in ("", "-", "none")]
    if all(re.match(r"[-+−±]?\d", text) for text in known):
        return "number"
    return "prose" if max(map(len, known)) > SENTENCE else "text"


def beside(*parts: str) -> str:
    """Pieces of HTML next to each other, or below each other where the window is narrow."""
    return '<div class="beside">' + "".join(f"<div>{part}</div>" for part in parts) + "</div>"


def folded(title: str, body: str, *, opened: bool = False) -> str:
    """A piece of HTML that a click on its title shows and hides."""
    return f"<details{' open' if opened else ''}><summary>{escaped(title)}</summary>{body}</details>"


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """A table of names and values without a header."""
    body = "".join(f"<tr><td>{escaped(name)}</td><td>{escaped(value)}</td></tr>" for name, value in rows)
    return f'<table class="facts"><tbody>{body}</tbody></table>'


def command(words: str, file: tuple[str, str] = ("", "")) -> str:
    """A command to be copied, with the name and text of a file that it needs, if any."""
    name, text = file
    needs = f"<p>It needs the file <code>{escaped(name)}</code>:</p><pre>{escaped(text)}</pre>" if text else ""
    return f'<pre class="command">{escaped(words)}</pre>{needs}'


def date_text(moment: str) -> str:
    """A stored moment (ISO 8601) as people read it; empty for none."""
    return moment[:16].replace("T", " ") + " UTC" if moment else ""


def page(title: str, lead: str, sections: Sequence[Section], footer: str, date: str = "") -> str:
    """The whole file as text; `date` is the stored moment of the run, not that of the page."""
    body, figures = sections_html(sections)
    contents = contents_html(sections)
    when = f'<p class="date">{escaped(date_text(date))}</p>' if date else ""
    data = script_json(figures)
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{escaped(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<style>{_asset('page.css')}</style></head><body>"
        f'<h1>{escaped(title)}</h1><p class="lead">{escaped(lead)}</p>{when}'
        f'<nav aria-label="Contents">{contents}</nav>{body}'
        f"<footer>{escaped(footer)}</footer>"
        f'<script type="application/json" id="figures">{data}</script>'
        f'<script type="text/plain" id="plotly">{_packed_plotly()}</script>'
        f"<script>{_asset('figures.js')}{_SCRIPT}</script></body></html>\n"
    )


def contents_html(sections: Sequence[Section]) -> str:
    """Links to the parts of a page."""
    return " ".join(
        f'<a href="#part{number}">{escaped(section.heading)}</a>' for number, section in enumerate(sections)
    )


def sections_html(sections: Sequence[Section]) -> tuple[str, dict[str, Any]]:
    """The parts of a page as HTML, and the figures that are drawn in them, by their ids."""
    parts: list[str] = []
    figures: dict[str, Any] = {}
    for number, section in enumerate(sections):
        parts.append(f'<h2 id="part{number}">{escaped(section.heading)}</h2>{section.body}')
        drawn = [part for part in (_drawn(item, section.heading, figures) for item in section.figures) if part]
        if section.figures and not drawn:
            parts.append("<p>There is nothing to draw yet.</p>")
        parts.extend(drawn)
    return "".join(parts), figures


def _drawn(item: Any, heading: str, figures: dict[str, Any]) -> str:
    """The places of a figure or a panel under a heading; what is drawn in them is added to `figures`."""
    if not isinstance(item, Panel):
        return _place(item, "h3", heading, figures) if has_data(item) else ""
    known = [figure for figure in item.figures if has_data(figure)]
    if not known:
        return ""
    title = "" if item.title == heading else f"<h3>{escaped(item.title)}</h3>"
    if len(known) == 1:
        inside = _place(known[0], "h4", item.title, figures)
    else:
        inside = beside(*(_place(figure, "h4", "", figures) for figure in known))
    return f"<figure>{title}{inside}<figcaption>{escaped(item.caption)}</figcaption></figure>"


def _place(figure: Any, level: str, known: str, figures: dict[str, Any]) -> str:
    """Where a figure is drawn, under its own title unless that is `known`."""
    name = f"figure{len(figures)}"
    figures[name], title = without_title(json.loads(figure.to_json()))
    heading = "" if title == known else f"<{level}>{escaped(title)}</{level}>"
    return f'{heading}<div class="figure" id="{name}" role="img" aria-label="{escaped(title)}"></div>'


def has_data(figure: Any) -> bool:
    """Whether a figure shows anything: a season that has not been played leaves its figures empty."""
    numbers = (getattr(trace, "z", None) if trace.type == "heatmap" else trace.y for trace in figure.data)
    return any(value is not None for column in numbers if column is not None for value in column)


def without_title(figure: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """A figure and its title apart: on a page the title is a heading, which a narrow window breaks into lines."""
    title = figure["layout"].pop("title", {}).get("text", "")
    figure["layout"]["margin"] |= {"t": 30}
    return figure, title


@functools.cache
def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


@functools.cache
def _packed_plotly() -> str:
    from plotly.offline import get_plotlyjs

    return base64.b64encode(gzip.compress(get_plotlyjs().encode(), 6, mtime=0)).decode()
