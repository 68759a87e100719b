"""Rounds for the tests of learners: play, learn, measure."""

from collections.abc import Sequence

from luckless.bots.bot import Bot
from luckless.bots.lineup import Lineup
from luckless.keys import Keys
from luckless.learn.decisions import Lesson
from luckless.learn.learner import Learner
from luckless.matches.match import Match
from luckless.matches.playing import Chunk, Playing
from luckless.matches.result import play_match
from luckless.rules.game import Game
from luckless.stats.estimate import Estimate


def play_round(game: Game, bots: Sequence[Bot], hands: int, seed: int) -> Chunk:
    """Hands with fresh decks and random seats, all in one chunk."""
    match = Match.plan(game, bots, hands=hands, seed=seed, decks="fresh")
    playing = Playing(match.game, Lineup.of(bots), Keys(seed))
    with playing:
        return playing.play(match.seated(0, hands))


def teach(learner: Learner, game: Game, others: Sequence[Bot], *, rounds: int, hands: int, seed: int = 1) -> None:
    """Rounds of the learner against the others, each followed by a lesson."""
    for number in range(rounds):
        chunk = play_round(game, [learner.bot(), *others], hands, seed + number)
        progress = learner.learn(Lesson.of([chunk], [0], seed + number))
        assert not progress.fault


def win_rate(bot: Bot, game: Game, others: Sequence[Bot], *, hands: int, seed: int = 999) -> Estimate:
    """What the bot wins from the others, in mbb a hand, with duplicate decks."""
    return play_match(Match.plan(game, [bot, *others], hands=hands, seed=seed)).estimate(0)
