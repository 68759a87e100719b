"""Solving games: strategies that cannot be beaten, and how far any strategy is from one."""
