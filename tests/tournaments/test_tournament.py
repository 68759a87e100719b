"""Tournaments as users play them: formats, storing, resuming to the same bytes, verifying, bundles, bad input."""

import hashlib
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crashes import crashes_at
from luckless import records
from luckless.errors import InputError
from luckless.histories.match_writer import play_stored
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.rules.game import Game
from luckless.tournaments import playing
from luckless.tournaments import result as result_module
from luckless.tournaments.bundle import MANIFEST
from luckless.tournaments.playing import play_tournament
from luckless.tournaments.result import TournamentResult, load_tournament
from luckless.tournaments.settings import Settings, read_settings, settings_of
from luckless.tournaments.store import read_outline
from luckless.verification import verify_stored
from shell import Shell

SMALL = Settings(bots=("call", "fold", "raise"), game="limit-hu", hands=40)


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals have tests of their own."""
    monkeypatch.setattr(result_module, "RESAMPLES", 10)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    """A shell in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys, "tournament")


def bytes_of(folder: Path) -> dict[str, str]:
    """The digest of every file that must not depend on interruptions: all hands, and the verdict."""
    files = [*folder.rglob("*.parquet"), *folder.glob("adjusted-*"), *folder.glob("verdict.json")]
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_a_round_robin_is_its_matches(tmp_path: Path) -> None:
    result = play_tournament(tmp_path / "t", SMALL)
    facts = result.to_dict()
    assert facts["bots"] == ["call", "fold", "raise"]
    assert facts["hands"] == [[0, 40, 40], [40, 0, 40], [40, 40, 0]]
    assert [row[place] for place, row in enumerate(facts["mbb"])] == [None] * 3
    for one, other in ((0, 1), (0, 2), (1, 2)):
        names = [facts["bots"][one], facts["bots"][other]]
        alone = play_match(Match.plan(Game.load("limit-hu"), _bots(names), hands=40, seed=1)).estimate(0)
        assert facts["mbb"][one][other] == pytest.approx(alone.mean)
        assert facts["stderr_mbb"][one][other] == pytest.approx(alone.stderr)
        assert facts["mbb"][other][one] == -facts["mbb"][one][other]
    assert facts["rankings"]["mean"] == pytest.approx(np.nanmean(np.array(facts["mbb"], float), axis=1))
    assert not facts["interrupted"]
    loaded = records.load(tmp_path / "t")
    assert isinstance(loaded, TournamentResult)
    assert loaded.to_dict() == facts
    assert "3 bots, round-robin" in repr(loaded)
    assert [row["name"] for row in loaded.to_arrow().to_pylist()] == facts["bots"]


def test_a_verdict_is_recomputed_with_its_own_number_of_resamples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not with that of whoever looks at it; a number that would take for ever is refused."""
    play_tournament(tmp_path / "t", SMALL)
    monkeypatch.setattr(result_module, "RESAMPLES", 25)
    assert load_tournament(tmp_path / "t").to_dict()["resamples"] == 10
    assert verify_stored(tmp_path / "t").problems == []
    verdict = tmp_path / "t" / "verdict.json"
    honest = verdict.read_text()
    verdict.write_text(honest.replace('"resamples": 10', '"resamples": 25'))
    assert any("ci95 is not what the hands give" in problem for problem in verify_stored(tmp_path / "t").problems)
    verdict.write_text(honest.replace('"resamples": 10', '"resamples": 1000000000'))
    with pytest.raises(InputError, match="not a valid record of a verdict: looks 1, resamples 1000000000"):
        verify_stored(tmp_path / "t")


def _bots(names: list[str]) -> list[Any]:
    from luckless.bots.catalogue import load_bot

    return [load_bot(name) for name in names]


def test_all_pairings_play_the_same_deals(tmp_path: Path) -> None:
    play_tournament(tmp_path / "t", SMALL)
    outline = read_outline(tmp_path / "t")
    decks = []
    for number in range(3):
        from luckless.histories.store import StoredHands

        stored = StoredHands.open(tmp_path / "t" / outline.folder(number))
        decks.append(stored.read_chunk(stored.chunks[0]).records.decks)
    assert (decks[0] == decks[1]).all()
    assert (decks[0] == decks[2]).all()


RULES: dict[str, dict[str, Any]] = {
    "fixed": {},
    "precision": {"precision": 400.0, "most_hands": 60},
    "ranked": {"until_ranked": True, "most_hands": 60},
    "adjusted": {"precision": 400.0, "most_hands": 40, "adjust": "always"},
}


@pytest.mark.parametrize(
    "rule", ["fixed", *(pytest.param(rule, marks=pytest.mark.slow) for rule in ("precision", "ranked", "adjusted"))]
)
def test_a_tournament_that_dies_at_any_step_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    """It dies before each step that changes its folder, one further every time: twenty times and more."""
    settings = Settings(bots=("call", "random", "raise"), game="limit-hu", hands=20, **RULES[rule])
    play_tournament(tmp_path / "whole", settings, workers=1)
    died = 0
    while crashes_at(
        died % 7 + 1 + died // 14, lambda: play_tournament(tmp_path / "t", settings, workers=1), monkeypatch
    ):
        died += 1
        assert died < 200
    assert died >= 3
    assert bytes_of(tmp_path / "t") == bytes_of(tmp_path / "whole")
    assert verify_stored(tmp_path / "t").problems == []


def test_a_crash_within_a_match_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_tournament(tmp_path / "whole", SMALL, workers=1)
    with pytest.raises(KeyboardInterrupt):
        _interrupted_at(tmp_path / "t", monkeypatch)
    play_tournament(tmp_path / "t", workers=1)
    assert bytes_of(tmp_path / "t") == bytes_of(tmp_path / "whole")


def _interrupted_at(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the second match, before any of its hands is over."""
    real = play_stored
    seen: list[Path] = []

    def stopping(match: Match, place: Path, **keys: Any) -> Any:
        seen.append(place)
        if len(seen) == 2:
            play_stored(match, place)
            raise KeyboardInterrupt
        return real(match, place, **keys)

    monkeypatch.setattr(playing, "play_stored", stopping)
    result = play_tournament(folder, SMALL, workers=1)
    monkeypatch.setattr(playing, "play_stored", real)
    assert result.interrupted
    assert result.warnings[0].startswith("the tournament is not finished")
    raise KeyboardInterrupt


COUNTER = """
class Counter:
    memory = {memory}
    hands = 0

    def hand_over(self, ending):
        self.hands += 1

    def decide(self, view, dice):
        self.hands += not self.memory
        return view.min_raise_to if self.hands % 3 == 0 and view.max_raise_to else 0
"""


@pytest.mark.parametrize("memory", [True, False])
def test_a_bot_that_remembers_has_seen_no_other_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: bool
) -> None:
    """Tables that were lost are played again to the same bytes, also if the bot does not say that it remembers."""
    monkeypatch.chdir(tmp_path)
    Path("counter.py").write_text(COUNTER.format(memory=memory))
    settings = Settings(bots=("counter.py:Counter", "call", "raise"), game="limit-hu", hands=20)
    play_tournament(Path("t"), settings, workers=1)
    whole = bytes_of(Path("t"))
    for lost in (0, 1):
        (Path("t") / "verdict.json").unlink()
        shutil.rmtree(Path("t") / f"table-{lost:05}")
        play_tournament(Path("t"), workers=1)
        assert bytes_of(Path("t")) == whole
    assert verify_stored(Path("t")).problems == []


def test_tables_of_three_rotate_all_seats(tmp_path: Path) -> None:
    settings = Settings(
        bots=("call", "fold", "raise", "all-in"), game="nolimit-3max", format="n-way", hands=12, decks="duplicate"
    )
    result = play_tournament(tmp_path / "t", settings, workers=1)
    facts = result.to_dict()
    assert len(result.outline.tables) == 4
    assert facts["hands"][0][1] == 24  # two of the four tables have both
    both = list(zip(result.outline.tables, result.tables, strict=True))
    own = [
        np.mean([one.values[:, places.index(bot)].mean() for places, one in both if bot in places])
        for bot in range(4)
    ]
    assert facts["rankings"]["mean"] == pytest.approx(own)
    assert verify_stored(tmp_path / "t").problems == []


def test_sessions_count_wins_beside_printed_ones(tmp_path: Path, shell: Shell) -> None:
    Path("course.toml").write_text(
        'bots = ["call", "fold"]\nformat = "sessions"\ngames = 30\nrounds = 5\nseed = 4\n'
        '[[printed]]\nbot = "call"\nopponent = "fold"\nwon = 9\nlost = 1\n'
    )
    facts = shell.json("course.toml", "--out", "t")
    assert facts["unit"] == "sessions won minus lost"
    assert facts["wins"][0][1] + facts["losses"][0][1] + facts["draws"][0][1] == 30
    assert facts["wins"][0][1] == facts["losses"][1][0]
    shares = (facts["wins"][0][1] - facts["losses"][0][1]) / 30
    assert facts["rankings"]["mean"] == pytest.approx([shares, -shares])
    assert facts["printed"][0]["printed"] == {"won": 9, "lost": 1}
    code, out, err = shell.run("resume", "t")
    assert code == 0, err
    assert "9 : 1" in out
    assert f"{shares:+.2f} [" in out
    assert verify_stored(Path("t")).problems == []


def test_a_freezeout_ends_with_all_chips_in_one_hand(tmp_path: Path) -> None:
    settings = Settings(bots=("all-in", "call"), format="freezeout", games=5, stack=100, blinds="5/10")
    result = play_tournament(tmp_path / "t", settings)
    pairing = result.sessions(0, 1)
    assert pairing is not None
    assert (pairing.wins + pairing.losses, pairing.draws) == (5, 0)


def test_status_resume_report_and_bundle(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("call", "fold", "raise", "--game", "limit-hu", "--hands", "40")
    facts = shell.json(*words, "--out", "t", "--bundle", "b.zip", "--report", "r.html")
    status = shell.json("status", "t")
    assert status["finished"] is True
    assert [table["done"] for table in status["tables"]] == [40, 40, 40]
    assert shell.run("status", "t")[1].startswith("round-robin of 3 bots")
    assert shell.json("resume", "t") == facts
    assert shell.json(*words, "--out", "t") == facts
    assert "Nash share" in Path("r.html").read_text()
    code, out, err = shell.run(*words)
    assert (code, err) == (0, "")
    assert "raise" in out
    found = verify_stored(Path("b.zip"))
    assert (found.failures, found.hands, found.reproduced) == (0, 120, True)


def test_a_forged_bundle_is_found_out(tmp_path: Path, shell: Shell) -> None:
    shell.json("call", "fold", "--game", "limit-hu", "--hands", "40", "--bundle", "b.zip")
    with zipfile.ZipFile("b.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    verdict = json.loads(files["verdict.json"])
    verdict["mbb"][0][1] += 1

    def packed(name: str, **changed: bytes) -> Path:
        own = {**files, **{key.replace("__", "."): value for key, value in changed.items()}}
        if "manifest" not in name:
            digests = {key: hashlib.sha256(value).hexdigest() for key, value in own.items() if key != MANIFEST}
            own[MANIFEST] = json.dumps({"format": 1, "files": digests}).encode()
        with zipfile.ZipFile(name, "w") as archive:
            for key, value in own.items():
                archive.writestr(key, value)
        return Path(name)

    forged = verify_stored(packed("forged.zip", verdict__json=json.dumps(verdict).encode()))
    assert forged.problems == ["verdict.json: mbb is not what the hands give"]
    with pytest.raises(InputError, match="not what its digest says"):
        verify_stored(packed("manifest.zip", verdict__json=b"{}"))
    outline = json.loads(files["tournament.json"])
    outline["seed"] = "77"
    other = verify_stored(packed("seed.zip", tournament__json=json.dumps(outline).encode()))
    assert any("its seed is not the one" in problem for problem in other.problems)
    (tmp_path / "text.zip").write_bytes(Path("b.zip").read_bytes()[:-30])
    with pytest.raises(InputError):
        verify_stored(tmp_path / "text.zip")


def test_a_bundle_that_names_a_file_outside_is_refused(tmp_path: Path) -> None:
    digest = hashlib.sha256(b"x").hexdigest()
    for name in ("../out.json", "/etc/out.json", "a/b/c/d.json"):
        with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
            listed = {"tournament.json": digest, "verdict.json": digest, name: digest}
            archive.writestr(MANIFEST, json.dumps({"format": 1, "files": listed}))
            for file in ("tournament.json", "verdict.json", name):
                archive.writestr(file, "x")
        with pytest.raises(InputError, match="outside of itself"):
            verify_stored(tmp_path / "b.zip")


def test_a_bot_that_cannot_start_is_refused_or_loses_if_the_file_says_so(shell: Shell) -> None:
    assert "does not exist" in shell.refused("call", "exec:./nowhere", "--game", "limit-hu")
    Path("t.toml").write_text(
        'bots = ["call"]\ngame = "limit-hu"\nhands = 20\nabsent = "loses"\nseed = 5\n'
        '[[bot]]\nbot = "exec:./nowhere"\nname = "gone"\n'
    )
    facts = shell.json("t.toml", "--out", "t")
    assert facts["absent"] == ["gone"]
    assert facts["mbb"][1][0] <= 0
    assert "gone could not be started: fold played for it" in facts["warnings"]


CASES = {
    "two bots with one name": (("call", "call"), "two bots are called 'call'"),
    "one bot": (("call",), "a tournament needs 2 to 200 bots; 1 are given"),
    "too few seats": (("call", "fold", "raise", "--format", "n-way", "--seats", "3"), "nolimit-hu allows 2 to 2"),
    "too few bots": (("call", "fold", "--format", "n-way", "--game", "nolimit-6max"), "has 6 seats and only 2 bots"),
    "an unknown format": (("call", "fold", "--format", "swiss"), "format is 'swiss'; allowed is round-robin"),
    "an unknown game": (("call", "fold", "--game", "omaha"), "omaha"),
    "no hands": (("call", "fold", "--hands", "0"), "hands is 0; allowed is 1 to"),
    "a negative precision": (("call", "fold", "--precision", "-1"), "precision is -1.0; allowed is 0 to"),
    "two rules": (("call", "fold", "--precision", "5", "--until-ranked"), "exclude each other"),
    "a rule for sessions": (("call", "fold", "--format", "sessions", "--precision", "5"), "precision is for"),
    "most hands without a rule": (("call", "fold", "--most-hands", "5"), "most_hands is for precision"),
    "fewer hands at most": (("call", "fold", "--until-ranked", "--most-hands", "5"), "at least hands"),
    "blinds": (("call", "fold", "--format", "sessions", "--blinds", "five"), "two whole numbers such as 5/10"),
    "seed": (("call", "fold", "--seed", "-3"), "seed is '-3'"),
    "no file": (("none.toml",), "cannot read the tournament none.toml"),
    "no folder": (("status", "nowhere"), "not a valid record of a tournament"),
    "status of nothing": (("status",), "needs one folder"),
    "resume of nothing": (("resume", "nowhere"), "nowhere holds no tournament"),
    "a game with fewer seats than asked": (
        ("call", "fold", "raise", "--format", "n-way", "--game", "limit-hu", "--seats", "3"),
        "seats is 3; game limit-hu allows 2 to 2",
    ),
    "an unknown value function": (("call", "fold", "--values", "mine"), "values is 'mine'; allowed is equity, roll"),
    "values without luck": (("call", "fold", "--format", "sessions", "--values", "blueprint"), "values is for win"),
    "values of another game": (
        ("call", "fold", "raise", "--format", "n-way", "--game", "nolimit-3max", "--values", "blueprint"),
        "bot blueprint was made for",
    ),
    "a server that is not there": (("call", "http://127.0.0.1:9/bot"), "cannot be reached: Connection refused"),
    "too many tables": (("call", "fold", "raise", "--format", "n-way", "--tables", "9"), "form only 3 tables"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_one_sentence_before_any_hand(case: str, shell: Shell) -> None:
    words, said = CASES[case]
    assert said in shell.refused(*words, *(("--out", "t") if words[0] not in ("status", "resume") else ()))
    assert not Path("t").exists()


FILES = {
    'bots = ["call", "fold"]\nhnds = 5\n': "line 2: unknown key 'hnds'; did you mean 'hands'?",
    'bots = ["call", "fold"]\nhands = "many"\n': "line 2: hands is 'many'; allowed is a whole number",
    'bots = ["call"]\n[[bot]]\nbot = "fold"\nmemory_mb = 5\n': "line 4: memory_mb is for programs",
    'bots = ["call"]\n[[bot]]\nbot = "fold"\ndecision_seconds = -5\n': "line 4: bot.decision_seconds is -5.0",
    'bots = ["call", "fold"]\nheroes = ["nobody"]\n': "no bot is called 'nobody'; there is call, fold",
    'bots = ["call", "fold"]\nabsent = "wins"\n': "line 2: absent is 'wins'; allowed is refuse or loses",
    'bots = ["call", "fold"]\n[[printed]]\nbot = "call"\nopponent = "fold"\nwon = 1\nlost = 1\n': "printed is for",
}  # fmt: skip


@pytest.mark.parametrize("text", FILES)
def test_a_wrong_file_is_refused_by_its_line(text: str, shell: Shell) -> None:
    Path("t.toml").write_text(text)
    assert FILES[text] in shell.refused("t.toml")


CHATS = {
    "": "line 1: key 'model' is missing; required are base_url, model",
    'model = "m"\nprice_in = 1.0\nbudget = 0\n': "line 4: budget is 0.0; allowed is dollars above 0",
    'model = "m"\ntemprature = 1.0\n': "line 3: unknown key 'temprature'; did you mean 'temperature'?",
    'model = "m"\n': "no server answers at 127.0.0.1:9 (Connection refused)",
}


@pytest.mark.parametrize("text", CHATS)
def test_a_model_that_cannot_be_asked_is_refused_before_any_hand(text: str, shell: Shell) -> None:
    Path("c.toml").write_text(f'base_url = "http://127.0.0.1:9/v1"\n{text}')
    assert CHATS[text] in shell.refused("call", "raise", "chat:c.toml", "--hands", "10", "--out", "t")
    assert not Path("t").exists()


def test_options_and_a_file_exclude_each_other(shell: Shell) -> None:
    Path("t.toml").write_text('bots = ["call", "fold"]\n')
    assert "--hands cannot be given with a file" in shell.refused("t.toml", "--hands", "5")
    assert "--seed cannot be given with a file" in shell.refused("t.toml", "--seed", "5")


def test_another_tournament_in_the_folder_is_refused(tmp_path: Path) -> None:
    play_tournament(tmp_path / "t", SMALL)
    with pytest.raises(InputError, match="holds another tournament"):
        play_tournament(tmp_path / "t", Settings(bots=("call", "fold"), game="limit-hu", hands=40))


def test_settings_are_the_same_after_being_stored() -> None:
    settings = Settings(bots=("call", "fold"), seed="7", precision=5.0, most_hands=20_000)
    assert settings_of(json.loads(json.dumps(settings.to_dict())), "here") == settings


def test_the_experiments_are_read() -> None:
    folder = Path(__file__).parents[2] / "experiments"
    course, model = (read_settings(folder / name) for name in ("course.toml", "llm.toml"))
    assert course.is_session
    assert len(course.printed) == 13  # all lines of the five printed tables
    assert (model.adjust, model.values, model.bot[0].bot) == ("always", "equity", "chat:experiments/chat.toml")


def test_a_record_that_is_damaged_is_refused(tmp_path: Path) -> None:
    play_tournament(tmp_path / "t", SMALL)
    record = tmp_path / "t" / "tournament.json"
    values = json.loads(record.read_text())
    for change in ({"tables": [[0, 9]]}, {"tables": [[1, 0]]}, {"names": 5}, {"format": 99}, {"settings": {"x": 1}}):
        record.write_text(json.dumps({**values, **change}))
        with pytest.raises(InputError):
            read_outline(tmp_path / "t")
    record.write_text("[]")
    with pytest.raises(InputError, match="not a valid record"):
        records.load(tmp_path / "t")


@pytest.mark.slow
def test_ten_bots_killed_twenty_times_give_the_undisturbed_tournament(tmp_path: Path) -> None:
    """SIGKILL at any moment, twenty times; what is there in the end is what a quiet day gives."""
    import signal
    import subprocess
    import sys
    import time

    names = ("random", "uniform", "call", "fold", "raise", "all-in", "threshold", "pot-odds", "sklansky", "value-bet")
    command = [sys.executable, "-m", "luckless", "tournament", *names, "--game", "limit-hu", "--hands", "400"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    assert subprocess.run([*command, "--out", str(tmp_path / "whole")], check=False, **quiet).returncode == 0  # type: ignore[call-overload]
    rng, deaths = np.random.default_rng(1), []

    def files() -> int:
        return sum(1 for _ in (tmp_path / "t").rglob("*"))

    for _ in range(20):
        before, more = files(), int(rng.integers(0, 9))  # 45 tables have five files and a folder each
        process = subprocess.Popen([*command, "--out", str(tmp_path / "t")], **quiet)  # type: ignore[call-overload]
        while files() <= before + more and process.poll() is None:
            time.sleep(0.002)
        time.sleep(float(rng.uniform(0, 0.03)))
        process.send_signal(signal.SIGKILL)
        deaths.append(process.wait())
    assert deaths == [-signal.SIGKILL] * 20
    assert not (tmp_path / "t" / "verdict.json").exists()  # all twenty died at play
    assert subprocess.run([*command, "--out", str(tmp_path / "t")], check=False, **quiet).returncode == 0  # type: ignore[call-overload]
    assert bytes_of(tmp_path / "t") == bytes_of(tmp_path / "whole")
    assert verify_stored(tmp_path / "t").problems == []
