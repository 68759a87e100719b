"""Names, errors, cells and file names that would steer a terminal or break a page: cleaned where they leave."""

import html.parser
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.table import Table
from rich.text import Text

from luckless.cli.clean_console import CleanConsole, clean_table
from luckless.cli.clean_streams import CleanStream, clean_streams
from luckless.cli.output import LONGEST_ERROR
from luckless.histories.formats import FORMATS
from luckless.report.escaping import escaped, script_json
from luckless.rules.game import Game
from shell import Shell
from stored_hands import played, written

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
NASTY = "\x1b[2J\x1b]0;x\x07\x9b31m\u202eb"
"""Clears the screen, sets the title of the window, colours and turns text around."""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Commands run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys)


def check(shell: Shell, *words: str, code: int = 0) -> str:
    """What a command says, all of it harmless."""
    ended, out, err = shell.run(*words)
    assert ended == code, err
    assert not STEERING.search(out + err)
    return out + err


MY_BOT = """
class Bot:
    name = {name!r}
    def decide(self, view, dice):
        if view.street == 0:
            raise ValueError({name!r})
        return {name!r}
"""


def test_names_and_faults_of_bots_do_not_reach_the_terminal(shell: Shell) -> None:
    Path("bot.py").write_text(MY_BOT.format(name=NASTY))
    for words in (
        ("match", "bot.py:Bot", "call", "--hands", "6", "--save", "run"),
        ("session", "bot.py:Bot", "call", "--games", "2"),
        ("check", "bot.py:Bot"),
        ("query", "run", "select * from bots"),
    ):
        _, out, err = shell.run(*words)
        assert not STEERING.search(out + err), words
    _, out, _ = shell.run("match", "bot.py:Bot", "call", "--hands", "6", "--json")
    assert out.isascii()
    assert json.loads(out)["hands"] == 6


def test_names_of_a_log_do_not_reach_the_terminal(shell: Shell) -> None:
    text = written([played(Game.load("limit-hu"), 4)], FORMATS["phh"].writer(Path("x.phhs")))
    names = json.dumps([NASTY + "\nerror: all is lost", "\u202eplain"]).replace("\\u007f", "")
    Path("hands.phhs").write_text(re.sub(r"players = .*", lambda _: f"players = {names}", text))
    check(shell, "convert", "hands.phhs", "stored")
    check(shell, "replay", "stored", "--hand", "0")
    assert "?[2J" in check(shell, "query", "stored", "select distinct name from results order by name")
    check(shell, "query", "stored", "select distinct name from results", "--csv")
    rows = shell.json("query", "stored", "select distinct name from results order by name")["rows"]
    assert ["\u202eplain"] in rows  # JSON is exact


def test_cells_and_columns_of_a_query(shell: Shell) -> None:
    shell.json("match", "call", "raise", "--hands", "4", "--save", "run")
    said = check(shell, "query", "run", "select chr(27) || '[2J' || chr(10) || 'x' as a, chr(155) as \"\x1b[1m\"")
    assert "\\x1b[2J\\nx" in said
    assert "\\x1b[1m" in said
    check(shell, "query", "run", "select chr(27) || '[2J' as a", "--csv")


@pytest.mark.parametrize(
    "words",
    [
        ("match", f"{NASTY}.py:Bot", "call"),
        ("match", NASTY, "call"),
        ("convert", f"{NASTY}.phhs", "out.log"),
        ("convert", "x.phhs", f"{NASTY}/out.log"),
        ("games", f"{NASTY}.toml"),
        ("equity", NASTY, "AcKc"),
        ("rank", NASTY),
        ("report", NASTY),
        ("query", NASTY, "select 1"),
        ("divat", NASTY),
        ("league", "run", NASTY),
        ("match", "call", "raise", "--hands", NASTY),
        (NASTY,),
    ],
)
def test_errors_are_cleaned(shell: Shell, words: tuple[str, ...]) -> None:
    assert check(shell, *words, code=2)


def test_errors_of_files(shell: Shell) -> None:
    Path(f"{NASTY[:4]}.toml").write_text(f"betting = '{NASTY[:4]}'".replace("\x1b", "\\u001b"))
    check(shell, "match", "call", "raise", "--game", f"{NASTY[:4]}.toml", code=2)
    Path("long.toml").write_text(f"betting = 'limit'\nseats = 2\nstacks = 9\nboard = '{'Ac' * 90_000}'\n")
    said = check(shell, "match", "call", "raise", "--game", "long.toml", code=2)
    assert len(said) < LONGEST_ERROR + 100
    assert "more characters)" in said


# The edges themselves


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_our_colours_pass_and_nothing_else_does() -> None:
    for stream, colours in ((Terminal(), True), (io.StringIO(), False)):
        CleanStream(stream).write("\x1b[1;31mred\x1b[0m \x1b[8mhidden \x1b[2K\x1b]0;t\x07 \x1b[38;5;0m")
        red = "\x1b[1;31mred\x1b[0m" if colours else "\\x1b[1;31mred\\x1b[0m"
        assert stream.getvalue() == f"{red} \\x1b[8mhidden \\x1b[2K\\x1b]0;t\\x07 \\x1b[38;5;0m"


def test_streams_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    with clean_streams():
        print("a\x1b", flush=True)
        sys.stdout.writelines(["b\x9b", "c"])
    assert sys.stdout is stream
    assert stream.getvalue() == "a\\x1b\nb\\x9bc"


def test_a_console_cleans_texts_and_keeps_its_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    with clean_streams():
        console = CleanConsole(force_terminal=True, width=80, highlight=False, color_system="standard")
        console.print("a\x1b[31mb", style="red", markup=False)
        table = Table("h\x1b", box=None)
        table.add_row(Text("c\x9b\nd", "bold"))
        clean_table(table)
        console.print(table)
    said = stream.getvalue()
    assert "\x1b[31ma\\x1b[31mb\x1b[0m" in said
    assert "\x1b[1mc\\x9b\\nd" in said
    assert "h\\x1b" in said


# Pages


BREAKING = "x<!--<script>alert(1)</script>'\"&.py"


class Scripts(html.parser.HTMLParser):
    """Collects the scripts of a page, as a browser would find them."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._inside = tag == "script"
        if self._inside:
            self.scripts.append((dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = attributes, text + data


def test_a_file_name_cannot_break_a_page(shell: Shell) -> None:
    name = BREAKING.replace("/", "")
    Path(name).write_text(MY_BOT.format(name="x"))
    code, _, err = shell.run("match", f"{name}:Bot", "call", "--hands", "40", "--report", "page.html")
    assert code == 0, err
    text = Path("page.html").read_text(encoding="utf-8")
    assert "<!--" not in text.replace("<!doctype", "")
    parser = Scripts()
    parser.feed(text)
    kinds = [attributes.get("id") for attributes, _ in parser.scripts]
    assert kinds[:2] == ["figures", "plotly"]
    figures = json.loads(parser.scripts[0][1])
    assert any(name in json.dumps(figure, ensure_ascii=False).replace('\\"', '"') for figure in figures.values())


def test_texts_and_values_on_pages() -> None:
    assert escaped("<b>\x1b[2J\u202e&'\"") == "&lt;b&gt;\\x1b[2J\\u202e&amp;&#x27;&quot;"
    values = {"</script><!--<script>": ["\u2028]]>&", 1.5]}
    assert not re.search("[<>&\u2028]", script_json(values))
    assert json.loads(script_json(values)) == values
