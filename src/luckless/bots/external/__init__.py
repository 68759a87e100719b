"""Bots from outside: programs (`exec:`), competition clients (`acpc:`) and PyPokerEngine players (`pypoker:`)."""
