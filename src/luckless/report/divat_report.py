"""What a DIVAT judgement says: rows, sentences, figures and the HTML page."""

import html
from typing import Any

import numpy as np
from numpy.typing import NDArray

import luckless
from luckless.hands.effective import ROUNDS
from luckless.report.page import Section, facts, page, table
from luckless.report.style import new_figure, player_colour
from luckless.skill.divat.judgement import Judgement
from luckless.skill.estimate import Estimate

JUDGEMENT_HEADER = ("mean", "95 % interval", "SD", "total")
LINE_POINTS = 2_000

_NAMES = {
    "money": "money",
    "divat": "skill (DIVAT)",
    "luck": "luck of the cards",
    "evat": "EVAT (hindsight)",
    "dcash": "Dcash (baseline's money)",
    "money_minus_dcash": "money minus Dcash",
    "redgreen": "RedGreen points",
}


def _row(name: str, rate: Estimate) -> tuple[str, ...]:
    ends = f"{rate.ci95[0]:+.3f} to {rate.ci95[1]:+.3f}" if rate.ci95 else "none"
    spread = "-" if rate.sd is None else f"{rate.sd:.3f}"
    return name, f"{rate.mean:+.3f}", ends, spread, f"{rate.mean * rate.hands:+,.1f}"


def judgement_rows(found: Judgement) -> list[tuple[str, ...]]:
    """One row a measure, under `JUDGEMENT_HEADER`."""
    return [_row(name, found.estimate(measure)) for measure, name in _NAMES.items()]


def round_rows(found: Judgement) -> list[tuple[str, ...]]:
    """The skill of each round."""
    return [_row(name, found.estimate("divat", number)) for number, name in enumerate(ROUNDS)]


def conclusion(found: Judgement) -> str:
    """One sentence that says what can be concluded."""
    skill, money = found.estimate("divat"), found.estimate("money")
    if skill.ci95 is None:
        return "One sample allows no conclusion."
    half = (skill.ci95[1] - skill.ci95[0]) / 2
    spread = f"{abs(skill.mean):.3f} ± {half:.3f} small bets a hand"
    if skill.ci95[0] > 0 or skill.ci95[1] < 0:
        winner, loser = (found.player, found.opponent) if skill.mean > 0 else (found.opponent, found.player)
        verdict = f"{winner} outplays {loser} by {spread}"
    else:
        verdict = f"No difference in skill is shown: {found.player} {skill.mean:+.3f} ± {half:.3f} small bets a hand"
    bank = f"the money says {money.mean:+.3f}"
    if money.ci95 is not None:
        bank += f" ± {(money.ci95[1] - money.ci95[0]) / 2:.3f}"
    return f"{verdict}; {bank} for {found.player}."


def notes(found: Judgement) -> list[str]:
    """What a reader should bear in mind."""
    lines = []
    ratio = found.variance_ratio()
    if ratio is not None and ratio >= 1:
        lines.append(
            f"DIVAT divides the variance by {ratio:.1f}: {found.hands:,} hands tell as much as "
            f"{found.hands * ratio:,.0f} judged by money."
        )
    elif ratio is not None:
        lines.append(
            f"Here DIVAT's variance is {1 / ratio:.1f} times that of money: the players are so far from "
            "the baseline, or the decks so even, that money is the better judge."
        )
    if found.valuation.equity == "aie":
        lines.append("All-in equity ignores the betting to come: this DIVAT is biased; --equity roe is not.")
    if found.unknown:
        what = "left out, which biases the estimate" if found.unknown_as == "leave" else "judged by their money"
        lines.append(f"{found.unknown:,} hands do not show both players' cards: {what}.")
    lines.extend(f"Note: {warning}." for warning in found.estimate("divat").warnings)
    return lines


def _thinned(values: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """A running sum at up to about `LINE_POINTS` places."""
    stride = max(1, len(values) // LINE_POINTS)
    hands = np.append(np.arange(stride, len(values), stride), len(values))
    return np.append(0, hands), np.append(0.0, np.round(np.cumsum(values)[hands - 1], 3))


def bankroll_figure(found: Judgement) -> Any:
    """Bankroll and DIVAT line with both ±1.96·σ·√n envelopes."""
    figure = new_figure("Money and skill", "hands", "small bets won")
    for place, (measure, name) in enumerate((("money", "money"), ("divat", "skill (DIVAT)"))):
        hands, line = _thinned(found.values[measure])
        stderr = found.estimate(measure).stderr
        if stderr:
            bound = np.round(1.96 * stderr * np.sqrt(found.hands) * np.sqrt(hands), 3)
            for sign in (1, -1):
                figure.add_scatter(
                    x=hands, y=sign * bound, mode="lines", hoverinfo="skip", showlegend=sign > 0,
                    name=f"±1.96·σ·√n, {name}", line={"color": player_colour(place), "width": 1, "dash": "dot"},
                )  # fmt: skip
        figure.add_scatter(x=hands, y=line, mode="lines", name=name, line={"color": player_colour(place), "width": 2})
    return figure


def rounds_figure(found: Judgement) -> Any:
    """The DIVAT line of each round."""
    figure = new_figure("Skill by round", "hands", "small bets")
    for number, name in enumerate(ROUNDS):
        hands, line = _thinned(found.rounds["divat"][:, number])
        figure.add_scatter(
            x=hands, y=line, mode="lines", name=name, line={"color": player_colour(number), "width": 1.8}
        )
    return figure


def sweep_figure(swept: list[tuple[str, Estimate]]) -> Any:
    """The skill under every setting, with its interval."""
    figure = new_figure("Skill under other settings", "small bets a hand", "")
    names = [name.removeprefix("standard, ") for name, _ in swept]
    means = [round(rate.mean, 4) for _, rate in swept]
    widths = [round((rate.ci95[1] - rate.ci95[0]) / 2, 4) if rate.ci95 else 0 for _, rate in swept]
    figure.add_scatter(
        x=means, y=names, mode="markers", error_x={"type": "data", "array": widths, "color": "#999999"},
        marker={"color": player_colour(0), "size": 8}, showlegend=False,
    )  # fmt: skip
    figure.update_layout(height=120 + 22 * len(swept), margin={"l": 260})
    figure.update_yaxes(autorange="reversed")
    return figure


def divat_report(found: Judgement, swept: list[tuple[str, Estimate]]) -> str:
    """The report as one HTML text."""
    remarks = "".join(f'<p class="note">{html.escape(note)}</p>' for note in notes(found))
    sections = [
        Section(
            "Money, skill and luck",
            table(("small bets a hand", *JUDGEMENT_HEADER), judgement_rows(found)) + remarks,
            [bankroll_figure(found)],
        ),
        Section("By round", table(("skill", *JUDGEMENT_HEADER), round_rows(found)), [rounds_figure(found)]),
    ]
    if swept:
        sections.append(Section("Robustness", figures=[sweep_figure(swept)]))
    how = [
        ("hands", f"{found.hands:,} judged, {found.unknown:,} with unknown cards"),
        ("sample", f"duplicate sets of {found.set_size}" if found.set_size > 1 else "single hands"),
        ("values", f"{found.valuation.equity.upper()}, {found.valuation.settings.name} settings"),
        ("version", f"luckless {luckless.__version__}"),
    ]
    sections.append(Section("How it was judged", facts(how)))
    footer = f"Made by luckless {luckless.__version__}. Values are those of {found.player}, in small bets."
    return page(f"{found.player} v {found.opponent}: DIVAT", conclusion(found), sections, footer)
