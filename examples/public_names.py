"""The README's match, docs/python.md's numbers and a small season, by public names alone: `python public_names.py`.

Everything is written to a folder, `public-names` by default. `--hands 40` plays and judges a shorter match: without
the rank tables (`luckless tables build rank`) DIVAT takes minutes for the README's 600 hands.
"""

import argparse
from pathlib import Path

import numpy as np

import luckless as lk

SEASON = """\
name = "tiny"
game = "nolimit-hu-100bb"
seed = 1

[training]
rounds = 4
hands = 100
clone_every = 2

[[division]]
name = "first"
matchup = "random"
students = ["small"]
teachers = ["random", "call"]

[[evaluation]]
name = "similar"
matchup = "similar"
rounds = 4
hands = 60

[[evaluation]]
name = "direct"
matchup = "direct"
meetings = 1
hands = 60

[style]
hands = 1

[learner.small]
kind = "qlearn-8"
hidden = [16, 16]
batch = 64
"""


class BatchPairs:
    """Raises pairs, calls small bets, folds the rest."""

    def decide_batch(self, views: lk.Views, dice: object) -> np.ndarray:
        """An action for each decision."""
        pair = views.hole[:, 0] // 4 == views.hole[:, 1] // 4
        cheap = np.where(views.to_call <= 2 * views.big_blind, 0, -1)
        return np.where(pair & (views.max_raise_to > 0), views.min_raise_to, cheap)


def readme_match(folder: Path, hands: int) -> lk.Verdict:
    """`luckless match value-bet pot-odds --game limit-hu --hands 600 --decks fresh --divat`."""
    result = lk.play(["value-bet", "pot-odds"], game="limit-hu", hands=hands, decks="fresh", save=folder / "match")
    verdict = lk.judge(folder / "match", by="divat")
    print(f"limit-hu, {result.hands} hands, fresh decks, seed {result.match.seed}")
    for player in result.to_dict()["bots"]:
        low, high = player["ci95_mbb"]
        print(
            f"{player['name']}: {player['mbb']:+.1f} mbb/h, {low:+.1f} to {high:+.1f}, chips {player['net_chips']:+,}"
        )
    judgement = verdict.detail.to_dict()
    for measure in ("money", "divat", "lfat"):
        low, high = judgement[measure]["ci95"]
        print(f"{measure}: {judgement[measure]['mean']:+.3f} small bets a hand, {low:+.3f} to {high:+.3f}")
    for street in judgement["divat"]["by_round"]:
        print(f"skill on the {street['round']}: {street['mean']:+.3f}")
    if judgement["saving"]:
        print(f"DIVAT divides the variance by {judgement['saving']['variance_ratio']:.1f}")
    return verdict


def page_numbers() -> None:
    """The numbers that docs/python.md shows."""
    print(lk.equity(["AcKc", "7h6h"]))
    print(f"{float(lk.hand_rank('AcKc', 'Ks5h3d').ihr):.4f}")
    result = lk.play({"mine": BatchPairs, "caller": "call"}, hands=2_000)
    print(result.estimate("mine"))
    again = lk.play({"mine": BatchPairs, "caller": "call"}, hands=2_000)
    print("the same again:", again.estimate("mine") == result.estimate("mine"))
    table = lk.Table.dealt("limit-hu", seed=1, deals=[0])
    situations, numbers = table.views(table.waiting()).with_all_hands(0)
    raises = lk.bot("value-bet").probabilities(situations).kinds()[:, 2]
    print(f"value-bet raises {100 * raises.mean():.0f} % of {len(numbers):,} hands")


def solved_game(folder: Path) -> lk.Exploited:
    """Kuhn poker solved, and what a best response wins from the solution and from a bot that acts at random."""
    solution = lk.solve("kuhn", iterations=300, save=folder / "kuhn.safetensors")
    print(f"Kuhn is worth {solution.measured.value:.4f} antes to the first player")
    print(f"uniform loses up to {lk.exploit('uniform', 'kuhn').mbb:.1f} thousandths of an ante")
    return lk.exploit(f"nash:{folder / 'kuhn.safetensors'}", "kuhn")


def small_tournament() -> lk.TournamentResult:
    """Three bots, ranked by their mean and by Nash averaging."""
    cup = lk.tournament(["call", "raise", "pot-odds"], game="limit-hu", hands=200)
    found = cup.to_dict()
    for place, name in enumerate(found["bots"]):
        rankings = found["rankings"]
        print(f"{name}: mean {rankings['mean'][place]:+,.0f} mbb/h, Nash share {100 * rankings['nash'][place]:.0f} %")
    return cup


def small_season(folder: Path) -> lk.SeasonRecord:
    """A season of two learned clones and two teachers, and a match against the best clone."""
    config = folder / "tiny.toml"
    config.write_text(SEASON)
    season = lk.league(config, out=folder / "tiny", workers=1)
    agents = season.to_dict()["agents"]
    for agent in agents:
        print(f"{agent['rank']}. {agent['name']} ({agent['type']}): TrueSkill {agent['trueskill']:.1f}")
    best = next(agent["name"] for agent in agents if agent["type"] == "small")
    weights = folder / "tiny" / "agents" / f"{best}.safetensors"
    print(lk.play({best: f"agent:{weights}", "caller": "call"}, game="nolimit-hu-100bb", hands=200))
    return season


def main() -> None:
    """Runs all of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hands", type=int, default=600, help="hands of the README's match")
    parser.add_argument("--out", type=Path, default=Path("public-names"), help="the folder to write to")
    parser.add_argument("--no-season", action="store_true", help="leave the season out, which needs torch")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    readme_match(options.out, options.hands)
    page_numbers()
    print(solved_game(options.out))
    print(small_tournament())
    if not options.no_season:
        small_season(options.out)


if __name__ == "__main__":
    main()
