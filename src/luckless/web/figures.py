"""Figures of reports on pages: the same drawings, with addresses behind their bars."""

import json
from typing import Any, NamedTuple

from luckless.report.page import without_title


class PageFigure(NamedTuple):
    """Where a figure stands on a page."""

    id: str
    heading: str


class Figures:
    """The figures of one page: `add` gives the place of each, `data` goes to the script that draws them."""

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}

    def add(self, figure: Any, links: list[list[str | None]] | None = None) -> PageFigure:
        """A figure of Plotly; `links` are the addresses behind its bars, a list a trace."""
        drawn, heading = without_title(json.loads(figure.to_json()))
        for trace, addresses in zip(drawn["data"], links or [], strict=False):
            trace["customdata"] = addresses
        place = PageFigure(f"figure{len(self.data)}", heading)
        self.data[place.id] = drawn
        return place
