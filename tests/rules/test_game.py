"""Descriptions of games: names, TOML, JSON values, competition definitions, and what is refused in which words."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

from luckless.cards import parse_cards
from luckless.errors import InputError
from luckless.rules.game import MAX_CHIPS, Game, Rake
from luckless.rules.game_files import game_names

DEFINITION = """\
# heads-up limit with the blinds reversed
GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
NOLIMIT_DEFINITION = """\
GAMEDEF
nolimit
numPlayers = 3
numRounds = 4
stack = 20000 20000 20000
blind = 50 100 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
VALUES: dict[str, Any] = {
    "name": "x",
    "betting": "no-limit",
    "seats": 3,
    "blinds": [1, 2, 0],
    "stacks": [200, 200, 200],
}
LIMIT: dict[str, Any] = VALUES | {"betting": "limit", "bet_sizes": [2, 2, 4, 4]}
RIVER: dict[str, Any] = {
    "name": "x",
    "betting": "no-limit",
    "seats": 2,
    "stacks": 100,
    "first_street": "river",
    "unit": 2,
}

FULL = Game(
    name='odd "name"',
    betting="limit",
    seats=3,
    blinds=(0, 0, 0),
    stacks=(10, 20, 30),
    bet_sizes=(1, 2, 3, 4),
    max_bets=(0, 1, 2, 3),
    first_street=2,
    pot=30,
    board=tuple(parse_cards("AcKdQh2s")),
    unit=5,
    rake=Rake(per_mille=50, cap=3, no_flop_no_drop=False),
)
ANTES = Game(
    name="antes", betting="pot-limit", seats=2, blinds=(2, 1), antes=(2, 0), stacks=(50, 40), rake=Rake(per_mille=25)
)


@pytest.mark.parametrize("name", game_names())
def test_named_games_load_under_their_name_and_read_back(name: str) -> None:
    game = Game.load(name)
    assert game.name == name
    assert Game.from_toml(game.to_toml()) == game
    assert Game.from_dict(json.loads(json.dumps(game.to_dict()))) == game


def test_the_promised_names_exist_with_the_promised_stakes() -> None:
    six = Game.load("nolimit-6max")
    assert (six.blinds, six.stacks, six.big_blind) == ((1, 2, 0, 0, 0, 0), (200,) * 6, 2)
    limit = Game.load("limit-hu")
    assert (limit.blinds, limit.bet_sizes, limit.max_bets) == ((10, 5), (10, 10, 20, 20), (4, 4, 4, 4))
    assert (limit.small_bet, limit.big_blind, limit.first_seat) == (10, 10, 1)
    heads_up = Game.load("nolimit-hu")
    assert (heads_up.blinds, heads_up.stacks, heads_up.first_seat) == ((100, 50), (20000, 20000), 1)
    river = Game.load("river-hu")
    assert (river.first_street, river.pot, river.big_blind, river.pot_share) == (3, 200, 100, 100)


@pytest.mark.parametrize("name", [name for name in game_names() if name.startswith("limit")])
def test_nobody_can_be_all_in_in_the_named_limit_games(name: str) -> None:
    game = Game.load(name)
    assert min(game.stacks) > sum(size * bets for size, bets in zip(game.bet_sizes, game.max_bets, strict=True))


@pytest.mark.parametrize("game", [FULL, ANTES])
def test_every_field_survives_toml_and_json(game: Game) -> None:
    assert Game.from_toml(game.to_toml()) == game
    assert Game.from_dict(json.loads(json.dumps(game.to_dict()))) == game
    assert len({game, Game.from_toml(game.to_toml())}) == 1


def test_a_game_never_changes() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(FULL, "pot", 60)  # noqa: B010


def test_one_number_stands_for_every_entry() -> None:
    game = Game.from_dict(LIMIT | {"stacks": 50, "antes": 1, "max_bets": 3})
    assert (game.stacks, game.antes, game.max_bets) == ((50,) * 3, (1,) * 3, (3,) * 4)


def test_a_toml_file_without_a_name_is_called_after_itself(tmp_path: Path) -> None:
    path = tmp_path / "home-game.toml"
    path.write_text('betting = "no-limit"\nseats = 2\nblinds = [2, 1]\nstacks = 100\n')
    assert Game.load(path).name == "home-game"
    assert Game.load(str(path)) == Game.load(path)


def test_dead_antes_are_those_that_differ() -> None:
    assert ANTES.antes_are_dead
    assert not Game.from_dict(VALUES | {"antes": 1}).antes_are_dead
    assert not Game.from_dict(VALUES).antes_are_dead


def test_small_bet_is_a_word_of_limit() -> None:
    with pytest.raises(InputError, match="game x: only limit has a small bet; this game is no-limit"):
        _ = Game.from_dict(VALUES).small_bet


# What is refused: the message says where, what, and what is allowed.


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (VALUES | {"seats": 11, "blinds": [1, 2] + [0] * 9, "stacks": 200}, "seats is 11; allowed is 2 to 10"),
        (VALUES | {"seats": 1, "blinds": [2], "stacks": 200}, "seats is 1; allowed is 2 to 10"),
        (VALUES | {"seats": -1, "stacks": 5}, "seats is -1; allowed is 2 to 10"),
        (VALUES | {"stacks": 1}, "blinds of 2 are more than every stack; the largest stack is 1"),
        (VALUES | {"antes": 201}, "antes of 201 are more than every stack; the largest stack is 200"),
        (VALUES | {"antes": [0, -2, 0]}, "antes of seat 1 is -2; allowed is 0 or more chips"),
        (VALUES | {"blinds": [-1, 2, 0]}, "blinds of seat 0 is -1; allowed is 0 or more chips"),
        (VALUES | {"stacks": [200, 0, 200]}, "stacks of seat 1 is 0; allowed is 1 or more chips"),
        (VALUES | {"stacks": [200, 200]}, "stacks has 2 entries; 3 seats need 3"),
        (VALUES | {"blinds": [1, 2]}, "blinds has 2 entries; 3 seats need 3"),
        (VALUES | {"betting": "nolimit"}, "betting is 'nolimit'; allowed is no-limit, pot-limit, limit"),
        (LIMIT | {"bet_sizes": [2, 2, 0, 4]}, "bet_sizes of the turn is 0; limit needs a bet of 1 chip or more"),
        (LIMIT | {"bet_sizes": 0}, "bet_sizes of the preflop is 0; limit needs a bet of 1 chip or more"),
        (LIMIT | {"bet_sizes": [2, 2, 4]}, "bet_sizes has 3 entries; the four streets need 4"),
        (LIMIT | {"max_bets": -4}, "max_bets of the preflop is -4; allowed is 0 or more"),
        (VALUES | {"bet_sizes": 2}, "bet_sizes are for limit only, and betting is no-limit"),
        (VALUES | {"unit": 2}, "unit is for games without blinds; here the largest blind is the unit"),
        (RIVER | {"unit": 0}, "unit is 0; a game without blinds needs its big blind as a unit of 1 chip or more"),
        (RIVER | {"pot": 3}, "pot is 3; it must divide evenly among the 2 seats that made it"),
        (RIVER | {"pot": -2}, "pot is -2; it must divide evenly"),
        (RIVER | {"board": "AcKd"}, "board has 2 cards; on the river it must have 5, or none"),
        (VALUES | {"pot": 6}, "a pot or a board is for hands that start on a later street; first_street is preflop"),
        (
            VALUES | {"first_street": "turn"},
            "blinds and antes are for hands that start preflop; give a pot and a unit",
        ),
        (
            VALUES | {"stacks": 2**30},
            f"stacks and pot are {3 * 2**30} chips together; allowed is less than {MAX_CHIPS}",
        ),
        (LIMIT | {"max_bets": 2**31}, f"max_bets, unit and rake.cap must be less than {MAX_CHIPS}; one is {2**31}"),
        (
            VALUES | {"rake": {"per_mille": 50, "cap": 2**31}},
            f"rake.cap must be less than {MAX_CHIPS}; one is {2**31}",
        ),
        (
            VALUES | {"seats": 2, "stacks": 200, "blinds": [1, 2]},
            "heads-up seat 1 is the button and posts the small blind: [2, 1]",
        ),
    ],
)
def test_a_description_that_makes_no_game_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Game.from_dict(values, "home.toml")
    assert str(caught.value).startswith("home.toml: game x: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            VALUES | {"stack": 5},
            "unknown key 'stack'; did you mean 'stacks'? Allowed are name, betting, seats, blinds, antes, ",
        ),
        (VALUES | {"rake": {"percent": 5}}, "unknown key 'rake.percent'; allowed are per_mille, cap, "),
        (VALUES | {"rake": {"cap": 5}}, "key 'rake.per_mille' is missing"),
        (VALUES | {"rake": {"per_mille": 1001}}, "rake: per_mille is 1001; allowed is 0 to 1000 (50 is 5 %)"),
        (VALUES | {"rake": {"per_mille": 5, "cap": -1}}, "rake: cap is -1; allowed is 0 (no cap) or more chips"),
        (
            VALUES | {"rake": {"per_mille": 5, "no_flop_no_drop": 1}},
            "rake.no_flop_no_drop is 1; allowed is true or false",
        ),
        (VALUES | {"rake": {"per_mille": 5.5}}, "rake.per_mille is 5.5; allowed is a whole number"),
        (VALUES | {"rake": 5}, "rake is 5; allowed is a table with per_mille, cap, no_flop_no_drop"),
        (VALUES | {"seats": "three"}, "seats is 'three'; allowed is a whole number"),
        (VALUES | {"seats": True}, "seats is True; allowed is a whole number"),
        (VALUES | {"stacks": 2.5}, "stacks is 2.5; allowed is a whole number or a list of whole numbers"),
        (VALUES | {"stacks": [1, 2, 2.5]}, "an entry of stacks is 2.5; allowed is a whole number"),
        (VALUES | {"blinds": 2}, "blinds is 2; allowed is a list of whole numbers"),
        (VALUES | {"betting": 1}, "betting is 1; allowed is a text in quotation marks"),
        (VALUES | {"first_street": 3}, "first_street is 3; allowed is preflop, flop, turn or river"),
        (RIVER | {"board": "AcAcKdQhJs"}, "board: card Ac appears twice in 'AcAcKdQhJs'"),
        (RIVER | {"board": "Zz"}, "board: 'Zz' is not a card"),
        (RIVER | {"board": 5}, "board is 5; allowed is cards in quotation marks"),
        ({"betting": "no-limit", "seats": 2}, "key 'stacks' is missing; required are betting, seats, stacks"),
    ],
)
def test_a_wrong_key_or_value_is_named_with_its_file(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Game.from_dict(values, "home.toml")
    assert str(caught.value).startswith(f"home.toml: {message}")


def test_a_board_with_a_card_twice_is_refused_in_code_too() -> None:
    with pytest.raises(InputError, match="game FULL: card Ac appears twice in board AcAcQh2s"):
        dataclasses.replace(FULL, name="FULL", board=tuple(parse_cards("Ac") * 2 + parse_cards("Qh2s")))
    with pytest.raises(InputError, match="board has card number 52; allowed is 0 to 51"):
        dataclasses.replace(FULL, board=(0, 1, 2, 52))
    with pytest.raises(InputError, match=r"first_street is 4; allowed is 0 \(preflop\) to 3 \(river\)"):
        dataclasses.replace(FULL, first_street=4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seats = " + "9" * 5000, "a number or a key has 5,000 characters; allowed are 300 (at line 1)"),
        ("\nstacks = " + "[" * 5000, "more than 50 brackets are nested (at line 2)"),
        ("#" * 1_000_001, "it is too large; allowed is up to 250,000 bytes"),
    ],
)
def test_toml_that_is_too_large_to_read_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "large.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"large\.toml: {re.escape(message)}"):
        Game.load(path)


def test_a_wrong_value_in_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "home.toml"
    for last, message in (
        ("blinds = [2, 1.5]", "line 5: an entry of blinds is 1.5; allowed is a whole number"),
        ("[rake]\nper_mille = 5\ncap = true", "line 7: rake.cap is True; allowed is a whole number"),
        ("[rake]\ncap = 1", "line 5: key 'rake.per_mille' is missing"),
        ("ante = 1", "line 5: unknown key 'ante'; did you mean 'antes'?"),
    ):
        path.write_text(f'betting = "no-limit"\nseats = 2\n\nstacks = 100\n{last}\n')
        with pytest.raises(InputError) as caught:
            Game.load(path)
        assert str(caught.value).startswith(f"{path}, {message}")


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "marked.toml"
    path.write_text(Game.load("nolimit-hu").to_toml(), encoding="utf-8-sig")
    assert Game.load(path) == Game.load("nolimit-hu")


def test_stacks_of_a_limit_definition_outlast_a_blind_above_the_bet(tmp_path: Path) -> None:
    game = load_definition(tmp_path, DEFINITION.replace("blind = 10 5", "blind = 300 5"))
    assert game.stacks == (2 * (300 + 3 * 10 + 4 * 10 + 8 * 20),) * 2


def test_broken_toml_is_named_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("seats = 2\nblinds = [1,\nstacks = 5\n")
    with pytest.raises(InputError, match=r"broken\.toml: not valid TOML: .*line 3"):
        Game.load(path)


def test_an_unknown_name_lists_the_names() -> None:
    with pytest.raises(InputError) as caught:
        Game.load("nolimit-7max")
    assert "no game is called 'nolimit-7max'; allowed is a .toml or .game file, or one of limit-3max, " in str(
        caught.value
    )


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read game file .*none\.toml: No such file"):
        Game.load(tmp_path / "none.toml")
    (tmp_path / "binary.game").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match=r"cannot read game file .*binary\.game: it is not a text file"):
        Game.load(tmp_path / "binary.game")


# Competition definitions


def load_definition(tmp_path: Path, text: str) -> Game:
    path = tmp_path / "test.game"
    path.write_text(text)
    return Game.load(path)


def test_the_competitions_definitions_are_our_named_games(tmp_path: Path) -> None:
    for text, name in ((DEFINITION, "limit-hu"), (NOLIMIT_DEFINITION, "nolimit-3max")):
        assert load_definition(tmp_path, text) == dataclasses.replace(Game.load(name), name="test")


def test_a_definition_may_be_written_loosely(tmp_path: Path) -> None:
    loose = (
        DEFINITION.replace(" = ", " ").replace("limit\n", "LIMIT # fixed\n\n").lower().replace("gamedef", "GameDef")
    )
    assert load_definition(tmp_path, loose) == load_definition(tmp_path, DEFINITION)


def test_raises_without_a_number_or_of_255_have_no_cap(tmp_path: Path) -> None:
    text = NOLIMIT_DEFINITION.replace("blind", "maxRaises = 255 3\nblind")
    assert load_definition(tmp_path, text).max_bets == (0, 3, 0, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "test.game, line 1: the definition ends before END GAMEDEF"),
        (DEFINITION[:56], "test.game, line 3: the definition ends before END GAMEDEF"),
        (DEFINITION.replace("END GAMEDEF\n", ""), "test.game, line 13: the definition ends before END GAMEDEF"),
        (
            DEFINITION.replace("GAMEDEF\nlimit", "limit"),
            "test.game, line 2: found 'limit'; a game definition starts with",
        ),
        (DEFINITION.replace("limit\n", "", 1), "test.game, line 13: neither limit nor nolimit appears"),
        (
            DEFINITION.replace("blind = 10 5", "blind = 10 x"),
            "test.game, line 6: blind is 10 x; allowed is whole numbers",
        ),
        (
            DEFINITION.replace("blind = 10 5", "blind ="),
            "test.game, line 6: blind is empty; allowed is whole numbers",
        ),
        (
            DEFINITION.replace("blind", "blinds"),
            "test.game, line 6: unknown key 'blinds'; allowed keys are limit, nolimit, ",
        ),
        (
            DEFINITION.replace("numPlayers = 2", ""),
            "test.game: numPlayers is missing; allowed is one number from 2 to 10",
        ),
        (
            DEFINITION.replace("numRanks = 13", "numRanks = 3"),
            "test.game: numRanks is 3; only Texas hold'em is played here",
        ),
        (
            DEFINITION.replace("numSuits = 4\n", ""),
            "test.game: numSuits is missing; only Texas hold'em is played here",
        ),
        (
            DEFINITION.replace("10 10 20 20", "10 0 20 20"),
            "test.game: raiseSize is 10 0 20 20; limit needs four numbers of 1 chip or more",
        ),
        (DEFINITION.replace("10 10 20 20", "1 1 1 1 1"), "test.game: raiseSize is 1 1 1 1 1; limit needs four"),
        (DEFINITION.replace("10 10 20 20", "1" * 5000), "line 7: raiseSize has a number of too many digits"),
        (DEFINITION + "GAMEDEF", "line 15: found 'GAMEDEF' after END GAMEDEF; a file holds one definition"),
        (DEFINITION.replace("\nlimit", "\nlimit 7"), "line 3: found 'limit 7'; limit must be alone on its line"),
        (DEFINITION.replace("\nlimit", "\nlimit\nnolimit"), "line 4: the betting appears twice"),
        (DEFINITION.replace("\nlimit", "\nlimit\nblind = 5 5"), "line 7: blind appears twice; allowed is once"),
        (DEFINITION.replace("3 4 4 4", "3 0 4 4"), "test.game: maxRaises of the flop is 0; allowed is 1 or more"),
        (
            DEFINITION.replace("2 1 1 1", "1 1 1 1"),
            "test.game: firstPlayer is 1 1 1 1; with these blinds it must be 2 1 1 1",
        ),
        (NOLIMIT_DEFINITION.replace("stack = 20000 20000 20000", ""), "test.game: stack is missing"),
        (
            NOLIMIT_DEFINITION.replace("20000 20000 20000", "20000"),
            "test.game: stack has 1 numbers; 3 players need 3",
        ),
        (
            NOLIMIT_DEFINITION.replace("= 3\n", "= 11\n"),
            "test.game: numPlayers is 11; allowed is one number from 2 to 10",
        ),
    ],
)
def test_a_wrong_definition_is_named_with_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_definition(tmp_path, text)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))
