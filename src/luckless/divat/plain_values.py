"""A DIVAT judgement with its sweep as plain values for JSON."""

from typing import Any

from luckless.divat.judgement import Judgement
from luckless.divat.sweep import Sweep


def judgement_dict(judgement: Judgement, sweep: Sweep | None = None) -> dict[str, Any]:
    """A judgement, and the sweep over other settings if there is one."""
    return judgement.to_dict() | ({"sweep": sweep.to_dict()} if sweep is not None else {})
