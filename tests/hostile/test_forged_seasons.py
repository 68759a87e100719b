"""A forger edits the catalogue of a season, and seals it again. What contradicts the rounds is found."""

import shutil
from pathlib import Path

import pytest

from forging import SEASON, edit, reseal
from league_season import use_fakes
from luckless.errors import InputError
from luckless.league.run import Run
from luckless.verification import verify_stored

SEASON_FORGERIES = {
    "a win": "update entrants set chips = chips + 6 where agent = (select min(agent) from entrants)",
    "a win and a loss": "update entrants set chips = chips + case agent % 2 when 0 then 60 else -60 end "
    "where division = 3 and number = 0",
    "somebody else": "update entrants set agent = agent + 1 where (division, number, agent) = "
    "(select division, number, max(agent) from entrants where division = 3 and number = 1)",
    "a seed": "update rounds set seed = seed + 1 where number = 2",
    "hands": "update rounds set hands = hands + 1 where number = 2",
    "a round less": "delete from rounds where division = 0 and number = 1",
    "the name of an agent": "update agents set name = 'Nobody' where id = 2",
    "weights elsewhere": "update agents set weights = '../../x' where weights <> ''",
    "other weights": f"update agents set sha256 = '{'0' * 64}' where weights <> ''",
    "a learner elsewhere": "update agents set learner = '/etc/passwd' where learner <> ''",
    "a style": "update styles set folds = folds + 1",
    "a flow": "update flows set chips = chips + 5 where number = 0",
    "its file": "update season set value = replace(value, 'seed = 7', 'seed = 8') where key = 'config'",
    "the settings": "update season set value = replace(value, '\"seed\": 7', '\"seed\": 8') where key = 'settings'",
    "the processes": "update season set value = '-1' where key = 'workers'",
    "an unknown fact": "insert into season values ('colour', 'red')",
}


@pytest.mark.parametrize("forgery", SEASON_FORGERIES)
def test_a_forged_season_is_found(small_season: Path, tmp_path: Path, forgery: str) -> None:
    shutil.copytree(small_season, tmp_path / "run")
    path = tmp_path / "run" / SEASON
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch.setattr)
        edit(path, (SEASON_FORGERIES[forgery],))
        with pytest.raises(InputError, match="not what was sealed"):
            Run.open(tmp_path / "run")
        reseal(path)
        try:
            found = bool(verify_stored(tmp_path / "run").failures)
        except InputError as error:
            found = "is damaged" in str(error)
        assert found, forgery


def test_an_honest_season_is_well_and_its_teachers_play_again(small_season: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch.setattr)
        found = verify_stored(small_season, bots=True)
    assert (found.failures, found.problems, found.reproduced) == (0, [], True)
    assert found.rounds > 20
