"""How bots are named: parameters, words, mixes, errors; the command that lists them and the page that explains."""

import re
from pathlib import Path

import pytest

from luckless.bots.catalogue import FORMS, load_bot
from luckless.bots.mix_bot import MixBot
from luckless.bots.registry import ENTRIES
from luckless.bots.rule_bot import RuleBot
from luckless.bots.shipped.sklansky import GROUPS
from luckless.errors import InputError
from luckless.matches.match import Match
from luckless.rules.game import Game
from shell import Shell

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def values(text: str) -> dict[str, float]:
    """The parameters of a bot by name."""
    bot = load_bot(text)
    assert isinstance(bot, RuleBot)
    return dict(zip((parameter.name for parameter in bot.entry.parameters), bot.values, strict=True))


def test_parameters_are_read_in_any_order_and_words_are_kept_as_places() -> None:
    assert values("pot-odds") == {"win": 0, "samples": 1000, "lock": 0, "risk": 0}
    assert values("pot-odds:risk=0.05,win=simulate") == {"win": 1, "samples": 1000, "lock": 0, "risk": 0.05}
    assert values("pot-odds:lock=1,win=exact,samples=5e3")["samples"] == 5000
    mixed = values("pot-odds-mixed")
    assert [mixed[name] for name in ("risk", "preflop", "flop", "turn", "river")] == [0.05, 1, 0.8, 0.4, 0.1]


def test_every_default_is_allowed_and_fits_the_record() -> None:
    for entry in ENTRIES:
        for parameter in entry.parameters:
            assert parameter.value_of(parameter.default_text) == parameter.default
        bot = load_bot(entry.name)
        assert isinstance(bot, RuleBot)
        assert tuple(bot.record()["parameters"][0, : len(entry.parameters)]) == bot.values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pot-ods", "did you mean pot-odds"),
        ("nobody", "unknown bot 'nobody'"),
        ("pot-odds:luck=1", "unknown parameter 'luck'; it has win, samples, lock, risk"),
        ("call:x=1", "unknown parameter 'x'; it has none"),
        ("pot-odds:win=maybe", "win is 'maybe'; allowed is exact or simulate"),
        ("pot-odds:lock=2", "lock is '2'; allowed is 0 or 1"),
        ("pot-odds:samples=0", "samples is '0'; allowed is a whole number from 1 to 1,000,000"),
        ("pot-odds:samples=1.5", "samples is '1.5'; allowed is a whole number"),
        ("pot-odds:risk", "risk is ''"),
        ("threshold:at=nan", "at is 'nan'; allowed is a number from 0 to 1"),
        ("sklansky:group=10", "group is '10'"),
        ("mix:", "a mix needs bots"),
        ("mix:call=0", "the weight of call is '0'; allowed is a number above 0"),
        ("mix:call=2,nobody=1", "unknown bot 'nobody'"),
        ("mix:call,mix:raise", "mix bots cannot be members of a mix"),
        ("mix:call,exec:./bot=2", "exec bots cannot be members of a mix"),
        ("mix:call=2,pot-odds=1:risk=x", "risk is 'x'"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        load_bot(text)


def test_members_of_a_mix_have_weights_and_parameters(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("class Own:\n    def decide(self, view, dice):\n        return 0\n")
    bot = load_bot(f"mix:call=2,pot-odds=1:risk=0.05:win=simulate,{file}:Own=3,raise")
    assert isinstance(bot, MixBot)
    assert bot.weights == pytest.approx([2 / 7, 1 / 7, 3 / 7, 1 / 7])
    assert [member.name for member in bot.members] == [
        "call",
        "pot-odds:risk=0.05,win=simulate",
        f"{file}:Own",
        "raise",
    ]
    odds = bot.members[1]
    assert isinstance(odds, RuleBot)
    assert odds.values == (1, 1000, 0, 0.05)


def test_a_mix_plays_hand_by_hand_as_one_of_its_members() -> None:
    """In each hand it does exactly what one of the two would; with weights 3 to 1 a quarter is the second."""

    def actions(first: str) -> list[list[int]]:
        match = Match.plan(Game.load("limit-hu"), [load_bot(first), load_bot("call")], hands=2000, seed=8)
        return [
            chunk.records.actions_of(row).tolist() for chunk in match.chunks() for row in range(len(chunk.records))
        ]

    mixed, called, raised = actions("mix:call=3,raise=1"), actions("call"), actions("raise")
    assert all(hand in (one, other) for hand, one, other in zip(mixed, called, raised, strict=True))
    as_second = sum(hand == other for hand, other in zip(mixed, raised, strict=True))
    assert abs(as_second - 500) < 4 * (2000 * 0.25 * 0.75) ** 0.5


def test_the_command_lists_every_bot_and_parameter(shell: Shell) -> None:
    code, out, _ = shell.run("bots")
    assert code == 0
    for entry in ENTRIES:
        assert f"\n{entry.name} " in "\n" + out
        for parameter in entry.parameters:
            assert f"{parameter.name}={parameter.default_text}" in out


def test_the_command_as_json(shell: Shell) -> None:
    listed = shell.json("bots")
    assert [bot["name"] for bot in listed["bots"]] == [entry.name for entry in ENTRIES]
    odds = next(bot for bot in listed["bots"] if bot["name"] == "pot-odds")
    assert [parameter["default"] for parameter in odds["parameters"]] == ["exact", 1000, "0", 0]
    assert odds["parameters"][0]["choices"] == ["exact", "simulate"]
    assert odds["parameters"][3]["high"] == 10
    assert [form["form"] for form in listed["forms"]] == list(FORMS)


def page_rows(heading: str) -> list[str]:
    """The rows of the table on the page that has this heading."""
    _, _, rest = PAGE.read_text().partition(f"| {heading} |\n")
    return rest.partition("\n\n")[0].splitlines()[1:]


def test_the_page_says_what_the_catalogue_says() -> None:
    defaults = {
        bot.name: " ".join(f"`{part.name}={part.default_text}`" for part in bot.parameters) for bot in ENTRIES
    }
    parameters = {part.name: part for bot in ENTRIES for part in bot.parameters}.values()
    assert page_rows("bot | rule | parameters and defaults") == [
        f"| `{bot.name}` | {bot.summary} | {defaults[bot.name]} |" for bot in ENTRIES
    ]
    assert page_rows("parameter | meaning | allowed") == [
        f"| `{part.name}` | {part.meaning} | {part.allowed} |" for part in parameters
    ]
    assert page_rows("form | meaning") == [f"| `{form}` | {meaning} |" for form, meaning in FORMS.items()]
    assert page_rows("group | hands") == [f"| {number} | {hands} |" for number, hands in enumerate(GROUPS, 1)]


@pytest.mark.interpreted
def test_the_bots_of_the_page_play_without_a_fault(tmp_path: Path) -> None:
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)):
        file = tmp_path / f"page_{number}.py"
        file.write_text(code)
        name = re.findall(r"^class (\w+)", code, re.MULTILINE)[0]
        players = [load_bot(f"{file}:{name}"), load_bot("random")]
        match = Match.plan(Game.load("nolimit-hu"), players, hands=300, seed=2)
        chunks = list(match.chunks())
        assert not any(chunk.faults for chunk in chunks)
        assert any((chunk.records.actions > 0).any() for chunk in chunks)
