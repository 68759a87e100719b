"""A copy of the package in a place where nothing can be written, for root as well: files lie where folders would."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import luckless


@dataclass(frozen=True)
class SealedInstall:
    """The copy lies in `root`; the home of its user is a place in which no folder can be made."""

    root: Path

    @classmethod
    def make(cls, root: Path) -> "SealedInstall":
        """Copies the package and blocks the folders in which Python and Numba would keep what they compile."""
        package = root / "luckless"
        shutil.copytree(Path(luckless.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
        for folder in (package, *(path for path in package.rglob("*") if path.is_dir())):
            (folder / "__pycache__").touch()
        (root / "home").touch()
        return cls(root)

    def run(self, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Runs Python with these words and no more of our environment than it needs."""
        surroundings = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(self.root),
            "HOME": str(self.root / "home" / "user"),
            **environment,
        }
        return subprocess.run([sys.executable, *words], env=surroundings, capture_output=True, text=True)
