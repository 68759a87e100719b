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
from typing import Any

from luckless.report.escaping import escaped, script_json

_STYLE = """
body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #1b1b1b; background: #fff;
       max-width: 1080px; margin: 2.2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.55rem; margin: 0 0 .3rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
p.lead { font-size: 1.1rem; margin: .2rem 0 1.2rem; }
table { border-collapse: collapse; margin: .4rem 0 1rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } td.number { white-space: nowrap; }
th, td { padding: .35rem .8rem; text-align: right; border-bottom: 1px solid #e4e4e4; }
th { font-weight: 600; color: #555; border-bottom: 2px solid #bbb; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
h1, p, table.facts td { overflow-wrap: anywhere; }
table.facts td { text-align: left; } table.facts td:first-child { color: #666; padding-right: 1.5rem; }
code, pre { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; background: #f5f5f5; border-radius: 4px; }
pre { padding: .7rem 1rem; overflow-x: auto; } code { padding: .1rem .3rem; }
.note { border-left: 4px solid #b9c7d5; padding: .2rem .8rem; background: #f4f7fa; margin: .5rem 0; }
.figure { min-height: 400px; margin: .6rem 0; }
footer { color: #777; margin-top: 2.5rem; font-size: .85rem; }
"""

_SCRIPT = """
(async () => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  try {
    const packed = Uint8Array.from(atob(document.getElementById("plotly").textContent), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.head.appendChild(script);
    const narrow = window.innerWidth < 700;  // there the buttons would lie over the legend
    for (const [id, figure] of Object.entries(figures))
      Plotly.newPlot(id, figure.data, figure.layout,
        {responsive: true, displaylogo: false, ...(narrow ? {displayModeBar: false} : {})});
  } catch (error) {
    for (const id of Object.keys(figures))
      document.getElementById(id).textContent = "This figure needs a browser of 2023 or later (" + error + ").";
  }
})();
"""


@dataclass(frozen=True)
class Section:
    """A part of the page: a heading, some HTML, some figures."""

    heading: str
    body: str = ""
    figures: Sequence[Any] = ()


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An HTML table, which a narrow window scrolls; the texts are escaped here."""
    head = "".join(f"<th>{escaped(text)}</th>" for text in header)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(text: str) -> str:
    """A cell of a table; a number, or an interval, is not broken into lines."""
    kind = ' class="number"' if re.match(r"[-+−]?\d", text) else ""
    return f"<td{kind}>{escaped(text)}</td>"


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """A table of names and values without a header."""
    body = "".join(f"<tr><td>{escaped(name)}</td><td>{escaped(value)}</td></tr>" for name, value in rows)
    return f'<table class="facts"><tbody>{body}</tbody></table>'


def page(title: str, lead: str, sections: Sequence[Section], footer: str) -> str:
    """The whole file as text."""
    parts: list[str] = []
    figures: dict[str, Any] = {}
    for section in sections:
        parts.append(f"<h2>{escaped(section.heading)}</h2>{section.body}")
        for figure in section.figures:
            name = f"figure{len(figures)}"
            figures[name] = json.loads(figure.to_json())
            parts.append(f'<div class="figure" id="{name}"></div>')
    data = script_json(figures)
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{escaped(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body>"
        f'<h1>{escaped(title)}</h1><p class="lead">{escaped(lead)}</p>{"".join(parts)}'
        f"<footer>{escaped(footer)}</footer>"
        f'<script type="application/json" id="figures">{data}</script>'
        f'<script type="text/plain" id="plotly">{_packed_plotly()}</script>'
        f"<script>{_SCRIPT}</script></body></html>\n"
    )


@functools.cache
def _packed_plotly() -> str:
    from plotly.offline import get_plotlyjs

    return base64.b64encode(gzip.compress(get_plotlyjs().encode(), 6, mtime=0)).decode()
