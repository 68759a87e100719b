"""The edge to pages: texts and figures from elsewhere, escaped for HTML (see `visible` for what is written out)."""

import html
import json
from typing import Any

from luckless.visible import visible


def escaped(text: str) -> str:
    """A text for a page, in an element or in the value of an attribute."""
    return html.escape(visible(text))


_IN_SCRIPTS = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def script_json(values: Any) -> str:
    """Values as JSON for a `<script>` element: no text in them can end it, or begin a comment in it."""
    text = json.dumps(values, separators=(",", ":"))  # in ASCII, so that nothing else needs an escape
    for sign, escape in _IN_SCRIPTS.items():
        text = text.replace(sign, escape)
    return text
