"""Tournaments: many bots, every pairing a stored match, and who is best among them."""
