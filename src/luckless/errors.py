"""Errors caused by bad input: the command line prints them as one line and exits with code 2."""


class InputError(ValueError):
    """Bad input. The message says what is wrong, where, and what is allowed."""
