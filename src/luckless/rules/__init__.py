"""The rules of hold'em: a game's description, one hand for reading, and batches of hands compiled."""
