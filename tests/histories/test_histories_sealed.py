"""Sealed matches, sessions and evaluations in their folders; and folders of earlier versions, whose keys are open."""

import json
from pathlib import Path
from typing import Any

import pytest

from crashes import bytes_of, without_seconds
from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.bots.dice import Dice
from luckless.bots.python_bot import PythonBot
from luckless.errors import InputError
from luckless.histories.match_writer import play_stored
from luckless.histories.resuming import choices
from luckless.histories.session_writer import load_session_result, play_stored_sessions
from luckless.histories.store import StoredHands
from luckless.histories.stored_evaluation import load_evaluation, play_evaluation
from luckless.histories.stored_match import load_match_result
from luckless.histories.verifying import verify
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.matches.session import Sessions
from luckless.rules.game import Game
from luckless.rules.views import View

LIMIT = Game.load("limit-hu")


class Tosses:
    """Raises or calls by its dice."""

    def decide(self, view: View, dice: Dice) -> int:
        """Half and half."""
        return view.min_raise_to if view.can_raise and dice.random() < 0.5 else 0


class Outside(PythonBot):
    """A bot that is treated as one from outside."""

    outside = True


def players() -> list[Bot]:
    """One bot from outside, and a mix of ours."""
    return [Outside("tosses", Tosses()), load_bot("mix:call=1,random=2")]


def plan(folder: Path | None, hands: int, seed: int | None = None, **given: Any) -> Match:
    """The match that the same command means each time."""
    return Match.plan(LIMIT, players(), hands=hands, **{**choices(folder, seed)._asdict(), **given})


def test_the_same_command_goes_on_with_a_sealed_match(tmp_path: Path) -> None:
    first = play_stored(plan(tmp_path / "m", 60), tmp_path / "m")
    longer = play_stored(plan(tmp_path / "m", 100), tmp_path / "m")
    assert first.match.seed == longer.match.seed > 2**64
    assert (longer.match.decks, longer.match.sealed) == ("fresh", True)
    again = play_stored(plan(None, 100, longer.match.seed), tmp_path / "again")
    assert bytes_of(tmp_path / "m") == bytes_of(tmp_path / "again")
    assert without_seconds(again.to_dict()) == without_seconds(longer.to_dict())
    loaded = load_match_result(tmp_path / "m")
    assert loaded.match == longer.match
    assert int(json.loads(json.dumps(loaded.to_dict()))["seed"]) == longer.match.seed
    assert verify(tmp_path / "m").failures == 0


def test_sealed_hands_are_not_the_open_ones_of_their_seed(tmp_path: Path) -> None:
    play_stored(plan(tmp_path / "m", 20), tmp_path / "m")
    stored = StoredHands.open(tmp_path / "m")
    assert stored.settings["keys"] == "sealed"
    sealed = load_match_result(tmp_path / "m").match
    other = play_match(Match.plan(LIMIT, players(), hands=20, seed=sealed.seed, decks="fresh", sealed=False))
    assert other.tally.net_chips.tolist() != load_match_result(tmp_path / "m").tally.net_chips.tolist()


def test_another_seed_is_refused(tmp_path: Path) -> None:
    play_stored(plan(tmp_path / "m", 20), tmp_path / "m")
    with pytest.raises(InputError, match="its seed is"):
        play_stored(plan(tmp_path / "m", 20, seed=5), tmp_path / "m")
    with pytest.raises(InputError, match="its keys is sealed, not None"):
        play_stored(plan(tmp_path / "m", 20, sealed=False), tmp_path / "m")


def test_a_match_of_an_earlier_version_goes_on_as_it_began(tmp_path: Path) -> None:
    """Its settings say nothing of keys: they are open, and its decks may be duplicate, with bots from outside too."""
    old: dict[str, Any] = {"seed": 1, "decks": "duplicate", "sealed": False}
    play_stored(Match.plan(LIMIT, players(), hands=60, **old), tmp_path / "m")
    assert "keys" not in StoredHands.open(tmp_path / "m").settings
    longer = plan(tmp_path / "m", 100)
    assert (longer.seed, longer.decks, longer.sealed) == (1, "duplicate", False)
    play_stored(longer, tmp_path / "m")
    play_stored(Match.plan(LIMIT, players(), hands=100, **old), tmp_path / "whole")
    assert bytes_of(tmp_path / "m") == bytes_of(tmp_path / "whole")
    assert verify(tmp_path / "m").failures == 0


def test_sealed_dice_belong_to_a_player() -> None:
    """In a duplicate set a bot must not roll what its opponent rolls in the same seat; open dice are shared."""
    two = [Outside("one", Tosses()), Outside("two", Tosses())]
    sealed = Match.plan(LIMIT, two, hands=200, seed=7, decks="duplicate")
    assert play_match(sealed).estimate(0).sd != 0
    assert any("trust the bots from outside" in warning for warning in sealed.settings.warnings)
    opened = Match.plan(LIMIT, two, hands=200, seed=7, decks="duplicate", sealed=False)
    assert play_match(opened).estimate(0).sd == 0


def test_sealed_sessions_go_on_and_verify(tmp_path: Path) -> None:
    def asked(games: int, seed: int | None = None) -> Sessions:
        chosen = choices(tmp_path / "s" if seed is None else None, seed)
        return Sessions.plan(players(), games=games, rounds=5, seed=chosen.seed, sealed=chosen.sealed)

    play_stored_sessions(asked(6), tmp_path / "s")
    result = play_stored_sessions(asked(10), tmp_path / "s")
    assert result.sessions.sealed
    assert result.sessions.seed > 2**64
    assert load_session_result(tmp_path / "s").sessions == result.sessions
    again = play_stored_sessions(asked(10, result.sessions.seed), tmp_path / "again")
    assert bytes_of(tmp_path / "s") == bytes_of(tmp_path / "again")
    assert without_seconds(again.to_dict()) == without_seconds(result.to_dict())
    assert verify(tmp_path / "s").failures == 0
    assert asked(10, 5).settings.sealed
    assert "try out every seed" in play_stored_sessions(asked(2, 5), tmp_path / "small").to_dict()["warnings"][0]


def test_an_evaluation_is_sealed_as_a_whole(tmp_path: Path) -> None:
    """Also the matches of ours, for both bots must play the same cards; but each opponent has others."""

    def played(folder: Path | None, seed: int | None = None) -> Any:
        opponents = [load_bot("call"), load_bot("raise")]
        ours = load_bot("random")
        return play_evaluation(players()[0], opponents, LIMIT, compare=ours, folder=folder, hands=40, seed=seed)

    result = played(tmp_path / "e")
    matches = [trial.result.match for trial in (*result.trials, *result.others)]
    assert all(match.sealed and match.decks == "fresh" for match in matches)
    seeds = [match.seed for match in matches]
    assert seeds[:2] == seeds[2:]
    assert len({*seeds, result.seed}) == 3
    assert all("paired" in test.method or test.method.startswith("v ") for test in result.comparisons)
    loaded = load_evaluation(tmp_path / "e")
    assert loaded.seed == result.seed
    for again in (played(tmp_path / "e"), played(None, result.seed)):
        assert without_seconds(again.to_dict()) == without_seconds(result.to_dict())
    assert result.to_dict()["warnings"] == []
    assert "try out every seed" in played(None, 5).to_dict()["warnings"][0]


def test_an_evaluation_of_ours_is_open_as_ever() -> None:
    result = play_evaluation(load_bot("random"), [load_bot("call")], LIMIT, hands=40)
    match = result.trials[0].result.match
    assert (match.sealed, match.seed, match.decks, result.seed) == (False, 1, "duplicate", 1)
