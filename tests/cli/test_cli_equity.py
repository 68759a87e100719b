"""`luckless equity` as a user calls it."""

import pytest

from shell import Shell


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys, "equity")


def test_json_of_two_hands(shell: Shell) -> None:
    result = shell.json("AcKc", "7h6h")
    assert (result["hands"], result["board"], result["exact"]) == (["AcKc", "7h6h"], "", True)
    assert (result["boards"], result["wins"], result["ties"]) == (1_712_304, [1_029_832, 674_947], [7_525, 7_525])
    assert result["equity"][0] == pytest.approx(0.603628, abs=5e-7)
    assert result["win"][0] == 1_029_832 / 1_712_304
    assert result["tie"] == [7_525 / 1_712_304] * 2


def test_json_with_board_and_dead_cards(shell: Shell) -> None:
    result = shell.json("AcKc", "7h6h", "--board", "Ks 5h 3d", "--dead", "2c")
    assert (result["board"], result["dead"], result["boards"]) == ("Ks5h3d", "2c", 946)


def test_json_of_samples(shell: Shell) -> None:
    options = ("TT+,AQs", "??", "--samples", "5000", "--seed", "3")
    result = shell.json(*options)
    assert (result["exact"], result["samples"], result["boards"], result["seed"]) == (False, 5000, 5000, 3)
    assert all(0.003 < error < 0.01 for error in result["stderr"])
    again = shell.json(*options, "--threads", "1")
    assert [again[key] for key in ("equity", "win", "tie")] == [result[key] for key in ("equity", "win", "tie")]


def test_table_of_exact_numbers(shell: Shell) -> None:
    code, out, err = shell.run("AcKc", "7h6h")
    assert (code, err) == (0, "")
    heading, first, second, summary = out.splitlines()
    assert heading.split() == ["hand", "equity", "%", "win", "%", "tie", "%"]
    assert first.split()[:4] == ["AcKc", "60.3628", "60.1431", "0.4395"]
    assert second.split()[:4] == ["7h6h", "39.6372", "39.4175", "0.4395"]
    assert summary.startswith("exact over 1,712,304 boards in ")


def test_table_of_samples_shows_half_the_interval(shell: Shell) -> None:
    code, out, _ = shell.run("AcKc", "??", "QQ+", "--board", "Ks5h3d", "--samples", "2000")
    assert code == 0
    assert out.startswith("board  Ks 5h 3d\n")
    assert "equity %        ±     win %" in out
    assert "± is half the 95 % interval" in out
    assert "any two cards" in out
    assert "QQ+ (18 hands)" in out
    assert "sampled 2,000 deals" in out
    assert "(seed 0)" in out


def test_deals_of_ranges_are_named(shell: Shell) -> None:
    _, out, _ = shell.run("QQ", "AKs", "--board", "Ks5h3dTc2d")
    assert "exact over 18 deals (choices of hands × boards)" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("AcAc 7h6h", "card Ac appears twice in 'AcAc'"),
        ("Ax 7h6h", "'Ax' is not a hand or range"),
        ("AcKc AcQd", "card Ac is in hand 1 and in hand 2"),
        ("AcKc 7h6h --board Ac2c3c", "card Ac is on the board and in hand 1"),
        ("AcKc 7h6h --board 2c3c4c --dead 3c", "card 3c is on the board and among the dead cards"),
        ("AcKc 7h6h --board 2c", "the board '2c' has 1 card; a board has 0, 3, 4 or 5"),
        ("AcKc 7h6h --board 2c3c", "has 2 cards"),
        ("AcKc 7h6h --board 2c3c4c5c6c7c", "has 6 cards"),
        ("AcKc ,", "the range ',' is empty"),
        ("AcKc AA --board AdAhAs", "hand 2, 'AA', has no possible hand"),
        ("AcKc", "equity needs 2 to 10 hands, not 1"),
        ("", "equity needs 2 to 10 hands, not 0"),
        (" ".join(["??"] * 11), "equity needs 2 to 10 hands, not 11"),
        ("AcKc QQ --samples 1", "samples must be 2 or more, not 1"),
    ],
)
def test_wrong_input_is_one_line_and_code_2(shell: Shell, arguments: str, message: str) -> None:
    code, out, err = shell.run(*arguments.split())
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1
