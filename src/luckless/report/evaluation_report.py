"""The HTML report of an evaluation: one bot against each opponent, and the rows that the command line shows too."""

from typing import Any

import luckless
from luckless.counted import counted
from luckless.matches.evaluation import Evaluation, Trial
from luckless.report.commands import evaluation_command
from luckless.report.escaping import escaped
from luckless.report.fault_words import not_itself
from luckless.report.match_report import date_row, game_file, interval_text, signed, versions_text
from luckless.report.page import Document, Section, command, facts, table
from luckless.report.style import LINE_GREY, error_bars, half_width, new_figure, player_colour
from luckless.stats.compare import Comparison

TRIAL_HEADER = ("against", "mbb/h", "95 % interval", "SD bb/h", "reading")
COMPARISON_HEADER = ("against", "difference, mbb/h", "95 % interval", "p", "method")


def trial_rows(evaluation: Evaluation) -> list[tuple[str, ...]]:
    """One row an opponent, under `TRIAL_HEADER`."""
    rows: list[tuple[str, ...]] = []
    for trial in evaluation.trials:
        rate, sd_bb = trial.result.estimate(0), trial.result.of_hands(0).sd
        spread = "-" if sd_bb is None else f"{sd_bb:,.2f}"
        rows.append((trial.opponent, signed(rate.mean), interval_text(rate), spread, trial.reading.sentence))
    return rows


def comparison_lines(evaluation: Evaluation) -> list[str]:
    """One sentence an opponent: the bot minus the one that it is compared with."""
    lines = []
    for trial, test in zip(evaluation.trials, evaluation.comparisons, strict=False):
        sure = "" if test.p_value is None else f", p = {test.p_value:.2g}"
        ends = "" if test.ci95 is None else f" ({signed(test.ci95[0])} to {signed(test.ci95[1])})"
        lines.append(
            f"{evaluation.bot} minus {evaluation.compared_with} v {trial.opponent}: "
            f"{signed(test.difference)} mbb/h{ends}{sure}, {_method(trial, test)}"
        )
    return lines


def _method(trial: Trial, test: Comparison) -> str:
    """How two bots were compared; the opponent is named beside it already."""
    return test.method.removesuffix(f", v {trial.opponent}")


def remarks(evaluation: Evaluation) -> list[str]:
    """Caveats of the readings and warnings of the estimates, each once."""
    trials = evaluation.trials
    caveats = dict.fromkeys(caveat for trial in trials for caveat in trial.reading.caveats)
    warnings = dict.fromkeys(f"Note: {text}." for trial in trials for text in trial.result.estimate(0).warnings)
    return [*caveats, *warnings]


def interruptions(evaluation: Evaluation) -> list[str]:
    """Where it was ended before all was played."""
    return [
        f"Interrupted after {counted(trial.result.hands, 'hand')} of {trial.result.match.hands:,} v {trial.opponent}."
        for trial in (*evaluation.trials, *evaluation.others)
        if trial.result.interrupted
    ]


def faults_text(evaluation: Evaluation) -> str:
    """Against whom which bots hardly played themselves; empty if all did."""
    texts = []
    for trial in (*evaluation.trials, *evaluation.others):
        text = not_itself(trial.result.tally.faults, trial.result.match.labels)
        texts += [f"Against {trial.opponent}: {text}"] if text else []
    return " ".join(texts)


def conclusion(evaluation: Evaluation) -> str:
    """What the numbers mean: first which bots hardly played themselves, then whom the bot beats."""
    trouble = faults_text(evaluation)
    return f"{trouble} As it was played: {_whom_it_beats(evaluation)}" if trouble else _whom_it_beats(evaluation)


def _whom_it_beats(evaluation: Evaluation) -> str:
    """One sentence that says whom the bot beats, whom it loses to, and what is open."""
    beats, loses, even = list[str](), list[str](), list[str]()
    for trial in evaluation.trials:
        ends = trial.result.estimate(0).ci95
        place = even if ends is None or ends[0] <= 0 <= ends[1] else beats if ends[0] > 0 else loses
        place.append(trial.opponent)
    parts = [
        f"{verb} {' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))}"
        for verb, names in (("beats", beats), ("loses to", loses), ("is not told apart from", even))
        if names
    ]
    return f"{evaluation.bot.rpartition('/')[2]} {', '.join(parts)} (95 % intervals)."


def rate_figure(evaluation: Evaluation) -> Any:
    """The win rate against each opponent with its interval, of both bots where two are compared."""
    figure = new_figure("Win rates", "against", "mbb/h")
    sides = [(evaluation.bot, evaluation.trials), (evaluation.compared_with or "", evaluation.others)]
    for place, (name, trials) in enumerate(sides):
        if not trials:
            continue
        rates = [trial.result.estimate(0) for trial in trials]
        figure.add_scatter(
            x=[f"v {trial.opponent}" for trial in trials], y=[round(rate.mean, 1) for rate in rates], name=name,
            mode="markers", marker={"color": player_colour(place), "size": 9},
            error_y=error_bars([half_width(rate) for rate in rates]) | {"color": player_colour(place)},
            showlegend=bool(evaluation.others), hovertemplate="%{x}: %{y:,.1f} ± %{error_y.array:,.1f} mbb/h",
        )  # fmt: skip
    figure.add_hline(y=0, line={"color": LINE_GREY, "dash": "dot", "width": 1})
    return figure


def evaluation_report(evaluation: Evaluation) -> str:
    """The report as one HTML text."""
    return evaluation_document(evaluation).html()


def evaluation_document(evaluation: Evaluation) -> Document:
    """What the report says."""
    match = evaluation.trials[0].result.match
    notes = [*interruptions(evaluation), *remarks(evaluation)]
    body = table(TRIAL_HEADER, trial_rows(evaluation))
    body += "".join(f'<p class="note">{escaped(note)}</p>' for note in notes)
    sections = [Section("Result", body, [rate_figure(evaluation)])]
    if evaluation.comparisons:
        rows = [
            (
                trial.opponent,
                signed(test.difference),
                f"{signed(test.ci95[0])} to {signed(test.ci95[1])}" if test.ci95 else "none",
                "-" if test.p_value is None else f"{test.p_value:.2g}",
                _method(trial, test),
            )
            for trial, test in zip(evaluation.trials, evaluation.comparisons, strict=False)
        ]
        sections.append(Section(f"Compared with {evaluation.compared_with}", table(COMPARISON_HEADER, rows)))
    seconds = sum(trial.result.seconds for trial in (*evaluation.trials, *evaluation.others))
    how = [
        ("game", match.game.name),
        ("hands", f"{match.hands:,} against each, all in {seconds:.1f} s"),
        ("decks", f"{match.decks}, the same for every opponent"),
        ("seed", str(evaluation.seed)),
        *date_row(match.begun),
        ("versions", versions_text(match.versions)),
    ]
    again = command(evaluation_command(evaluation), game_file(match.game))
    sections.append(Section("How it was played", facts(how) + again))
    footer = f"Made by luckless {luckless.__version__}. mbb/h: thousandths of a big blind a hand."
    return Document(
        f"{evaluation.bot.rpartition('/')[2]} evaluated", conclusion(evaluation), sections, footer, match.begun
    )
