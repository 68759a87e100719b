"""`python -m luckless` is the command line."""

from luckless.cli import main

main()
