"""What a DIVAT judgement says in rows and sentences."""

from luckless.cards import STREETS
from luckless.counted import counted
from luckless.divat.judgement import NO_SPREAD, Judgement
from luckless.divat.position import position_value
from luckless.divat.sweep import Sweep
from luckless.stats.estimate import STUDENT_BELOW, Estimate

FEWEST_SAMPLES = 10
"""With fewer samples no verdict is given, whatever the interval says; nor below `STUDENT_BELOW` if all are equal."""

_SIDE_MEASURES = {
    "position": "position",
    "evat": "EVAT (hindsight)",
    "dcash": "Dcash (baseline's money)",
    "money_minus_dcash": "money minus Dcash",
}
_BASELINE_MEASURES = {"round_ev": "EV of the baseline's betting", "fold_equity": "fold equity of the baseline"}


def header(judgement: Judgement, *, by_hand: bool = False) -> tuple[str, ...]:
    """The columns beside the names of rows; the spread is that of a sample, a pair's mean or a hand."""
    spread = "SD of pairs" if judgement.duplicate and not by_hand else "SD of hands"
    return "mean", "95 % interval", spread, "total"


def _row(name: str, rate: Estimate, total: float) -> tuple[str, ...]:
    spread = "-" if rate.sd is None else f"{rate.sd:.3f}"
    return name, f"{rate.mean:+.3f}", interval(rate), spread, f"{total:+,.1f}"


def interval(rate: Estimate) -> str:
    """The 95 % interval of an estimate."""
    return f"{rate.ci95[0]:+.3f} to {rate.ci95[1]:+.3f}" if rate.ci95 else "none"


def _half_width(rate: Estimate) -> float:
    return (rate.ci95[1] - rate.ci95[0]) / 2 if rate.ci95 else float("nan")


def judgement_rows(judgement: Judgement, *, whole: bool = False) -> list[tuple[str, ...]]:
    """One row a measure, under `header`; `whole` adds what the baseline's own betting was worth."""
    names = {"money": "money", "divat": "skill (DIVAT)"}
    mark = ""
    if judgement.unknown and judgement.unknown_as == "leave":
        names = {"money": "money, all hands", "money_judged": "money, judged hands", "divat": "skill (DIVAT)"}
    elif judgement.unknown:
        names, mark = {"money": "money", "divat": "skill (DIVAT or money)"}, " *"
    luck = {"luck": "luck of the cards (LFAT)"}
    if judgement.valuation.equity == "aie":  # there the two differ
        luck = {"luck": "luck of the cards", "lfat": "LFAT"}
    points = {"redgreen": f"RedGreen, {judgement.player}", "redgreen_opponent": f"RedGreen, {judgement.opponent}"}
    side = luck | _SIDE_MEASURES | points
    names |= {measure: name + mark for measure, name in (side | (_BASELINE_MEASURES if whole else {})).items()}
    return [_row(name, judgement.estimate(measure), judgement.total(measure)) for measure, name in names.items()]


def hand_rows(judgement: Judgement) -> list[tuple[str, ...]]:
    """Money and skill of a duplicate match as the single hands tell them."""
    return [
        _row(name, judgement.estimate(measure, duplicate=False), judgement.total(measure))
        for measure, name in (("money_judged", "money"), ("divat", "skill (DIVAT)"))
    ]


def street_rows(judgement: Judgement) -> list[tuple[str, ...]]:
    """The skill of each street, of the hands with known cards."""
    return [
        _row(name, judgement.estimate("divat", number), judgement.total("divat", number))
        for number, name in enumerate(STREETS)
    ]


def sample_text(judgement: Judgement) -> str:
    """What the sample is."""
    return f"{counted(judgement.judged_pairs, 'duplicate pair')}" if judgement.duplicate else "hand by hand"


def conclusion(judgement: Judgement) -> str:
    """One sentence that says what can be concluded."""
    skill, money = judgement.estimate("divat"), judgement.estimate("money")
    bank = f"the money says {money.mean:+.3f}"
    if money.ci95 is not None:
        bank += f" ± {_half_width(money):.3f}"
    kind = "duplicate pair" if judgement.duplicate else "hand"
    if skill.samples < FEWEST_SAMPLES:
        verdict = f"{counted(skill.samples, kind)} allow{'s' if skill.samples == 1 else ''} no conclusion"
    elif skill.sd is not None and skill.sd < NO_SPREAD and skill.samples < STUDENT_BELOW:
        verdict = f"All {counted(skill.samples, kind)} tell the same ({skill.mean:+.3f}): that allows no conclusion"
    elif skill.ci95 is not None and (skill.ci95[0] > 0 or skill.ci95[1] < 0):
        winner, loser = (
            (judgement.player, judgement.opponent) if skill.mean > 0 else (judgement.opponent, judgement.player)
        )
        verdict = f"{winner} outplays {loser} by {abs(skill.mean):.3f} ± {_half_width(skill):.3f} small bets a hand"
    else:
        spread = f"{skill.mean:+.3f} ± {_half_width(skill):.3f} small bets a hand"
        verdict = f"No difference in skill is shown: {judgement.player} {spread}"
    return f"{verdict}; {bank} for {judgement.player}."


def notes(judgement: Judgement) -> list[str]:
    """Caveats for the reader."""
    lines = [*_saving_notes(judgement)]
    if judgement.incomplete:
        lines.append(
            f"{counted(judgement.incomplete, 'judged hand')} of the duplicate match without a judged partner: in the "
            "totals, not in the estimates by pairs."
        )
    if len(judgement.pairs) and not judgement.duplicate:
        lines.append(
            f"The hands are duplicate, but of {counted(len(judgement.pairs), 'pair')} only "
            f"{judgement.judged_pairs:,} could be judged whole: the sample is the hand."
        )
    if judgement.valuation.equity == "aie":
        lines.append("All-in equity ignores the betting to come: this DIVAT is biased; --equity roe is not.")
    lines.extend(_unknown_notes(judgement))
    position = position_value(judgement.valuation)
    if position.stderr:
        lines.append(
            f"The big blind's seat is worth {position.value:+.4f} ± {1.96 * position.stderr:.4f} small bets: it is "
            "sampled, as are all values before the flop."
        )
    lines.extend(f"Note: {warning}." for warning in judgement.estimate("divat").warnings)
    return lines


def _saving_notes(judgement: Judgement) -> list[str]:
    saving, fresh = judgement.saving(), judgement.saving(fresh=True)
    if saving is None or fresh is None:
        return []
    hands = judgement.estimate("divat").hands
    if saving.variance_ratio < 1:
        first = (
            f"Here DIVAT's variance is {1 / saving.variance_ratio:.1f} times that of money: {counted(hands, 'hand')} "
            f"tell only as much as {saving.hands_worth:,.0f} judged by money. The players are so far from the "
            "baseline, or the decks so even, that money is the better judge."
        )
    else:
        first = (
            f"DIVAT divides the variance by {saving.variance_ratio:.1f}: {counted(hands, 'hand')} tell as much as "
            f"{saving.hands_worth:,.0f} judged by {'duplicate ' if judgement.duplicate else ''}money."
        )
    if not judgement.duplicate:
        return [first]
    return [
        first,
        f"Against money with fresh decks the factor is {fresh.variance_ratio:.1f}: they tell as much as "
        f"{fresh.hands_worth:,.0f} such hands. (SD of pairs is that of the mean of a pair's two hands.)",
    ]


def _unknown_notes(judgement: Judgement) -> list[str]:
    if not judgement.unknown:
        return []
    what = f"{judgement.unknown:,} of {counted(len(judgement.played), 'hand')} do not show both players' cards"
    if judgement.unknown_as == "leave":
        return [
            f"{what} and are left out of the skill estimate. That biases it: which hands are shown depends on how "
            "they went. See the money of all hands, or judge the others by their money with --unknown money."
        ]
    return [
        f"{what}: their money stands for their skill, as in the thesis's version for use during play. That is not "
        "proved to be unbiased and may have a small bias.",
        f"Rows with * and the skill by street are over the {len(judgement.played) - judgement.unknown:,} "
        "that show them.",
    ]


def sweep_notes(sweep: Sweep) -> list[str]:
    """What other settings say."""
    base, *others = sweep.swept
    means = sorted(sweep.swept, key=lambda line: line.skill.mean)
    widest = max(others, key=lambda line: abs(line.difference.mean))
    size = counted(sweep.hands, "hand") + (" drawn at random" if sweep.drawn else "")
    return [
        f"Over {len(sweep.swept)} settings, judged on {size}, the skill lies between {means[0].skill.mean:+.3f} "
        f"({means[0].settings.name}) and {means[-1].skill.mean:+.3f} ({means[-1].settings.name}).",
        f"Their average is {_with_interval(sweep.average)}; {base.settings.name} on the same hands "
        f"{_with_interval(base.skill)}.",
        f"The largest change from {base.settings.name}, hand by hand, is {widest.difference.mean:+.4f}"
        f"{_plus_minus(widest.difference)} ({widest.settings.name}).",
    ]


def _with_interval(rate: Estimate) -> str:
    return f"{rate.mean:+.3f}, {interval(rate)}" if rate.ci95 else f"{rate.mean:+.3f}"


def _plus_minus(rate: Estimate) -> str:
    return f" ± {_half_width(rate):.4f}" if rate.ci95 else ""


def sweep_rows(sweep: Sweep) -> list[tuple[str, ...]]:
    """A row a setting: the skill, its interval, and the change from the base with its own."""
    return [
        (
            line.settings.name,
            f"{line.skill.mean:+.3f}",
            interval(line.skill),
            f"{line.difference.mean:+.4f}",
            _plus_minus(line.difference).strip(),
        )
        for line in sweep.swept
    ]
