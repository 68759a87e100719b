"""PyPokerEngine's players here: the same messages, in the same order, as PyPokerEngine sends for the same hand."""

import itertools
import random
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from luckless.bots.catalogue import load_bot
from luckless.bots.dice import Dice
from luckless.bots.external.pypoker import PyPokerPlayer, _action_of
from luckless.bots.external.pypoker_round import hand_info
from luckless.bots.python_bot import bot_of
from luckless.cards import parse_card, parse_cards
from luckless.errors import InputError
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.matches.session import Sessions, play_sessions
from luckless.rules.endings import ending_of
from luckless.rules.game import Game
from luckless.rules.table import Table

Message = tuple[str, tuple[Any, ...]]
BLIND, STACK = 60, 60 * 100


class Recorder:
    """Keeps everything that it is told and asked; answers as its script says."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.script: list[tuple[str, int]] = []

    def set_uuid(self, uuid: str) -> None:
        """Its name at the table."""
        self.uuid = uuid

    def declare_action(self, valid_actions: Any, hole_card: Any, round_state: Any) -> tuple[str, int]:
        """The next line of the script."""
        self.messages.append(("ask", (valid_actions, hole_card, round_state)))
        return self.choose(valid_actions)

    def choose(self, valid_actions: Any) -> tuple[str, int]:
        """From the script."""
        return self.script.pop(0)

    def receive_game_start_message(self, game_info: Any) -> None:
        """Kept."""
        self.messages.append(("game", (game_info,)))

    def receive_round_start_message(self, round_count: Any, hole_card: Any, seats: Any) -> None:
        """Kept."""
        self.messages.append(("round", (round_count, hole_card, seats)))

    def receive_street_start_message(self, street: Any, round_state: Any) -> None:
        """Kept."""
        self.messages.append(("street", (street, round_state)))

    def receive_game_update_message(self, new_action: Any, round_state: Any) -> None:
        """Kept."""
        self.messages.append(("update", (new_action, round_state)))

    def receive_round_result_message(self, winners: Any, hand_info: Any, round_state: Any) -> None:
        """Kept."""
        self.messages.append(("result", (winners, hand_info, round_state)))


@dataclass
class PlayedRound:
    """A round as PyPokerEngine played it: what every player was told."""

    messages: list[list[Message]] = field(default_factory=list)

    @property
    def small_blind_place(self) -> int:
        """Where the small blind sat."""
        place: int = self.messages[0][1][1][1]["small_blind_pos"]
        return place


def played_rounds(players: int, rounds: int, seed: int) -> tuple[list[str], list[PlayedRound]]:
    """Rounds of a real PyPokerEngine game between players that act at random, on amounts that split evenly."""
    game = pytest.importorskip("pypokerengine.api.game")
    base = pytest.importorskip("pypokerengine.players").BasePokerPlayer
    dice = random.Random(seed)

    class Random(Recorder, base):  # type: ignore[misc, valid-type]
        def choose(self, valid_actions: Any) -> tuple[str, int]:
            call, most = valid_actions[1]["amount"], valid_actions[2]["amount"]["max"]
            least = max(2 * call, 4 * BLIND)  # a full raise by either engine's rules
            steps = (most - least) // (2 * BLIND)
            kind = dice.choices(("call", "raise", "fold"), (6, 3, 1))[0]
            if kind == "raise" and steps >= 0:
                return "raise", least + 2 * BLIND * dice.randint(0, min(steps, 6)) if dice.random() < 0.8 else most
            return ("fold", 0) if kind == "fold" and call else ("call", call)

    config = game.setup_config(max_round=rounds, initial_stack=STACK, small_blind_amount=BLIND)
    seated = [Random() for _ in range(players)]
    for place, player in enumerate(seated):
        config.register_player(f"p{place}", player)
    random.seed(seed)
    game.start_poker(config, verbose=0)
    found: list[PlayedRound] = []
    for player in seated:
        starts = [place for place, (kind, _) in enumerate(player.messages) if kind == "round"]
        for number, (first, last) in enumerate(itertools.pairwise([*starts, None])):
            if number == len(found):
                found.append(PlayedRound())
            found[number].messages.append(player.messages[first:last])
    return [player.uuid for player in seated], found


def replay(played: PlayedRound, own: int, uuids: list[str]) -> list[Message]:
    """The same hand through our engine: what the player at place `own` is told by our adapter."""
    seats = len(uuids)
    first = played.small_blind_place
    place_of = [(first + seat) % seats for seat in range(seats)]
    posted = [BLIND, 2 * BLIND] + [0] * (seats - 2)
    at_start = played.messages[0][0][1][2]
    stacks = tuple(at_start[place_of[seat]]["stack"] + posted[seat] for seat in range(seats))
    game = Game(name="theirs", betting="no-limit", seats=seats, blinds=tuple(posted), stacks=stacks)
    holes = [parse(card) for seat in range(seats) for card in played.messages[place_of[seat]][0][1][1]]
    board = [parse(card) for card in played.messages[0][-1][1][2]["community_card"]]
    table = Table(game, [[*holes, *board]])
    updates = [message[0] for kind, message in played.messages[0] if kind == "update"]
    recorder, seat = Recorder(), place_of.index(own)
    recorder.script = [(said["action"], said["amount"]) for said in updates if said["player_uuid"] == uuids[own]]
    adapter = PyPokerPlayer(recorder)
    adapter.match_starts(game)
    words = Dice(np.zeros(4, np.uint64))
    for said in updates:
        actor = int(table.public["actor"][0])
        assert uuids[place_of[actor]] == said["player_uuid"]
        action = {"fold": -1, "call": 0}.get(said["action"], said["amount"])
        if actor == seat:
            assert adapter.decide(table.views(np.array([0])).one(0), words) == action
        table.act(np.array([0]), [action])
    adapter.hand_over(ending_of(table, table.records(), 0, seat))
    assert recorder.messages.pop(0)[0] == "game"
    return recorder.messages


def parse(card: str) -> int:
    """A card with its suit in front."""
    return parse_card(card[1] + card[0].lower())


def plain(message: Any, names: dict[str, int], turn: int, seats: int) -> Any:
    """A message with places counted from the player itself, and without names."""
    if isinstance(message, dict):
        message = {key: value for key, value in message.items() if key not in ("name", "round_count")}
        for key in ("dealer_btn", "next_player", "small_blind_pos", "big_blind_pos"):
            if isinstance(message.get(key), int):
                message[key] = (message[key] - turn) % seats
        if "seats" in message:
            message["seats"] = message["seats"][turn:] + message["seats"][:turn]
        if "eligibles" in message:
            message["eligibles"] = sorted(plain(name, names, turn, seats) for name in message["eligibles"])
        return {key: plain(value, names, turn, seats) for key, value in message.items()}
    if isinstance(message, list | tuple):
        return [plain(value, names, turn, seats) for value in message]
    return names.get(message, message) if isinstance(message, str) else message


@pytest.mark.parametrize("players", [3, 4, 6])
def test_the_same_hand_gives_the_same_messages(players: int) -> None:
    """Every message that PyPokerEngine sent, value by value; the differences that are meant are taken out first.

    Bounds of a raise are ours: PyPokerEngine allows one by the small blind before the flop, none that is all-in for
    less than the smallest, and also one that nobody can answer.
    """
    compared = results = showdowns = 0
    for seed in range(10):
        uuids, rounds = played_rounds(players, 3, seed)
        for played, own in itertools.product(rounds, range(players)):
            if any(player["stack"] == 0 for player in played.messages[0][0][1][2]):
                break  # somebody is out: they leave a bust player at the table, we do not
            theirs, ours = played.messages[own], replay(played, own, uuids)
            assert [kind for kind, _ in ours] == [kind for kind, _ in theirs]
            names = {uuid: (place - own) % players for place, uuid in enumerate(uuids)}
            here = {f"luckless-place-{place}": place for place in range(players)}
            for (kind, told), (_, wanted) in zip(ours, theirs, strict=True):
                said, meant = plain(list(told), here, 0, players), plain(list(wanted), names, own, players)
                if kind == "round":
                    said, meant = said[1:], [meant[1], meant[2][own:] + meant[2][:own]]
                if kind == "ask":
                    bounds = [asked[0][2].pop("amount") for asked in (said, meant)]  # by our rules
                    assert all(set(bound) == {"min", "max"} for bound in bounds)
                if kind == "result":
                    showdowns += bool(meant[1])
                    if not _comparable(said, meant):
                        continue
                    results += 1
                assert said == meant, kind
                compared += 1
    assert compared > 500
    assert showdowns > 10
    assert results > 10


def _comparable(said: Any, meant: Any) -> bool:
    """Takes out of two results what differs by intent; False where their evaluator, which knows neither
    kickers nor a straight from the ace, says something else of the hands."""
    for part in (said, meant):
        part[0].sort(key=lambda seat: seat["uuid"])
        part[1].sort(key=lambda info: info["uuid"])
    if not meant[1]:
        said[2]["community_card"] = meant[2]["community_card"]  # they deal the board to its end
    winners, theirs = ([seat["uuid"] for seat in part[0]] for part in (said, meant))
    wheel = any(info["hand"]["hand"]["high"] == 1 for info in said[1])
    return winners == theirs and not wheel


def test_hands_are_described_in_the_same_words() -> None:
    evaluator = pytest.importorskip("pypokerengine.engine.hand_evaluator").HandEvaluator
    cards_of = pytest.importorskip("pypokerengine.engine.card").Card
    dice = np.random.default_rng(1)
    for _ in range(4000):
        cards = dice.permutation(52)[:7].tolist()
        ranks = {card // 4 for card in cards}
        if {12, 0, 1, 2, 3} <= ranks:
            continue  # they do not know that an ace begins a straight
        theirs = [cards_of(2 << card % 4, card // 4 + 2) for card in cards]
        wanted = evaluator.gen_hand_rank_info(theirs[:2], theirs[2:])
        assert hand_info((cards[0], cards[1]), cards[2:]) == wanted
    wheel = parse_cards("Ac2d3h4s5c9dJh")
    assert hand_info((wheel[0], wheel[1]), wheel[2:])["hand"] == {"strength": "STRAIGHT", "high": 1, "low": 0}


PLAYERS = """
from pypokerengine.players import BasePokerPlayer
from beside_it import CHOICE

class Caller(BasePokerPlayer):
    def declare_action(self, valid_actions, hole_card, round_state):
        action = valid_actions[1]
        return action["action"], action["amount"]
    def receive_game_start_message(self, game_info): self.players = game_info["player_num"]
    def receive_round_start_message(self, round_count, hole_card, seats): assert self.uuid == seats[0]["uuid"]
    def receive_street_start_message(self, street, round_state): pass
    def receive_game_update_message(self, action, round_state): pass
    def receive_round_result_message(self, winners, hand_info, round_state): pass

class Raiser(Caller):
    def declare_action(self, valid_actions, hole_card, round_state):
        most = valid_actions[2]["amount"]["max"]
        return ("raise", float(most)) if most > 0 else ("call", valid_actions[1]["amount"])

class Broken(Caller):
    def receive_round_start_message(self, round_count, hole_card, seats):
        raise RuntimeError("I do not like these cards")

class Blind(Caller):
    def declare_action(self, valid_actions, hole_card, round_state):
        return "raise", -1

class Odd(Caller):
    def declare_action(self, valid_actions, hole_card, round_state):
        return "bet"

class Bare(BasePokerPlayer):
    def declare_action(self, valid_actions, hole_card, round_state):
        return "call", 0

class NoPlayer:
    pass
"""


@pytest.fixture
def players(tmp_path: Path) -> Path:
    """A file with players, and a module beside it."""
    path = tmp_path / "players.py"
    path.write_text(PLAYERS)
    (tmp_path / "beside_it.py").write_text("CHOICE = 1\n")
    return path


def play(text: str, game: str = "nolimit-6max") -> tuple[dict[str, int], list[int]]:
    """A match against shipped bots: faults by kind, and chips."""
    others = [load_bot(name) for name in ("uniform", "call", "all-in")]
    match = Match.plan(Game.load(game), [load_bot(text), *others], hands=60, seed=4, decks="fresh")
    result = play_match(match)
    return result.tally.faults.of_player(0), result.tally.net_chips.tolist()


@pytest.mark.parametrize(("name", "shipped"), [("Caller", "call"), ("Raiser", "all-in"), ("Bare", "call")])
@pytest.mark.parametrize("game", ["nolimit-6max", "limit-6max", "potlimit-6max"])
def test_players_play_as_the_shipped_bots_of_the_same_rule(players: Path, name: str, shipped: str, game: str) -> None:
    assert play(f"pypoker:{players}:{name}", game) == play(shipped, game)


@pytest.mark.parametrize(("name", "kind"), [("Broken", "exception"), ("Blind", "exception"), ("Odd", "nonsense")])
def test_faults_of_players_are_counted(players: Path, name: str, kind: str) -> None:
    faults, _ = play(f"pypoker:{players}:{name}")
    assert set(faults) == {kind}


@pytest.mark.parametrize("game", ["river-hu", "limit-hu", "nolimit-hu"])
def test_heads_up_and_river_games(players: Path, game: str) -> None:
    recorder = Recorder()
    recorder.choose = lambda valid_actions: ("call", 0)  # type: ignore[method-assign]
    bot = bot_of(PyPokerPlayer(recorder), "recorder")
    result = play_match(Match.plan(Game.load(game), [bot, load_bot("uniform")], hands=40, seed=4))
    assert not result.tally.faults.cases
    kinds = [kind for kind, _ in recorder.messages]
    assert kinds.count("round") == kinds.count("result") == 40
    assert kinds.count("game") == 1
    for kind, message in recorder.messages:
        if kind in ("street", "update", "ask"):
            state = message[-1]
            chips = sum(seat["stack"] for seat in state["seats"]) + state["pot"]["main"]["amount"]
            chips += sum(pot["amount"] for pot in state["pot"]["side"])
            assert chips == sum(Game.load(game).stacks) + Game.load(game).pot
            assert {state["small_blind_pos"], state["big_blind_pos"]} == {0, 1}
            assert state["dealer_btn"] == state["small_blind_pos"]


@pytest.mark.parametrize(
    ("end", "problem"),
    [
        ("players.py:NoPlayer", "has no `declare_action"),
        ("players.py:Nobody", "has no class 'Nobody'; it has Caller"),
        ("nothing.py:Player", "there is no file"),
        ("players.py", "write it as"),
    ],
)
def test_what_cannot_be_loaded_is_named(players: Path, end: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        load_bot(f"pypoker:{players.parent / end}")


def test_answers_are_read_as_pypokerengine_reads_them() -> None:
    view = Table.dealt("nolimit-hu", 1, [0]).views(np.array([0])).one(0)
    assert _action_of(("fold", 0), view) == -1
    assert _action_of(("call", 20), view) == 0
    assert _action_of(("raise", 40), view) == 40
    assert _action_of(["raise", np.float64(40.9)], view) == 40
    for odd in ("check", None, ("check", 0), 3):
        assert _action_of(odd, view) == odd


def test_bare_words_are_answers_too() -> None:
    """As players of limit games give them; a raise that is closed is a call, as in the engine they know."""
    view = Table.dealt("nolimit-hu", 1, [0]).views(np.array([0])).one(0)
    assert [_action_of(word, view) for word in ("fold", "call", "raise")] == [-1, 0, view.min_raise_to]
    assert _action_of("raise", replace(view, min_raise_to=0, max_raise_to=0)) == 0


def test_every_session_is_a_game() -> None:
    """One game start a session; rounds are counted from 1, and their number and the chips at the start are true."""
    recorder = Recorder()
    recorder.choose = lambda valid_actions: ("raise", valid_actions[2]["amount"]["max"])  # type: ignore[method-assign]
    bot = bot_of(PyPokerPlayer(recorder), "recorder")
    plan = Sessions.plan([bot, load_bot("uniform")], rounds=6, stack=400, blinds=(5, 10), games=8, seed=3)
    rounds = play_sessions(plan).rounds.tolist()
    assert len(set(rounds)) > 1, "some sessions end early"
    starts = [message[0] for kind, message in recorder.messages if kind == "game"]
    assert len(starts) == 8
    assert {start["rule"]["max_round"] for start in starts} == {6}
    assert {start["rule"]["initial_stack"] for start in starts} == {400}
    assert all([seat["stack"] for seat in start["seats"]] == [400, 400] for start in starts)
    counts = [message[0] for kind, message in recorder.messages if kind == "round"]
    assert counts == [number for played in rounds for number in range(1, played + 1)]


def test_a_match_is_one_game_whose_length_is_not_told() -> None:
    recorder = Recorder()
    recorder.choose = lambda valid_actions: ("call", 0)  # type: ignore[method-assign]
    bot = bot_of(PyPokerPlayer(recorder), "recorder")
    play_match(Match.plan(Game.load("nolimit-hu"), [bot, load_bot("call")], hands=5, seed=4))
    (start,) = [message[0] for kind, message in recorder.messages if kind == "game"]
    assert start["rule"]["max_round"] == 1_000_000
    assert [message[0] for kind, message in recorder.messages if kind == "round"] == [1, 2, 3, 4, 5]


COURSE_PLAYER = """
from game.players import BasePokerPlayer
from agents.shared import CHOICE

class Mine(BasePokerPlayer):
    def declare_action(self, valid_actions, hole_card, round_state):
        return CHOICE
"""


def test_packages_one_folder_up_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout of course projects: `game/` beside `agents/`, the player in the latter."""
    monkeypatch.setattr(sys, "path", sys.path.copy())
    for name in ("game", "game.players", "agents", "agents.shared"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    for folder, name, text in (
        ("game", "players.py", "class BasePokerPlayer: pass\n"),
        ("agents", "shared.py", "CHOICE = 'call'\n"),
        ("agents", "mine.py", COURSE_PLAYER),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(text)
    assert play(f"pypoker:{tmp_path}/agents/mine.py:Mine") == play("call")


@pytest.mark.parametrize(
    ("module", "problem"),
    [
        (
            "course_engine.players",
            "course_engine is looked for beside the file, one folder up, and in the folders of",
        ),
        ("pypokerengine.no_such_part", "it needs PyPokerEngine itself: pip install pypokerengine"),
    ],
)
def test_a_missing_module_is_named_with_where_it_may_lie(tmp_path: Path, module: str, problem: str) -> None:
    (tmp_path / "player.py").write_text(f"import {module}\n")
    with pytest.raises(InputError, match=problem):
        load_bot(f"pypoker:{tmp_path}/player.py:Player")


def test_pypokerengine_need_not_be_installed(players: Path) -> None:
    """In a Python of its own that cannot see PyPokerEngine."""
    program = f"""
import sys, importlib.abc
class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "pypokerengine": raise ModuleNotFoundError(name)
from importlib import util
found = util.find_spec
util.find_spec = lambda name, package=None: None if name.startswith("pypokerengine") else found(name, package)
from luckless.bots.external.pypoker import load_pypoker_bot
sys.meta_path.insert(0, Hidden())
bot = load_pypoker_bot("pypoker:{players}:Caller")
assert type(bot.player._player).__mro__[1].__module__ == "luckless.bots.external.pypoker"
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
