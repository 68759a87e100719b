"""`luckless play`: one of our bots at a foreign dealer that speaks the competition's protocol."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from luckless.cli import completion
from luckless.cli.output import JsonOfBotsFlag, print_json
from luckless.counted import counted
from luckless.errors import InputError

if TYPE_CHECKING:
    from luckless.matches.at_dealer import DealerResult


def command(
    bot: Annotated[
        str,
        typer.Argument(
            help="The bot that plays: a name, file.py:Class, exec:COMMAND, ...", autocompletion=completion.bots
        ),
    ],
    connect: Annotated[str, typer.Option(help="Where the dealer listens, as HOST:PORT.")],
    game: Annotated[
        str, typer.Option(help="The game that is played: a name or a file.", autocompletion=completion.games)
    ] = "nolimit-hu",
    seed: Annotated[
        int | None, typer.Option(help="Seed of the bot's random numbers; without one a secret one is drawn.")
    ] = None,
    decision_seconds: Annotated[
        float, typer.Option(help="Time limit of the bot for one decision; 0 is no limit.")
    ] = 10.0,
    json: JsonOfBotsFlag = False,
) -> None:
    """Plays at a dealer that speaks the protocol of the Annual Computer Poker Competition, until the match ends."""
    from luckless.bots.catalogue import load_bot
    from luckless.matches.at_dealer import play_at_dealer
    from luckless.rules.game import Game

    host, port = _address_of(connect)
    result = play_at_dealer(
        load_bot(bot),
        Game.load(game),
        host,
        port,
        seed=seed,
        decision_seconds=decision_seconds,
        show_progress=True,
    )
    facts = _as_dict(bot, game, result)
    if json:
        print_json(facts)
    else:
        _print(facts)


def _address_of(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise InputError(f"--connect is {text!r}; allowed is a host and a port, such as localhost:9001")
    return host.strip("[]"), int(port)


def _as_dict(bot: str, game: str, result: "DealerResult") -> dict[str, Any]:
    from luckless.keys import seed_as_json

    faults = result.faults.of_player(0)
    return {
        "bot": bot,
        "game": game,
        "seed": seed_as_json(result.seed),
        "hands": result.hands,
        "net_chips": result.chips,
        "decisions": result.decisions,
        "reconnections": result.reconnections,
        "free_folds": result.free_folds,
        "faults": sum(faults.values()),
        "faults_by_kind": faults,
        "first_faults": [
            {"kind": case.kind, "hand": case.hand, "detail": case.detail} for case in result.faults.cases
        ],
    }


def _print(facts: dict[str, Any]) -> None:
    print(
        f"{facts['bot']} played {counted(facts['hands'], 'hand')} of {facts['game']}: {facts['net_chips']:+,} chips"
    )
    print(f"seed of its dice: {facts['seed']}")
    if facts["reconnections"]:
        print(f"the connection was lost and taken up again {facts['reconnections']} times")
    if facts["free_folds"]:
        print(f"{facts['free_folds']:,} folds with nothing to call were sent as checks: the protocol has no others")
    for case in facts["first_faults"]:
        print(f"fault in hand {case['hand']:,} ({case['kind']}): {case['detail']}")
    if facts["faults"]:
        print(f"{facts['faults']:,} faults in all")
