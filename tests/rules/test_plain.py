"""The plain engine: what holds in every hand of any game, how pots are paid chip by chip, records, refusals."""

import dataclasses
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import ENGINES
from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.rules.actions import CALL, FOLD
from luckless.rules.game import BETTING, BOARD_CARDS, Game, Rake
from luckless.rules.plain import PlainHand
from luckless.rules.plain_events import Acted, Dealt, Posted, Returned, Won
from luckless.rules.plain_settlement import Pot, rake_of, side_pots, split, uncalled, winners
from spots import deal, deck, table

pytestmark = pytest.mark.interpreted


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Any game the description allows, the odd ones first: blinds and antes anywhere, tiny stacks, late starts."""
    seats = draw(st.integers(2, 10))
    chips = st.integers(0, 6)
    per_seat = st.lists(chips, min_size=seats, max_size=seats).map(tuple)
    stacks = draw(st.lists(st.integers(1, 40), min_size=seats, max_size=seats))
    stacks[draw(st.integers(0, seats - 1))] = draw(st.integers(6, 200))
    betting = draw(st.sampled_from(BETTING))
    first_street = draw(st.sampled_from([0, 0, 0, 1, 2, 3]))
    blinds = draw(per_seat) if first_street == 0 else (0,) * seats
    if seats == 2:
        blinds = tuple(sorted(blinds, reverse=True))
    sizes = draw(st.tuples(*[st.integers(1, 9)] * 4)) if betting == "limit" else (0, 0, 0, 0)
    return Game(
        name="any",
        betting=betting,
        seats=seats,
        blinds=blinds,
        antes=draw(per_seat) if first_street == 0 else (),
        stacks=tuple(stacks),
        bet_sizes=sizes,
        max_bets=draw(st.tuples(*[st.integers(0, 4) | st.sampled_from([127, 128, 130, 1000])] * 4)),
        first_street=first_street,
        pot=seats * draw(chips) if first_street else 0,
        unit=0 if any(blinds) else draw(st.integers(1, 9)),
        rake=draw(
            st.none() | st.builds(Rake, per_mille=st.integers(0, 1000), cap=chips, no_flop_no_drop=st.booleans())
        ),
    )


@given(games(), st.randoms(use_true_random=False))
def test_chips_are_conserved_stacks_never_negative_someone_can_always_act_and_every_hand_ends(
    game: Game, random: Random
) -> None:
    hand = PlainHand(game, random.sample(range(52), game.cards_in_deck))
    total = sum(game.stacks) + game.pot
    steps = 0
    while not hand.finished:
        assert sum(hand.stacks) + hand.pot == total
        assert min(hand.stacks) >= 0
        assert hand.actor is not None
        legal = hand.legal()
        all_in = hand.bets[hand.actor] + hand.stacks[hand.actor]
        assert legal.fold
        assert 0 <= legal.call <= hand.stacks[hand.actor]
        assert 0 <= legal.min_raise_to <= legal.max_raise_to <= all_in
        assert not legal.can_raise or legal.max_raise_to > max(hand.bets)
        assert len(hand.board) == BOARD_CARDS[hand.street]
        choices = [FOLD, CALL, CALL, CALL]
        if legal.can_raise:
            choices += [
                legal.min_raise_to,
                legal.max_raise_to,
                random.randint(legal.min_raise_to, legal.max_raise_to),
            ]
        event = hand.do(random.choice(choices))
        assert hand.stacks[event.seat] >= 0
        steps += 1
        assert steps <= 4 * total
    assert sum(hand.stacks) == total - hand.rake
    assert sum(hand.payoffs) == -hand.rake
    assert min(hand.stacks) >= 0


@given(games(), st.randoms(use_true_random=False))
def test_every_engine_agrees_with_the_plain_one_on_any_game(game: Game, random: Random) -> None:
    cards = random.sample(range(52), game.cards_in_deck)
    plain = PlainHand(game, cards)
    others = [engine(game, cards, None) for name, engine in ENGINES.items() if name != "plain"]
    while not plain.finished:
        legal = plain.legal()
        for other in others:
            assert (other.actor, other.legal(), other.bets, other.pot) == (plain.actor, legal, plain.bets, plain.pot)
        raises = [legal.min_raise_to, legal.max_raise_to] if legal.can_raise else []
        action = random.choice([FOLD, CALL, CALL, CALL, *raises])
        for hand in (plain, *others):
            hand.do(action)
    for other in others:
        assert other.finished
        assert (other.board, other.payoffs) == (plain.board, plain.payoffs)


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(1, 3), st.booleans()), min_size=2, max_size=10),
    st.integers(0, 5),
)
def test_side_pots_pay_what_paying_chip_by_chip_would(seats: list[tuple[int, int, bool]], dead: int) -> None:
    put_in = [chips for chips, _, _ in seats]
    live = [seat for seat, (_, _, folded) in enumerate(seats) if not folded]
    if not live:
        return
    strengths = {seat: strength for seat, (_, strength, _) in enumerate(seats)}
    paid = [Fraction(0)] * len(seats)
    for pot in side_pots(put_in, dead, live):
        for seat in winners(pot, strengths):
            paid[seat] += Fraction(pot.chips, len(winners(pot, strengths)))
    assert paid == chip_by_chip(put_in, dead, live, strengths)


def chip_by_chip(put_in: list[int], dead: int, live: list[int], strengths: dict[int, int]) -> list[Fraction]:
    """The k-th chip of each seat is contested by the live seats that put in k chips, or by those that put in most."""
    paid = [Fraction(0)] * len(put_in)
    most = max(put_in[seat] for seat in live)
    layers = [(sum(amount >= k for amount in put_in), min(k, most)) for k in range(1, max(put_in, default=0) + 1)]
    for chips, level in [(dead, min(put_in[seat] for seat in live)), *layers]:
        contenders = [seat for seat in live if put_in[seat] >= level]
        best = [seat for seat in contenders if strengths[seat] == max(strengths[other] for other in contenders)]
        for seat in best:
            paid[seat] += Fraction(chips, len(best))
    return paid


@given(st.integers(0, 100), st.sets(st.integers(0, 9), min_size=1))
def test_a_split_gives_every_chip_away_and_odd_ones_from_the_left(chips: int, seats: set[int]) -> None:
    shares = split(chips, sorted(seats))
    amounts = [shares[seat] for seat in sorted(seats)]
    assert sum(amounts) == chips
    assert amounts == sorted(amounts, reverse=True)
    assert amounts[0] - amounts[-1] <= 1


def test_uncalled_is_what_exceeds_the_second_largest() -> None:
    assert uncalled([5, 9, 7], [0, 1]) == (1, 2)
    assert uncalled([5, 9, 7], [0, 2]) == (1, 0)
    assert uncalled([9, 9, 7], [0, 1])[1] == 0


def test_rake_of_a_pot() -> None:
    assert rake_of(99, None, 0, flop_seen=True) == 0
    assert rake_of(99, Rake(per_mille=50), 0, flop_seen=True) == 4
    assert rake_of(99, Rake(per_mille=50, cap=5), 3, flop_seen=True) == 2
    assert rake_of(99, Rake(per_mille=50), 0, flop_seen=False) == 0
    assert rake_of(99, Rake(per_mille=50, no_flop_no_drop=False), 0, flop_seen=False) == 4


def test_a_hand_leaves_records_of_all_that_happened() -> None:
    hand = deal(PlainHand, table("no-limit", [50, 200, 200], antes=(1, 1, 1)), "r6 f c c r100 c r93 c")
    assert isinstance(hand, PlainHand)
    flop, turn, river = (tuple(parse_cards(cards)) for cards in ("2h7s9h", "Js", "4d"))
    assert hand.events == (
        Posted(0, "ante", 1),
        Posted(1, "ante", 1),
        Posted(2, "ante", 1),
        Posted(0, "blind", 1),
        Posted(1, "blind", 2),
        Acted(2, 0, 6, "raise", 6, all_in=False),
        Acted(0, 0, FOLD, "fold", 0, all_in=False),
        Acted(1, 0, CALL, "call", 4, all_in=False),
        Dealt(1, flop),
        Acted(1, 1, CALL, "check", 0, all_in=False),
        Acted(2, 1, 100, "bet", 100, all_in=False),
        Acted(1, 1, CALL, "call", 100, all_in=False),
        Dealt(2, turn),
        Acted(1, 2, 93, "bet", 93, all_in=True),
        Acted(2, 2, CALL, "call", 93, all_in=True),
        Dealt(3, river),
        Won(Pot(402, (1, 2)), 0, ((1, 402),)),
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(hand.events[0], "chips", 2)  # noqa: B010


def test_a_returned_bet_is_recorded() -> None:
    hand = deal(PlainHand, table("no-limit", [200, 200]), "r6 f")
    assert isinstance(hand, PlainHand)
    assert hand.events[-2:] == (Returned(1, 4), Won(Pot(4, (1,)), 0, ((1, 4),)))


def test_payoffs_are_refused_while_the_hand_is_in_play() -> None:
    with pytest.raises(InputError, match="the hand is not over: seat 1 is to act"):
        _ = deal(PlainHand, table("no-limit", [200, 200])).payoffs


def test_a_deck_that_cannot_be_dealt_is_refused() -> None:
    game = table("no-limit", [200, 200])
    cards = deck(["AcAd", "KcKd"])
    with pytest.raises(InputError, match="the deck has 8 cards; game spot needs 9"):
        PlainHand(game, cards[:-1])
    with pytest.raises(InputError, match="card Ac appears twice in the deck"):
        PlainHand(game, [*cards[:-1], cards[0]])
    with pytest.raises(InputError, match="card 8 of the deck is 52; allowed is 0 to 51"):
        PlainHand(game, [*cards[:-1], 52])
    river = table("no-limit", [9, 9], (0, 0), first_street=3, unit=2, board=tuple(parse_cards("2h7s9hJs4d")))
    with pytest.raises(InputError, match="card 4d of the deck is on the board 2h7s9hJs4d already"):
        PlainHand(river, parse_cards("AcAdKc4d"))


def test_stacks_that_do_not_fit_are_refused() -> None:
    game = table("no-limit", [200, 200])
    cards = deck(["AcAd", "KcKd"])
    with pytest.raises(InputError, match="3 stacks were given; game spot has 2 seats"):
        PlainHand(game, cards, [1, 2, 3])
    with pytest.raises(InputError, match="the stack of seat 1 is 0; allowed is 1 chip or more"):
        PlainHand(game, cards, [1, 0])


def test_other_stacks_may_be_below_the_blinds() -> None:
    hand = PlainHand(table("no-limit", [200, 200]), deck(["AcAd", "KcKd"]), [1, 1])
    assert hand.payoffs == (1, -1)
