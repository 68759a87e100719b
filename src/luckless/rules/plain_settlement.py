"""How the chips in the middle are paid out, one small function for each rule of `docs/rules.md` (18 to 22).

`put_in` holds what each seat has put in, in seat order; dead antes are kept apart from it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from luckless.rules.game import Game, Rake


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips, and the seats that contend for them."""

    chips: int
    contenders: tuple[int, ...]


def uncalled(put_in: Sequence[int], live: Sequence[int]) -> tuple[int, int]:
    """The seat that put in most, and the chips that come back to it: what exceeds every other seat, if it is live."""
    most, second = sorted(put_in, reverse=True)[:2]
    seat = put_in.index(most)
    return seat, most - second if seat in live else 0


def dead_antes(game: Game, stacks: Sequence[int]) -> list[int]:
    """What each seat has posted for the whole table (see `Game.antes_are_dead`)."""
    if not game.antes_are_dead:
        return [0] * game.seats
    left = (max(stack - blind, 0) for stack, blind in zip(stacks, game.forced_bets, strict=True))
    return [min(ante, chips) for ante, chips in zip(game.antes, left, strict=True)]


def returned_bet(game: Game, stacks: Sequence[int], invested: Sequence[int], live: Sequence[int]) -> tuple[int, int]:
    """The seat that gets the uncalled part of its bet back, and the chips (0 if it was called)."""
    dead = dead_antes(game, stacks)
    return uncalled([chips - ante for chips, ante in zip(invested, dead, strict=True)], live)


def side_pots(put_in: Sequence[int], dead: int, live: Sequence[int]) -> list[Pot]:
    """One pot for each level that a live seat has reached, the main pot first; dead chips lie in the main pot."""
    levels = sorted({put_in[seat] for seat in live})
    pots = []
    below = 0
    for level in levels:
        top = max(put_in) if level == levels[-1] else level
        chips = sum(max(min(amount, top) - below, 0) for amount in put_in)
        contenders = tuple(seat for seat in live if put_in[seat] >= level)
        pots.append(Pot(chips + dead, contenders))
        below, dead = level, 0
    return pots


def winners(pot: Pot, strengths: Mapping[int, int]) -> tuple[int, ...]:
    """The contenders with the best hand; a sole contender needs none."""
    if len(pot.contenders) == 1:
        return pot.contenders
    best = max(strengths[seat] for seat in pot.contenders)
    return tuple(seat for seat in pot.contenders if strengths[seat] == best)


def split(chips: int, winners: Sequence[int]) -> dict[int, int]:
    """Even shares; odd chips go one by one to the first winners in seat order, from the left of the button."""
    share, odd = divmod(chips, len(winners))
    return {seat: share + (place < odd) for place, seat in enumerate(sorted(winners))}


def rake_of(chips: int, rake: Rake | None, taken: int, flop_seen: bool) -> int:
    """What the house takes of a pot when it has taken some of this hand already."""
    if rake is None or (rake.no_flop_no_drop and not flop_seen):
        return 0
    wanted = chips * rake.per_mille // 1000
    return min(wanted, rake.cap - taken) if rake.cap else wanted
