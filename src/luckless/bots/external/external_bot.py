"""What all bots outside this process have in common: they are reached through pipes or a socket, asked in batches and
watched by clocks.

Nothing that such a bot does raises an error: a fault is reported, and `NO_ANSWER` stands for what it did not answer.
"""

from luckless.bots.bot import Bot
from luckless.bots.fingerprints import checksum, file_digest, named_files


class ExternalBot(Bot):
    """A bot outside this process; `spec` names the program or the port."""

    outside = True

    @property
    def wants_results(self) -> bool:
        """Whether it keeps memory, and so follows its hands to the end."""
        return self.memory

    def fingerprint(self) -> str:
        """A checksum of the files that its command names; empty if there are none."""
        files = named_files(self.spec)
        return checksum([self.spec, *map(file_digest, files)]) if files else ""
