"""Solving games: strategies that cannot be beaten, and how far any strategy is from one.

The part is also the function `lk.solve`: calling it solves a game (see `luckless.public.solve`).
"""

from luckless.callable_parts import make_callable

make_callable(__name__)
