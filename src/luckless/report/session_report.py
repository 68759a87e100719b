"""The HTML report of sessions: who came out ahead of whom how often, and the rows that the command line shows too."""

from typing import Any

import luckless
from luckless.counted import counted
from luckless.matches.session_result import SessionResult
from luckless.report.commands import session_command
from luckless.report.escaping import escaped
from luckless.report.fault_words import not_itself
from luckless.report.match_report import date_row, versions_text
from luckless.report.page import Document, Section, command, facts, table
from luckless.report.style import LINE_GREY, new_figure, player_colour

PAIRING_HEADER = ("bot", "against", "won", "lost", "drawn", "wins a session", "95 % interval")
CHIPS_HEADER = ("bot", "chips on average at the end", "bust in sessions", "faults")


def pairing_rows(result: SessionResult, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """One row a pair of players, under `PAIRING_HEADER`."""
    return [
        (
            names[player],
            names[opponent],
            f"{tally.wins:,}",
            f"{tally.losses:,}",
            f"{tally.draws:,}",
            f"{100 * tally.probability:.1f} %",
            f"{100 * tally.ci95[0]:.1f} to {100 * tally.ci95[1]:.1f} %",
        )
        for player, opponent, tally in result.pairings()
    ]


def conclusion(result: SessionResult) -> str:
    """What the numbers mean: first which bots hardly played themselves, then who comes out ahead."""
    trouble = not_itself(result.faults, result.sessions.labels)
    return f"{trouble} As it was played: {_who_is_ahead(result)}" if trouble else _who_is_ahead(result)


def _who_is_ahead(result: SessionResult) -> str:
    """One sentence that says who comes out ahead."""
    names, sure = result.sessions.labels, []
    for player, opponent, tally in result.pairings():
        if tally.p_value is not None and tally.p_value < 0.05:
            ahead, behind = (player, opponent) if tally.wins > tally.losses else (opponent, player)
            sure.append(f"{names[ahead]} comes out ahead of {names[behind]} (p = {tally.p_value:.2g})")
    if sure:
        return "; ".join(sure) + "."
    return f"{counted(result.games, 'session')} do not show that anybody comes out ahead of another: it may be luck."


def probability_figure(result: SessionResult) -> Any:
    """How often each player ended with more chips than each other, with the exact 95 % interval."""
    names = result.sessions.labels
    figure = new_figure("Sessions won", "against", "share of sessions won (%)")
    for player, name in enumerate(names):
        others = [other for other in range(len(names)) if other != player]
        tallies = [result.pairing(player, other) for other in others]
        share = [100 * tally.probability for tally in tallies]
        above = [round(100 * tally.ci95[1] - value, 3) for tally, value in zip(tallies, share, strict=True)]
        below = [round(value - 100 * tally.ci95[0], 3) for tally, value in zip(tallies, share, strict=True)]
        figure.add_scatter(
            x=[f"{name}<br>v {names[other]}" for other in others], y=[round(value, 3) for value in share], name=name,
            mode="markers", marker={"color": player_colour(player), "size": 9},
            error_y={"type": "data", "symmetric": False, "array": above, "arrayminus": below},
        )  # fmt: skip
    figure.add_hline(y=50, line={"color": LINE_GREY, "dash": "dot", "width": 1})
    figure.update_yaxes(range=[-2, 102])
    return figure


def session_report(result: SessionResult) -> str:
    """The report as one HTML text."""
    return session_document(result).html()


def session_document(result: SessionResult) -> Document:
    """What the report says."""
    sessions, names = result.sessions, result.sessions.labels
    small, big = sessions.blinds
    figures = result.to_dict()["bots"]
    chips = [
        (name, f"{bot['mean_chips']:,.1f}", f"{bot['busts']:,}", f"{bot['faults']:,}")
        for name, bot in zip(names, figures, strict=True)
    ]
    faults = [(names[case.player], case.kind, f"{case.hand:,}", case.detail) for case in result.faults.cases]
    note = f'<p class="note">Interrupted after {result.games:,} of {sessions.games:,} sessions.</p>'
    sections = [
        Section(
            "Result",
            table(PAIRING_HEADER, pairing_rows(result, names)) + (note if result.interrupted else ""),
            [probability_figure(result)],
        ),
        Section("Chips", table(CHIPS_HEADER, chips)),
    ]
    if result.adjusted is not None:
        from luckless.report.verdict_report import PLAYERS_HEADER, player_rows

        verdict: Any = result.adjusted
        why = f'<p class="note">{escaped(verdict.reason)} The sample is the session.</p>'
        sections.append(Section("Luck taken out", table(PLAYERS_HEADER, player_rows(verdict.players)) + why))
    if faults:
        sections.append(Section("Faults (first cases)", table(("bot", "kind", "hand", "what happened"), faults)))
    how = [
        ("sessions", f"{result.games:,} of at most {counted(sessions.rounds, 'round')} in {result.seconds:.1f} s"),
        ("chips", f"{sessions.game.stacks[0]:,} at the start, blinds {small}/{big}"),
        ("rounds", f"{result.rounds.mean():.1f} on average"),
        ("seed", str(sessions.seed)),
        *date_row(sessions.begun),
        ("versions", versions_text(sessions.versions)),
    ]
    again = command(session_command(result))
    sections.append(Section("How it was played", facts(how) + again))
    footer = f"Made by luckless {luckless.__version__}. A session is won by who ends with more chips than the other."
    return Document(
        f"{' v '.join(dict.fromkeys(names))}: sessions", conclusion(result), sections, footer, sessions.begun
    )
