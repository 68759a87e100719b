"""Value functions by name: those that come with the package, or the file of one."""

from pathlib import Path

from luckless.bots.catalogue import load_shipped
from luckless.skill.roll_out_values import RollOutValues
from luckless.skill.shipped_values import shipped_values
from luckless.skill.values import EquityValues, ValueFunction

EQUITY, ROLL_OUTS, BLUEPRINT = "equity", "roll-outs", "blueprint"
NAMES = (EQUITY, ROLL_OUTS, BLUEPRINT)


def named_values(text: str | Path) -> ValueFunction:
    """What `--values` names: shared pots by equity, roll-outs by DIVAT's baseline or by the blueprint, or a file."""
    if str(text) == EQUITY:
        return shipped_values()
    if str(text) == ROLL_OUTS:
        return RollOutValues("roll-outs by value-bet", load_shipped("value-bet"))
    if str(text) == BLUEPRINT:
        return RollOutValues("roll-outs by the blueprint", load_shipped("blueprint"))
    return EquityValues.load(Path(text))
