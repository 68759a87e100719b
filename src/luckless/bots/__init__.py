"""What a bot is, and every bot that needs no training."""
