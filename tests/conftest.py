"""Fixtures of the whole suite."""

import pytest

from engines import ENGINES, Engine


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn."""
    return ENGINES[request.param]
