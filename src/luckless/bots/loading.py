"""Bots of the user's own: a class in a Python file, written `file.py:ClassName[:key=value,...]`."""

import importlib.util
import inspect
import re
import sys
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from luckless.bots.alarm import BotFailed, call_bot
from luckless.bots.python_bot import PythonBot, bot_of
from luckless.errors import InputError

_FORM = re.compile(r"(?P<path>.+?\.py):(?P<name>[^:]*)(?::(?P<given>.*))?", re.DOTALL)


def load_python_bot(text: str) -> PythonBot:
    """Makes one bot of the class that `file.py:ClassName[:key=value,...]` names."""
    player, given = load_player(text, text)
    return bot_of(player, text, given)


def load_player(where: str, text: str) -> tuple[Any, dict[str, Any]]:
    """An object of the class that `where` (`file.py:ClassName[:key=value,...]`) names, and what it was called with.

    `text` is the whole bot, for errors.
    """
    form = _FORM.fullmatch(where)
    if form is None:
        raise InputError(f"bot {text}: write it as file.py:ClassName or file.py:ClassName:key=value,...")
    path, class_name = Path(form["path"]), form["name"]
    if not path.is_file():
        raise InputError(f"bot {text}: there is no file {path}")
    module = _module_of(path, text)
    kind = vars(module).get(class_name)
    if not isinstance(kind, type):
        classes = [name for name, value in vars(module).items() if _is_own_class(value, module)]
        raise InputError(f"bot {text}: {path} has no class {class_name!r}; it has {', '.join(classes) or 'none'}")
    given = _given(kind, form["given"] or "", text)
    try:
        return call_bot(lambda: kind(**given)), given
    except BotFailed as failed:
        raise InputError(f"bot {text}: {class_name}() failed with {failed}") from failed


def _given(kind: type, text: str, bot: str) -> dict[str, Any]:
    """The parameters of a class from `key=value,...`; whole numbers, numbers and true/false become such values.

    A parameter that the class declares as text stays text.
    """
    values: dict[str, Any] = {}
    texts = _text_parameters(kind)
    for item in filter(None, text.split(",")):
        key, sign, written = item.partition("=")
        if not key.isidentifier() or not sign:
            raise InputError(f"bot {bot}: {item!r} is not a parameter; write key=value")
        values[key] = written if key in texts else _value(written)
    try:
        inspect.signature(kind).bind(**values)
    except TypeError as error:
        raise InputError(f"bot {bot}: {kind.__name__}{inspect.signature(kind)}: {error}") from None
    except ValueError:  # no signature to check: calling it will tell
        pass
    return values


def _text_parameters(kind: type) -> set[str]:
    try:
        parameters = inspect.signature(kind).parameters.values()
    except (TypeError, ValueError):
        return set()
    return {parameter.name for parameter in parameters if parameter.annotation in (str, Path, "str", "Path")}


def _value(text: str) -> Any:
    """The value that a text stands for."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _module_of(path: Path, text: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"luckless_bot_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickling look their module up by name
    try:
        call_bot(partial(spec.loader.exec_module, module))
    except BotFailed as failed:
        raise InputError(f"bot {text}: {path} cannot be loaded: {failed}") from failed
    return module


def _is_own_class(value: Any, module: ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__
