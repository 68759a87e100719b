"""A catalogue whose last changes stand in a log beside it, on a read-only medium, or on a full disk."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from forging import CHUNK, MATCH
from luckless.databases.opening import SaveError, open_for_reading
from luckless.histories.catalogue import Catalogue
from luckless.histories.verifying import verify

READ = """
import os, sys
from pathlib import Path
from luckless.histories.store import StoredHands
StoredHands.open(Path(sys.argv[2]))  # loads all that is needed, which the other user may not see
os.setuid(65534)
stored = StoredHands.open(Path(sys.argv[1]))
print(stored.hands, stored.settings["clocks"])
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
def test_a_read_only_folder_with_a_log_is_read_with_its_log(small_match: Path) -> None:
    """The last transactions are in the write-ahead log alone, and who reads may not write there."""
    catalogue = Catalogue.open(small_match)
    catalogue.set(clocks=[1.0, 2.0, 3.0])
    with tempfile.TemporaryDirectory() as place:  # pytest's own folders are closed to others
        Path(place).chmod(0o755)
        copy = Path(place, "copy")
        shutil.copytree(small_match, copy)  # with the log, as a crash leaves it
        catalogue.close()
        (copy / f"{MATCH}-shm").unlink()
        assert (copy / f"{MATCH}-wal").stat().st_size > 0
        copy.chmod(0o555)
        child = [sys.executable, "-c", READ, str(copy), str(small_match)]
        out = subprocess.run(child, capture_output=True, text=True, check=False)
        assert out.stdout.strip() == f"{2 * CHUNK + 100} [1.0, 2.0, 3.0]", out.stderr
        assert not (copy / f"{MATCH}-shm").exists()


def test_a_log_is_never_left_out(small_match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a read-only medium, where SQLite cannot make the file that it needs to read a log."""
    catalogue = Catalogue.open(small_match)
    catalogue.set(clocks=[1.0, 2.0, 3.0])
    connect = sqlite3.connect

    def read_only(name: Any, *rest: Any, **more: Any) -> Any:
        if str(name).endswith("?mode=ro"):
            name = "file:/nowhere/at-all?mode=ro"
        return connect(name, *rest, **more)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    with closing(open_for_reading(small_match / MATCH)) as database:
        rows = dict(database.execute("select key, value from settings"))
    assert json.loads(rows["clocks"]) == [1.0, 2.0, 3.0]
    catalogue.close()


def test_a_full_disk_inside_the_catalogue_is_one_sentence(small_match: Path) -> None:
    catalogue = Catalogue.open(small_match)
    catalogue._connection.execute("pragma max_page_count = 1")  # SQLite then says that the disk is full
    with pytest.raises(SaveError, match="cannot be saved: database or disk is full; what was stored before is safe"):
        catalogue.set(record={"text": "x" * 100_000})
    catalogue.close()
    assert verify(small_match).failures == 0
