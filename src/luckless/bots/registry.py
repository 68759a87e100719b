"""Every shipped bot, in the order in which they are listed. A new one is a file in `shipped` and a line here."""

from luckless.bots.parameters import Entry
from luckless.bots.shipped import odds, simple, value_bet

ENTRIES: tuple[Entry, ...] = (
    simple.RANDOM,
    simple.UNIFORM,
    simple.CALLER,
    simple.FOLDER,
    simple.RAISER,
    simple.ALL_IN,
    odds.THRESHOLD,
    odds.POT_ODDS_CALL,
    odds.POT_ODDS_RAISE,
    odds.POT_ODDS,
    odds.POT_ODDS_MIXED,
    odds.SKLANSKY,
    value_bet.VALUE_BET,
)
RULES = {entry.name: number for number, entry in enumerate(ENTRIES)}
"""The number by which compiled loops know each bot."""
