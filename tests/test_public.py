"""What `import luckless as lk` offers: cheap to import, whole, typed, and clear when it is called wrongly."""

import inspect
import json
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import luckless as lk
from shell import Shell

HEAVY = ("numpy", "numba", "pyarrow", "duckdb", "scipy", "torch", "pandas", "plotly", "typer")
IMPORT_SECONDS = 0.3
PUBLIC = [name for name in lk.__all__ if name != "__version__"]


class Caller:
    """Checks and calls."""

    def decide(self, view: lk.View, dice: Any) -> int:
        return 0


class BatchCaller:
    """The same for whole batches."""

    def decide_batch(self, views: lk.Views, dice: Any) -> Any:
        return np.zeros(len(views), np.int64)


class Mixed:
    """Calls three times in four, else folds."""

    def probabilities(self, view: lk.View) -> dict[int, float]:
        return {0: 0.75, -1: 0.25}


class NeedsWeights:
    """A bot that cannot be made without an argument."""

    def __init__(self, weights: list[float]) -> None:
        self.weights = weights

    def decide(self, view: lk.View, dice: Any) -> int:
        return 0


def test_importing_costs_next_to_nothing() -> None:
    code = (
        "import sys, time\nstarted = time.process_time()\nimport luckless\nseconds = time.process_time() - started\n"
        f"print(seconds, [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, _, loaded = done.stdout.strip().partition(" ")
    assert loaded == "[]"
    assert float(seconds) < IMPORT_SECONDS


def test_every_name_resolves_and_is_listed() -> None:
    assert sorted(lk.__all__) == lk.__all__
    assert set(lk.__all__) <= set(dir(lk))
    for name in PUBLIC:
        assert getattr(lk, name) is not None
    namespace: dict[str, Any] = {}
    exec("from luckless import *", namespace)
    assert set(lk.__all__) <= set(namespace)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_name_is_documented_and_typed(name: str) -> None:
    value = getattr(lk, name)
    assert len(inspect.getdoc(value) or "") > 20
    members: list[Any] = [value if inspect.isfunction(value) else type(value).__call__]
    if isinstance(value, type):
        members = [m for key, m in vars(value).items() if inspect.isfunction(m) and not key.startswith("_")]
    for member in members:
        signature = inspect.signature(member)
        assert signature.return_annotation is not inspect.Signature.empty, member
        assert member.__doc__, member
        for parameter in signature.parameters.values():
            assert parameter.name == "self" or parameter.annotation is not inspect.Parameter.empty, member


def test_the_league_is_a_function_and_still_the_package() -> None:
    from luckless.league.ratings import START_MU
    from luckless.public import league

    package: Any = lk.league
    assert package is sys.modules["luckless.league"]
    assert isinstance(package, types.ModuleType)
    assert START_MU > 0
    assert callable(lk.league)
    assert inspect.signature(lk.league) == inspect.signature(league)
    with pytest.raises(lk.InputError, match=r"no season is called 'nothing'.*quick"):
        lk.league("nothing")


def test_solving_is_a_function_and_still_the_package(tmp_path: Path) -> None:
    from luckless.public import solve

    package: Any = sys.modules["luckless.solve"]
    assert vars(lk)["solve"] is package
    assert inspect.signature(package) == inspect.signature(solve)
    solution = package("kuhn", iterations=100, save=tmp_path / "k.st")
    assert solution.measured.value == pytest.approx(-1 / 18, abs=1e-3)
    assert lk.exploit(f"nash:{tmp_path / 'k.st'}", "kuhn").exploitability == solution.measured.exploitability
    for wrong, reason in (({"iterations": 0}, "iterations is 0"), ({"target": -1.0}, "target is -1")):
        with pytest.raises(lk.InputError, match=reason):
            package("kuhn", **wrong)
    with pytest.raises(lk.InputError, match="name one algorithm"):
        package("kuhn", algorithm="all")


def test_lower_bounds_of_exploitability() -> None:
    exact = lk.exploit("uniform", "kuhn")
    for by in ("lbr", "learn"):
        assert 0 < lk.exploit("uniform", "kuhn", by=by).exploitability <= exact.exploitability + 1e-9
    assert lk.exploit("fold", "limit-hu", by="lbr", hands=8).mbb == pytest.approx(750)
    with pytest.raises(lk.InputError, match="menu is for by lbr, not for exact"):
        lk.exploit("call", "limit-hu", menu="pot")
    with pytest.raises(lk.InputError, match="hands and minutes are for hold'em"):
        lk.exploit("call", "kuhn", by="learn", minutes=1)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'luckless' has no attribute 'nothing'"):
        lk.nothing  # noqa: B018
    assert not hasattr(lk, "solve_everything")


def test_bots_come_as_names_objects_classes_and_labels() -> None:
    results = [
        lk.play(bots, hands=200)
        for bots in (
            ["call", "raise"],
            [Caller, "raise"],
            [BatchCaller(), "raise"],
            {"me": Caller(), "raise": "raise"},
        )
    ]
    assert len({str(result.estimate(0)) for result in results}) == 1
    assert [result.match.names[0] for result in results] == ["call", "Caller", "BatchCaller", "me"]
    assert results[3].estimate("me") == results[3].estimate(0)
    assert results[3].estimate("raise").mean == pytest.approx(-results[3].estimate("me").mean)
    with pytest.raises(lk.InputError, match="no player is called 'you'; there is me, raise"):
        results[3].estimate("you")


def test_labels_do_not_change_the_bot_that_is_given() -> None:
    one = lk.bot("call")
    result = lk.play({"a": one, "b": one}, hands=20)
    assert result.match.names == ("a", "b")
    assert one.name == "call"
    assert lk.bot(one) is one
    assert lk.bot("strong=pot-odds:risk=0.05").name == "strong"


def test_a_bot_that_states_probabilities_plays_by_them() -> None:
    player = lk.bot(Mixed, "mixed")
    table = lk.Table.dealt("limit-hu", 1, range(5))
    assert player.probabilities(table.views(table.waiting())).kinds().tolist() == [[0.25, 0.75, 0]] * 5
    assert lk.play([player, "call"], game="limit-hu", hands=200).to_dict()["bots"][0]["faults"] == 0


def test_every_hand_of_a_situation_can_be_asked_for() -> None:
    table = lk.Table.dealt("limit-hu", 1, [0])
    situations, numbers = table.views(table.waiting()).with_all_hands(0)
    assert len(situations) == len(numbers) == 1326
    assert lk.bot("pot-odds").probabilities(situations).probability.sum(axis=1) == pytest.approx(1)


WRONG_CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    "a single text": (lambda: lk.play("call"), r"bots is 'call': a list of bots is needed"),
    "no list": (lambda: lk.play(None), "bots is None: a list of bots is needed"),  # type: ignore[arg-type]
    "no bots": (lambda: lk.play([]), "at least two bots; 0 was given"),
    "one bot": (lambda: lk.play(["call"]), "at least two bots; 1 was given"),
    "too many bots": (lambda: lk.play(["call"] * 3), "3 bots were given, and game nolimit-hu has only 2 seats"),
    "an unknown bot": (lambda: lk.play(["call", "rise"]), "unknown bot 'rise': did you mean raise"),
    "a number as a bot": (lambda: lk.play(["call", 3]), r"bot int: its class needs one of `decide"),
    "a class with arguments": (lambda: lk.bot(NeedsWeights), r"needs arguments .*'weights'.*NeedsWeights\(\.\.\.\)"),
    "an empty label": (lambda: lk.play({"": "call", "b": "raise"}), "the name '' of a bot"),
    "an unknown game": (lambda: lk.play(["call"] * 2, game="go"), "no game is called 'go'; allowed is.*limit-hu"),
    "a number as a game": (lambda: lk.play(["call"] * 2, game=3), "game is 3: a name"),  # type: ignore[arg-type]
    "half a hand": (lambda: lk.play(["call"] * 2, hands=1e3), "hands is 1000.0: a whole number"),  # type: ignore[arg-type]
    "no hands": (lambda: lk.play(["call"] * 2, hands=0), "hands is 0; allowed is 1"),
    "a negative seed": (lambda: lk.play(["call"] * 2, seed=-1), "seed -1 is out of range"),
    "a text as a seed": (lambda: lk.play(["call"] * 2, seed="a"), "seed is 'a': a whole number"),  # type: ignore[arg-type]
    "unknown decks": (lambda: lk.play(["call"] * 2, decks="new"), "decks is 'new'; allowed is duplicate or fresh"),  # type: ignore[arg-type]
    "a number as a folder": (lambda: lk.play(["call"] * 2, save=5), "save is 5: the path of a folder"),  # type: ignore[arg-type]
    "one blind": (lambda: lk.play_sessions(["call"] * 2, blinds=5), "blinds is 5: the small and the big"),  # type: ignore[arg-type]
    "no games": (lambda: lk.play_sessions(["call"] * 2, games=0), "games is 0; allowed is 1"),
    "opponents as a text": (lambda: lk.evaluate("call", against="raise"), "bots is 'raise': a list"),
    "one hand's equity": (lambda: lk.equity("AcKc"), r"hands is 'AcKc': a list of texts is needed"),
    "no card": (lambda: lk.hand_rank("AcKz"), "'Kz' is not a card"),
    "no cards at all": (lambda: lk.hand_rank(5), "hand is 5: a text such as 'AcKc'"),  # type: ignore[arg-type]
    "nothing to load": (lambda: lk.load("nowhere"), "there is no folder nowhere"),
    "a number to load": (lambda: lk.load(5), "path is 5: the path of a folder"),  # type: ignore[arg-type]
    "an unknown estimator": (
        lambda: lk.judge("nowhere", by="luck"),
        "no estimator is called 'luck'; allowed is auto, divat, aivat, imaginary, chance",
    ),
    "a result to judge": (
        lambda: lk.judge(lk.play(["call"] * 2, hands=2)),  # type: ignore[arg-type]
        r"not from a MatchResult \(play with save=",
    ),
}


@pytest.mark.parametrize("call", WRONG_CALLS)
def test_a_wrong_call_says_what_is_wrong(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    function, message = WRONG_CALLS[call]
    with pytest.raises(lk.InputError, match=message) as error:
        function()
    assert len(str(error.value).splitlines()) == 1


def test_a_stored_match_is_loaded_and_extended(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    bots = {"a": "value-bet", "b": "call"}
    short = lk.play(bots, game="limit-hu", hands=400, save=folder)
    assert facts(lk.load(folder)) == facts(short)
    longer = lk.play(bots, game="limit-hu", hands=1000, save=str(folder))
    at_once = lk.play(bots, game="limit-hu", hands=1000)
    assert facts(longer) == facts(at_once) == facts(lk.load(folder))
    assert longer.hands == 1000
    assert len(lk.read_hands(folder)) == 1000
    with pytest.raises(lk.InputError):
        lk.play(bots, game="limit-hu", hands=400, save=folder, seed=2)


def test_stored_sessions_and_evaluations_are_loaded(tmp_path: Path) -> None:
    sessions = lk.play_sessions(["call", "random"], games=30, save=tmp_path / "sessions")
    assert facts(lk.load(tmp_path / "sessions")) == facts(sessions)
    evaluation = lk.evaluate("raise", hands=100, save=tmp_path / "evaluation")
    assert facts(lk.load(tmp_path / "evaluation")) == facts(evaluation)
    with pytest.raises(lk.InputError, match="holds no stored match"):
        lk.load(tmp_path)


def facts(result: Any) -> Any:
    """A result as JSON would carry it, without times."""

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: timeless(part) for key, part in value.items() if key != "seconds"}
        return [timeless(part) for part in value] if isinstance(value, list) else value

    plain = result if isinstance(result, dict) else result.to_dict()
    return timeless(json.loads(json.dumps(plain, allow_nan=False)))


COMMANDS: dict[str, tuple[tuple[str, ...], Callable[[], Any]]] = {
    "match": (
        ("match", "a=value-bet", "call", "--game", "limit-hu", "--hands", "300", "--seed", "7", "--decks", "fresh"),
        lambda: lk.play({"a": "value-bet", "call": "call"}, game="limit-hu", hands=300, seed=7, decks="fresh"),
    ),
    "session": (
        ("session", "call", "random", "--games", "40", "--rounds", "10", "--stack", "500", "--blinds", "5/10"),
        lambda: lk.play_sessions(["call", "random"], games=40, rounds=10, stack=500),
    ),
    "evaluate": (
        ("evaluate", "raise", "--against", "all-in", "--compare", "call", "--hands", "200"),
        lambda: lk.evaluate("raise", against=["all-in"], compare="call", hands=200),
    ),
    "equity": (
        ("equity", "AcKc", "QQ+", "--board", "Ks5h3d"),
        lambda: lk.equity(["AcKc", "QQ+"], "Ks5h3d"),
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_numbers_as_the_command_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words, function = COMMANDS[name]
    assert facts(function()) == facts(Shell(monkeypatch, capsys).json(*words))


def test_games_and_bots_are_listed() -> None:
    games = lk.games()
    assert games["limit-hu"].seats == 2
    assert all(game.name == name for name, game in games.items())
    bots = lk.shipped_bots()
    assert {"call", "raise", "random", "pot-odds", "value-bet"} <= set(bots)
    assert all(lk.bot(name).name == name and len(words) > 10 for name, words in bots.items())


def test_hand_ranks_take_texts_and_numbers() -> None:
    assert float(lk.hand_rank("AcKc", "Ks5h3d").ihr) == pytest.approx(0.96854764)
    assert lk.hand_rank(lk.parse_cards("AcKc"), lk.parse_cards("Ks5h3d")) == lk.hand_rank("AcKc", "Ks5h3d")


def test_numpy_numbers_are_whole_numbers() -> None:
    result = lk.play(["call", "raise"], hands=np.int64(20), seed=np.uint8(3))  # type: ignore[arg-type]
    assert (result.hands, result.match.seed) == (20, 3)
