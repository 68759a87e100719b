"""Settings: the numbers of the thesis, and clear refusals."""

import json
from typing import Any

import pytest

from luckless.errors import InputError
from luckless.learn.qlearn import QLearnSettings
from luckless.learn.registry import KINDS, algorithm_of, settings_of
from luckless.learn.sac import SacSettings
from luckless.learn.settings import as_values


def test_defaults_are_the_numbers_of_the_thesis() -> None:
    for kind in ("qlearn-8", "qlearn-all"):
        q = settings_of(kind)
        assert isinstance(q, QLearnSettings)
        assert (q.hidden, q.exploration, q.learning_rate, q.balanced) == ((256,) * 4, 0.1, 0.001, False)
    for kind, temperature in (("sac-low", 0.0005), ("sac-high", 0.01)):
        sac = settings_of(kind)
        assert isinstance(sac, SacSettings)
        assert (sac.temperature, sac.gamma, sac.polyak) == (temperature, 1.0, 0.999)
        assert (sac.critic_rate, sac.policy_rate, sac.hidden) == (0.001, 0.001, (256,) * 4)


def test_every_kind_of_the_registry_is_defined_by_its_file() -> None:
    for kind in KINDS:
        algorithm = algorithm_of(kind)
        assert algorithm.presets[kind].kind == kind
        assert set(algorithm.presets) <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_settings_survive_json(kind: str) -> None:
    settings = settings_of(kind, {"batch": 77, "hidden": [8, 9]})
    assert settings_of(kind, json.loads(json.dumps(as_values(settings)))) == settings


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("qlearn", {}, "unknown kind of learner 'qlearn'; there are qlearn-8, qlearn-all, sac-low, sac-high"),
        ("qlearn-8", {"explore": 0.1}, "unknown setting 'explore'; there are hidden"),
        ("qlearn-8", {"temperature": 0.1}, "unknown setting 'temperature'"),
        ("qlearn-8", {"exploration": 1.5}, "exploration is 1.5; allowed is a number from 0 to 1"),
        ("qlearn-8", {"exploration": "much"}, "exploration is 'much'; allowed is a number from 0 to 1"),
        ("qlearn-8", {"exploration": float("nan")}, "exploration is nan"),
        ("qlearn-8", {"batch": 2.5}, "batch is 2.5; allowed is a whole number from 1"),
        ("qlearn-8", {"batch": True}, "batch is True; allowed is a whole number"),
        ("qlearn-8", {"balanced": 1}, "balanced is 1; allowed is true or false"),
        ("qlearn-8", {"raises_are": "at"}, "raises_are is 'at'; allowed is by or to"),
        ("qlearn-8", {"raises": [8, 4]}, "raises is [8, 4]: rising numbers are needed"),
        ("qlearn-8", {"raises": []}, "raises is []; allowed is a list of whole numbers"),
        ("sac-low", {"hidden": 256}, "hidden is 256; allowed is a list of whole numbers"),
        (
            "sac-low",
            {"hidden": [4096] * 600},
            "hidden has 600 layers with 10,049,552,384 weights between them; allowed",
        ),
        ("sac-low", {"hidden": [1] * 33}, "hidden has 33 layers"),
        ("sac-low", {"hidden": [4096] * 5}, "hidden has 5 layers with 67,108,864 weights"),
        ("sac-low", {"hidden": [0]}, "hidden is 0; allowed is a whole number from 1 to 4096"),
        ("sac-low", {"polyak": -0.1}, "polyak is -0.1; allowed is a number from 0 to 1"),
    ],
)
def test_wrong_settings_are_refused(kind: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        settings_of(kind, values)
    assert message in str(caught.value)
