"""Learners and agents by name and by file. Torch is loaded only where something learns."""

import difflib
from pathlib import Path

from luckless.bots.python_bot import PythonBot, bot_of
from luckless.errors import InputError
from luckless.learn.learner import Learner
from luckless.learn.networks import compile_layers
from luckless.learn.registry import KINDS, algorithm_of, settings_of
from luckless.learn.settings import Settings
from luckless.learn.weights import layers_in, read_file
from luckless.runs import agents_folders

__all__ = ["KINDS", "agents_folders", "load_agent", "load_named_agent", "new_learner", "read_learner", "settings_of"]

SUFFIX = ".safetensors"
NAMES_SHOWN = 8


def new_learner(settings: Settings, seed: int) -> Learner:
    """A learner that knows nothing yet; the seed decides its first weights and what it draws from memory."""
    return algorithm_of(settings.kind).learner(settings, seed)


def read_learner(path: Path) -> Learner:
    """The learner that `Learner.write` wrote, ready to go on; `InputError` says why a file cannot be used."""
    settings, arrays, facts = read_file(path, "learner")
    learner = algorithm_of(settings.kind).learner(settings, 0)
    try:
        learner.restore(path, arrays, facts)
    except RecursionError:
        raise InputError(f"{path} is not a complete learner file: its random state cannot be read") from None
    return learner


def load_agent(path: Path, name: str = "") -> PythonBot:
    """The frozen bot that `Learner.freeze` wrote; `InputError` says why a file cannot be used."""
    settings, arrays, _ = read_file(path, "agent")
    layers = layers_in(path, arrays, "network", settings.hidden, settings.outputs)
    player = algorithm_of(settings.kind).player(settings, compile_layers(layers), False)
    return bot_of(player, name or path.stem)


def load_named_agent(text: str) -> PythonBot:
    """The bot that `agent:PATH` or `agent:NAME` names: a file of weights, or NAME.safetensors in `agents_folders`."""
    return load_agent(agent_path(text), text)


def agent_path(text: str) -> Path:
    """The file of weights that `agent:PATH` or `agent:NAME` names."""
    wanted = text.partition(":")[2]
    if not wanted:
        raise InputError(f"bot {text}: write agent:NAME, or agent:PATH with a file of weights")
    path = Path(wanted)
    return path if path.is_file() else _found(text, wanted)


def _found(text: str, wanted: str) -> Path:
    folders = agents_folders()
    for folder in folders:
        path = folder / (wanted if wanted.endswith(SUFFIX) else wanted + SUFFIX)
        if path.is_file():
            return path
    names = sorted({path.stem for folder in folders for path in folder.glob(f"*{SUFFIX}")})
    near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.5)
    shown = near or names[:NAMES_SHOWN]
    known = f"there are {', '.join(shown)}{' and others' * (len(shown) < len(names))}" if names else "there is none"
    places = " or ".join(map(str, folders)) + (" (runs/ holds no season)" if len(folders) == 1 else "")
    raise InputError(f"bot {text}: there is no file {wanted}, and no agent of that name in {places}; {known}")
