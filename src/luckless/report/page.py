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
:root { color-scheme: light dark; --text: #1b1b1b; --quiet: #666; --page: #fff; --line: #e2e2e2; --strong: #bbb;
        --box: #f5f5f5; --note: #f4f7fa; --edge: #b9c7d5; --link: #0a5c9e; --grid: #e8ecf2; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e6ea; --quiet: #a3a9b3; --page: #16181d; --line: #30343c;
        --strong: #5a606b; --box: #22252c; --note: #1e242c; --edge: #44546a; --link: #7db7f0; --grid: #2d323b; } }
@media print { :root { --text: #000; --quiet: #444; --page: #fff; --line: #ddd; --box: #fff; --note: #fff; } }
body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text);
       background: var(--page); max-width: 1080px; margin: 2.2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.55rem; line-height: 1.25; margin: 0 0 .3rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1.02rem; margin: 1.4rem 0 .2rem; }
a { color: var(--link); } nav { margin: .6rem 0 1.4rem; } nav a { margin-right: 1.1rem; white-space: nowrap; }
p.lead { font-size: 1.1rem; margin: .2rem 0 .4rem; } p.date { color: var(--quiet); margin: .1rem 0; }
table { border-collapse: collapse; margin: .4rem 0 1rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } .number { text-align: right; } td.number { white-space: nowrap; }
td.prose { min-width: 18rem; }
th, td { padding: .35rem .8rem; text-align: left; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); border-bottom: 2px solid var(--strong); vertical-align: bottom; }
th:first-child, td:first-child { padding-left: 0; }
h1, p, table.facts td { overflow-wrap: anywhere; }
table.facts td { vertical-align: top; }
table.facts td:first-child { color: var(--quiet); padding-right: 1.5rem; white-space: nowrap; }
code, pre { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; background: var(--box); border-radius: 4px; }
pre { padding: .7rem 1rem; overflow-x: auto; } code { padding: .1rem .3rem; }
pre.command { white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; }
.note { border-left: 4px solid var(--edge); padding: .2rem .8rem; background: var(--note); margin: .5rem 0; }
.figure { min-height: 400px; margin: .2rem 0 .6rem; }
footer { color: var(--quiet); margin-top: 2.5rem; font-size: .85rem; }
@media (max-width: 700px) { body { margin: 1.2rem auto; padding: 0 .8rem; } th, td { padding: .3rem .5rem; }
  table.facts td:first-child { padding-right: .8rem; } }
"""

_SCRIPT = """
(async () => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const narrow = window.innerWidth < 700;
  const colours = () => {
    const page = getComputedStyle(document.documentElement);
    const of = name => page.getPropertyValue(name).trim();
    return {text: of("--text"), grid: of("--grid"), line: of("--strong"), clear: "rgba(0,0,0,0)"};
  };
  const axes = layout => Object.keys({xaxis: 1, yaxis: 1, ...layout}).filter(key => /^[xy]axis[0-9]*$/.test(key));
  const themed = layout => {
    const {text, grid, line, clear} = colours();
    const changes = {"font.color": text, "paper_bgcolor": clear, "plot_bgcolor": clear, "legend.bgcolor": clear,
      "modebar.bgcolor": clear, "modebar.color": line, "modebar.activecolor": text};
    for (const axis of axes(layout))
      Object.assign(changes, {[axis + ".gridcolor"]: grid, [axis + ".zerolinecolor"]: line,
        [axis + ".linecolor"]: line, [axis + ".title.font.color"]: text, [axis + ".tickfont.color"]: text});
    return changes;
  };
  const fitted = figure => {  // a narrow window: small type, and height for a legend of several rows
    if (!narrow) return {};
    const named = figure.data.filter(one => one.showlegend !== false && one.name);
    const rows = named.length > 1 ? Math.ceil(new Set(named.map(one => one.name)).size / 2) : 0;
    return {"font.size": 11, "height": (figure.layout.height || 400) + 18 * Math.max(0, rows - 1),
      "margin.l": 40, "margin.r": 8};
  };
  try {
    const packed = Uint8Array.from(atob(document.getElementById("plotly").textContent), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    document.head.appendChild(script);
    const options = {responsive: true, displaylogo: false,
      modeBarButtonsToRemove: ["select2d", "lasso2d", "zoomIn2d", "zoomOut2d", "autoScale2d"],
      ...(narrow ? {displayModeBar: false} : {})};
    for (const [id, figure] of Object.entries(figures)) {
      await Plotly.newPlot(id, figure.data, figure.layout, options);
      await Plotly.relayout(id, {...themed(figure.layout), ...fitted(figure)});
    }
    dark.addEventListener("change", () => {
      for (const [id, figure] of Object.entries(figures)) Plotly.relayout(id, themed(figure.layout));
    });
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


SENTENCE = 40
"""A text that is longer is read as a sentence."""


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An HTML table, which a narrow window scrolls; the texts are escaped here.

    Columns of numbers stand to the right, and their numbers and intervals are not broken into lines.
    """
    kinds = [_kind([row[place] for row in rows]) for place in range(len(header))]
    head = "".join(f'<th class="{kind}">{escaped(text)}</th>' for kind, text in zip(kinds, header, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f'<td class="{kind}">{escaped(text)}</td>' for kind, text in zip(kinds, row, strict=True))
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
    parts: list[str] = []
    figures: dict[str, Any] = {}
    for number, section in enumerate(sections):
        parts.append(f'<h2 id="part{number}">{escaped(section.heading)}</h2>{section.body}')
        drawn = [figure for figure in section.figures if _has_data(figure)]
        if section.figures and not drawn:
            parts.append("<p>There is nothing to draw yet.</p>")
        for figure in drawn:
            name = f"figure{len(figures)}"
            figures[name], heading = _without_title(json.loads(figure.to_json()))
            if heading != section.heading:
                parts.append(f"<h3>{escaped(heading)}</h3>")
            parts.append(f'<div class="figure" id="{name}" role="img" aria-label="{escaped(heading)}"></div>')
    contents = " ".join(
        f'<a href="#part{number}">{escaped(section.heading)}</a>' for number, section in enumerate(sections)
    )
    when = f'<p class="date">{escaped(date_text(date))}</p>' if date else ""
    data = script_json(figures)
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{escaped(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<style>{_STYLE}</style></head><body>"
        f'<h1>{escaped(title)}</h1><p class="lead">{escaped(lead)}</p>{when}'
        f'<nav aria-label="Contents">{contents}</nav>{"".join(parts)}'
        f"<footer>{escaped(footer)}</footer>"
        f'<script type="application/json" id="figures">{data}</script>'
        f'<script type="text/plain" id="plotly">{_packed_plotly()}</script>'
        f"<script>{_SCRIPT}</script></body></html>\n"
    )


def _has_data(figure: Any) -> bool:
    """Whether a figure shows anything: a season that has not been played leaves its figures empty."""
    numbers = (getattr(trace, "z", None) if trace.type == "heatmap" else trace.y for trace in figure.data)
    return any(value is not None for column in numbers if column is not None for value in column)


def _without_title(figure: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """A figure and its title apart: on a page the title is a heading, which a narrow window breaks into lines."""
    title = figure["layout"].pop("title", {}).get("text", "")
    figure["layout"]["margin"] |= {"t": 30}
    return figure, title


@functools.cache
def _packed_plotly() -> str:
    from plotly.offline import get_plotlyjs

    return base64.b64encode(gzip.compress(get_plotlyjs().encode(), 6, mtime=0)).decode()
