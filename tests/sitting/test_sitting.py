"""A person's match outside of any terminal: hands that go on after a crash, stories, grades."""

from pathlib import Path

import pytest

from luckless.bots.catalogue import load_bot
from luckless.histories.store import StoredHands
from luckless.rules.game import Game
from luckless.sitting.grading import grade_hand, menu, pot_share_raise
from luckless.sitting.open_hand import PERSON
from luckless.sitting.sitting import Sitting
from luckless.sitting.skill import RunningSkill
from luckless.sitting.story import Story
from luckless.skill.verdict import Knowledge


def plan(folder: Path | None, *bots: str, game: str = "nolimit-3max", hands: int = 4) -> Sitting:
    return Sitting.plan(Game.load(game), [load_bot(bot) for bot in bots], "Ada", hands, 7, folder)


def test_a_hand_that_was_cut_off_goes_on_and_ends_alike(tmp_path: Path) -> None:
    """Whatever step a crash comes at, all hands are those of a match that was never cut off."""
    with plan(None, "uniform", "raise") as whole:
        while not whole.complete:
            hand = whole.deal()
            while hand.view() is not None:
                whole.act(0)
            whole.end_hand()
    steps = 0
    while True:
        with plan(tmp_path / "t", "uniform", "raise", hands=4 - len(_stored(tmp_path / "t"))) as cut:
            hand = cut.deal()
            assert (len(hand.actions) > 0) >= (steps > 0 and cut.left_open())
            if hand.view() is not None:
                cut.act(0)
                steps += 1
            if hand.over:
                cut.end_hand()
            if cut.complete:
                break
    assert steps > 6
    assert _stored(tmp_path / "t") == [one.hands.records.actions.tolist() for one in whole.played]


def _stored(folder: Path) -> list[list[int]]:
    if not folder.exists():
        return []
    batches = StoredHands.open(folder).columns()
    return [batch.records.actions_of(row).tolist() for batch in batches for row in range(len(batch))]


def test_giving_up_checks_or_folds_to_the_end(tmp_path: Path) -> None:
    with plan(tmp_path / "t", "raise", game="nolimit-hu") as sitting:
        sitting.deal()
        sitting.give_up()
        assert sitting.hands == 1
        assert sitting.chips <= 0
        assert sitting.finish().hands == 1


def test_a_story_tells_everything_once() -> None:
    with plan(None, "call", game="nolimit-hu") as sitting:
        hand = sitting.deal()
        story = Story(sitting.match.game, hand.names)
        told = []
        while (view := hand.view()) is not None:
            told += list(story.follow(view.history, view.street))
            sitting.act(0)
        texts = [one.text for one in told]
        assert texts.count("flop") == texts.count("turn") == texts.count("river") == 1
        assert any(text.startswith("call ") for text in texts)


def test_pot_shares_stay_within_what_is_allowed() -> None:
    with plan(None, "call", game="nolimit-hu") as sitting:
        view = sitting.deal().view()
        assert view is not None
        level = view.street_bets[view.seat] + view.to_call
        assert pot_share_raise(view, 1.0) == level + view.pot + view.to_call
        assert pot_share_raise(view, 0.0) == view.min_raise_to
        assert pot_share_raise(view, 1e6) == view.max_raise_to
        assert menu(view)[-1] == view.max_raise_to


def test_folding_the_best_hand_is_a_mistake_and_calling_with_it_is_not() -> None:
    """By all cards: at the river against a bot that always calls, nothing gained can be left to a fold."""
    with plan(None, "all-in", game="nolimit-hu", hands=6) as sitting:
        grades = []
        skill = RunningSkill(sitting.match)
        while not sitting.complete:
            hand = sitting.deal()
            while hand.view() is not None:
                sitting.act(0)
            chunk = sitting.end_hand()
            skill.add(chunk.hands)
            grades += grade_hand(chunk.hands, Knowledge(), {})
        told = skill.to_dict()
    assert told["by"] == "aivat"
    assert told["hands"] == 6
    assert sum(skill.money) == pytest.approx(sitting.chips / 100)
    assert grades
    for grade in grades:
        assert grade.best.worth >= grade.made.worth
        assert grade.loss == pytest.approx(grade.best.worth - grade.made.worth)
        assert (grade.grade == "best") == (grade.loss <= 0.02 * grade.pot / 100)
    assert PERSON == 0
