"""Stored evaluations: the results of unstored ones, resumed after a crash or an interrupt, loaded without bots."""

from pathlib import Path
from typing import Any

import pytest

from crashes import crashes_at
from luckless.bots.catalogue import load_bot
from luckless.errors import InputError
from luckless.histories import match_writer
from luckless.histories.store import StoredHands
from luckless.histories.stored_evaluation import load_evaluation, play_evaluation
from luckless.matches.evaluation import Evaluation
from luckless.matches.playing import Chunk
from luckless.report.evaluation_report import evaluation_report
from luckless.rules.game import Game

MINE = "class Mine:\n    def decide(self, view, dice):\n        return 0 if view.to_call <= view.big_blind else -1\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE)


def evaluated(
    folder: Path | None = None,
    compare: str | None = "raise",
    against: tuple[str, ...] = ("call", "random"),
    **other: Any,
) -> Evaluation:
    """Our bot against two opponents, or others."""
    settings: dict[str, Any] = {"hands": 120, "seed": 3, **other}
    opponents = [load_bot(name) for name in against]
    second = load_bot(compare) if compare else None
    return play_evaluation(
        load_bot("mine.py:Mine"), opponents, Game.load("limit-hu"), compare=second, folder=folder, **settings
    )


@pytest.mark.parametrize("compare", ["raise", None])
def test_a_stored_evaluation_is_the_unstored_one_and_loads_without_bots(compare: str | None) -> None:
    plain = evaluated(compare=compare)
    stored = evaluated(Path("e"), compare)
    assert stored.to_dict() == plain.to_dict()
    Path("mine.py").unlink()
    loaded = load_evaluation(Path("e"))
    assert loaded.to_dict() == stored.to_dict()
    assert loaded.comparisons == stored.comparisons
    assert evaluation_report(loaded) == evaluation_report(stored)
    assert not loaded.interrupted


def test_a_longer_evaluation_goes_on_with_its_matches() -> None:
    evaluated(Path("e"))
    assert evaluated(Path("e"), hands=200).to_dict() == evaluated(hands=200).to_dict()
    assert load_evaluation(Path("e")).to_dict() == evaluated(hands=200).to_dict()
    with pytest.raises(InputError, match="holds 200 hands of this match already"):
        evaluated(Path("e"))


def test_further_opponents_are_met_in_the_same_folder() -> None:
    evaluated(Path("e"))
    met = ("fold", "call", "raise", "random")
    assert evaluated(Path("e"), against=met).to_dict() == evaluated(against=met).to_dict()
    assert load_evaluation(Path("e")).to_dict() == evaluated(against=met).to_dict()
    names = sorted(path.name for path in Path("e").iterdir() if path.is_dir())
    places = ["1-call", "2-random", "3-fold", "4-raise"]
    assert names == [*places, *(f"compared-{place}" for place in places)]
    with pytest.raises(InputError, match="its opponents are"):
        evaluated(Path("e"))


def test_a_crash_at_any_step_is_made_good(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evaluated().to_dict()
    for step in range(0, 100, 3):
        folder = Path(f"e{step}")
        if not crashes_at(step, lambda folder=folder: evaluated(folder), monkeypatch):  # type: ignore[misc]
            break
        if any(folder.glob("1-call/hands-*.parquet")) and StoredHands.open(folder / "1-call").chunks:
            loaded = load_evaluation(folder)
            assert loaded.trials[0].result.hands == 120
            assert loaded.interrupted == (len(loaded.trials) + len(loaded.others) < 4)
        assert evaluated(folder).to_dict() == whole
        assert load_evaluation(folder).to_dict() == whole
    assert step > 12


def test_an_interrupted_evaluation_is_kept_and_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Chunk] = []
    add = match_writer.MatchWriter.add

    def stop(writer: match_writer.MatchWriter, chunk: Chunk) -> None:
        add(writer, chunk)
        seen.append(chunk)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(match_writer.MatchWriter, "add", stop)
        patch.setattr("luckless.matches.pace.GROWTH", 8)  # so that the second chunk is not the last
        stopped = evaluated(Path("e"))
    assert stopped.interrupted
    assert [trial.result.hands for trial in stopped.trials] == [sum(map(len, seen))]
    assert sum(map(len, seen)) < 120
    assert load_evaluation(Path("e")).to_dict() == stopped.to_dict()
    assert evaluated(Path("e")).to_dict() == evaluated().to_dict()


def test_a_folder_holds_one_evaluation() -> None:
    evaluated(Path("e"))
    for words, said in (
        ({"seed": 4}, "its seed is 3, not 4"),
        ({"compare": "fold"}, "its compared_with is raise, not fold"),
        ({"decks": "fresh"}, "its decks is None, not fresh"),
    ):
        with pytest.raises(InputError, match=said):
            evaluated(Path("e"), **words)
    Path("full").mkdir()
    Path("full/thesis.txt").write_text("precious")
    with pytest.raises(InputError, match="choose a new folder"):
        evaluated(Path("full"))
    Path("e/evaluation.json").write_text("{")
    with pytest.raises(InputError, match="not a valid record of an evaluation"):
        load_evaluation(Path("e"))
