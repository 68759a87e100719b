"""A season from beginning to end: what is stored, what follows from it, and what the thesis's rules promise."""

import csv
import hashlib
import itertools
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest
import trueskill
from scipy.stats import spearmanr

import league_season
from luckless.errors import InputError
from luckless.league.analysis import (
    cashflow_by_type,
    coherence,
    compared_matchups,
    internal_ranks,
    prediction,
    styles,
)
from luckless.league.boards import METRICS, board, division_board, ranked, rankings, winnings
from luckless.league.chance import HANDS, LINE_UP, dice_at, seed_at
from luckless.league.curves import COLUMNS
from luckless.league.divisions import climbing_line_up, random_line_up, similar_line_up
from luckless.league.ratings import BETA, START_MU, START_SIGMA, Ratings
from luckless.league.results import standings_of
from luckless.league.rounds import play_round
from luckless.league.run import Run
from luckless.league.status import status
from luckless.report import thesis_tables
from luckless.report.league_report import board_header, board_rows, league_report

CONFIG = league_season.CONFIG + '\n[[evaluation]]\nname = "again"\nmatchup = "similar"\nrounds = 9\nhands = 30\n'
LIKE_RANK, PAIRS, AGAIN = 2, 3, 4


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """The tiny season with a second division of like rank, played."""
    with pytest.MonkeyPatch.context() as patch:
        league_season.use_fakes(patch.setattr)
        directory = tmp_path_factory.mktemp("season") / "tiny"
        assert league_season.play(directory, config=CONFIG)
        yield Run.open(directory)


def _entrants(run: Run, division: int) -> dict[int, dict[int, tuple[int, int]]]:
    """Round by round of a division, seats and chips of each agent."""
    rounds: dict[int, dict[int, tuple[int, int]]] = {}
    for number, agent, seats, chips in run.store.rows(
        "select number, agent, seats, chips from entrants where division = ? order by 1, 2", division
    ):
        rounds.setdefault(number, {})[agent] = (seats, chips)
    return rounds


def test_every_round_is_played_and_adds_up(run: Run) -> None:
    for division in run.all_divisions:
        rounds = _entrants(run, division)
        assert list(rounds) == list(range(run.rounds(division)))
        for entrants in rounds.values():
            assert sum(seats for seats, _ in entrants.values()) == 6
            assert sum(chips for _, chips in entrants.values()) == 0
    assert run.rounds(PAIRS) == 12 * 11 // 2


def test_actions_and_flows_belong_to_the_results(run: Run) -> None:
    assert run.store.rows("select min(folds + calls + checks + raises), sum(faults) from entrants")[0][0] > 0
    net = run.store.rows(
        "select sum(abs(chips + given - taken)) from (select chips, "
        "(select total(chips) from flows f where f.division = e.division and f.number = e.number and giver = agent) "
        "given, (select total(chips) from flows f where f.division = e.division and f.number = e.number "
        "and taker = agent) taken from entrants e)"
    )
    assert net[0][0] == pytest.approx(0, abs=1e-6)


def test_training_line_ups_follow_from_dice_and_earlier_results(run: Run) -> None:
    stored = {number: _entrants(run, number) for number in (0, 1)}
    kinds = dict(run.store.rows("select number, kind from rounds where division = 0"))
    for number in range(7):
        dice = dice_at(7, LINE_UP, 0, number)
        teachers = [0, 1, *range(4, 4 + 2 * (number // 3))]
        line_up = climbing_line_up(dice, [2, 3], teachers, _rated_before(run, 0, number), 0.3, 6)
        assert Counter(line_up.agents) == {agent: seats for agent, (seats, _) in stored[0][number].items()}
        assert kinds[number] == line_up.kind
        other = random_line_up(dice_at(7, LINE_UP, 1, number), [11], [10, *range(12, 12 + number // 3)], 6)
        assert Counter(other.agents) == {agent: seats for agent, (seats, _) in stored[1][number].items()}
    assert set(kinds.values()) == {"lesson", "six teachers"}


def _rated_before(run: Run, division: int, number: int) -> Ratings:
    standings, ratings = standings_of(run.store, [division]), Ratings.start(len(run.roster))
    end = int(standings.ends[number - 1]) if number else 0
    ratings.update(type(standings)(standings.ends[:number], standings.agents[:end], standings.scores[:end]))
    return ratings


def test_evaluation_is_among_all_teachers_and_knows_no_student(run: Run) -> None:
    for division in (LIKE_RANK, AGAIN):
        for number, entrants in _entrants(run, division).items():
            dice = dice_at(7, LINE_UP, division, number)
            expected = similar_line_up(dice, run.teachers, _rated_before(run, division, number), 6)
            assert set(expected.agents) == set(entrants)
    played = [tuple(entrants) for entrants in _entrants(run, PAIRS).values()]
    assert sorted(played) == list(itertools.combinations(run.teachers, 2))
    assert all(seats == 3 for entrants in _entrants(run, PAIRS).values() for seats, _ in entrants.values())
    assert not {agent.id for agent in run.roster if agent.trainable} & set(run.teachers)


def test_clones_are_frozen_and_a_changed_one_is_refused(run: Run, tmp_path: Path) -> None:
    entries = run.store.entries()
    assert sorted(entries) == list(range(15))
    for entry in entries.values():
        if entry.agent.is_clone:
            content = (run.directory / entry.weights).read_bytes()
            assert hashlib.sha256(content).hexdigest() == entry.sha256
    shutil.copytree(run.directory, tmp_path / "copy")
    copy = Run.open(tmp_path / "copy")
    path = tmp_path / "copy" / entries[5].weights
    changed = bytearray(path.read_bytes())
    changed[len(changed) // 2] ^= 1
    path.write_bytes(changed)
    with pytest.raises(InputError, match=f"the weights of {run.roster[5].name} have changed since it was frozen"):
        copy.bot(5)
    path.unlink()
    with pytest.raises(InputError, match="cannot be read"):
        copy.bot(5)


def test_trueskill_is_that_of_the_package_over_the_stored_results(run: Run) -> None:
    package = trueskill.TrueSkill(mu=START_MU, sigma=START_SIGMA, beta=BETA, backend="scipy")
    ratings = {agent: package.create_rating() for agent in run.teachers}
    for division in (LIKE_RANK, AGAIN):
        for entrants in _entrants(run, division).values():
            order = list(entrants)
            ranks = [-entrants[agent][1] / entrants[agent][0] for agent in order]
            rated = package.rate([(ratings[agent],) for agent in order], ranks=ranks)
            ratings.update({agent: rating for agent, (rating,) in zip(order, rated, strict=True)})
    lines = board(run)
    assert len(lines) == len(run.teachers)
    for line in lines:
        if line.trueskill is not None:
            assert line.trueskill == pytest.approx(ratings[line.agent.id].mu, rel=1e-9)
            assert line.sigma == pytest.approx(ratings[line.agent.id].sigma, rel=1e-9)
    shown = [line.trueskill for line in lines if line.trueskill is not None]
    assert shown == sorted(shown, reverse=True)


def test_winnings_are_the_plain_sums(run: Run) -> None:
    matrix = winnings(run)
    assert matrix.complete
    won: dict[int, list[float]] = {agent: [] for agent in run.teachers}
    for entrants in _entrants(run, PAIRS).values():
        for agent, (seats, chips) in entrants.items():
            won[agent].append(1000 * chips / seats / 12 / 2)
    for line in board(run, "mean"):
        mine = won[line.agent.id]
        assert line.mean == pytest.approx(sum(mine) / len(mine))
        assert line.median == pytest.approx(median(mine))
        fifth = 0.2 * (len(mine) - 1)
        low, high = sorted(mine)[int(fifth)], sorted(mine)[int(fifth) + 1]
        assert line.p20 == pytest.approx(low + (fifth - int(fifth)) * (high - low))
    np.testing.assert_allclose(matrix.mbb, -matrix.mbb.T)


def test_standard_errors_are_those_of_the_hands(run: Run) -> None:
    """One meeting is played again from its seed, and its hands are taken one by one."""
    entrants = _entrants(run, PAIRS)[5]
    first, second = entrants
    bots = {agent: run.bot(agent) for agent in entrants}
    [(seed,)] = run.store.rows("select seed from rounds where division = ? and number = 5", PAIRS)
    assert seed == seed_at(7, HANDS, PAIRS, 5)
    played = play_round(run.game, (first, second) * 3, bots, 12, seed)
    [chunk] = played.chunks
    hands = [
        sum(int(pay) for pay, sits in zip(row, seats, strict=True) if sits == 0) / 3 / 2 * 1000
        for row, seats in zip(chunk.records.payoffs, chunk.hands.players, strict=True)
    ]
    matrix = winnings(run)
    place = matrix.agents.index(first), matrix.agents.index(second)
    assert matrix.mbb[place] == pytest.approx(np.mean(hands))
    assert matrix.stderr_mbb[place] == pytest.approx(np.std(hands, ddof=1) / np.sqrt(12))


def test_division_boards_have_their_own_ratings_and_students(run: Run) -> None:
    lines = division_board(run, 0)
    assert {line.agent.id for line in lines} == {a for entrants in _entrants(run, 0).values() for a in entrants}
    assert any(line.agent.trainable for line in lines)
    ratings = _rated_before(run, 0, 7)
    assert all(line.trueskill == ratings.mu[line.agent.id] for line in lines)


def test_what_the_season_says_about_its_metrics(run: Run) -> None:
    lines, matrix = board(run), winnings(run)
    foretold = prediction(lines, matrix)
    for metric in METRICS:
        value = {line.agent.id: getattr(line, metric) for line in lines}
        right = total = 0
        for one, other in itertools.permutations(run.teachers, 2):
            won = matrix.mbb[matrix.agents.index(one), matrix.agents.index(other)]
            if None not in (value[one], value[other]) and value[one] > value[other] and won != 0:
                total += 1
                right += won > 0
        assert foretold.shares[metric] == pytest.approx(right / total)
        assert foretold.meetings[metric] == total
    found = coherence(run)
    assert found is not None
    assert found.correlation(found.agents) == pytest.approx(spearmanr(found.first, found.second)[0])
    assert found.correlation(found.agents[:2]) is None
    flow = cashflow_by_type(run)
    assert flow is not None
    assert np.abs(flow.mbb).max() > 0
    assert set(styles(run)) == set(run.teachers)


def test_learning_curves_lie_on_disk(run: Run) -> None:
    with (run.directory / "curves" / "up.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert list(lines[0])[: len(COLUMNS)] == list(COLUMNS)
    stored = run.store.rows("select number, agent, losses from lessons where division = 0 order by number")
    assert [(int(line["round"]), line["agent"]) for line in lines] == [
        (number + 1, run.roster[agent].name) for number, agent, _ in stored
    ]
    assert [float(line["value"]) for line in lines] == [json.loads(losses)["value"] for _, _, losses in stored]
    last = {line["agent"]: float(line["rating"]) for line in lines}
    ratings = _rated_before(run, 0, int(lines[-1]["round"]))
    name = lines[-1]["agent"]
    [agent] = [agent.id for agent in run.roster if agent.name == name]
    assert last[name] == pytest.approx(ratings.mu[agent], abs=1e-3)


def test_status_of_a_finished_season(run: Run) -> None:
    state = status(run)
    assert state.finished
    assert state.seconds_left == 0
    assert [(one.name, one.done) for one in state.divisions][:3] == [("up", 7), ("any", 7), ("like rank", 6)]
    assert state.stopped == ()
    json.dumps(state.to_dict())


def test_the_report_is_one_file_with_everything(run: Run) -> None:
    text = league_report(run)
    for word in (
        "Board",
        "Four metrics",
        "Rating over time",
        "Progress by generation",
        "Winnings",
        "Style",
        "Learning",
    ):
        assert f"{word}" in text
    for line in ranked(board(run), "mean"):
        assert line.agent.name in text
    assert "src=" not in text.split("</style>")[1].split('id="plotly"')[0]


def test_the_report_draws_all_ten_figures_of_the_thesis(run: Run) -> None:
    text = league_report(run)
    captions = " ".join(re.findall(r"<figcaption>(.*?)</figcaption>", text))
    for number in range(1, 11):
        assert f"figure 4.{number} of the thesis" in captions
    drawn = json.loads(text.split('id="figures">')[1].split("</script>")[0])
    assert set(drawn) == set(re.findall(r'class="figure" id="(figure[0-9]+)"', text))
    for name in ("4.2", "4.3", "4.4"):
        assert f"The thesis, table {name}" in text


def test_ranks_at_home_and_among_all(run: Run) -> None:
    overall = {line.agent.id: line for line in board(run) if line.trueskill is not None}
    order = list(overall)
    for number, ranks in enumerate(internal_ranks(run)):
        home = {line.agent.id: line.trueskill or 0.0 for line in division_board(run, number)}
        assert ranks.division == number
        assert all(run.roster[agent].division == number for agent in ranks.agents)
        assert list(ranks.overall) == [order.index(agent) + 1 for agent in ranks.agents]
        mine = sorted(ranks.agents, key=lambda agent: -home[agent])
        assert list(ranks.internal) == [mine.index(agent) + 1 for agent in ranks.agents]
        if ranks.correlation is not None:
            assert ranks.correlation == pytest.approx(spearmanr(ranks.internal, ranks.overall)[0])


def test_only_divisions_that_differ_in_their_line_ups_alone_are_compared(run: Run) -> None:
    assert compared_matchups(run) == []  # "up" has two students, "any" one of them
    alike = [replace(division, students=("nudge",)) for division in run.season.division]
    season = replace(run.season, division=tuple(alike))
    assert compared_matchups(replace(run, season=season)) == [0, 1]


def test_boards_rank_by_nash_averaging(run: Run) -> None:
    by_nash, found = board(run, "nash"), rankings(run)
    place = {agent: place for place, agent in enumerate(run.teachers)}
    for line in by_nash:
        assert line.nash == pytest.approx(found.by["nash_rating"].values[place[line.agent.id]], abs=1e-6)
        assert line.nash_share == pytest.approx(found.by["nash"].values[place[line.agent.id]])
    keys = [(line.nash, line.nash_share) for line in by_nash]
    assert keys == sorted(keys, reverse=True)


def test_boards_show_what_an_opponent_was_found_to_win(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "tiny"
    shutil.copytree(run.directory, copy)
    name = run.roster[run.teachers[0]].name
    (copy / "exploited").mkdir()
    path = copy / "exploited" / f"{name}.json"
    result: dict[str, Any] = {"game": "river-hu", "bot": name, "by": "lbr", "exact": False}
    result |= {"mbb": 812.5, "ci95_mbb": [700, 925]}
    path.write_text(json.dumps(result))
    lines = board(Run.open(copy))
    assert {line.agent.name: line.to_dict()["exploited"] for line in lines if line.bound} == {
        name: {key: tuple(value) if key == "ci95_mbb" else value for key, value in result.items() if key != "bot"}
    }
    assert board_header(lines)[-1] == "exploited"
    assert [row[-1] for row in board_rows(lines) if row[0] == name] == ["+812.5 ± 112 (lbr, river-hu)"]
    path.write_text(json.dumps({**result, "mbb": "much"}))
    with pytest.raises(InputError, match="mbb"):
        board(Run.open(copy))
    path.write_text("{}")
    with pytest.raises(InputError, match="game is missing"):
        board(Run.open(copy))
    path.write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        board(Run.open(copy))


@pytest.mark.parametrize("metric", METRICS)
def test_the_tables_of_the_thesis_are_sorted_as_printed(metric: str) -> None:
    rows = thesis_tables.board_table(metric)
    column = 1 + list(METRICS).index(metric)
    values = [float(row[column].replace(",", "")) for row in rows]
    assert len(rows) == 10
    assert values == sorted(values, reverse=True)
    for columns in (thesis_tables.type_columns(), thesis_tables.division_columns()):
        assert [len(one) for one in columns] == [20] * 4
