"""Matches: who sits where, what is dealt, how it is played, and the result."""
