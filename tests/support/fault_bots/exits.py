"""Exits at its first decision."""

import sys

import loop

loop.play(lambda message: sys.exit(3))
