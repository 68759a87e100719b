"""Bots that look for the seed of the match: found where keys are open or small, and never where they are secret."""

import json
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
import seed_finder

from luckless.bots.catalogue import load_bot
from luckless.keys import Keys
from luckless.matches.match import Match
from luckless.matches.result import play_match
from luckless.rules.columns import join
from luckless.rules.dealing import deal
from luckless.rules.game import Game

GAME = Game.load("nolimit-hu")
PROGRAM = Path(__file__).with_name("seed_finder.py")


def claims(way: str, seed: int | None, sealed: bool | None, folder: Path) -> tuple[int, list[bool]]:
    """Plays the finder; how many hands it claims to know, and whether each claim is right."""
    file = folder / "claims"
    file.touch()
    bot = load_bot(f"exec:{shlex.join([sys.executable, str(PROGRAM), way, str(file)])}")
    match = Match.plan(GAME, [bot, load_bot("call")], hands=12, seed=seed, sealed=sealed)
    chunks = list(match.chunks())
    assert not any(chunk.faults for chunk in chunks)
    decks = join([chunk.hands for chunk in chunks]).records.decks
    said = [json.loads(line) for line in file.read_text().splitlines()]
    return len(decks), [decks[number].tolist() == cards for number, cards in said]


@pytest.mark.parametrize("way", ["dice", "cards"])
def test_a_finder_knows_the_cards_of_an_open_match(way: str, tmp_path: Path) -> None:
    """As matches were once: without this proof the others would show nothing."""
    hands, right = claims(way, 1, False, tmp_path)
    assert len(right) >= hands - 3
    assert all(right)


@pytest.mark.parametrize("way", ["dice", "cards", "sealed"])
def test_a_finder_knows_nothing_of_a_match_as_it_is_played_today(way: str, tmp_path: Path) -> None:
    assert claims(way, None, None, tmp_path)[1] == []


@pytest.mark.parametrize("way", ["dice", "cards"])
def test_sealed_keys_are_not_the_open_ones_of_the_same_seed(way: str, tmp_path: Path) -> None:
    assert claims(way, 1, None, tmp_path)[1] == []


def test_a_small_seed_is_found_by_trying_it_out_so_it_is_warned_of(tmp_path: Path) -> None:
    hands, right = claims("sealed", 1, None, tmp_path)
    assert len(right) >= hands - 3
    assert all(right)
    bot = load_bot(f"exec:{shlex.join([sys.executable, str(PROGRAM), 'dice', str(tmp_path / 'claims')])}")
    for seed, warned in ((1, True), (2**64 - 1, True), (2**64, False), (None, False)):
        match = Match.plan(GAME, [bot, load_bot("call")], hands=2, seed=seed)
        result = play_match(match)
        assert any("try out every seed" in warning for warning in result.to_dict()["warnings"]) == warned
    assert Match.plan(GAME, [load_bot("call")] * 2, hands=2, seed=1).settings.warnings == []


def test_the_finder_deals_as_we_do() -> None:
    """The attack is real: its own dealing is ours, open and sealed."""
    for seed in (1, 2**64 + 5):
        assert deal(GAME, seed, [0, 7])[1].tolist() == seed_finder.deck_of(seed, 7, 9)
        key = int.from_bytes(seed_finder.sealed(seed, "deck", 16, 7), "little")
        assert deal(GAME, Keys(seed, sealed=True), [0, 7])[1].tolist() == seed_finder.deck_of(key, 7, 9)
        dice = Keys(seed, sealed=True).words("dice", [0, 1], [3, 3], [1, 1], [4, 4])
        assert dice[1].tobytes() == seed_finder.sealed(seed, "dice", 32, 1, 3, 1, 4)


def test_no_key_of_a_sealed_match_serves_two_purposes() -> None:
    """Decks, seatings, mixes and the dice of each player: no word appears twice, and bits agree by chance alone."""
    keys, deals = Keys(2**127 + 3, sealed=True), np.arange(4_000)
    rows = [keys.rows("deck", deals), keys.rows("seating", deals), keys.rows("mix", 0, deals, 1)]
    rows += [keys.words("dice", player, deals, seat, 0)[:, :2] for player in (0, 1) for seat in (0, 1)]
    words = np.stack([row[:, 0] for row in rows])
    assert len(np.unique(words)) == words.size
    for one in range(len(words)):
        for other in range(one):
            agreeing = np.bitwise_count(~(words[one] ^ words[other])).sum() / (64 * len(deals))
            assert abs(agreeing - 0.5) < 5 * 0.5 / np.sqrt(64 * len(deals))


def test_sealed_cards_are_fair() -> None:
    """Each card comes in each place of the deck equally often: chi-squared over 9 x 52 counts."""
    decks = deal(GAME, Keys(2**100, sealed=True), np.arange(20_000))
    counts = np.stack([np.bincount(decks[:, place], minlength=52) for place in range(9)])
    expected = len(decks) / 52
    chi_squared = ((counts - expected) ** 2 / expected).sum()
    assert abs(chi_squared - 9 * 51) < 5 * np.sqrt(2 * 9 * 51)


def test_secret_seeds_are_drawn_anew() -> None:
    bots = [load_bot("exec:true"), load_bot("call")]
    seeds = {Match.plan(GAME, bots, hands=2, decks="fresh").seed for _ in range(8)}
    assert len(seeds) == 8
    assert min(seeds) >= 2**100
