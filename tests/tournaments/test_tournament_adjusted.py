"""Tournaments with luck taken out of their win rates, and with what is known of exploitability."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import luckless as lk
from luckless.errors import InputError
from luckless.histories.store import StoredHands
from luckless.skill.named_values import named_values
from luckless.skill.registry import judge_hands
from luckless.skill.verdict import Knowledge
from luckless.tensors import as_safetensors
from luckless.tournaments import adjusting
from luckless.tournaments import result as result_module
from luckless.tournaments.adjusting import adjusted_file, is_adjusted, read_adjusted
from luckless.tournaments.playing import play_tournament
from luckless.tournaments.result import load_tournament
from luckless.tournaments.settings import Settings, read_settings, settings_of
from luckless.verification import verify_stored
from shell import Shell
from stand_in import ChatServer, served

BOTS = ("call", "fold", "raise")
ALWAYS = Settings(bots=BOTS, game="limit-hu", hands=20, adjust="always")


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_module, "RESAMPLES", 10)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    """A shell in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys, "tournament")


def test_adjusted_win_rates_are_those_of_the_judge(tmp_path: Path) -> None:
    fresh = replace(ALWAYS, decks="fresh")  # call and raise share every duplicate set evenly
    plain = play_tournament(tmp_path / "plain", replace(fresh, adjust="never")).to_dict()
    result = play_tournament(tmp_path / "t", fresh)
    facts = result.to_dict()
    assert "adjusted_by" not in plain
    assert facts["adjusted_by"][0] == [
        None,
        "aivat (policies of call and fold)",
        "aivat (policies of call and raise)",
    ]
    assert (facts["money_mbb"], facts["money_stderr_mbb"]) == (plain["mbb"], plain["stderr_mbb"])
    for number, (one, other) in enumerate(result.outline.tables):
        stored = StoredHands.open(tmp_path / "t" / result.outline.folder(number))
        known = Knowledge({BOTS[place]: lk.bot(BOTS[place]) for place in (one, other)})
        judged = judge_hands(map(stored.read_chunk, stored.chunks), "aivat", known).player(BOTS[one]).adjusted
        assert facts["mbb"][one][other] == pytest.approx(judged.mean)
        assert facts["stderr_mbb"][one][other] == pytest.approx(judged.stderr)
    assert facts["stderr_mbb"][0][2] < plain["stderr_mbb"][0][2]
    assert facts["rankings"]["elo"] == plain["rankings"]["elo"]  # who won a deal is a matter of money
    assert facts["rankings"]["mean"] == pytest.approx(np.nanmean(np.array(facts["mbb"], float), axis=1))
    assert load_tournament(tmp_path / "t").to_dict() == facts


def test_adjusted_values_are_verified_and_forged_ones_found_out(tmp_path: Path) -> None:
    play_tournament(tmp_path / "t", ALWAYS)
    assert verify_stored(tmp_path / "t").problems == []
    file = adjusted_file(tmp_path / "t", 1)
    honest = file.read_bytes()
    told = read_adjusted(file, 2)
    assert told is not None
    facts = {"by": told.by, "policies": "\n".join(told.policies), "function": told.function}
    file.write_bytes(as_safetensors({"values": told.values + 1}, facts))
    assert f"{file.name}: not what the hands and the policies give" in verify_stored(tmp_path / "t").problems
    file.write_bytes(as_safetensors({"values": told.values}, {**facts, "function": "another"}))
    assert any("its value function is not here" in note for note in verify_stored(tmp_path / "t").notes)
    file.write_bytes(as_safetensors({"values": told.values}, {**facts, "policies": "nobody"}))
    assert any("because nobody cannot be asked here" in note for note in verify_stored(tmp_path / "t").notes)
    file.write_bytes(as_safetensors({"values": told.values[:, :1]}, facts))
    with pytest.raises(InputError, match="not a table of adjusted values for 2 players"):
        verify_stored(tmp_path / "t")
    file.unlink()
    assert f"{file.name}: it is missing; the record says adjust always" in verify_stored(tmp_path / "t").problems
    file.write_bytes(honest)
    assert verify_stored(tmp_path / "t").problems == []


def test_judging_that_is_broken_off_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C after every four hands that were judged; nothing is judged twice."""
    monkeypatch.setattr(adjusting, "JUDGED_AT_ONCE", 4)
    play_tournament(tmp_path / "whole", ALWAYS, workers=1)
    real = adjusting.deal_values_of
    judged: list[Any] = []

    def once(hands: Any, knowledge: Any) -> Any:
        if len(judged) % 2:
            judged.append(0)
            raise KeyboardInterrupt
        judged.append(len(hands))
        return real(hands, knowledge)

    monkeypatch.setattr(adjusting, "deal_values_of", once)
    times = 0
    while play_tournament(tmp_path / "t", ALWAYS, workers=1).interrupted:
        times += 1
        assert times < 40
    assert times >= 10
    assert sum(judged) == 60
    for name in ("verdict.json", *(adjusted_file(tmp_path, number).name for number in range(3))):
        one, other = (hashlib.sha256((tmp_path / place / name).read_bytes()) for place in ("t", "whole"))
        assert one.digest() == other.digest(), name


def test_a_model_is_judged_from_the_side_of_the_known_bot_and_not_asked(shell: Shell) -> None:
    with served(server := ChatServer()) as address:
        Path("c.toml").write_text(f'base_url = "{address}"\nmodel = "m"\n')
        Path("t.toml").write_text(
            'bots = ["call"]\ngame = "limit-hu"\nhands = 10\nseed = 5\n[[bot]]\nbot = "chat:c.toml"\nname = "model"\n'
        )
        facts = shell.json("t.toml", "--out", "t")
        assert facts["adjusted_by"][0][1] == "aivat (policy of call)"
        assert len(server.asked) == facts["usage"][1]["decisions"]
        asked = len(server.asked)
        assert shell.json("resume", "t") == facts
        assert len(server.asked) == asked
    code, out, _ = shell.run("status", "t")
    assert (code, "finished" in out) == (0, True)
    found = verify_stored(Path("t"))
    assert (found.problems, any("model" in note for note in found.notes)) == ([], True)


def test_two_models_are_freed_of_the_luck_of_the_cards(shell: Shell) -> None:
    """Nobody states a policy, and every hand is dear."""
    with served(ChatServer()) as address:
        Path("c.toml").write_text(f'base_url = "{address}"\nmodel = "m"\n')
        words = ("one=chat:c.toml", "two=chat:c.toml", "--game", "limit-hu", "--hands", "12", "--seed", "5")
        facts = shell.json(*words, "--out", "t")
    assert facts["adjusted_by"] == [[None, "chance"], ["chance", None]]
    assert facts["mbb"] != facts["money_mbb"]
    assert facts["stderr_mbb"][0][1] < facts["money_stderr_mbb"][0][1]
    assert verify_stored(Path("t")).problems == []


def test_a_policy_that_is_not_the_one_that_played_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tournament goes on with what is known for sure, and says so."""
    monkeypatch.chdir(tmp_path)
    Path("liar.py").write_text(
        "class Liar:\n    def decide(self, view, dice):\n        return 0\n\n"
        "    def probabilities(self, view):\n        return {-1: 1.0} if view.to_call else {0: 1.0}\n"
    )
    settings = replace(ALWAYS, bots=("liar.py:Liar", "raise"))
    with pytest.warns(UserWarning, match="luck is taken out without the policies of bots that are not shipped"):
        facts = play_tournament(Path("t"), settings).to_dict()
    assert facts["adjusted_by"][0][1] == "aivat (policy of raise)"
    assert verify_stored(Path("t")).problems == []


def test_values_may_be_named(shell: Shell, tmp_path: Path) -> None:
    """Roll-outs with a known policy: other values of the same hands, kept with their digest and judged again."""
    words = ("call", "raise", "--game", "limit-hu", "--hands", "8", "--adjust", "--seed", "4")
    plain = shell.json(*words)
    code, out, err = shell.run(*words, "--values", "roll-outs", "--out", "t")
    assert (code, "values by roll-outs" in out) == (0, True), err
    told = read_adjusted(adjusted_file(Path("t"), 0), 2)
    assert told is not None
    assert told.function == named_values("roll-outs").digest
    facts = shell.json("resume", "t")
    assert facts["money_mbb"] == plain["money_mbb"]
    assert facts["mbb"] != plain["mbb"]
    assert (found := verify_stored(Path("t"))).problems == []
    assert found.notes == []


def test_the_budget_holds_for_all_tables_together(shell: Shell) -> None:
    """Two tables of a model: what was spent at the first is not there for the second."""
    with served(server := ChatServer()) as address:
        config = f'base_url = "{address}"\nmodel = "m"\nprice_in = 1.0\nprice_out = 10.0\nconcurrency = 1\n'
        Path("t.toml").write_text(
            'bots = ["call", "raise", "m=chat:c.toml"]\ngame = "limit-hu"\nhands = 6\nseed = 5\n'
        )
        Path("c.toml").write_text(config)
        whole = shell.json("t.toml", "--out", "whole")
        first = len((Path("whole") / "table-00001" / "chat-1.jsonl").read_text().splitlines())
        asked = len(server.asked)
        assert first < asked
        server.asked.clear()
        Path("c.toml").write_text(f"{config}budget = {0.0002 * (first + 2.5)}\n")
        code, _, err = shell.run("t.toml", "--out", "t")
        assert (code, "dollars is spent" in err, "luckless tournament resume t" in err) == (130, True, True)
        assert len(server.asked) == first + 3
        Path("c.toml").write_text(f"{config}budget = 1.0\n")
        assert shell.json("resume", "t")["mbb"] == whole["mbb"]
        assert len(server.asked) == asked


def test_a_bot_that_has_met_nobody_yet_has_no_numbers(shell: Shell) -> None:
    """The budget is spent before its first hand is over."""
    with served(ChatServer()) as address:
        Path("c.toml").write_text(
            f'base_url = "{address}"\nmodel = "m"\nprice_in = 1.0\nbudget = 1e-9\nconcurrency = 1\n'
        )
        Path("t.toml").write_text(
            'bots = ["call", "raise", "m=chat:c.toml"]\ngame = "limit-hu"\nhands = 6\nseed = 5\n'
        )
        code, out, err = shell.run("t.toml", "--out", "t", "--json")
        assert code == 130
        assert [line.split(":")[0] for line in err.splitlines()] == ["note", "error"]
        facts = json.loads(out)
        assert facts["rankings"]["mean"][2] is facts["rankings"]["worst"][2] is None
        assert facts["ci95"]["mean"][2] == [None, None]
        rows = [line.split() for line in shell.run("resume", "t")[1].splitlines()]
        assert ["m", "-", "-"] in [row[:3] for row in rows]


def test_luck_is_taken_out_by_itself_only_where_hands_are_dear() -> None:
    """Never where all bots are compiled, or where there are very many hands."""
    known: Any = lk.bot("call")
    strange: Any = SimpleNamespace(members=[SimpleNamespace(outside=True)])
    assert is_adjusted("auto", [known, strange], 10_000)
    assert not is_adjusted("auto", [known, strange], 10_001)
    assert not is_adjusted("auto", [known, known], 10)
    assert is_adjusted("auto", [strange, strange], 10)
    assert not is_adjusted("never", [known, strange], 10)
    assert is_adjusted("always", [known, known], 10**6)


@pytest.mark.slow
def test_a_table_of_three_is_adjusted_for_everybody(tmp_path: Path) -> None:
    settings = Settings(bots=BOTS, game="nolimit-3max", format="n-way", hands=12, adjust="always")
    result = play_tournament(tmp_path / "t", settings, workers=1)
    stored = StoredHands.open(tmp_path / "t" / result.outline.folder(0))
    known = Knowledge({name: lk.bot(name) for name in BOTS})
    verdict = judge_hands(map(stored.read_chunk, stored.chunks), "aivat", known)
    for place, name in enumerate(BOTS):
        assert result.tables[0].values[:, place].mean() == pytest.approx(verdict.player(name).adjusted.mean)
    assert verify_stored(tmp_path / "t").problems == []


EXPLOIT = {"game": "limit-hu", "bot": "raise", "by": "exact", "exact": True, "mbb": 3697.7, "ci95_mbb": None}


def test_exploitability_stands_beside_the_rankings(shell: Shell) -> None:
    Path("raise.json").write_text(json.dumps(EXPLOIT))
    Path("t.toml").write_text(
        'bots = ["call", "fold", "raise"]\ngame = "limit-hu"\nhands = 20\n'
        '[[exploitability]]\nfile = "raise.json"\n'
        '[[exploitability]]\nbot = "call"\nmbb = 1000.0\nlow = 900.0\nhigh = 1100.0\nby = "lbr"\n'
    )
    facts = shell.json("t.toml", "--out", "t", "--report", "r.html")
    assert facts["rankings"]["exploitability"] == [1000.0, None, 3697.7]
    assert facts["ci95"]["exploitability"] == [[900.0, 1100.0], None, [3697.7, 3697.7]]
    assert [one["by"] for one in facts["exploitability"]] == ["exact", "lbr"]
    _, out, _ = shell.run("resume", "t")
    assert "at least 1,000.0 [+900.0, +1,100] (lbr)" in out
    assert "3,697.7 (exact)" in Path("r.html").read_text()
    assert verify_stored(Path("t")).problems == []
    words = ("call", "fold", "raise", "--game", "limit-hu", "--hands", "20", "--exploitability", "raise.json")
    assert shell.json(*words)["rankings"]["exploitability"] == [None, None, 3697.7]
    settings = read_settings(Path("t.toml"))
    assert settings_of(json.loads(json.dumps(settings.to_dict())), "here") == settings


WRONG = {
    'adjust = "sometimes"\n': "adjust is 'sometimes'; allowed is auto, always or never",
    'format = "sessions"\nadjust = "always"\n': "adjust is for round-robin and n-way, not for sessions",
    '[[exploitability]]\nbot = "call"\n': "exploitability needs a file, or bot, mbb and by",
    '[[exploitability]]\nfile = "none.json"\n': "cannot read the exploitability none.json",
    '[[exploitability]]\nfile = "text.json"\n': "text.json: not what `luckless exploit --json` prints",
    '[[exploitability]]\nfile = "raise.json"\n': "no bot is called 'raise'; there is call, fold",
    'game = "nolimit-hu"\n[[exploitability]]\nfile = "raise.json"\n': "it is about limit-hu; the tournament plays",
    'format = "sessions"\n[[exploitability]]\nfile = "raise.json"\n': "exploitability is for round-robin and n-way",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_wishes_are_refused_before_any_hand(text: str, shell: Shell) -> None:
    Path("raise.json").write_text(json.dumps(EXPLOIT))
    Path("text.json").write_text('{"mbb": "many"}')
    game = "" if "game" in text or "sessions" in text else 'game = "limit-hu"\n'
    Path("t.toml").write_text(f'bots = ["call", "fold"]\n{game}{text}')
    assert WRONG[text] in shell.refused("t.toml", "--out", "t")
    assert not Path("t").exists()


def test_a_tournament_from_python(tmp_path: Path) -> None:
    class Calm:
        """Checks and calls."""

        def decide(self, view: Any, dice: Any) -> int:
            return 0

    result = lk.tournament({"calm": Calm, "wild": "raise"}, game="limit-hu", hands=20, seed=2, save=tmp_path / "t")
    facts = result.to_dict()
    assert (facts["bots"], facts["hands"][0][1], facts["seed"]) == (["calm", "wild"], 20, 2)
    assert "2 bots, round-robin, limit-hu" in repr(result)
    assert "<table" in result._repr_html_()
    assert result.figure().data
    again = lk.tournament({"calm": Calm, "wild": "raise"}, game="limit-hu", hands=20, seed=2, save=tmp_path / "t")
    assert again.to_dict() == facts
    loaded: Any = lk.load(tmp_path / "t")
    assert loaded.to_dict() == facts
    (tmp_path / "f.toml").write_text('bots = ["call", "raise"]\ngame = "limit-hu"\nhands = 20\nseed = 2\n')
    assert lk.tournament(tmp_path / "f.toml").to_dict()["mbb"] == facts["mbb"]
    with pytest.raises(InputError, match="unknown key 'hnds'; did you mean 'hands'"):
        lk.tournament(["call", "raise"], hnds=5)
    with pytest.raises(InputError, match="two bots are called 'call'"):
        lk.tournament(["call", "call"])
