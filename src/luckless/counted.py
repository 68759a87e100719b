"""So many of something, in words."""


def counted(number: int, noun: str) -> str:
    """So many of something: 1 hand, 1,000 hands."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
