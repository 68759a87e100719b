"""Luckless: poker skill measured with the luck taken out."""

__version__ = "0.2.0"
