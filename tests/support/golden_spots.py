"""Spots of hold'em whose answers are known from other programs, and small ones for twins."""

import numpy as np

from luckless.bench import solve_spots
from luckless.bench.solve_spots import FLOP, RIVER, TURN
from luckless.cards import parse_cards
from luckless.hands.pairs import PAIRS
from luckless.hands.weighted_ranges import parse_weights
from luckless.solve.betting import Stakes
from luckless.solve.menus import Menu, Trimming, parse_sizes
from luckless.solve.spot import Spot
from luckless.solve.spot_file import make_spot

ANY = np.ones(PAIRS)


def menu(bets: str, raises: str, donk: str | None = None) -> Menu:
    return Menu(
        parse_sizes(bets, "bets"), parse_sizes(raises, "raises", True), parse_sizes(donk, "donk") if donk else None
    )


def spot_of(board: str, ranges: tuple[str, str], pot: int, stack: int, menus: list[Menu], **more: object) -> Spot:
    trimming = more.get("trimming", Trimming())
    stakes = Stakes(pot, stack, 1, float(str(more.get("rake", 0.0))), float(str(more.get("cap", "inf"))))
    weights = parse_weights(ranges[0]), parse_weights(ranges[1])
    assert isinstance(trimming, Trimming)
    return Spot(tuple(parse_cards(board)), weights, stakes, menus, trimming, ranges)


def golden_s1() -> Spot:
    return make_spot(RIVER)


S3_RANGES = (TURN["ranges"][0], TURN["ranges"][1])


def golden_s3() -> Spot:
    return make_spot(TURN)


def golden_s4() -> Spot:
    return make_spot(FLOP)


def endgame(number: int) -> Spot:
    spot = solve_spots.endgame(number)
    assert spot is not None
    return spot


def small_river() -> Spot:
    """Few hands, some shared, some tied, some in one range only, with weights."""
    ranges = ("AA,KQs,JTs:0.5,77,65s,A2o:0.25,9c8c", "QQ,AKo,JT,77,54s:0.75,A2o,Tc9h")
    return spot_of("KdJc7h5s2c", ranges, 90, 400, [menu("60%,all-in", "2.5x,all-in")])


def small_flop() -> Spot:
    return spot_of("KdJd7d", ("AA,KQs:0.5", "QQ,JTs"), 60, 100, [menu("100%", "")] * 3)


def small_turn() -> Spot:
    return spot_of("KdJc7h5d", ("AA,KQs,77,6d4d", "QQ,AKo:0.5,JTs,54s"), 60, 100, [menu("100%", "")] * 2)
