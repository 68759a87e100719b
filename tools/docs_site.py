"""Hooks of `mkdocs build`: pages that have their home elsewhere, the interface from docstrings, checks of sources.

README.md, CONTRIBUTING.md and CHANGELOG.md become pages. The public names of the package, as `luckless.__all__` lists
them, become one page for each part of it. A link or a path in backticks to a file outside docs/ must lead somewhere.
"""

import functools
import importlib
import inspect
import logging
import posixpath
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
ROOT_PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
SOURCE_PATH = re.compile(r"`((?:src|tests|docs|examples|tools)/[\w./-]+)`")
log = logging.getLogger("mkdocs.hooks.docs_site")


def on_config(config: MkDocsConfig) -> None:
    """Puts the pages of the interface at the end of the menu."""
    assert config.nav is not None
    config.nav.append({"Interface": list(interface_pages())})


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages of the root and of the interface, and the sources that pages link to."""
    for name, page in ROOT_PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=_moved_into_docs(text)))
    for page, text in interface_pages().items():
        files.append(File.generated(config, page, content=text))
    for source in sorted(_linked_sources()):
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, f"source/{source}.txt", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leads links to sources to their copies in the site, and warns of paths that are not there."""
    for path in SOURCE_PATH.findall(markdown):
        if not (ROOT / path).exists():
            log.warning("%s names `%s`, which is not there", page.file.src_uri, path)
    return LINK.sub(lambda link: _link_in_site(link, page.file.src_uri), markdown)


def _moved_into_docs(text: str) -> str:
    """The text of a file of the root with its links as a file of docs/ would write them."""

    def moved(link: re.Match[str]) -> str:
        target = ROOT_PAGES.get(link[2]) or posixpath.relpath(link[2], "docs")
        return f"[{link[1]}]({target}{link[3] or ''})"

    return LINK.sub(moved, text)


def _link_in_site(link: re.Match[str], page: str) -> str:
    """A link as it stands in the site: files outside docs/ are copied, folders have no page and keep their text."""
    target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), link[2]))
    if target in ROOT_PAGES:
        return f"[{link[1]}]({_relative(ROOT_PAGES[target], page)}{link[3] or ''})"
    if target.startswith("docs/"):
        return link[0]  # MkDocs checks it
    if (ROOT / target).is_file():
        return f"[{link[1]}]({_relative(f'source/{target}.txt', page)})"
    if not (ROOT / target).is_dir():
        log.warning("%s links to %s, which is not there", page, link[2])
    return link[1]


def _relative(target: str, page: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def _linked_sources() -> set[str]:
    """Files outside docs/ to which pages link."""
    texts = {f"docs/{path.name}": path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
    texts |= {name: (ROOT / name).read_text(encoding="utf-8") for name in ROOT_PAGES}
    targets = {
        posixpath.normpath(posixpath.join(posixpath.dirname(name), link[2]))
        for name, text in texts.items()
        for link in LINK.finditer(text)
    }
    return {path for path in targets if path[:5] != "docs/" and path not in ROOT_PAGES and (ROOT / path).is_file()}


@functools.cache
def interface_pages() -> dict[str, str]:
    """A page for each part of the package that has public names, and an index of all of them."""
    luckless = importlib.import_module("luckless")
    parts: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name in getattr(luckless, "__all__", ()):
        if name != "__version__":
            address = _address(name, getattr(luckless, name))
            parts[address.split(".")[1] if address.count(".") > 1 else "luckless"].append((name, address))
    lines = [
        "# Interface",
        f"The public names of Luckless {luckless.__version__} (`luckless.__version__`): `import luckless` has them.",
    ]
    pages = {}
    for part, names in sorted(parts.items()):
        pages[f"api/{part}.md"] = "\n\n".join([f"# {part}", *(f"::: {address}" for _, address in sorted(names))])
        lines.append(f"## {part}")
        lines.append("\n".join(f"- [`{name}`]({part}.md#{address})" for name, address in sorted(names)))
    if not parts:
        lines.append("`luckless.__version__` is the version.")
    return {"api/index.md": "\n\n".join(lines) + "\n", **pages}


def _address(name: str, value: Any) -> str:
    """Where a public name is defined: its docstring stands there."""
    if inspect.ismodule(value):  # a part that is also a function
        return f"luckless.public.{name}"
    module, own_name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if isinstance(module, str) and module.startswith("luckless") and own_name:
        return f"{module}.{own_name}"
    homes = (key for key in sorted(sys.modules) if key.split(".")[0] == "luckless" and _assigns(key, name))
    return f"{next(homes, 'luckless')}.{name}"


def _assigns(module: str, name: str) -> bool:
    """Whether a module gives a value to a name, as it does with a constant of its own."""
    source = inspect.getsource(sys.modules[module])
    return re.search(rf"^{name}\b[^=\n]*=[^=]", source, re.MULTILINE) is not None
