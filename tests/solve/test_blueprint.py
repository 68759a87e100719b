"""Blueprints: training beside a plain twin, files, and play of small ones that are made here."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import luckless as lk
from luckless.bots.bot import all_hands
from luckless.bots.registry import ENTRIES
from luckless.errors import InputError
from luckless.hands.strength import strengths
from luckless.randomness import SPLITMIX_STEP, key_of, random_bits_at, splitmix
from luckless.rules.dealing import deal
from luckless.rules.game import Game
from luckless.rules.table import Table
from luckless.solve.blueprint_bot import BlueprintBot
from luckless.solve.blueprint_file import Blueprint, load_blueprint, rounded, save_blueprint
from luckless.solve.blueprint_making import keep, make_blueprint, new_solver, resumed_solver
from luckless.solve.blueprint_settings import BLUEPRINTS, BlueprintSettings, read_settings, shipped_blueprints
from luckless.solve.blueprint_training import BlueprintSolver
from luckless.solve.card_buckets import Slices, bucket_of, card_buckets
from luckless.solve.translation import harmonic
from shell import Shell

SIZES = (("75%,all-in", "all-in"), ("50%,100%,all-in", "all-in"), ("75%,all-in", "all-in"), ("75%,all-in", "all-in"))
LIMIT = BlueprintSettings("limit-hu", 1, 300, 2, 2, 500, Slices((3, 2), (3, 2), 5))
NO_LIMIT = replace(LIMIT, game="nolimit-hu", sizes=SIZES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small blueprints."""
    path = tmp_path_factory.mktemp("blueprints")
    for settings in (LIMIT, NO_LIMIT):
        make_blueprint(settings, new_solver(settings, 1), path / f"{settings.game}.safetensors")
    return path


def _twin(solver: BlueprintSolver, iterations: int) -> tuple[np.ndarray, np.ndarray]:
    """Regrets and averages of the first iterations by plain recursion."""
    tree, buckets = solver.tree, card_buckets(solver.bounds)
    starts = np.concatenate([[0], np.cumsum(np.array(solver.counts) * tree.width)[:-1]])
    regrets, average, key = np.zeros(solver.slots), np.zeros(solver.slots), key_of(solver.seed)
    decks = deal(Game.load("limit-hu"), solver.seed, range(iterations)).astype(np.int64)

    def matched(first: int, size: int) -> np.ndarray:
        positive = np.maximum(regrets[first : first + size], 0)
        return positive / positive.sum() if positive.sum() > 0 else np.full(size, 1 / size)

    for number, deck in enumerate(decks):
        cards = [np.concatenate([deck[2 * seat : 2 * seat + 2], deck[4:]]) for seat in (0, 1)]
        rows = [[starts[s] + bucket_of(cards[seat], s, buckets) * tree.width[s] for s in range(4)] for seat in (0, 1)]
        first, second = strengths(np.array(cards))
        sign = int(first > second) - int(first < second)
        words = random_bits_at(key, 0, number, 65, 0)
        for seat in (0, 1):
            word = [np.uint64(words[seat])]

            def value(
                node: int,
                seat: int = seat,
                word: list[np.uint64] = word,
                rows: list[list[int]] = rows,
                sign: int = sign,
            ) -> float:
                if node < 0:
                    loser, stake = tree.loser[-1 - node], tree.stake[-1 - node]
                    won = sign * stake if loser == 2 else (-stake if loser == 0 else stake)
                    return float(won if seat == 0 else -won)
                player, size = tree.player[node], tree.size[node]
                first = rows[player][tree.street[node]] + tree.place[node]
                after = tree.after[tree.first[node] : tree.first[node] + size]
                if player != seat:
                    shares = matched(first, size)
                    average[first : first + size] += shares
                    with np.errstate(over="ignore"):
                        word[0] = word[0] + SPLITMIX_STEP
                    rest = (int(splitmix(word[0])) >> 40) / 2**24
                    return value(int(after[min(int((np.cumsum(shares) <= rest).sum()), size - 1)]))
                values = np.array([value(int(next_node)) for next_node in after])
                total = float(matched(first, size) @ values)
                regrets[first : first + size] += values - total
                return total

            value(0)
    return regrets, average


def test_training_is_that_of_a_plain_recursion() -> None:
    settings = replace(LIMIT, piece=25, lanes=1)
    solver = new_solver(settings, 1)
    assert isinstance(solver, BlueprintSolver)
    solver.run(1)
    regrets, average = _twin(solver, 25)
    np.testing.assert_allclose(solver.state()["regrets"], regrets, rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(solver.average(), average, rtol=1e-4, atol=1e-4)


def test_threads_change_nothing_and_training_goes_on_to_the_bit(tmp_path: Path) -> None:
    one, two = new_solver(LIMIT, 1), new_solver(LIMIT, 2)
    one.run(3)
    two.run(1)
    keep(tmp_path / "b.safetensors", LIMIT, two)
    later = resumed_solver(tmp_path / "b.safetensors", LIMIT, 1)
    later.run(2)
    states = one.state(), later.state()
    assert all(np.array_equal(states[0][name], states[1][name]) for name in states[0])
    assert not np.array_equal(two.state()["regrets"], states[0]["regrets"])
    with pytest.raises(InputError, match="other settings"):
        resumed_solver(tmp_path / "b.safetensors", replace(LIMIT, seed=2), 1)


def test_a_file_keeps_probabilities_to_a_part_of_255(tmp_path: Path) -> None:
    solver = new_solver(LIMIT, 1)
    solver.run(1)
    chances = rounded(LIMIT, solver.average())
    save_blueprint(tmp_path / "b", Blueprint(LIMIT, solver.bounds, solver.iterations, chances))
    loaded = load_blueprint(tmp_path / "b")
    assert loaded.settings == LIMIT
    assert loaded.iterations == 600
    tree, average, first = LIMIT.tree, solver.average(), 0
    for street in range(4):
        assert np.array_equal(loaded.chances[street], chances[street])
        rows = average[first : first + chances[street].size].reshape(chances[street].shape)
        first += rows.size
        for node in np.flatnonzero(tree.street == street)[:40]:
            own = slice(tree.place[node], tree.place[node] + tree.size[node])
            total = rows[:, own].sum(axis=1, keepdims=True)
            assert (chances[street][:, own].sum(axis=1) == 255).all()
            wanted = np.where(total > 0, rows[:, own] / np.where(total > 0, total, 1), np.nan)
            assert np.nanmax(abs(chances[street][:, own] / 255 - wanted), initial=0) < 2.6 / 255


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def test_damaged_files_are_refused(folder: Path, tmp_path: Path, shell: Shell) -> None:
    data = (folder / "limit-hu.safetensors").read_bytes()
    cut, changed = tmp_path / "cut", tmp_path / "changed"
    cut.write_bytes(data[: len(data) // 2])
    changed.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(InputError, match="not a complete safetensors file"):
        lk.play([f"blueprint:{cut}", "call"], game="limit-hu", hands=2)
    with pytest.raises(InputError, match="is damaged"):
        lk.play([f"blueprint:{changed}", "call"], game="limit-hu", hands=2)
    told = shell.refused("match", f"blueprint:{cut}", "call", "--game", "limit-hu", "--hands", "2")
    assert "not a complete safetensors file" in told


@pytest.mark.parametrize("game", ["nolimit-hu", "river-hu", "nolimit-6max"])
def test_other_games_are_refused(folder: Path, game: str) -> None:
    players = [f"blueprint:{folder / 'limit-hu.safetensors'}", *["call"] * (5 if game == "nolimit-6max" else 1)]
    with pytest.raises(InputError, match="was made for limit with 2 seats, blinds of 10/5 and 48 big blinds"):
        lk.play(players, game=game, hands=12)


def test_other_stacks_are_refused(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_text(replace(Game.load("nolimit-hu"), name="short", stacks=(10_000, 10_000)).to_toml())
    with pytest.raises(InputError, match=r"and 200 big blinds; game short is .* and 100 big blinds"):
        lk.play([f"blueprint:{folder / 'nolimit-hu.safetensors'}", "call"], game=path, hands=2)


def test_in_limit_it_plays_the_row_of_its_bucket(folder: Path) -> None:
    path = folder / "limit-hu.safetensors"
    bot, blueprint = BlueprintBot("b", path), load_blueprint(path)
    tree, buckets = blueprint.settings.tree, card_buckets(blueprint.bounds)
    random, game = np.random.default_rng(1), Game.load("limit-hu")
    for number in range(30):
        table, node = Table.dealt(game, 3, np.array([number])), 0
        while node >= 0:
            views = table.views(np.array([0]))
            street, cards = int(views.street[0]), views.cards[0].astype(np.int64)
            row = blueprint.chances[street][bucket_of(cards, street, buckets)]
            law = bot.probabilities(views)
            law.checked(views)
            slots = np.arange(tree.first[node], tree.first[node] + tree.size[node])
            for place, slot in enumerate(slots):
                wanted = row[tree.place[node] + place] / 255
                assert law.of([tree.action[slot]])[0] == pytest.approx(wanted, abs=1e-12)
            slot = random.choice(slots[-2:])
            table.act(np.array([0]), [int(tree.action[slot])])
            node = int(tree.after[slot])


def test_all_hands_of_a_situation_at_once(folder: Path) -> None:
    bot = BlueprintBot("b", folder / "nolimit-hu.safetensors")
    table = Table.dealt(Game.load("nolimit-hu"), 1, np.array([0]))
    table.act(np.array([0]), [437])
    views = table.views(np.array([0]))
    law, numbers = all_hands(bot, views)
    assert len(numbers) == 1326
    law.checked(views.with_all_hands(0)[0])


def test_bets_between_sizes_are_read_by_the_pseudo_harmonic_coin(folder: Path) -> None:
    path = folder / "nolimit-hu.safetensors"
    bot, blueprint = BlueprintBot("b", path), load_blueprint(path)
    tree = blueprint.settings.tree
    table = Table.dealt(Game.load("nolimit-hu"), 2, np.array([0]))
    table.act(np.array([0]), [0])
    table.act(np.array([0]), [0])
    table.act(np.array([0]), [137])  # 68.5 % of the pot, between 50 % and 100 %
    flop = int(tree.after[tree.first[tree.after[tree.first[0] + 1]]])
    (low, share), (high, rest) = harmonic(0.685, [0.5, 1.0])
    assert (low, high) == (0, 1)
    views = table.views(np.array([0]))
    cards = views.cards[0].astype(np.int64)
    row = blueprint.chances[1][bucket_of(cards, 1, card_buckets(blueprint.bounds))]
    folds = [row[tree.place[tree.after[tree.first[flop] + 1 + place]]] / 255 for place in (0, 1)]
    law = bot.probabilities(views)
    assert law.of([-1])[0] == pytest.approx(share * folds[0] + rest * folds[1], abs=1e-9)
    drawn = np.random.default_rng(5).random(20_000) < law.of([-1])[0]
    expected = np.array([law.of([-1])[0], 1 - law.of([-1])[0]]) * len(drawn)
    observed = np.array([drawn.sum(), (~drawn).sum()])
    assert ((observed - expected) ** 2 / np.maximum(expected, 1)).sum() < 10.8


@pytest.mark.parametrize(
    ("game", "opponent"),
    [("limit-hu", "random"), ("nolimit-hu", "random"), ("nolimit-hu", "all-in"), ("nolimit-hu", "uniform")],
)
def test_it_never_acts_illegally(folder: Path, game: str, opponent: str) -> None:
    result = lk.play([f"b=blueprint:{folder / game}.safetensors", opponent], game=game, hands=1000, seed=3)
    assert result.to_dict()["bots"][0]["faults"] == 0


_SIMPLE = 'game = "limit-hu"\nbuckets = {flop = [3, 2], turn = [3, 2], river = 5}\n[simple]\n'


def test_settings_are_read_strictly(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    for text, message in [
        ('game = "limit-hu"\nbuckets = {flop = [3, 2], turn = [3, 2], river = 5}\nspeed = 1', "unknown key"),
        ('game = "limit-hu"\nbuckets = {flop = [3, 2], turn = 3, river = 5}', "two numbers of slices"),
        ('game = "limit-hu"\nbuckets = {flop = [3, 2], turn = [3, 2], river = 1}', "allowed is 2 to 1,000"),
        ('game = "nolimit-hu"\nbuckets = {flop = [3, 2], turn = [3, 2], river = 5}', "menus of sizes"),
        (f"{_SIMPLE}call = 0.01", "simple players are for algorithm cfr-br"),
        (f'algorithm = "cfr-br"\nlanes = 1\n{_SIMPLE}call = 0.3', "allowed is 0 to 0.2"),
        (f'algorithm = "cfr-br"\nlanes = 1\n{_SIMPLE}fold = 0.1', "unknown key"),
    ]:
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            read_settings(path)
    with pytest.raises(InputError, match=r"training needs .* of memory, and .* are allowed"):
        LIMIT.check_memory(1000)


def test_the_command_makes_a_blueprint_and_goes_on(tmp_path: Path, shell: Shell) -> None:
    settings, out = tmp_path / "s.toml", tmp_path / "out.safetensors"
    settings.write_text(
        'game = "limit-hu"\npiece = 200\npieces = 2\nsamples = 300\n'
        "[buckets]\nflop = [3, 2]\nturn = [3, 2]\nriver = 5\n"
    )
    words = ["solve", "limit-hu", "--settings", str(settings), "--save", str(out)]
    made = shell.json(*words)
    assert (made["game"], made["iterations"], made["exploitability"]) == ("limit-hu", 800, None)
    first = load_blueprint(out)
    assert shell.json(*words, "--resume", str(out), "--iterations", "1200")["iterations"] == 1200
    assert load_blueprint(out).digest != first.digest
    assert "are for blueprints" in shell.refused("solve", "kuhn", "--minutes", "1")
    assert "becomes a blueprint" in shell.refused("solve", "limit-hu", "--board", "AsKsQs")


def test_shipped_files_are_small_and_made_by_the_shipped_settings() -> None:
    for game in shipped_blueprints():
        path = BLUEPRINTS / f"{game}.safetensors"
        assert path.stat().st_size <= (10_000_000 if game == "limit-hu" else 15_000_000)
        blueprint = load_blueprint(path)
        assert blueprint.settings == read_settings(BLUEPRINTS / f"{game}.toml")
        assert blueprint.iterations == blueprint.settings.pieces * blueprint.settings.piece * blueprint.settings.lanes


def _won(bots: list[str], game: str, hands: int, seed: int = 9) -> tuple[float, float, float]:
    """What the first bot wins, in mbb/h, and its interval."""
    first = lk.play(bots, game=game, hands=hands, seed=seed).to_dict()["bots"][0]
    return first["mbb"], *first["ci95_mbb"]


def test_the_shipped_blueprint_beats_callers_and_raisers_in_limit() -> None:
    assert _won(["blueprint", "call"], "limit-hu", 20_000)[1] > 450
    assert _won(["blueprint", "raise"], "limit-hu", 20_000)[1] > 550


def test_the_shipped_blueprint_beats_simple_bots_in_no_limit() -> None:
    assert _won(["blueprint", "call"], "nolimit-hu", 3000)[1] > 0
    assert _won(["blueprint", "random"], "nolimit-hu", 3000)[1] > 0


def test_mirrored_against_itself_the_mean_is_0() -> None:
    result = lk.play(["one=blueprint", "two=blueprint"], game="limit-hu", hands=2000, seed=2).to_dict()
    assert result["bots"][0]["mbb"] == 0.0


SHIPPED = [entry.name for entry in ENTRIES]


@pytest.mark.slow
@pytest.mark.parametrize("bot", SHIPPED)
def test_the_shipped_blueprint_beats_every_shipped_bot_in_limit(bot: str) -> None:
    assert _won(["blueprint", bot], "limit-hu", 200_000)[1] > 0


@pytest.mark.slow
@pytest.mark.parametrize("bot", SHIPPED)
def test_the_shipped_blueprint_beats_every_shipped_bot_in_no_limit(bot: str) -> None:
    assert _won(["blueprint", bot], "nolimit-hu", 200_000)[1] > 0


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["random", "uniform", "raise", "all-in"])
def test_it_never_acts_illegally_in_a_million_hands(folder: Path, opponent: str) -> None:
    bots = [f"b=blueprint:{folder / 'nolimit-hu'}.safetensors", opponent]
    assert lk.play(bots, game="nolimit-hu", hands=250_000, seed=4).to_dict()["bots"][0]["faults"] == 0
