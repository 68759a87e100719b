"""Bots of the user's own: a class in a Python file, written `file.py:ClassName`."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from luckless.bots.bot import PythonBot, bot_of
from luckless.errors import InputError


def load_python_bot(text: str) -> PythonBot:
    """Makes one bot of the class that `file.py:ClassName` names; the class is called without arguments."""
    return bot_of(load_player(text, text), text)


def load_player(where: str, text: str) -> Any:
    """An object of the class that `where` (`file.py:ClassName`) names; `text` is the whole bot, for errors."""
    path_text, _, class_name = where.rpartition(":")
    if not path_text.endswith(".py"):
        raise InputError(f"bot {text}: write it as file.py:ClassName")
    path = Path(path_text)
    if not path.is_file():
        raise InputError(f"bot {text}: there is no file {path}")
    module = _module_of(path, text)
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        classes = [name for name, value in vars(module).items() if _is_own_class(value, module)]
        raise InputError(f"bot {text}: {path} has no class {class_name!r}; it has {', '.join(classes) or 'none'}")
    try:
        return found()
    except (Exception, SystemExit) as error:
        raise InputError(f"bot {text}: {class_name}() failed with {type(error).__name__}: {error}") from error


def _module_of(path: Path, text: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"luckless_bot_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickling look their module up by name
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InputError(f"bot {text}: {path} cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _is_own_class(value: Any, module: ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__
