"""How much work rounds of a division are beside others: for the order of tasks and the time left, not for results."""

from luckless.league.run import Run
from luckless.league.students import effort_of


def effort_of_round(run: Run, division: int) -> float:
    """About how often a student's decisions of a round go through a network, in play and in lessons.

    A student has one seat of several; those of the others go through theirs once. In evaluation nobody learns.
    """
    playing = float(run.game.seats)
    if division >= run.divisions:
        return playing
    rules = run.season.division[division]
    lessons = 1 - rules.six_teachers if rules.matchup == "climbing" else 1.0
    kinds = [run.season.learner_of(student) for student in rules.students]
    return playing + lessons * sum(effort_of(*kind) for kind in kinds) / len(kinds)
