"""DIVAT judgements and single hands as plain values for JSON."""

from typing import Any

from luckless.divat.hand import HandReport
from luckless.divat.judgement import Judgement, Saving
from luckless.divat.position import position_value
from luckless.divat.sweep import Sweep
from luckless.hands.effective import ROUNDS
from luckless.stats.estimate import Estimate

MEASURES = (
    "money", "money_judged", "divat", "luck", "lfat", "evat", "dcash", "money_minus_dcash", "redgreen",
    "redgreen_opponent", "round_ev", "fold_equity",
)  # fmt: skip
UNIT = "small bets a hand"


def judgement_dict(found: Judgement, sweep: Sweep | None = None) -> dict[str, Any]:
    """A judgement with every measure, its spread and its rounds."""
    position = position_value(found.valuation)
    result: dict[str, Any] = {
        "hands": found.hands,
        "unit": UNIT,
        "players": [found.player, found.opponent],
        "equity": found.valuation.equity,
        "settings": found.valuation.settings.name,
        "hands_of_a_sample": found.set_size,
        "incomplete_hands": found.incomplete,
        "all_hands": len(found.played),
        "unknown_hands": found.unknown,
        "unknown_as": found.unknown_as,
        "position": found.estimate("position", duplicate=False).mean,
        "position_of_the_big_blind": {"value": position.value, "stderr": position.stderr},
        "saving": _saving(found.saving(), found),
        "saving_against_fresh_decks": _saving(found.saving(fresh=True), found),
        "warnings": list(found.estimate("divat").warnings),
    }
    for measure in MEASURES:
        result[measure] = _figures(found.estimate(measure), found.total(measure))
        if measure in found.rounds:
            result[measure]["by_round"] = [
                {"round": name, **_figures(found.estimate(measure, number), found.total(measure, number))}
                for number, name in enumerate(ROUNDS)
            ]
    if found.duplicate:
        result["hand_by_hand"] = {
            name: _figures(found.estimate(name, duplicate=False), found.total(name)) for name in ("money", "divat")
        }
    if sweep is not None:
        result["sweep"] = _sweep_dict(sweep)
    return result


def _figures(rate: Estimate, total: float | None = None) -> dict[str, Any]:
    figures = {"mean": rate.mean, "sd": rate.sd, "stderr": rate.stderr, "ci95": rate.ci95}
    return figures if total is None else {**figures, "total": total}


def _saving(saving: Saving | None, found: Judgement) -> dict[str, float] | None:
    if saving is None:
        return None
    return {**saving._asdict(), "hands_saved": saving.hands_worth - found.estimate("divat").hands}


def _sweep_dict(sweep: Sweep) -> dict[str, Any]:
    return {
        "hands": sweep.hands,
        "drawn_at_random": sweep.drawn,
        "average": _figures(sweep.average),
        "settings": [
            {
                "settings": line.settings.name,
                **_figures(line.skill),
                "difference": _figures(line.difference),
            }
            for line in sweep.swept
        ],
    }


def hand_dict(found: HandReport) -> dict[str, Any]:
    """One hand, round by round."""

    def single(value: float, by_round: str = "") -> dict[str, Any]:
        figures: dict[str, Any] = {"mean": value, "sd": None, "stderr": None, "ci95": None, "total": value}
        if by_round:
            figures["by_round"] = [{"round": part.round, "mean": getattr(part, by_round)} for part in found.rounds]
        return figures

    return {
        "hands": 1,
        "unit": UNIT,
        "players": ["first", "second"],
        "equity": found.valuation.equity,
        "settings": found.valuation.settings.name,
        "position": found.position,
        "money": single(found.money),
        "divat": single(found.difference, "difference"),
        "luck": single(found.luck, "luck"),
        "lfat": single(found.lfat, "lfat"),
        "evat": single(found.evat, "evat"),
        "dcash": single(found.dcash),
        "money_minus_dcash": single(found.money - found.dcash),
        "redgreen": single(found.redgreen[0]),
        "redgreen_opponent": single(found.redgreen[1]),
        "rounds": [
            {
                "round": part.round,
                "ihr": part.ihr,
                "hr7": part.hr7,
                "ehr": part.ehr,
                "aie": part.aie,
                "roe": part.by_roll_out.baseline,
                "by_aie": part.by_all_in._asdict(),
                "by_roe": part.by_roll_out._asdict(),
                "class": part.classes,
                "baseline": part.baseline,
                "actual": part.actual,
                "actual_equity": part.actual_equity,
                "baseline_equity": part.baseline_equity,
                "difference": part.difference,
                "luck": part.luck,
                "lfat": part.lfat,
                "evat": part.evat,
                "round_ev": part.round_ev,
                "fold_equity": part.fold_equity,
                "redgreen": part.redgreen,
            }
            for part in found.rounds
        ],
    }
