"""Hold'em spots: golden answers, a dense twin hand by hand, suits, rake, menus."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from dense_spot import DenseCfr, DenseSpot
from golden_spots import ANY, S3_RANGES, endgame, golden_s1, golden_s3, menu, small_river, small_turn, spot_of
from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.hands.pairs import PAIRS
from luckless.hands.weighted_ranges import parse_weights
from luckless.solve import suits
from luckless.solve.betting import Stakes, build_forests
from luckless.solve.holdem import HoldemSolver
from luckless.solve.memory import check_memory, memory_of, parse_memory
from luckless.solve.menus import Menu, Trimming, parse_sizes
from luckless.solve.schedules import ALGORITHMS, schedule_of
from luckless.solve.spot import Spot
from luckless.solve.street import renamed


def by_board(solver: HoldemSolver) -> Callable[[tuple[int, ...], int], NDArray[np.float64]]:
    """The average strategy of all pairs by board and player; boards must not be taken together."""

    def strategies(board: tuple[int, ...], player: int) -> NDArray[np.float64]:
        street = len(board) - len(solver.spot.board)
        layer = solver.layers[street]
        place = layer.boards.cards.index(board)
        shares = np.zeros((layer.forest.slots(player), PAIRS))
        shares[:, solver.hands[street][player][place]] = solver.strategy(street, place, player)
        return shares

    return strategies


def by_hand(solver: HoldemSolver) -> Callable[[tuple[int, ...], int], NDArray[np.float64]]:
    """The same for the hands that a player can hold, as the twin wants it."""
    held = [np.flatnonzero(weights) for weights in solver.spot.weights]
    return lambda board, player: by_board(solver)(board, player)[:, held[player]]


def test_the_first_golden_spot() -> None:
    spot = golden_s1()
    forest = build_forests(spot.stakes, spot.menus, spot.trimming)[0]
    assert len(forest.decisions) + len(forest.endings) == 177
    assert len(forest.decisions) * 1081 == 64_860
    solver = HoldemSolver(spot, "dcfr+")
    uniform = solver.judge()
    assert uniform.share == pytest.approx(1.82, abs=0.005)
    solver.run(350)
    judged = solver.judge()
    assert 0 <= judged.share < 0.001
    assert judged.first_ev == pytest.approx(468.98, abs=0.10)
    shares = solver.strategy(0, 0, 0)[:4].mean(axis=1)
    assert shares == pytest.approx([0.721, 0.272, 0.007, 0.0], abs=0.015)
    check = next(d for d in forest.decisions if d.player == 1 and d.line == "x")
    reach, answer = by_board(solver)(spot.board, 0)[0], by_board(solver)(spot.board, 1)
    assert reach.any()
    first = check.first_row - 1
    assert answer[first : first + 4].sum(axis=1) / 1081 == pytest.approx([0.505, 0.322, 0.173, 0.0], abs=0.03)


@pytest.mark.parametrize(("number", "value", "room"), [(3, 292.93, 0.3), (4, 2298.6, 0.7)])
def test_golden_river_endgames(number: int, value: float, room: float) -> None:
    solver = HoldemSolver(endgame(number), "dcfr+")
    solver.run(900)
    judged = solver.judge()
    assert judged.share < 0.0015
    assert judged.first_ev == pytest.approx(value, abs=room)


@pytest.mark.slow
def test_golden_turn_spots() -> None:
    solver = HoldemSolver(golden_s3(), "dcfr+")
    solver.run(400)
    assert solver.judge().first_ev == pytest.approx(91.961, abs=0.04)
    solver = HoldemSolver(endgame(2), "dcfr+")
    solver.run(250)
    assert solver.judge().share < 0.005
    assert solver.judge().first_ev == pytest.approx(2365, abs=9)


@pytest.mark.slow
def test_the_largest_turn_endgame() -> None:
    solver = HoldemSolver(endgame(1), "dcfr+")
    while solver.judge().share > 0.004:
        solver.run(50)
    assert solver.judge().first_ev == pytest.approx(250.6, abs=1.1)


@pytest.mark.parametrize("rake", [0.0, 0.05])
def test_values_and_best_responses_are_those_of_the_dense_twin(rake: float) -> None:
    base = small_river()
    stakes = Stakes(base.stakes.pot, base.stakes.stack, 1, rake, 20)
    spot = Spot(base.board, base.weights, stakes, base.menus)
    solver = HoldemSolver(spot, "dcfr+")
    for iterations in (0, 7):
        solver.run(iterations)
        judged = solver.judge()
        values, best = DenseSpot(spot).judge(by_hand(solver))
        assert judged.values == pytest.approx(values, abs=1e-6)
        assert judged.best == pytest.approx(best, abs=1e-6)
        assert judged.exploitability == pytest.approx(sum(best) / 2 - sum(values) / 2, abs=1e-6)
        assert (sum(values) < -0.1) == (rake > 0)


def test_a_turn_is_that_of_the_dense_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suits, "symmetries", lambda *_: [(0, 1, 2, 3)])
    solver = HoldemSolver(small_turn(), "cfr+")
    solver.run(6)
    judged = solver.judge()
    values, best = DenseSpot(small_turn()).judge(by_hand(solver))
    assert judged.values == pytest.approx(values, abs=1e-6)
    assert judged.best == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_iterations_are_those_of_the_dense_twin(algorithm: str) -> None:
    spot = small_river()
    solver, twin = HoldemSolver(spot, algorithm), DenseCfr(spot, schedule_of(algorithm))
    solver.run(4)
    twin.run(4)
    ours = by_hand(solver)
    for player in (0, 1):
        for decision in twin.dense.forests[0].decisions:
            if decision.player == player:
                rows = slice(decision.first_row - 1, decision.first_row - 1 + len(decision.actions))
                weights = twin.average[player][rows]
                total = weights.sum(axis=0)
                come = total > 1e-6 * twin.dense.weights[player]
                theirs = weights[:, come] / total[come]
                assert ours(spot.board, player)[rows][:, come] == pytest.approx(theirs, abs=2e-4)


def test_checked_down_hands_are_worth_their_equity() -> None:
    none = [Menu((), ())]
    solver = HoldemSolver(Spot(tuple(parse_cards("KsTh7s4d2s")), (ANY, ANY), Stakes(1000, 9500), none))
    assert solver.judge().first_ev == pytest.approx(500, abs=1e-9)
    turn = HoldemSolver(spot_of("Td9d6hQc", S3_RANGES, 200, 900, [Menu((), ()), Menu((), ())]))
    assert turn.judge().first_ev / 200 == pytest.approx(0.53060, abs=5e-6)
    assert turn.judge().exploitability == 0


def test_boards_that_differ_in_suits_alone_are_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer with suits taken together is the answer without. Few iterations: rounding errors grow."""
    spot = spot_of("KdJd7d5d", ("AA,KQ,77,64s", "QQ,AK,JT,54"), 60, 150, [menu("100%", "all-in")] * 2)
    together = HoldemSolver(spot, "dcfr+")
    together.run(4)
    assert [len(layer.boards.cards) for layer in together.layers] == [1, 9 + 13]
    assert sum(map(len, together.layers[1].boards.renamings)) == 48
    monkeypatch.setattr(suits, "symmetries", lambda *_: [(0, 1, 2, 3)])
    apart = HoldemSolver(spot, "dcfr+")
    apart.run(4)
    assert len(apart.layers[1].boards.cards) == 48
    assert together.judge().values == pytest.approx(apart.judge().values, abs=2e-3)
    assert together.judge().best == pytest.approx(apart.judge().best, abs=2e-3)
    assert together.strategy(0, 0, 0) == pytest.approx(apart.strategy(0, 0, 0), abs=2e-3)


def test_renamed_suits_give_renamed_strategies() -> None:
    spot, names = small_river(), (2, 0, 3, 1)
    board = tuple(card // 4 * 4 + names[card % 4] for card in spot.board)
    places = renamed(np.arange(PAIRS), names)
    moved = tuple(np.zeros(PAIRS) for _ in range(2))
    for player in (0, 1):
        moved[player][places] = spot.weights[player]
    other = Spot(board, (moved[0], moved[1]), spot.stakes, spot.menus)
    one, two = HoldemSolver(spot, "dcfr+"), HoldemSolver(other, "dcfr+")
    one.run(12)
    two.run(12)
    assert one.judge().values == pytest.approx(two.judge().values, abs=1e-3)
    held = np.flatnonzero(spot.weights[0])
    mine, theirs = by_board(one)(spot.board, 0), by_board(two)(board, 0)
    assert mine[:3, held] == pytest.approx(theirs[:3, places[held]], abs=5e-3)


def test_the_number_of_threads_changes_no_bit() -> None:
    results = []
    for threads in (1, 2):
        solver = HoldemSolver(small_turn(), "dcfr+", threads=threads)
        solver.run(5)
        results.append(solver.layers[1].learned[0].average.tobytes())
    assert results[0] == results[1]


@pytest.mark.parametrize("spot", [small_river(), small_turn()], ids=["river", "turn"])
def test_going_on_changes_no_bit(spot: Spot) -> None:
    """Of the whole state: numbers in places without a hand are saved too."""
    whole, parts, rest = (HoldemSolver(spot, "pdcfr+") for _ in range(3))
    whole.run(9)
    parts.run(4)
    rest.restore(parts.state())
    rest.run(5)
    for name, array in whole.state().items():
        assert array.tobytes() == rest.state()[name].tobytes()
    assert rest.iterations == 9


@pytest.mark.parametrize("bits", [16, 32])
def test_memory_is_told_and_refused(monkeypatch: pytest.MonkeyPatch, bits: int) -> None:
    for spot in (golden_s1(), small_turn()):
        solver = HoldemSolver(spot, bits=bits)
        kept = sum(array.nbytes for layer in solver.layers for learned in layer.learned for array in learned)
        hands = sum(array.nbytes for layer in solver.layers for side in layer.sides for array in side[2:8])
        assert 0.99 * (kept + hands) <= memory_of(spot, bits) <= 1.1 * (kept + hands) + 1e5
    with pytest.raises(InputError, match=r"needs .* 1 MB are allowed"):
        check_memory(golden_s1(), 32, 1_000_000)
    assert check_memory(golden_s1(), 32, 10_000_000) < 10_000_000
    monkeypatch.setattr("luckless.solve.memory.available_memory", lambda: 1000)
    with pytest.raises(InputError, match="are free"):
        check_memory(golden_s1(), 32)


def test_amounts_of_memory() -> None:
    assert parse_memory("1.4GB") == 1_400_000_000
    assert parse_memory(" 512 mb") == 512_000_000
    for text in ("", "GB", "much", "-1GB", "0GB", "1.4", "1e3GB", "٣GB", "nanGB"):
        with pytest.raises(InputError, match="not an amount of memory"):
            parse_memory(text)


def test_weights_of_ranges() -> None:
    weights = parse_weights("AA:0.5, KK, 72o:.25")
    assert sorted(set(weights)) == [0, 0.25, 0.5, 1]
    assert weights.sum() == 6 * 0.5 + 6 + 12 * 0.25
    for text, words in (
        ("AA:2", "from 0 to 1"),
        ("AA:x", "from 0 to 1"),
        ("", "empty"),
        ("AA,AcAd:0.5", "name a hand"),
    ):
        with pytest.raises(InputError, match=words):
            parse_weights(text)


@pytest.mark.parametrize(
    ("board", "ranges", "words"),
    [
        ("KsTh7s4d2s", ("KsTh", "AA"), "the first range 'KsTh' is empty on the board"),
        ("KsTh7s4d2s", ("AcAd", "AcAh,AdAs"), "conflict"),
        ("KsTh", ("AA", "KK"), "2 cards"),
    ],
)
def test_spots_that_cannot_be_played_are_refused(board: str, ranges: tuple[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        spot_of(board, ranges, 100, 100, [Menu((), ())])


def test_sizes_as_people_write_them() -> None:
    spot = spot_of("Td9d6hQc", S3_RANGES, 200, 900, [menu("60%,e,a", "2.5x"), menu("60%,e,a", "2.5x", "50%")])
    first = build_forests(spot.stakes, spot.menus, spot.trimming)[0].decisions[0]
    assert first.actions == ("check", "bet 120", "bet 216", "bet 900")
    for text, words in (
        ("2x", "raises only"),
        ("0%", "more than 0"),
        ("abc", "not a size"),
        ("1.5e", "whole number"),
    ):
        with pytest.raises(InputError, match=words):
            parse_sizes(text, "bets")
    with pytest.raises(InputError, match="minimum raise"):
        parse_sizes("1.5x", "raises", True)


def test_bets_are_legal() -> None:
    """A bet of less than the minimum is the minimum; a raise at least doubles the last one; nobody bets more than
    he has."""
    forest = build_forests(Stakes(100, 350, 20), [menu("5%,300%", "1%,10%")], Trimming())[0]
    assert forest.decisions[0].actions == ("check", "bet 20", "bet 300")
    for decision in forest.decisions:
        bets = [int(part[1:]) for part in decision.line.split() if part[0] in "br"]
        offered = [int(action.split()[1]) for action in decision.actions if " " in action]
        last, before = ([0, 0, *bets])[-1], ([0, 0, *bets])[-2]
        assert all(last + min(max(last - before, 20), 350 - last) <= amount <= 350 for amount in offered)
