"""A language model as a TOML file: where it is, what it is asked, what it may cost."""

import os
import string
from dataclasses import dataclass
from pathlib import Path

from luckless.bots.external.posting import parsed_url
from luckless.bots.fingerprints import checksum
from luckless.errors import InputError
from luckless.typed_toml import TypedReader, parse_toml, read_text

SYSTEM = (
    "You are an expert poker player at a table of Texas hold'em. You get one decision at a time and answer with one "
    "JSON object and nothing else."
)
PROMPT = """\
{game}, {seats} players. You are {position}.
Your cards: {hole}. Board: {board} ({street}).
Pot: {pot}. To call: {to_call}. Your stack: {stack}. Big blind: {big_blind}. Other stacks: {others}.
So far: {history}.
You may: {legal}.
Answer {{"action": "fold"}}, {{"action": "check"}}, {{"action": "call"}} or {{"action": "raise", "amount": N}}, where
N is the total to which you bet or raise on this street."""

FIELDS = (
    "game", "seats", "position", "hole", "board", "street", "pot", "to_call", "stack", "big_blind", "others",
    "history", "legal", "min_raise_to", "max_raise_to", "random",
)  # fmt: skip
"""What a template may name."""


@dataclass(frozen=True)
class ChatConfig:
    """Everything about a model but its key, which is only ever in the environment and in memory."""

    base_url: str
    model: str
    key_env: str = ""
    """The environment variable that holds the key; empty for a server that needs none."""
    system: str = SYSTEM
    prompt: str = PROMPT
    temperature: float = 0.0
    max_tokens: int = 200
    retries: int = 2
    """How often an answer that cannot be read, or is not allowed, is asked for again."""
    network_retries: int = 3
    """How often a request is repeated when the server is busy or cannot be reached."""
    timeout: float = 60.0
    concurrency: int = 4
    price_in: float = 0.0
    """Dollars for a million tokens of the prompt."""
    price_out: float = 0.0
    budget: float = -1.0
    """Dollars that may be spent; -1 is without end."""
    ledger: str = ""
    """The file that keeps every decision; by default it lies in the folder of the match."""

    def digest(self) -> str:
        """A checksum of what decides how it plays."""
        deciding = (self.base_url, self.model, self.system, self.prompt, repr(self.temperature))
        return checksum([*deciding, str(self.max_tokens), str(self.retries)])

    def key(self, source: str) -> str:
        """The key from the environment; empty if none is needed. `source` names the config in errors."""
        if not self.key_env:
            return ""
        key = os.environ.get(self.key_env, "")
        if not key:
            raise InputError(f"{source}: the environment variable {self.key_env} is not set; it must hold the key")
        return key

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Dollars for some tokens."""
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6


def read_config(path: Path) -> ChatConfig:
    """The model that a TOML file describes."""
    values, reader = parse_toml(read_text(path, "the chat config"), str(path))
    config = reader.record(values, ChatConfig)
    _check(config, reader)
    return config


def _check(config: ChatConfig, reader: TypedReader) -> None:
    try:
        parsed_url(config.base_url, "base_url")
    except InputError as error:
        raise reader.refuse(("base_url",), str(error)) from None
    for key, low, high in (
        ("max_tokens", 1, 100_000),
        ("retries", 0, 20),
        ("network_retries", 0, 50),
        ("concurrency", 1, 256),
    ):
        reader.whole(getattr(config, key), (key,), low, high)
    for name, least, most in (
        ("temperature", 0.0, 10.0),
        ("timeout", 0.01, 3_600.0),
        ("price_in", 0.0, 1e6),
        ("price_out", 0.0, 1e6),
    ):
        reader.number(getattr(config, name), (name,), least, most)
    if config.budget != -1 and not config.budget > 0:
        raise reader.refuse_value(("budget",), config.budget, "dollars above 0; leave it out for no limit")
    if config.budget > 0 and not (config.price_in or config.price_out):
        raise reader.refuse(("budget",), "a budget needs price_in or price_out, in dollars for a million tokens")
    _check_template(config, reader)


def _check_template(config: ChatConfig, reader: TypedReader) -> None:
    try:
        names = [name for _, name, _, _ in string.Formatter().parse(config.prompt) if name is not None]
    except ValueError as error:
        raise reader.refuse(("prompt",), f"the prompt cannot be read as a template: {error}") from None
    for name in names:
        if name not in FIELDS:
            problem = f"the prompt names {{{name}}}; allowed are {', '.join(FIELDS)} (braces are written twice)"
            raise reader.refuse(("prompt",), problem)
