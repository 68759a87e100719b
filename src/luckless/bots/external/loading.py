"""Bots from outside by the prefix of their name: `exec:COMMAND`, `acpc:PORT`, `pypoker:file.py:ClassName`; and bots
that have learned, `agent:NAME` or `agent:PATH`; and solved games, `nash`, `nash:FILE`, `blueprint` or
`blueprint:FILE`."""

import os
import select
from collections.abc import Callable

from luckless.bots.bot import Bot
from luckless.errors import InputError


def _exec(text: str) -> Bot:
    if not hasattr(select, "poll") or not hasattr(os, "killpg"):
        raise InputError(f"bot {text}: programs as bots need a system with poll and process groups, such as Linux")
    from luckless.bots.external.exec_bot import load_exec_bot

    return load_exec_bot(text)


def _acpc(text: str) -> Bot:
    from luckless.bots.external.acpc_bot import load_acpc_bot

    return load_acpc_bot(text)


def _pypoker(text: str) -> Bot:
    from luckless.bots.external.pypoker import load_pypoker_bot

    return load_pypoker_bot(text)


def _agent(text: str) -> Bot:
    from luckless.learn.agents import load_named_agent

    return load_named_agent(text)


def _nash(text: str) -> Bot:
    from luckless.solve.nash_bot import load_nash

    return load_nash(text)


def _blueprint(text: str) -> Bot:
    from luckless.solve.blueprint_bot import load_blueprint_bot

    return load_blueprint_bot(text)


def _http(text: str) -> Bot:
    from luckless.bots.external.http_bot import load_http_bot

    return load_http_bot(text)


def _chat(text: str) -> Bot:
    from luckless.bots.external.chat.chat_bot import load_chat_bot

    return load_chat_bot(text)


LOADERS: dict[str, Callable[[str], Bot]] = {
    "exec": _exec,
    "acpc": _acpc,
    "pypoker": _pypoker,
    "agent": _agent,
    "nash": _nash,
    "blueprint": _blueprint,
    "http": _http,
    "https": _http,
    "chat": _chat,
}
"""What loads a bot, by the word before the first colon of its name."""
