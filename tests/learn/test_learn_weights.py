"""Files of weights: they come back and continue to the bit, and are refused with the reason when they do not fit."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from learn_rounds import play_round
from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.histories.fingerprints import describe_bot
from luckless.learn import agents
from luckless.learn.agents import load_agent, load_named_agent, new_learner, read_learner, settings_of
from luckless.learn.decisions import Lesson
from luckless.learn.learner import Learner
from luckless.rules.game import Game
from luckless.runs import CATALOGUE

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.numpy")

SIX_MAX = Game.load("nolimit-6max")
SMALL = {"hidden": [16, 16], "batch": 64, "memory": 500}
KINDS = ("qlearn-8", "sac-high")


def a_learner(kind: str = "qlearn-8") -> Learner:
    return new_learner(settings_of(kind, SMALL), seed=3)


def lesson_for(learner: Learner, seed: int, hands: int = 200) -> Lesson:
    chunk = play_round(SIX_MAX, [learner.bot(), *[load_bot("call")] * 5], hands, seed)
    return Lesson.of([chunk], [0], seed)


def rewritten(path: Path, facts: dict[str, str] | None = None, arrays: dict[str, Any] | None = None) -> Path:
    """The same file with other facts or arrays (None takes one away), as of the version without checksums."""
    from safetensors import safe_open

    with safe_open(path, framework="np") as file:
        header = {**file.metadata(), "format": "1", **(facts or {})}
        content = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no dict
    content = {name: array for name, array in {**content, **(arrays or {})}.items() if array is not None}
    safetensors.save_file(content, path, header)
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_a_stored_learner_goes_on_to_the_bit(kind: str, tmp_path: Path) -> None:
    learner = a_learner(kind)
    for seed in (1, 2):
        learner.learn(lesson_for(learner, seed))
    learner.write(tmp_path / "learner.safetensors")
    copy = read_learner(tmp_path / "learner.safetensors")
    assert copy.lessons == 2
    for seed in (3, 4, 5):
        ours, theirs = learner.learn(lesson_for(learner, seed)), copy.learn(lesson_for(copy, seed))
        assert ours == theirs
    learner.write(tmp_path / "a")
    copy.write(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert learner.freeze(tmp_path / "c") == copy.freeze(tmp_path / "d")


@pytest.mark.parametrize("kind", KINDS)
def test_a_frozen_agent_plays_as_the_learner_did(kind: str, tmp_path: Path) -> None:
    learner = a_learner(kind)
    learner.learn(lesson_for(learner, 1))
    live = learner.bot(explore=False)
    learner.freeze(tmp_path / "seeker.safetensors")
    learner.learn(lesson_for(learner, 2))  # a bot and a file are snapshots: this changes neither
    frozen = load_agent(tmp_path / "seeker.safetensors")
    assert frozen.name == "seeker"
    records = [play_round(SIX_MAX, [bot, *[load_bot("random")] * 5], 300, 7).records for bot in (live, frozen)]
    np.testing.assert_array_equal(records[0].actions, records[1].actions)


@pytest.mark.parametrize("kind", KINDS)
def test_a_fingerprint_tells_agents_of_the_same_name_apart(kind: str, tmp_path: Path) -> None:
    def frozen(seed: int = 3, **settings: Any) -> str:
        path = tmp_path / "drum.safetensors"
        new_learner(settings_of(kind, {**SMALL, **settings}), seed).freeze(path)
        bot = load_agent(path, "agent:drum")
        stored.add(describe_bot(bot)["code_sha256"])
        fingerprint = bot.player.fingerprint()
        assert isinstance(fingerprint, str)
        return fingerprint

    stored: set[str] = set()  # as the catalogue of a match keeps them
    known = frozen()
    assert frozen() == known
    assert frozen(seed=4) != known
    assert frozen(value_range=4.0) != known
    assert len(stored) == 3
    learner = a_learner(kind)
    assert learner.bot(explore=False).player.fingerprint() == known
    assert learner.bot(explore=True).player.fingerprint() != known


def test_a_damaged_weight_is_found_and_older_files_are_read(tmp_path: Path) -> None:
    """Any bit of any weight: what is left is a finite number, and so another bot."""
    path = tmp_path / "drum.safetensors"
    a_learner().freeze(path)
    sound = path.read_bytes()
    first = 8 + int.from_bytes(sound[:8], "little")
    for place in range(first, len(sound), len(sound) // 7):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
        with pytest.raises(InputError, match="is damaged: it does not have the checksum that is written in it"):
            load_agent(path)
    path.write_bytes(sound.replace(b'"sha256"', b'"sha257"'))
    with pytest.raises(InputError, match="is damaged"):
        load_agent(path)
    path.write_bytes(sound.replace(b"16, 16", b"16,16 "))
    assert path.read_bytes() != sound
    with pytest.raises(InputError, match="is damaged"):
        load_agent(path)
    path.write_bytes(sound)
    known = describe_bot(load_agent(path, "agent:drum"))
    assert describe_bot(load_agent(rewritten(path), "agent:drum")) == known


def test_an_agent_plays_without_torch(tmp_path: Path) -> None:
    """In a process of its own, in which torch cannot be imported; learning is refused in one sentence."""
    for kind in KINDS:
        a_learner(kind).freeze(tmp_path / f"{kind}.safetensors")
    program = f"""
import sys
from pathlib import Path
sys.modules["torch"] = None
from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.learn.agents import load_agent, new_learner, settings_of
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.rules.game import Game
for kind in {KINDS}:
    bot = load_agent(Path({str(tmp_path)!r}) / f"{{kind}}.safetensors")
    print(play_match(Match.plan(Game.load("nolimit-hu"), [bot, load_bot("call")], hands=20, seed=1)).hands)
    try:
        new_learner(settings_of(kind), 1)
    except InputError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    needs = "learning needs the extra 'learn': pip install 'luckless[learn]'"
    assert done.stdout.splitlines() == ["20", needs] * len(KINDS), done.stderr


def test_agents_are_found_by_name_and_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_learner().freeze(tmp_path / "seeker.safetensors")
    monkeypatch.setenv("LUCKLESS_AGENTS_DIR", str(tmp_path))
    assert load_named_agent("agent:seeker").name == "agent:seeker"
    assert load_named_agent(f"agent:{tmp_path}/seeker.safetensors").batch
    with pytest.raises(InputError, match=r"no agent of that name in .*; there are seeker$"):
        load_named_agent("agent:seker")
    with pytest.raises(InputError, match="write agent:NAME, or agent:PATH"):
        load_named_agent("agent:")


def test_agents_of_seasons_are_found_by_name_in_a_stated_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LUCKLESS_AGENTS_DIR", raising=False)
    monkeypatch.setattr(agents, "load_agent", lambda path, name: SimpleNamespace(name=str(path)))
    with pytest.raises(
        InputError, match=r"no agent of that name in agents \(runs/ holds no season\); there is none$"
    ):
        load_named_agent("agent:drum")
    for place, season in enumerate(("newest", "older")):  # as if the first had been changed last
        folder = Path("runs") / season / "agents"
        folder.mkdir(parents=True)
        (folder.parent / CATALOGUE).touch()
        os.utime(folder.parent / CATALOGUE, (10**9 - place, 10**9 - place))
        for name in ("drum", season):
            (folder / f"{name}.safetensors").touch()
    found = [load_named_agent(f"agent:{name}").name for name in ("drum", "newest.safetensors", "older")]
    expected = ("newest/agents/drum", "newest/agents/newest", "older/agents/older")
    assert found == [f"runs/{path}.safetensors" for path in expected]
    Path("agents").mkdir()
    Path("agents/drum.safetensors").touch()
    assert load_named_agent("agent:drum").name == "agents/drum.safetensors"
    with pytest.raises(
        InputError, match=r"in agents or runs/newest/agents or runs/older/agents; there are newest and"
    ):
        load_named_agent("agent:newst")


def test_every_reason_why_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "agent.safetensors"

    def refusal(found: Path = path) -> str:
        with pytest.raises(InputError) as caught:
            load_agent(found)
        return str(caught.value)

    def fresh() -> Path:
        a_learner().freeze(path)
        return path

    assert "cannot read the weights" in refusal(tmp_path / "none")
    path.write_bytes(pickle.dumps({"weights": [1.0]}))
    assert "is a pickle, which can run any program" in refusal()
    torch.save({"weights": torch.zeros(3)}, path)
    assert "is a pickle, which can run any program" in refusal()
    path.write_bytes(b"hello")
    assert "is not a complete safetensors file" in refusal()
    path.write_bytes(fresh().read_bytes()[:-100])
    assert "is not a complete safetensors file" in refusal()
    safetensors.save_file({"x": np.zeros(3)}, path)
    assert "holds other tensors, not an agent of Luckless" in refusal()
    a_learner().write(path)
    assert "holds one learner; a file of one agent is required" in refusal()
    rewritten(fresh(), {"features": "2"})
    assert "has features of version 2; this program reads version 1" in refusal()
    rewritten(fresh(), {"format": "9"})
    assert "has a file format of version 9; this program reads version 1 and 2" in refusal()
    rewritten(fresh(), {"kind": "dqn"})
    assert "unknown kind of learner 'dqn'" in refusal()
    rewritten(fresh(), {"settings": "{"})
    assert "has no settings that can be read" in refusal()
    rewritten(fresh(), {"settings": "[" * 100_000})
    assert "has no settings that can be read" in refusal()
    rewritten(fresh(), {"settings": json.dumps({"colour": "red"})})
    assert "unknown setting 'colour'" in refusal()
    rewritten(fresh(), arrays={"network.1.weights": np.zeros((16, 17), np.float32)})
    assert "network.1.weights is float32 of shape (16, 17); allowed is float32 of (16, 16)" in refusal()
    rewritten(fresh(), arrays={"network.0.weights": np.zeros((404, 16))})
    assert "network.0.weights is float64" in refusal()
    rewritten(fresh(), arrays={"network.2.biases": None})
    assert "lacks network.2.biases, an array of shape (9,)" in refusal()
    rewritten(fresh(), arrays={"network.2.biases": np.full(9, np.nan, np.float32)})
    assert "network.2.biases holds numbers that are not finite" in refusal()


def test_a_learner_file_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "learner.safetensors"
    a_learner().freeze(path)
    with pytest.raises(InputError, match="holds one agent; a file of one learner is required"):
        read_learner(path)
    a_learner().write(path)
    with pytest.raises(InputError, match="is not a complete learner file"):
        read_learner(rewritten(path, arrays={"memory.rows": None}))
    with pytest.raises(InputError, match="is not a complete learner file: its random state cannot be read"):
        read_learner(rewritten(path, {"random": "[" * 100_000}, {"memory.rows": np.zeros(0, np.uint8)}))
    learner = a_learner()
    learner.learn(lesson_for(learner, 1))
    learner.write(path)
    with pytest.raises(
        InputError, match=r"is not a complete learner file: its memory holds 500 of the last 3 experiences"
    ):
        read_learner(rewritten(path, arrays={"memory.added": np.array([3])}))
    learner.write(path)
    with pytest.raises(InputError, match=r"is not a complete learner file: it lacks optimiser\.value\.3\.step"):
        read_learner(rewritten(path, arrays={"optimiser.value.3.step": None}))


def test_a_full_disk_leaves_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "agent.safetensors"
    before = a_learner().freeze(path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*/agent.safetensors'"):
        new_learner(settings_of("qlearn-8", SMALL), seed=4).freeze(path)
    monkeypatch.undo()
    assert a_learner().freeze(tmp_path / "other") == before
    assert path.read_bytes() == (tmp_path / "other").read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["agent.safetensors", "other"]
