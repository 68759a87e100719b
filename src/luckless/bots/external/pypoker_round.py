"""One hand in the shapes of PyPokerEngine 1.0.1: what its players get as `round_state`, seats, pots and results.

Players sit in a list around the table in which the player itself is always first; amounts are chips on the street, as
ours. Where the two engines differ, ours is told: blinds and button heads-up, legal amounts, the board of a hand that
ended early (theirs is dealt to the end).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from luckless.cards import RANKS, SUITS, rank_of, suit_of
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import BOARD_CARDS, STREETS, Game
from luckless.rules.table import Table
from luckless.rules.views import PastAction

Message = dict[str, Any]


def uuid_of(place: int) -> str:
    """The name that stands for a place at the table; place 0 is the player itself."""
    return f"luckless-place-{place}"


def card_text(card: int) -> str:
    """A card as PyPokerEngine writes it: the suit in front, both in capitals."""
    return SUITS[suit_of(card)].upper() + RANKS[rank_of(card)]


class Round:
    """A hand, followed action by action on a table of ours that knows no hidden cards."""

    def __init__(self, game: Game, seat: int, stacks: Sequence[int], count: int) -> None:
        self.game = game
        self.seat = seat
        self.count = count
        self.followed = 0
        """Actions of the hand that have been followed."""
        self.announced: int | None = None
        """The last street whose start has been announced."""
        unknown = [card for card in range(52) if card not in game.board]
        deck = [*unknown[: 2 * game.seats], *game.board, *unknown[2 * game.seats :]]
        self._table = Table(game, [deck[: 2 * game.seats + 5]], [stacks])
        self._done: list[list[Message]] = []
        self._street: list[Message] = self._posted()
        self._closes = False
        self._told_last = 0
        self._ended_with: list[int] | None = None

    # The table

    @property
    def _public(self) -> Any:
        return self._table.public[0]

    @property
    def street(self) -> int:
        """The street that the betting has reached."""
        return int(self._public["street"])

    def place(self, seat: int) -> int:
        """Where a seat is in the list of players."""
        return (seat - self.seat) % self.game.seats

    def _blind_seats(self) -> tuple[int, int]:
        return (1, 0) if self.game.seats == 2 else (0, 1)

    @property
    def small_blind(self) -> int:
        """The small blind, or what it would be."""
        return self.game.blinds[self._blind_seats()[0]] or self.game.big_blind // 2

    @property
    def level(self) -> int:
        """What a seat must have on the street to stay in."""
        return int(self._public["bet"])

    def follow(self, past: PastAction) -> Message:
        """Makes the next action of the hand; returns the action as others hear of it."""
        self.followed += 1
        level, uuid = self.level, uuid_of(self.place(past.seat))
        before = int(self._public["street_bet"][past.seat])
        stack = int(self._public["stack"][past.seat])
        street = self.street
        self._table.act(np.array([0]), [past.action])
        paid = stack - int(self._public["stack"][past.seat])
        record: Message
        if past.action == FOLD:
            kind, amount, record = "fold", 0, {"action": "FOLD"}
        elif past.action == CALL:
            kind, amount = "call", level
            record = {"action": "CALL", "amount": before + paid, "paid": paid}
        else:
            kind, amount = "raise", past.action
            record = {"action": "RAISE", "amount": amount, "paid": paid, "add_amount": amount - level}
        self._street.append(record | {"uuid": uuid})
        self._told_last = past.seat
        self._closes = self.street > street or self._table.finished
        return {"player_uuid": uuid, "action": kind, "amount": amount}

    def close_street(self) -> None:
        """Puts the betting of a street away when it is over."""
        if self._closes:
            self._done.append(self._street)
            self._street = []
            self._closes = False

    def end(self, stacks: Sequence[int]) -> None:
        """The hand is over: what everybody has now, in seat order."""
        self._ended_with = list(stacks)

    # Messages

    def _posted(self) -> list[Message]:
        """Antes and blinds as records."""
        records: list[Message] = []
        stacks, game = self._table.stacks[0].tolist(), self.game
        for seat, ante in enumerate(game.antes):
            if ante:
                records.append(
                    {"action": "ANTE", "amount": min(ante, stacks[seat]), "uuid": uuid_of(self.place(seat))}
                )
        for name, seat in zip(("SMALLBLIND", "BIGBLIND"), self._blind_seats(), strict=True):
            if game.blinds[seat]:
                posted = {"action": name, "amount": int(self._public["street_bet"][seat])}
                records.append(posted | {"add_amount": self.small_blind, "uuid": uuid_of(self.place(seat))})
        return records

    def seats(self) -> list[Message]:
        """All players with their chips and whether they are in."""
        return [self._player((self.seat + place) % self.game.seats) for place in range(self.game.seats)]

    def _player(self, seat: int) -> Message:
        stack = int(self._public["stack"][seat]) if self._ended_with is None else self._ended_with[seat]
        state = "folded" if self._folded(seat) else "participating" if self._can_act(seat) else "allin"
        place = self.place(seat)
        return {"name": f"player{place}", "uuid": uuid_of(place), "stack": stack, "state": state}

    def _folded(self, seat: int) -> bool:
        return not self._public["live"] >> seat & 1

    def _can_act(self, seat: int) -> bool:
        return bool(self._public["able"] >> seat & 1)

    def state(self, board: Sequence[int], street: str, asked: int | str) -> Message:
        """The round state: `board` as far as it is known, `asked` the place of the player it is about."""
        small, big = self._blind_seats()
        return {
            "street": street,
            "pot": self._pots(),
            "community_card": [card_text(card) for card in board],
            "dealer_btn": self.place(self.game.seats - 1),
            "next_player": asked,
            "small_blind_pos": self.place(small),
            "big_blind_pos": self.place(big),
            "round_count": self.count,
            "small_blind_amount": self.small_blind,
            "seats": self.seats(),
            "action_histories": self._histories(),
        }

    def state_at_start(self, board: Sequence[int], street: int) -> Message:
        """The round state when a street begins, whether or not anybody will act on it."""
        actor = int(self._public["actor"])
        asked = self.place(actor) if actor >= 0 and self.street == street else self.first_able()
        return self.state(board[: BOARD_CARDS[street]], STREETS[street], asked)

    def state_when_asked(self, board: Sequence[int]) -> Message:
        """The round state for the player to act."""
        return self.state(board, STREETS[self.street], self.place(int(self._public["actor"])))

    def state_after_action(self, board: Sequence[int], street: int) -> Message:
        """The round state with which an action is announced: still that of its street and of its player."""
        return self.state(board[: BOARD_CARDS[street]], STREETS[street], self.place(self._told_last))

    def first_able(self) -> int | str:
        """The place of the first player from the small blind on who could still act."""
        small = self._blind_seats()[0]
        for step in range(self.game.seats):
            seat = (small + step) % self.game.seats
            if self._can_act(seat):
                return self.place(seat)
        return "not_found"

    def _pots(self) -> Message:
        """A pot for each all-in, the smallest first and called the main one, and one for all the rest."""
        seats = range(self.game.seats)
        put_in = [int(chips) for chips in self._public["invested"][: self.game.seats]]
        levels = sorted(put_in[seat] for seat in seats if not self._folded(seat) and not self._can_act(seat))
        pots: list[tuple[int, list[int]]] = []
        for level in levels:
            chips = sum(min(level, paid) for paid in put_in) - sum(amount for amount, _ in pots)
            pots.append((chips, [seat for seat in seats if put_in[seat] >= level and not self._folded(seat)]))
        rest = sum(put_in) - sum(amount for amount, _ in pots)
        pots.append((rest, [seat for seat in seats if put_in[seat] == max(put_in)]))
        (main, _), *side = pots
        others = [{"amount": chips, "eligibles": self._uuids(among)} for chips, among in side]
        return {"main": {"amount": main}, "side": others}

    def _uuids(self, seats: list[int]) -> list[str]:
        return [uuid_of(place) for place in sorted(self.place(seat) for seat in seats)]

    def _histories(self) -> Message:
        """What was done on each street, as copies that a player may do with as it likes."""
        streets = [*self._done, self._street]
        return {name: [dict(record) for record in street] for name, street in zip(STREETS, streets, strict=False)}


def hand_info(hole: tuple[int, int], board: Sequence[int]) -> Message:
    """A hand at showdown in PyPokerEngine's words: its kind, and one or two ranks (2 to 14) that belong to it.

    A straight is named by its lowest rank, as there; unlike there, an ace may begin one (rank 1).
    """
    high, low = sorted((rank_of(card) + 2 for card in hole), reverse=True)
    kind, first, second = _kind_of([*hole, *board])
    if kind == "HIGHCARD":
        first, second = high, low
    return {"hand": {"strength": kind, "high": first, "low": second}, "hole": {"high": high, "low": low}}


def _kind_of(cards: list[int]) -> tuple[str, int, int]:
    counts = Counter(rank_of(card) + 2 for card in cards)
    by_count = {
        count: sorted((rank for rank in counts if counts[rank] >= count), reverse=True) for count in (2, 3, 4)
    }
    suits = Counter(suit_of(card) for card in cards)
    suit, suited = suits.most_common(1)[0]
    flush = [rank_of(card) + 2 for card in cards if suit_of(card) == suit] if suited >= 5 else []
    if flush and (lowest := _straight(flush)):
        return "STRAIGHTFLASH", lowest, 0
    if by_count[4]:
        return "FOURCARD", by_count[4][0], 0
    if by_count[3] and len(by_count[2]) > 1:
        return "FULLHOUSE", by_count[3][0], next(rank for rank in by_count[2] if rank != by_count[3][0])
    if flush:
        return "FLASH", max(flush), 0
    if lowest := _straight(list(counts)):
        return "STRAIGHT", lowest, 0
    if by_count[3]:
        return "THREECARD", by_count[3][0], 0
    if len(by_count[2]) > 1:
        return "TWOPAIR", by_count[2][0], by_count[2][1]
    return ("ONEPAIR", by_count[2][0], 0) if by_count[2] else ("HIGHCARD", 0, 0)


def _straight(ranks: list[int]) -> int:
    """The lowest rank of the best straight among the ranks, 1 for an ace at the bottom, 0 for none."""
    there = {*ranks, *([1] if 14 in ranks else [])}
    return max((rank for rank in range(1, 11) if there >= set(range(rank, rank + 5))), default=0)
