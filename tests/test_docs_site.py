"""The documentation site builds without a warning, and a wrong link, anchor or path would be one."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import luckless

pytest.importorskip("mkdocs")
pytest.importorskip("mkdocstrings")

ROOT = Path(__file__).parents[1]
WRONG = {
    "page": ("[rules](rulez.md)", "rulez.md"),
    "anchor": ("[rules](rules.md#no-such-rule)", "no-such-rule"),
    "source": ("[a bot](../examples/no_bot.py)", "../examples/no_bot.py"),
    "path": ("`tests/rules/test_no_rules.py`", "tests/rules/test_no_rules.py"),
}


def build(root: Path, site: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(site)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files of which the site is made; sources are linked, documents are copied."""
    root = tmp_path / "tree"
    root.mkdir()
    for name in ("docs", "tools"):
        shutil.copytree(ROOT / name, root / name)
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "constraints.txt", "mkdocs.yml"):
        shutil.copy(ROOT / name, root)
    for name in ("src", "tests", "examples"):
        (root / name).symlink_to(ROOT / name)
    return root


def test_the_site_is_whole(tmp_path: Path) -> None:
    done = build(ROOT, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    pages = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.html")}
    documents = {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")}
    assert documents | {"index.html", "contributing.html", "changelog.html", "api/index.html"} <= pages
    interface = (tmp_path / "api" / "index.html").read_text()
    assert luckless.__version__ in interface
    for name in getattr(luckless, "__all__", ()):
        assert name in interface
    assert (tmp_path / "source" / "examples" / "pairs_bot.py.txt").is_file()


@pytest.mark.slow
def test_what_leads_nowhere_fails_the_build(tree: Path) -> None:
    """One page with a wrong link of each kind: the build fails and names them all."""
    with (tree / "docs" / "bots.md").open("a") as file:
        file.writelines(f"\nSee {text}.\n" for text, _ in WRONG.values())
    done = build(tree, tree / "site")
    assert done.returncode != 0
    for _, named in WRONG.values():
        assert named in done.stderr
