"""Work in pieces: the same results whoever does them, and bots that travel by what they are made of."""

import pickle
import shutil
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import league_season
from crews import PickledCrew
from luckless import pieces
from luckless.bots.catalogue import load_bot
from luckless.bots.python_bot import bot_of
from luckless.cluster.cargo import PackedBot, dumped, packed, source_digest, unpacked
from luckless.cluster.places import working_on
from luckless.errors import InputError
from luckless.league.results import fingerprint
from luckless.league.run import Run
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.rules.game import Game
from luckless.threads import THREADS, core_count


def _match(*bots: str, hands: int = 40, **more: Any) -> Match:
    return Match.plan(Game.load("limit-hu"), [load_bot(bot) for bot in bots], hands=hands, **more)


def _hands(match: Match) -> list[np.ndarray]:
    chunks = list(match.chunks())
    parts = [[chunk.records.decks, chunk.records.payoffs, chunk.hands.players] for chunk in chunks]
    actions = np.concatenate([chunk.records.actions for chunk in chunks])
    return [*(np.concatenate(column) for column in zip(*parts, strict=True)), actions]


@pytest.mark.parametrize("decks", ["duplicate", "fresh"])
def test_a_match_on_a_crew_has_the_same_hands(decks: Any) -> None:
    alone = _hands(_match("call", "raise", decks=decks))
    crew = PickledCrew()
    with pieces.using(crew):
        shared = _hands(_match("call", "raise", decks=decks))
    assert sum(count for _, count in crew.pieces) == 40
    assert len(crew.pieces) > 1
    assert all(np.array_equal(one, other) for one, other in zip(alone, shared, strict=True))


def test_results_of_a_match_on_a_crew_are_the_same_numbers() -> None:
    alone = play_match(_match("call", "raise", hands=60)).to_dict()
    with pieces.using(PickledCrew()):
        shared = play_match(_match("call", "raise", hands=60)).to_dict()
    assert {key: value for key, value in shared.items() if key != "seconds"} == {
        key: value for key, value in alone.items() if key != "seconds"
    }


def test_a_bot_that_follows_the_hands_cannot_be_shared_out(tmp_path: Path) -> None:
    path = tmp_path / "rememberer.py"
    path.write_text("class Bot:\n    memory = True\n    def decide(self, view, dice):\n        return 0\n")
    match = _match(f"{path}:Bot", "call", decks="fresh")
    with pieces.using(PickledCrew()), pytest.raises(InputError, match="cannot be shared out"):
        list(match.chunks())


def test_a_bot_of_files_travels_with_what_it_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, there = tmp_path / "home", tmp_path / "there"
    home.mkdir()
    (home / "answers.py").write_text("ANSWER = 0\n")
    lines = ("import sys", "from pathlib import Path", "sys.path.insert(0, str(Path(__file__).parent))")
    body = (
        "import answers",
        "class Caller:",
        "    def decide(self, view, dice):",
        "        return answers.ANSWER",
    )
    (home / "caller.py").write_text("\n".join((*lines, *body)))
    bot = load_bot(f"mine={home / 'caller.py'}:Caller")
    data = dumped(bot)
    shutil.rmtree(home)
    monkeypatch.setenv("LUCKLESS_CACHE_DIR", str(there))
    back = pickle.loads(data)
    assert (back.name, back.spec) == (bot.name, bot.spec)
    assert back.fingerprint() == bot.fingerprint()
    assert sorted(path.name for path in (there / "cargo").rglob("*.py")) == ["answers.py", "caller.py"]


def test_a_bot_that_cannot_travel_is_refused() -> None:
    class Here:
        def decide(self, view: Any, dice: Any) -> int:
            return 0

    with pytest.raises(InputError, match="cannot be loaded again"):
        packed(bot_of(Here(), "here"))


def test_a_machine_without_the_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "node7")
    lost = PackedBot("exec:./no-such-program", "prog", "0")
    with pytest.raises(InputError, match=r"machine node7: .*no-such-program does not exist"):
        unpacked(lost)
    other = PackedBot("call", "call", "of another version")
    with pytest.raises(InputError, match="machine node7: bot call is not the same there"):
        unpacked(other)


def test_results_come_in_order_and_only_a_few_ahead() -> None:
    class Slow:
        workers = slots = 2

        def __init__(self) -> None:
            self.futures: list[Future[Any]] = []

        def submit(self, job: Any, piece: Any) -> "Future[Any]":
            self.futures.append(Future())
            if len(self.futures) == 5:  # the last of the window comes first
                for number, future in reversed(list(enumerate(self.futures))):
                    future.set_result(10 * number)
            elif len(self.futures) > 5:
                self.futures[-1].set_result(10 * (len(self.futures) - 1))
            return self.futures[-1]

    crew, taken = Slow(), list[int]()

    def items() -> Any:
        for number in range(9):
            taken.append(number)
            yield number

    found = pieces.in_order(crew, None, items())  # type: ignore[arg-type]
    assert next(found) == (0, 0)
    assert taken == [0, 1, 2, 3, 4]
    assert list(found) == [(number, 10 * number) for number in range(1, 9)]


def test_a_season_on_a_crew_ends_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    league_season.use_fakes(monkeypatch.setattr)
    monkeypatch.setattr("luckless.league.shared_out.SECONDS", 0.0)
    prints, crew = [], PickledCrew()
    for name, used in (("alone", None), ("shared", crew)):
        with pieces.using(used):
            assert league_season.play(tmp_path / name)
        run = Run.open(tmp_path / name)
        prints.append(fingerprint(run.store))
        run.store.close()
    assert prints[0] == prints[1]
    assert len(crew.pieces) > 12  # a piece a round of training, at least
    files = [sorted(path.name for path in (tmp_path / name).rglob("*.*z*")) for name in ("alone", "shared")]
    assert files[0] == files[1]


def test_one_thread_in_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS, "1")
    assert core_count() == 1
    monkeypatch.setenv(THREADS, "none")
    assert core_count() >= 1


def test_nothing_of_ray_is_imported_without_it() -> None:
    code = (
        "import sys\nfrom luckless.cli import main\n"
        "sys.argv = ['luckless', 'match', 'call', 'fold', '--hands', '4']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted(name for name in sys.modules if name == 'ray' or name.startswith('luckless.cluster')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_wrong_place_is_refused() -> None:
    for place in ("moon", "ray://", "ray://host", "ray://host:port", "http://host:80"):
        with pytest.raises(InputError, match="allowed is ray, auto or ray://HOST:PORT"), working_on(place):
            pass


def test_the_digest_of_the_source_follows_its_files(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    before = source_digest(tmp_path)
    (tmp_path / "a.py").write_text("2")
    assert source_digest(tmp_path) != before
    assert len(source_digest()) == 64
