"""`luckless equity`."""


def command() -> None:
    """Placeholder."""
