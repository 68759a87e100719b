"""Seasons as files: what they mean, and every way to write them wrong, with the line."""

import dataclasses
import json
from pathlib import Path

import pytest

from league_season import CONFIG, FAKES
from luckless.errors import InputError
from luckless.league.agents import roster
from luckless.league.config import season_of, season_of_settings
from luckless.league.named_seasons import season_names, season_path
from luckless.learn import agents
from luckless.learn.registry import KINDS


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Simple learners, but for the tests of the real seasons."""
    if "real" not in request.node.name:
        monkeypatch.setattr(agents, "settings_of", FAKES["settings_of"])


WRONG = {
    "unknown key": ("seed = 7", "seed = 7\nspeed = 3", 3, "unknown key 'speed'; did you mean 'seed'? Allowed"),
    "unknown key in a table": ("rounds = 7", "round = 7", 5, "unknown key 'training.round'; did you mean 'rounds'?"),
    "key of no division": ("six_teachers = 0.3", "six_teacher = 0.3", 12, "key 'division.six_teacher'"),
    "missing key": ("clone_every = 3\n", "", 4, "key 'training.clone_every' is missing; required are rounds"),
    "missing table": ('name = "tiny"\n', "", 1, "key 'name' is missing; required are name, seed, training, division"),
    "wrong type": ("rounds = 7", 'rounds = "7"', 5, "training.rounds is '7'; allowed is a whole number"),
    "truth value": ("rounds = 7", "rounds = true", 5, "rounds is True; allowed is a whole number"),
    "no list": ('teachers = ["call"]', 'teachers = "call"', 20, "a list of names"),
    "no rounds": ("rounds = 7", "rounds = 0", 5, "rounds is 0; allowed is 1 to"),
    "no hands": ("hands = 12", "hands = 0", 32, "hands is 0; allowed is 1 to"),
    "never cloned": ("clone_every = 3", "clone_every = 0", 7, "clone_every is 0; allowed is 1 to"),
    "no evaluation rounds": ("rounds = 6\n", "", 22, "rounds is 0; allowed is 1 to"),
    "rounds of meetings": ("meetings = 1", "meetings = 1\nrounds = 3", 32, "rounds does not belong to direct"),
    "no student": ('students = ["nudge"]', "students = []", 19, "division any has no student"),
    "no teacher": ('teachers = ["call"]', "teachers = []", 20, "division any has no teacher"),
    "unknown student": ('students = ["nudge"]', 'students = ["nadge"]', 19, "student 'nadge': no learner is called"),
    "unknown teacher": ('teachers = ["call"]', 'teachers = ["cal"]', 20, "teacher 'cal': unknown bot 'cal'"),
    "own bot as teacher": ('teachers = ["call"]', 'teachers = ["mix:call"]', 20, "only shipped bots"),
    "unknown setting": ("step = 3.0", "stepp = 3.0", 39, "student 'wild': no setting 'stepp'"),
    "unknown kind": ('kind = "nudge"', 'kind = "noodge"', 38, "no learner is called 'noodge'"),
    "no settings": ('[learner.wild]\nkind = "nudge"\nstep = 3.0', "[learner]\nwild = 3", 38, "a table of settings"),
    "unknown rule": ('matchup = "random"', 'matchup = "randon"', 18, "matchup is 'randon'; allowed is random or"),
    "evaluation rule": ('matchup = "direct"', 'matchup = "random"', 30, "allowed is similar or direct"),
    "share": ("six_teachers = 0.3", "six_teachers = 1", 12, "six_teachers is 1.0; allowed is a share"),
    "name twice": ('name = "any"', 'name = "up"', 17, "the name 'up' appears twice"),
    "name of no file": ('name = "any"', 'name = "a/b"', 17, "cannot be the name of a file"),
    "name of a way out": ('name = "tiny"', 'name = "../esc"', 1, "the name '../esc' cannot be the name of a file"),
    "name that hides": ('name = "tiny"', 'name = ".tiny"', 1, "file; allowed are 1 to 100 bytes of printable"),
    "name of a null byte": ('name = "any"', r'name = "a\u0000b"', 17, r"'a\x00b' cannot be the name of a file"),
    "season of a null byte": ('name = "tiny"', r'name = "a\u0000b"', 1, "cannot be the name of a file"),
    "name on two lines": ('name = "pairs"', r'name = "a\nb"', 29, "cannot be the name of a file"),
    "long name": ('name = "any"', f'name = "{"n" * 101}"', 17, "the name 'nnnnnnnnnnnnnnnnnnnn...' cannot be"),
    "long letters": ('name = "any"', f'name = "{"ä" * 51}"', 17, "cannot be the name of a file"),
    "name of a learner": ("[learner.wild]", r'[learner."a\nb"]', 37, "cannot be the name of a file"),
    "long teacher": ('["call"]', f'["pot-odds:risk=0.{"1" * 100}"]', 20, "cannot be the name of a file"),
    "teacher twice": ('["call"]', '["call", "call"]', 20, "teacher 'call' appears twice"),
    "too many rounds": ("rounds = 7", f"rounds = {10**23}", 5, "allowed is 1 to 1,000,000"),
    "too many hands": ("hands = 60", "hands = 1_000_001", 6, "hands is 1000001; allowed is 1 to 1,000,000"),
    "too many like rank": ("rounds = 6", "rounds = 1_000_001", 25, "allowed is 1 to 1,000,000"),
    "too many in a tenth": ("hands = 1\n", "hands = 1_001\n", 35, "hands is 1001; allowed is 1 to 1,000"),
    "too many clones": ("rounds = 7", "rounds = 9_000", 7, "would have 9,006 agents, clones included; allowed is"),
    "too many meetings": ("meetings = 1", "meetings = 16_000", 31, "every pair of 12 teachers is 1,056,000 rounds"),
    "idle share": ('"random"\nstudents', '"random"\nsix_teachers = 0.2\nstudents', 19, "does not belong to a random"),
    "seed": ("seed = 7", "seed = -1", 2, "seed is -1; allowed is 0 to"),
    "unknown game": ("seed = 7", 'seed = 7\ngame = "chess"', 3, "no game is called 'chess'"),
    "limit": ("seed = 7", 'seed = 7\ngame = "limit-hu"', 3, "learning bots play no-limit"),
    "odd seats": ("seed = 7", 'seed = 7\ngame = "nolimit-3max"', 31, "share the seats evenly"),
    "endless number": ("seed = 7", f"seed = {'7' * 5_000}", 0, "a number or a key has 5,000 characters"),
    "endless list": ("seed = 7", f"seed = {'[' * 9_000}{']' * 9_000}", 0, "more than 50 brackets"),
    "no division list": ("[[division]]", "[division]", 0, "not valid TOML"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_errors_name_the_line(case: str) -> None:
    before, after, line, message = WRONG[case]
    assert before in CONFIG
    text = CONFIG.replace(before, after, 2 if before == "[[division]]" else 1)
    with pytest.raises(InputError) as error:
        season_of(text, "season.toml")
    said = str(error.value)
    assert message in said
    if line:
        assert said.startswith(f"season.toml, line {line}: ")


def test_no_division() -> None:
    with pytest.raises(InputError, match="key 'division' is missing"):
        season_of(CONFIG[: CONFIG.index("[[division]]")], "s")
    with pytest.raises(InputError, match="needs at least one"):
        season_of("division = []\n" + CONFIG[: CONFIG.index("[[division]]")], "s")
    with pytest.raises(InputError, match="division is 'up'; allowed is a list of tables: write"):
        season_of('division = "up"\n' + CONFIG[: CONFIG.index("[[division]]")], "s")


def test_settings_read_back_to_the_same_season() -> None:
    season = season_of(CONFIG, "s")
    settings = json.loads(json.dumps(dataclasses.asdict(season)))
    assert season_of_settings(settings, season.loaded_game()) == season
    assert season.learner_of("wild") == ("nudge", {"step": 3.0})
    assert season.learner_of("nudge") == ("nudge", {})


def test_the_roster_follows_from_the_file() -> None:
    season = season_of(CONFIG, "s")
    everybody = roster(season)
    assert [agent.id for agent in everybody] == list(range(15))
    assert len({agent.name for agent in everybody}) == 15
    assert [agent.type for agent in everybody[:4]] == ["random", "call", "nudge", "wild"]
    assert [agent.trainable for agent in everybody[:5]] == [False, False, True, True, False]
    clones = [agent for agent in everybody if agent.is_clone]
    assert [(one.division, one.generation, one.parent) for one in clones] == [
        (0, 1, 2), (0, 1, 3), (0, 2, 2), (0, 2, 3), (0, 3, 2), (0, 3, 3), (1, 1, 11), (1, 2, 11), (1, 3, 11),
    ]  # fmt: skip
    assert everybody[0].name == "random@up"


def test_seasons_of_the_package_are_listed() -> None:
    assert season_names() == ["headsup", "quick", "tenth", "thesis"]


def test_in_the_real_heads_up_season_every_kind_of_student_learns_from_the_blueprint() -> None:
    path = season_path("headsup")
    season = season_of(path.read_text(), str(path))
    assert all(division.teachers == ("random", "call", "blueprint") for division in season.division)
    students = [season.learner_of(student) for division in season.division for student in division.students]
    assert sorted(kind for kind, _ in students) == sorted(KINDS)
    assert all(settings == {"value_range": 1.0} for _, settings in students)
    assert season.loaded_game().seats == 2


@pytest.mark.parametrize("name", season_names())
def test_real_seasons_go_by_the_name_they_bear(name: str) -> None:
    path = season_path(name)
    assert season_of(path.read_text(), str(path)).name == name


def test_a_path_is_no_name(tmp_path: Path) -> None:
    own = tmp_path / "quick"
    own.write_text(CONFIG)
    assert season_path(str(own)) == own
    assert season_path("absent.toml") == Path("absent.toml")
    with pytest.raises(
        InputError, match=r"no season is called 'quik'; allowed is a \.toml file, or one of headsup, quick, tenth"
    ):
        season_path("quik")


def test_real_thesis_is_table_41() -> None:
    season = season_of(season_path("thesis").read_text(), "thesis")
    everybody = roster(season)
    assert sum(agent.is_clone for agent in everybody) == 90
    assert sum(not agent.trainable for agent in everybody) == 102
    assert [(one.name, one.matchup) for one in season.division] == [
        ("Qln8-Cl", "climbing"), ("QlnA-Cl", "climbing"), ("SacL-Cl", "climbing"), ("SacH-Cl", "climbing"),
        ("AllAg-Cl", "climbing"), ("QlnA-Rn", "random"),
    ]  # fmt: skip
    assert (season.training.rounds, season.training.hands, season.training.clone_every) == (2_000, 10_000, 200)
    tenth = season_of(season_path("tenth").read_text(), "tenth")
    assert tenth.division == season.division
    assert (tenth.training.rounds * 10, tenth.training.clone_every * 10) == (2_000, 200)
