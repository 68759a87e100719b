"""`luckless judge`: how strong players are by their hands, with as much luck taken out as is known how."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from luckless.cli.convert import GameOfLogs, LogFormat
from luckless.cli.output import JsonFlag, OnOption, crew_on, new_console, print_json, print_table
from luckless.counted import counted
from luckless.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from luckless.bots.bot import Bot
    from luckless.skill.cross_table import CrossTable, Gain
    from luckless.skill.verdict import PlayerVerdict, Verdict
    from luckless.stats.estimate import Estimate

MOST_IN_CROSS_TABLE = 10
"""Players whose cross-table is printed; that of more is in the JSON alone."""

MOST_IN_PARTS = 10
"""Players whose rates by street, position and pot are printed one after the other."""

UNKNOWN = "unknown"


def command(
    logs: Annotated[list[Path], typer.Argument(help="Stored matches, logs, folders of them.")],
    by: Annotated[
        str, typer.Option(help="auto, money, all-in, chance, imaginary, aivat or divat (see docs/skill.md).")
    ] = "auto",
    player: Annotated[str | None, typer.Option(help="Show this player only.")] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=BOT: the bot that played under a name. Bots of a stored match are known; "
            "NAME=unknown leaves one out."
        ),
    ] = None,
    values: Annotated[
        str,
        typer.Option(help="equity, roll-outs or blueprint (see docs/skill.md), or a file of `luckless values fit`."),
    ] = "equity",
    source_format: LogFormat = None,
    game: GameOfLogs = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML report to this file.")] = None,
    on: OnOption = None,
    json: JsonFlag = False,
) -> None:
    """Says who wins by skill: money and luck-adjusted win rates of all players, by street, position and pot."""
    from luckless.histories.reading import read_hands
    from luckless.public import judge
    from luckless.skill.registry import check_players

    hands, policies = read_hands(logs, format=source_format, game=game), _policies(policy or [])
    if player is not None:
        check_players(hands, [player])
    with crew_on(on):
        verdict = judge(
            hands,
            by=by,
            policies=policies,
            values=values,
            progress=True,
            lines=report is not None,
        )
    shown = verdict.players if player is None else (verdict.player(player),)
    if report is not None:
        from luckless.report.verdict_report import verdict_report
        from luckless.whole_files import write_text

        given = {"--by": by if by != "auto" else None, "--player": player, "--game": game}
        given["--values"] = values if values != "equity" else None
        given |= {"--from": source_format}
        words = [*map(str, logs), *(word for text in policy or [] for word in ("--policy", text))]
        words += [word for name, value in given.items() if value is not None for word in (name, str(value))]
        write_text(report, verdict_report(verdict, shown, words))
    if json:
        print_json({**verdict.to_dict(), "players": [one.to_dict() for one in shown]})
        return
    _print_verdict(verdict, shown)
    if report is not None:
        new_console(markup=False).print(f"report: {report}")


def _policies(given: Sequence[str]) -> "dict[str, Bot | None]":
    """The bot of each name, None where it is to be left unknown."""
    from luckless.bots.catalogue import load_bot

    policies: dict[str, Bot | None] = {}
    for text in given:
        name, equals, spec = text.partition("=")
        if not (name and equals and spec):
            raise InputError(f"--policy is {text!r}; it must be NAME=BOT, such as alice=pot-odds")
        if name in policies:
            raise InputError(f"--policy: {name!r} is given twice")
        policies[name] = None if spec == UNKNOWN else load_bot(spec)
    return policies


def _print_verdict(verdict: "Verdict", shown: "Sequence[PlayerVerdict]") -> None:
    console = new_console(markup=False)
    console.print(f"{counted(verdict.hands, 'hand')} judged by {verdict.by}. {verdict.reason}")
    for note in verdict.notes:
        console.print(note)
    if verdict.values is not None:
        console.print(f"Value function: {verdict.values.name} ({verdict.values.digest}).")
    console.print()
    print_table(console, players_table(shown))
    if verdict.cross_table is not None and len(verdict.cross_table.names) <= MOST_IN_CROSS_TABLE:
        _print_cross_table(verdict.cross_table)
    for player in shown if len(shown) <= MOST_IN_PARTS else ():
        _print_parts(player)
    if len(shown) > MOST_IN_PARTS:
        console.print("By street, position and pot: of one player with --player NAME, of all with --json.")
    console.print(
        "mbb/h: thousandths of a big blind a hand; 10 of them are 1 bb/100. ± is half of the 95 % interval.",
        style="dim",
    )


def players_table(shown: "Sequence[PlayerVerdict]") -> "Table":
    """Money and adjusted win rate of each player."""
    table = _new_table(("player", "hands", "money mbb/h", "adjusted mbb/h", "variance divided by", "worth hands"))
    for player in shown:
        ratio = player.variance_ratio
        table.add_row(
            player.name,
            f"{player.hands:,}",
            rate_text(player.money),
            rate_text(player.adjusted),
            "-" if ratio is None else f"{ratio:.1f}",
            "-" if player.hands_worth is None else f"{player.hands_worth:,.0f}",
        )
    return table


def _print_cross_table(table: "CrossTable") -> None:
    """Who gained from whom, in big blinds over all hands."""
    console = new_console(markup=False)
    console.print("Who gained from whom by what was done, in big blinds over all hands:")
    others = list(dict.fromkeys(other for _, other in table.gains))
    from_others = [f"from {other}" for other in others]
    printed = _new_table(("player", *from_others, "in all", "own actions", "others' actions"))
    for name in table.names:
        gains = [table.gains.get((name, other)) for other in others]
        cells = ["" if gain is None else gain_text(gain) for gain in gains]
        given = (table.own[name], table.given[name])
        printed.add_row(name, *cells, f"{table.skill(name):+,.1f}", *map(gain_text, given))
    print_table(console, printed)


def gain_text(gain: "Gain") -> str:
    """A gain with half of its 95 % interval."""
    return f"{gain.total:+,.1f}" + ("" if gain.margin is None else f" ± {gain.margin:,.1f}")


def _print_parts(player: "PlayerVerdict") -> None:
    """Where one player won it: by street, by what was taken out, by position and pot."""
    console = new_console(markup=False)
    parts = {"won on": player.by_street, "taken out or left over": player.terms}
    for title, rates in parts.items():
        if rates:
            console.print(f"{player.name}, {title}:")
            table = _new_table(("part", "mbb/h"))
            for word, rate in rates.items():
                table.add_row(word, rate_text(rate))
            print_table(console, table)
    for kind, words in player.groups.items():
        if len(words) > 1:
            console.print(f"{player.name}, by {kind}:")
            table = _new_table((kind, "hands", "money mbb/h", "adjusted mbb/h"))
            for word, (money, adjusted) in words.items():
                table.add_row(word, f"{money.hands:,}", rate_text(money), rate_text(adjusted))
            print_table(console, table)


def _new_table(header: Sequence[str]) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column(header[0], overflow="fold")
    for title in header[1:]:
        table.add_column(title, justify="right", no_wrap=True)
    return table


def rate_text(rate: "Estimate") -> str:
    """A rate with half of its 95 % interval."""
    mean = f"{round(rate.mean):+,}"  # a whole number has no "-0"
    if rate.ci95 is None:
        return mean
    return f"{mean} ± {(rate.ci95[1] - rate.ci95[0]) / 2:,.0f}"
