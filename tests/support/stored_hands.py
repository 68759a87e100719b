"""Hands for the tests of histories: matches of random bots as columns, and what must survive a round trip."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from luckless.bots.catalogue import load_bot
from luckless.histories.formats import FORMATS, HandWriter
from luckless.histories.hand_detail import HandDetail, details
from luckless.histories.rejects import Reject
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns, join
from luckless.rules.game import Game


def plan(game: Game, hands: int, seed: int = 3, bots: tuple[str, ...] = ("uniform",)) -> Match:
    """A match of the bots, repeated until every seat is taken."""
    players = [load_bot(bots[seat % len(bots)]) for seat in range(game.seats)]
    return Match.plan(game, players, hands=hands, seed=seed)


def played(game: Game, hands: int, seed: int = 3) -> HandColumns:
    """Hands of random bots."""
    match = plan(game, hands, seed)
    return join([chunk.hands for chunk in match.chunks(workers=1)])


def written(columns: Iterable[HandColumns], writer: HandWriter) -> str:
    """The text of hands in a format."""
    return "".join(writer.hand(hand) for batch in columns for hand in details(batch)) + writer.closing()


def reader(name: str, rejects: list[Reject], game: Game | None = None) -> Any:
    """A reader of a format by its name."""
    from luckless.histories.acpc import AcpcReader
    from luckless.histories.one_line import OneLineReader
    from luckless.histories.phh import PhhReader
    from luckless.histories.pokerstars import PokerStarsReader

    kinds: dict[str, Any] = {
        "acpc": AcpcReader,
        "lines": OneLineReader,
        "phh": PhhReader,
        "pokerstars": PokerStarsReader,
    }
    assert set(kinds) == set(FORMATS)
    return kinds[name](rejects.append, game)


def read_text(name: str, text: str | bytes, game: Game | None = None) -> tuple[list[HandColumns], list[Reject]]:
    """The hands of a text in a format, and what was left out."""
    import io

    from luckless.histories.opening import text_lines

    rejects: list[Reject] = []
    stream = io.BytesIO(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
    source = stream if name == "acpc" else text_lines(stream)
    return list(reader(name, rejects, game).read(source)), rejects


def carried(hand: HandDetail) -> tuple[Any, ...]:
    """What every format but the one-line notation carries of a hand."""
    holes = [hand.hole(seat) for seat in range(hand.game.seats)]
    return hand.number, hand.names, hand.stacks, holes, hand.board, hand.steps, hand.payoffs, hand.settled


def same_columns(one: HandColumns, other: HandColumns) -> bool:
    """Whether two batches are equal in every array."""
    pairs = [(getattr(one.records, name), getattr(other.records, name)) for name in ("decks", "stacks", "ends")]
    pairs += [(getattr(one.records, name), getattr(other.records, name)) for name in ("actions", "payoffs")]
    pairs += [(getattr(one, name), getattr(other, name)) for name in ("numbers", "deals", "players")]
    facts = (one.records.game, one.names, one.settlement, one.scale)
    return facts == (other.records.game, other.names, other.settlement, other.scale) and all(
        np.array_equal(left, right) for left, right in pairs
    )
