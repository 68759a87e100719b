"""Fingerprints: what decides how a bot plays changes them, and nothing else does."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from luckless.bots import fingerprints
from luckless.bots.catalogue import load_bot
from luckless.bots.fingerprints import code_digest, source_digest
from luckless.bots.python_bot import bot_of
from luckless.bots.registry import ENTRIES

OWN = '''"""A bot."""
import helper
from pack.inner import LEVEL


class Own:
    """Raises sometimes."""

    def __init__(self, weights: str = "", factor=1.0):
        self.factor = factor

    def decide(self, view, dice):
        # a comment
        return view.min_raise_to if helper.wants(view) else 0
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "helper.py").write_text("def wants(view):\n    return view.pot > 100\n")
    (tmp_path / "unrelated.py").write_text("X = 1\n")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("")
    (tmp_path / "pack" / "inner.py").write_text("from . import deeper\nLEVEL = 1\n")
    (tmp_path / "pack" / "deeper.py").write_text("Y = 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def own_print(spec: str = "own.py:Own") -> str:
    for name in ("helper", "pack", "pack.inner", "pack.deeper"):
        sys.modules.pop(name, None)
    return load_bot(spec).fingerprint()


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    [
        ("own.py", "# a comment", "# another comment, twice as long", False),
        ("own.py", '"""Raises sometimes."""', '"""Raises now and then."""', False),
        ("own.py", '"""A bot."""', '"""The same bot,\nin more words."""', False),
        ("own.py", "else 0", "else -1", True),
        ("helper.py", "> 100", "> 101", True),
        ("helper.py", "def wants", "# why\ndef wants", False),
        ("pack/inner.py", "LEVEL = 1", "LEVEL = 2", True),
        ("pack/deeper.py", "Y = 1", "Y = 2", True),
        ("unrelated.py", "X = 1", "X = 2", False),
    ],
)
def test_own_bots_with_what_they_import(folder: Path, file: str, old: str, new: str, changes: bool) -> None:
    before = own_print()
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    assert (own_print() != before) == changes


def test_parameters_and_the_files_they_name(folder: Path) -> None:
    weights = folder / "a.pt"
    weights.write_bytes(b"one")
    plain, given = own_print(), own_print("own.py:Own:weights=a.pt")
    assert plain != given
    assert own_print("own.py:Own:factor=2") != plain
    weights.write_bytes(b"two")
    assert own_print("own.py:Own:weights=a.pt") != given
    assert load_bot("label=own.py:Own").fingerprint() == plain


class Holder:
    """Holds numbers."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def decide(self, view: object, dice: object) -> int:
        return 0


def test_what_an_object_holds_counts() -> None:
    assert bot_of(Holder(np.arange(3))).fingerprint() == bot_of(Holder(np.arange(3)), "other name").fingerprint()
    different = [np.arange(3), np.arange(3.0), np.array([0, 1, 3]), 1, 1.5, "a", [1, 2], {"a": 1}, {"a": np.ones(2)}]
    assert len({bot_of(Holder(held)).fingerprint() for held in different}) == len(different)


def test_weights_of_a_network_count() -> None:
    torch = pytest.importorskip("torch")
    network = torch.nn.Linear(3, 2)
    before = bot_of(Holder(network)).fingerprint()
    assert bot_of(Holder(network)).fingerprint() == before
    with torch.no_grad():
        network.weight[0, 0] += 1e-6
    assert bot_of(Holder(network)).fingerprint() != before


def test_two_networks_of_one_name_differ(tmp_path: Path) -> None:
    """Two agents called `drum` with different weights: what made a match resume with another bot unnoticed."""
    pytest.importorskip("torch")
    from luckless.learn.agents import new_learner, settings_of

    prints = set()
    for seed in (1, 2):
        file = tmp_path / str(seed) / "drum.safetensors"
        file.parent.mkdir()
        new_learner(settings_of("qlearn-8", {}), seed).freeze(file)
        prints.add(load_bot(f"drum=agent:{file}").fingerprint())
    assert len(prints) == 2


def test_rules_and_parameters_have_fingerprints_of_their_own() -> None:
    specs = [*(entry.name for entry in ENTRIES), "pot-odds:risk=0.1", "mix:call=1,raise=1", "mix:call=2,raise=1"]
    assert len({load_bot(spec).fingerprint() for spec in specs}) == len(specs)
    assert load_bot("pot-odds:risk=0").fingerprint() == load_bot("pot-odds").fingerprint()


RULES = """
from luckless_copy import other
FACTOR = {factor}


def inner(x):
    {comment}
    return x * FACTOR


def play(x):
    '''Plays.{docstring}'''
    return inner(x) + other.outer(x)


def unused(x):
    return {unused}
"""


def rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **texts: object) -> str:
    """The digest of `play` in a package of two modules."""
    defaults: dict[str, object] = {"factor": 2, "comment": "pass", "docstring": "", "unused": 0, "outer": 1}
    values = defaults | texts
    monkeypatch.setattr(fingerprints, "_OURS", "luckless_copy")
    package = ModuleType("luckless_copy")
    sources = {"other": f"def outer(x):\n    return {values['outer']}\n", "rules": RULES.format(**values)}
    monkeypatch.setitem(sys.modules, "luckless_copy", package)
    modules = {}
    for number, (name, text) in enumerate(sources.items()):
        file = tmp_path / f"{name}{number}{abs(hash(text))}.py"
        file.write_text(text)
        spec = importlib.util.spec_from_file_location(f"luckless_copy.{name}", file)
        assert spec is not None
        assert spec.loader is not None
        modules[name] = importlib.util.module_from_spec(spec)
        setattr(package, name, modules[name])
        spec.loader.exec_module(modules[name])
    return code_digest(modules["rules"].play)


def test_the_code_that_a_rule_really_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rule(tmp_path, monkeypatch)
    assert rule(tmp_path, monkeypatch) == before
    assert rule(tmp_path, monkeypatch, docstring=" Well.") == before
    assert rule(tmp_path, monkeypatch, unused=7) == before
    assert rule(tmp_path, monkeypatch, factor=3) != before
    assert rule(tmp_path, monkeypatch, outer=2) != before


def test_a_rule_reaches_the_evaluator_but_not_the_other_bots() -> None:
    parts: dict[str, str] = {}
    fingerprints._collect(next(entry for entry in ENTRIES if entry.name == "value-bet").play, parts)
    assert any("rank_source" in name for name in parts)
    assert not any("odds" in name for name in parts)


def test_text_that_is_not_python_counts_whole() -> None:
    assert source_digest("x = (") != source_digest("x = ( ")
    assert source_digest("x = 1") == source_digest("x  =  1  # one")
