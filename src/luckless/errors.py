"""Errors that are the caller's to mend: the command line prints them as one line and exits with code 2."""


class InputError(ValueError):
    """Something that was given is wrong. The message says what, where, and what is allowed."""
