"""Matches: who sits where, what is dealt, how it is played, what came of it."""
