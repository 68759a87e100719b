"""What the bots of a stored match were."""

from typing import Any

from luckless.bots.bot import Bot


def describe_bot(bot: Bot) -> dict[str, Any]:
    """A bot as the catalogue keeps it: its name, how it was written, its parameters, and its fingerprint."""
    return {
        "name": bot.name,
        "parameters": {"spec": bot.spec, "values": bot.parameters},
        "code_sha256": bot.fingerprint(),
    }
