"""The tool that draws a blueprint's exploitability along its training."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from luckless.errors import InputError
from luckless.solve.blueprint_making import make_blueprint, new_solver, with_end
from luckless.solve.blueprint_settings import BlueprintSettings
from luckless.solve.card_buckets import Slices

SMALL = BlueprintSettings("limit-hu", 1, 300, 2, 2, 500, Slices((3, 2), (3, 2), 5))


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """`tools/blueprint_curve.py`."""
    path = Path(__file__).parents[2] / "tools" / "blueprint_curve.py"
    spec = importlib.util.spec_from_file_location("blueprint_curve", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_training_in_steps_ends_in_the_same_blueprint(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = tool.trained(tmp_path, SMALL, [600, 1200])
    assert 0 < minutes[600] < minutes[1200]
    chosen = with_end(SMALL, 1200, None)
    make_blueprint(chosen, new_solver(chosen, 1), tmp_path / "at once")
    assert (tmp_path / "at once").read_bytes() == tool.blueprint_of(tmp_path, 1200).read_bytes()

    def fails(*_: Any) -> None:
        raise AssertionError("trained again")

    monkeypatch.setattr(tool, "make_blueprint", fails)
    assert tool.trained(tmp_path, SMALL, [600, 1200]) == minutes


def test_blueprints_are_compared_with_the_last_one_flop_by_flop(tool: ModuleType) -> None:
    flops = np.random.default_rng(1).normal(100, 60, 24)
    values = {500: flops + 40 + np.tile([1.0, -1.0], 12), 1000: flops}
    first, last = tool.points({500: 1.0, 1000: 2.5}, values)
    assert last.beyond is None
    assert first.beyond.mean == pytest.approx(40)
    assert first.beyond.ci95[1] - first.beyond.ci95[0] < 1 < first.bound.ci95[1] - first.bound.ci95[0]
    lines = tool.rows([first, last])
    assert lines[2].startswith(f"| 500 | 1.0 | {first.bound.mean:.0f} (")
    assert lines[2].endswith("| +40 (+40 to +40) |")
    assert lines[3].endswith("| – |")


def test_the_picture_holds_every_blueprint(tool: ModuleType) -> None:
    rng = np.random.default_rng(2)
    values = {stop: rng.normal(mean, 30, 24) for stop, mean in ((500, 400.0), (1000, 200.0), (4000, 100.0))}
    drawn = ElementTree.fromstring(tool.picture(tool.points({500: 1.0, 1000: 2.0, 4000: 8.0}, values)))
    circles = [node for node in drawn.iter() if node.tag.endswith("circle")]
    heights = [float(node.attrib["cy"]) for node in circles]
    assert heights == sorted(heights)
    places = [float(node.attrib["cx"]) for node in circles]
    assert places[2] - places[1] == pytest.approx(2 * (places[1] - places[0]), abs=0.2)  # the axis is logarithmic
    words = {node.text for node in drawn.iter() if node.tag.endswith("text")}
    assert {"1.0", "2.0", "8.0", "minutes of one core"} <= words


def test_iterations_are_whole_numbers(tool: ModuleType) -> None:
    assert tool.stops_of("2000,500") == [500, 2000]
    with pytest.raises(InputError, match="whole numbers"):
        tool.stops_of("many")
