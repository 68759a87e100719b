"""The packages of the extra `web`, or one sentence that says how to install them."""

from importlib.util import find_spec

from luckless.errors import InputError

PACKAGES = ("fastapi", "uvicorn", "jinja2")


def require_web() -> None:
    """Refuses to go on where a package of the extra is not installed."""
    for name in PACKAGES:
        if find_spec(name) is None:
            raise InputError(f"the dashboard needs {name}: pip install 'luckless[web]'")
