"""What is said about faults: which bots hardly played themselves, how often and why."""

from collections.abc import Sequence

from luckless.counted import counted
from luckless.matches.faults import FaultLog


def not_itself(faults: FaultLog, names: Sequence[str]) -> str:
    """Which bots had a notable share of their decisions answered for them; empty if none had."""
    sentences = []
    for player in faults.notable(len(names)):
        share, kinds = 100 * (faults.share(player) or 0.0), faults.of_player(player)
        counts = ", ".join(f"{kind} {count:,}" for kind, count in kinds.items())
        sentences.append(
            f"{names[player]} did not play {share:.{0 if share >= 10 else 1}f} % of its "
            f"{counted(faults.decisions[player], 'decision')} itself: we checked or folded for it ({counts})."
        )
    if not sentences:
        return ""
    return " ".join([*sentences, "The result measures that more than skill."])


def fault_lines(faults: FaultLog, names: Sequence[str]) -> list[str]:
    """One example of each kind of fault of each player, with how often it happened."""
    lines = []
    for player, name in enumerate(names):
        for kind, count in faults.of_player(player).items():
            often = f"{kind}, {count:,} times" if count > 1 else kind
            first = next((case for case in faults.cases if (case.player, case.kind) == (player, kind)), None)
            example = f": hand {first.hand:,}: {first.detail}" if first is not None and first.detail else ""
            lines.append(f"fault of {name} ({often}){example}")
    return lines
