"""The disk cache of compiled functions: a change in a module that a kernel imports makes the kernel stale."""

import shutil
import subprocess
import sys
from pathlib import Path

import luckless
from luckless.kernels import stamp_of

PACKAGE = Path(luckless.__file__).parent


def test_a_stamp_follows_imports_however_far() -> None:
    loop = PACKAGE / "matches" / "compiled.py"
    assert stamp_of(loop) == stamp_of(loop)
    assert stamp_of(loop) != stamp_of(PACKAGE / "rules" / "engine.py")


def test_a_changed_rule_is_played_although_the_loop_was_cached(tmp_path: Path) -> None:
    """In a copy of the package: play, change the engine, play again; the result must change."""
    copy = tmp_path / "luckless"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "from luckless.rules.actions import FOLD; from luckless.rules.table import Table;"
        "from luckless.rules.game import Game; import numpy as np;"
        "t = Table.dealt(Game.load('nolimit-hu'), 1, [0]); t.act(np.array([0]), [FOLD]); print(t.records().payoffs)"
    )

    def run() -> str:
        environment = {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PATH": ""}
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert run() == "[[ 50 -50]]"
    assert run() == "[[ 50 -50]]"
    engine = copy / "rules" / "engine.py"
    text = engine.read_text()
    assert "payoffs[winner] += hand.pot" in text
    engine.write_text(text.replace("payoffs[winner] += hand.pot", "payoffs[winner] += 2 * hand.pot"))
    assert run() == "[[200 -50]]"
