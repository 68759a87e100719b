"""The HTML report of a match, and the sentences that say what its numbers mean."""

from collections.abc import Mapping
from typing import Any

import luckless
from luckless.counted import counted
from luckless.matches.result import MatchResult
from luckless.matches.settings import player_names
from luckless.report import match_figures as figures
from luckless.report.commands import file_of, game_word, match_command
from luckless.report.escaping import escaped
from luckless.report.fault_words import not_itself
from luckless.report.page import Document, Section, command, date_text, facts, table
from luckless.report.style import player_colour
from luckless.rules.game import Game
from luckless.stats.estimate import Estimate
from luckless.stats.planning import outlook
from luckless.stats.stopping import Decision, StoppingTest
from luckless.stats.units import BIG_BLINDS_PER_100

RESULT_HEADER = ("bot", "mbb/h", "95 % interval", "bb/100", "SD bb/h", "chips won", "faults")
ADJUSTED_HEADER = ("bot", "adjusted mbb/h", "95 % interval", "variance divided by")


def signed(value: float) -> str:
    """A number with its sign and as many digits as mean something: none after the point from 1,000 on."""
    return f"{value:+,.{0 if abs(value) >= 1000 else 1}f}"


def interval_text(rate: Estimate) -> str:
    """The interval as people read it."""
    return f"{signed(rate.ci95[0])} to {signed(rate.ci95[1])}" if rate.ci95 else "none"


def result_rows(result: MatchResult) -> list[tuple[str, ...]]:
    """One row a player, under `RESULT_HEADER`."""
    rows: list[tuple[str, ...]] = []
    for player, name in enumerate(result.match.labels):
        rate, sd_bb = result.estimate(player), result.of_hands(player).sd
        rows.append(
            (
                name,
                signed(rate.mean),
                interval_text(rate),
                signed(rate.in_unit(BIG_BLINDS_PER_100).mean),
                "-" if sd_bb is None else f"{sd_bb:,.2f}",
                f"{int(result.tally.net_chips[player]):+,}",
                f"{sum(result.tally.faults.of_player(player).values()):,}",
            )
        )
    return rows


def adjusted_rows(result: MatchResult) -> list[tuple[str, ...]]:
    """One row a player, under `ADJUSTED_HEADER`; none where luck was not taken out."""
    if result.adjusted is None:
        return []
    rows: list[tuple[str, ...]] = []
    for name, label in zip(player_names(result.match.names), result.match.labels, strict=True):
        player = result.adjusted.player(name)
        ratio = "-" if player.variance_ratio is None else f"{player.variance_ratio:.1f}"
        rows.append((label, signed(player.adjusted.mean), interval_text(player.adjusted), ratio))
    return rows


def conclusion(result: MatchResult) -> str:
    """What the numbers mean: who is ahead and how sure that is; where bots hardly played themselves, that instead."""
    trouble = not_itself(result.tally.faults, result.match.labels)
    return f"{trouble} {_as_played(result)}" if trouble else _who_wins(result)


def _as_played(result: MatchResult) -> str:
    """The result without a verdict."""
    rate = result.estimate(result.leader)
    who = result.match.labels[result.leader]
    if rate.ci95 is None:
        return f"As it was played, {who} won {rate.mean:,.0f} mbb/h."
    spread = f"{rate.mean:,.0f} ± {(rate.ci95[1] - rate.ci95[0]) / 2:,.0f} mbb/h"
    return f"As it was played, {who} won {spread}; that is no verdict on the bots."


def _who_wins(result: MatchResult) -> str:
    """One sentence that says who is ahead and how sure that is."""
    names = result.match.labels
    best, low = result.leader, result.leader_low
    rate = result.best_estimate(best)
    against = f"against {names[1 - best]}" if len(names) == 2 else "at this table"
    if rate.ci95 is None or low is None:
        return "One sample says nothing yet: play more hands."
    if rate.stderr == 0 and rate.mean == 0:
        return "Every sample ended even: on the same cards the players came out alike."
    if result.sequential is not None and result.decided:
        errors = f"error rates {100 * result.sequential.alpha:g} % and {100 * result.sequential.beta:g} %"
        kind = "sequential" if result.sequential.kind == "exact" else f"{result.sequential.kind} sequential"
        return f"{_decision(result.match.labels[0], result.sequential)} ({kind} test, {errors})."
    spread = f"{rate.mean:,.0f} ± {(rate.ci95[1] - rate.ci95[0]) / 2:,.0f} mbb/h"
    if result.adjusted is not None:
        spread += f" (by {result.adjusted.by})"
    if len(names) > 2:
        return f"{_leads(names[best], spread, low, rate, len(names))}."
    if low > 0:
        return f"{names[best]} wins {spread} {against}: luck alone does not explain it (95 % interval above zero)."
    return f"{names[best]} is ahead with {spread} {against}, but the interval holds zero: it may be luck."


def _leads(name: str, spread: str, low: float, rate: Estimate, players: int) -> str:
    """What can be said of the leader of more than two, who was picked because of its result."""
    if low > 0:
        return (
            f"{name} wins {spread} at this table: luck alone does not explain it, even for the best of {players} "
            f"(95 % bound corrected for that: {signed(low)})"
        )
    if rate.ci95 is not None and rate.ci95[0] > 0:
        return (
            f"{name} is ahead with {spread} at this table, but the best of {players} often is: with the bound "
            "corrected for that, it may be luck"
        )
    return f"{name} is ahead with {spread} at this table, but the interval holds zero: it may be luck"


def _decision(name: str, test: StoppingTest) -> str:
    """What a sequential test says of the first player."""
    verdict = {
        Decision.AT_LEAST: f"wins at least {test.at_least:g} mbb/h rather than at most {test.at_most:g}",
        Decision.AT_MOST: f"wins at most {test.at_most:g} mbb/h rather than at least {test.at_least:g}",
        Decision.UNDECIDED: f"wins at most {test.at_most:g} or at least {test.at_least:g} mbb/h: not decided yet",
    }[test.decision]
    return f"{name} {verdict}"


def notes(result: MatchResult) -> list[str]:
    """Everything else that a reader should know: stop, warnings, outlook."""
    lines = []
    test = result.sequential
    if test is not None:
        said = "decided" if result.decided else _decision(result.match.labels[0], test)
        name = "Sequential test" if test.kind == "exact" else f"Sequential test of adjusted values ({test.kind})"
        lines.append(f"{name} after {counted(test.sets, 'set')}: {said}.")
    if result.interrupted:
        lines.append(f"Interrupted after {result.hands:,} of {counted(result.match.hands, 'hand')}.")
    rate = result.best_estimate(result.leader)
    lines.extend(f"Note: {warning}." for warning in rate.warnings)
    lines.extend(f"Note: {warning}." for warning in result.warnings)
    if "nash" in result.match.specs:
        from luckless.solve.board_solutions import guarantee  # loads the solver, which few matches need

        lines.append(f"nash: {guarantee(result.match.game)}.")
    if rate.stderr and not result.decided:
        lines.append(str(outlook(rate)))
    return lines


def settings(result: MatchResult) -> list[tuple[str, str]]:
    """What was played, with which versions."""
    match, game = result.match, result.match.game
    stacks = f"{game.stacks[0]:,}" if len(set(game.stacks)) == 1 else ", ".join(map(str, game.stacks))
    return [
        ("game", f"{game.name}: {game.betting}, {match.seats_text}, big blind {game.big_blind}, stacks {stacks}"),
        ("hands", f"{result.hands:,} in {result.seconds:.1f} s"),
        ("decks", f"{match.decks}, {match.set_size} hands a sample"),
        ("seed", str(match.seed)),
        *date_row(match.begun),
        ("versions", versions_text(match.versions)),
    ]


def date_row(moment: str) -> list[tuple[str, str]]:
    """When something was played, for the facts of a page; nothing where that is not known."""
    return [("begun", date_text(moment))] if moment else []


def game_file(game: Game) -> tuple[str, str]:
    """Name and text of the file that a command needs for a game that is not a named one."""
    return game_word(game), file_of(game)


def versions_text(versions: Mapping[str, str]) -> str:
    """The software that played."""
    names = {"luckless": "luckless", "python": "Python", "numpy": "NumPy", "numba": "Numba"}
    return ", ".join(f"{names[key]} {versions[key]}" for key in names if key in versions)


def match_report(result: MatchResult) -> str:
    """The report as one HTML text."""
    return match_document(result).html()


def match_document(result: MatchResult) -> Document:
    """What the report says; DIVAT's judgement, if there is one, stands behind the result."""
    names = result.match.labels
    lead, skill = conclusion(result), list[Section]()
    if result.judgement is not None:
        from luckless.report.divat_report import judgement_sections
        from luckless.report.divat_words import conclusion as conclude_skill

        judgement: Any = result.judgement
        colour = player_colour(names.index(judgement.player) if judgement.player in names else 0)
        lead, skill = f"{lead} {conclude_skill(judgement)}", judgement_sections(judgement, colour)
    remarks = "".join(f'<p class="note">{escaped(note)}</p>' for note in notes(result))
    faults = [(names[case.player], case.kind, f"{case.hand:,}", case.detail) for case in result.tally.faults.cases]
    tables = table(RESULT_HEADER, result_rows(result))
    lines: list[Any] = []
    if result.adjusted is not None:
        from luckless.report.verdict_report import verdict_lines

        verdict: Any = result.adjusted
        lines = verdict_lines(verdict, verdict.players) if result.judgement is None else []
        tables += (
            table(ADJUSTED_HEADER, adjusted_rows(result)) + f'<p class="note">{escaped(result.adjusted.reason)}</p>'
        )
    sections = [
        Section("Result", tables + remarks, [figures.winnings_figure(result), *lines]),
        *skill,
        Section("Hands", figures=[figures.distribution_figure(result)]),
        Section("Where it comes from", figures=[figures.seat_figure(result), figures.ending_figure(result)]),
    ]
    if faults:
        sections.append(Section("Faults (first cases)", table(("bot", "kind", "hand", "what happened"), faults)))
    again = command(match_command(result), game_file(result.match.game))
    sections.append(Section("How it was played", facts(settings(result)) + again))
    footer = f"Made by luckless {luckless.__version__}. mbb/h: thousandths of a big blind a hand."
    return Document(f"{' v '.join(dict.fromkeys(names))}", lead, sections, footer, result.match.begun)
