"""A model that was trained on our observations takes a seat: as a bot it plays any match, session or league.

from luckless.environments.trained import Trained
lk.play([lk.bot(Trained(PPO.load("ppo.zip")), "ppo"), "pot-odds"], game="limit-hu", hands=10_000)
"""

import inspect
from typing import Any

import numpy as np
from numpy.typing import NDArray

from luckless.bots.dice import BatchDice
from luckless.environments.observing import choices, observe
from luckless.errors import InputError
from luckless.rules.views import Views


class Trained:
    """A player that asks a model: anything with Stable-Baselines3's `predict(observations, deterministic=...)`.

    `predict` gets one observation a row and gives the numbers of the actions, alone or as the first of a pair. A
    number that is masked out is played as the nearest legal action. A `predict` that takes `action_masks` gets them.
    With `deterministic=False` the model draws its actions itself: then results do not follow from the match's seed.
    """

    def __init__(self, model: Any, deterministic: bool = True) -> None:
        if not callable(getattr(model, "predict", None)):
            raise InputError(f"a {type(model).__name__} has no method `predict(observations, deterministic=...)`")
        self.model = model
        self.deterministic = deterministic
        self._takes_masks = "action_masks" in inspect.signature(model.predict).parameters

    def decide_batch(self, views: Views, dice: BatchDice) -> NDArray[np.int64]:
        """The actions that the model chooses."""
        offered = choices(views.game, views.public)
        seen = observe(views.game, views.public, views.cards, views.seat)
        masks = {"action_masks": offered.mask} if self._takes_masks else {}
        answer = self.model.predict(seen, deterministic=self.deterministic, **masks)
        numbers = np.asarray(answer[0] if isinstance(answer, tuple) else answer)
        return offered.actions(numbers.reshape(len(views)))
