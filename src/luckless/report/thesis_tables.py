"""The tables of the population thesis that a season's report stands beside.

J. Kaminsky and A. Liebendörfer, "Population-based Poker AI", FHNW 2020: tables 4.2, 4.3 and 4.4. Winnings are chips a
hand there, at blinds 1/2; here they are mbb/h.
"""

from luckless.league.boards import METRICS

MBB_OF_A_CHIP = 500

TOP_AGENTS = {
    "exam": (151.04, 3.26, 2.35, 0.21),
    "radar": (148.97, 2.79, 2.02, 0.14),
    "loss": (146.49, 3.95, 2.76, 0.33),
    "tan": (143.41, 4.47, 2.55, 0.19),
    "brick": (142.55, 5.13, 2.65, 0.35),
    "clam": (142.43, 4.67, 2.81, 0.15),
    "seeker": (141.14, 6.16, 2.98, 0.33),
    "wisdom": (140.39, 1.47, 0.94, 0.06),
    "suitcase": (138.85, 4.81, 2.45, 0.33),
    "flight": (138.73, 4.58, 2.53, 0.23),
    "orange": (129.16, 6.79, 1.32, -0.07),
    "watt": (133.09, 6.59, 2.24, 0.23),
    "ecclesia": (124.79, 6.15, 1.42, 0.00),
    "config": (122.43, 6.06, 0.89, -1.20),
    "power": (132.34, 6.04, 1.58, 0.00),
    "creator": (134.82, 5.91, 2.59, 0.03),
    "union": (129.96, 5.65, 1.50, 0.01),
    "cowbell": (118.01, 5.50, 0.88, -2.32),
    "yarn": (119.79, 5.50, 1.14, -1.60),
    "penguin": (135.08, 5.22, 2.76, 0.00),
    "rain": (135.02, 4.20, 1.01, 0.17),
}
"""Table 4.2: TrueSkill, then mean, median and 20th percentile in chips a hand, of all agents on its four boards."""

BOARDS = {
    "trueskill": "exam radar loss tan brick clam seeker wisdom suitcase flight",
    "mean": "orange watt seeker ecclesia config power creator union cowbell yarn",
    "median": "seeker clam penguin loss brick creator tan flight suitcase exam",
    "p20": "brick suitcase loss seeker watt flight exam tan rain clam",
}
"""Table 4.2: the ten best by each metric."""

TYPES = {
    "trueskill": "8 A 8 8 A 8 A A 8 8 8 A A A 8 A A 8 A A",
    "mean": "A A A A A A A A A A A A 8 A 8 8 8 8 8 8",
    "median": "A 8 8 8 A A 8 8 8 8 A A A 8 A 8 A A A A",
    "p20": "A A 8 8 A 8 8 8 A 8 A A 8 A A 8 A A A A",
}
"""Table 4.3: the types of the twenty best by each metric; 8 is qlearn-8, A is qlearn-all."""

DIVISIONS = {
    "trueskill": "8 R 8 8 R 8 A R 8 8 8 A M R M A R M R A",
    "mean": "A A A A M R R R R R A A 8 R M 8 8 8 8 8",
    "median": "A 8 8 8 R R 8 8 8 8 A R R M R 8 A A A R",
    "p20": "R A 8 8 A 8 8 8 M 8 R R M R A M R M A R",
}
"""Table 4.4: the divisions of the twenty best by each metric, by the letters of `DIVISION_NAMES`."""

TYPE_NAMES = {"8": "qlearn-8", "A": "qlearn-all"}
DIVISION_NAMES = {"8": "Qln8-Cl", "A": "QlnA-Cl", "R": "QlnA-Rn", "M": "AllAg-Cl"}
TRAINING_DIVISIONS = {"Qln8-Cl", "QlnA-Cl", "SacL-Cl", "SacH-Cl", "AllAg-Cl", "QlnA-Rn"}
"""Table 4.1: the divisions of the standardized run."""


def board_table(metric: str) -> list[tuple[str, ...]]:
    """The thesis's board of a metric: name, TrueSkill, mean, median and 20th percentile."""
    return [_board_row(name, *TOP_AGENTS[name]) for name in BOARDS[metric].split()]


def _board_row(name: str, trueskill: float, *chips: float) -> tuple[str, ...]:
    return (name, f"{trueskill:.1f}", *(f"{MBB_OF_A_CHIP * amount:+,.0f}" for amount in chips))


def type_columns() -> list[list[str]]:
    """Table 4.3: for each of `METRICS` the types from the first rank on."""
    return [[TYPE_NAMES[letter] for letter in TYPES[metric].split()] for metric in METRICS]


def division_columns() -> list[list[str]]:
    """Table 4.4: for each of `METRICS` the divisions from the first rank on."""
    return [[DIVISION_NAMES[letter] for letter in DIVISIONS[metric].split()] for metric in METRICS]
