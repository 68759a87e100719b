"""What tests of the dashboard share: a folder with real runs, and a client that is allowed to ask."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


@pytest.fixture(scope="session")
def index_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A place of their own for the indexes of hands, without what earlier runs of the tests left in the cache."""
    place = tmp_path_factory.mktemp("index")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("luckless.histories.hand_index.index_folder", lambda: place)
        yield place


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory, index_cache: Path) -> Path:
    """A folder with stored runs (see `web_runs`); tests do not change it."""
    pytest.importorskip("fastapi", reason="the extra 'web' is not installed")
    from web_runs import make_runs

    folder = tmp_path_factory.mktemp("dashboard")
    make_runs(folder)
    return folder


@pytest.fixture(scope="session")
def client(runs: Path) -> Iterator["TestClient"]:
    """A client of the folder with stored runs."""
    from web_client import client_of

    with client_of(runs) as one:
        yield one
