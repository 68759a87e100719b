"""Fixtures of the whole suite."""

import pytest
from hypothesis import settings

from engines import ENGINES, Engine

# The first call of a kernel compiles it, so no example has a deadline; examples are the same in every run.
settings.register_profile("luckless", deadline=None, derandomize=True)
settings.load_profile("luckless")


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn."""
    return ENGINES[request.param]
