"""Small logs that would take minutes or gigabytes: each is read or refused in a time that grows with its size."""

import gzip
from pathlib import Path

import pytest

from limits import at_most
from luckless.errors import InputError
from luckless.histories import drafts, opening, rejects
from luckless.histories.converting import convert
from luckless.histories.formats import FORMATS, HandWriter, read_hands
from luckless.histories.reading import read_hands as read_anything
from luckless.histories.rejects import MOST_REASON, MOST_TEXT, Reject
from luckless.histories.toml_hands import MOST_LETTERS, hand_blocks
from luckless.rules.game import Game
from stored_hands import played, read_text, written

MANY = 100_000

PHH_HAND = """[1]
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
"""
STARS_HAND = "PokerStars Hand #1: Hold'em No Limit (1/2)\nTable 'x' Seat #1 is the button\n"

HANGING = {
    "phh": {
        "spaces in a list": "[1]\nactions = ['p1 f'" + " " * MANY + ", 'p2 f' x\n",
        "spaces after a value": "[1]\nhand = 1" + " " * MANY + "x\n",
        "spaces before =": "[1]\na" + " " * MANY + "b = 1\n",
        "spaces in a header": " [a" + " " * MANY + "x\n",
        "spaces after a header": "[a]" + " " * MANY + "x\n",
        "a key of many parts": "[1]\na" + ".a" * MANY + " = 1\n",
        "brackets": "[1]\na = " + "[" * MANY + "\n",
        "braces": "[1]\na = " + "{a=" * MANY + "\n",
        "digits": "[1]\nhand = " + "9" * MANY + "\n",
        "exponents": PHH_HAND.replace("100, 100", "1e-99999999, 1e99999999") + "actions = []\n",
        "exponents of results": PHH_HAND + "actions = ['p2 f']\nfinishing_stacks = [1e-99999999, 1e99999999]\n",
        "players": "[1]\nstarting_stacks = [" + "1," * MANY + "1]\n",
        "cards": PHH_HAND + "actions = ['d db " + "Ac" * MANY + "']\n",
        "a long word": PHH_HAND + "actions = ['" + "x" * MANY + "']\n",
    },
    "pokerstars": {
        "stakes": "PokerStars Hand #1: " + "Hold'em Limit (1" * MANY + "\n",
        "seats": STARS_HAND + "Seat 1: " + "a (1 in chips, " * MANY + "\n",
        "dealt": STARS_HAND + "Dealt to " + "a [" * MANY + "\n",
        "shown in the summary": STARS_HAND + "*** SUMMARY\n" + ("Seat 1: " + " mucked [" * 200 + "\n") * 1_900,
        "places in the summary": STARS_HAND + "*** SUMMARY\n" + ("Seat 1:" + " (button)" * 200 + "x\n") * 1_900,
        "players": STARS_HAND + "".join(f"Seat {n}: p{n} (9 in chips)\n" for n in range(990)) + "p9: folds\n" * 990,
    },
    "acpc": {
        "betting": "STATE:0:" + "r" * MANY + ":",
        "a raise": "STATE:0:r" + "9" * MANY + ":AcKc|7h6h:0|0:a|b",
        "streets": "STATE:0:" + "/" * MANY + ":::",
        "bars": "STATE:0:c:" + "|" * MANY + ":",
        "colons": "STATE:0:c" + ":" * MANY,
        "scores": "SCORE:" + "1|" * MANY + ":" + "|" * MANY,
        "a score": "SCORE:1e999999999|1e-999999999:a|b",
        "digits": "STATE:" + "9" * MANY + ":r" + "9" * MANY + ":",
    },
    "lines": {
        "bars": "|" * MANY,
        "boards": "AcKc|7h6h|" + "Ks5h3d/" * MANY + "|Sl",
        "bets": "AcKc|7h6h||Sl" + "Rr" * MANY,
        "streets": "AcKc|7h6h||SlC" + "k/" * MANY,
    },
}


@pytest.mark.parametrize(("name", "what"), [(name, what) for name, cases in HANGING.items() for what in cases])
def test_a_small_log_does_not_hang(name: str, what: str) -> None:
    game = Game.load("limit-hu") if name in ("acpc", "lines") else None
    read_text(name, "x\n", game)  # kernels may have to be compiled
    with at_most(10):
        batches, bad = read_text(name, HANGING[name][what], game)
    assert not batches
    assert bad
    assert all(len(reject.reason) < MOST_REASON + 50 and len(reject.text) < MOST_TEXT + 50 for reject in bad)


HEADERS = ["# name/game/hands/seed x " + "a/" * MANY, "# name/game/hands/seed" + " " * MANY]


@pytest.mark.parametrize("line", [*HEADERS, "# luckless/game " + "[" * MANY])
def test_a_first_line_does_not_hang(line: str) -> None:
    with at_most(10), pytest.raises(InputError, match="name it with --game"):
        read_text("acpc", line)


@pytest.mark.parametrize("name", ["phh", "acpc", "lines", "pokerstars"])
def test_a_byte_order_mark_is_left_out(name: str) -> None:
    game = Game.load("limit-hu")
    text = written([played(game, 4)], FORMATS[name].writer(Path("x.phhs")))
    for mark in ("", "\ufeff"):
        batches, bad = read_text(name, mark + text)
        assert (sum(map(len, batches)), bad) == (4, []), mark


# Memory


def test_the_text_of_a_hand_has_an_end() -> None:
    lines = ("x" * 10_000 for _ in range(1_000))
    [block] = hand_blocks(["[1]", *lines])
    assert len(block.text) <= MOST_LETTERS + 1_000
    assert "1,000,000 characters" in block.too_large


def test_a_hand_that_is_too_large_is_refused_and_the_next_one_read() -> None:
    text = written([played(Game.load("nolimit-6max"), 6)], writer())
    batches, [bad] = read_text("phh", "[1]\n" + f"x = '{'y' * 1_000}'\n" * 1_001 + text)
    assert sum(map(len, batches)) == 6
    assert bad.reason == "the hand has more than 1,000,000 characters"


def writer() -> HandWriter:
    """Writes PHH."""
    return FORMATS["phh"].writer(Path("x.phhs"))


def test_long_texts_end_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST_LETTERS", 1_000)
    text = written([played(Game.load("nolimit-6max"), 6)], writer())
    batches, bad = read_text("phh", text)
    assert not bad
    assert sum(map(len, batches)) == 6
    assert len(batches) > 1


def test_what_is_kept_of_a_reject_has_an_end() -> None:
    reject = Reject("line 1", "r" * 10_000, "t" * 1_000_000)
    assert reject.reason == "r" * MOST_REASON + "... (9,500 more characters)"
    assert len(reject.text) < MOST_TEXT + 50
    assert Reject("line 1", "short", "text") == Reject("line 1", "short", "text")


def test_a_file_of_rejects_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rejects, "MOST_BYTES", 5_000)
    good = written([played(Game.load("nolimit-6max"), 6)], writer())
    packed = tmp_path / "bad.phhs.gz"
    packed.write_bytes(gzip.compress((good + "".join(f"[{n}]\nx = 1\n" for n in range(50_000))).encode()))
    done = convert(packed, tmp_path / "out.phhs")
    assert (done.hands, done.rejected) == (6, 50_000)
    text = (tmp_path / "out.phhs.rejects").read_text()
    assert len(text) < 6_000
    told = text.count("\nx = 1\n")
    assert text.endswith(f"# {50_000 - told:,} more hands were left out; this file has no room for them\n")


def test_a_small_gzip_file_does_not_unpack_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "ALWAYS_UNPACKED", 1 << 20)
    path = tmp_path / "bomb.log.gz"
    path.write_bytes(gzip.compress(b"\0" * 8_000_000))
    with pytest.raises(InputError, match=r"bomb\.log\.gz: it unpacks to more than 200 times its size"):
        list(read_hands(path, game=Game.load("limit-hu"), on_reject=lambda reject: None))
    monkeypatch.setattr(opening, "ALWAYS_UNPACKED", 1 << 24)
    assert not list(read_hands(path, game=Game.load("limit-hu"), on_reject=lambda reject: None))


def test_rejects_that_are_kept_in_memory_are_short(tmp_path: Path) -> None:
    path = tmp_path / "bad.phhs"
    path.write_text("".join(f"[{n}]\n" + PHH_HAND[4:] + f"actions = ['{'x' * 5_000}']\n" for n in range(1_200)))
    hands = read_anything(path)
    with pytest.warns(UserWarning, match="1,200 of 1,200 hands"):
        assert len(hands) == 0
    assert len(hands.rejects) == 1_000
    assert sum(map(len, hands.rejects)) < 1_000_000
