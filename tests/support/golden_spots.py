"""Spots of hold'em whose answers are known from other programs, and small ones for twins."""

import numpy as np

from luckless.cards import parse_cards
from luckless.hands.pairs import PAIRS, pair_numbers
from luckless.hands.weighted_ranges import parse_weights
from luckless.solve.betting import Stakes
from luckless.solve.menus import Menu, Trimming, parse_sizes
from luckless.solve.spot import Spot
from real_hands import facts_of

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
    sizes = menu("50%,100%,all-in", "50%,100%,all-in")
    return Spot(tuple(parse_cards("KsTh7s4d2s")), (ANY, ANY), Stakes(1000, 9500), [sizes])


S3_RANGES = (
    "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
)


def golden_s3() -> Spot:
    menus = [menu("60%,e,a", "2.5x"), menu("60%,e,a", "2.5x", "50%")]
    return spot_of("Td9d6hQc", S3_RANGES, 200, 900, menus, trimming=Trimming(1.5, 0.15, 0.1))


S4_RANGES = (
    "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,T8s+,T7s:0.45,97s+,"
    "96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,"
    "42s:0.45,32s:0.45",
    "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,85s:0.5,75s+,"
    "74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s",
)


def golden_s4() -> Spot:
    menus = [menu("52%", "45%"), menu("55%", "45%"), menu("70%", "45%")]
    return spot_of("QsJh2h", S4_RANGES, 180, 910, menus)


def endgame(number: int) -> Spot:
    """The published endgames (Libratus, as in OpenSpiel's universal_poker, Apache-2.0), their reaches as weights."""
    pot, board = {1: (500, "7s9h9cTc"), 2: (4780, "Ts6hAh7c"), 3: (500, "4s8hTc9h2s"), 4: (3750, "JsKs5cQs7d")}[
        number
    ]
    cards = tuple(parse_cards(board))
    deck = [4 * rank + suit for rank in range(13) for suit in (3, 2, 1, 0)]  # the order of the file
    pairs = pair_numbers([(low, high) for place, low in enumerate(deck) for high in deck[place + 1 :]])
    weights = np.zeros((2, PAIRS))
    weights[:, pairs] = np.array(facts_of("endgames")[f"subgame{number}.txt"]["reaches"], float).reshape(2, PAIRS)
    menus = [menu("50%,100%,a", "100%,a")] * (6 - len(cards))
    return Spot(cards, (weights[0], weights[1]), Stakes(pot, 20_000 - pot // 2, 100), menus)


def small_river() -> Spot:
    """Few hands, some shared, some tied, some in one range only, with weights."""
    ranges = ("AA,KQs,JTs:0.5,77,65s,A2o:0.25,9c8c", "QQ,AKo,JT,77,54s:0.75,A2o,Tc9h")
    return spot_of("KdJc7h5s2c", ranges, 90, 400, [menu("60%,all-in", "2.5x,all-in")])


def small_flop() -> Spot:
    return spot_of("KdJd7d", ("AA,KQs:0.5", "QQ,JTs"), 60, 100, [menu("100%", "")] * 3)


def small_turn() -> Spot:
    return spot_of("KdJc7h5d", ("AA,KQs,77,6d4d", "QQ,AKo:0.5,JTs,54s"), 60, 100, [menu("100%", "")] * 2)
