"""What `luckless verify` finds in a tournament or a bundle that was changed after it was played."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from luckless.errors import InputError
from luckless.tournaments import result as result_module
from luckless.tournaments.bundle import MANIFEST
from luckless.tournaments.playing import play_tournament
from luckless.tournaments.settings import Settings
from luckless.verification import verify_stored
from shell import Shell

SMALL = Settings(bots=("call", "fold", "raise"), game="limit-hu", hands=40)
RANKED = Settings(
    bots=("pot-odds", "value-bet", "threshold"), game="limit-hu", hands=40, until_ranked=True, most_hands=80
)
SESSIONS = Settings(bots=("call", "fold"), format="sessions", games=6, rounds=3)


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_module, "RESAMPLES", 10)


def problems_of(folder: Path, change: Callable[[dict[str, Any]], Any], name: str = "tournament.json") -> list[str]:
    """What is found once a record was changed."""
    values = json.loads((folder / name).read_text())
    change(values)
    (folder / name).write_text(json.dumps(values))
    return verify_stored(folder).problems


def test_more_or_fewer_hands_than_the_record_asks_for_are_found(tmp_path: Path) -> None:
    play_tournament(tmp_path / "t", SMALL)
    found = problems_of(tmp_path / "t", lambda values: values["settings"].update(hands=30))
    assert found == [f"table-{table:05}: it has 20 deals; the record asks for 15" for table in range(3)]


def test_an_adaptive_rule_is_followed_again_from_the_hands(tmp_path: Path) -> None:
    result = play_tournament(tmp_path / "t", RANKED)
    assert result.looks > 1
    assert verify_stored(tmp_path / "t").problems == []
    looked = problems_of(tmp_path / "t", lambda values: values.update(looks=result.looks + 1), "verdict.json")
    assert looked == [f"the rule looked {result.looks} times at the results; the verdict says {result.looks + 1}"]
    problems_of(tmp_path / "t", lambda values: values.update(looks=result.looks), "verdict.json")
    found = problems_of(tmp_path / "t", lambda values: values["settings"].update(most_hands=200))
    assert found
    assert all("deals are stored; the rule asks for" in problem for problem in found)
    found = problems_of(tmp_path / "t", lambda values: values["settings"].update(most_hands=60))
    assert any("40 deals are stored; the rule asks for 30" in problem for problem in found)


def test_a_record_that_names_other_bots_than_played_is_found_out(tmp_path: Path) -> None:
    play_tournament(tmp_path / "t", SMALL)
    said = "was not the bot that the record names: its parameters or its code differ"
    found = problems_of(tmp_path / "t", lambda values: values["digests"].__setitem__(1, "0" * 64))
    assert found == [f"table-00000: fold {said}", f"table-00002: fold {said}"]


def test_sessions_of_another_kind_than_the_record_says_are_found(tmp_path: Path) -> None:
    play_tournament(tmp_path / "t", SESSIONS)
    assert verify_stored(tmp_path / "t").problems == []
    found = problems_of(tmp_path / "t", lambda values: values["settings"].update(rounds=5, stack=900, blinds="1/2"))
    assert found[:3] == [
        "table-00000: its rounds are 3; those of the record are 5",
        "table-00000: its blinds are [10, 5]; those of the record are [2, 1]",
        "table-00000: its stacks are [1000, 1000]; those of the record are [900, 900]",
    ]


def test_an_unfinished_tournament_is_said_to_be_so_and_a_bundle_without_verdict_refused(tmp_path: Path) -> None:
    play_tournament(tmp_path / "t", SMALL)
    (tmp_path / "t" / "verdict.json").unlink()
    found = verify_stored(tmp_path / "t")
    assert found.problems == []
    assert "the tournament is not finished: there is no verdict to check" in found.notes
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr(MANIFEST, json.dumps({"format": 1, "files": {"tournament.json": "0"}}))
    with pytest.raises(InputError, match="holds a tournament without a verdict"):
        verify_stored(tmp_path / "b.zip")


def test_the_rules_of_a_game_from_a_file_are_stored_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = 'name = "short"\nbetting = "no-limit"\nseats = 2\nblinds = [2, 1]\nstacks = [20, 20]\n'
    Path("short.toml").write_text(text)
    settings = Settings(bots=("call", "raise"), game="short.toml", hands=20)
    facts = play_tournament(Path("t"), settings).to_dict()
    Path("short.toml").write_text(text.replace("20, 20", "40, 40"))
    with pytest.raises(InputError, match="t holds another tournament"):
        play_tournament(Path("t"), settings)
    Path("short.toml").unlink()
    assert verify_stored(Path("t")).problems == []
    assert play_tournament(Path("t")).to_dict() == facts
    found = problems_of(Path("t"), lambda values: values["rules"].update(stacks=[30, 30]))
    assert found == ["table-00000: it was played with another game than that of the record"]
    with pytest.raises(InputError, match="betting"):
        problems_of(Path("t"), lambda values: values.update(rules={"name": "none"}))


def test_a_bot_that_is_not_here_is_named_and_its_numbers_follow_from_the_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("class Calm:\n    def decide(self, view, dice):\n        return 0\n")
    shell = Shell(monkeypatch, capsys)
    words = ("tournament", "calm=mine.py:Calm", "raise", "call", "--game", "limit-hu", "--hands", "20")
    shell.json(*words, "--bundle", "b.zip")
    code, out, _ = shell.run("verify", "b.zip", "--bots")
    assert (code, "are not played again" in out) == (0, False)
    Path("mine.py").unlink()
    code, out, _ = shell.run("verify", "b.zip")
    assert (code, "all is well" in out) == (0, True)
    assert "decisions of calm are not played again here: it is not shipped with luckless" in out
    Path("cut.zip").write_bytes(Path("b.zip").read_bytes()[:3_000])
    assert "cut.zip: not a bundle, or damaged" in shell.refused("verify", "cut.zip")
    data = bytearray(Path("b.zip").read_bytes())
    data[len(data) // 2] ^= 1
    Path("changed.zip").write_bytes(data)
    assert "changed.zip: cannot be unpacked" in shell.refused("verify", "changed.zip")
