"""Solving: Leduc beside OpenSpiel's C++, showdowns beside a dense product, and spots beside the best open solver.

The times of that solver (in Rust, on the same kind of machine) are of another run; ours include building the spot and
measuring the exploitability on the way. One core is measured by computing time, two by the clock on the wall.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from luckless.bench.solve_spots import RIVER, TURN, endgame
from luckless.bench.timing import CPU, WALL, Clock, Row, once, seconds_of
from luckless.bots.bot import Bot
from luckless.bots.catalogue import load_bot
from luckless.cards import parse_cards
from luckless.hands.pairs import PAIRS
from luckless.hands.tables import rank_table
from luckless.matches.match import Match
from luckless.rules.game_files import load_game
from luckless.solve.betting_tree import betting_tree
from luckless.solve.blueprint_making import new_solver
from luckless.solve.blueprint_settings import BLUEPRINTS, EXTERNAL, read_settings
from luckless.solve.board_solutions import TARGET, solve_boards
from luckless.solve.flat import flatten
from luckless.solve.holdem import HoldemSolver
from luckless.solve.leduc import Leduc
from luckless.solve.limit_policies import members_of
from luckless.solve.limit_response import LimitResponse, next_cards
from luckless.solve.limit_streets import streets_of
from luckless.solve.river_game import RiverGame
from luckless.solve.showdown import meet
from luckless.solve.solution import Solution, solve
from luckless.solve.spot import Spot
from luckless.solve.spot_file import make_spot
from luckless.solve.tabular import TabularSolver

REFERENCE = "the best open solver, another run"
LEDUC_ITERATIONS, PEER_ITERATIONS = 1000, 20
SAMPLED = 20_000
PLAYED = 200_000
NEW_BOARDS = 60


def measure() -> Iterator[Row]:
    """All rows."""
    yield from _leduc()
    yield _showdowns()
    yield _sampling()
    yield from _blueprint_hands()
    yield _best_response()
    yield spot_row("S1, a river with all hands", make_spot(RIVER), 0.001, 0.46)
    for number, seconds in ((3, 0.69), (4, 0.079)):
        spot = endgame(number)
        if spot is not None:
            yield spot_row(f"endgame {number}, a river", spot, 0.001, seconds)
    yield spot_row("S3, a turn, on two cores", make_spot(TURN), 0.005, 1.7, threads=2, peer="the aim of 1.7 s")
    yield _new_boards()


def _new_boards() -> Row:
    """What `nash` does before its first decision on a board that it has not met."""
    game = RiverGame.of(load_game("river-hu"))
    dice = np.random.default_rng(5)
    boards = [tuple(sorted(map(int, dice.choice(52, 5, replace=False)))) for _ in range(NEW_BOARDS)]
    solve_boards(game, boards[:1], 2)  # compiles and learns the start
    ours = seconds_of(lambda: solve_boards(game, boards, 2), repeats=3)
    work = f"{NEW_BOARDS} new boards of river-hu for nash, on two cores, to {100 * TARGET:g} % of the pot"
    note = f"{NEW_BOARDS / ours:.1f} a second"
    return Row(work, ours, "the aim of 50 a second", NEW_BOARDS / 50, 1.0, note)


def _leduc() -> Iterator[Row]:
    """CFR, ours beside OpenSpiel's."""
    solver = TabularSolver(flatten(Leduc()), "cfr")
    ours = seconds_of(lambda: solver.run(LEDUC_ITERATIONS), clock=CPU)
    work = f"{LEDUC_ITERATIONS:,} iterations of CFR on Leduc"
    note = f"{LEDUC_ITERATIONS / ours:,.0f} a second"
    try:
        import pyspiel
    except ImportError:
        yield Row(work, ours, note=note)
        return
    peer = pyspiel.CFRSolver(pyspiel.load_game("leduc_poker"))

    def iterate() -> None:
        for _ in range(PEER_ITERATIONS):
            peer.evaluate_and_update_policy()

    theirs = once(iterate, CPU) * LEDUC_ITERATIONS / PEER_ITERATIONS
    yield Row(work, ours, "OpenSpiel in C++", theirs, 30, note)


def _showdowns() -> Row:
    """One pass over sorted hands beside a product with all pairs of hands, for the betting lines of one river."""
    solver = HoldemSolver(make_spot(RIVER), threads=1)
    layer = solver.layers[0]
    own, other = layer.sides
    work = layer.work(0, np.float32)
    work.reach[:] = np.random.default_rng(1).random(len(work.reach))
    repeats = 20

    def pass_over() -> None:
        for _ in range(repeats):
            meet(own, other, 0, work.reach, work.wins, work.everything, work.sums)

    ours = seconds_of(pass_over, clock=CPU) / repeats
    hands = int(own.hands[0])
    strength, cards = own.strength[0][:hands], own.cards[0][:hands]
    apart = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3))
    table = (np.sign(strength[:, None] - strength[None]) * apart).astype(np.float32)
    reach = np.random.default_rng(1).random((hands, own.columns)).astype(np.float32)
    dense = seconds_of(lambda: (table @ reach, apart.astype(np.float32) @ reach), clock=CPU)
    lines = f"showdowns and folds of {own.columns} betting lines"
    return Row(f"{lines}, {hands:,} v {hands:,} hands", ours, "a dense product", dense)


def _sampling() -> Row:
    """External sampling of heads-up limit with cards dealt, once turn boards are known."""
    settings = replace(read_settings(BLUEPRINTS / "limit-hu.toml"), algorithm=EXTERNAL, piece=SAMPLED, lanes=1)
    solver = new_solver(settings, 1)
    solver.tabled = True
    solver.run(6)  # compiles, and counts nearly all turn boards
    ours = seconds_of(lambda: solver.run(1), clock=CPU)
    work = f"{SAMPLED:,} iterations of external sampling, limit, {settings.infosets / 1e6:.2f} million infosets"
    return Row(work, ours, "the aim of 35,000 a second", SAMPLED / 35_000, 1.0, f"{SAMPLED / ours:,.0f} a second")


def _blueprint_hands() -> Iterator[Row]:
    """Whole hands of limit with the shipped blueprint, once rank tables are built; and what one decision costs."""
    game, bots = load_game("limit-hu"), [load_bot("blueprint"), load_bot("call")]

    def play(players: list[Bot]) -> int:
        match = Match.plan(game, players, hands=PLAYED, seed=1)
        return sum(len(chunk.records.actions) for chunk in match.chunks(workers=2))

    ours = seconds_of(lambda: play(bots), repeats=3)
    note = f"{PLAYED / ours:,.0f} hands a second" + ("" if rank_table(5) else ", without rank tables")
    aim = "the aim of 100,000 a second"
    yield Row(f"{PLAYED:,} hands of limit, blueprint v call, on two cores", ours, aim, PLAYED / 100_000, 1.0, note)
    mirrored = [load_bot("blueprint"), load_bot("other=blueprint")]
    decisions = play(mirrored)
    each = seconds_of(lambda: play(mirrored), repeats=3, clock=CPU) / decisions
    work = f"a decision of blueprint, hands and rules included, on average over {decisions:,}"
    yield Row(work, each, "the aim of 200 ns", 200e-9, 1.0, f"{each * 1e9:.0f} ns")


def _best_response() -> Row:
    """The exact best response to the shipped limit blueprint from both seats, on one turn of a flop; a flop of the
    average has 31 turns that differ and 1,455 rivers."""
    game, turn = load_game("limit-hu"), tuple(parse_cards("KsTh7s4d"))
    tree = betting_tree(game)
    streets = streets_of(tree)
    members = members_of(load_bot("blueprint"), game, tree, streets)
    responses = [LimitResponse(streets, members, seat) for seat in (0, 1)]
    reach = np.random.default_rng(1).random((1, PAIRS, 567)).astype(np.float32)
    rivers = len(next_cards(turn, True))

    def respond() -> None:
        for response in responses:
            response.on_rivers(turn, reach, np.arange(567))

    flop = seconds_of(respond, repeats=3, clock=CPU) * 1455 / rivers
    work = "the exact best response to blueprint in limit on one flop, both seats (from one turn's rivers)"
    return Row(
        work, flop, "the aim of 60 core-seconds", 60.0, 1.0, f"{flop * 1755 / 3600:.1f} core-hours for all flops"
    )


def spot_row(
    name: str, spot: Spot, target: float, seconds: float, threads: int = 1, peer: str = REFERENCE, note: str = ""
) -> Row:
    """The time to a target beside that of another."""
    found: list[Solution] = []
    clock: Clock = CPU if threads == 1 else WALL
    run = partial(_solve_to, spot, target, threads, found)
    HoldemSolver(spot, threads=threads).run(1)  # compiles
    ours = seconds_of(run, repeats=3, clock=clock)
    last = found[-1]
    facts = f"{last.iterations} iterations, first player {last.measured.value:,.2f}"
    return Row(f"{name}, to {100 * target:g} % of the pot", ours, peer, seconds, 1.0, f"{facts}{note}")


def _solve_to(spot: Spot, target: float, threads: int, found: list[Solution]) -> None:
    found.append(solve(HoldemSolver(spot, threads=threads), "spot", None, target))
