"""The rules of docs/rules.md, one small hand each; a test is named after what it checks.

Actions are words: f fold, c check or call, r6 bet or raise to 6. Hole cards grow weaker from seat 0 on unless said.
"""

import pytest

from engines import Engine
from luckless.cards import parse_cards
from luckless.rules.actions import IllegalAction
from luckless.rules.game import Betting, Rake
from luckless.rules.plain import PlainHand
from spots import PAIRS, deal, expect, play, table

pytestmark = pytest.mark.interpreted

# Order of play


def test_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200]))
    assert hand.bets == (2, 1)
    expect(hand, seat=1, call=1, raise_to=(4, 200))


def test_heads_up_the_button_acts_last_after_the_flop(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200]), "c c")
    assert hand.street == 1
    assert hand.actor == 0
    assert play(hand, "c").actor == 1


def test_three_seats_the_button_acts_first_before_the_flop_and_last_after_it(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 200]))
    assert hand.actor == 2
    play(hand, "c c c")
    assert [hand.actor, play(hand, "c").actor, play(hand, "c").actor] == [0, 1, 2]


def test_six_seats_the_seat_after_the_big_blind_acts_first_and_the_big_blind_last(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200] * 6))
    order = []
    for _ in range(6):
        order.append(hand.actor)
        play(hand, "c")
    assert order == [2, 3, 4, 5, 0, 1]
    assert (hand.street, hand.actor) == (1, 0)


def test_the_big_blind_has_the_option_to_raise_when_nobody_has(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 200]), "c c")
    expect(hand, seat=1, call=0, raise_to=(4, 200))
    play(hand, "r8")
    expect(hand, seat=2, call=6, raise_to=(14, 200))


def test_the_big_blind_that_checks_its_option_ends_the_street(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 200]), "c c c")
    assert (hand.street, hand.pot) == (1, 6)


def test_the_last_of_the_largest_blinds_acts_last(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200] * 5, blinds=(1, 2, 4)))
    expect(hand, seat=3, call=4, raise_to=(8, 200))
    play(hand, "c c c c")
    expect(hand, seat=2, call=0, raise_to=(8, 200))


def test_without_blinds_seat_0_acts_first(engine: Engine) -> None:
    game = table("no-limit", [200, 200, 200], blinds=(0, 0, 0), antes=(1, 1, 1), unit=2)
    expect(deal(engine, game), seat=0, call=0, raise_to=(2, 199))


def test_folded_and_all_in_seats_are_skipped(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 2, 200, 200]), "c f c c c")
    assert [hand.actor, play(hand, "c").actor, play(hand, "c").actor] == [0, 1, 4]


def test_a_bet_is_answered_by_every_seat_from_the_left_of_the_bettor(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 200, 200]), "c c c c c r10")
    assert [hand.actor, play(hand, "c").actor, play(hand, "c").actor] == [2, 3, 0]
    assert play(hand, "c").street == 2


# Ending a hand


def test_when_all_fold_to_the_big_blind_it_wins_and_no_card_is_dealt(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 200]), "f f")
    assert hand.finished
    assert hand.board == ()
    assert hand.payoffs == (-1, 1, 0)


def test_a_fold_on_the_turn_leaves_the_board_as_far_as_seen(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200]), "c c c c r10 f")
    assert hand.board == tuple(parse_cards("2h7s9hJs"))
    assert hand.payoffs == (2, -2)


def test_a_fold_when_checking_is_free_is_legal(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 200]), "c c c f")
    assert hand.actor == 1
    assert play(hand, "r2 f").payoffs == (-2, 4, -2)


def test_the_big_blind_may_fold_its_option(engine: Engine) -> None:
    assert deal(engine, table("no-limit", [200, 200]), "c f").payoffs == (-2, 2)


def test_a_checked_hand_ends_at_showdown_with_the_whole_board(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200]), "c c c c c c c c")
    assert hand.finished
    assert len(hand.board) == 5
    assert hand.payoffs == (2, -2)


def test_everyone_all_in_before_the_flop_runs_to_showdown(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 200]), "r200 c c")
    assert hand.finished
    assert len(hand.board) == 5
    assert hand.payoffs == (400, -200, -200)


def test_the_last_seat_with_chips_is_not_asked_once_it_has_matched(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [50, 200]), "r200 c")
    assert hand.finished
    assert hand.payoffs == (50, -50)


def test_the_big_blind_is_not_asked_when_all_others_are_all_in_for_no_more(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 2]), "c f")
    assert hand.finished
    assert hand.payoffs == (-1, 3, -2)


def test_a_caller_for_less_is_all_in(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [30, 200, 200]), "r100")
    expect(hand, seat=0, call=29, raise_to=None)
    play(hand, "c c")
    assert hand.stacks[0] == 0
    assert hand.actor == 1


# No-limit: minimum raise


def test_the_minimum_raise_before_the_flop_is_to_two_big_blinds(engine: Engine) -> None:
    expect(deal(engine, table("no-limit", [200, 200, 200])), seat=2, call=2, raise_to=(4, 200))


def test_the_minimum_raise_is_the_last_full_raise(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 200]), "r7")
    expect(hand, seat=0, call=6, raise_to=(12, 200))
    expect(play(hand, "r20"), seat=1, call=18, raise_to=(33, 200))


def test_the_minimum_raise_is_the_last_one_even_if_an_earlier_one_was_smaller(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [500, 500, 500]), "c c c r10 r20 r80")
    expect(hand, seat=0, call=70, raise_to=(140, 498))


def test_the_minimum_bet_is_the_big_blind_on_every_street(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200]), "r50 c")
    expect(hand, seat=0, call=0, raise_to=(2, 150))
    expect(play(hand, "r20 c"), seat=0, call=0, raise_to=(2, 130))


def test_the_minimum_raise_after_a_short_all_in_adds_the_last_full_raise(engine: Engine) -> None:
    game = table("no-limit", [1000, 152, 1000], blinds=(1, 2))
    hand = deal(engine, game, "c c c r100 r150")
    expect(hand, seat=2, call=150, raise_to=(250, 998))


def test_the_minimum_raise_over_an_all_in_bet_below_the_big_blind(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [3, 200, 200]), "c c c r1")
    expect(hand, seat=1, call=1, raise_to=(3, 198))


def test_the_rulebooks_example_of_an_all_in_below_the_minimum_bet(engine: Engine) -> None:
    # Robert's Rules, no-limit rule 2: the minimum bring-in is 100, an all-in on the flop is 20; a raise is to 120.
    hand = deal(engine, table("no-limit", [120, 5000, 5000], blinds=(50, 100)), "c c c r20")
    expect(hand, seat=1, call=20, raise_to=(120, 4900))


def test_a_full_all_in_raise_sets_the_minimum(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [1000, 302, 1000]), "c c c r100 r300")
    expect(hand, seat=2, call=300, raise_to=(500, 998))


def test_all_in_below_the_minimum_is_the_only_raise_allowed(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 15]), "c c c c r10")
    expect(hand, seat=2, call=10, raise_to=(13, 13))


def test_a_stack_that_does_not_exceed_the_call_cannot_raise(engine: Engine) -> None:
    expect(deal(engine, table("no-limit", [200, 200, 12]), "c c c c r10"), seat=2, call=10, raise_to=None)


# No-limit: who may raise again


def test_a_short_all_in_does_not_reopen_the_betting_to_those_who_have_acted(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [1000, 152, 1000]), "c c c r100 r150 c")
    expect(hand, seat=0, call=50, raise_to=None)


def test_a_short_all_in_leaves_the_betting_open_to_those_who_have_not_acted(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [1000, 152, 1000]), "c c c r100 r150")
    expect(hand, seat=2, call=150, raise_to=(250, 998))


def test_a_raise_by_a_seat_that_had_not_acted_reopens_after_a_short_all_in(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [1000, 152, 1000]), "c c c r100 r150 r250")
    expect(hand, seat=0, call=150, raise_to=(350, 998))


def test_two_short_all_ins_that_make_a_full_raise_reopen_the_betting(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [1000, 152, 202, 1000]), "c c c c r100 r150 r200 c")
    expect(hand, seat=0, call=100, raise_to=(300, 998))


def test_two_short_all_ins_below_a_full_raise_do_not_reopen(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [1000, 152, 201, 1000]), "c c c c r100 r150 r199 c")
    expect(hand, seat=0, call=99, raise_to=None)


def test_short_all_ins_count_from_the_seats_own_last_action(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [1000, 152, 1000, 202]), "c c c c r100 r150 c r200")
    expect(hand, seat=0, call=100, raise_to=(300, 998))
    expect(play(hand, "c"), seat=2, call=50, raise_to=None)


def test_the_rulebooks_example_of_short_all_ins_that_reopen(engine: Engine) -> None:
    # TDA 2024, addendum to rule 47, example 1: blinds 50-100; bet 100, all-in 125, call, all-in 200, call.
    game = table("no-limit", [5000, 225, 5000, 300, 5000], blinds=(50, 100))
    hand = deal(engine, game, "c c c c c r100 r125 c r200 c")
    expect(hand, seat=0, call=100, raise_to=(300, 4900))
    expect(play(hand, "c"), seat=2, call=75, raise_to=None)


def test_a_short_all_in_bet_does_not_reopen_to_a_seat_that_checked(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 3, 200]), "c c c c r1")
    expect(hand, seat=2, call=1, raise_to=(3, 198))
    expect(play(hand, "c"), seat=0, call=1, raise_to=None)


def test_a_bet_of_at_least_the_big_blind_opens_to_a_seat_that_checked(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 4, 200]), "c c c c r2 c")
    expect(hand, seat=0, call=2, raise_to=(4, 198))


def test_a_short_all_in_over_limpers_leaves_only_the_big_blind_free_to_raise(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [3, 200, 200, 200]), "c c r3")
    expect(hand, seat=1, call=1, raise_to=(5, 200))
    expect(play(hand, "c"), seat=2, call=1, raise_to=None)


def test_a_seat_that_may_not_raise_may_not_push_its_last_chips_either(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [160, 152, 1000]), "c c c r100 r150 c")
    expect(hand, seat=0, call=50, raise_to=None)


# Raises nobody could answer


def test_no_raise_when_all_others_are_all_in(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [50, 200, 40]), "r40 r50")
    expect(hand, seat=1, call=48, raise_to=None)


def test_a_raise_beyond_every_other_stack_is_allowed_and_comes_back(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [50, 200]))
    expect(hand, seat=1, call=1, raise_to=(4, 200))
    play(hand, "r200")
    expect(hand, seat=0, call=48, raise_to=None)
    assert play(hand, "c").stacks == (100, 150)


# Short blinds and antes


def test_a_short_big_blind_leaves_the_full_blind_to_call(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 3, 200, 200], blinds=(5, 10)))
    expect(hand, seat=2, call=10, raise_to=(20, 200))
    expect(play(hand, "c c"), seat=0, call=5, raise_to=(20, 200))


def test_a_short_big_blind_contends_only_for_what_it_posted(engine: Engine) -> None:
    holes = ("KcKd", "AcAd", "QcQd")
    hand = deal(engine, table("no-limit", [200, 3, 200], blinds=(5, 10)), "c c c c c c c c", holes)
    assert hand.payoffs == (4, 6, -10)


def test_a_short_big_blind_below_the_small_blind_leaves_nothing_to_decide_heads_up(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [3, 200], blinds=(5, 10)))
    assert hand.finished
    assert hand.payoffs == (3, -3)


def test_a_short_big_blind_above_the_small_blind_is_called_for_what_it_is_heads_up(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [7, 200], blinds=(5, 10)))
    expect(hand, seat=1, call=2, raise_to=None)
    assert play(hand, "c").payoffs == (7, -7)


def test_a_short_small_blind_is_all_in_and_is_not_asked(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [3, 200, 200], blinds=(5, 10)), "c c")
    assert (hand.street, hand.actor) == (1, 1)
    play(hand, "c c c c c c")
    assert hand.payoffs == (6, 4, -10)


def test_the_small_blind_folds_to_two_all_ins_or_calls_the_larger(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 7, 9], blinds=(5, 10)), "c")
    expect(hand, seat=0, call=4, raise_to=None)


def test_blinds_that_put_everyone_all_in_leave_no_decision(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [2, 1], blinds=(1, 2)))
    assert hand.finished
    assert len(hand.board) == 5
    assert hand.payoffs == (1, -1)


def test_an_ante_all_in_contends_for_the_antes_alone(engine: Engine) -> None:
    game = table("no-limit", [200, 200, 5], blinds=(5, 10), antes=(5, 5, 5))
    hand = deal(engine, game, "c c c c c c c c", ("KcKd", "QcQd", "AcAd"))
    assert hand.payoffs == (5, -15, 10)


def test_a_seat_all_in_for_part_of_its_ante_contends_for_that_part_of_each(engine: Engine) -> None:
    game = table("no-limit", [200, 200, 2], blinds=(5, 10), antes=(5, 5, 5))
    hand = deal(engine, game, "c c c c c c c c", ("KcKd", "QcQd", "AcAd"))
    assert hand.payoffs == (11, -15, 4)


def test_antes_are_posted_before_blinds(engine: Engine) -> None:
    game = table("no-limit", [200, 7, 200], blinds=(5, 10), antes=(5, 5, 5))
    hand = deal(engine, game)
    assert hand.bets == (5, 2, 0)
    assert hand.stacks == (190, 0, 195)
    expect(hand, seat=2, call=10, raise_to=(20, 195))


def test_antes_do_not_count_in_the_street_bet(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 200], blinds=(5, 10), antes=(5, 5, 5)))
    assert hand.pot == 30
    expect(hand, seat=2, call=10, raise_to=(20, 195))


def test_a_big_blind_ante_is_dead_money_and_never_comes_back(engine: Engine) -> None:
    game = table("no-limit", [200, 200, 200], antes=(0, 2, 0))
    hand = deal(engine, game, "c f c c c c c c c", ("KcKd", "QcQd", "AcAd"))
    assert hand.payoffs == (-1, -4, 5)


def test_an_uncalled_bet_returns_though_a_big_blind_ante_makes_the_totals_equal(engine: Engine) -> None:
    # Seat 1 puts in 9 and an ante of 3, seat 2 puts in 12 of which 3 are not called.
    game = table("no-limit", [900, 12, 96], blinds=(1, 3), antes=(0, 3, 0))
    hand = deal(engine, game, "r7 c c c r2 r5 f", ("QcQd", "AcAd", "KcKd"))
    assert hand.payoffs == (-7, 16, -9)


def test_a_short_stack_wins_the_whole_big_blind_ante_in_the_main_pot(engine: Engine) -> None:
    game = table("no-limit", [200, 200, 3], blinds=(5, 10), antes=(0, 10, 0))
    hand = deal(engine, game, "c c c c c c c c c", ("KcKd", "QcQd", "AcAd"))
    assert hand.payoffs == (4, -20, 16)


def test_a_short_big_blind_posts_its_blind_before_the_big_blind_ante(engine: Engine) -> None:
    # 8 of each seat are the main pot; the others play for 2 more each.
    game = table("no-limit", [200, 8, 200], blinds=(5, 10), antes=(0, 10, 0))
    hand = deal(engine, game, "c c c c c c c c", ("KcKd", "AcAd", "QcQd"))
    assert hand.payoffs == (-6, 16, -10)


def test_what_a_short_big_blind_has_left_is_its_big_blind_ante(engine: Engine) -> None:
    # 10 are the blind, 2 of the ante lie in the main pot for all.
    game = table("no-limit", [200, 12, 200], blinds=(5, 10), antes=(0, 10, 0))
    assert deal(engine, game, "c c c c c c c c", ("KcKd", "AcAd", "QcQd")).payoffs == (-10, 20, -10)
    assert deal(engine, game, "c c c c c c c c", ("AcAd", "KcKd", "QcQd")).payoffs == (22, -12, -10)


def test_heads_up_with_equal_blinds_the_button_acts_first_and_then_last(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200], blinds=(2, 2)))
    assert hand.actor == 1
    assert play(hand, "c").actor == 0
    assert (play(hand, "c").street, hand.actor) == (1, 0)


# Pots


def test_an_uncalled_bet_returns(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200]), "c c r100 f")
    assert hand.payoffs == (2, -2)
    assert hand.stacks == (202, 198)


def test_an_uncalled_part_of_an_all_in_returns_before_the_pots_are_paid(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [50, 200, 80]), "r80 c c", ("AcAd", "QcQd", "KcKd"))
    assert hand.finished
    assert hand.payoffs == (100, -80, -20)


def test_folded_chips_stay_in_the_pot(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200, 200]), "r10 c c r30 c f r50 f")
    assert hand.payoffs == (50, -40, -10)


@pytest.mark.parametrize(("last", "payoffs"), [("f", (0, -2, 0, 2)), ("c", (0, -2, 3, -1))])
def test_chips_of_a_folded_seat_stay_in_the_pot_even_if_nobody_has_matched_them(
    engine: Engine, last: str, payoffs: tuple[int, ...]
) -> None:
    # Two blinds of 2: seat 3 can post only 1, seat 1 folds its own though nobody has raised.
    game = table("no-limit", [1, 6, 1, 1], blinds=(0, 2, 0, 2))
    assert deal(engine, game, f"f f {last}").payoffs == payoffs


def test_a_side_pot_goes_to_its_own_contenders(engine: Engine) -> None:
    holes = ("AcAd", "QcQd", "KcKd")
    hand = deal(engine, table("no-limit", [50, 200, 200]), "r200 c c", holes)
    assert hand.payoffs == (100, -200, 100)


def test_three_side_pots_with_a_folded_contributor(engine: Engine) -> None:
    stacks = [10, 50, 120, 300, 300]
    holes = ("AcAd", "KcKd", "QcQd", "TcTd", "8c8d")
    hand = deal(engine, table("no-limit", stacks), "c r30 c c c r120 c f c", holes)
    # Levels 10, 50, 120: seat 4 folded 30. Pots 10*5, 40*3+20, 70*2.
    assert hand.finished
    assert hand.payoffs == (40, 90, 20, -120, -30)


def test_three_side_pots_won_from_the_top_down(engine: Engine) -> None:
    stacks = [10, 50, 120, 300]
    holes = ("TcTd", "QcQd", "KcKd", "AcAd")
    hand = deal(engine, table("no-limit", stacks), "r120 r300 c c", holes)
    assert hand.payoffs == (-10, -50, -120, 180)


def test_a_side_pot_whose_other_contender_folded_goes_to_the_one_who_stayed(engine: Engine) -> None:
    holes = ("AcAd", "QcQd", "KcKd")
    hand = deal(engine, table("no-limit", [50, 200, 200]), "r60 c c r40 f", holes)
    assert hand.finished
    assert hand.payoffs == (100, -40, -60)


def test_the_best_hand_wins_only_the_pots_it_reached_when_it_ties_in_the_main_pot(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [50, 200, 200]), "r200 c c", ("AcAd", "AhAs", "KcKd"), "2h7s9hJs4d")
    assert hand.payoffs == (25, 175, -200)


# Limit


LIMIT = {"bet_sizes": (10, 10, 20, 20), "max_bets": (4, 4, 4, 4)}


def test_limit_bets_have_the_size_of_the_street(engine: Engine) -> None:
    hand = deal(engine, table("limit", [500, 500], (5, 10), **LIMIT))
    expect(hand, seat=1, call=5, raise_to=(20, 20))
    expect(play(hand, "c c"), seat=0, call=0, raise_to=(10, 10))
    expect(play(hand, "c c"), seat=0, call=0, raise_to=(20, 20))
    expect(play(hand, "r20"), seat=1, call=20, raise_to=(40, 40))
    expect(play(hand, "c"), seat=0, call=0, raise_to=(20, 20))


def test_limit_the_blind_is_the_first_of_four_bets(engine: Engine) -> None:
    hand = deal(engine, table("limit", [500, 500], (5, 10), **LIMIT), "r20 r30 r40")
    expect(hand, seat=0, call=10, raise_to=None)


def test_limit_four_bets_after_the_flop(engine: Engine) -> None:
    hand = deal(engine, table("limit", [500, 500], (5, 10), **LIMIT), "c c r10 r20 r30 r40")
    expect(hand, seat=0, call=10, raise_to=None)
    expect(play(hand, "c"), seat=0, call=0, raise_to=(20, 20))


def test_limit_an_all_in_below_half_a_bet_does_not_reopen(engine: Engine) -> None:
    hand = deal(engine, table("limit", [500, 500, 24], (5, 10), **LIMIT), "c c c r10 c r14")
    expect(hand, seat=0, call=4, raise_to=None)
    expect(play(hand, "c"), seat=1, call=4, raise_to=None)


def test_limit_an_all_in_below_half_a_bet_is_completed_by_the_next_raise(engine: Engine) -> None:
    hand = deal(engine, table("limit", [500, 24, 500], (5, 10), **LIMIT), "c c c r10 r14")
    expect(hand, seat=2, call=14, raise_to=(20, 20))
    expect(play(hand, "r20"), seat=0, call=10, raise_to=(30, 30))


def test_limit_an_all_in_bet_below_half_is_completed_to_the_bet(engine: Engine) -> None:
    hand = deal(engine, table("limit", [13, 500, 500], (5, 10), **LIMIT), "c c c r3")
    expect(hand, seat=1, call=3, raise_to=(10, 10))


def test_limit_an_all_in_of_half_a_bet_reopens_and_is_raised_by_a_full_bet(engine: Engine) -> None:
    hand = deal(engine, table("limit", [500, 500, 25], (5, 10), **LIMIT), "c c c r10 c r15")
    expect(hand, seat=0, call=5, raise_to=(25, 25))


def test_limit_the_rulebooks_example_of_a_full_raise_over_an_all_in(engine: Engine) -> None:
    # Robert's Rules: on a betting street of 20, an all-in bet of 15 is raised to 35.
    game = table("limit", [35, 500, 500], (10, 20), bet_sizes=(20, 20, 40, 40), max_bets=(4, 4, 4, 4))
    expect(deal(engine, game, "c c c r15"), seat=1, call=15, raise_to=(35, 35))


def test_limit_an_all_in_of_half_a_bet_counts_towards_the_cap(engine: Engine) -> None:
    hand = deal(engine, table("limit", [500, 500, 25], (5, 10), **LIMIT), "c c c r10 c r15 r25 r35")
    expect(hand, seat=0, call=10, raise_to=None)


def test_limit_an_all_in_below_half_a_bet_does_not_count_towards_the_cap(engine: Engine) -> None:
    hand = deal(engine, table("limit", [500, 24, 500], (5, 10), **LIMIT), "c c c r10 r14 r20 r30")
    expect(hand, seat=2, call=10, raise_to=(40, 40))
    expect(play(hand, "r40"), seat=0, call=10, raise_to=None)


@pytest.mark.parametrize("cap", [127, 128, 130, 300])
@pytest.mark.parametrize(
    ("betting", "sizes"), [("limit", (2, 2, 2, 2)), ("no-limit", (0,) * 4), ("pot-limit", (0,) * 4)]
)
def test_a_large_cap_is_kept_too(engine: Engine, betting: Betting, sizes: tuple[int, ...], cap: int) -> None:
    hand = deal(engine, table(betting, [5000, 5000], bet_sizes=sizes, max_bets=(cap,) * 4))
    for allowed in (cap - 1, cap, cap, cap):
        raises = 0
        while hand.legal().can_raise:
            play(hand, f"r{hand.legal().min_raise_to}")
            raises += 1
        assert raises == allowed
        play(hand, "c")


def test_limit_small_all_ins_add_up_to_a_bet(engine: Engine) -> None:
    # 10, 13 (short), 16: six above the last bet that counted, so 16 counts and the raise is to 26.
    hand = deal(engine, table("limit", [500, 23, 26, 500], (5, 10), **LIMIT), "c c c c r10 r13 r16")
    expect(hand, seat=3, call=16, raise_to=(26, 26))
    expect(play(hand, "c"), seat=0, call=6, raise_to=(26, 26))


def test_limit_growth_below_half_a_bet_since_the_seats_own_action_does_not_reopen(engine: Engine) -> None:
    hand = deal(engine, table("limit", [500, 23, 500, 26], (5, 10), **LIMIT), "c c c c r10 r13 c r16 c")
    expect(hand, seat=2, call=3, raise_to=None)


def test_limit_an_all_in_below_the_bet_is_the_only_raise(engine: Engine) -> None:
    hand = deal(engine, table("limit", [500, 500, 17], (5, 10), **LIMIT))
    expect(hand, seat=2, call=10, raise_to=(17, 17))


# Pot-limit


def test_pot_limit_opening_maximum(engine: Engine) -> None:
    expect(deal(engine, table("pot-limit", [200, 200, 200])), seat=2, call=2, raise_to=(4, 7))


def test_pot_limit_maximum_counts_antes(engine: Engine) -> None:
    hand = deal(engine, table("pot-limit", [200, 200, 200], antes=(1, 1, 1)))
    expect(hand, seat=2, call=2, raise_to=(4, 10))


def test_pot_limit_maximum_over_a_raise(engine: Engine) -> None:
    # 1 + 2 + 7 in the middle, 6 to call: 7 + 16.
    expect(deal(engine, table("pot-limit", [200, 200, 200]), "r7"), seat=0, call=6, raise_to=(12, 23))


def test_pot_limit_maximum_after_the_flop(engine: Engine) -> None:
    hand = deal(engine, table("pot-limit", [200, 200, 200]), "r7 c c")
    expect(hand, seat=0, call=0, raise_to=(2, 21))
    expect(play(hand, "r21"), seat=1, call=21, raise_to=(42, 84))


def test_pot_limit_maximum_is_never_more_than_all_in(engine: Engine) -> None:
    expect(deal(engine, table("pot-limit", [200, 200, 6])), seat=2, call=2, raise_to=(4, 6))


def test_pot_limit_a_short_blind_counts_in_full_before_the_flop_and_as_it_is_later(engine: Engine) -> None:
    hand = deal(engine, table("pot-limit", [200, 3, 200, 200], blinds=(5, 10)))
    expect(hand, seat=2, call=10, raise_to=(20, 35))
    play(hand, "c c c")
    expect(hand, seat=0, call=0, raise_to=(10, 33))


def test_pot_limit_the_rulebooks_example_of_a_short_big_blind(engine: Engine) -> None:
    # TDA 2024, rule 54-B, example 2: blinds 100-200, the big blind posts 100; the first to act may bet 700.
    hand = deal(engine, table("pot-limit", [5000, 100, 5000, 5000], blinds=(100, 200)))
    expect(hand, seat=2, call=200, raise_to=(400, 700))


def test_pot_limit_the_minimum_bet_is_allowed_in_a_smaller_pot(engine: Engine) -> None:
    game = table("pot-limit", [200, 200], blinds=(0, 0), antes=(1, 1), unit=10)
    expect(deal(engine, game), seat=0, call=0, raise_to=(10, 10))


def test_pot_limit_short_all_in_does_not_reopen(engine: Engine) -> None:
    hand = deal(engine, table("pot-limit", [200, 30, 200]), "r7 c c r20 r23 c")
    expect(hand, seat=0, call=3, raise_to=None)


# Starting on a later street


RIVER = {"first_street": 3, "pot": 200, "unit": 100}


def test_a_river_start_deals_the_board_and_plays_one_street(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [9900, 9900], (0, 0), **RIVER))
    assert (hand.street, len(hand.board), hand.pot) == (3, 5, 200)
    expect(hand, seat=0, call=0, raise_to=(100, 9900))
    assert play(hand, "c c").payoffs == (100, -100)


def test_a_river_start_counts_the_share_of_the_pot_as_invested(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [9900, 9900], (0, 0), **RIVER), "c r300 f")
    assert hand.payoffs == (-100, 100)
    hand = deal(engine, table("no-limit", [9900, 9900], (0, 0), **RIVER), "r9900 c")
    assert hand.payoffs == (10000, -10000)


def test_a_later_start_with_unequal_stacks_returns_what_is_not_called(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [500, 9900], (0, 0), **RIVER), "c r9900 c")
    assert hand.payoffs == (600, -600)
    assert hand.stacks == (1200, 9400)


def test_a_fixed_board_is_on_the_table_and_not_dealt(engine: Engine) -> None:
    game = table(
        "pot-limit", [100, 100, 100], (0,), first_street=1, pot=30, unit=5, board=tuple(parse_cards("2h7s9h"))
    )
    hand = deal(engine, game, "c c c", board="Js4d")
    assert hand.board == tuple(parse_cards("2h7s9hJs"))
    expect(hand, seat=0, call=0, raise_to=(5, 30))


# Rake


def test_rake_is_rounded_down(engine: Engine) -> None:
    game = table("no-limit", [200, 200], rake=Rake(per_mille=50))
    hand = deal(engine, game, "r50 c c c c c c c")
    assert hand.payoffs == (45, -50)
    hand = deal(engine, game, "r9 c c c c c c c")
    assert hand.payoffs == (9, -9)


def test_rake_stops_at_the_cap_of_the_hand_main_pot_first(engine: Engine) -> None:
    game = table("no-limit", [50, 200, 200], rake=Rake(per_mille=50, cap=10))
    hand = deal(engine, game, "r200 c c")
    # Main pot 150 pays 7, side pot 300 would pay 15 and pays the 3 that are left.
    assert hand.payoffs == (93, 97, -200)


def test_no_flop_no_drop(engine: Engine) -> None:
    for no_drop, paid in ((True, 0), (False, 1)):
        game = table("no-limit", [200, 200, 200], rake=Rake(per_mille=100, no_flop_no_drop=no_drop))
        assert sum(deal(engine, game, "r10 r30 f f").payoffs) == -paid * 2
        assert sum(deal(engine, game, "r10 f c r20 f").payoffs) == -2


def test_an_uncalled_bet_is_never_raked(engine: Engine) -> None:
    game = table("no-limit", [200, 200], rake=Rake(per_mille=500))
    assert deal(engine, game, "c c r198 f").payoffs == (0, -2)


# Refusals


def test_an_action_after_the_end_is_refused(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200, 200]), "f")
    with pytest.raises(IllegalAction, match="over"):
        hand.do(0)


@pytest.mark.parametrize("action", [-2, 1, 3, 201])
def test_a_wrong_action_is_refused_with_what_is_allowed_and_changes_nothing(engine: Engine, action: int) -> None:
    hand = deal(engine, table("no-limit", [200, 200]))
    assert not hand.can(action)
    for attempt in (hand.verify, hand.do):
        with pytest.raises(IllegalAction, match=r"4\.\.200"):
            attempt(action)
    assert hand.bets == (2, 1)
    expect(hand, seat=1, call=1, raise_to=(4, 200))


def test_the_plain_engine_names_the_rule_that_forbids_a_raise() -> None:
    closed = deal(PlainHand, table("no-limit", [1000, 152, 1000]), "c c c r100 r150 c")
    with pytest.raises(IllegalAction, match="the seat has acted"):
        closed.verify(500)
    capped = deal(PlainHand, table("limit", [500, 500], (5, 10), **LIMIT), "r20 r30 r40")
    with pytest.raises(IllegalAction, match="the cap of 4 bets is reached"):
        capped.verify(50)
    lonely = deal(PlainHand, table("no-limit", [50, 200, 40]), "r40 r50")
    with pytest.raises(IllegalAction, match="no other seat has chips left"):
        lonely.verify(200)
    poor = deal(PlainHand, table("no-limit", [200, 200, 12]), "c c c c r10")
    with pytest.raises(IllegalAction, match="the stack of 10 does not exceed the call"):
        poor.verify(11)


def test_ten_seats_play(engine: Engine) -> None:
    hand = deal(engine, table("no-limit", [200] * 10), "r6" + " c" * 9 + " c" * 30)
    assert hand.finished
    assert hand.payoffs == (54, *[-6] * 9)


def test_hole_cards_are_dealt_in_seat_order_two_by_two(engine: Engine) -> None:
    for winner in range(4):
        holes = list(PAIRS[1:4])
        holes.insert(winner, PAIRS[0])
        payoffs = deal(engine, table("no-limit", [200] * 4), "c " * 16, holes).payoffs
        assert payoffs == tuple(6 if seat == winner else -2 for seat in range(4))
