"""`chat:CONFIG.toml` against a stand-in server: good, slow, wrong, garbage, errors and rate limits."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from luckless.bots.catalogue import foreign_code, load_bot
from luckless.bots.external.chat.ledger import read_ledger
from luckless.bots.external.chat.parsing import Unusable, parse_action
from luckless.errors import InputError
from luckless.histories.match_writer import play_stored
from luckless.matches.match import Match
from luckless.matches.result import MatchResult, play_match
from luckless.rules.game import Game
from shell import Shell
from stand_in import ChatServer, served

GAME = Game.load("nolimit-hu")


def config(folder: Path, url: str, **values: Any) -> str:
    """A config file in a folder; the bot that it is."""
    given = {"base_url": f"{url}/v1", "model": "stand-in", "price_in": 1.0, "price_out": 10.0, **values}
    lines = [f"{key} = {json.dumps(value)}" for key, value in given.items()]
    (folder / "chat.toml").write_text("\n".join(lines) + "\n")
    return f"chat:{folder / 'chat.toml'}"


def match_of(bot: str, hands: int = 4, seed: int = 3, seconds: float = 10.0) -> Match:
    players = [load_bot(bot), load_bot("call")]
    return Match.plan(GAME, players, hands=hands, seed=seed, decision_seconds=seconds)


def play(tmp_path: Path, manner: str, hands: int = 4, seconds: float = 10.0, **values: Any) -> tuple[Any, ...]:
    """The result of a short match, its server, and its bot."""
    server = ChatServer(manner)
    with served(server) as url:
        match = match_of(config(tmp_path, url, **values), hands, seconds=seconds)
        return play_match(match), server, match.players[0]


def actions_of(folder: Path) -> Any:
    from luckless.histories.store import StoredHands

    stored = StoredHands.open(folder)
    return [stored.read_chunk(row).records.actions.tolist() for row in stored.chunks]


@pytest.mark.parametrize("manner", ["well", "wordy", "busy", "garbage first", "illegal first", "in any order"])
def test_usable_answers_are_used_whatever_comes_before_them(tmp_path: Path, manner: str) -> None:
    result, server, bot = play(tmp_path, manner)
    assert result.tally.faults.of_player(0) == {}
    used = bot.usage()
    assert used["decisions"] >= 16  # four streets of four hands
    assert used["unusable"] == 0
    requests = len(server.asked)
    assert used["tokens_in"] == 100 * (requests if manner not in ("busy",) else requests // 2)
    assert used["cost_usd"] == pytest.approx((used["tokens_in"] * 1.0 + used["tokens_out"] * 10.0) / 1e6)
    assert (used["retries"] > 0) == (manner in ("busy", "garbage first", "illegal first"))


@pytest.mark.parametrize(
    ("manner", "kind", "seconds", "values"),
    [
        ("garbage", "nonsense", 10.0, {"retries": 1}),
        ("slow", "slow", 0.2, {"concurrency": 16}),
        ("broken", "died", 10.0, {"network_retries": 1}),
        ("not a completion", "nonsense", 10.0, {}),
    ],
)
def test_what_cannot_be_used_is_a_counted_fault(
    tmp_path: Path, manner: str, kind: str, seconds: float, values: dict[str, Any]
) -> None:
    result, server, bot = play(tmp_path, manner, hands=2, seconds=seconds, **values)
    faults = result.tally.faults.of_player(0)
    assert set(faults) == {kind}
    assert result.tally.faults.share(0) == 1.0
    if manner == "garbage":
        assert len(server.asked) == 2 * faults[kind]
        assert bot.usage()["unusable"] == faults[kind]
        assert "names several actions" in server.asked[1]["messages"][-1]["content"]


def test_the_stand_in_that_plays_bets_its_hands_and_makes_no_fault(tmp_path: Path) -> None:
    result, server, bot = play(tmp_path, "plays", hands=24)
    assert result.tally.faults.of_player(0) == {}
    said = [entry.action for entry in bot.ledger.entries.values()]
    assert 0 in said  # nobody bets into it, so that it hardly ever folds
    assert max(action or 0 for action in said) > 100
    used = bot.usage()
    assert 100 < used["tokens_in"] / used["decisions"] < 400
    assert len(server.asked) == used["decisions"]


def test_the_prompt_is_a_summary_and_not_a_transcript(tmp_path: Path) -> None:
    _, server, _ = play(tmp_path, "raises", hands=2)
    prompts = [message["messages"][1]["content"] for message in server.asked]
    assert all(len(message["messages"]) == 2 for message in server.asked)
    assert max(map(len, prompts)) < 1_500
    assert any("Board: none yet (before the flop)" in prompt for prompt in prompts)
    assert any("you bets or raises to" in prompt for prompt in prompts)
    assert {message["model"] for message in server.asked} == {"stand-in"}


def test_a_stored_match_is_resumed_without_asking_again(tmp_path: Path) -> None:
    """The same hands whatever the order of the answers; the ledger holds prompt, answer, tokens, seconds, retries."""
    server = ChatServer("in any order")
    with served(server) as url:
        bot = config(tmp_path, url, concurrency=8)
        play_stored(match_of(bot, 6), tmp_path / "one")
        asked = len(server.asked)
        assert 1 < server.most_at_once <= 8
        play_stored(match_of(bot, 6), tmp_path / "two")
        assert actions_of(tmp_path / "one") == actions_of(tmp_path / "two")
        assert len(server.asked) == 2 * asked
        first = read_ledger(tmp_path / "one" / "chat-0.jsonl")
        assert len(first) == asked
        assert first[0].answers[0].startswith('{"action"')
        assert (first[0].tokens_in, first[0].tokens_out, first[0].retries) == (100, 10, 0)
        # A crash: hands that were not stored yet are played again from the ledger.
        (tmp_path / "three").mkdir()
        play_stored(match_of(bot, 6), tmp_path / "three")
        for file in (tmp_path / "three").iterdir():
            if file.name != "chat-0.jsonl":
                file.unlink()
        kept = (tmp_path / "three" / "chat-0.jsonl").read_bytes()
        (tmp_path / "three" / "chat-0.jsonl").unlink()
        before = len(server.asked)
        match = match_of(bot, 6)
        from luckless.histories.match_writer import MatchWriter

        MatchWriter.open(tmp_path / "three", match).close()
        (tmp_path / "three" / "chat-0.jsonl").write_bytes(kept + b'{"key": "cut o')
        play_stored(match, tmp_path / "three")
        assert len(server.asked) == before
        assert actions_of(tmp_path / "three") == actions_of(tmp_path / "one")
        assert (tmp_path / "three" / "chat-0.jsonl").read_bytes() == kept


def test_the_key_is_sent_and_stored_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_KEY", "sk-very-secret")
    server = ChatServer()
    with served(server) as url:
        bot = config(tmp_path, url, key_env="STAND_IN_KEY")
        result = play_stored(match_of(bot, 2), tmp_path / "m")
        assert set(server.keys) == {"Bearer sk-very-secret"}
        for file in (tmp_path / "m").iterdir():
            assert b"very-secret" not in file.read_bytes()
        assert "very-secret" not in json.dumps(result.to_dict()) + repr(load_bot(bot)) + json.dumps(
            load_bot(bot).parameters
        )


def test_a_budget_ends_the_match_cleanly_and_more_money_goes_on(tmp_path: Path) -> None:
    server = ChatServer()
    with served(server) as url:
        whole = play_stored(match_of(config(tmp_path, url), 60), tmp_path / "whole")
        full = len(server.asked)
        server.asked.clear()
        bot = config(tmp_path, url, budget=0.00015 * full / 2)
        with pytest.warns(UserWarning, match=r"the budget of .* dollars is spent"):
            first = _played_or_none(match_of(bot, 60), tmp_path / "m")
        assert first is None or first.interrupted
        assert len(server.asked) <= full / 2 + 5
        assert first is None or first.tally.faults.of_player(0) == {}
        bot = config(tmp_path, url, budget=5.0)
        again = play_stored(match_of(bot, 60), tmp_path / "m")
        assert len(server.asked) == full
        assert np.array_equal(again.tally.net_chips, whole.tally.net_chips)
        assert actions_of(tmp_path / "m") == actions_of(tmp_path / "whole")


def _played_or_none(match: Match, folder: Path) -> MatchResult | None:
    """The result, or none if the match ended before any hand was over."""
    try:
        return play_stored(match, folder)
    except KeyboardInterrupt:
        return None


def test_the_result_block_shows_cost_and_latency(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(ChatServer()) as url:
        bot = config(tmp_path, url)
        shell = Shell(monkeypatch, capsys, "match", bot, "call", "--hands", "2", "--seed", "3")
        facts = shell.json()
        assert facts["bots"][0]["usage"]["cost_usd"] > 0
        assert "usage" not in facts["bots"][1]
        code, out, _ = shell.run()
        assert code == 0
        assert "dollars" in out
        assert "in the median" in out


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no model": ({"model": None}, "key 'model' is missing"),
    "a budget of zero": ({"budget": 0.0}, "budget is 0.0; allowed is dollars above 0"),
    "a budget without prices": ({"budget": 1.0, "price_in": 0.0, "price_out": 0.0}, "a budget needs price_in"),
    "an unknown key": ({"modell": "x"}, "unknown key 'modell'; did you mean 'model'?"),
    "an unknown name in the template": ({"prompt": "{cards}"}, "the prompt names {cards}; allowed are game, seats"),
    "a brace alone": ({"prompt": "{"}, "the prompt cannot be read as a template"),
    "no address": ({"base_url": "localhost"}, "'localhost' is not the address of a server"),
    "no key": ({"key_env": "NO_SUCH_KEY"}, "the environment variable NO_SUCH_KEY is not set"),
    "no connections": ({"concurrency": 0}, "concurrency is 0; allowed is 1 to 256"),
    "a server that is not there": ({"base_url": "http://127.0.0.1:9/v1"}, "no server answers at 127.0.0.1:9"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_configs_are_refused_before_any_hand(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    values, said = BAD[case]
    bot = config(tmp_path, "http://127.0.0.1:9", **{key: value for key, value in values.items() if value is not None})
    if "model" in values:
        text = (tmp_path / "chat.toml").read_text()
        (tmp_path / "chat.toml").write_text("\n".join(line for line in text.splitlines() if "model" not in line))
    shell = Shell(monkeypatch, capsys)
    assert said in shell.refused("match", bot, "call", "--hands", "2")
    assert "cannot read the chat config" in shell.refused("match", f"chat:{tmp_path}/none.toml", "call")


class _View:
    to_call, min_raise_to, max_raise_to = 100, 300, 20_000


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('{"action": "fold"}', -1),
        ('{"action": "Call"}', 0),
        ('{"action": "raise", "amount": 450}', 450),
        ('{"action":"raise","amount":"1,200"}', 1_200),
        ('{"action": "raise", "to": 500.0}', 500),
        ('{"action": "raise to 700"}', 700),
        ('{"action": "all-in"}', 20_000),
        ('{"action": "all_in"}', 20_000),
        ('First {"action": "fold"}, no: {"action": "call"}', 0),
        ("I raise to 600.", 600),
        ("Action: call (I would never fold here or raise)", 0),
        ("My final answer is: **raise to $900**", 900),
        ("fold", -1),
    ],
)
def test_answers_are_read_tolerantly(text: str, action: int) -> None:
    view: Any = _View()
    assert parse_action(text, view) == action


@pytest.mark.parametrize(
    "text",
    ["", "hm", "fold or call", '{"action": "raise"}', '{"action": "raise", "amount": 5}', '{"action": "dance"}',
     '{"action": "raise", "amount": 1e99}', '{"action": "raise", "amount": true}'],
)  # fmt: skip
def test_other_answers_are_not_guessed(text: str) -> None:
    view: Any = _View()
    with pytest.raises(Unusable):
        parse_action(text, view)


def test_an_untrusted_text_is_not_connected_to() -> None:
    assert foreign_code("chat:x.toml") == "asks the model of x.toml"
    assert foreign_code("http://h/p") == "asks the server //h/p"


def test_a_damaged_ledger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "l.jsonl").write_text('{"key": 5}\n')
    with pytest.raises(InputError, match="line 1: not a decision of a model"):
        read_ledger(tmp_path / "l.jsonl")
