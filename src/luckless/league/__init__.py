"""Seasons of learning bots: agents, divisions, ratings, boards, and the run that survives a power cut.

The part is also the function `lk.league`: calling it plays a season (see `luckless.public.league`).
"""

from luckless.callable_parts import make_callable

make_callable(__name__)
