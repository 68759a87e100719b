"""PHH: writing hands as TOML tables, in the form that `phh` and PokerKit read."""

import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from luckless.cards import format_card
from luckless.errors import InputError
from luckless.histories.amounts import unit_text
from luckless.histories.hand_detail import HandDetail
from luckless.histories.rejects import BadHand
from luckless.rules.actions import CALL, FOLD
from luckless.rules.columns import UNKNOWN
from luckless.rules.game import BOARD_CARDS, Game


class PhhWriter:
    """Writes hands as tables [1], [2], ...; a single hand (`.phh`) has no table head."""

    def __init__(self, single: bool = False) -> None:
        self._single = single
        self._hands = 0

    def hand(self, hand: HandDetail) -> str:
        """The text of a hand."""
        _check_game(hand.game)
        text = hand_text(hand)
        self._hands += 1
        if not self._single:
            return f"[{self._hands}]\n{text}"
        if self._hands > 1:
            raise InputError("a .phh file holds one hand; write a .phhs file for more")
        return text

    def closing(self) -> str:
        """The end of the file: nothing."""
        return ""


def _check_game(game: Game) -> None:
    """Refuses games that PHH cannot express."""
    if game.betting == "pot-limit":
        raise BadHand(f"PHH has no pot-limit hold'em; game {game.name} cannot be written")
    if game.first_street:
        raise BadHand(f"PHH hands start before the flop; game {game.name} does not")
    sizes = game.bet_sizes
    if (sizes[0], sizes[2]) != (sizes[1], sizes[3]):
        raise BadHand(f"PHH has one small and one big bet; game {game.name} has {sizes}")


def hand_text(hand: HandDetail) -> str:
    """One hand, a key a line."""
    game, scale = hand.game, hand.scale
    limit = game.betting == "limit"
    forced = tuple(blind or -post for blind, post in zip(game.blinds, game.posts, strict=True))
    blinds, antes = (amounts[::-1] if game.seats == 2 else amounts for amounts in (forced, game.antes))
    lines = [
        f"variant = '{'FT' if limit else 'NT'}'",
        f"ante_trimming_status = {'false' if game.antes_are_dead else 'true'}",
        f"antes = {_amounts(antes, scale)}",
        f"blinds_or_straddles = {_amounts(blinds, scale)}",
    ]
    if limit:
        lines += [f"small_bet = {unit_text(game.bet_sizes[0], scale)}"]
        lines += [f"big_bet = {unit_text(game.bet_sizes[2], scale)}"]
    else:
        lines += [f"min_bet = {unit_text(game.big_blind, scale)}"]
    lines += [
        f"starting_stacks = {_amounts(hand.stacks, scale)}",
        f"actions = [{', '.join(map(_quoted, _actions(hand)))}]",
        f"hand = {hand.number}",
        f"players = [{', '.join(map(_quoted, hand.names))}]",
        f"finishing_stacks = {_results(hand)}",
    ]
    if hand.deal != hand.number:
        lines.append(f"_deal = {hand.deal}")
    if any(game.max_bets):
        lines.append(f"_max_bets = {list(game.max_bets)}")
    return "\n".join(lines) + "\n"


def _actions(hand: HandDetail) -> list[str]:
    """Deals, actions and shown cards in the order in which they happen."""
    texts = [f"d dh p{seat + 1} {_cards(hand.hole(seat))}" for seat in range(hand.game.seats)]
    street = 0
    for step in hand.steps:
        texts += _board(hand, street, step.street)
        street = step.street
        texts.append(f"p{step.seat + 1} {_move(step.action, hand.scale)}")
    if hand.showdown:
        shown = [
            f"p{turn.seat + 1} sm {_cards(hand.hole(turn.seat))}" if turn.shows else f"p{turn.seat + 1} sm"
            for turn in hand.show_order()
            if UNKNOWN not in hand.hole(turn.seat)
        ]
        texts += [*shown, *_board(hand, street, 3)]
    return texts


def _board(hand: HandDetail, street: int, until: int) -> Iterator[str]:
    for number in range(street, until):
        cards = hand.board[BOARD_CARDS[number] : BOARD_CARDS[number + 1]]
        if cards and UNKNOWN not in cards:
            yield f"d db {_cards(cards)}"


def _move(action: int, scale: int) -> str:
    if action in (FOLD, CALL):
        return "f" if action == FOLD else "cc"
    return f"cbr {unit_text(action, scale)}"


def _cards(cards: Sequence[int]) -> str:
    return "".join("??" if card == UNKNOWN else format_card(card) for card in cards)


def _amounts(amounts: Iterable[int], scale: int) -> str:
    return f"[{', '.join(unit_text(amount, scale) for amount in amounts)}]"


def _results(hand: HandDetail) -> str:
    """The stacks after the hand; with fractions of a chip all of them are written with decimal places."""
    values = [stack + value for stack, value in zip(hand.stacks, hand.values(), strict=True)]
    if all(value.denominator == 1 for value in values):
        return _amounts((int(value) for value in values), hand.scale)
    return f"[{', '.join(_decimal(value / hand.scale) for value in values)}]"


def _decimal(value: Fraction) -> str:
    return f"{float(value):.6f}".rstrip("0") + ("0" if value.denominator == 1 else "")


def _quoted(text: str) -> str:
    """A text in single quotation marks where TOML takes it literally, else in double ones with escapes."""
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
