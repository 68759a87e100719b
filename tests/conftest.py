"""Fixtures of the whole suite."""

import shutil
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from engines import ENGINES, Engine

# The first call of a kernel compiles it, so no example has a deadline; examples are the same in every run.
settings.register_profile("luckless", deadline=None, derandomize=True)
settings.load_profile("luckless")

pytest_plugins = ["web_fixtures"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background; tests press Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

FIRST_HALF = ("rules", "matches", "bots", "cli", "hostile", "environments", "league", "report", "skill", "peers")
SECOND_HALF = ("stats", "solve", "hands", "divat", "learn", "histories")
"""Two workers begin with one half each. On a new machine kernels are compiled on the way: the halves begin with
different ones, so that each worker finds much of what it needs later in the cache instead of compiling it again."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the tests into the order of the two halves; the files of no folder come last."""
    order = {folder: place for place, folder in enumerate((*FIRST_HALF, *SECOND_HALF))}
    here = Path(__file__).parent

    def place(item: pytest.Item) -> int:
        return order.get(item.path.relative_to(here).parts[0], len(order))

    items.sort(key=place)


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn."""
    return ENGINES[request.param]


@pytest.fixture(scope="session")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from forging import play_small_match

    folder = tmp_path_factory.mktemp("played") / "m"
    play_small_match(folder)
    return folder


@pytest.fixture
def small_match(_played: Path, tmp_path: Path) -> Path:
    """A stored match of three chunks, to be damaged or forged: each test gets a copy."""
    shutil.copytree(_played, tmp_path / "m")
    return tmp_path / "m"


@pytest.fixture(scope="session")
def small_season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A little season that was played to its end; nobody may change it."""
    from league_season import play, use_fakes

    directory = tmp_path_factory.mktemp("season") / "run"
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch.setattr)
        play(directory)
    return directory
