"""Reads the game definition files of the Annual Computer Poker Competition (`holdem.limit.2p.reverse_blinds.game`).

The form, from the competition's server: a line GAMEDEF, one `key = values` a line in any order (with or without
the equals sign, in any case), a bare `limit` or `nolimit`, `#` comments, and END GAMEDEF.
"""

from luckless.errors import InputError
from luckless.rules.game import MAX_CHIPS, MAX_SEATS, MIN_SEATS, STREETS, Betting, Game

KEYS = (
    "numPlayers",
    "numRounds",
    "stack",
    "blind",
    "raiseSize",
    "firstPlayer",
    "maxRaises",
    "numSuits",
    "numRanks",
    "numHoleCards",
    "numBoardCards",
)
BETTING_WORDS: dict[str, Betting] = {"limit": "limit", "nolimit": "no-limit"}
HOLDEM = {
    "numRounds": [4],
    "numSuits": [4],
    "numRanks": [13],
    "numHoleCards": [2],
    "numBoardCards": [0, 3, 1, 1],
}
UNCAPPED = 255
"""The competition's server counts raises in eight bits: this value, or no value, means that there is no cap."""


def parse_definition(text: str, name: str, source: str) -> Game:
    """The game that a definition describes; `source` names the file in errors.

    Limit definitions leave the stacks out, for nobody is ever all-in: they get twice what four capped streets cost.
    """
    betting, values = _read_lines(text, source)
    for key, wanted in HOLDEM.items():
        if values.get(key) != wanted:
            given = _spaced(values[key]) if key in values else "missing"
            raise InputError(
                f"{source}: {key} is {given}; only Texas hold'em is played here, which has {_spaced(wanted)}"
            )
    players = values.get("numPlayers", [])
    if len(players) != 1 or not MIN_SEATS <= players[0] <= MAX_SEATS:
        given = _spaced(players) or "missing"
        raise InputError(f"{source}: numPlayers is {given}; allowed is one number from {MIN_SEATS} to {MAX_SEATS}")
    seats = players[0]
    blinds = _one_each("blind", values.get("blind", []), seats, 0, source)
    bet_sizes = _bet_sizes(values.get("raiseSize", []), source) if betting == "limit" else (0,) * 4
    max_bets = _max_bets(_one_each("maxRaises", values.get("maxRaises", []), 4, UNCAPPED, source), blinds, source)
    fields = {"blinds": blinds, "bet_sizes": bet_sizes, "max_bets": max_bets}
    fields["stacks"] = _stacks(values.get("stack", []), blinds, bet_sizes, max_bets, source)
    game = Game.from_dict(
        {"name": name, "betting": betting, "seats": seats} | {key: list(field) for key, field in fields.items()},
        source,
    )
    _check_order(game, _one_each("firstPlayer", values.get("firstPlayer", []), 4, 1, source), source)
    return game


def _read_lines(text: str, source: str) -> tuple[Betting, dict[str, list[int]]]:
    """The betting and the numbers of each key between GAMEDEF and END GAMEDEF."""
    betting: Betting | None = None
    values: dict[str, list[int]] = {}
    spellings = {key.lower(): key for key in KEYS}
    started = ended = False
    number = 1
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split("#")[0].replace("=", " ").split()
        where = f"{source}, line {number}"
        if not words:
            continue
        first, said = words[0].lower(), " ".join(words)
        if ended:
            raise InputError(f"{where}: found {said!r} after END GAMEDEF; a file holds one definition")
        if not started:
            if said.lower() != "gamedef":
                raise InputError(f"{where}: found {said!r}; a game definition starts with GAMEDEF")
            started = True
        elif said.lower() == "end gamedef":
            if betting is None:
                raise InputError(f"{where}: neither limit nor nolimit appears before END GAMEDEF")
            ended = True
        elif first in BETTING_WORDS:
            if len(words) > 1:
                raise InputError(f"{where}: found {said!r}; {words[0]} must be alone on its line")
            if betting is not None:
                raise InputError(f"{where}: the betting appears twice; allowed is limit or nolimit, once")
            betting = BETTING_WORDS[first]
        elif first in spellings:
            key = spellings[first]
            if key in values:
                raise InputError(f"{where}: {key} appears twice; allowed is once")
            values[key] = _numbers(words, where)
        else:
            raise InputError(f"{where}: unknown key {words[0]!r}; allowed keys are limit, nolimit, {', '.join(KEYS)}")
    if not ended or betting is None:
        raise InputError(f"{source}, line {number}: the definition ends before END GAMEDEF")
    return betting, values


def _numbers(words: list[str], where: str) -> list[int]:
    if len(words) == 1 or not all(word.isascii() and word.isdigit() for word in words[1:]):
        raise InputError(
            f"{where}: {words[0]} is {' '.join(words[1:]) or 'empty'}; allowed is whole numbers, 0 or more"
        )
    if any(len(word) > len(str(MAX_CHIPS)) for word in words[1:]):
        raise InputError(f"{where}: {words[0]} has a number of too many digits; allowed is less than {MAX_CHIPS}")
    return [int(word) for word in words[1:]]


def _bet_sizes(numbers: list[int], source: str) -> tuple[int, ...]:
    if len(numbers) != len(STREETS) or not all(numbers):
        raise InputError(
            f"{source}: raiseSize is {_spaced(numbers) or 'missing'}; limit needs four numbers of 1 chip or more"
        )
    return tuple(numbers)


def _one_each(key: str, numbers: list[int], count: int, default: int, source: str) -> tuple[int, ...]:
    """`count` numbers; what the definition leaves out at the end takes the server's default."""
    if len(numbers) > count:
        raise InputError(f"{source}: {key} has {len(numbers)} numbers; allowed is at most {count}")
    return (*numbers, *[default] * (count - len(numbers)))


def _max_bets(max_raises: tuple[int, ...], blinds: tuple[int, ...], source: str) -> tuple[int, ...]:
    """Bets a street from raises a street: before the flop the blind is a bet, later the first raise is the bet."""
    max_bets = []
    for street, raises in enumerate(max_raises):
        allowed = raises + 1 if street == 0 and any(blinds) else raises
        if allowed == 0:
            raise InputError(f"{source}: maxRaises of the {STREETS[street]} is 0; allowed is 1 or more")
        max_bets.append(0 if raises >= UNCAPPED else allowed)
    return tuple(max_bets)


def _stacks(
    numbers: list[int], blinds: tuple[int, ...], bet_sizes: tuple[int, ...], max_bets: tuple[int, ...], source: str
) -> tuple[int, ...]:
    seats = len(blinds)
    if numbers:
        if len(numbers) != seats:
            raise InputError(f"{source}: stack has {len(numbers)} numbers; {seats} players need {seats}")
        return tuple(numbers)
    if not all(bet_sizes) or not all(max_bets):
        raise InputError(f"{source}: stack is missing; only limit with a cap on every street does not need it")
    streets = sum(size * bets for size, bets in zip(bet_sizes, max_bets, strict=True))
    return (2 * max(streets, streets + max(blinds) - bet_sizes[0]),) * seats


def _check_order(game: Game, first_players: tuple[int, ...], source: str) -> None:
    """Refuses an order of play that is not ours; the definition counts players from 1."""
    wanted = (game.first_seat + 1, 1, 1, 1)
    if first_players != wanted:
        raise InputError(
            f"{source}: firstPlayer is {_spaced(first_players)}; with these blinds it must be {_spaced(wanted)}"
        )


def _spaced(numbers: list[int] | tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
