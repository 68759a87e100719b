"""Whether stored tables were played as the record of their tournament says: so many hands, sessions of that kind."""

from collections.abc import Iterator
from pathlib import Path

from luckless.histories.match_writer import match_settings
from luckless.histories.store import StoredHands
from luckless.rankings.pair_values import Pair
from luckless.tournaments.allocation import Fixed, Matrix, allocate
from luckless.tournaments.result import TournamentResult, load_tournament
from luckless.tournaments.tournament import FREEZEOUT_ROUNDS, Outline, deals_of, rule_of


def session_problems(outline: Outline, stored: StoredHands) -> Iterator[str]:
    """Sessions must have the rounds, chips and blinds of the record, and be as many."""
    settings = outline.settings
    small, big = settings.blind_pair()
    rounds = settings.rounds if settings.format == "sessions" else FREEZEOUT_ROUNDS
    game = stored.settings["game"]
    wanted = {"rounds": rounds, "games": settings.games, "blinds": [big, small], "stacks": [settings.stack] * 2}
    for key, value in wanted.items():
        told = game.get(key) if key in ("blinds", "stacks") else stored.settings.get(key)
        if told != value:
            yield f"its {key} are {told}; those of the record are {value}"


def planning_problems(folder: Path) -> Iterator[str]:
    """A finished tournament must have as many hands at each table as its rule asks for, given what was won there."""
    result = load_tournament(folder)
    outline = result.outline
    if outline.settings.is_session or result.interrupted:
        return
    place = folder / outline.folder(0)
    stored = StoredHands.open(place)
    size = match_settings(stored.settings, stored.bots, place).set_size
    rule, first = rule_of(outline.settings, size), deals_of(outline.settings.hands, size)
    if isinstance(rule, Fixed):
        for number, table in enumerate(result.tables):
            if len(table.money) != first:
                yield f"{outline.folder(number)}: it has {len(table.money):,} deals; the record asks for {first:,}"
        return
    try:
        planned, looks = _played_again(result, size)
    except _TooFewError as error:
        yield str(error)
        return
    for pair, deals in planned.items():
        if deals != len(result.rates.values[pair]):
            names = " v ".join(outline.names[bot] for bot in pair)
            yield f"{names}: {len(result.rates.values[pair]):,} deals are stored; the rule asks for {deals:,}"
    if looks != result.looks:
        yield f"the rule looked {looks} times at the results; the verdict says {result.looks}"


class _TooFewError(Exception):
    """The rule asks for more deals than are stored."""


def _played_again(result: TournamentResult, set_size: int) -> tuple[dict[Pair, int], int]:
    """How many deals the rule gives to each pairing, and how often it looked, from the stored values alone."""
    outline, values = result.outline, result.rates.values

    def play(wanted: dict[Pair, int]) -> dict[Pair, Matrix]:
        for pair, deals in wanted.items():
            if deals > len(values[pair]):
                names = " v ".join(outline.names[bot] for bot in pair)
                raise _TooFewError(f"{names}: {len(values[pair]):,} deals are stored; the rule asks for {deals:,}")
        return {pair: values[pair][:deals] for pair, deals in wanted.items()}

    rule, first = rule_of(outline.settings, set_size), deals_of(outline.settings.hands, set_size)
    found, looks = allocate(rule, len(outline.names), list(values), first, play, shared=outline.shared)
    return {pair: len(won) for pair, won in found.values.items()}, looks
