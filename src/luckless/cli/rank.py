"""`luckless rank`."""


def command() -> None:
    """Placeholder."""
