"""`luckless judge` and `luckless values`, as their users type them."""

import json
from pathlib import Path

import pytest

import luckless as lk
from shell import Shell

BOT = '''
class Odd:
    """Its probabilities sum to 0.9."""

    def probabilities(self, view):
        return {0: 0.9}


class NotANumber:
    """Its probabilities are none."""

    def probabilities(self, view):
        return {0: float("nan")}


class Half:
    """Names an action between two."""

    def probabilities(self, view):
        return {0.5: 1.0}


class Quiet:
    """Rolls dice, and does not say how often it does what."""

    def decide(self, view, dice):
        return 0 if dice.random() < 0.5 else 0
'''


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judge") / "match"
    lk.play({"a": "uniform", "b": "call"}, game="nolimit-hu", hands=24, decks="fresh", save=folder)
    return folder


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys, "judge")


def test_a_stored_match_knows_its_bots(shell: Shell, match: Path, tmp_path: Path) -> None:
    code, out, err = shell.run(str(match), "--report", str(tmp_path / "page.html"))
    assert code == 0, err
    assert "24 hands judged by aivat" in out
    assert "where policies are known: a, b" in out
    assert "Value function: " in out
    for part in ("won on", "taken out or left over", "by position", "by pot", "variance divided by"):
        assert part in out
    page = (tmp_path / "page.html").read_text()
    assert "Luck and skill of a" in page
    assert "all-in equity" in page
    assert "luckless judge" in page


def test_a_policy_may_be_left_unknown(shell: Shell, match: Path) -> None:
    said = " ".join(shell.run(str(match), "--policy", "b=unknown")[1].split())
    assert "where policies are known: a." in said
    both = shell.json(str(match))["players"][0]["adjusted"]
    assert shell.json(str(match), "--policy", "b=unknown")["players"][0]["adjusted"] != both


def test_json_has_the_promised_keys(shell: Shell, match: Path) -> None:
    said = shell.json(str(match), "--by", "chance", "--player", "b")
    assert (said["hands"], said["by"]) == (24, "chance")
    assert set(said["values"]) == {"name", "digest"}
    (player,) = said["players"]
    assert player["name"] == "b"
    assert list(player["by_position"]) == ["BB", "BTN"]
    assert {"hands", "money", "adjusted", "variance_ratio", "by_street", "by_position", "by_pot"} <= set(player)
    parts = sum(rate["mean"] for rate in player["by_street"].values()) + player["terms"]["rest"]["mean"]
    assert parts == pytest.approx(player["adjusted"]["mean"])
    taken = sum(rate["mean"] for kind, rate in player["terms"].items() if kind != "rest")
    assert player["adjusted"]["mean"] + taken == pytest.approx(player["money"]["mean"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--policy", "c=call"), "no player is called 'c'; there is a, b"),
        (("--policy", "c=unknown"), "no player is called 'c'; there is a, b"),
        (("--policy", "a=unknown", "--policy", "b=unknown", "--by", "aivat"), "the policy of no player is known"),
        (("--policy", "a"), "it must be NAME=BOT"),
        (("--policy", "a=call", "--by", "aivat"), "the policy given for a never does what a did there"),
        (("--policy", "a={bots}:Odd", "--by", "aivat"), "hand 0, action"),
        (("--policy", "a={bots}:Odd", "--by", "aivat"), "the probabilities sum to 0.9, not 1"),
        (("--policy", "a={bots}:NotANumber", "--by", "imaginary"), "hand 0, action"),
        (("--policy", "a={bots}:NotANumber"), "a probability is nan"),
        (("--policy", "a={bots}:Half"), "`probabilities` gave the action 0.5; actions are whole numbers"),
        (("--policy", "a={bots}:Quiet", "--by", "aivat"), "it acts at random; give it a method"),
        (("--by", "luck"), "no estimator is called 'luck'"),
        (("--player", "z"), "no player is called 'z'; there is a, b"),
        (("--values", "{bots}"), "is not a complete safetensors file"),
    ],
)
def test_bad_input_is_refused(shell: Shell, match: Path, tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    bots = tmp_path / "odd_bots.py"
    bots.write_text(BOT)
    assert said in shell.refused(str(match), *(word.format(bots=bots) for word in options))


def test_hidden_cards_are_named(shell: Shell, match: Path, tmp_path: Path) -> None:
    log = tmp_path / "hidden.phhs"
    lk.play(["call", "random"], game="nolimit-hu", hands=4, decks="fresh", save=tmp_path / "open")
    code, _, err = Shell.run(shell, str(tmp_path / "open"), "--by", "money")
    assert code == 0, err
    text = (
        "[1]\nvariant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\n"
        "starting_stacks = [1000, 1000]\nactions = ['d dh p1 ????', 'd dh p2 AsAd', 'p2 cbr 300', 'p1 f']\n"
        "players = ['x', 'y']\n"
    )
    log.write_text(text)
    assert "not all hole cards are known" in shell.refused(str(log), "--by", "chance")
    assert json.loads(json.dumps(shell.json(str(log))))["by"] == "all-in"
    said = " ".join(shell.run(str(log))[1].split())
    assert "aivat would be less noisy, but cannot judge these hands: the policy of no player is known" in said
    assert "chance would be less noisy, but cannot judge these hands: hand 0: not all hole cards are known" in said


def test_a_log_of_many_players_shows_parts_of_one(shell: Shell, tmp_path: Path) -> None:
    """Twelve players: a table of all, and more of one if he is asked for."""
    hand = (
        "[{0}]\nvariant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\n"
        "starting_stacks = [1000, 1000]\nactions = ['d dh p1 ????', 'd dh p2 AsAd', 'p2 cbr 300', 'p1 f']\n"
        "players = ['x{0}', 'y{0}']\n"
    )
    log = tmp_path / "many.phhs"
    log.write_text("".join(hand.format(number) for number in range(1, 7)))
    said = " ".join(shell.run(str(log))[1].split())
    assert "6 hands judged by all-in" in said
    assert "of one player with --player NAME" in said
    assert "taken out" not in said
    assert "10 of them are 1 bb/100" in said
    assert "y3, taken out or left over" in shell.run(str(log), "--player", "y3")[1]
    log.write_text(hand.format(1))
    assert "1 hand judged by all-in" in shell.run(str(log))[1]


def test_values_are_fitted_and_used_on_other_hands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], match: Path, tmp_path: Path
) -> None:
    lk.play(["uniform", "call"], game="nolimit-hu", hands=1000, decks="fresh", seed=5, save=tmp_path / "old")
    both = Shell(monkeypatch, capsys)
    file = tmp_path / "mine.safetensors"
    said = both.json("values", "fit", str(tmp_path / "old"), "--out", str(file))
    assert said["name"] == "mine"
    judged = both.json("judge", str(match), "--by", "chance", "--values", str(file))
    assert judged["values"] == {"name": "mine", "digest": said["digest"]}
    assert "was fitted on hand" in both.refused(
        "judge", str(tmp_path / "old"), "--by", "chance", "--values", str(file)
    )
    assert "at least 1,000 hands" in both.refused("values", "fit", str(match), "--out", str(tmp_path / "no"))
    assert not (tmp_path / "no").exists()
