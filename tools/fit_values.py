"""Makes the shipped value functions: plays matches and fits equity values to them, by kind of game.

    python tools/fit_values.py

The matches are given by their seeds, so the files come out the same again. Their hands are refused by `judge`.
"""

import sys
from pathlib import Path

import luckless as lk
from luckless.matches.match import Match
from luckless.rules.columns import HandColumns
from luckless.rules.game import STREETS, Game
from luckless.skill.fitting import fit_values
from luckless.skill.shipped_values import FOLDER, game_kind

HANDS = 5000
SEED = 734_201_113
RULES = (("value-bet", "value-bet"), ("sklansky", "value-bet"), ("value-bet", "pot-odds"))
MATCHES = {
    "nolimit-hu": (("blueprint", "blueprint"), ("blueprint", "value-bet"), *RULES),
    "limit-hu": RULES,
    "nolimit-6max": (("value-bet",) * 6, ("value-bet", "value-bet", "value-bet", "threshold", "call", "sklansky")),
}


def hands_of(game: Game, bots: tuple[str, ...], seed: int) -> list[HandColumns]:
    """The hands of one match with fresh decks."""
    players = [lk.bot(bot, f"{bot} {place}") for place, bot in enumerate(bots)]
    match = Match.plan(game, players, hands=HANDS, seed=seed, decks="fresh")
    return [chunk.hands for chunk in match.chunks()]


def main(folder: Path) -> None:
    """Writes a file a kind of game."""
    folder.mkdir(exist_ok=True)
    for place, (name, matches) in enumerate(MATCHES.items()):
        game = Game.load(name)
        hands = [
            part for number, bots in enumerate(matches) for part in hands_of(game, bots, SEED + 10 * place + number)
        ]
        kind = game_kind(game)
        values = fit_values(hands, kind)
        values.save(folder / f"{kind}.safetensors")
        print(kind, values.digest, len(values.seen.marks), flush=True)
        for street, numbers in zip(STREETS, values.numbers, strict=True):
            print(f"  {street:8}", *(f"{number:+.2f}" for number in numbers), flush=True)
        for street, numbers in zip(STREETS, values.by_strength, strict=True):
            print(f"  {street:8} by strength", *(f"{number:+.2f}" for number in numbers), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
