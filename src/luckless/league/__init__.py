"""Seasons of learning bots: agents, divisions, ratings, boards, and the run that survives a power cut."""
