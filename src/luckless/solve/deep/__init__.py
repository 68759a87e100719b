"""Deep PDCFR+: a game solved by networks that learn from samples of it, for games that no table can hold."""
