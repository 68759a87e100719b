"""`luckless session`: short tournaments with carried stacks, counted by pairing."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import JsonFlag, print_json, print_table
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.matches.session import SessionResult


def command(
    bots: Annotated[
        list[str], typer.Argument(help="Two or more bots; they all sit at one table.", autocompletion=completion.bots)
    ],
    rounds: Annotated[int, typer.Option(help="Hands of a session; the first bust ends it earlier.")] = 20,
    stack: Annotated[int, typer.Option(help="Chips at the start.")] = 1000,
    blinds: Annotated[str, typer.Option(help="Small and big blind.")] = "5/10",
    games: Annotated[int, typer.Option(help="Sessions to play.")] = 10,
    seed: Annotated[int, typer.Option(help="The same seed gives the same sessions.")] = 1,
    decision_seconds: Annotated[
        float, typer.Option(help="What a bot may take for one decision; 0: no limit.")
    ] = 10.0,
    json: JsonFlag = False,
) -> None:
    """Plays tournaments of a few rounds and counts who came out ahead of whom."""
    from luckless.bots.catalogue import load_bot
    from luckless.matches.session import Sessions, play_sessions

    players = [load_bot(text) for text in bots]
    sessions = Sessions.plan(
        players,
        rounds=rounds,
        stack=stack,
        blinds=_blinds_of(blinds),
        games=games,
        seed=seed,
        decision_seconds=decision_seconds,
    )
    result = play_sessions(sessions, show_progress=True)
    if json:
        print_json(_as_dict(result))
    else:
        _print(result)


def _blinds_of(text: str) -> tuple[int, int]:
    small, _, big = text.partition("/")
    if not (small.isdecimal() and big.isdecimal()):
        raise InputError(f"--blinds is {text!r}: small and big blind are needed, such as 5/10")
    return int(small), int(big)


def _as_dict(result: "SessionResult") -> dict[str, Any]:
    sessions = result.sessions
    names = [player.name for player in sessions.players]
    return {
        "games": sessions.games,
        "rounds": sessions.rounds,
        "stack": sessions.game.stacks[0],
        "blinds": [min(filter(None, sessions.game.blinds)), sessions.game.big_blind],
        "seed": sessions.seed,
        "bots": [
            {
                "name": name,
                "mean_chips": float(result.chips[:, player].mean()),
                "busts": int((result.chips[:, player] == 0).sum()),
                "faults": sum(result.faults.of_player(player).values()),
            }
            for player, name in enumerate(names)
        ],
        "pairings": [
            {
                "bot": names[player],
                "opponent": names[opponent],
                "won": tally.wins,
                "lost": tally.losses,
                "drawn": tally.draws,
                "win_probability": tally.probability,
                "ci95": tally.ci95,
                "p_value": tally.p_value,
            }
            for player, opponent, tally in result.pairings()
        ],
    }


def _print(result: "SessionResult") -> None:
    from rich.console import Console
    from rich.table import Table

    facts = _as_dict(result)
    console = Console(highlight=False)
    small, big = facts["blinds"]
    console.print(
        f"\n[bold]{facts['games']:,} sessions[/] of at most {facts['rounds']} rounds, {facts['stack']:,} chips, "
        f"blinds {small}/{big}, seed {facts['seed']}"
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, name in enumerate(("bot", "against", "won", "lost", "drawn", "wins a session", "95 % interval")):
        table.add_column(name, justify="left" if place < 2 else "right", no_wrap=place > 1, overflow="fold")
    for row in facts["pairings"]:
        low, high = row["ci95"]
        counts = (f"{row[key]:,}" for key in ("won", "lost", "drawn"))
        chance, interval = f"{100 * row['win_probability']:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"
        table.add_row(row["bot"], row["opponent"], *counts, chance, interval)
    print_table(console, table)
    for row in facts["bots"]:
        line = (
            f"{row['name']}: {row['mean_chips']:,.0f} chips on average at the end, bust in {row['busts']:,} sessions"
        )
        console.print(line + (f", {row['faults']:,} faults" if row["faults"] else ""), style="dim", markup=False)
