"""A bot outside this process that is greeted, and says its name and whether it keeps memory (`Hello`)."""

from luckless.bots.external.external_bot import ExternalBot
from luckless.bots.external.messages import Hello
from luckless.bots.registry import RULES

LONGEST_NAME = 40


class GreetedBot(ExternalBot):
    """Its `spec` is what it is called until it has said a name of its own."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self._label = ""
        self._hello: Hello | None = None

    @property
    def name(self) -> str:
        """The label that it was given, else what it calls itself once it has said so, else its spec."""
        return self._label or (own_name(self._hello.name) if self._hello is not None else "") or self.spec

    @name.setter
    def name(self, label: str) -> None:
        self._label = label


def own_name(said: str) -> str:
    """A name that a program gives itself, as it is shown: printable, short, and not that of a shipped bot."""
    name = " ".join("".join(letter if letter.isprintable() else " " for letter in said).split())
    name = "".join("-" if letter in "/\\:=" else letter for letter in name)[:LONGEST_NAME].strip()
    return f"{name} (exec)" if name in RULES else name
